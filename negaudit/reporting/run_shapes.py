"""What a report relies on in the documents beside a run's summary; what it does not read may be anything."""

from __future__ import annotations

from collections.abc import Mapping

from negaudit.data.shape import COUNT, NUMBER, PAIR, TEXT, TRUTH, Shape
from negaudit.data.summary_shape import ROLE

_CHECK: Shape = {
    "severity": frozenset(("ok", "info", "warn", "error", "not_run")),
    "value?": (NUMBER, None),
    "interval?": (PAIR, None),
    "threshold?": (NUMBER, None),
    "count?": (COUNT, None),
    "reason?": (TEXT, None),
}
_AUDITED: Shape = {
    "role?": ROLE,
    "flags?": {"*": {"clear?": TRUTH, "threshold?": (NUMBER, None)}},
    "checks?": ({"*": _CHECK}, None),
    "verdict?": {"usable?": TEXT, "why?": [TEXT]},
}
AUDIT: Shape = {
    "sources": {"*": _AUDITED},
    "envelope?": {"*": (NUMBER, None)},
    "envelope_sources?": [TEXT],
    "ranking?": ([(TEXT, [TEXT])], None),
    "leave_one_out?": ({"*": [TEXT]}, None),
    "criterion?": ({"*": {"holds": TRUTH, "violators?": [TEXT]}}, None),
    "caution?": TEXT,
}
_VALUE: Shape = {"*": {"*": {"value?": (NUMBER, None), "interval?": (PAIR, None)}}}
_DIFFERENCES: Shape = {"*": [{"first": TEXT, "second": TEXT, "difference": NUMBER, "interval": (PAIR, None), "found": TRUTH}]}
_MATCHED: Shape = {"sources?": {"*": {"*": {"mean?": (NUMBER, None), "interval?": (PAIR, None)}}}, "differences?": _DIFFERENCES}
_SETTLING: Shape = {
    "curve?": [{"records": COUNT, "same": NUMBER, "interval?": (PAIR, None)}],
    "records_needed?": {"median": COUNT, "interval": PAIR},
    "fractions?": {"*": {"records": COUNT}},
}
FURTHER: Mapping[str, Shape] = {
    "match": {
        "notes?": [TEXT],
        "sources?": [TEXT],
        "observed?": {"sources?": _VALUE},
        "binned?": {"*": _MATCHED},
        "weighted?": {"means?": _VALUE},
        "regression?": {"means?": _VALUE},
    },
    "stability": {"notes?": [TEXT], "statistics?": {"*": _SETTLING}},
    "compare": {"notes?": [TEXT]},
}
