import numpy as np

matrices = {"W_E": [[1.0, 0.0], [0.0, 1.0]], "W_P": [[0.5, 0.5]], "layers[0].b_1": [0.0, 1.0, 0.0]}
# --- The inputs above are examples; the program begins here.
n_parameters = sum(np.size(matrix) for matrix in matrices.values())
