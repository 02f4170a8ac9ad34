"""Where numbers come from: what the browser lights up and adds up is what the numbers on screen say."""

import pytest

from tests.driven import Driven
from tests.linked import check, links

pytestmark = pytest.mark.page

# Labs of matrices whose numbers are made from others in sight, each in states that change what is made from what.
STATES = {
    "attention_matrix": [{}, {"query": 4, "scale": "false", "causal": "false"}, {"padding": 6}],
    "forward_and_backward": [{}, {"activation": "relu", "h": "1e-01"}],
    "heads_split_and_mixed": [{}, {"heads": 4, "share": 2, "silent": "head 1", "causal": "true", "head": "2"}],
    "forward_pass": [{}, {"step": "Predict", "weights": "storyteller", "gradients": "true"}],
    "transformer_deep_dive": [
        {},
        {"own_scaled": "2 0\n3 1"},
        {"part": "Heads", "silent": "head 1"},
        {"part": "Masking", "s": "1 2 3\n0 1 0\n2 2 1\n1 0 1"},
    ],
    "matrix_multiplication": [{}, {"m": 6, "k": 1, "n": 5}, {"inner": "k + 1"}],
    "rows_normalised": [{"scale": "0.1"}],
    "layer_normalisation": [{"shift": 2, "eps": 0}],
    "tokens_expanded": [{}, {"bias": 1, "expansion": 1, "activation": "gelu"}],
    "pooling": [{"side": "left"}, {"nothing": "true"}],
    "dropout": [{}, {"training": "false"}],
    "cross_entropy_against_mse": [{"scale": 0.5, "masked": "row 3", "smoothing": 0.2}, {"weights": "1 2 3 4 5"}],
    "dot_product_against_cosine": [{}, {"centre": "true", "factor": 3}],
    "softmax": [{"masked": "z2"}],
    "rope_and_alibi": [{"heads": 4, "head": 3}],
}


@pytest.mark.parametrize("slug", STATES)
def test_every_cell_is_made_as_its_link_says(slug):
    for state in STATES[slug]:
        at = Driven.open(slug, {f"{slug}.{name}": str(value) for name, value in state.items()})
        assert not at.notices
        computed = check(at.charts)
        shown = any(link["op"] for link in links(at.charts))
        assert computed > 5 or not shown, state
