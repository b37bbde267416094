"""`score`: measure negative sources without training."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from negaudit.data.atomic import write_json
from negaudit.data.manifest import read_manifest
from negaudit.data.source import BATCH, NegativeSource
from negaudit.data.summary_shape import SUMMARY
from negaudit.errors import NegauditError
from negaudit.scoring.checkpoints import Checkpoints, ScoredSource
from negaudit.scoring.config import ScoreConfig
from negaudit.scoring.encoded import run_vectors
from negaudit.scoring.gates import ZERO_RESIDUAL
from negaudit.scoring.indexing import indexed
from negaudit.scoring.lexical import PairCoverage, lexicon
from negaudit.scoring.run_sources import Sources, named_sources
from negaudit.scoring.sampling import rows_to_score
from negaudit.scoring.scale_sweep import scale_sweep
from negaudit.scoring.source_scoring import Scoring, SourceScorer
from negaudit.scoring.summary import SCHEMA, lexical_reliability, run_settings, run_summary, source_body, truncation

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
    `report` gets (what, done, total). A run with `out` that was killed takes over the sources it had finished, where settings and
    inputs are the same, and ends with the same bytes. Raises NegauditError for sources that are missing, empty, or have no valid record.
    """
    config = config or ScoreConfig()
    report = report or _silent
    named = named_sources(sources)
    index = indexed(named, config.tokenizer, report)
    rows = {name: rows_to_score(source, index.sources[name], config) for name, source in named.items()}
    words = lexicon(index, {name for name, source in named.items() if source.role == "control"}, config.idf, config.tokenizer)
    vectors = run_vectors(named, index, rows, encoder, report) if encoder else None
    contract = encoder.contract if encoder else None
    if out is not None:
        (out / MANIFEST).unlink(missing_ok=True)  # a run that is killed from here on must not look finished
    checkpoints = Checkpoints(out, run_settings(config, contract, words), index)
    scored = {}
    for name, source in named.items():
        pairs = out / name / PAIRS if out else None
        found = checkpoints.find(source, pairs)
        if found is None:
            zero = ZERO_RESIDUAL[contract.dtype if contract else "fp32"]
            scoring = Scoring(PairCoverage(index, words.table(name)), config.tau, vectors, zero)
            scorer = SourceScorer(source, index.sources[name], rows[name], scoring, chunk)
            found = _scored(scorer, pairs, source, config, partial(report, f"scoring {name}"))
            if len(named) > 1:  # of a single source there is nothing to go on from
                checkpoints.keep(source, pairs, found)
        scored[name] = found
    summary = run_summary(
        config, contract, words, {n: part.body for n, part in scored.items()}, {n: part.replicates for n, part in scored.items()}
    )
    summary["lexical"] |= lexical_reliability(config.tokenizer, index.unsegmented_share)
    summary["scale_sweep"] = scale_sweep({name: part.volumes for name, part in scored.items()})
    summary["truncation"] = truncation(vectors)
    if out is not None:
        words.save(out)
        write_json(out / MANIFEST, summary)
        checkpoints.clear()
    return ScoreResult(summary, out)


def load_score(folder: Path) -> ScoreResult:
    """Return the scored run that was written to `folder`; raises NegauditError where there is none or it is not as `score` writes it."""
    summary = read_manifest(folder / MANIFEST, SCHEMA, COMMAND, SUMMARY)
    if len({frozenset(source.get("eci", ())) for source in summary["sources"].values()}) > 1:
        raise NegauditError(f"{folder / MANIFEST}: its sources do not have the same weightings under eci; run `{COMMAND}` again")
    return ScoreResult(summary, folder)


def _silent(*_: object) -> None:
    pass


def _scored(
    scorer: SourceScorer, pairs: Path | None, source: NegativeSource, config: ScoreConfig, report: Callable[[int, int], None]
) -> ScoredSource:
    for done in scorer.run(pairs):
        report(done, source.num_records)
    replicates = scorer.description.replicates(config.replicates, config.seed)
    return ScoredSource(source_body(scorer, source.role, replicates), replicates, scorer.description.volumes())
