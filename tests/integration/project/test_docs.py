"""The documentation: a site without warnings, a reference that is the code's, no dead link, a tutorial that runs."""

import re
import shlex
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path
from subprocess import check_output
from typing import Any, NamedTuple

import pytest
import typer.main
import yaml

from comparator import __version__
from comparator.cli import app
from tests.loopback.server import LoopbackServer
from tools import reference


def test_the_reference_has_every_command_with_every_option_and_every_setting() -> None:
    text = reference.commands()

    headings = "## comparator judge", "## comparator db restore", "## comparator review import"
    for heading in (*headings, "`--budget`", "`--poll`"):
        assert heading in text
    rows = [row.rpartition(" | ")[0] for row in reference.settings_page().splitlines()]
    settings = [row for row in rows if row.startswith("| `COMPARATOR_")]
    assert settings
    assert not [row for row in settings if row.endswith("` | ")], "a setting without a meaning"


def test_no_link_of_the_pages_at_the_root_is_dead(repository: Path) -> None:
    link = re.compile(r"\]\((?![a-z]+:|#)([^)#\s]+)|(?:src|href)=\"(?!https?:)([^\"#]+)\"")
    linked = {
        (page.name, match[1] or match[2])
        for page in repository.glob("*.md")
        for match in link.finditer(page.read_text())
    }

    assert len(linked) > 20
    assert sorted(mention for mention in linked if not (repository / mention[1]).exists()) == []


def test_every_test_that_a_page_names_is_there(repository: Path) -> None:
    path = re.compile(r"\b(?:unit|integration|app|browser|attack|loopback|worlds)/[\w/]+\.py\b")
    named = {
        (page.name, mention)
        for page in repository.glob("docs/**/*.md")
        for mention in path.findall(page.read_text())
    }

    assert len(named) > 80, "the threat model and the ASVS page name the test of each claim"
    assert sorted(mention for mention in named if not (repository / "tests" / mention[1]).is_file()) == []


@pytest.mark.slow
def test_the_site_is_built_without_a_warning(repository: Path, tmp_path: Path) -> None:
    reference.main()

    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "-b", "html", "docs", str(tmp_path / "site")],
        cwd=repository, capture_output=True, text=True, timeout=170, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    for page in ("index", "tutorial", "reference/commands", "operations", "decisions/index"):
        assert (tmp_path / "site" / f"{page}.html").is_file()


INSTALLING = ("make ", "python3 -m venv", ".venv/bin/python -m pip")
ELSEWHERE = (*INSTALLING, "comparator serve", ".venv/bin/comparator serve")
"""What installs or serves: test_locks, test_wheel and `make release` run it."""


@pytest.mark.slow
def test_commands_on_every_page_have_the_names_and_options_that_there_are(repository: Path) -> None:
    skill = repository / "integrations/skill/SKILL.md"
    pages = [repository / "README.md", *repository.glob("docs/**/*.md"), skill]
    lines = [line for page in pages for line in called(page.read_text())]

    wrong = [line for line in lines if not exists(shlex.split(line, comments=True))]

    assert len(lines) >= 59
    assert wrong == []
    assert not exists(["comparator", "reviel", "Drafting"])
    assert not exists(["comparator", "db", "backup", "--weekly"])


