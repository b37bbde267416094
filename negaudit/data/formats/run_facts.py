"""What a TREC run is like before it is cut: how deep, with how many ties."""

from __future__ import annotations

from typing import Any

from negaudit.data.formats.container import Container
from negaudit.data.formats.lookup import Lookup
from negaudit.data.formats.parsed import Reject
from negaudit.data.formats.trec_run import ranked_queries


def run_facts(container: Container, lookup: Lookup) -> dict[str, Any]:
    """Return the number of queries, the least and greatest depth, neighbours with equal scores (in all, and where the cut is among them),
    and how the run was cut: `k` passages within `ranks`, None for all.
    """
    depths: list[int] = []
    ties = at_cut = 0
    for query in ranked_queries(container):
        if isinstance(query, Reject):
            continue
        depths.append(len(query.passages))
        ties += query.ties
        cut = lookup.ranks[1] if lookup.ranks else lookup.k
        if cut is not None and cut < len(query.passages):
            at_cut += query.passages[cut - 1].score == query.passages[cut].score
    return {
        "queries": len(depths),
        "depth": {"min": min(depths, default=0), "max": max(depths, default=0)},
        "ties": ties,
        "ties_at_cut": at_cut,
        "k": lookup.k,
        "ranks": list(lookup.ranks) if lookup.ranks else None,
    }
