"""Home in Chromium: its picture follows the hand, a card is one link, and a lab's words are told."""


def test_the_picture_follows_a_drag_and_a_card_opens_its_lab_wherever_it_is_clicked(visit):
    tab = visit("", color_scheme="light")
    page = tab.page
    page.evaluate("window.here = document.querySelector('figure')")
    chart = page.locator("figure .main-svg").first
    assert "After “the cat sat on the” the model's next word is “mat”" in chart.get_attribute("aria-label")
    assert page.evaluate("document.querySelector('figure').getBoundingClientRect().bottom") < 720

    x, y, width = tab.thumb("Words read")

    def drag():
        page.mouse.move(x, y)
        page.mouse.down()
        for step in range(1, 9):
            page.mouse.move(x - step * width / 13, y)
            page.wait_for_timeout(60)
        tab.says("cat")
        page.mouse.up()

    assert tab.count(drag), "nothing changed while it was dragged"
    tab.settle()
    tab.link_says(home__read="2")
    said = "document.querySelector('figure .main-svg').getAttribute('aria-label')"
    page.wait_for_function(f"{said}.startsWith('After “the cat” the model')")
    assert page.evaluate("window.here === document.querySelector('figure')"), "another picture came in its place"
    tab.once()

    card = page.locator("a[data-lab=softmax]")
    card.scroll_into_view_if_needed()
    box = card.bounding_box()
    page.mouse.click(box["x"] + box["width"] - 4, box["y"] + box["height"] - 4)
    tab.arrive()
    assert page.evaluate("Boolean(window.here)"), "the page was loaded again"
    assert (
        page.locator("[data-testid=stTopNav] > :nth-child(3) button").evaluate(
            "(place) => getComputedStyle(place).fontWeight"
        )
        == "600"
    ), "the menu marks the section of the lab"

    assert page.evaluate("CSS.highlights.get('lab-words').size") > 0
    word = page.locator(".lab-word", has_text="logit").first
    word.focus()
    assert word.locator("span").is_visible(), "a word tells what it means with the focus"
