"""`report`: the review of a saved run as files, or what changed between two, made from their files alone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from negaudit.data.atomic import write_text
from negaudit.reporting.changes import Changes, changes
from negaudit.reporting.decision import Decision, decide
from negaudit.reporting.page import report_page
from negaudit.reporting.saved_run import SavedRun, load_run

HTML, MARKDOWN = "report.html", "report.md"
CHANGES_HTML, CHANGES_MARKDOWN = "changes.html", "changes.md"


@dataclass(frozen=True)
class Report:
    """What was written, the decision that it opens with, and the run that it was made from."""

    html: Path
    markdown: Path
    decision: Decision
    run: SavedRun


@dataclass(frozen=True)
class ChangesReport:
    """What was written of two runs, and what changed from the one to the other."""

    html: Path
    markdown: Path
    changes: Changes


def report(folder: Path | str, *, out: Path | None = None) -> Report:
    """Write report.html and report.md of the run in `folder` into `out` (left out: beside the run), and return where they are.

    Reads what `score`, `audit` and the commands after them saved, and nothing else. Raises NegauditError where no finished run is in
    `folder`, or nothing can be written.
    """
    from negaudit.reporting.markdown import report_markdown

    run = load_run(Path(folder))
    place = Path(folder) if out is None else Path(out)
    page, text = report_page(run), report_markdown(run)
    write_text(place / HTML, page)
    write_text(place / MARKDOWN, text)
    return Report(place / HTML, place / MARKDOWN, decide(run), run)


def report_changes(before: Path | str, after: Path | str, *, out: Path | None = None) -> ChangesReport:
    """Write changes.html and changes.md, what changed from the run in `before` to the run in `after`, into `out` (left out: `after`).

    Raises NegauditError where one of them is no finished run, or where they were not measured alike: each setting in which they differ
    is named.
    """
    from negaudit.reporting.markdown import changes_markdown
    from negaudit.reporting.page import changes_page

    found = changes(load_run(Path(before)), load_run(Path(after)))
    place = Path(after) if out is None else Path(out)
    write_text(place / CHANGES_HTML, changes_page(found))
    write_text(place / CHANGES_MARKDOWN, changes_markdown(found))
    return ChangesReport(place / CHANGES_HTML, place / CHANGES_MARKDOWN, found)
