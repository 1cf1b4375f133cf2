"""Render commands: read strictly, run without a shell and within limits; what they make is treated like an output."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from comparator.domain.errors import InputError
from comparator.domain.pair.view import PageEvidence
from comparator.outputs.pictures.camera import PageFile
from comparator.outputs.pictures.command import Commands

FILE = PageFile("src/App.jsx", "text/javascript", b"export default () => 1")


def commands(tmp_path: Path, body: str, *, seconds: float = 10.0, memory: int = 500_000_000) -> Commands:
    script = tmp_path / "render it.py"
    script.write_text(f"import sys, os, time\nsource, out = sys.argv[1:3]\n{body}\n", encoding="utf-8")
    parsed = Commands.parse(f".jsx: {sys.executable} '{script}' {{in}} {{out}}")
    return Commands(parsed.lines, seconds=seconds, memory=memory)


def evidence(found: Commands, opened: list[tuple[str, bytes]] | None = None) -> PageEvidence:
    def open_page(name: str, files: Sequence[PageFile]) -> PageEvidence | None:
        if opened is not None:
            opened.append((name, next(file.data for file in files if file.name == name)))
        return PageEvidence(errors=("opened",))

    return found.evidence(FILE.name, [FILE], open_page=open_page)


@pytest.mark.parametrize(
    "text",
    ["jsx: node {in} {out}", ".jsx node {in} {out}", ".jsx: node {in}", ".jsx: ", ".jsx: node '{in} {out}"],
)
def test_a_line_that_does_not_fit_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(InputError, match="render command"):
        Commands.parse(text)


def test_a_page_that_a_command_makes_is_rebuilt_and_opened_where_the_file_lay(tmp_path: Path) -> None:
    opened: list[tuple[str, bytes]] = []
    head = "<meta name=author content=me>"
    body = f"text = open(source).read(); open(out + '.html', 'w').write('{head}<p>' + text + '</p>')"

    found = evidence(commands(tmp_path, body), opened)

    assert found.errors == ("opened",)
    ((name, page),) = opened
    assert name == "src/App.jsx.rendered.html"
    assert page == b'<meta name="author" content="a person"><p>export default () => 1</p>'


def test_a_command_sees_neither_our_environment_nor_runs_in_a_shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    opened: list[tuple[str, bytes]] = []
    body = "open(out + '.html', 'w').write('<p>' + ' '.join(sorted(os.environ)) + '</p>')"

    evidence(commands(tmp_path, body), opened)

    names = opened[0][1].decode().removeprefix("<p>").removesuffix("</p>").split()
    assert {"HOME", "PATH", "TMPDIR"} <= set(names) <= {"HOME", "PATH", "TMPDIR", "LC_CTYPE"}
    assert not (tmp_path / "owned").exists()
    echo = Commands.parse(f".jsx: echo {{in}} {{out}}; touch {tmp_path / 'owned'}")
    assert "nothing" in evidence(echo).problem
    assert not (tmp_path / "owned").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("time.sleep(60)", "longer than 1 seconds"),
        ("if os.fork() == 0: time.sleep(60)\ntime.sleep(60)", "longer than 1 seconds"),
        ("kept = b'x' * 300_000_000; time.sleep(60)", "memory"),
        ("sys.exit(3)", "exit code 3"),
        ("pass", "wrote nothing"),
        ("os.symlink('/etc/passwd', out + '.html')", "wrote nothing"),
        ("f = open(out, 'wb'); [f.write(b'x' * 1_000_000) for _ in range(100)]", "exit code"),
    ],
)
def test_a_command_that_goes_wrong_is_ended_and_told(tmp_path: Path, body: str, said: str) -> None:
    # On a busy machine a second is not enough to go wrong in any other way.
    seconds = 1.0 if "longer" in said else 60.0
    found = evidence(commands(tmp_path, body, seconds=seconds, memory=150_000_000))

    assert said in found.problem
    assert found.pictures == ()
