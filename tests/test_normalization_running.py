import numpy as np
import pytest
from near import within

from engine.normalization import batch_norm, batch_norm_inference, running_statistics

HALVES = [-1.3416407865, -0.4472135955, 0.4472135955, 1.3416407865]


close = within(5e-6, relative=True)


def test_batch_norm_and_its_memory_agree_with_pytorch(reference):
    cases = [case for case in reference("normalization")["cases"] if "batch_norm" in case]
    assert len(cases) == 4
    for case in cases:
        x, gamma, beta, eps = np.array(case["x"]), case["gamma"], case["beta"], case["eps"]
        close(batch_norm(x, gamma, beta, eps=eps).out, case["batch_norm"], 1e-12)
        running = running_statistics(2 * x, running_statistics(x))
        close(running.mean[0], case["running_mean"], 1e-13)
        close(running.variance[0], case["running_var"], 1e-13)
        close(batch_norm_inference(x, running, gamma, beta, eps=eps).out, case["inference"], 1e-12)


def test_keras_momentum_is_one_minus_pytorchs(reference):  # pytorch/examples#289
    frozen, column = reference("normalization")["keras"], [[1], [2], [3], [4]]
    running = None
    for _ in range(frozen["batches"]):
        running = running_statistics(column, running, momentum=frozen["momentum"], library="keras")
    close([running.mean[0, 0], running.variance[0, 0]], [frozen["mean"], frozen["variance"]], 1e-6)
    assert (frozen["momentum"], frozen["eps"]) == (0.99, 0.001)
    once = running_statistics(column, momentum=0.99, library="keras").mean
    close(once, [[0.025]], 1e-12)
    close(running_statistics(column).mean, [[0.25]], 1e-12)
    with pytest.raises(ValueError, match="library"):
        running_statistics(column, library="jax")


def test_running_variance_counts_n_minus_1():  # pytorch#7716
    column = [[1], [2], [3], [4]]
    close(batch_norm(column).out[:, 0], HALVES, 1e-5)
    running = running_statistics(column)
    close([running.mean[0, 0], running.variance[0, 0]], [0.25, 1.06667])
    close(batch_norm_inference([[1]], running).out, [[0.72618]])
    with pytest.raises(ValueError, match="two rows"):
        running_statistics([[1, 2]])
