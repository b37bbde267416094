"""`sensitivity`: what psi and the composite do when the tokenizer, the idf corpus or tau changes, one factor at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from negaudit.data.atomic import write_json
from negaudit.data.source import BATCH, NegativeSource
from negaudit.scoring.config import ScoreConfig, settings_hash
from negaudit.scoring.encoded import Report, Rows, RunVectors, run_vectors
from negaudit.scoring.gates import ZERO_RESIDUAL
from negaudit.scoring.indexing import RunIndex, indexed
from negaudit.scoring.lexical import PairCoverage, lexicon
from negaudit.scoring.run_sources import Sources, named_sources
from negaudit.scoring.sampling import rows_to_score
from negaudit.scoring.source_scoring import Scoring, SourceScorer
from negaudit.scoring.weightings import WEIGHTINGS

if TYPE_CHECKING:
    from negaudit.encoding.encoder import FrozenEncoder

SCHEMA = "negaudit.sensitivity/1"
FILE = "sensitivity.json"
SAMPLE = 5_000
# The paper's variants (appendix C.2 and C.3).
TOKENIZERS = ("alnum", "alnum2", "whitespace", "char3")
IDFS = ("pooled", "source", "pooled+query", "uniform")
TAUS = (0.03, 0.05, 0.1)
_COMPOSITE = {"composite": WEIGHTINGS["composite"]}


@dataclass(frozen=True, slots=True)
class Variants:
    """The values that each factor is set to in turn, the others staying at the base."""

    tokenizers: Sequence[str] = TOKENIZERS
    idfs: Sequence[str] = IDFS
    taus: Sequence[float] = TAUS

    def of(self, base: ScoreConfig, *, encoded: bool) -> Iterator[tuple[str, str, ScoreConfig]]:
        """Yield (factor, value, settings), same tokenizers next to each other; tau only with an encoder, without which nothing knows it."""
        yield from (("idf", idf, replace(base, idf=idf)) for idf in self.idfs if idf != base.idf)
        if encoded:
            yield from (("tau", f"{tau:g}", replace(base, tau=tau)) for tau in self.taus if tau != base.tau)
        yield from (("tokenizer", name, replace(base, tokenizer=name)) for name in self.tokenizers if name != base.tokenizer)


def sensitivity(
    sources: Sources,
    *,
    encoder: FrozenEncoder | None = None,
    config: ScoreConfig | None = None,
    variants: Variants | None = None,
    out: Path | None = None,
    report: Report | None = None,
) -> dict[str, Any]:
    """Score `sources` under `config` (5,000 records each by default) and under each variant; return what changes, as JSON-ready data.

    Every source has its psi (and, with an encoder, its composite log-det) at the base and the range over each factor's values; `order`
    says how the sources rank by either, and which values rank them otherwise. Each text is encoded once for all of it. With `out`,
    sensitivity.json is written there. Raises NegauditError as `score` does.
    """
    config, report = config or ScoreConfig(sample=SAMPLE), report or (lambda *_: None)
    run = _Run(named_sources(sources), encoder, report)
    base = run.values(config)
    rows = [
        {"factor": factor, "value": value, "sources": run.values(settings)}
        for factor, value, settings in (variants or Variants()).of(config, encoded=encoder is not None)
    ]
    body: dict[str, Any] = {
        "schema": SCHEMA,
        "config": config.as_dict(),
        "encoder": encoder.contract.as_dict() if encoder else None,
        "base": {"tokenizer": config.tokenizer, "idf": config.idf, "tau": config.tau},
        "sources": {name: _ranges(name, base, rows) for name in base},
        "order": {statistic: _orders(statistic, base, rows) for statistic in next(iter(base.values())) if statistic != "records"},
        "variants": rows,
    }
    body["config_hash"] = settings_hash({key: body[key] for key in ("config", "encoder")})
    if out is not None:
        write_json(out / FILE, body)
    return body


@dataclass(frozen=True)
class _Read:
    """What one tokenizer makes of the sources: the index, the rows to score and their vectors."""

    tokenizer: str
    index: RunIndex
    rows: Rows
    vectors: RunVectors | None


class _Run:
    """The sources of a run, read again where the tokenizer changes; the encoder's cache keeps each text from being encoded twice."""

    def __init__(self, sources: Mapping[str, NegativeSource], encoder: FrozenEncoder | None, report: Report) -> None:
        self._sources, self._encoder, self._report = sources, encoder, report
        self._read: _Read | None = None

    def values(self, config: ScoreConfig) -> dict[str, dict[str, float | int]]:
        """Return for each source its statistics under `config`."""
        read = self._with_tokenizer(config)
        controls = {name for name, source in self._sources.items() if source.role == "control"}
        words = lexicon(read.index, controls, config.idf, config.tokenizer)
        zero = ZERO_RESIDUAL[self._encoder.contract.dtype if self._encoder else "fp32"]
        found = {}
        for name, source in self._sources.items():
            scoring = Scoring(PairCoverage(read.index, words.table(name)), config.tau, read.vectors, zero, _COMPOSITE)
            scorer = SourceScorer(source, read.index.sources[name], read.rows[name], scoring, BATCH)
            label = f"{name} by {config.tokenizer}, {config.idf}, {config.tau:g}"
            for done in scorer.run(None):
                self._report(label, done, source.num_records)
            found[name] = _statistics(scorer)
        return found

    def _with_tokenizer(self, config: ScoreConfig) -> _Read:
        if self._read is None or self._read.tokenizer != config.tokenizer:
            self._read = None  # so that two never are in memory
            index = indexed(self._sources, config.tokenizer, self._report)
            rows = {name: rows_to_score(source, index.sources[name], config) for name, source in self._sources.items()}
            vectors = run_vectors(self._sources, index, rows, self._encoder, self._report) if self._encoder else None
            self._read = _Read(config.tokenizer, index, rows, vectors)
        return self._read


def _statistics(scorer: SourceScorer) -> dict[str, float | int]:
    summary = scorer.description.summary()
    found = {"records": scorer.records.scored, "mean_psi": summary["mean_psi"]}
    return found | ({"composite": summary["eci"]["composite"]["logdet"]} if "eci" in summary else {})


def _ranges(name: str, base: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return for each statistic of the source its base value and its range over each factor, the base included."""
    ranges: dict[str, Any] = {"records": base[name]["records"]}
    for statistic in (key for key in base[name] if key != "records"):
        values: dict[str, list[float]] = {}
        for row in rows:
            values.setdefault(row["factor"], [base[name][statistic]]).append(row["sources"][name][statistic])
        ranges[statistic] = {"base": base[name][statistic], **{factor: [min(v), max(v)] for factor, v in values.items()}}
    return ranges


def _orders(statistic: str, base: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return how the sources rank at the base, highest first, and the values under which they rank otherwise."""

    def order(sources: Mapping[str, Any]) -> list[str]:
        return sorted(sources, key=lambda name: (-sources[name][statistic], name))

    first = order(base)
    changes = [{"factor": r["factor"], "value": r["value"], "order": order(r["sources"])} for r in rows if order(r["sources"]) != first]
    return {"base": first, "compared": len(rows), "changes": changes}
