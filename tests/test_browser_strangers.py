"""In a real Chromium: words that would be links, pictures or HTML stay words, and a page that is left says nothing."""

from urllib.parse import quote

WORDS = ["www.evil.example", "http://a.b", "<i>x</i>", '"cat"', "&copy;", "a@b.co"]
FOREIGN = """() => [...document.querySelectorAll("[data-testid=stMain] :is(a, img)")]
  .filter((one) => one.tagName === "IMG" || new URL(one.href).host !== location.host).map((one) => one.outerHTML)"""


def test_no_link_of_a_stranger_can_be_clicked(visit):
    for link in (
        f"dropout?dropout.target={quote('www.evil.example log in')}&{quote('www.evil.example now')}=1",
        f"bpe_against_wordpiece?bpe_against_wordpiece.table={quote('www.evil.example 1 2 3')}",
        f"attention_matrix?attention_matrix.key=a@b.co&attention_matrix.tokens={quote(' '.join(WORDS))}",
    ):
        page = visit(link).page
        assert page.get_by_test_id("stAlert").count()
        assert page.evaluate(FOREIGN) == []


def test_words_stand_in_charts_and_tables_as_they_were_typed(visit):
    tab = visit(f"attention_matrix?attention_matrix.tokens={quote(' '.join(WORDS))}")
    chart = tab.page.locator("figure").first
    drawn = chart.locator(".ytick text").all_text_contents()
    assert [name.strip() for name in drawn[:6]] == WORDS
    chart.get_by_role("button", name="The numbers as a table").press("Enter")
    rows = tab.page.get_by_role("dialog").get_by_role("table").first.get_by_role("row").all()
    assert [row.locator("th").first.text_content() for row in rows[1:7]] == WORDS
    tab.page.keyboard.press("Escape")


def test_a_page_that_is_left_during_a_run_says_nothing(visit):
    tab = visit("attention_matrix")
    tab.page.evaluate("""async () => {
      const figure = document.querySelector("figure"), place = figure.parentElement;
      const drawn = figure.chart.redraw();
      figure.remove();
      await drawn;
      place.prepend(figure);
    }""")
    tab.healthy()
