"""Where numbers come from: what the browser lights up and adds up is what the numbers on screen say."""

import pytest

from tests.driven import Driven
from tests.linked import check, links

pytestmark = pytest.mark.page

# Labs of matrices whose numbers are made from others in sight, each in states that change what is made from what.
STATES = {
    "attention_matrix": [{}, {"query": 4, "scale": "false", "causal": "false"}, {"padding": 6}],
    "matrix_multiplication": [{}, {"m": 6, "k": 1, "n": 5}, {"inner": "k + 1"}],
}


@pytest.mark.parametrize("slug", STATES)
def test_every_cell_is_made_as_its_link_says(slug):
    for state in STATES[slug]:
        at = Driven.open(slug, {f"{slug}.{name}": str(value) for name, value in state.items()})
        assert not at.notices
        computed = check(at.charts)
        assert computed > 5 or not links(at.charts), state
