"""The sampling lab: what each way keeps, what a tie and an order change, and draws that stay near their expectation."""

import pytest

SLUG = "one_distribution_one_token"


def panels(at):
    """The bars of the five ways by name."""
    bars = [trace for trace in at.charts["ways"].data if trace["type"] == "bar"][:5]
    return {bar["name"].split()[0]: bar["x"] for bar in bars}


def n_kept(bars):
    return {way: sum(x > 0 for x in values) for way, values in bars.items()}


def test_every_way_gives_a_distribution(app):
    bars = panels(app(SLUG))
    assert n_kept(bars) == {"Greedy": 1, "Temperature": 12, "Top-k,": 8, "Top-p,": 5, "All": 5}
    assert all(sum(values) == pytest.approx(1) for values in bars.values())


def test_peaked_and_flat_move_top_p_but_not_top_k(app):
    peaked = n_kept(panels(app(SLUG, {f"{SLUG}.shape": "peaked"})))
    flat = n_kept(panels(app(SLUG, {f"{SLUG}.shape": "flat", f"{SLUG}.p": "0.9"})))
    assert (peaked["Top-k,"], peaked["Top-p,"]) == (8, 1)
    assert (flat["Top-k,"], flat["Top-p,"]) == (8, 11)


def test_ties_go_to_the_first_and_both_conventions_are_told(app):
    at = app(SLUG, {f"{SLUG}.shape": "ties", f"{SLUG}.k": "4", f"{SLUG}.way": "top-k"})
    assert [x > 0 for x in panels(at)["Top-k,"]] == [True] * 4 + [False] * 8
    assert "exactly k, lowest index first: 4 kept" in at.words()
    assert "all that tie with the k-th: 7 kept" in at.words()
    assert "2 words tie for the first place" in at.words()


def test_the_order_of_the_filters_changes_what_is_kept(app):
    hot = {f"{SLUG}.temperature": "5", f"{SLUG}.k": "12"}
    first, last = app(SLUG, hot), app(SLUG, hot | {f"{SLUG}.order": "top-p, top-k, T"})
    assert (n_kept(panels(first))["All"], n_kept(panels(last))["All"]) == (9, 5)


@pytest.mark.parametrize("p", ["0", "0.999", "1"])
@pytest.mark.parametrize("way", ["greedy", "temperature", "top-k", "top-p", "all three"])
def test_draws_at_the_ends(app, p, way):
    start = {f"{SLUG}.temperature": "0", f"{SLUG}.p": p, f"{SLUG}.way": way, f"{SLUG}.shape": "peaked"}
    at = app(SLUG, start)
    assert not at.exception
    assert not at.error
    at.set(**{"peaked.logits": "7 0 0 0 0 0 0 0 0 0 0 0"})
    assert not at.exception
