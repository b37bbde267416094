"""The page in a real browser with the network off: everything drawn, nothing fetched, nothing broken, and usable by everyone."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest

import negaudit
from tests.reporting.conftest import OpenPage
from tests.reporting.runs import widened

LIMIT = 2_500_000  # bytes, for fourteen sources
SECONDS = 10.0
VIEWS = {"desktop": (1280, 900, "light"), "dark": (1280, 900, "dark"), "phone": (390, 844, "light"), "phone-dark": (390, 844, "dark")}


@pytest.fixture(scope="module")
def page_file(wide_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return negaudit.report(wide_run, out=tmp_path_factory.mktemp("page")).html


@pytest.fixture(scope="module")
def screenshots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the screenshots are left: NEGAUDIT_TEST_OUTPUT, else the test run's own folder."""
    stated = os.environ.get("NEGAUDIT_TEST_OUTPUT")
    folder = Path(stated) if stated else tmp_path_factory.mktemp("screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.mark.parametrize("view", VIEWS)
def test_every_chart_is_drawn_offline_and_nothing_overflows(page_file, open_page: OpenPage, screenshots, view):
    width, height, scheme = VIEWS[view]
    page = open_page(page_file, width=width, height=height, scheme=scheme)
    places = page.locator("[data-chart]").count()
    assert places >= 20
    assert page.evaluate("document.documentElement.dataset.charts") == f"{places} of {places}"
    empty = page.evaluate("[...document.querySelectorAll('[data-chart]')].filter((p) => !p.querySelector('svg path, svg rect')).length")
    assert empty == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.screenshot(path=screenshots / f"{view}-first.png")
    page.screenshot(path=screenshots / f"{view}.png", full_page=True)


def test_the_first_screen_says_which_source_how_sure_and_what_is_wrong_with_the_others(page_file, open_page: OpenPage):
    page = open_page(page_file)
    for words in ("Train on", "How sure", "What is wrong with the others"):
        box = page.get_by_text(words, exact=False).first.bounding_box()
        assert box["y"] + box["height"] <= 900, words


def test_sorting_puts_the_rows_in_order_both_ways(page_file, open_page: OpenPage):
    page = open_page(page_file)
    column = "[...document.querySelectorAll('#source-table tbody tr')].map((row) => Number(row.cells[3].dataset.value))"
    button = page.locator("#source-table thead button", has_text="psi")
    button.click()
    falling = page.evaluate(column)
    assert falling == sorted(falling, reverse=True)
    assert page.locator("#source-table th[aria-sort=descending]").count() == 1
    button.click()
    assert page.evaluate(column) == falling[::-1] == sorted(falling)


def test_filters_leave_the_rows_that_match_and_say_how_many(page_file, open_page: OpenPage):
    page = open_page(page_file)
    page.get_by_label("Role").select_option("control")
    shown = page.locator("#source-table tbody tr:visible")
    assert 0 < shown.count() < 14
    assert all(role == "control" for role in shown.evaluate_all("(rows) => rows.map((row) => row.dataset.role)"))
    page.get_by_label("Find").fill("RANDOM")
    assert all("random" in name for name in shown.evaluate_all("(rows) => rows.map((row) => row.dataset.name)"))
    assert page.locator("#shown").inner_text() == f"{shown.count()} of 14 sources"


def test_choosing_a_source_redraws_its_map(page_file, open_page: OpenPage):
    page = open_page(page_file)
    cells = "document.querySelector('[data-chart=density]').innerHTML"
    before = page.evaluate(cells)
    page.locator("#density-source").select_option(index=10)
    page.wait_for_function(f"(before) => {cells} !== before", arg=before, timeout=10_000)


def test_dark_can_be_chosen_and_the_charts_follow(page_file, open_page: OpenPage):
    page = open_page(page_file)
    ink = "getComputedStyle(document.querySelector('[data-chart=profile-psi] svg text')).fill"
    light = page.evaluate(ink)
    page.get_by_role("button", name="Dark").click()
    page.wait_for_selector("html[data-theme=dark][data-charts]")
    assert page.evaluate(ink) != light


def test_matrix_and_examples_are_there_with_sign_value_and_marks(page_file, open_page: OpenPage):
    page = open_page(page_file)
    assert page.locator("#check-matrix tbody tr").count() == 14
    cells = page.locator("#check-matrix td.sev-error")
    assert "✕" in cells.first.inner_text()
    assert "95 % interval" in cells.first.get_attribute("title")
    assert page.locator("#examples article").count() >= 100
    assert page.locator("#examples mark").count() > 0
    assert "all in flags.parquet" in page.locator("#examples summary").first.inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_serious_accessibility_fault(page_file, open_page: OpenPage, scheme):
    axe = os.environ.get("NEGAUDIT_TEST_AXE")
    if not axe:
        pytest.skip("NEGAUDIT_TEST_AXE does not name axe.min.js (bash .ci/browser FOLDER fetches it)")
    page = open_page(page_file, scheme=scheme)
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    page.evaluate(Path(axe).read_text(encoding="utf-8"))
    found: dict[str, Any] = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    serious = [v for v in found["violations"] if v["impact"] in ("serious", "critical")]
    assert [(v["id"], v["help"], [node["html"][:200] for node in v["nodes"]][:3]) for v in serious] == []


def test_fourteen_sources_fit_in_the_limit_and_are_built_in_time(wide_run, tmp_path):
    started = time.process_time()
    made = negaudit.report(wide_run, out=tmp_path)
    assert time.process_time() - started < SECONDS
    assert made.html.stat().st_size < LIMIT


def test_a_hundred_times_the_pairs_make_no_larger_page(real_run, wide_run, tmp_path):
    def hundredfold(found: Any) -> Any:
        if isinstance(found, dict):
            return {key: hundredfold(value) for key, value in found.items()}
        if isinstance(found, list):
            return [hundredfold(value) for value in found]
        return found * 100 if isinstance(found, int) and not isinstance(found, bool) else found

    from tests.reporting.runs import changed

    larger = widened(real_run, tmp_path / "larger", 14)

    def grow(body: dict[str, Any]) -> None:
        for source in body["sources"].values():
            source |= {key: hundredfold(source[key]) for key in ("histograms", "records", "negatives")}

    changed(larger, "summary.json", grow)
    sizes = [negaudit.report(run, out=tmp_path / name).html.stat().st_size for name, run in (("small", wide_run), ("large", larger))]
    assert sizes[1] - sizes[0] < 100_000  # two digits more in some counts, and no more than that
