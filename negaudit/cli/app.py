"""The `negaudit` program: its commands, and what becomes of their errors (exit codes 0, 1, 2, 3)."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from typer.main import get_command

import negaudit
from negaudit.cli import (
    audit,
    clean,
    compare,
    controls,
    convert,
    criterion,
    demo,
    match,
    mine,
    report,
    score,
    sensitivity,
    show,
    slices,
    stability,
    validate,
)
from negaudit.cli.configuration import FILE_NAME, apply_environment, defaults_from_file, unknown_variables
from negaudit.errors import NegauditError

if TYPE_CHECKING:
    from typer._click.core import Command

OK, FLAGGED, BAD_INPUT, INTERNAL, INTERRUPTED, BROKEN_PIPE, TERMINATED = 0, 1, 2, 3, 130, 141, 143
EPILOG = (
    f"Every option is also read from the environment (NEGAUDIT_SEED for --seed) and from {FILE_NAME} in the working folder; "
    "options come before the environment, the environment before the file. "
    "Exit codes: 0 fine, 1 flagged, 2 bad usage or input, 3 internal error."
)

app = typer.Typer(name="negaudit", add_completion=False, pretty_exceptions_enable=False, pretty_exceptions_show_locals=False, epilog=EPILOG)
app.add_typer(mine.app, name="mine")
app.command()(score.score)
app.command()(sensitivity.sensitivity)
app.command()(controls.controls)
app.command()(audit.audit)
app.command()(criterion.criterion)
app.command()(clean.clean)
app.command()(compare.compare)
app.command()(match.match)
app.command()(stability.stability)
app.command()(slices.slices)
app.command()(report.report)
app.command()(validate.validate)
app.command()(convert.convert)
app.command()(show.show)
app.command()(demo.demo)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"negaudit {negaudit.__version__}")
        raise typer.Exit


@app.callback()
def negaudit_command(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")] = False,
) -> None:
    """Measure sets of hard negatives before a dense retriever is trained on them: mine, score, control, audit."""


def command() -> Command:
    """Return the whole program as one command, every option tied to its environment variable."""
    root = get_command(app)
    apply_environment(root)
    return root


def run(arguments: Sequence[str]) -> int:
    """Run the program and return its exit code; known errors become one line on stderr, unknown ones never look like a flag."""
    root = command()
    try:
        for name in unknown_variables(root):
            print(f"warning: environment variable {name} is none of negaudit's and was ignored", file=sys.stderr)
        _invoke(root, list(arguments) or ["--help"])
        sys.stdout.flush()
    except typer.Exit as stop:
        return stop.exit_code
    except NegauditError as error:
        return _failed(BAD_INPUT, f"error: {error}")
    except typer.TyperException as error:
        return _failed(BAD_INPUT, f"error: {_usage_message(error)}")
    except BrokenPipeError:
        return _reader_left()
    except SystemExit as stop:
        # rich turns a broken pipe into exit 1, which here means a flag.
        return _reader_left() if isinstance(stop.__context__, BrokenPipeError) else _failed(INTERNAL, f"internal error: exit {stop.code}")
    except (KeyboardInterrupt, typer.Abort):
        return _failed(INTERRUPTED, "interrupted")
    except Exception as error:
        message = " ".join(f"{type(error).__name__}: {error}".split())
        return _failed(INTERNAL, f"internal error: {message} (NEGAUDIT_DEBUG=1 shows the traceback)")
    return OK


def main() -> None:
    """Run the program on the command line's arguments and leave with its exit code; SIGTERM, too, takes temporary files along."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))
    sys.exit(run(sys.argv[1:]))


def _invoke(root: Command, arguments: list[str]) -> None:
    with root.make_context("negaudit", arguments, default_map=defaults_from_file(root)) as context:
        root.invoke(context)


def _reader_left() -> int:
    """Whoever read the output has left: say nothing, and keep the interpreter from flushing it again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return BROKEN_PIPE


def _failed(code: int, message: str) -> int:
    if os.environ.get("NEGAUDIT_DEBUG", "0") not in ("", "0"):
        traceback.print_exc()
    print(message, file=sys.stderr)
    return code


def _usage_message(error: typer.TyperException) -> str:
    """Return the message in one line, with the place a bad value came from and where to read on."""
    message = " ".join(error.format_message().split()).removesuffix(".")
    context = getattr(error, "ctx", None)
    if context is None:
        return message
    parameter = getattr(error, "param", None)
    source = context.get_parameter_source(parameter.name) if parameter is not None else None
    places = {"ENVIRONMENT": f" (from {getattr(parameter, 'envvar', '')})", "DEFAULT_MAP": f" (from {FILE_NAME})"}
    return f"{message}{places.get(source.name, '') if source else ''}; see '{context.command_path} --help'"


if __name__ == "__main__":
    main()
