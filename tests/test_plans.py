"""Plans: a text that survives its way through a link, junk that gets a sentence, states that their labs know."""

import random
from urllib.parse import parse_qs, urlsplit

import pytest

from ui.app import plans
from ui.app.plans import Plan, Prepared

BUILT_IN = [state for code in plans.MINUTES for state in plans.built_in(code).states]


def test_a_plan_survives_its_link():
    plan = Plan("Über *alles* <b>", (Prepared("softmax?softmax.ask=2", 4), Prepared("attention_matrix", 0)))
    assert plans.plan_of(plans.code_of(plan)) == plan
    assert plans.at(f"2.{plans.code_of(plan)}")[::2] == (2, plan)
    for code in plans.MINUTES:
        whole = plans.built_in(code)
        assert plans.plan_of(plans.code_of(whole)) == whole
        assert whole.minutes == int(code)


@pytest.mark.parametrize("link", ["", "softmax/x", "https://labs.org", "//[", "home", "softmax" + "x" * 9_000, "\x00?"])
def test_what_is_no_link_of_a_lab_is_refused_in_a_sentence(link):
    with pytest.raises(ValueError, match="link"):
        plans.prepared(link)


def test_a_state_keeps_what_is_its_labs_own():
    link = "http://h/b/softmax/?softmax.scale=2&softmax.shown=true&view=stage&plan=1.45&embed=true&home.search=x#top"
    assert plans.prepared(link).link == "softmax?softmax.scale=2"


def junk() -> list[str]:
    draw = random.Random(1)
    real = plans.code_of(plans.built_in("45"))
    broken = [real[: draw.randrange(len(real))] for _ in range(5)]
    broken += ["".join(draw.sample(real, len(real))) for _ in range(5)]
    texts = ["", "a\nb", "a\n3 nowhere", "a\n-1 softmax", "a\n9999 softmax", "a\n" + "1 softmax\n" * 99, "x" * 9_000]
    broken += [plans.codes.pack(text) for text in texts[1:]] + ["ä", "%", "=" * 9, "x" * 99_999]
    return [*(f"1.{code}" for code in broken), "", "45", ".45", "-1.45", "1e9.45", "99999.45", "١.45"]


@pytest.mark.parametrize("text", junk(), ids=range(len(junk())))
def test_junk_for_a_plan_is_refused_in_a_sentence(text):
    with pytest.raises(ValueError, match=r"\.$"):
        plans.at(text)


def test_a_plan_has_limits():
    state = plans.prepared("softmax")
    with pytest.raises(ValueError, match="room for 60"):
        plans.code_of(Plan("a", (state,) * 61))
    draw = random.Random(2)
    model = lambda: "".join(draw.choices("0123456789abcdefghijklmnopqrstuvwxyz", k=1_400))
    with pytest.raises(ValueError, match="too long"):
        plans.code_of(Plan("a", tuple(Prepared(f"softmax?softmax.z={model()}", 1) for _ in range(5))))
    with pytest.raises(ValueError, match="longer"):
        plans.prepared(f"softmax?softmax.z={'1' * 1_600}")
    assert len(plans.plan_of(plans.code_of(Plan("a" * 500, (state,)))).name) == plans.LONGEST_NAME


def test_every_lab_of_a_built_in_plan_has_three_to_five_states():
    assert all(3 <= len(states) <= 5 for states in plans.STATES.values())
    assert set(plans.STATES) == {slug for labs in plans.MINUTES.values() for slug in labs}


@pytest.mark.parametrize("slug", plans.STATES)
def test_every_state_of_a_built_in_plan_opens_as_it_says(app, slug):
    for state in {state for state in BUILT_IN if state.slug == slug}:
        link = parse_qs(urlsplit(plans.whole(state)).query)
        at = app(slug, link)
        assert not at.exception
        assert not at.notices, state
        assert not at.error, state
        own = {name for name in link if not name.endswith(".ask") and dict(state.values).get(name.split(".")[1])}
        assert own <= set(at.query_params), f"{state} says a default"


def test_a_plan_goes_along_and_stays_out_of_the_link_to_a_state(app):
    at = app("softmax", {"softmax.scale": "2", "plan": "6.45", "view": "stage"})
    assert not at.notices
    assert at.session_state["plan"] == "6.45"
    link = at.unfold("take_away").code[0].value
    assert "softmax.scale=2" in link
    assert not {"plan", "view"} & set(parse_qs(urlsplit(link).query))


@pytest.mark.parametrize("slug", ["", "softmax"])
def test_a_junk_plan_in_a_link_gets_a_sentence_and_the_page_opens(app, slug):
    at = app(slug, {"plan": "1.<b>x", "view": "<script>"})
    assert not at.exception
    assert "The plan in the link was left out: This is not a plan code" in at.words() + " ".join(at.notices)
    assert "plan" not in at.query_params


def test_a_plan_is_arranged_on_home(app):
    at = app("", {"plan": f"1.{plans.code_of(Plan('Mine', (Prepared('softmax', 4), Prepared('dropout', 3))))}"})
    arranged = lambda: plans.at(at.session_state["plan"])[2]
    at.text_input(key="plan.name").set_value("Week *2*").run()
    at.number_input(key="plan.minutes.1").set_value(9).run()
    at.button(key="plan.up.1").click().run()
    assert arranged() == Plan("Week *2*", (Prepared("dropout", 9), Prepared("softmax", 4)))
    at.text_input(key="plan.paste").set_value("http://h/pooling?pooling.ask=1").run()
    at.button(key="plan.out.0").click().run()
    assert arranged().states == (Prepared("softmax", 4), Prepared("pooling?pooling.ask=1", 3))
    at.text_input(key="plan.paste").set_value("junk").run()
    assert "is not the link of a lab" in at.warning[0].value
    at.button(key="plan.from.90").click().run()
    assert arranged() == plans.built_in("90")
