"""Where a cell of a matrix came from: each function returns what writes out the sum behind (row, column)."""

from collections.abc import Callable

from ui.words import bare, dot, softmax, terms, tex

How = Callable[[int, int], str]


def given(name: str, what: str = "a parameter of the model") -> How:
    """A number nobody computed."""
    return lambda r, c: rf"{name}[{r},{c}]\text{{ is {what}}}"


def product(name: str, a, b, out, bias=None) -> How:
    """A cell of a @ b, plus the bias of its column."""

    def write(r: int, c: int) -> str:
        plain = dot(rf"{name}[{r},{c}]", a[r], [row[c] for row in b], out[r][c])
        if bias is None:
            return plain
        head, tail = plain.rsplit(" = ", 1)
        return f"{head} + {tex(bias[c])} = {tail}"

    return write


def added(name: str, parts, out) -> How:
    """A cell of a sum of matrices."""
    return lambda r, c: f"{name}[{r},{c}] = {terms([tex(part[r][c]) for part in parts])} = {bare(out[r][c])}"


def side_by_side(name: str, attention, active) -> How:
    """A cell of all heads' contexts side by side: a weighted sum of its head's values, 0 where that is silent."""

    def write(r: int, c: int) -> str:
        h, column = divmod(c, attention.q.shape[2])
        if not active[h]:
            return rf"{name}[{r},{c}] = 0.000\text{{: head {h} is silent}}"
        values = [row[column] for row in attention.v[h]]
        return dot(f"{name}[{r},{c}]", attention.heads[h].weights[r], values, attention.concat[r][c])

    return write


def multiplied(name: str, a, factor: float, symbol: str, out) -> How:
    """A cell times one number, which `symbol` names."""
    return lambda r, c: (
        rf"{name}[{r},{c}] = {tex(a[r][c])} \cdot {symbol} = {tex(a[r][c])} \cdot {bare(factor)} = {bare(out[r][c])}"
    )


def masked(name: str, a, mask, out) -> How:
    """A cell that the mask lets through or sets to −∞."""
    return lambda r, c: (
        rf"{name}[{r},{c}] = {bare(out[r][c])}\text{{: key {c} may be seen by query {r}}}"
        if mask[r][c]
        else rf"{name}[{r},{c}] = -\infty\text{{: key {c} comes after query {r}}}"
    )


def softmaxed(name: str, logits, out) -> How:
    """A cell of a softmax along its row."""
    return lambda r, c: softmax(f"{name}[{r},{c}]", logits[r], c, out[r][c])


def applied(name: str, function: str, a, out) -> How:
    """A cell that went through a function of one number."""
    return lambda r, c: rf"{name}[{r},{c}] = \operatorname{{{function}}}({bare(a[r][c])}) = {bare(out[r][c])}"


def normalised(name: str, a, trace, gamma, beta) -> How:
    """A cell of a layer normalisation, γ and β included; `trace` has mean, variance, normalized and out."""

    def write(r: int, c: int) -> str:
        above, below = f"{bare(a[r][c])} - {tex(trace.mean[r, 0])}", f"{bare(trace.variance[r, 0])} + 10^{{-5}}"
        general = rf"\gamma_{{{c}}}\,\frac{{{above}}}{{\sqrt{{{below}}}}} + \beta_{{{c}}}"
        now = rf"{tex(gamma[c])} \cdot {tex(trace.normalized[r, c])} + {tex(beta[c])}"
        return f"{name}[{r},{c}] = {general} = {now} = {bare(trace.out[r, c])}"

    return write
