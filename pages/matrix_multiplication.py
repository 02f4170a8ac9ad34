"""Where does each number in a matrix product come from, and which matrices can be multiplied at all?"""

from engine.vectors import entrywise, matmul, matmul_cell
from ui import charts
from ui.charts import Panel, links
from ui.labs import matrix_multiplication as product
from ui.page import controls, lab
from ui.page.matrices import sized_matrix
from ui.questions.matrix_multiplication import QUESTIONS
from ui.words import counted, dot, told

lab.begin(__file__, QUESTIONS)
with lab.panel():
    m = controls.slider("m", "m, the rows of A", 1, 6, 3)
    k = controls.slider("k", "k, the columns of A", 1, 6, 4, help="So many terms has each sum.")
    n = controls.slider("n", "n, the columns of B", 1, 6, 2)
    cells, title = [(r, c) for r in range(m) for c in range(n)], "Step through the cells of AB"
    about = "The arrow keys go through all of them; a click on a cell, a row of A or a column of B does it too."
    row, column = controls.stops("step", title, cells, (0, 0), show=lambda at: f"AB[{at[0]}, {at[1]}]", help=about)
    about = "The product exists only if B has as many rows as A has columns."
    too_many = controls.which("inner", "Rows of B", ["k", "k + 1"], help=about)
    with lab.folded("Edit A and B"):
        A = sized_matrix("A", "A", product.A, (m, k), limit=100)
        B = sized_matrix("B", "B", product.B, (k + too_many, n), limit=100)

trace = lab.attempt_or_none(matmul, A, B)
cell = matmul_cell(A, B, row, column) if trace else None
other = matmul(B, A) if n == m else None
fits = all(a == b or 1 in (a, b) for a, b in zip(A.shape, B.shape, strict=True))
AB, BA, star = trace.out if trace else None, other.out if other else None, entrywise(A, B) if fits else None
b_rows, name = len(B), f"AB[{row}, {column}]"
digits = product.decimals(A, B, cell.products, trace.out) if trace else product.decimals(A, B)
now = told(out=cell.out, flops=trace.flops, fused=trace.flops // 2) if trace else told(unpaired=B[-1, column])
lab.shape(f"({m} × {k}) times ({b_rows} × {n})")

panels = [
    Panel(A, "A", limit=4, mark=(row, None), colour="query", digits=digits, name="A", held="A"),
    Panel(B, "B", limit=4, mark=(None, column), colour="key", digits=digits, name="B", held="B"),
]
if trace:
    panels.append(Panel(trace.out, "AB", limit=12, mark=(row, column), digits=digits, name="AB"))
ends = f"their product, cell {row}, {column} outlined: {now.out:{digits}}." if trace else "no product."
alt = f"A, {m} by {k}, row {row} outlined; B, {b_rows} by {n}, column {column} outlined; {ends}"
clicked = lambda at: (row if at["panel"] == 1 else at["row"]) * n + (column if at["panel"] == 0 else at["column"])
charts.show(
    "product",
    charts.matrices(
        panels, per_row=len(panels), cell=44, room=6, links=[links.product("AB", "A", "B")] if trace else ()
    ),
    alt,
    step=clicked,
)
if trace:
    title = f"The terms of {name} = {now.out:{digits}}"
    labels = [f"row {row} of A", f"column {column} of B", "their product"]
    terms = Panel([cell.a_row, cell.b_column, cell.products], title, labels, limit=4, mark=(2, None), digits=digits)
    written = counted(k, "term", "terms")
    alt = f"The {written} whose sum is {name}: row {row} of A, column {column} of B, and their products."
    charts.show("terms", charts.matrices([terms], per_row=2, cell=34), alt)
    lab.step(
        "One cell, one dot product",
        dot(f"(AB)_{{{row},{column}}}", cell.a_row, cell.b_column, cell.out, digits),
        rf"\text{{FLOPs}} = 2 \cdot m \cdot k \cdot n = 2 \cdot {m} \cdot {k} \cdot {n} = {now.flops}",
    )
else:
    lab.say(
        f"Row {row} of A has **{counted(k, 'number', 'numbers')}**, column {column} of B has **{b_rows}**. A dot "
        f"product pairs them off one by one, and the last of the column, {now.unpaired:{digits}}, finds no partner: no "
        "cell of AB has a sum."
    )

sizes, inner = f"({m} × **{k}**) times (**{b_rows}** × {n})", f"the inner sizes, {k} and {b_rows}"
cells, numbers = counted(m * n, "cell", "cells"), counted(m * n, "number", "numbers")
each = f"{counted(k, 'multiplication', 'multiplications')} and {counted(k - 1, 'addition', 'additions')}"
operations = m * n * (2 * k - 1)
if trace:
    lab.notice(
        f"{sizes}: the inner sizes meet and vanish, {m} × {n} is left, {numbers}.",
        *product.of_single_ones(A, AB),
        *product.of_the_other_order(m, k, b_rows, n, AB, BA),
        f"**{name} = {now.out:{digits}}** needs row {row} of A and column {column} of B, and nothing else.",
        f"{cells} of {each}: exactly {operations}. The usual count, 2·m·k·n, takes an addition more for each cell: "
        f"**{now.flops} FLOPs**.",
    )
else:
    differ = f"{sizes}: {inner}, differ, so there is no product."
    lab.notice(differ, *product.of_the_other_order(m, k, b_rows, n, AB, BA))
lab.conventions(
    (
        "Counting the work",
        f"2·m·k·n, as PyTorch's FlopCounterMode: {now.flops}" if trace else "no product, nothing to count",
        f"fvcore: a multiplication with its addition is one, m·k·n = {now.fused}"
        if trace
        else "PyTorch refuses it too",
    ),
    (
        "Tokens as rows or columns",
        f"rows: x·W, here ({m} × {k}) times ({b_rows} × {n})",
        f"columns, as in Goodfellow et al. 2016: Wᵀ·xᵀ, ({n} × {b_rows}) times ({k} × {m})",
    ),
    (
        "What * means",
        "nothing: AB is `A @ B`, " + (f"{name} = {now.out:{digits}}" if trace else "refused here"),
        f"MATLAB: AB itself. {product.by_numpy(A, B, star, AB, row, column)}",
    ),
)
taken = {"inner_a": k, "inner_b": b_rows}
if trace:
    taken |= {"AB": trace.out, "flops": trace.flops, "operations": operations}
    taken |= {"a_row": cell.a_row, "b_column": cell.b_column, "products": cell.products, "cell": cell.out}
lab.take_away(taken, A=A, B=B, row=row, column=column)
lab.source(matmul, matmul_cell)
