"""The frozen encoder gives what sentence-transformers gives, once per distinct text, and flags what cannot be used."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np

from negaudit.encoding.encoder import FrozenEncoder, load_encoder, normalised
from negaudit.encoding.packaged import packaged_model_folder


def test_vectors_equal_sentence_transformers_at_unit_norm(minilm_l3_path: Path, minilm_l3: FrozenEncoder, passages: list[str]) -> None:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(minilm_l3_path), device="cpu")
    expected = model.encode(passages, normalize_embeddings=True, batch_size=7)
    found = minilm_l3.embed(passages, "passage")
    assert np.abs(found.gather(slice(None)) - expected).max() < 1e-6
    assert found.usable.all()


def test_vectors_have_unit_norm_to_float_precision(minilm_l3: FrozenEncoder, passages: list[str]) -> None:
    vectors = minilm_l3.embed(passages, "passage").gather(slice(None)).astype(np.float64)
    assert np.abs((vectors**2).sum(axis=1) - 1).max() < 3e-7


def test_equal_texts_get_the_identical_vector_and_are_encoded_once(minilm_l3_path: Path, tmp_path: Path, passages: list[str]) -> None:
    encoder = load_encoder(minilm_l3_path, device="cpu", cache=tmp_path)
    calls: list[tuple[int, int]] = []
    found = encoder.embed([*passages[:20], *passages[:20]], "passage", progress=lambda done, total: calls.append((done, total)))
    vectors = found.gather(slice(None))
    assert np.array_equal(vectors[:20], vectors[20:])
    assert calls[-1] == (20, 20)
    assert [done for done, _ in calls] == sorted({done for done, _ in calls})


def test_what_is_cached_is_not_encoded_again(minilm_l3_path: Path, tmp_path: Path, passages: list[str]) -> None:
    encoder = load_encoder(minilm_l3_path, device="cpu", cache=tmp_path)
    first = encoder.embed(passages[:30], "passage").gather(slice(None))
    calls: list[tuple[int, int]] = []
    encoder = load_encoder(minilm_l3_path, device="cpu", cache=tmp_path)
    again = encoder.embed(passages[29::-1], "passage", progress=lambda done, total: calls.append((done, total)))
    assert calls == []
    assert np.array_equal(again.gather(slice(None)), first[::-1])


def test_order_batch_size_and_cache_state_move_vectors_by_float_noise_only(
    minilm_l3_path: Path, minilm_l3: FrozenEncoder, tmp_path: Path, passages: list[str]
) -> None:
    expected = minilm_l3.embed(passages, "passage").gather(slice(None))
    other = load_encoder(minilm_l3_path, device="cpu", cache=tmp_path, batch_tokens=300)
    other.embed(passages[::3], "passage")
    found = other.embed(passages[::-1], "passage").gather(slice(None))[::-1]
    assert np.abs(found - expected).max() < 1e-6


def test_positions_are_gathered_in_the_order_asked_for(minilm_l3: FrozenEncoder, passages: list[str]) -> None:
    found = minilm_l3.embed(passages[:10], "passage")
    everything = found.gather(slice(None))
    assert everything.dtype == np.float32
    assert (len(found), found.dimension) == (10, 384)
    assert np.array_equal(found.gather(np.array([7, 0, 7])), everything[[7, 0, 7]])


def test_no_texts_give_no_rows(minilm_l3: FrozenEncoder) -> None:
    assert minilm_l3.embed([], "query").gather(slice(None)).shape == (0, 384)


def test_prefixes_are_put_before_the_text_and_recorded(minilm_l3_path: Path, tmp_path: Path, minilm_l3: FrozenEncoder) -> None:
    prefixed = load_encoder(minilm_l3_path, device="cpu", cache=tmp_path, query_prefix="query: ")
    assert prefixed.contract.query_prefix == "query: "
    assert prefixed.contract.fingerprint() != minilm_l3.contract.fingerprint()
    as_query = prefixed.embed(["do cats sleep"], "query").gather(slice(None))
    written_out = minilm_l3.embed(["query: do cats sleep"], "query").gather(slice(None))
    bare = prefixed.embed(["do cats sleep"], "passage").gather(slice(None))
    assert np.abs(as_query - written_out).max() < 1e-6
    assert np.abs(as_query - bare).max() > 1e-3


def test_the_maximum_length_is_obeyed_capped_by_the_model_and_counted(minilm_l3_path: Path, tmp_path: Path, passages: list[str]) -> None:
    assert load_encoder(minilm_l3_path, device="cpu", cache=tmp_path, max_length=100_000).contract.max_length == 128
    short = load_encoder(minilm_l3_path, device="cpu", cache=tmp_path, max_length=16)
    words = ["one two three", "one " * 14, "one " * 15, "one " * 40]
    found = short.embed([*words, words[3]], "passage")
    assert found.tokens.tolist() == [5, 16, 17, 42, 42]
    assert found.truncated.tolist() == [False, False, True, True, True]
    truncation = found.truncation()
    assert (truncation.texts, truncation.cut, truncation.tokens, truncation.tokens_cut) == (4, 2, 80, 27)
    vectors = found.gather(slice(None))
    assert np.abs(vectors[2] - vectors[1]).max() < 1e-6


def test_texts_that_a_model_turns_into_nan_are_flagged(minilm_l3_path: Path, tmp_path: Path) -> None:
    from safetensors.numpy import load_file, save_file

    folder = tmp_path / "broken"
    shutil.copytree(minilm_l3_path, folder)
    weights = load_file(folder / "model.safetensors")
    name = next(name for name in weights if name.endswith("word_embeddings.weight"))
    cats = (packaged_model_folder() / "vocab.txt").read_text(encoding="utf-8").split("\n").index("cats")
    weights[name][cats] = np.nan
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    found = load_encoder(folder, device="cpu", cache=tmp_path, batch_tokens=1).embed(["dogs bark", "cats sleep"], "passage")
    assert found.usable.tolist() == [True, False]
    assert np.isnan(found.gather(np.array([1]))).any()
    again = load_encoder(folder, device="cpu", cache=tmp_path).embed(["cats sleep", "dogs bark"], "passage")
    assert again.usable.tolist() == [False, True]


def test_zero_and_infinite_vectors_are_flagged_and_left_alone() -> None:
    rows = np.array([[3, 4], [0, 0], [np.inf, 1], [1, np.nan], [3e38, 3e38], [1e-30, 0]], np.float32)
    scaled, usable = normalised(rows)
    assert usable.tolist() == [True, False, False, False, True, True]
    assert np.allclose(scaled[[0, 4, 5]], [[0.6, 0.8], [0.5**0.5, 0.5**0.5], [1, 0]], rtol=1e-7)
    assert np.array_equal(scaled[1:4], rows[1:4], equal_nan=True)


def test_a_static_model_has_no_maximum_and_a_text_without_tokens_no_usable_vector(tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(packaged_model_folder() / "tokenizer.json"))
    weights = np.random.default_rng(0).normal(size=(tokenizer.get_vocab_size(), 16)).astype(np.float32)
    SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_weights=weights)], device="cpu").save(str(tmp_path / "static"))
    encoder = load_encoder(tmp_path / "static", device="cpu", cache=tmp_path)
    assert (encoder.contract.pooling, encoder.contract.max_length, encoder.contract.dimension) == ("StaticEmbedding", None, 16)
    found = encoder.embed(["cats sleep", ""], "passage")
    assert found.usable.tolist() == [True, False]
    assert not found.gather(np.array([1])).any()
    assert (found.truncation().cut, found.truncation().tokens_cut) == (0, 0)


def test_lower_precision_is_near_and_under_a_contract_of_its_own(
    minilm_l3_path: Path, minilm_l3: FrozenEncoder, tmp_path: Path, passages: list[str]
) -> None:
    half = load_encoder(minilm_l3_path, device="cpu", cache=tmp_path, precision="bf16")
    assert half.contract.dtype == "bf16"
    assert half.contract.fingerprint() != minilm_l3.contract.fingerprint()
    pair = [encoder.embed(passages[:20], "passage").gather(slice(None)) for encoder in (half, minilm_l3)]
    cosines = (pair[0] * pair[1]).sum(axis=1)
    assert 0.995 < cosines.min() < 1
