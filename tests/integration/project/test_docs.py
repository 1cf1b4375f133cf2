"""The documentation: a site without warnings, a reference that is the code's, no dead link, a tutorial that runs."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from tests.integration.cli.test_commands import run
from tools import links, reference


@pytest.mark.parametrize("name", sorted(reference.PAGES))
def test_the_reference_is_what_the_code_says(name: str) -> None:
    text = reference.PAGES[name]()

    assert (reference.FOLDER / name).read_text() == text, "run make docs"
    told = [line.rpartition(" | ")[0] for line in text.splitlines() if line.startswith("| `COMPARATOR_")]
    assert not [line for line in told if line.endswith("` | ")], "a setting without a meaning"


def test_the_reference_has_every_command_with_every_option() -> None:
    text = reference.commands()

    for told in (
        "## comparator judge",
        "## comparator db restore",
        "`--budget`",
        "`--check`",
        "## comparator review import",
    ):
        assert told in text


def test_no_link_is_dead(repository: Path) -> None:
    assert list(links.dead_links(repository)) == []


def test_a_dead_link_is_found_with_its_page(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").write_text(
        "# A b?\n[x](gone.md) [y](b.md#no) [z](b.md#is-here) [w](https://example.org) `[v](no)`"
    )
    (tmp_path / "docs/b.md").write_text("## Is here?\n```\n[u](no.md)\n```\n[t](a.md#a-b)")

    assert list(links.dead_links(tmp_path)) == [
        "docs/a.md: gone.md is not there.",
        "docs/a.md: b.md#no names a heading that is not there.",
    ]


@pytest.mark.slow
def test_the_site_is_built_without_a_warning(repository: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "-b", "html", "docs", str(tmp_path / "site")],
        cwd=repository, capture_output=True, text=True, timeout=170, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    for page in ("index", "tutorial", "reference/commands", "operations", "decisions/index"):
        assert (tmp_path / "site" / f"{page}.html").is_file()


@pytest.mark.slow
def test_every_command_of_the_tutorial_runs(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (repository / "docs" / "tutorial.md").read_text()
    commands = re.findall(r"^\$ (.*)$", text, re.MULTILINE)
    monkeypatch.setenv("COMPARATOR_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    codes: dict[str, int] = {}

    for line in commands:
        program, *arguments = shlex.split(line)
        if program == "python":
            subprocess.run([sys.executable, repository / arguments[0], *arguments[1:]], check=True)
        elif arguments != ["serve"]:
            done = run(*arguments)
            codes[arguments[0]] = done.exit_code
            assert done.exit_code in (0, 11), f"{line}: {done.output}"

    assert len(commands) == 12
    assert codes["decide"] == 11
    assert (tmp_path / "report.html").is_file()
    assert (tmp_path / "results.zip").is_file()


def test_the_first_screen_moves_and_is_small(repository: Path) -> None:
    readme = (repository / "README.md").read_text()
    picture = repository / "docs" / "screenshots" / "tour.webp"

    assert "docs/screenshots/tour.webp" in readme[: readme.index("## ")]
    assert picture.stat().st_size < 3_000_000
    with Image.open(picture) as shown:
        assert getattr(shown, "n_frames", 1) >= 5
