"""The JSON document of a scored run: its settings, what was counted over, and each source's numbers."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from negaudit.scoring.config import ScoreConfig, settings_hash
from negaudit.scoring.encoded import RunVectors
from negaudit.scoring.intervals import FLOATS, percentile_interval
from negaudit.scoring.lexical import Lexicon
from negaudit.scoring.source_scoring import SourceScorer
from negaudit.text.scripts import SEGMENTING

if TYPE_CHECKING:
    from negaudit.encoding.contract import EncoderContract

SCHEMA = "negaudit.score/1"
DIFFERENCE = "mean_psi"  # the statistic that ranks sources, for which ties are looked for
UNRELIABLE_SHARE = 0.2  # of the queries' letters in a script without spaces, from which alnum tokens are no words
Replicates = Mapping[str, Mapping[str, FLOATS]]


def source_body(scorer: SourceScorer, role: str, replicates: Mapping[str, FLOATS]) -> dict[str, Any]:
    """Return what the summary says of one source: counts, means, buckets, ECI, histograms and intervals."""
    intervals = {statistic: percentile_interval(drawn) for statistic, drawn in replicates.items()}
    return {
        "role": role,
        "records": scorer.records.as_dict(),
        "negatives": scorer.negatives.as_dict(),
        **scorer.description.summary(),
        "intervals": {statistic: list(interval) for statistic, interval in intervals.items() if interval},
    }


def run_summary(
    config: ScoreConfig, contract: EncoderContract | None, words: Lexicon, bodies: Mapping[str, Any], replicates: Replicates
) -> dict[str, Any]:
    """Return the document, without the parts that depend on the texts: `lexical_reliability` and `truncation` are added to it."""
    encoder = contract.as_dict() if contract else None
    settings = {"config": config.as_dict(), "encoder": encoder, "idf": words.fingerprint}
    return {
        "schema": SCHEMA,
        "config": config.as_dict(),
        "config_hash": settings_hash(settings),
        "encoder": encoder,
        "lexical": {
            "tokenizer": config.tokenizer,
            "idf": config.idf,
            "documents": words.documents,
            "fingerprint": words.fingerprint,
        },
        "sources": dict(bodies),
        "differences": {DIFFERENCE: _differences({name: drawn[DIFFERENCE] for name, drawn in replicates.items() if drawn})},
    }


def lexical_reliability(tokenizer: str, share: float) -> dict[str, Any]:
    """Return whether psi can be relied on: not where the queries' script puts no space between words and the tokenizer needs one.

    `share` is that of the queries' letters in such scripts.
    """
    if tokenizer in SEGMENTING or share < UNRELIABLE_SHARE:
        return {"reliable": True, "unsegmented_share": share}
    advice = f"{share:.0%} of the queries' letters are in a script without spaces; use --tokenizer words (or char3)"
    return {"reliable": False, "unsegmented_share": share, "advice": advice}


def truncation(vectors: RunVectors | None) -> dict[str, Any] | None:
    """Return how many distinct texts the encoder cut and how many of their tokens; None without an encoder."""
    if vectors is None:
        return None
    parts = {"queries": vectors.queries.embeddings.truncation(), "passages": vectors.passages.embeddings.truncation()}
    return {kind: {"texts": t.texts, "cut": t.cut, "tokens": t.tokens, "tokens_cut": t.tokens_cut} for kind, t in parts.items()}


def _differences(replicates: Mapping[str, FLOATS]) -> dict[str, dict[str, list[float]]]:
    """Return for each pair of sources the interval of the difference first minus second, paired over shared queries."""
    found: dict[str, dict[str, list[float]]] = {}
    for first, second in itertools.combinations(replicates, 2):
        interval = percentile_interval(replicates[first] - replicates[second])
        if interval is not None:
            found.setdefault(first, {})[second] = list(interval)
    return found
