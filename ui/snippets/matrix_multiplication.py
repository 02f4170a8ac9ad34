import numpy as np

A, B, row, column = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[5.0, 6.0], [7.0, 8.0]]), 0, 1
# --- The inputs above are examples; the program begins here.
inner_a, inner_b = A.shape[1], B.shape[0]
if inner_a == inner_b:
    AB = A @ B
    flops = 2 * A.size * B.shape[1]
    operations = AB.size * (2 * inner_a - 1)
    a_row, b_column = A[row], B[:, column]
    products = a_row * b_column
    cell = products.sum()
