"""The frozen encoder: a sentence-transformers model under a contract, each distinct text encoded once, into the cache."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from negaudit.encoding.batches import MOST_TEXTS, plan_batches
from negaudit.encoding.cache import EmbeddingCache, Keys, default_cache_root, text_keys
from negaudit.encoding.contract import EncoderContract, Kind, Precision, Similarity, checked_similarity
from negaudit.encoding.embeddings import Embeddings
from negaudit.encoding.model_folder import find_model
from negaudit.encoding.presets import Prefixes, find_prefixes
from negaudit.encoding.sentence_model import SentenceModel
from negaudit.encoding.side_by_side import in_order
from negaudit.encoding.writing import BatchWriter, FinishedBatch, TextsAt
from negaudit.errors import NegauditError

Progress = Callable[[int, int], None]
MAX_LENGTH = 128
# Padded tokens in a batch. On a CPU small ones are as fast and take the least memory; an accelerator wants to be filled.
BATCH_TOKENS = {"cpu": 1024}
BATCH_TOKENS_ACCELERATOR = 32_768


class FrozenEncoder:
    """Embeds texts under one contract. Vectors are unit-normalised (norm taken in float64) and kept in the cache.

    Under similarity "dot" they stay as the model gives them. `prefixes` says what is put before texts and where that comes from.
    """

    def __init__(
        self,
        model: SentenceModel,
        contract: EncoderContract,
        cache: EmbeddingCache,
        batch_tokens: int | None = None,
        prefixes: Prefixes | None = None,
    ) -> None:
        self.contract = contract
        self.prefixes = prefixes or Prefixes(contract.query_prefix, contract.passage_prefix, "given", "given")
        self._model = model
        self._cache = cache
        self._batch_tokens = batch_tokens or BATCH_TOKENS.get(model.device_type, BATCH_TOKENS_ACCELERATOR)

    @property
    def device(self) -> str:
        """The torch device that the model runs on."""
        return self._model.device

    def embed(self, texts: Sequence[str], kind: Kind, *, progress: Progress | None = None) -> Embeddings:
        """Return the embeddings of `texts`, which may repeat, encoding what the cache lacks.

        `progress` is called with (texts encoded, texts to encode): distinct texts only.
        A killed call loses at most the batches that were under way.
        Raises NegauditError where the cache cannot be written.
        """
        keys = text_keys(texts, self._cache_prefix(kind))
        distinct, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
        cached = self._cache.read()
        if (cached.find(distinct) < 0).any():
            self._encode_missing(texts, distinct, first, kind, progress)
            cached = self._cache.read()
        rows = cached.find(distinct)[inverse]
        return Embeddings(cached.vectors, rows, cached.usable[rows], cached.tokens[rows].astype(np.int64), self.contract.max_length)

    def _encode_missing(
        self, texts: Sequence[str], distinct: Keys, first: npt.NDArray[np.intp], kind: Kind, progress: Progress | None
    ) -> None:
        with self._cache.writing() as writer:
            # Looked up again: another process may have encoded them while this one waited for the lock.
            missing = np.flatnonzero(self._cache.read().find(distinct) < 0)
            places, keys, prefix = first[missing], distinct[missing], self.contract.prefix(kind)
            tokens = self._model.token_counts(TextsAt(texts, places), prefix)
            lengths = np.minimum(tokens, self.contract.max_length) if self.contract.max_length is not None else tokens

            def encoded(batch: npt.NDArray[np.intp]) -> FinishedBatch:
                finished = FinishedBatch()
                self._encode_batch([texts[i] for i in places[batch]], keys[batch], tokens[batch], kind, finished)
                return finished

            done, shares = 0, self._model.shares
            batches = plan_batches(lengths, keys, self._batch_tokens * shares, MOST_TEXTS * shares)
            with self._model.encoding():
                for finished in in_order(encoded, batches, self._model.device_type if shares == 1 else "several"):
                    done += finished.write(writer)
                    if progress is not None:
                        progress(done, len(places))

    def _encode_batch(self, texts: list[str], keys: Keys, tokens: npt.NDArray[np.int64], kind: Kind, writer: BatchWriter) -> None:
        vectors = self._model.encode(texts, self.contract.prefix(kind), kind)[:, : self.contract.dims]
        scaled, usable = normalised(vectors)
        writer.append(keys, tokens, usable, vectors if self.contract.similarity == "dot" else scaled)

    def _cache_prefix(self, kind: Kind) -> str:
        """Return what sets this kind's keys apart: its prefix, and the kind itself where the model treats kinds differently."""
        return f"{self.contract.prefix(kind)}\0{kind}" if self._model.routed else self.contract.prefix(kind)


def normalised(vectors: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
    """Return the rows at unit norm and whether each is usable; zero and non-finite rows are not, and stay as they are."""
    with np.errstate(over="ignore", invalid="ignore"):
        norms = np.sqrt(np.square(vectors, dtype=np.float64).sum(axis=1))
    usable = np.isfinite(norms) & (norms > 0)
    scaled = vectors.copy()
    scaled[usable] = vectors[usable] / norms[usable, None]
    return scaled, usable


def load_encoder(
    model: str | Path | None = None,
    *,
    max_length: int = MAX_LENGTH,
    query_prefix: str | None = None,
    passage_prefix: str | None = None,
    similarity: Similarity = "cosine",
    dims: int | None = None,
    device: str = "auto",
    precision: Precision = "fp32",
    cache: Path | None = None,
    batch_tokens: int | None = None,
) -> FrozenEncoder:
    """Return the frozen encoder for a sentence-transformers folder or hub id, or for the packaged all-MiniLM-L6-v2 where `model` is None.

    Prefixes default to the model's own prompts, else to the preset of its family; `max_length` (tokens) is capped by what the model admits.
    `similarity` "dot" keeps the vectors as the model gives them; `dims` keeps the leading dimensions (of a Matryoshka model), normalised
    again under "cosine". All of these stand in the contract.
    `device` is auto (CUDA, then MPS, then the CPU), a torch device, or several with commas between them (a process
    for each); `cache` the cache's root (default: $NEGAUDIT_CACHE, else the user's
    cache folder); `batch_tokens` the padded tokens of a batch, which moves vectors by float noise at most.
    Raises MissingExtraError where a package is missing, NegauditError where the model, the device or the cache is no good.
    """
    SentenceModel.require()
    folder = find_model(model)
    sentences = SentenceModel(folder, device, precision, max_length)
    own = (sentences.prompt("query"), sentences.prompt("document", "passage"))
    prefixes = find_prefixes(folder, own, (query_prefix, passage_prefix))
    kept = _dims(dims, sentences)
    contract = EncoderContract(
        model=folder.name,
        weights=folder.digest(),
        query_prefix=prefixes.query,
        passage_prefix=prefixes.passage,
        pooling=sentences.pooling,
        max_length=sentences.max_length,
        similarity=checked_similarity(similarity),
        dims=kept,
        dtype=precision,
        dimension=kept or sentences.dimension,
    )
    return FrozenEncoder(sentences, contract, EmbeddingCache(cache or default_cache_root(), contract), batch_tokens, prefixes)


def _dims(wanted: int | None, model: SentenceModel) -> int | None:
    """Return the leading dimensions to keep, None for all; those of the model's own configuration where none are wanted."""
    if wanted is None or wanted == model.dimension:
        return model.dims
    if not 1 <= wanted < model.dimension:
        raise NegauditError(f"dims is {wanted}: expected 1 to {model.dimension}, which the model gives")
    return wanted
