"""What contributors are told holds: the paths that pages name, sizes of folders, short sentences, and versions."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from subprocess import check_output

import pytest
import yaml

from comparator import __version__
from tools import release

LONGEST_MEAN = 18
"""Words of a sentence, in the mean of a page."""
MOST_MODULES, FEWEST_ENTRIES = 16, 2
SIZED = ("bench/", "comparator/", "pages/", "tests/", "tools/")
MODULE = re.compile(r"(?<!/__init__)\.(?:py|m?js|css)$")
"""Code that somebody writes; a folder without any, such as that of the prompts, may have any size."""
ELSEWHERE = {"build", "dist", "comparison.json", "comparison.provenance.json", "evals.json", "utils.py"}
"""What is built, exported, brought in, or said not to be."""


@pytest.fixture(scope="session")
def tracked(repository: Path) -> tuple[str, ...]:
    """The files that git has or would take, by their paths in the repository."""
    listed = check_output(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=repository, text=True
    )
    return tuple(name for name in listed.splitlines() if (repository / name).is_file())


def paths_in(page: str) -> set[str]:
    """What a page names in backticks as files and folders; patterns and addresses are none."""
    named = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", page, flags=re.MULTILINE | re.DOTALL))
    path = re.compile(r"[\w.][\w./-]*(?:/|\.(?:py|js|mjs|css|md|toml|yml|json))|[\w.][\w.-]*(?:/[\w.-]+)+")
    return {name.rstrip("/") for name in named if path.fullmatch(name)}


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "CONTRIBUTING.md", "tests/README.md"])
def test_every_path_that_a_page_for_contributors_names_is_there(
    repository: Path, tracked: tuple[str, ...], page: str
) -> None:
    # A path may begin at any room, as a row of a table goes on from the one that it named.
    there = {"/".join(parts[start:end]) for parts in (name.split("/") for name in tracked)
             for start in range(len(parts)) for end in range(start + 1, len(parts) + 1)}  # fmt: skip
    named = paths_in((repository / page).read_text(encoding="utf-8"))

    assert named
    assert sorted(named - there - ELSEWHERE) == []


def test_every_builder_of_tests_is_on_their_page(repository: Path, tracked: tuple[str, ...]) -> None:
    page = (repository / "tests/README.md").read_text(encoding="utf-8")
    builders = [name.removeprefix("tests/") for name in tracked if name.startswith("tests/worlds/")]

    assert [name for name in builders if not name.endswith("__init__.py") and f"`{name}`" not in page] == []


def test_folders_are_small_and_hold_more_than_one_thing(tracked: tuple[str, ...]) -> None:
    modules: dict[str, set[str]] = {}
    entries: dict[str, set[str]] = {}
    for name in tracked:
        if name.startswith(SIZED) and MODULE.search(name):
            folder, _, entry = name.rpartition("/")
            modules.setdefault(folder, set()).add(entry)
            while folder:
                entries.setdefault(folder, set()).add(entry)
                folder, _, entry = folder.rpartition("/")

    assert len(entries) > 100
    assert [folder for folder, each in modules.items() if len(each) > MOST_MODULES] == []
    few = {folder for folder, each in entries.items() if len(each) < FEWEST_ENTRIES}
    assert few <= {"comparator/store/migrations", "comparator/store/migrations/versions"}, (
        "Alembic's own layout"
    )


def sentences_of(page: str) -> list[int]:
    """Words of each sentence of a page's prose; tables, headings and code have none."""
    page = re.sub(r"^```.*?^```\s*$|<!--.*?-->", "", page, flags=re.MULTILINE | re.DOTALL)
    page = re.sub(r"^(?:#.*|\|.*|\s*(?:[-*]|\d+\.)\s+)", "\n\n", page, flags=re.MULTILINE)
    page = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", page)
    ends = re.compile(r"\n\s*\n|(?<=[.!?])[\"”)*]*\s+(?=[A-Z0-9`\"“*(])")
    return [words for each in ends.split(page) if (words := len(re.findall(r"[\w`][\w'’./`-]*", each)))]


def test_sentences_of_every_page_are_short_in_the_mean(repository: Path, tracked: tuple[str, ...]) -> None:
    outputs = re.compile(r"examples/.+/")
    pages = [name for name in tracked if name.endswith(".md") and not outputs.match(name)]
    told = {name: sentences_of((repository / name).read_text(encoding="utf-8")) for name in pages}

    long = {name: sum(told[name]) / len(told[name]) for name in pages if told[name]}

    assert sentences_of("# Head\n\nOne two. Three `four` [five](x).\n- Six.\n| a | b |\n") == [2, 3, 1]
    assert len(long) > 60
    assert {name: mean for name, mean in long.items() if mean >= LONGEST_MEAN} == {}


def test_the_gate_runs_on_every_python_that_is_supported(repository: Path) -> None:
    workflow = yaml.safe_load((repository / ".github/workflows/check.yml").read_text(encoding="utf-8"))
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))

    assert workflow["jobs"]["check"]["strategy"]["matrix"]["python"] == named
    assert project["requires-python"] == f">={named[0]}"


def test_the_citation_names_this_version(repository: Path) -> None:
    cited = yaml.safe_load((repository / "CITATION.cff").read_text(encoding="utf-8"))

    assert str(cited["version"]) == __version__


def test_the_development_container_has_what_the_gate_installs(repository: Path) -> None:
    gate = (repository / ".ci/run").read_text(encoding="utf-8")
    container = json.loads((repository / ".devcontainer/devcontainer.json").read_text(encoding="utf-8"))
    added = re.findall(r"missing\+=\(([\w -]+)\)", gate) + re.findall(
        r"^for font in (.+); do$", gate, re.MULTILINE
    )
    needed = set(" ".join(added).split()) - {"python3-venv"}  # The image's own Python has venv.

    assert "fonts-noto-cjk" in needed
    assert needed <= set(container["postCreateCommand"].split())


def test_without_uv_a_release_says_that_uvx_was_not_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    release.try_uvx(tmp_path / "a.whl", tmp_path)

    assert capsys.readouterr().out == "uvx: not tried, uv is not installed\n"
