"""A document that somebody changed by hand is named in one line or does no harm; a report never fails for an inner reason."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import negaudit
from negaudit.errors import NegauditError
from negaudit.reporting.decision import decide
from negaudit.reporting.markdown import report_markdown
from negaudit.reporting.page import report_page
from negaudit.reporting.saved_run import load_run
from tests.documents import OTHERS, put
from tests.reporting.runs import changed, copied

DOCUMENTS = ("summary", "audit", "match", "stability")
Place = tuple[Any, ...]


@pytest.fixture(scope="module")
def whole_run(real_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with every document that a report reads."""
    run = copied(real_run, tmp_path_factory.mktemp("whole") / "run")
    negaudit.write_comparison(negaudit.match(real_run, config=negaudit.MatchConfig(bins=(5, 20), repetitions=3, replicates=20)), run)
    negaudit.write_comparison(negaudit.stability(real_run, config=negaudit.StabilityConfig(repetitions=5)), run)
    return run


def places(body: Any, above: Place = ()) -> Iterator[Place]:
    """Yield where a value stands, of alike ones (sources, checks, points of a curve) only the first."""
    if isinstance(body, dict):
        alike = above and above[-1] in ("sources", "checks", "criterion", "intervals", "scores", "share")
        for key in list(body)[:1] if alike else body:
            yield (*above, key)
            yield from places(body[key], (*above, key))
    elif isinstance(body, list) and body:
        yield (*above, 0)
        yield from places(body[0], (*above, 0))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_whatever_is_changed_no_report_fails_for_an_inner_reason(whole_run: Path, tmp_path: Path, name: str) -> None:
    run, draw = copied(whole_run, tmp_path / "run"), random.Random(7)
    body = json.loads((run / f"{name}.json").read_text(encoding="utf-8"))
    refused = []
    for turn, place in enumerate(places(body)):
        value = draw.choice(OTHERS)
        (run / f"{name}.json").write_text(json.dumps(put(body, place, value)), encoding="utf-8")
        try:
            found = load_run(run)
            decide(found), report_markdown(found)
            if turn % 60 == 0:
                report_page(found)
        except NegauditError as error:
            refused.append(str(error))
        except Exception as error:
            raise AssertionError(f"{name}: {place} changed to {value!r}") from error
    assert not any("\n" in said for said in refused)
    assert len(refused) > 10 or name in ("match", "stability"), "these two are optional, and named in the report instead"


def test_the_line_says_where_what_was_expected_and_what_to_do(real_run: Path, tmp_path: Path) -> None:
    run = copied(real_run, tmp_path / "run")
    changed(run, "summary.json", lambda summary: summary["sources"]["bm25"].update(mean_psi="high"))
    with pytest.raises(NegauditError, match=r"summary.json: .*\(sources.bm25.mean_psi should be a number\).*Run `negaudit score` again"):
        load_run(run)


def test_a_further_document_of_another_shape_is_named_in_its_place(whole_run: Path, tmp_path: Path) -> None:
    run = copied(whole_run, tmp_path / "run")
    changed(run, "match.json", lambda match: match["observed"].update(sources=[]))
    assert "match.json could not be read (observed.sources should be an object)" in report_markdown(load_run(run)).replace("\\", "")
