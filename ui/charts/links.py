"""Where the numbers of a matrix come from, as data: the browser lights up both ways and writes the sum.

A link says how the cell (r, c) of a matrix is made from cells of others. Rows and columns are "r", "c", "c+4", "*"
(all), "0:4" or "3". The matrices are named by `Panel.name`; any figure of a page may hold them.
"""

from typing import Any, NamedTuple

Cells = tuple[str, str, str]  # of which matrix, which rows, which columns


class Link(NamedTuple):
    """The cell (r, c) of `of` is made from `sources`; `op` is how, and "" where only the way there is shown.

    "dot": the products of the first two, then the others added; "sum": all that are left added; "times": all
    multiplied; "softmax" over the first; "over": the first divided by `by`. Where not all cells are made alike, each
    `part` (rows, columns) has a link of its own: ("2", "*") is row 2, ("*", "0:4") the first four columns.
    """

    of: str
    op: str
    sources: tuple[Cells, ...]
    by: float | None = None
    part: tuple[str, str] = ("*", "*")

    def told(self) -> dict[str, Any]:
        """As the browser reads it."""
        by = {} if self.by is None else {"by": float(f"{self.by:.4g}")}
        part = {} if self.part == ("*", "*") else {"part": self.part}
        return {"of": self.of, "op": self.op, "from": self.sources} | by | part


def product(of: str, left: str, right: str, *, turned: bool = False, plus: str = "") -> Link:
    """left · right, or left · rightᵀ where `turned`, plus a row of biases that all rows share.

    >>> product("S", "Q", "K", turned=True).sources
    (('Q', 'r', '*'), ('K', 'c', '*'))
    """
    other = (right, "c", "*") if turned else (right, "*", "c")
    return Link(of, "dot", ((left, "r", "*"), other, *(((plus, "0", "c"),) if plus else ())))


def softmax(of: str, scores: str) -> Link:
    """The softmax of each row."""
    return Link(of, "softmax", ((scores, "r", "*"),))


def added(of: str, *parts: str) -> Link:
    """The sum of matrices of one shape, such as a residual's two summands."""
    return Link(of, "sum", tuple((part, "r", "c") for part in parts))


def divided(of: str, part: str, by: float) -> Link:
    """Every number divided by one."""
    return Link(of, "over", ((part, "r", "c"),), by)


def copied(of: str, *parts: str) -> Link:
    """The same cell of another matrix, as it is or through a function of that number alone."""
    return Link(of, "", tuple((part, "r", "c") for part in parts))


def by_row(of: str, *parts: str) -> Link:
    """Something of the whole row, such as a norm."""
    return Link(of, "", tuple((part, "r", "*") for part in parts))
