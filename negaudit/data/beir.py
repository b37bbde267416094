"""Where the files of a collection are: the layout of a BEIR folder, of a folder of Parquet, or three files named one by one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from negaudit.data.lines import check_is_file
from negaudit.errors import NegauditError

_TEXT_ENDINGS = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".parquet")
_QRELS_ENDINGS = (".tsv", ".tsv.gz", ".tsv.zst", ".parquet")


@dataclass(frozen=True, slots=True)
class DatasetFiles:
    """The three files of a collection, its name (a folder's name, never a whole path) and the split of its judgements."""

    name: str
    split: str
    corpus: Path
    queries: Path
    qrels: Path


def find_dataset(
    dataset: str | Path | None, corpus: str | Path | None, queries: str | Path | None, qrels: str | Path | None, split: str
) -> DatasetFiles:
    """Return the files of a dataset folder; those given one by one take the place of the folder's; without a folder all three are needed.

    The split of judgements given as a file is that file's name.
    Raises NegauditError that says what is missing, and for a split, which there are.
    """
    folder = _folder(dataset)
    given = {"corpus": corpus, "queries": queries, "qrels": qrels}
    files = {what: Path(path) for what, path in given.items() if path is not None}
    lacking = [what for what in given if what not in files]
    if folder is None and lacking:
        raise NegauditError(f"no {', '.join(lacking)} given; give a dataset folder, or all three of corpus, queries and qrels")
    for what, path in files.items():
        check_is_file(path, f"{what} file")
    if "qrels" in files:
        split = _plain_name(files["qrels"].name, _QRELS_ENDINGS)
    elif folder is not None:
        files["qrels"] = _split_file(folder, split)
    for what in ("corpus", "queries"):
        if folder is not None and what not in files:
            files[what] = _text_file(folder, what)
    name = (folder or files["corpus"].resolve().parent).resolve().name
    return DatasetFiles(name, split, files["corpus"], files["queries"], files["qrels"])


def splits(folder: Path) -> dict[str, list[Path]]:
    """Return the splits that a dataset folder has judgements of, in order of their names, and the files of each."""
    found: dict[str, list[Path]] = {}
    for path in sorted([*folder.glob("qrels/*"), *folder.glob("qrels-*.parquet")]):
        name = path.name.removeprefix("qrels-") if path.parent == folder else path.name
        if path.is_file() and name.endswith(_QRELS_ENDINGS):
            found.setdefault(_plain_name(name, _QRELS_ENDINGS), []).append(path)
    return dict(sorted(found.items()))


def _folder(dataset: str | Path | None) -> Path | None:
    if dataset is None:
        return None
    folder = Path(dataset)
    if folder.is_file():
        raise NegauditError(f"{folder}: is a file; give the dataset's folder, or the three files by corpus, queries and qrels")
    if not folder.is_dir():
        raise NegauditError(f"{folder}: no such folder; give one with corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv")
    return folder


def _text_file(folder: Path, what: str) -> Path:
    found = [path for ending in _TEXT_ENDINGS if (path := folder / f"{what}{ending}").is_file()]
    if not found:
        raise NegauditError(f"{folder}: no {what} file; expected one of {', '.join(what + ending for ending in _TEXT_ENDINGS)}")
    return _only(found, folder, what)


def _split_file(folder: Path, split: str) -> Path:
    there = splits(folder)
    if split not in there:
        raise NegauditError(
            f"{folder}: no judgements of split '{split}' (there is: {', '.join(there) or 'none; expected qrels/SPLIT.tsv'})"
        )
    return _only(there[split], folder, "qrels")


def _only(found: list[Path], folder: Path, what: str) -> Path:
    if len(found) > 1:
        names = ", ".join(path.name for path in found)
        raise NegauditError(f"{folder}: {len(found)} files could be the {what} ({names}); keep one, or name the one to use by {what}")
    return found[0]


def _plain_name(name: str, endings: tuple[str, ...]) -> str:
    for ending in sorted(endings, key=len, reverse=True):
        if name.endswith(ending):
            return name.removesuffix(ending)
    return Path(name).stem
