"""The manual's page of commands, made from the program itself: python -m negaudit.cli.reference > docs/commands.md."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from negaudit.cli.app import EPILOG, command
from negaudit.cli.configuration import leaves

if TYPE_CHECKING:
    from typer._click.core import Command, Context, Parameter

HEAD = "# Commands\n\nWritten by `python -m negaudit.cli.reference > docs/commands.md`; a test fails where it is not current."


def reference() -> str:
    """Return the page: every command with its help, usage, arguments and options, as Markdown."""
    root = command()
    context = root.context_class(root, info_name="negaudit")
    return "\n\n".join([HEAD, EPILOG, *(_section(context, names, leaf) for names, leaf in leaves(root))]) + "\n"


def _section(above: Context, names: tuple[str, ...], leaf: Command) -> str:
    context = leaf.context_class(leaf, info_name=" ".join(names), parent=above)
    usage = " ".join(["negaudit", *names, *leaf.collect_usage_pieces(context)])
    rows = [row for parameter in leaf.get_params(context) if (row := _row(parameter, context))]
    table = "\n".join(["| option | what it does |", "| --- | --- |", *rows])
    return f"## negaudit {' '.join(names)}\n\n{inspect.cleandoc(leaf.help or '')}\n\n    {usage}\n\n{table}"


def _row(parameter: Parameter, context: Context) -> str | None:
    record = parameter.get_help_record(context)
    if record is None:
        return None
    name, text = (" ".join(part.split()).replace("|", "\\|") for part in record)
    return f"| `{name}` | {text} |"


if __name__ == "__main__":
    print(reference(), end="")
