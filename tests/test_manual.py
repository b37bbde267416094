"""The manual builds as a site without a warning, shows commands that exist, and leaves no page out."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from negaudit.cli.app import command
from negaudit.cli.configuration import leaves, options
from negaudit.reporting.wording import CHECKS, PROFILE

REPOSITORY = Path(__file__).resolve().parents[1]
DOCS = REPOSITORY / "docs"
PAGES = sorted(path for path in DOCS.rglob("*.md") if path.name != "commands.md")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if importlib.util.find_spec("mkdocs") is None or importlib.util.find_spec("material") is None:
        pytest.skip("mkdocs-material is not installed: pip install 'negaudit[docs]'")
    folder = tmp_path_factory.mktemp("site")
    built = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(built, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def test_every_page_is_in_the_site_and_in_its_navigation(site):
    start = (site / "index.html").read_text(encoding="utf-8")
    for page in DOCS.rglob("*.md"):
        name = page.relative_to(DOCS).with_suffix("").as_posix()
        name = name.removesuffix("/index")  # a folder's own page
        folder = site / ("" if name == "index" else name)
        assert (folder / "index.html").is_file(), name
        assert name == "index" or f'href="{name}/"' in start, f"{name} is not in the navigation"


def test_the_site_fetches_nothing_from_elsewhere(site):
    for file in site.rglob("*.html"):
        text = file.read_text(encoding="utf-8")
        fetched = re.findall(r"<(?:script|img|link|iframe)\b[^>]*\b(?:src|href)=[\"']?(https?://[^\"'\s>]+)", text)
        assert [address for address in fetched if "rel=canonical" not in address] == [], file


def test_the_search_finds_the_statistics(site):
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    text = " ".join(page["title"] for page in (index.get("docs") or index.get("items")))
    assert all(statistic.short in text for statistic in PROFILE)


def shown_commands() -> list[tuple[str, str]]:
    """The commands in the shell and YAML blocks of the manual, continued lines joined."""
    found = []
    for page in PAGES:
        for block in re.findall(r"```(?:sh|yaml)\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
            lines = block.replace("\\\n", " ").splitlines()
            found += [(page.relative_to(DOCS).as_posix(), line.strip()) for line in lines if re.match(r"\s*negaudit ", line)]
    return found


@pytest.mark.parametrize(("page", "line"), shown_commands())
def test_every_command_shown_exists_with_its_options(page, line):
    known = {" ".join(names): {f"--{name}" for name in options(leaf)} for names, leaf in leaves(command())}
    words = line.split()[1:]
    name = next((name for name in (" ".join(words[:2]), words[0]) if name in known), None)
    assert name, f"{page} shows an unknown command: {line}"
    assert {word for word in words if word.startswith("--")} <= known[name], line


def test_every_statistic_and_check_is_explained():
    page = (DOCS / "statistics.md").read_text(encoding="utf-8")
    for statistic in PROFILE:
        assert re.search(rf"^## .*\b{statistic.short}\b", page, re.MULTILINE), statistic.short
    for check in CHECKS.values():
        assert check.title.split()[0] in page, check.title
    sections = [part for part in page.split("\n## ")[1:] if not part.startswith("Checks")]
    for part in sections:
        assert re.search(r"\*\*(It does|They do) not", part), f"the section does not say what it does not show: {part.splitlines()[0]}"
