"""Where does each number in a matrix product come from, and which matrices can be multiplied at all?"""

from engine.vectors import matmul, matmul_cell
from ui import charts
from ui import words as worked
from ui.charts import Panel
from ui.page import controls, lab
from ui.page import matrices as edited
from ui.words import number

A_FULL = [[1, 2, 0, -1, 3, 1], [2, -1, 1, 3, 1, -2], [0, 3, -2, 1, -1, 2], [-1, 1, 2, 3, 0, 1], [3, 0, 1, -2, 2, -1], [1, -2, 0, 2, 1, 3]]  # fmt: skip
B_FULL = [[3, -1, 1, 0, 2, 1], [1, 2, 0, -2, 1, 3], [-2, 1, 3, 1, 0, -1], [2, 0, -1, 2, 3, 1], [1, 3, 2, -1, 0, 2], [0, -2, 1, 3, -1, 1], [2, 1, -1, 0, 1, -2]]  # fmt: skip

lab.begin(__file__)
with lab.panel():
    m = controls.slider("m", "m, the rows of A", 1, 6, 3)
    k = controls.slider("k", "k, the columns of A", 1, 6, 4, help="So many terms has each sum.")
    n = controls.slider("n", "n, the columns of B", 1, 6, 2)
    cells = [(r, c) for r in range(m) for c in range(n)]
    row, column = controls.stops(
        "step", "Step through the cells of AB", cells, (0, 0), show=lambda cell: f"AB[{cell[0]}, {cell[1]}]",
        help="The arrow keys go through all of them; a click on a cell, a row of A or a column of B does it too.",
    )  # fmt: skip
    inner = controls.choice(
        "inner", "Rows of B", ["k", "k + 1"], help="The product exists only if B has as many rows as A has columns."
    )
    with lab.folded("Edit A and B"):
        A = edited.sized_matrix("A", "A", A_FULL, (m, k), limit=100)
        B = edited.sized_matrix("B", "B", B_FULL, (k + (inner != "k"), n), limit=100)
    A, B = edited.nudge(A=A, B=B, limit=5)

trace = lab.attempt_or_none(matmul, A, B)
digits = 0 if all(v.is_integer() for v in [*A.flat, *B.flat]) else 2
name = f"AB[{row}, {column}]"

panels = [
    Panel(A, "A", limit=4, mark=(row, None), colour="query", digits=digits),
    Panel(B, "B", limit=4, mark=(None, column), colour="key", digits=digits),
]
if trace is not None:
    panels.append(Panel(trace.out, "AB", limit=12, mark=(row, column), digits=digits))
charts.show(
    "product",
    charts.matrices(panels, per_row=len(panels), cell=44),
    f"A, {m} by {k}, row {row} outlined; B, {len(B)} by {n}, column {column} outlined; "
    + (
        "no product."
        if trace is None
        else f"their product, cell {row}, {column} outlined: {number(trace.out[row, column], digits)}."
    ),
    step=lambda at: (row if at["panel"] == 1 else at["row"]) * n + (column if at["panel"] == 0 else at["column"]),
)
if trace is None:
    lab.say(
        f"Row {row} of A has **{k}** number{'s' if k > 1 else ''}, column {column} of B has **{len(B)}**. A dot product pairs them off one by one, and "
        f"the last of the column, {number(B[-1, column], digits)}, finds no partner: no cell of AB has a sum."
    )
    taken = {"inner_a": k, "inner_b": len(B)}
else:
    cell = matmul_cell(A, B, row, column)
    terms = Panel(
        [cell.a_row, cell.b_column, cell.products],
        f"The terms of {name} = {number(cell.out, digits)}",
        [f"row {row} of A", f"column {column} of B", "their product"],
        limit=4,
        mark=(2, None),
        digits=digits,
    )
    charts.show(
        "terms",
        charts.matrices([terms], per_row=2, cell=34),
        f"The {k} terms whose sum is {name}: row {row} of A, column {column} of B, and their products.",
    )
    lab.step(
        "One cell, one dot product",
        worked.dot(f"(AB)_{{{row},{column}}}", cell.a_row, cell.b_column, cell.out, digits),
        rf"\text{{FLOPs}} = 2 \cdot m \cdot k \cdot n = 2 \cdot {m} \cdot {k} \cdot {n} = {trace.flops}",
    )
    taken = {
        "inner_a": k, "inner_b": len(B), "AB": trace.out, "flops": trace.flops,
        "a_row": cell.a_row, "b_column": cell.b_column, "products": cell.products, "cell": cell.out,
    }  # fmt: skip

if n != m:
    other = f"The other order, BA, does not exist: B has {n} column{'s' if n > 1 else ''}, A has {m} row{'s' if m > 1 else ''}."
elif trace is None or m != k:
    other = f"The other order, BA, exists: {n} = {m}. It is {len(B)} × {k}, not the same thing as AB."
else:
    changed = (matmul(B, A).out != trace.out).sum()
    other = f"Both orders exist; BA differs from AB in {changed} of {m * n} cell{'s' if m * n > 1 else ''}."
lab.notice(
    f"({m} × **{k}**) times (**{len(B)}** × {n}): "
    + (
        f"the inner sizes, {k} and {len(B)}, differ, so there is no product."
        if trace is None
        else f"the inner sizes meet and vanish, {m} × {n} is left."
    ),
    other,
    *[]
    if trace is None
    else [
        f"**{name} = {number(cell.out, digits)}** needs row {row} of A and column {column} of B, and nothing else.",
        f"{m * n} cell{'s' if m * n > 1 else ''} × {k} multiplication{'s' if k > 1 else ''} and as many additions: **{trace.flops} FLOPs**.",
    ],
)
lab.try_this(
    ("One 1 in each row", "A has a single 1 in each row. What happens to the rows of B?", {"k": 3, "A": "0 1 0\n0 0 1\n1 0 0"}),
    ("A row times a column", "How many numbers come out of 1 × 6 times 6 × 1?", {"m": 1, "k": 6, "n": 1}),
    ("A column times a row", "And out of 6 × 1 times 1 × 6, with how many terms each?", {"m": 6, "k": 1, "n": 6}),
    ("Sizes that do not meet", "A row of 4 against a column of 5: what is their product?", {"inner": "k + 1"}),
)  # fmt: skip
lab.conventions(
    (
        "Counting the work",
        "no product, nothing to count" if trace is None else f"2·m·k·n = {trace.flops} FLOPs",
        "—" if trace is None else f"multiply-adds, m·k·n: {trace.flops // 2}",
    ),
    (
        "Tokens as rows or columns",
        f"rows: x·W, here {m} × {k} times {len(B)} × {n}",
        f"columns: Wᵀ·xᵀ, {n} × {len(B)} times {k} × {m}",
    ),
    (
        "What * means",
        "nothing: AB is `A @ B`, " + ("refused here" if trace is None else f"{name} = {number(cell.out, digits)}"),
        "MATLAB: AB itself. NumPy: cell by cell, "
        + (f"{number(A[row, column] * B[row, column], digits)}" if A.shape == B.shape else "and these shapes differ"),
    ),
)
lab.take_away(taken, code="""
inner_a, inner_b = A.shape[1], B.shape[0]
if inner_a == inner_b:
    AB = A @ B
    flops = 2 * A.size * B.shape[1]
    a_row, b_column = A[row], B[:, column]
    products = a_row * b_column
    cell = products.sum()
""", A=A, B=B, row=row, column=column)  # fmt: skip
lab.source(matmul, matmul_cell)
