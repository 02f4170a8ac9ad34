import numpy as np
import pytest

from engine.training import write_on
from engine.transformer import forward, generate
from engine.weights import load_weights


@pytest.mark.parametrize("options", [{}, {"causal": False, "norm_placement": "pre", "n_layers": 2}])
def test_it_writes_what_generate_writes_and_one_word_more(options):
    drawn = generate(load_weights(), [3], 4, rng=np.random.default_rng(0), temperature=0, **options).token_ids
    written = write_on(load_weights(), [3], 5, **options)
    assert written[:5] == drawn
    assert written[5] == forward(load_weights(), drawn, **options).probs[-1].argmax()


@pytest.mark.parametrize(("ids", "n"), [([], 1), ([0], 6), ([9], 1), ([0] * 6, 0)])
def test_what_cannot_be_written_is_refused(ids, n):
    with pytest.raises(ValueError, match="must be"):
        write_on(load_weights(), np.array(ids, int), n)
