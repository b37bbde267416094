"""Opening a retrieval collection: BEIR folders, the same in Parquet, or three files."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from negaudit.data.beir import DatasetFiles, find_dataset
from negaudit.data.collection import Collection
from negaudit.data.fingerprint import file_fingerprint
from negaudit.data.judgements import resolve_judgements
from negaudit.data.metadata import Account
from negaudit.data.parquet_collection import parquet_qrels
from negaudit.data.qrels import read_qrels
from negaudit.data.texts import read_texts
from negaudit.errors import NegauditError


def open_collection(
    dataset: str | Path | None = None,
    *,
    corpus: str | Path | None = None,
    queries: str | Path | None = None,
    qrels: str | Path | None = None,
    split: str = "test",
) -> Collection:
    """Return the collection of a dataset folder, or of three files, with the judgements of one split.

    A folder holds corpus and queries as `.jsonl`, `.jsonl.gz`, `.jsonl.zst` or `.parquet`, and qrels/SPLIT as `.tsv` (gz, zst) or
    `.parquet`, or qrels-SPLIT.parquet. Files given by name take the place of the folder's; the split is then the qrels file's name.
    A passage's text is title, one space, text, stripped. What cannot be used (repeated ids, empty texts, dangling or repeated
    judgements) is left out and counted by reason in the collection's `accounts` (`passages`, `queries`, `judgements`).

    Raises NegauditError where a file is missing or malformed (naming the line), and where no judgement fits the corpus and the queries.
    """
    return _opened(find_dataset(dataset, corpus, queries, qrels, split))


def _opened(files: DatasetFiles) -> Collection:
    judged = parquet_qrels(files.qrels) if files.qrels.suffix == ".parquet" else read_qrels(files.qrels)
    asked = read_texts(files.queries, "query")
    passages = read_texts(files.corpus, "passage")
    judgements, account = resolve_judgements(judged, asked, passages)
    _check_any(judgements, account, files.qrels)
    return Collection(
        name=files.name,
        split=files.split,
        passages=passages.table,
        queries=asked.table,
        judgements=judgements,
        accounts={"passages": passages.account, "queries": asked.account, "judgements": account},
        fingerprints={
            what: file_fingerprint(path) for what, path in (("corpus", files.corpus), ("queries", files.queries), ("qrels", files.qrels))
        },
    )


def _check_any(judgements: pa.Table, account: Account, path: Path) -> None:
    if not judgements.num_rows:
        reasons = ", ".join(f"{reason} {count}" for reason, count in sorted(account.rejected.items())) or "the file is empty"
        raise NegauditError(
            f"{path}: none of its {account.read} judgements can be used ({reasons}); do qrels, corpus and queries belong together?"
        )
