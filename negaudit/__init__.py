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
    from negaudit.auditing.clean import clean as clean
    from negaudit.auditing.encoders import criterion as criterion
    from negaudit.auditing.encoders import load_criterion as load_criterion
    from negaudit.auditing.reference import load_reference as load_reference
    from negaudit.comparing.agreement import agreement as agreement
    from negaudit.comparing.comparison import compare as compare
    from negaudit.comparing.documents import load_comparison as load_comparison
    from negaudit.comparing.documents import write_comparison as write_comparison
    from negaudit.comparing.grid import rendered as rendered
    from negaudit.comparing.match import MatchConfig as MatchConfig
    from negaudit.comparing.match import match as match
    from negaudit.comparing.slicing import slices as slices
    from negaudit.comparing.stability import StabilityConfig as StabilityConfig
    from negaudit.comparing.stability import stability as stability
    from negaudit.comparing.views import comparison_grids as comparison_grids
    from negaudit.controls.builder import build_controls as build_controls
    from negaudit.controls.recipe import Recipe as Recipe
    from negaudit.controls.recipe import choose_recipes as choose_recipes
    from negaudit.controls.recipe import inline_recipe as inline_recipe
    from negaudit.controls.recipe import load_recipe as load_recipe
    from negaudit.controls.recipe import shipped_recipes as shipped_recipes
    from negaudit.data.collection import Collection as Collection
    from negaudit.data.dataset import open_collection as open_collection
    from negaudit.data.exports.converter import convert as convert
    from negaudit.data.formats.format import formats as formats
    from negaudit.data.formats.lookup import Lookup as Lookup
    from negaudit.data.formats.opening import open_source as open_source
    from negaudit.data.formats.opening import open_systems as open_systems
    from negaudit.data.formats.rejects import Rejects as Rejects
    from negaudit.data.record import Negative as Negative
    from negaudit.data.record import Record as Record
    from negaudit.data.showing import show as show
    from negaudit.data.source import NegativeSource as NegativeSource
    from negaudit.data.source import by_name as by_name
    from negaudit.data.store import write_source as write_source
    from negaudit.demonstration import run_demo as run_demo
    from negaudit.encoding.cache import default_cache_root as default_cache_root
    from negaudit.encoding.encoder import FrozenEncoder as FrozenEncoder
    from negaudit.encoding.encoder import load_encoder as load_encoder
    from negaudit.errors import MissingExtraError as MissingExtraError
    from negaudit.errors import NegauditError as NegauditError
    from negaudit.mining.bm25 import mine_bm25 as mine_bm25
    from negaudit.mining.bm25_index import Bm25Parameters as Bm25Parameters
    from negaudit.mining.cross_encoder import CrossEncoder as CrossEncoder
    from negaudit.mining.cross_encoder import load_cross_encoder as load_cross_encoder
    from negaudit.mining.dense import mine_dense as mine_dense
    from negaudit.mining.filters import CandidateFilters as CandidateFilters
    from negaudit.mining.hybrid import mine_hybrid as mine_hybrid
    from negaudit.mining.sweep import MarginYield as MarginYield
    from negaudit.mining.sweep import sweep_margins as sweep_margins
    from negaudit.reporting.record_view import records_view as records_view
    from negaudit.reporting.report import report as report
    from negaudit.reporting.report import report_changes as report_changes
    from negaudit.reporting.tables import changes_table as changes_table
    from negaudit.reporting.tables import review as review
    from negaudit.reporting.tables import run_review as run_review
    from negaudit.reporting.tables import score_table as score_table
    from negaudit.reporting.validation_table import validation_review as validation_review
    from negaudit.scoring.config import ScoreConfig as ScoreConfig
    from negaudit.scoring.scorer import ScoreResult as ScoreResult
    from negaudit.scoring.scorer import load_score as load_score
    from negaudit.scoring.scorer import score as score
    from negaudit.validating.validator import validate as validate

__version__ = "0.1.0"

_HOMES = {
    "AuditResult": "negaudit.auditing.auditor",
    "Bm25Parameters": "negaudit.mining.bm25_index",
    "CandidateFilters": "negaudit.mining.filters",
    "Collection": "negaudit.data.collection",
    "CrossEncoder": "negaudit.mining.cross_encoder",
    "FrozenEncoder": "negaudit.encoding.encoder",
    "Lookup": "negaudit.data.formats.lookup",
    "MarginYield": "negaudit.mining.sweep",
    "MatchConfig": "negaudit.comparing.match",
    "MissingExtraError": "negaudit.errors",
    "Negative": "negaudit.data.record",
    "NegativeSource": "negaudit.data.source",
    "NegauditError": "negaudit.errors",
    "Recipe": "negaudit.controls.recipe",
    "Record": "negaudit.data.record",
    "Rejects": "negaudit.data.formats.rejects",
    "ScoreConfig": "negaudit.scoring.config",
    "ScoreResult": "negaudit.scoring.scorer",
    "StabilityConfig": "negaudit.comparing.stability",
    "agreement": "negaudit.comparing.agreement",
    "audit": "negaudit.auditing.auditor",
    "build_controls": "negaudit.controls.builder",
    "by_name": "negaudit.data.source",
    "clean": "negaudit.auditing.clean",
    "criterion": "negaudit.auditing.encoders",
    "inline_recipe": "negaudit.controls.recipe",
    "load_criterion": "negaudit.auditing.encoders",
    "load_reference": "negaudit.auditing.reference",
    "changes_table": "negaudit.reporting.tables",
    "choose_recipes": "negaudit.controls.recipe",
    "convert": "negaudit.data.exports.converter",
    "formats": "negaudit.data.formats.format",
    "default_cache_root": "negaudit.encoding.cache",
    "load_audit": "negaudit.auditing.auditor",
    "load_cross_encoder": "negaudit.mining.cross_encoder",
    "compare": "negaudit.comparing.comparison",
    "comparison_grids": "negaudit.comparing.views",
    "load_comparison": "negaudit.comparing.documents",
    "load_encoder": "negaudit.encoding.encoder",
    "load_recipe": "negaudit.controls.recipe",
    "load_score": "negaudit.scoring.scorer",
    "match": "negaudit.comparing.match",
    "mine_bm25": "negaudit.mining.bm25",
    "mine_dense": "negaudit.mining.dense",
    "mine_hybrid": "negaudit.mining.hybrid",
    "open_collection": "negaudit.data.dataset",
    "open_source": "negaudit.data.formats.opening",
    "open_systems": "negaudit.data.formats.opening",
    "records_view": "negaudit.reporting.record_view",
    "rendered": "negaudit.comparing.grid",
    "report": "negaudit.reporting.report",
    "report_changes": "negaudit.reporting.report",
    "review": "negaudit.reporting.tables",
    "run_review": "negaudit.reporting.tables",
    "run_demo": "negaudit.demonstration",
    "score": "negaudit.scoring.scorer",
    "score_table": "negaudit.reporting.tables",
    "shipped_recipes": "negaudit.controls.recipe",
    "show": "negaudit.data.showing",
    "validate": "negaudit.validating.validator",
    "validation_review": "negaudit.reporting.validation_table",
    "sweep_margins": "negaudit.mining.sweep",
    "slices": "negaudit.comparing.slicing",
    "stability": "negaudit.comparing.stability",
    "write_comparison": "negaudit.comparing.documents",
    "write_source": "negaudit.data.store",
}
__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'negaudit' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
