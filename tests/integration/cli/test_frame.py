"""The command line behaves as scripts expect: streams, pipes, full disks, interrupts, `-` and `--quiet`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from comparator import __version__
from comparator.domain.scoring.result import ComparisonResult
from tests.app.conftest import wait_until
from tests.integration.cli.test_commands import PROMPT, run
from tests.loopback.server import LoopbackServer
from tests.worlds.workbench import GOOD, POOR

CHINESE = "请为收成写一份简短的报告，要有标题、总重量和按田地划分的表格。" * 3
"""93 characters, far more bytes than a file's name may have."""


@pytest.fixture
def outputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPARATOR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COMPARATOR_JUDGE", "offline")
    monkeypatch.chdir(tmp_path)
    for name, text in (("v31", GOOD), ("v32", POOR)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "report.md").write_text(text)
    return tmp_path


def command(
    *arguments: str, stdin: str = "", stdout: int = subprocess.PIPE
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "comparator", *arguments],
        input=stdin, stdout=stdout, stderr=subprocess.PIPE, text=True, timeout=120, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("flag", ["--version", "-h", "--help"])
def test_version_and_help_are_asked_for_as_everywhere(flag: str) -> None:
    done = run(flag)

    assert done.exit_code == 0
    assert (__version__ if flag == "--version" else "Usage") in done.stdout


def test_on_windows_one_sentence_says_where_it_runs() -> None:
    started = "import sys; sys.platform = 'win32'; import comparator.cli"

    done = subprocess.run([sys.executable, "-c", started], capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert done.stderr.startswith("Blind Comparator does not run on Windows itself")
    assert "Traceback" not in done.stderr


def test_the_bare_command_says_what_to_do_first() -> None:
    done = run()

    assert done.exit_code == 0
    assert "comparator serve" in done.stdout
    assert "comparator judge" in done.stdout


def test_completion_is_offered() -> None:
    assert "_COMPARATOR_COMPLETE" in run("--show-completion", "bash").stdout or run("--help").stdout.count(
        "--install-completion"
    )


@pytest.mark.slow
def test_quiet_leaves_errors_and_results(outputs: Path) -> None:
    done = command("--quiet", "judge", "--a", "v31", "--b", "v32", "--prompt", PROMPT, "--json")
    wrong = command("--quiet", "judge", "--a", "missing", "--b", "v32", "--prompt", PROMPT)

    assert done.returncode == 0
    assert done.stderr == ""
    assert ComparisonResult.from_json(done.stdout).winner == "TIE"
    assert wrong.returncode == 2
    assert "missing" in wrong.stderr


def test_prompt_and_expectations_come_from_standard_input_and_the_result_goes_to_standard_output(
    outputs: Path,
) -> None:
    done = command("judge", "--a", "v31", "--b", "v32", "--prompt", "-", "--out", "-", stdin=PROMPT)
    listed = run(
        "judge", "--a", "v31", "--b", "v32", "--prompt", PROMPT, "--expectations", "-", "--out", "-",
        stdin="The report has a table\n",
    )  # fmt: skip

    assert ComparisonResult.from_json(done.stdout).winner == "TIE"
    assert not list(outputs.glob("*.json"))
    assert listed.exit_code == 0, listed.stderr


def test_a_prompt_of_any_script_and_length_is_a_prompt(outputs: Path) -> None:
    for prompt in (CHINESE, CHINESE * 2, "x/" * 90, "a\0b"):
        done = run("judge", "--a", "v31", "--b", "v32", "--prompt", prompt, "--out", "-")

        assert done.exit_code == 0, done.output


@pytest.mark.parametrize("option", ["--a", "--b", "--reference", "--input", "--out", "--expectations"])
def test_a_path_that_no_file_can_have_is_a_sentence_before_anything_is_paid(
    outputs: Path, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    given = {"--a": "v31", "--b": "v32", "--prompt": PROMPT} | {option: f"x/{'y' * 5_000}/z"}
    with LoopbackServer() as model:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", model.base_url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "any-key")
        monkeypatch.setenv("COMPARATOR_JUDGE", "anthropic")

        done = run("judge", *(part for pair in given.items() for part in pair))

        assert done.exit_code == 2
        assert "Traceback" not in done.output
        assert len(done.output) < 1_000
        assert not model.requests


def test_an_unwritable_place_is_refused_before_anything_is_paid(
    outputs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with LoopbackServer() as model:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", model.base_url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "any-key")
        monkeypatch.setenv("COMPARATOR_JUDGE", "anthropic")
        monkeypatch.setattr(os, "access", lambda _, mode: mode != os.W_OK)

        done = run("judge", "--a", "v31", "--b", "v32", "--prompt", PROMPT, "--out", "there.json")

        assert done.exit_code == 2
        assert "may not be written" in done.output
        assert not model.requests


def test_a_reader_that_stops_and_a_full_disk_are_no_tracebacks(outputs: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as closed:
        piped = command("schema", stdout=closed.fileno())
    with open("/dev/full", "w") as full:  # noqa: PTH123  # a device
        filled = command("schema", stdout=full.fileno())

    assert (piped.returncode, piped.stderr) == (0, "")
    assert (filled.returncode, filled.stderr) == (2, "The output could not be written: the disk is full.\n")


def test_an_interrupt_says_what_is_kept(outputs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with LoopbackServer(latency=30) as model:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", model.base_url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "any-key")
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


def test_colours_are_left_out_where_the_environment_says_so(
    outputs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("FORCE_COLOR", "1")

    assert "\x1b[3" not in command("--help").stdout
