"""Whatever stands in passages, names and reasons comes out as text: in the page, in its data, in Markdown."""

from __future__ import annotations

import json
import re

import pytest

import negaudit
from negaudit.reporting.examples import marked
from negaudit.reporting.markdown import escaped
from negaudit.reporting.page import inside_script
from tests.reporting.conftest import OpenPage
from tests.reporting.runs import NASTY, widened


@pytest.fixture(scope="module")
def nasty(real_run, tmp_path_factory):
    return negaudit.report(widened(real_run, tmp_path_factory.mktemp("nasty") / "run", 14, nasty=True))


def test_nothing_from_the_files_becomes_markup(nasty):
    page = nasty.html.read_text(encoding="utf-8")
    for text in ("<script>window.hacked", "<img src=x", "<!-- <a"):
        assert text not in page
    assert "&lt;script&gt;window.hacked = 1&lt;/script&gt;" in page
    # Two scripts of ours and one block of data; every other occurrence is text.
    assert len(re.findall(r"<script[ >]", page)) == 3
    assert page.count("</script>") == 3


@pytest.mark.acceptance
def test_a_browser_runs_none_of_it_and_shows_it_as_it_was(nasty, open_page: OpenPage):
    page = open_page(nasty.html)
    assert page.evaluate("window.hacked") is None
    assert page.locator("main img, main script").count() == 0
    assert page.locator("main a").count() == 0
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    shown = page.locator("#examples").inner_text()
    for text in NASTY:
        assert " ".join(text.split()) in " ".join(shown.split()), text


@pytest.mark.acceptance
def test_a_script_that_gets_into_the_page_after_all_is_not_run(nasty, tmp_path, browser):
    """The policy is a second wall: even markup that was not escaped does nothing and fetches nothing."""
    page_file = tmp_path / "broken.html"
    text = nasty.html.read_text(encoding="utf-8")
    planted = "<main><script>window.hacked=1</script><img src='https://example.org/x.png'>"
    page_file.write_text(text.replace("<main>", planted, 1), encoding="utf-8")
    page = browser.new_page()
    refused: dict[str, str] = {}
    page.on("requestfailed", lambda request: refused.update({request.url: request.failure}))
    page.goto(page_file.as_uri())
    page.wait_for_selector("html[data-charts]", timeout=60_000)
    assert page.evaluate("window.hacked") is None
    assert refused == {"https://example.org/x.png": "csp"}
    page.close()


@pytest.mark.parametrize("text", NASTY)
def test_data_in_the_page_cannot_end_its_element_and_comes_back_the_same(text):
    inside = inside_script({"a": text})
    assert not set("<>&\u2028\u2029") & set(inside)
    assert json.loads(inside) == {"a": text}


@pytest.mark.parametrize("text", NASTY)
def test_markdown_reads_it_as_text(text):
    import markdown

    html = markdown.markdown(f"| a |\n| --- |\n| {escaped(text)} |", extensions=["tables"])
    tags = set(re.findall(r"<\s*/?\s*([a-zA-Z]+)", html))
    assert tags <= {"table", "thead", "tbody", "tr", "th", "td"}, html
    assert html.count("<td") == 1


def test_marks_cover_their_spans_and_lose_no_letter():
    text = "cats sleep all day"
    pieces = marked(text, [(5, 10), (0, 4), (8, 12), (90, 99), (7, 3)])
    assert "".join(piece for piece, _ in pieces) == text
    assert [piece for piece, covered in pieces if covered] == ["cats", "sleep", " a"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("about other data.", "about other data."),
        ("www or http alone", "www or http alone"),
        ("see https://a.b", "see h&#8203;ttps://a.b"),
        ("www.a.b", "w&#8203;ww.a.b"),
        ("data:text/html", "d&#8203;ata:text/html"),
    ],
)
def test_only_what_could_start_a_link_is_broken_and_the_reference_is_whole(text, shown):
    assert escaped(text) == shown
