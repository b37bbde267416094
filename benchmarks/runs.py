"""The single runs that benchmarks/score.py measures, each in a process of its own; every one prints one line of JSON."""

from __future__ import annotations

import json
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.inputs import real_passages, write_input


def _timed(work: Callable[[], Any]) -> tuple[float, float, Any]:
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    return time.perf_counter() - wall, time.process_time() - cpu, result


def _say(**figures: object) -> None:
    print(json.dumps(figures))


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def plain(source: str, scratch: str) -> None:
    """Psi by sets and dictionaries."""
    from benchmarks.plain import score_plainly

    seconds, cpu, psi = _timed(lambda: score_plainly(Path(source), Path(scratch) / "plain.parquet"))
    _say(seconds=seconds, cpu_seconds=cpu, mean_psi=psi, peak_gb=_peak())


def ours(source: str, scratch: str) -> None:
    """Psi by negaudit, all of it: intervals, histograms and files; the one-time compilation is done before."""
    from negaudit.data.source import NegativeSource
    from negaudit.scoring.config import ScoreConfig
    from negaudit.scoring.scorer import score

    config = ScoreConfig(sample=None)
    tiny = write_input(["a few words é " * 9, "some other words"], Path(scratch) / "tiny.parquet", distinct=30, pairs=300)
    score([NegativeSource.from_parquet(tiny)], config=config, out=Path(scratch) / "tiny")
    with tempfile.TemporaryDirectory(dir=scratch) as out:
        seconds, cpu, result = _timed(lambda: score({"b": source}, config=config, out=Path(out)))
    _say(seconds=seconds, cpu_seconds=cpu, mean_psi=result.sources["b"]["mean_psi"], peak_gb=_peak())


def _encoder(scratch: str, **options: Any) -> Any:
    from negaudit.encoding.encoder import load_encoder

    return load_encoder(device="cpu", cache=Path(tempfile.mkdtemp(dir=scratch)), **options)


def _plain_model() -> Any:
    from sentence_transformers import SentenceTransformer

    from negaudit.encoding.packaged import packaged_model_folder

    model = SentenceTransformer(str(packaged_model_folder()), device="cpu")
    model.max_seq_length = 128
    return model


def encoding(dataset: str, scratch: str, count: str = "400") -> None:
    """Our encoding of distinct texts, and a whole score of a source with each passage five times, next to sentence-transformers."""
    from negaudit.data.source import NegativeSource
    from negaudit.scoring.scorer import score

    model, passages = _plain_model(), real_passages(Path(dataset))
    texts = [passages[i] for i in np.random.default_rng(0).choice(len(passages), int(count), replace=False)]
    ratios = []
    for _ in range(5):
        default, default_cpu, expected = _timed(lambda: model.encode(texts, show_progress_bar=False))
        frozen = _encoder(scratch)
        own, own_cpu, embeddings = _timed(lambda e=frozen: e.embed(texts, "passage"))  # type: ignore[misc]
        ratios.append((own / default, own_cpu / default_cpu, len(texts) / default, len(texts) / own))
    apart = float(np.abs(embeddings.gather(np.arange(len(texts))) - expected).max())
    source = NegativeSource.from_parquet(write_input(passages, Path(scratch) / "five.parquet", distinct=60, pairs=300))
    flat = [text for r in source.records() for n in r.negatives for text in (r.query, r.positives[0], n.text)]
    every, every_cpu, _ = _timed(lambda: model.encode(flat, show_progress_bar=False))
    frozen = _encoder(scratch)
    whole, whole_cpu, _ = _timed(lambda: score([source], encoder=frozen, out=Path(scratch) / "five"))
    columns = [statistics.median(column) for column in zip(*ratios, strict=True)]
    names = ("time_of_default_encode", "cpu_time_of_default_encode", "default_texts_per_second", "texts_per_second")
    _say(
        **dict(zip(names, columns, strict=True)),
        largest_difference=apart,
        times_every_triplet=every / whole,
        times_every_triplet_in_cpu_time=every_cpu / whole_cpu,
        triplets_per_second=len(flat) / 3 / whole,
    )


