"""The checks of an audit: run on every source, flags and examples written, sources compared with the genuine ones."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from negaudit.auditing.check_profile import COMPARISON
from negaudit.auditing.comparison import sums_of, with_comparisons
from negaudit.auditing.examples import examples, write_examples
from negaudit.auditing.flags import flag_writer
from negaudit.auditing.run_checks import CheckRun, run_checks
from negaudit.text.tokenizers import get_tokenizer

Report = Callable[[str, int, int], None]


def checked_run(run: CheckRun, out: Path | None = None, report: Report | None = None) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the summaries by source and check; with `out`, write flags.parquet and examples.parquet there.

    One source's texts are held at a time. What is kept of each are its summaries, a sum per record and check, and its few examples.
    """
    tokenizer = get_tokenizer(run.config.tokenizer)
    summaries, sums, rows = {}, {}, []
    with ExitStack() as stack:
        writer = stack.enter_context(flag_writer(out)) if out is not None else None
        for checked in run_checks(run, report):
            name = checked.sample.name
            summaries[name] = {check: outcome.summary for check, outcome in checked.outcomes.items()}
            sums[name] = sums_of(checked.outcomes)
            if writer is not None:
                writer.add(checked)
                rows += list(examples(checked, tokenizer, run.config.seed))
    if out is not None:
        write_examples(rows, out)
    genuine = [name for name, source in run.sources.items() if source.role == "genuine"]
    return with_comparisons(summaries, sums, genuine, run.profile.of(COMPARISON))
