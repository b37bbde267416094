"""Negatives by system and id, as MS MARCO's hard negatives and GPL have them: {"qid", "pos": [ids], "neg": {system: [ids]}}."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from negaudit.data.formats.fields import Row, kind, need, others, required_id, values
from negaudit.data.formats.format import CERTAIN, NEVER, Format, Head, register, row_reader
from negaudit.data.formats.lookup import Lookup
from negaudit.data.formats.parsed import UnusableError

NAME = "ids-by-system"
_KNOWN = frozenset({"qid", "pos", "neg"})


def _recognise(head: Head) -> int:
    return CERTAIN if head.all_have("qid", "neg") and any(isinstance(row["neg"], Mapping) for row in head.rows) else NEVER


def _record(row: Row, lookup: Lookup) -> dict[str, Any]:
    need(row, "qid")
    need(row, "neg")
    query_id = required_id(row["qid"], "qid")
    query = lookup.query(query_id)
    if query is None:
        raise UnusableError("unknown_query", f"query {query_id} is not among the queries")
    if not isinstance(row["neg"], Mapping):
        raise UnusableError("not_an_object", f"neg must be an object of lists by system, found {kind(row['neg'])}")
    # A row may leave its positives to the judgements.
    stated = [required_id(value, f"pos[{place}]") for place, value in enumerate(values(row, "pos"))] or lookup.relevant.get(query_id, ())
    positive_ids, positives, lost = lookup.known(stated, "positive")
    if not positives:
        raise UnusableError("no_known_positive", f"query {query_id}: none of its {len(stated)} positives is in the corpus")
    record: dict[str, Any] = {"negative_ids": [], "negatives": [], "origins": []}
    for system in row["neg"]:
        ids = [required_id(value, f"neg.{system}[{place}]") for place, value in enumerate(values(row["neg"], system))]
        kept, texts, unknown = lookup.known(ids, "negative")
        lost = [*lost, *unknown]
        record["negative_ids"] += kept
        record["negatives"] += texts
        record["origins"] += [str(system)] * len(kept)
    return {
        "query": query,
        "query_id": query_id,
        "positives": positives,
        "positive_ids": positive_ids,
        "lost": lost,
        "left_out": others(row, _KNOWN),
        **record,
    }


register(
    Format(
        NAME,
        "an object with qid, pos (ids) and neg (lists of ids by system)",
        _recognise,
        row_reader(NAME, _record, keys=(("qid", "neg"),)),
        needs=("passages", "queries"),
    )
)
