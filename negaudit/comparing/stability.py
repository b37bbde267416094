"""`stability`: the order of the sources in growing samples, and how many records it takes until it stops changing."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from negaudit.comparing.correlation import kendall
from negaudit.comparing.documents import document, note_few_records
from negaudit.comparing.record_sums import RecordSums, record_sums
from negaudit.comparing.scored import ScoredRun, ScoredSource, load_scored
from negaudit.errors import NegauditError, unknown_name
from negaudit.scoring.gates import FLOATS
from negaudit.scoring.indexing import query_keys
from negaudit.scoring.intervals import record_rank

SCHEMA = "negaudit.stability/1"
MANIFEST = "stability.json"
FRACTIONS = (25, 50, 75, 100)
STATISTICS = ("mean_psi", "mean_rho", "mean_eta", "inversion_rate", "eci.composite.trace")
STEPS = 40
SETTLED = 0.9
NORMAL = 1.959963984540054
INT64 = npt.NDArray[np.int64]
