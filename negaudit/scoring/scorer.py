"""`score`: measure negative sources without training."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from negaudit.data.atomic import write_json
from negaudit.data.manifest import read_manifest
from negaudit.data.names import name_batches
from negaudit.data.source import BATCH, NegativeSource
from negaudit.errors import NegauditError
from negaudit.scoring.config import ScoreConfig
from negaudit.scoring.encoded import run_vectors
from negaudit.scoring.gates import ZERO_RESIDUAL
from negaudit.scoring.indexing import VALID, Indexer, RunIndex, query_keys
from negaudit.scoring.lexical import PairCoverage, lexicon
from negaudit.scoring.run_sources import Sources, named_sources
from negaudit.scoring.sampling import sampled
from negaudit.scoring.source_scoring import Scoring, SourceScorer, record_counts
from negaudit.scoring.summary import SCHEMA, lexical_reliability, run_summary, source_body, truncation
from negaudit.text.tokenizers import get_tokenizer

if TYPE_CHECKING:
    from negaudit.encoding.encoder import FrozenEncoder

MANIFEST = "summary.json"
PAIRS = "negatives.parquet"
COMMAND = "negaudit score"
Report = Callable[[str, int, int], None]
Rows = npt.NDArray[np.int64]


@dataclass(frozen=True)
class ScoreResult:
    """A scored run: `summary` is the JSON document of the run, `folder` where the per-pair files are (None: not written)."""

    summary: dict[str, Any]
    folder: Path | None

    @property
    def sources(self) -> dict[str, dict[str, Any]]:
        """The statistics of each source by name."""
        return dict(self.summary["sources"])


def score(
    sources: Sources,
    *,
    encoder: FrozenEncoder | None = None,
    config: ScoreConfig | None = None,
    out: Path | None = None,
    chunk: int = BATCH,
    report: Report | None = None,
) -> ScoreResult:
    """Score `sources` together and return their statistics; with `out`, write the per-pair files, idf.parquet and summary.json there.

    Without an `encoder` only the lexical statistics are there. `chunk` records are held at a time and change no number;
    `report` gets (what, done, total). Raises NegauditError for sources that are missing, empty, or have no valid record.
    """
    config = config or ScoreConfig()
    report = report or _silent
    named = named_sources(sources)
    index = _indexed(named, Indexer(get_tokenizer(config.tokenizer)), report)
    rows = {name: _sampled_rows(source, index, config) for name, source in named.items()}
    words = lexicon(index, {name for name, source in named.items() if source.role == "control"}, config.idf, config.tokenizer)
    vectors = run_vectors(named, index, rows, encoder, report) if encoder else None
    bodies, replicates = {}, {}
    for name, source in named.items():
        scoring = Scoring(PairCoverage(index, words.table(name)), config.tau, vectors, _zero_residual(encoder))
        scorer = SourceScorer(source, index.sources[name], rows[name], scoring, chunk)
        _run(scorer, out / name / PAIRS if out else None, partial(report, f"scoring {name}"), source.num_records)
        replicates[name] = scorer.description.replicates(config.replicates, config.seed)
        bodies[name] = source_body(scorer, source.role, replicates[name])
    summary = run_summary(config, encoder.contract if encoder else None, words, bodies, replicates)
    summary["lexical"] |= lexical_reliability(config.tokenizer, index.unsegmented_share)
    summary["truncation"] = truncation(vectors)
    if out is not None:
        words.save(out)
        write_json(out / MANIFEST, summary)
    return ScoreResult(summary, out)


def load_score(folder: Path) -> ScoreResult:
    """Return the scored run that was written to `folder`; raises NegauditError where there is none or it is of another schema."""
    return ScoreResult(read_manifest(folder / MANIFEST, SCHEMA, COMMAND), folder)


def _silent(*_: object) -> None:
    pass


def _indexed(named: Mapping[str, NegativeSource], indexer: Indexer, report: Report) -> RunIndex:
    for name, source in named.items():
        indexer.add(source, partial(report, f"reading {name}"))
    return indexer.result()


def _sampled_rows(source: NegativeSource, index: RunIndex, config: ScoreConfig) -> Rows:
    """Return the rows to score; raises NegauditError where no record of the source is valid."""
    state = index.sources[source.name].state
    valid = state == VALID
    if not valid.any():
        reasons = ", ".join(f"{reason} {count}" for reason, count in record_counts(state).items())
        raise NegauditError(f"source '{source.name}': none of its {len(state)} records can be scored ({reasons})")
    if config.sample is None or int(valid.sum()) <= config.sample:
        return np.flatnonzero(valid)
    ranks = np.concatenate([query_keys(batch["query_id"].to_pylist(), config.seed) for batch in name_batches(source, BATCH)])
    return sampled(ranks, valid, config.sample)


def _zero_residual(encoder: FrozenEncoder | None) -> float:
    return ZERO_RESIDUAL[encoder.contract.dtype if encoder else "fp32"]


def _run(scorer: SourceScorer, path: Path | None, report: Callable[[int, int], None], total: int) -> None:
    for done in scorer.run(path):
        report(done, total)
