"""What contributors are told holds: the paths that pages name, and the version."""

import re
from pathlib import Path
from subprocess import check_output

import pytest
import yaml

from comparator import __version__

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


def test_the_citation_names_this_version(repository: Path) -> None:
    cited = yaml.safe_load((repository / "CITATION.cff").read_text(encoding="utf-8"))

    assert str(cited["version"]) == __version__
