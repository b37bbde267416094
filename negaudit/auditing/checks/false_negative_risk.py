"""The check `false_negative_risk`: negatives that may be positives nobody labelled."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from negaudit.auditing.checks.context import CheckContext
from negaudit.auditing.checks.contract import FLOATS, Finding
from negaudit.auditing.checks.judged import grades
from negaudit.auditing.checks.neighbor import own_positives
from negaudit.auditing.checks.registry import register
from negaudit.auditing.checks.risk_calibration import Calibration, calibrated, features, hidden_candidates

KEY = "risk_calibration"


@register
class FalseNegativeRisk:
    """A negative's value is the risk that it answers the query as the positive does.

    Where the collection has queries with several positives, the risk is a probability: what share of passages like it were positives
    when all but one of a query's positives were hidden. Else it is only whether the encoder puts it within a margin of the positive,
    which nobody has calibrated. A passage that the qrels judge not relevant bears no risk. The check speaks of risk: nothing was judged.
    """

    name: ClassVar[str] = "false_negative_risk"
    needs: ClassVar[frozenset[str]] = frozenset({"encoder"})

    def run(self, context: CheckContext) -> Finding:
        """Return the negatives at risk of one half or more; uncalibrated, those within the margin: by themselves `info`."""
        settings = context.profile.of(self.name)
        own = own_positives(context.sample) | np.isnan(context.s_neg)
        model = calibration(context)
        judged_off = np.nan_to_num(grades(context), nan=1.0) == 0
        if model is None:
            near = np.nan_to_num(context.s_neg - context.s_pos, nan=-2.0) >= -settings["margin"]
            values, flags = np.where(own, np.nan, context.s_neg - context.s_pos), ~own & near & ~judged_off
            margin = settings["margin"]
            where = f"within {margin} of the positive" if margin else "as near to the query as the positive, or nearer"
            reason = f"{int(flags.sum()):,} negatives are {where}, by the encoder; {UNCALIBRATED}"
            return Finding(values, flags, reason, most="info", details={"calibrated": False})
        values = _risk(context, model, own, judged_off)
        flags = np.nan_to_num(values) >= settings["risk"]
        told = ", ".join(f"{key} {model.report[key]:.2f}" for key in ("precision", "recall", "auc"))
        reason = (
            f"{int(flags.sum()):,} negatives bear a risk of {settings['risk']} or more of being unlabelled positives (calibrated on "
            f"{model.report['queries']:.0f} queries of this collection; on held-out ones: {told})"
        )
        return Finding(values, flags, reason, values, most="warn", details={"calibrated": True, **model.report})


UNCALIBRATED = "not calibrated, since the collection does not have enough queries with several positives"


def _risk(context: CheckContext, model: Calibration, own: np.ndarray, judged_off: np.ndarray) -> FLOATS:
    rows = np.nan_to_num(features(context.s_pos, context.s_neg, context.s_posneg))
    return np.where(own, np.nan, np.where(judged_off, 0.0, model.risk(rows)))


def calibration(context: CheckContext) -> Calibration | None:
    """Return the collection's calibration under this encoder, made once per run; None where its labels do not carry one."""
    if KEY not in context.shared:
        found = None
        if context.collection is not None and context.encoder is not None:
            found = hidden_candidates(context.collection, context.pool, context.encoder, context.seed)
        context.shared[KEY] = calibrated(found) if found is not None else None
    model: Calibration | None = context.shared[KEY]
    return model
