"""What everything that reads a scored run relies on in its summary.json."""

from __future__ import annotations

from negaudit.data.shape import COUNT, NUMBER, PAIR, TEXT, TRUTH, Shape

ROLES = ("genuine", "candidate", "control")
ROLE = frozenset(ROLES)
_COUNTS: Shape = {"read": COUNT, "valid": COUNT, "scored": COUNT, "rejected": {"*": COUNT}}
_CUT: Shape = {"texts": COUNT, "cut": COUNT, "tokens": COUNT, "tokens_cut": COUNT}
_SOURCE: Shape = {
    "role": ROLE,
    "records": _COUNTS,
    "negatives": _COUNTS,
    "mean_psi": NUMBER,
    "mean_rho?": (NUMBER, None),
    "mean_eta?": (NUMBER, None),
    "inversion_rate?": (NUMBER, None),
    "intervals": {"*": (PAIR, None)},
    "buckets?": {"*": NUMBER},
    "eci?": {"*": {"logdet": NUMBER, "trace": NUMBER, "lambda_max": NUMBER}},
}
SUMMARY: Shape = {
    "config": {"tokenizer": TEXT, "idf": TEXT, "tau": NUMBER, "sample": (COUNT, None), "replicates": COUNT, "seed": COUNT},
    "config_hash": TEXT,
    "lexical": {"tokenizer": TEXT, "idf": TEXT, "documents": COUNT, "fingerprint": TEXT, "reliable": TRUTH, "advice?": TEXT},
    "encoder": ({"model": TEXT, "max_length": (COUNT, None)}, None),
    "sources": {"*": _SOURCE},
    "differences?": {"*": {"*": {"*": PAIR}}},
    "truncation?": ({"*": _CUT}, None),
}
