"""No request of one visitor is dear: every page stays within limits in its costliest state, counted, not timed."""

import pytest
from costliest import COSTLIEST, opened
from work import work

from ui import catalogue

SLUGS = [lab.slug for lab in catalogue.shown()]
MOST_CALLS, MOST_ENGINE, MOST_NUMBERS = 130_000, 30_000, 30_000_000  # a quarter of a second in all
MOST_BYTES, MOST_BYTES_AS_OPENED = 80_000, 60_000
LARGE = {"forward_pass": 220_000}  # 64 words in 12 heads of a visitor's own model are 12 maps of 64 by 64
STEPS = {"model_learns": (145_000, 62_000)}  # a run of 70 steps through 12 layers: short calls, 100 million operations


def test_every_page_has_its_costliest_state():
    assert set(COSTLIEST) == set(SLUGS), "tests/costliest.py has a line for each page: its controls at their dear ends"


@pytest.mark.parametrize("slug", SLUGS)
def test_the_costliest_state_stays_within_limits(app, slug):
    at = opened(slug, COSTLIEST[slug])
    assert not at.exception
    assert not at.error, at.error[0].value
    assert not at.warning, at.warning[0].value  # the link is read as it stands
    took = work(at.run)
    most_calls, most_engine = STEPS.get(slug, (MOST_CALLS, MOST_ENGINE))
    assert took.calls <= most_calls
    assert took.engine <= most_engine
    assert took.numbers <= MOST_NUMBERS
    assert took.bytes <= LARGE.get(slug, MOST_BYTES)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_page_as_it_opens_sends_little(app, slug):
    assert 10_000 < work(app(slug).run).bytes <= MOST_BYTES_AS_OPENED


def test_a_link_of_a_thousand_strangers_is_cleaned_at_once(app):
    link = {"softmax.temperature": "3"} | {f"stranger{i}": "1" for i in range(990)}
    visits = []
    assert work(lambda: visits.append(app("softmax", link))).bytes <= 300_000
    (at,) = visits
    assert at.control("temperature").value == 3
    assert set(at.query_params) == {"softmax.temperature"}
    assert at.notices[0].startswith(
        "The link also held “stranger0”, “stranger1”, “stranger2” and more, which this page"
    )
