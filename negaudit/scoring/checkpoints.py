"""What a run that was killed has finished already: whole sources, taken over where nothing that their numbers depend on has changed."""

from __future__ import annotations

import hashlib
import json
import shutil
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from negaudit.data.atomic import atomic_path
from negaudit.data.fingerprint import records_fingerprint
from negaudit.data.names import name_batches
from negaudit.data.source import BATCH, NegativeSource
from negaudit.scoring.gates import FLOATS
from negaudit.scoring.geometry import Volume
from negaudit.scoring.indexing import RunIndex

FOLDER = ".unfinished"


@dataclass(frozen=True)
class ScoredSource:
    """One source's part of the summary, its bootstrap replicates by statistic, and its volumes by weighting."""

    body: dict[str, Any]
    replicates: dict[str, FLOATS]
    volumes: dict[str, Volume]


class Checkpoints:
    """The finished sources of a run, in a folder beside its results that goes away with the run's end; without `out`, none are kept."""

    def __init__(self, out: Path | None, settings: Mapping[str, Any], index: RunIndex) -> None:
        self._folder = None if out is None else out / FOLDER
        self._settings, self._index = settings, index

    def find(self, source: NegativeSource, pairs: Path | None) -> ScoredSource | None:
        """Return what was finished of `source`, whose file of pairs must be there; None where there is nothing that still holds."""
        if self._folder is None or pairs is None or not pairs.is_file() or not self._file(source).is_file():
            return None
        try:
            with np.load(self._file(source), allow_pickle=False) as arrays:
                kept = {name: arrays[name] for name in arrays.files}
            about = json.loads(kept.pop("about").tobytes())
        except (OSError, ValueError, KeyError, zipfile.BadZipFile):  # cut off or not ours: it is scored again
            return None
        if about["key"] != self._key(source) or about["size"] != pairs.stat().st_size:
            return None
        replicates = {name.removeprefix("replicates:"): array for name, array in kept.items() if name.startswith("replicates:")}
        volumes = {name: Volume(**numbers, eigenvalues=kept[f"eigenvalues:{name}"]) for name, numbers in about["volumes"].items()}
        return ScoredSource(about["body"], replicates, volumes)

    def keep(self, source: NegativeSource, pairs: Path | None, scored: ScoredSource) -> None:
        """Remember a finished source; its file of pairs must be in place."""
        if self._folder is None or pairs is None:
            return
        volumes = {name: volume.as_dict() for name, volume in scored.volumes.items()}
        about = {"key": self._key(source), "size": pairs.stat().st_size, "body": scored.body, "volumes": volumes}
        arrays = {f"replicates:{name}": drawn for name, drawn in scored.replicates.items()}
        arrays |= {f"eigenvalues:{name}": volume.eigenvalues for name, volume in scored.volumes.items()}
        with atomic_path(self._file(source)) as temporary, open(temporary, "wb") as file:
            np.savez(file, allow_pickle=False, about=np.frombuffer(json.dumps(about).encode(), np.uint8), **arrays)

    def clear(self) -> None:
        """Forget all, and what a killed run was writing: the run is finished."""
        if self._folder is None:
            return
        for unfinished in self._folder.parent.glob("*/.*.parquet.*.tmp"):
            unfinished.unlink(missing_ok=True)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _file(self, source: NegativeSource) -> Path:
        assert self._folder is not None
        return self._folder / f"{source.name}.npz"

    def _key(self, source: NegativeSource) -> str:
        """Return the digest of all that the source's numbers and file depend on: settings, role, every text, query id, id and origin."""
        index = self._index.sources[source.name]
        names = records_fingerprint(name_batches(source, BATCH))
        digest = hashlib.blake2b(json.dumps([self._settings, source.role, names], sort_keys=True).encode(), digest_size=16)
        for array in (self._index.text_keys, index.query, index.positive, index.state, index.offsets, index.negative):
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()
