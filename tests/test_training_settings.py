import numpy as np
import pytest

from engine.training.settings import batch_of, checked_options
from engine.transformer import forward
from engine.weights import load_weights


@pytest.mark.parametrize(
    "options",
    [
        {"causal": 1},
        {"norm_placement": "both"},
        {"activation": "relu6"},
        {"n_layers": 97},
        {"n_layers": True},
        {"scale": None},
        {"active_heads": [True]},
        {"active_heads": [1, 1, 1]},
        {"final_norm": "yes"},
    ],
)
def test_options_are_refused_as_forward_does(options):
    said = []
    for call in (lambda: checked_options(load_weights(), **options), lambda: forward(load_weights(), [0], **options)):
        with pytest.raises(ValueError, match="must") as fault:
            call()
        said.append(str(fault.value).replace("active_heads", "active"))
    assert said[0] == said[1]


def test_padding_is_out_of_reach_and_weighs_nothing():
    batch = batch_of([[0, 1, 2], [2]], [[1, 2, 0], [1]], [[True, False, True], [True]], 3, causal=False)
    assert batch.ids.tolist() == [[0, 1, 2], [2, 0, 0]]
    assert batch.counts.tolist() == [True, False, True, True, False, False]
    assert batch.divisor[..., 0].tolist() == [[3, np.inf, 3], [3, np.inf, np.inf]]
    assert not batch.hidden_keys[0].any()
    assert batch.hidden_keys[1, 0].tolist() == [[False, True, True]]
    assert batch_of([[0, 1]], [[1, 0]], [[True, True]], 2, causal=False).hidden_keys is None
