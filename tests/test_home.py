import pytest

from ui import catalogue
from ui.app import home


def titles(at) -> set[str]:
    return {
        link.proto.label.strip("*")
        for link in at.get("page_link")
        if link.proto.label.startswith("**") and "Begin" not in link.proto.label
    }


def test_every_lab_is_a_card_and_the_plans_fit_their_minutes(app):
    at = app()
    assert not at.exception
    assert titles(at) == {lab.title for lab in catalogue.shown()}
    for minutes, plan in home.PLANS.items():
        assert sum(plan.values()) == minutes
        assert all(slug in catalogue.BY_SLUG for slug in plan)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [("softmax", "Softmax"), ("ROPE rotation", "RoPE and ALiBi"), ("next token", "The forward pass")],
)
def test_search_finds_words_in_any_order_and_case(app, wanted, found):
    if catalogue.LABS[[lab.title for lab in catalogue.LABS].index(found)].file.exists():
        assert found in titles(app("", {"home.search": wanted}))


@pytest.mark.parametrize("junk", ["zzz", "<script>", "![x](http://e.com/y.png)", "*" * 60])
def test_a_search_without_a_hit_says_so(app, junk):
    at = app("", {"home.search": junk})
    assert not at.exception
    assert not titles(at)
    assert "No lab speaks of" in at.info[0].value
    assert "http:" not in at.info[0].value
