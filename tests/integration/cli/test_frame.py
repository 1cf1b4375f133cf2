"""The command line behaves as scripts expect: streams, pipes, full disks, interrupts, `-` and `--quiet`."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from typer.testing import CliRunner, Result

from comparator import __version__
from comparator.cli import app
from comparator.domain.scoring.result import ComparisonResult
from tests.integration.cli.test_commands import PROMPT
from tests.loopback.server import LoopbackServer
from tests.worlds.process import invoke, wait_until
from tests.worlds.workbench import GOOD, reports_in


@pytest.fixture
def outputs(here: Path) -> Path:
    return reports_in(here)


def command(*arguments: str, stdout: int) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "comparator", *arguments],
        stdout=stdout, stderr=subprocess.PIPE, text=True, timeout=120, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("flag", ["--version", "-h", "--help"])
def test_version_and_help_are_asked_for_as_everywhere(flag: str) -> None:
    done = invoke(flag)

    assert done.exit_code == 0
    assert (__version__ if flag == "--version" else "Usage") in done.stdout


def leaves(command: Any, *before: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """All commands with their words."""
    inner = getattr(command, "commands", None)
    if inner is None:
        yield before, command
    for name, subcommand in (inner or {}).items():
        yield from leaves(subcommand, *before, name)


COMMANDS = dict(leaves(typer.main.get_command(app)))


def test_every_command_takes_quiet_after_its_name_as_before_it(outputs: Path) -> None:
    for words in COMMANDS:
        assert "--quiet" in invoke(*words, "--help").stdout, words
    assert invoke("judge", "--a", "v31", "--b", "v32", "--prompt", PROMPT).exit_code == 0

    done = invoke("export", "csv", "--out", "scores.csv", "--quiet")

    assert (done.exit_code, done.output) == (0, "")
    assert (outputs / "scores.csv").is_file()
    assert "1 comparison written" in invoke("export", "csv", "--out", "scores.csv").stderr


def test_no_command_breaks_on_a_path_that_no_file_can_have(outputs: Path) -> None:
    # The export of a person looks for the person first.
    parameters = [
        (words, parameter)
        for words, command in COMMANDS.items()
        for parameter in command.params
        if "Path" in str(parameter.type_descriptor.annotation) or parameter.name == "out"
        if words != ("people", "export")
    ]
    for words, long in parameters:
        given: list[str] = []
        for parameter in COMMANDS[words].params:
            value = "x" * 5_000 if parameter is long else "v31"
            if parameter is long or parameter.required:
                given += [value] if parameter.param_type_name == "argument" else [parameter.opts[0], value]
        if words == ("export",):
            given = ["csv", *given[-2:]]

        done = invoke(*words, *given)

        assert done.exit_code == 2, (given, done.output)
        assert "File name too long" in done.output
        assert len(done.output) < 1_000


def test_results_and_inputs_go_through_a_pipe_wherever_a_path_is_taken(outputs: Path) -> None:
    def piped(*arguments: str, given: bytes = b"", home: Path | None = None) -> Result:
        env = {"COMPARATOR_HOME": str(home)} if home else None
        done = CliRunner().invoke(app, ["--quiet", *arguments], input=given, env=env)
        assert done.exit_code == 0, done.output
        return done

    table = b"prompt,output_a,output_b\nDescribe the harvest.,one,two\n"

    piped("import", "-", "--project", "Piped", given=table)
    judged = piped("judge", "--a", "-", "--b", "v32", "--prompt", PROMPT, "--out", "-", given=GOOD.encode())
    scores = piped("export", "csv", "--out", "-")
    archive = piped("db", "backup", "-")
    piped("db", "restore", "-", given=archive.stdout_bytes, home=outputs / "restored")

    assert ComparisonResult.from_json(judged.stdout).winner == "TIE"
    assert json.loads(piped("projects", "list", "--json").stdout)[1]["name"] == "Piped"
    assert scores.stdout.startswith("\ufeffcomparison,")
    assert not (outputs / "-").exists()
    twice = invoke("judge", "--a", "-", "--b", "v32", "--prompt", "-")
    assert (twice.exit_code, twice.output) == (
        2, "Standard input can be read only once. Use - for one input, and files for the others.\n",
    )  # fmt: skip


def test_an_unwritable_place_is_refused_before_anything_is_paid(
    outputs: Path, monkeypatch: pytest.MonkeyPatch, model: LoopbackServer
) -> None:
    monkeypatch.setenv("COMPARATOR_JUDGE", "anthropic")
    monkeypatch.setattr(os, "access", lambda _, mode: mode != os.W_OK)

    done = invoke("judge", "--a", "v31", "--b", "v32", "--prompt", PROMPT, "--out", "there.json")

    assert done.exit_code == 2
    assert "cannot be written" in done.output
    assert not model.requests


@pytest.mark.slow
def test_a_reader_that_stops_and_a_full_disk_are_no_tracebacks(outputs: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as closed:
        piped = command("schema", stdout=closed.fileno())
    with open("/dev/full", "w") as full:  # noqa: PTH123  # a device
        filled = command("schema", stdout=full.fileno())

    assert (piped.returncode, piped.stderr) == (0, "")
    assert (filled.returncode, filled.stderr) == (2, "The output could not be written: the disk is full.\n")


@pytest.mark.slow
def test_an_interrupt_says_so(outputs: Path, monkeypatch: pytest.MonkeyPatch, model: LoopbackServer) -> None:
    model.latency = 30
    monkeypatch.setenv("COMPARATOR_JUDGE", "anthropic")
    process = subprocess.Popen(
        [sys.executable, "-m", "comparator", "judge", "--a", "v31", "--b", "v32", "--prompt", PROMPT],
        stderr=subprocess.PIPE, text=True,
        # Whoever started the tests in the background may have had interrupts ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    wait_until(lambda: bool(model.requests))
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)

    assert process.returncode == 130
    assert "What was stored is kept" in said
    assert "Traceback" not in said