def cached(dataset: str, scratch: str, count: str = "5000") -> None:
    """A first and a second run over the same texts; the second opens the cache afresh."""
    from negaudit.encoding.encoder import load_encoder

    root = Path(tempfile.mkdtemp(dir=scratch))
    texts = real_passages(Path(dataset))[: int(count)]
    encoders = [load_encoder(device="cpu", cache=root) for _ in range(2)]
    times = [_timed(lambda e=e: e.embed(texts, "passage").gather(slice(None)))[0] for e in encoders]  # type: ignore[misc]
    _say(texts=len(texts), first_seconds=times[0], second_seconds=times[1], times_cheaper=times[0] / times[1])


def moments(dataset: str, scratch: str) -> None:
    """All weightings' moments of 20,480 pairs at 384 dimensions, next to encoding 100 passages."""
    from negaudit.scoring.geometry import ResidualMoment
    from negaudit.scoring.weightings import WEIGHTINGS

    generator = np.random.default_rng(0)
    residuals = generator.normal(size=(2048, 384))
    residuals /= np.linalg.norm(residuals, axis=1, keepdims=True)
    sums = {name: ResidualMoment(384) for name in WEIGHTINGS}

    def accumulate() -> None:
        for _ in range(10):
            for moment in sums.values():
                moment.update(generator.random(2048), residuals)

    _, geometry_cpu, _ = _timed(accumulate)
    _, finish_cpu, _ = _timed(lambda: [moment.result() for moment in sums.values()])
    texts = real_passages(Path(dataset))[:100]
    _, encode_cpu, _ = _timed(lambda: _encoder(scratch).embed(texts, "passage"))
    per_pair, per_text = geometry_cpu / 20_480, encode_cpu / 100
    _say(
        cpu_us_per_pair=1e6 * per_pair,
        cpu_us_per_encoded_text=1e6 * per_text,
        share_of_encoding=per_pair / per_text,
        eigenvalues=finish_cpu,
    )


def precisions(dataset: str, scratch: str, count: str = "300") -> None:
    """The largest and mean differences of cosines, and of mean rho, eta and log-det, between bf16 or fp16 and fp32."""
    from negaudit.data.dataset import open_collection
    from negaudit.data.source import NegativeSource
    from negaudit.mining.bm25 import mine_bm25
    from negaudit.scoring.config import ScoreConfig
    from negaudit.scoring.scorer import score

    mined = mine_bm25(open_collection(Path(dataset)), k=5)
    few = NegativeSource.from_table(mined.to_table().slice(0, int(count) // 5), mined.metadata)
    import polars as pl

    pairs, sources = {}, {}
    for precision in ("fp32", "bf16", "fp16"):
        out = Path(scratch) / precision
        sources[precision] = score(
            [few], encoder=_encoder(scratch, precision=precision), config=ScoreConfig(replicates=0), out=out
        ).sources["bm25"]
        pairs[precision] = pl.read_parquet(out / "bm25" / "negatives.parquet")
    figures: dict[str, object] = {"pairs": len(pairs["fp32"])}
    for precision in ("bf16", "fp16"):
        for column in ("s_pos", "s_neg", "s_posneg", "rho", "eta"):
            figures[f"{precision}_largest_{column}"] = float((pairs[precision][column] - pairs["fp32"][column]).abs().max())  # type: ignore[arg-type]
        for name in ("mean_rho", "mean_eta", "inversion_rate"):
            figures[f"{precision}_{name}"] = abs(sources[precision][name] - sources["fp32"][name])
        logdets = [sources[p]["eci"]["composite"]["logdet"] for p in (precision, "fp32")]
        figures[f"{precision}_composite_relative"] = abs(logdets[0] / logdets[1] - 1)
    _say(**figures)
