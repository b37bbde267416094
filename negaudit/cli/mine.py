"""`negaudit mine`: negative sources from a collection, and from one another."""

from __future__ import annotations

import typer

from negaudit.cli import mine_bm25, mine_dense, mine_hybrid

app = typer.Typer(help="Mine a negative source from a collection.")
app.command("bm25")(mine_bm25.bm25)
app.command("dense")(mine_dense.dense)
app.command("hybrid")(mine_hybrid.hybrid)
