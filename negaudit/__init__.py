"""negaudit measures sets of hard negatives before a retriever is trained on them: mine, score, build controls, audit.

Each public name is imported from its own module when it is first asked for, so that `import negaudit` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from negaudit.auditing.auditor import AuditResult as AuditResult
    from negaudit.auditing.auditor import audit as audit
    from negaudit.auditing.auditor import load_audit as load_audit
    from negaudit.controls.builder import build_controls as build_controls
    from negaudit.controls.recipe import Recipe as Recipe
    from negaudit.controls.recipe import choose_recipes as choose_recipes
    from negaudit.controls.recipe import load_recipe as load_recipe
    from negaudit.controls.recipe import shipped_recipes as shipped_recipes
    from negaudit.data.collection import Collection as Collection
    from negaudit.data.dataset import open_collection as open_collection
    from negaudit.data.record import Negative as Negative
    from negaudit.data.record import Record as Record
    from negaudit.data.source import NegativeSource as NegativeSource
    from negaudit.data.source import by_name as by_name
    from negaudit.data.store import write_source as write_source
    from negaudit.demonstration import run_demo as run_demo
    from negaudit.demonstration import shared_review as shared_review
    from negaudit.encoding.encoder import FrozenEncoder as FrozenEncoder
    from negaudit.encoding.encoder import load_encoder as load_encoder
    from negaudit.errors import MissingExtraError as MissingExtraError
    from negaudit.errors import NegauditError as NegauditError
    from negaudit.mining.bm25 import mine_bm25 as mine_bm25
    from negaudit.mining.dense import mine_dense as mine_dense
    from negaudit.mining.llm.checking import Lengths as Lengths
    from negaudit.mining.llm.engine import EngineBackend as EngineBackend
    from negaudit.mining.llm.exchange import Sampling as Sampling
    from negaudit.mining.llm.miner import mine_llm as mine_llm
    from negaudit.mining.llm.retrying import Retrying as Retrying
    from negaudit.mining.llm.server import ServerBackend as ServerBackend
    from negaudit.reporting.tables import review as review
    from negaudit.reporting.tables import review_lines as review_lines
    from negaudit.reporting.tables import review_table as review_table
    from negaudit.reporting.tables import score_table as score_table
    from negaudit.scoring.config import ScoreConfig as ScoreConfig
    from negaudit.scoring.scorer import ScoreResult as ScoreResult
    from negaudit.scoring.scorer import load_score as load_score
    from negaudit.scoring.scorer import score as score

__version__ = "0.1.0"

_HOMES = {
    "AuditResult": "negaudit.auditing.auditor",
    "Collection": "negaudit.data.collection",
    "EngineBackend": "negaudit.mining.llm.engine",
    "FrozenEncoder": "negaudit.encoding.encoder",
    "Lengths": "negaudit.mining.llm.checking",
    "MissingExtraError": "negaudit.errors",
    "Negative": "negaudit.data.record",
    "NegativeSource": "negaudit.data.source",
    "NegauditError": "negaudit.errors",
    "Recipe": "negaudit.controls.recipe",
    "Record": "negaudit.data.record",
    "Retrying": "negaudit.mining.llm.retrying",
    "Sampling": "negaudit.mining.llm.exchange",
    "ScoreConfig": "negaudit.scoring.config",
    "ScoreResult": "negaudit.scoring.scorer",
    "ServerBackend": "negaudit.mining.llm.server",
    "audit": "negaudit.auditing.auditor",
    "build_controls": "negaudit.controls.builder",
    "by_name": "negaudit.data.source",
    "choose_recipes": "negaudit.controls.recipe",
    "load_audit": "negaudit.auditing.auditor",
    "load_encoder": "negaudit.encoding.encoder",
    "load_recipe": "negaudit.controls.recipe",
    "load_score": "negaudit.scoring.scorer",
    "mine_bm25": "negaudit.mining.bm25",
    "mine_dense": "negaudit.mining.dense",
    "mine_llm": "negaudit.mining.llm.miner",
    "open_collection": "negaudit.data.dataset",
    "review": "negaudit.reporting.tables",
    "review_lines": "negaudit.reporting.tables",
    "review_table": "negaudit.reporting.tables",
    "run_demo": "negaudit.demonstration",
    "score": "negaudit.scoring.scorer",
    "score_table": "negaudit.reporting.tables",
    "shared_review": "negaudit.demonstration",
    "shipped_recipes": "negaudit.controls.recipe",
    "write_source": "negaudit.data.store",
}
__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'negaudit' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
