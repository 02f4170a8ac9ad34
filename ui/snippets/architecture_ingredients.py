import numpy as np

W_E, W_P = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[0.5, 0.5]])
W_LM_head = np.array([[1.0, -1.0], [-1.0, 1.0]])
layers: list[dict] = [{"W_Q": [[[1.0], [0.0]]], "W_K": [[[0.0], [1.0]]], "W_V": [[[1.0], [1.0]]], "W_O": [[1.0, 0.5]]}]
# --- The inputs above are examples; the program begins here.
of_layers = sum(int(np.size(matrix)) for layer in layers for matrix in layer.values())
n_parameters = W_E.size + W_P.size + W_LM_head.size + of_layers
tied = n_parameters - W_LM_head.size
apart = np.abs(W_E[:, None] - W_E).max(axis=2)  # how far the rows of any two words differ
apart[np.tril_indices(len(W_E))] = np.inf
first, second = np.unravel_index(apart.argmin(), apart.shape)
closest_difference = apart[first, second]
