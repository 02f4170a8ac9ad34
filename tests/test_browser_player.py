"""The player of the optimizer lab in a real Chromium: traces that grow without the server, and clicks on a surface."""

import os

import pytest

PLAYED = [
    ("bpe_against_wordpiece", "merges", 3, 8),
    ("perceptron", "step", 2, 16),
    ("gradient_by_depth", "depth", 3, 12),
]
SHOWN = """[...document.querySelectorAll('figure')].slice(0, 2).flatMap((f) => f.data
  .filter((t) => t.x.length < 62 && t.type === 'scatter' && t.showlegend !== false)
  .map((t) => t.x.length - 1))"""


def counted(tab) -> list[int]:
    """Messages to the server from now on, by length."""
    sent: list[int] = []
    tab.page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(len(frame))))
    tab.page.reload()
    tab.settle()
    tab.page.wait_for_timeout(800)
    sent.clear()
    return sent


def bar(tab):
    """Button, slider and words of the one player bar that can be seen."""
    (shown,) = [one for one in tab.page.locator(".lab-player").all() if one.is_visible()]
    return shown.locator("button"), shown.locator("input"), shown.locator("output")


def at_rest(tab, step: int):
    """Wait until both charts, the bar and the link stand at this step."""
    tab.page.wait_for_function(f"(step) => {SHOWN}.length === 6 && {SHOWN}.every((n) => n === step)", arg=step)
    assert bar(tab)[2].text_content() == f"step {step}"
    if step < 60:
        tab.link_says(optimizers__step=str(step))


def test_it_plays_both_charts_to_the_end_without_the_server(visit):
    tab = visit("optimizers?optimizers.step=20")
    sent = counted(tab)
    at_rest(tab, 20)
    button, _, _ = bar(tab)
    button.click()
    assert button.text_content() == "Pause"
    tab.page.wait_for_function(f"{SHOWN}.every((n) => n > 30)")
    assert not sent
    tab.page.wait_for_function("(button) => button.textContent === 'Play'", arg=button.element_handle(), timeout=60_000)
    at_rest(tab, 60)
    tab.page.wait_for_timeout(600)
    assert len(sent) == 1  # where it came to rest


def test_pause_keys_and_the_panels_slider_agree_on_the_step(visit):
    tab = visit("optimizers")
    button, slider, _ = bar(tab)
    button.click()
    tab.page.wait_for_function(f"{SHOWN}.every((n) => n > 2 && n < 60)")
    button.click()
    tab.page.wait_for_timeout(400)
    step = int(slider.input_value())
    at_rest(tab, step)
    slider.press("ArrowRight")
    slider.press("ArrowRight")
    at_rest(tab, step + 2)
    tab.slider("Step looked at").press("ArrowLeft")
    at_rest(tab, step + 1)


def test_a_change_of_the_learning_rate_does_not_stop_the_play(visit):
    tab = visit("optimizers?optimizers.step=0")
    button, _, _ = bar(tab)
    button.click()
    tab.slider("Learning rate, SGD and momentum").press("ArrowLeft")
    tab.page.wait_for_function("new URLSearchParams(location.search).has('optimizers.lr')")
    assert button.text_content() == "Pause"
    tab.page.wait_for_function(f"{SHOWN}.every((n) => n > 15)")


def test_a_click_on_the_surface_starts_at_that_very_place(visit):
    tab = visit("optimizers")
    place = tab.page.locator("figure .nsewdrag").first.bounding_box()
    for across, down in [(0.9, 0.1), (0.5, 0.48)]:  # open ground, and between points of the paths
        x, y = place["x"] + across * place["width"], place["y"] + down * place["height"]
        tab.page.mouse.move(x, y)
        tab.page.mouse.click(x, y)
        wanted = [8 * across - 4, 2 - 4 * down]
        tab.page.wait_for_function(
            """(wanted) => { const said = new URLSearchParams(location.search);
              const at = (axis) => said.get(`optimizers.${axis}_ravine`);
              return ["x", "y"].every((axis, i) => Math.abs(at(axis) - wanted[i]) < 0.05); }""",
            arg=wanted,
        )
        tab.settle()


def test_the_bar_leaves_with_the_page(visit):
    tab = visit("optimizers")
    tab.go("softmax")
    assert not [one for one in tab.page.locator(".lab-player").all() if one.is_visible()]


def test_the_loss_of_the_whole_model_plays_and_at_rest_all_pictures_stand_at_its_step(visit):
    tab = visit("model_learns?model_learns.step=12")
    sent = counted(tab)
    length = "document.querySelector('figure').data[0].x.length - 1"
    button, slider, words = bar(tab)
    tab.page.wait_for_function(f"{length} === 12")
    button.click()
    tab.page.wait_for_function(f"{length} > 15")
    assert not sent
    button.click()
    step = int(slider.input_value())
    tab.link_says(model_learns__step=str(step))
    assert words.text_content() == f"step {step}"
    tab.page.wait_for_function(f"{length} === {step}")
    tab.settle()
    assert f"After {step} steps the loss is" in tab.page.locator("[data-testid=stMain]").inner_text()
    assert len(sent) == 1


@pytest.mark.parametrize(("slug", "control", "start", "default"), PLAYED[: None if "STORM" in os.environ else 1])
def test_a_control_plays_by_the_server_and_no_picture_is_lost(visit, slug, control, start, default):
    tab = visit(f"{slug}?{slug}.{control}={start}")
    said = f"Number(new URLSearchParams(location.search).get('{slug}.{control}') ?? {default})"
    drawn = "() => document.querySelector('figure').querySelectorAll('path[d], text').length"
    before = tab.page.evaluate(drawn)
    button, slider, _ = bar(tab)
    button.click()
    tab.page.wait_for_function(f"{said} >= {start + 3}")
    assert tab.page.evaluate(drawn) > before / 2
    button.click()
    tab.settle()
    step = int(slider.input_value())
    tab.page.wait_for_function(f"{said} === {step}")
    slider.press("ArrowRight")
    tab.page.wait_for_function(f"{said} === {step + 1}")
