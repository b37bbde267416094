"""The risk of a false negative, measured on positives that were hidden: does it find them, and does it mean what it says?"""

from __future__ import annotations

from pathlib import Path

import pytest

from negaudit.auditing.checks.pool import pool_of
from negaudit.auditing.checks.risk_calibration import Calibration, calibrated, hidden_candidates
from negaudit.data.dataset import open_collection
from negaudit.encoding.encoder import FrozenEncoder
from tests.auditing.checks.conftest import by_hand, outcomes_of

# On held-out queries: the least AUC, and the largest mean gap between the risk and the share of hidden positives.
BARS = {"stackfaq": (0.97, 0.05), "msmarco_dl19": (0.68, 0.12)}


def calibration(folder: Path, encoder: FrozenEncoder) -> Calibration | None:
    collection = open_collection(folder)
    found = hidden_candidates(collection, pool_of(collection, [], 10_000, 42, encoder), encoder, 42)
    return calibrated(found) if found is not None else None


@pytest.mark.acceptance
@pytest.mark.parametrize("name", BARS)
def test_hidden_positives_are_at_risk(name: str, shared_data: Path, packaged_encoder: FrozenEncoder) -> None:
    found = calibration(shared_data / name, packaged_encoder)
    assert found is not None
    print(f"\n{name}: { ({key: round(value, 3) for key, value in found.report.items()}) }")  # noqa: T201
    least, gap = BARS[name]
    assert found.report["auc"] >= least
    assert found.report["calibration_error"] <= gap
    assert found.report["precision"] > found.report["base_rate"]


@pytest.mark.acceptance
def test_one_positive_a_query_calibrates_nothing(shared_data: Path, packaged_encoder: FrozenEncoder) -> None:
    assert calibration(shared_data / "xquad_en", packaged_encoder) is None


def test_without_labels_it_is_a_margin_it_says_so_and_stays_at_info(packaged_encoder: FrozenEncoder) -> None:
    rows = [(f"how long do cats sleep {i}", ["Dogs bark at strangers."], [f"A cat sleeps {i} hours a day."]) for i in range(12)]
    summary = outcomes_of(by_hand(*rows), encoder=packaged_encoder)["false_negative_risk"].summary
    assert (summary["value"], summary["severity"], summary["details"]) == (1.0, "info", {"calibrated": False})
    assert "not calibrated" in summary["reason"]