def called(text: str) -> Iterator[str]:
    """Calls of our command in a page's blocks, each alone and on one line."""
    for block in re.findall(r"^```(?:console|bash|sh)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            yield from re.findall(r"(?:^| |/bin/)(comparator (?!2>)[^|&]*)", line.removeprefix("$ "))


def exists(words: list[str]) -> bool:
    """Whether there is such a command with such options."""
    command: Any = typer.main.get_command(app)
    known = {option for param in command.params for option in param.opts}
    for word in words[1:]:
        inner = getattr(command, "commands", None)
        if inner is not None and not word.startswith("-"):
            command = inner.get(word)
            if command is None:
                return False
            known |= {option for param in command.params for option in (*param.opts, *param.secondary_opts)}
        elif word.startswith("-") and word != "-" and word.partition("=")[0] not in {*known, "--help", "-h"}:
            return False
    return True


class Ran(NamedTuple):
    """A command of a page, what stands below it there, and what it did."""

    line: str
    expected: str
    code: int
    printed: str


def run_page(page: Path, checkout: Path, *, server: str = "") -> list[Ran]:
    """Type a page's commands into one shell, in a checkout in which `make run` ran; a key is one for `server`."""
    blocks = re.findall(r"^```console\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
    parts = [part for block in blocks for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    # A command, and the output that is shown below it.
    matches = [re.fullmatch(r"((?:[^\n]*\\\n)*[^\n]*)\n(.*)", part, re.DOTALL) for part in parts]
    typed = [match.groups() for match in matches if match and not match[1].startswith(ELSEWHERE)]
    script = checkout / "typed.sh"
    keyed = f"export ANTHROPIC_BASE_URL={server}\nexport ANTHROPIC_API_KEY="
    lines = (line.replace("export ANTHROPIC_API_KEY=", keyed) for line, _ in typed)
    script.write_text("".join(f"{line}\necho @@$?@@\n" for line in lines))
    done = subprocess.run(
        ["bash", script], cwd=checkout, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, timeout=580, check=False,
    )  # fmt: skip
    *printed, _ = re.split(r"@@(\d+)@@\n", done.stdout)
    runs = zip(typed, printed[1::2], printed[::2], strict=True)
    return [Ran(line, expected, int(code), out) for (line, expected), code, out in runs]


@pytest.fixture
def checkout(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The examples, and an environment with our command, as in a new clone; nothing of ours is on the path."""
    venv.create(tmp_path / ".venv")
    command = tmp_path / ".venv/bin/comparator"
    command.write_text(f'#!/bin/sh\nexec env PYTHONPATH={repository} {sys.executable} -m comparator "$@"\n')
    command.chmod(0o755)
    (tmp_path / "examples").symlink_to(repository / "examples")
    monkeypatch.setenv("COMPARATOR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    return tmp_path


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_every_command_of_the_readme_prints_what_is_shown(repository: Path, checkout: Path) -> None:
    with LoopbackServer() as model:
        ran = run_page(repository / "README.md", checkout, server=model.base_url)

    assert [example for example in ran if example.code not in (0, 11)] == []
    assert [example for example in ran if example.expected not in example.printed] == []
    assert {example.code for example in ran if example.line.startswith("comparator decide")} == {11}
    assert len(ran) == 13
    assert any(example.expected for example in ran)
    assert model.requests, "the key makes the model the judge"


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_every_command_of_the_tutorial_runs_as_written(repository: Path, checkout: Path) -> None:
    ran = run_page(repository / "docs/tutorial.md", checkout)

    assert [example for example in ran if example.code not in (0, 11)] == []
    assert {example.code for example in ran if example.line.startswith("comparator decide")} == {11}
    assert len(ran) == 12
    assert (checkout / "report.html").is_file()
    assert (checkout / "results.zip").is_file()


NOT_HERE = {"build", "dist", "comparison.json", "comparison.provenance.json", "evals.json", "utils.py"}
"""What is built, exported, brought in, or said not to be."""


def paths_in(page: str) -> set[str]:
    """What a page names in backticks as files and folders; patterns and addresses are none."""
    named = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", page, flags=re.MULTILINE | re.DOTALL))
    path = re.compile(r"[\w.][\w./-]*(?:/|\.(?:py|js|mjs|css|md|toml|yml|json))|[\w.][\w.-]*(?:/[\w.-]+)+")
    return {name.rstrip("/") for name in named if path.fullmatch(name)}


def test_every_path_that_a_page_for_contributors_names_is_there(repository: Path) -> None:
    # What git has or would take.
    git = ["git", "ls-files", "-co", "--exclude-standard"]
    listed = check_output(git, cwd=repository, text=True).splitlines()
    # A path may begin at any room, as a row of a table goes on from the one that it named.
    there = {"/".join(parts[start:end])
             for parts in (name.split("/") for name in listed if (repository / name).is_file())
             for start in range(len(parts)) for end in range(start + 1, len(parts) + 1)}  # fmt: skip
    for page in ("ARCHITECTURE.md", "CONTRIBUTING.md", "tests/README.md"):
        named = paths_in((repository / page).read_text(encoding="utf-8"))

        assert named
        assert sorted(named - there - NOT_HERE) == []


def test_the_citation_names_this_version(repository: Path) -> None:
    cited = yaml.safe_load((repository / "CITATION.cff").read_text(encoding="utf-8"))

    assert str(cited["version"]) == __version__
