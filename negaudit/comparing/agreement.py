"""`agreement`: which statistics put the sources in the order in which they transferred."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from negaudit.comparing.comparison import GROW_WITH_K
from negaudit.comparing.correlation import kendall, pearson
from negaudit.comparing.transfer import EVERY, Block, Values, read_statistics, read_transfer
from negaudit.errors import NegauditError
from negaudit.scoring.comparable import check_comparable
from negaudit.scoring.scorer import load_score
from negaudit.scoring.statistics import STATISTICS
from negaudit.scoring.weightings import WEIGHTINGS

SCHEMA = "negaudit.agreement/1"
Direction = Literal["larger", "smaller"]
# Larger is taken as better for these and for every weighting of the residual geometry; of the others both directions are shown.
LARGER = frozenset({"mean_psi", "mean_rho", "mean_eta", *WEIGHTINGS})
# Not a statistic of its own: mean_psi read backwards.
REDUNDANT = frozenset({"mean_coverage"})
THREE_POINTS = "a correlation within a block of three sources rests on three points: it describes, and is no evidence"


def agreement(transfer: Path, *, runs: Mapping[str, Sequence[Path]] | None = None, statistics: Sequence[Path] = ()) -> dict[str, Any]:
    """Return how each statistic agrees with measured transfer, as JSON-ready data (schema negaudit.agreement/1; docs/comparing.md).

    `transfer` is a table backbone, setting, source, dataset, ndcg@10. The statistics come from scored folders by backbone (`runs`) or from
    tables backbone, setting, source, statistic, value (`statistics`), or both. Raises NegauditError for tables that are none, and for runs
    that cannot be compared.
    """
    values = Values()
    negatives = _add_runs(runs or {}, values)
    read_statistics(statistics, values)
    if not values.statistics():
        raise NegauditError("there is no statistic to hold against transfer; give BACKBONE=DIR or --statistics FILE")
    blocks, notes = read_transfer(transfer, {place: f"K={k}" for place, k in negatives.items()})
    rows = []
    for statistic in values.statistics():
        held, left_out = _held(statistic, blocks, values, negatives)
        notes += left_out
        rows += [_row(statistic, direction, held) for direction in _directions(statistic) if held]
    if not rows:
        raise NegauditError(f"{transfer}: no block's sources all have a statistic; are backbones and sources named alike in both?")
    if any(len(block.transfer) == 3 for block in blocks):
        notes.append(THREE_POINTS)
    return {"schema": SCHEMA, "blocks": [_block_body(block) for block in blocks], "rows": rows, "notes": list(dict.fromkeys(notes))}


def _add_runs(runs: Mapping[str, Sequence[Path]], values: Values) -> dict[tuple[str, str], int]:
    """Add every statistic of the scored folders to `values`; return K by (backbone, source)."""
    summaries = {backbone: {str(folder): load_score(folder).summary for folder in folders} for backbone, folders in runs.items()}
    for of_backbone in summaries.values():
        check_comparable(of_backbone)
    check_comparable({backbone: next(iter(s.values())) for backbone, s in summaries.items()}, same_encoder=False)
    negatives = {}
    for backbone, of_backbone in summaries.items():
        for summary in of_backbone.values():
            for source, body in summary["sources"].items():
                negatives[backbone, source] = round(body["negatives"]["scored"] / body["records"]["scored"])
                for statistic, value in _statistics(body):
                    values.add(statistic, backbone, EVERY, source, value)
    return negatives


def _statistics(body: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    yield from ((s.name, body[s.name]) for s in STATISTICS if s.name in body and s.name not in REDUNDANT)
    for weighting, volume in body.get("eci", {}).items():
        yield from ((f"eci.{weighting}.{part}", volume[part]) for part in ("logdet", "trace"))


def _directions(statistic: str) -> tuple[Direction, ...]:
    return ("larger",) if statistic in LARGER or statistic.startswith("eci.") else ("larger", "smaller")


def _held(
    statistic: str, blocks: Sequence[Block], values: Values, negatives: Mapping[tuple[str, str], int]
) -> tuple[list[tuple[Block, dict[str, float]]], list[str]]:
    """Return the blocks that the statistic can be held against with its values, and notes on those that it cannot."""
    held, notes = [], []
    for block in blocks:
        found = values.of(statistic, block)
        sizes = {negatives.get((block.backbone, source)) for source in block.transfer}
        if len(found) < len(block.transfer):
            missing = ", ".join(source for source in block.transfer if source not in found)
            notes.append(f"{statistic}: no value for {missing} ({block.backbone}, {block.setting}), so that block does not count")
        elif statistic in GROW_WITH_K and len(sizes) > 1:
            notes.append(
                f"{statistic} grows with negatives per record, which differ in {block.backbone}, {block.setting}: that block does not count"
            )
        else:
            held.append((block, found))
    return held, notes


def _row(statistic: str, direction: Direction, held: Sequence[tuple[Block, dict[str, float]]]) -> dict[str, Any]:
    per_block = [_in_block(block, found, direction) for block, found in held]
    settings = {
        setting: _summed([b for b in per_block if b["setting"] == setting]) for setting in dict.fromkeys(b["setting"] for b in per_block)
    }
    return {"statistic": statistic, "direction": direction, **_summed(per_block), "settings": settings, "per_block": per_block}


def _in_block(block: Block, found: Mapping[str, float], direction: Direction) -> dict[str, Any]:
    """Return what the statistic recovers of one block; sources of equal transfer have no order to recover."""
    sign = 1 if direction == "larger" else -1
    pairs = [(a, b) for a, b in itertools.combinations(block.transfer, 2) if block.transfer[a] != block.transfer[b]]
    right = sum(sign * (found[a] - found[b]) * (block.transfer[a] - block.transfer[b]) > 0 for a, b in pairs)
    x, y = [found[source] for source in block.transfer], list(block.transfer.values())
    return {
        "backbone": block.backbone,
        "setting": block.setting,
        "sources": len(block.transfer),
        "recovered": bool(pairs) and right == len(pairs),
        "pairs": len(pairs),
        "pairs_recovered": right,
        "pearson": pearson(x, y),
        "kendall": kendall(x, y),
    }


def _summed(per_block: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the counts over blocks and the plain means of their correlations; None where a block has none."""
    counts = {"blocks": len(per_block)} | {key: sum(int(b[key]) for b in per_block) for key in ("recovered", "pairs", "pairs_recovered")}
    return counts | {key: _mean([b[key] for b in per_block]) for key in ("pearson", "kendall")}


def _mean(values: Sequence[float | None]) -> float | None:
    there = [value for value in values if value is not None]
    return math.fsum(there) / len(there) if there and len(there) == len(values) else None


def _block_body(block: Block) -> dict[str, Any]:
    named = {"backbone": block.backbone, "setting": block.setting, "datasets": block.datasets}
    return {**named, "transfer": block.transfer, "order": block.order}
