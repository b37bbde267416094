"""Rankings computed independently, in plain Python and numpy at float64: what the miners are held against."""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from negaudit.data.collection import Collection, LabelledQuery
from negaudit.data.record import Record


def term_list(text: str) -> list[str]:
    """Return the runs of letters, marks and numbers of the NFKC, lower-cased text, with repeats."""
    spaced = (c if unicodedata.category(c)[0] in "LMN" else " " for c in unicodedata.normalize("NFKC", text).lower())
    return "".join(spaced).split()


class Bm25Formula:
    """BM25 as Kamphuis et al. (ECIR 2020) write Lucene's accurate form: Σ ln(1 + (N - df + ½)/(df + ½)) · tf/(tf + k1(1 - b + b·l/avg))."""

    def __init__(self, texts: Sequence[str], k1: float = 1.5, b: float = 0.75) -> None:
        self.counts = [Counter(term_list(text)) for text in texts]
        lengths = [sum(count.values()) for count in self.counts]
        average = sum(lengths) / len(lengths)
        self.norms = [k1 * (1 - b + b * length / average) for length in lengths]
        df = Counter(term for count in self.counts for term in count)
        self.idf = {term: math.log(1 + (len(texts) - n + 0.5) / (n + 0.5)) for term, n in df.items()}
        self.postings: dict[str, list[int]] = {}
        for i, count in enumerate(self.counts):
            for term in count:
                self.postings.setdefault(term, []).append(i)

    def scores(self, query: str) -> np.ndarray:
        """Return every passage's score."""
        scores = np.zeros(len(self.counts))
        for term in term_list(query):
            for i in self.postings.get(term, ()):
                tf = self.counts[i][term]
                scores[i] += self.idf[term] * tf / (tf + self.norms[i])
        return scores


def same_text(a: str, b: str) -> bool:
    """Return whether two texts are equal but for case, white space and compatibility forms."""
    return " ".join(unicodedata.normalize("NFKC", a).casefold().split()) == " ".join(unicodedata.normalize("NFKC", b).casefold().split())


def ranking(scores: np.ndarray, ids: Sequence[str]) -> list[int]:
    """Return all positions, best first, equal scores by id."""
    return sorted(range(len(ids)), key=lambda i: (-scores[i], ids[i]))


def check_order(record: Record, scores: Mapping[str, float], expected: Sequence[str], tolerance: float) -> None:
    """Assert that the negatives are `expected`, up to swaps of passages whose exact scores are within `tolerance`, exact ties by id."""
    found = [negative.id or "" for negative in record.negatives]
    assert len(found) == len(expected)
    for mine, theirs in zip(found, expected, strict=True):
        assert abs(scores[mine] - scores[theirs]) <= tolerance, (record.query_id, mine, theirs)
    for first, second in pairwise(found):
        assert scores[first] != scores[second] or first < second, (record.query_id, first, second)


def positives_by_query(collection: Collection) -> dict[str, LabelledQuery]:
    """Return the labelled queries by id."""
    return {query.query_id: query for query in collection.labelled_queries()[0]}


def check_exclusion(query: LabelledQuery, record: Record) -> None:
    """Assert that no negative is a labelled positive of the record's query, by id or by text, and none is there twice."""
    ids = [negative.id for negative in record.negatives]
    assert len(set(ids)) == len(ids)
    assert not set(ids) & set(query.positive_ids)
    for negative in record.negatives:
        assert not any(same_text(negative.text, positive) for positive in query.positives)
