"""The real collections open with the counts that were published, their faults counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from negaudit.data.dataset import open_collection


@pytest.mark.parametrize(
    ("name", "split", "passages", "queries", "judgements", "labelled", "positives"),
    [
        ("scifact", "test", 5183, 1109, 339, 300, 339),
        ("scifact", "train", 5183, 1109, 919, 809, 919),
        ("stackfaq", "test", 719, 1249, 7184, 1249, 7184),
        ("msmarco_dl19", "test", 14581, 43, 4337, 43, 2745),
        ("xquad_hi", "test", 240, 1190, 1190, 1190, 1190),
        ("jaquad_ja", "test", 1431, 3939, 3939, 3939, 3939),
    ],
)
def test_collections_without_faults_are_used_whole(
    shared_data: Path, name: str, split: str, passages: int, queries: int, judgements: int, labelled: int, positives: int
) -> None:
    collection = open_collection(shared_data / name, split=split)
    used = {"passages": passages, "queries": queries, "judgements": judgements}
    assert {what: account.as_dict() for what, account in collection.accounts.items()} == {
        what: {"read": count, "used": count, "rejected": {}} for what, count in used.items()
    }
    found, _ = collection.labelled_queries()
    assert (len(found), sum(len(query.positives) for query in found)) == (labelled, positives)


def test_cranfield_counts_its_empty_documents_and_the_judgement_of_one(shared_data: Path) -> None:
    collection = open_collection(shared_data / "cranfield")
    assert collection.accounts["passages"].as_dict() == {"read": 1400, "used": 1398, "rejected": {"empty_text": 2}}
    assert collection.accounts["judgements"].as_dict() == {"read": 1837, "used": 1836, "rejected": {"empty_passage": 1}}
    assert not {"471", "995"} & set(collection.passages["id"].to_pylist())
    labelled, _ = collection.labelled_queries()
    assert "995" not in next(query for query in labelled if query.query_id == "125").positive_ids


def test_dl19_positives_come_by_grade_then_by_line(shared_data: Path) -> None:
    collection = open_collection(shared_data / "msmarco_dl19")
    # An independent reading of the file: the header, then query, passage and grade.
    lines = [line.split("\t") for line in (shared_data / "msmarco_dl19/qrels/test.tsv").read_text().splitlines()[1:]]
    expected: dict[str, tuple[str, ...]] = {}
    for query_id in {line[0] for line in lines}:
        expected[query_id] = tuple(
            passage_id for grade in ("3", "2", "1") for query, passage_id, found in lines if query == query_id and found == grade
        )
    labelled, _ = collection.labelled_queries()
    assert {query.query_id: query.positive_ids for query in labelled} == expected
    in_file_order = {query: next(p for q, p, g in lines if q == query and g != "0") for query in expected}
    assert sum(query.positive_ids[0] != in_file_order[query.query_id] for query in labelled) > 20, "the order must matter here"
    strict, _ = collection.labelled_queries(min_relevance=2)
    assert round(sum(len(query.positives) for query in strict) / 43) == 42


def test_a_qrels_file_without_its_header_gives_the_same_judgements(shared_data: Path, tmp_path: Path) -> None:
    with_header = open_collection(shared_data / "scifact")
    lines = (shared_data / "scifact/qrels/test.tsv").read_text().splitlines(keepends=True)
    (tmp_path / "test.tsv").write_text("".join(lines[1:]))
    without = open_collection(shared_data / "scifact", qrels=tmp_path / "test.tsv")
    assert without.judgements.equals(with_header.judgements)
    assert without.judgements.num_rows == 339


def test_the_packed_example_holds_the_same_texts_and_judgements(shared_data: Path) -> None:
    example = Path(__file__).parents[2] / "examples" / "scifact"
    for split in ("test", "train"):
        packed, published = open_collection(example, split=split), open_collection(shared_data / "scifact", split=split)
        for part in ("passages", "queries", "judgements"):
            assert getattr(packed, part).equals(getattr(published, part)), f"{part} of {split}"
