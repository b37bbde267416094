"""Document frequencies counted over a corpus file, for runs whose own documents are too few or too special."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.compute as pc

from negaudit.data.texts import read_texts
from negaudit.text.distinct_texts import DistinctTexts
from negaudit.text.idf import IdfTable
from negaudit.text.tokenizers import get_tokenizer
from negaudit.text.vocabulary import Vocabulary, distinct, tokenize


def corpus_table(path: Path, tokenizer: str) -> IdfTable:
    """Return the table counted over the distinct, non-empty texts of the corpus file at `path` (JSON lines or Parquet).

    Raises NegauditError where the file is missing, malformed, or holds no usable text.
    """
    seen, vocabulary, splitter = DistinctTexts(), Vocabulary(), get_tokenizer(tokenizer)
    df = np.zeros(0, np.int64)
    for texts in read_texts(path, "passage").table["text"].chunks:
        _, first = seen.number(texts)
        lists = distinct(tokenize(texts.take(first), splitter, vocabulary), vocabulary)
        counts = np.bincount(lists.ids, minlength=len(vocabulary))
        counts[: len(df)] += df
        df = counts
    tokens = vocabulary.select(np.arange(len(vocabulary)))
    order = pc.array_sort_indices(tokens)
    return IdfTable(tokens.take(order), df[order.to_numpy()].astype(np.int64), len(seen), tokenizer, "corpus")
