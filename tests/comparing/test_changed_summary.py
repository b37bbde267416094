"""A summary.json that somebody changed is refused in one line by whatever compares scores, or does no harm."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import negaudit
from tests.documents import OTHERS, put
from tests.encoders import embedding_cache, minilm_l3, minilm_l3_path  # noqa: F401 - fixtures


@pytest.fixture(scope="module")
def scored(shared_data: Path, minilm_l3: negaudit.FrozenEncoder, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: F811
    out = tmp_path_factory.mktemp("scored")
    collection = negaudit.open_collection(shared_data / "xquad_en")
    few = [negaudit.mine_bm25(collection, k=2, tokenizer=name, name=name.replace("3", "")) for name in ("alnum", "char3")]
    negaudit.score(few, encoder=minilm_l3, config=negaudit.ScoreConfig(sample=60, replicates=20), out=out)
    return out


def places(body: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield where a value stands, of many alike ones only the first."""
    if isinstance(body, dict):
        alike = above and above[-1] in ("intervals", "histograms", "groups", "buckets", "scale_sweep")
        for key in list(body)[:1] if alike else body:
            yield (*above, key)
            yield from places(body[key], (*above, key))
    elif isinstance(body, list) and body:
        yield (*above, 0)


def test_whatever_is_changed_no_command_fails_for_an_inner_reason(scored: Path) -> None:
    draw, path, refused = random.Random(3), scored / "summary.json", 0
    body = json.loads(path.read_text(encoding="utf-8"))
    commands = {
        "compare": lambda: negaudit.compare(scored, replicates=2),
        "stability": lambda: negaudit.stability(scored, config=negaudit.StabilityConfig(repetitions=1)),
        "criterion": lambda: negaudit.criterion({"run": negaudit.load_score(scored).summary}, genuine=["alnum"], controls=["char"]),
    }
    for place in places(body):
        value = draw.choice(OTHERS)
        path.write_text(json.dumps(put(body, place, value)), encoding="utf-8")
        for name, command in commands.items():
            try:
                command()
            except negaudit.NegauditError as error:
                refused += len(str(error).splitlines()) == 1
            except Exception as error:
                raise AssertionError(f"{name}: {place} changed to {value!r}") from error
    path.write_text(json.dumps(body), encoding="utf-8")
    assert refused > 100
