"""No key gets out, no word steers the terminal, and no file is lost without being named."""

import json
import os
import pty
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.browser.servers.serving import free_port
from tests.integration.cli.test_commands import PROMPT
from tests.loopback.server import LoopbackServer
from tests.worlds.process import command, run, wait_until
from tests.worlds.workbench import GOOD, POOR, reports_in

SECRETS = {"ANTHROPIC_API_KEY": "sk-planted-api-key-0001", "AWS_SECRET_ACCESS_KEY": "planted-aws-secret-0003"}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return reports_in(tmp_path)


def environment(place: Path, model: LoopbackServer, **more: str) -> dict[str, str]:
    ours = {"COMPARATOR_HOME": str(place / "home"), "ANTHROPIC_BASE_URL": model.base_url}
    return {**os.environ, **SECRETS, **ours, **more}


def printed(place: Path, model: LoopbackServer, *arguments: str) -> str:
    done = run(sys.executable, "-m", "comparator", *arguments, cwd=place, env=environment(place, model))
    return done.stdout + done.stderr


def command_lines() -> str:
    """Those of all processes of this machine that we may read, as `ps` shows them."""
    lines = []
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            lines.append(process.read_bytes().replace(b"\0", b" ").decode(errors="replace"))
        except OSError:
            continue
    return "\n".join(lines)


def clean(what: str, text: str) -> None:
    assert not [name for name, value in SECRETS.items() if value in text], what


@pytest.mark.slow
def test_no_key_gets_into_a_process_list_log_error_provenance_or_backup(place: Path) -> None:
    with LoopbackServer() as model:
        clean("result", printed(place, model, "judge", "--a", "v31", "--b", "v32", "--prompt", PROMPT))
        assert any("sk-planted" in str(request.headers) for request in model.requests), "the key was used"
        clean("provenance", (place / "comparison.provenance.json").read_text())
        clean("backup message", printed(place, model, "db", "backup", "all.tar"))
        clean("backup", (place / "all.tar").read_bytes().decode(errors="replace"))
        clean("doctor", printed(place, model, "doctor", "--json"))
        refused = {"COMPARATOR_DATABASE_URL": "postgresql://me:planted-password-0004@127.0.0.1:1/none"}
        command_line = (sys.executable, "-m", "comparator", "projects", "list")
        failed = run(*command_line, cwd=place, env=environment(place, model, **refused))
        assert failed.returncode == 2
        assert "planted-password" not in failed.stderr
        port, log = free_port(), place / "log"
        with log.open("w") as file:
            server = subprocess.Popen(
                [sys.executable, "-m", "comparator", "serve", "--no-examples", f"--port={port}"],
                env=environment(place, model, COMPARATOR_LOG="json"), stdout=file, stderr=file,
            )  # fmt: skip
            try:
                wait_until(lambda: "ready" in answer(port, "/ready"))
                clean("process list", command_lines())
                for path in ("/", "/media/none", "/live/none", "/changes", "/auth/login"):
                    clean(path, answer(port, path))
            finally:
                server.terminate()
                assert server.wait(timeout=40) in (0, -signal.SIGTERM)
        clean("log", log.read_text())
        log_lines = [json.loads(line) for line in log.read_text().splitlines()[1:]]
        assert {line["level"] for line in log_lines} <= {"debug", "info"}
        assert ("ready", 200) in {(line.get("area"), line.get("status")) for line in log_lines}
    for kept in (place / "home").rglob("*"):
        if kept.is_file():
            clean(str(kept), kept.read_bytes().decode(errors="replace"))


def answer(port: int, path: str) -> str:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as response:
            return str(response.read())
    except urllib.error.HTTPError as error:
        return str(error.read())
    except OSError:
        return ""


EVIL = "Bad\x1b]0;owned\x07\u009b31m\u202etxet\u2066\x08\r\x7f"
STEERING = {*range(9), *range(11, 32), *range(0x7F, 0xA0), 0x202E, 0x2066}
COMMANDS = (
    *(("list",), ("list", "--json"), ("projects", "list"), ("projects", "set", "{project}", "{evil}")),
    *(("show", "{comparison}"), ("merge", "{project}", "{evil}", "--into", "no-such")),
    ("reveal", "{project}"),
    ("decide", "--project", "{project}", "--candidate", "no-such", "--baseline", "{evil}"),
    *(("batch", "list"), ("batch", "start", "{project}")),
    *(("export", "{project}", "--format", "csv", "--out", "-"), ("list", "{evil}"), ("show", "--{evil}")),
    ("{evil}",),
)


END = "- - - end of a command"
ONE_BY_ONE = f"""
import json, sys
from comparator.cli import main
streams = sys.stdout, sys.stderr
for words in json.loads(sys.argv[1]):
    sys.argv[1:] = words
    try:
        main()
    except SystemExit:
        sys.stdout, sys.stderr = streams
    print("{END}", flush=True)
"""


def on_terminal(folder: Path, commands: Sequence[Sequence[str]]) -> list[str]:
    """What each of these commands wrote to the terminal that all of them ran on."""
    leader, follower = pty.openpty()
    ours = {"COMPARATOR_HOME": str(folder / "home"), "COMPARATOR_JUDGE": "offline"}
    environment = {**os.environ, **ours, "TERM": "dumb", "NO_COLOR": "1"}
    with subprocess.Popen(
        [sys.executable, "-c", ONE_BY_ONE, json.dumps(commands)],
        stdin=subprocess.DEVNULL, stdout=follower, stderr=follower, cwd=folder, env=environment,
    ) as process:  # fmt: skip
        os.close(follower)
        data = b""
        try:
            while piece := os.read(leader, 65536):
                data += piece
        except OSError:
            pass
        process.wait(timeout=60)
    os.close(leader)
    # The terminal itself turns each line end into two characters.
    return data.decode("utf-8", "replace").replace("\r\n", "\n").split(f"{END}\n")[:-1]


def test_no_command_hands_on_a_sign_that_steers_a_terminal_and_json_keeps_it_as_an_escape(
    tmp_path: Path,
) -> None:
    # Project, title, prompt, outputs and candidates of a judged pair steer terminals.
    row = {"prompt": f"{EVIL} Write.", "output_a": f"{GOOD}{EVIL}", "output_b": POOR, "title": EVIL,
           "candidate_a": f"one{EVIL}", "candidate_b": f"two{EVIL}", "task_id": EVIL}  # fmt: skip
    (tmp_path / "rows.jsonl").write_text(json.dumps(row))
    code, said = command(tmp_path, "import", "rows.jsonl", "--project", f"P{EVIL}", "--judge", "now")
    assert code == 0, said
    (pair,) = json.loads(command(tmp_path, "list", "--json")[1])["comparisons"]
    values = {"project": f"P{EVIL}", "comparison": pair["id"], "evil": EVIL}
    filled = [[part.format(**values) for part in words] for words in COMMANDS]

    texts = dict(zip(COMMANDS, on_terminal(tmp_path, filled), strict=True))

    for words, text in texts.items():
        assert text.strip(), words
        assert not STEERING & {ord(character) for character in text}, (words, text)
    title = json.loads(texts["list", "--json"])["comparisons"][0]["title"]
    assert title.startswith("Bad\x1b]0;owned\x07\x9b31m\u202e")


@pytest.fixture
def archived(tmp_path: Path) -> Path:
    """A folder with a home that holds two pairs, and an archive of them."""
    rows = [{"prompt": f"Write {n}.", "output_a": f"{GOOD}{n}", "output_b": f"{POOR}{n}"} for n in range(2)]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert command(tmp_path, "import", "rows.jsonl", "--project", "Harvest")[0] == 0
    assert command(tmp_path, "db", "backup", "old.tar")[0] == 0
    return tmp_path


@pytest.mark.parametrize("how", ["removed", "unreadable place"])
def test_a_lost_file_is_named_and_an_older_archive_brings_it_back(archived: Path, how: str) -> None:
    blobs = (path for path in (archived / "home/blobs").rglob("*") if path.is_file())
    (blob,) = (path for path in blobs if path.read_text("utf-8", "replace") == f"{GOOD}1")
    blob.unlink()
    if how == "unreadable place":
        blob.symlink_to(archived / "nowhere")

    code, said = command(archived, "db", "backup", "new.tar")

    assert code == 2
    assert "Lost" in said
    assert "in the project Harvest" in said
    code, said = command(archived, "db", "restore", "new.tar", home="one")
    assert code == 2
    assert "in the project Harvest" in said
    assert command(archived, "db", "restore", "old.tar", home="two")[0] == 0
    new = archived / "new.tar"
    new.write_bytes(new.read_bytes()[: new.stat().st_size // 2])
    assert command(archived, "db", "restore", "new.tar", home="three")[0] == 2


def test_purged_files_are_not_lost(archived: Path) -> None:
    code, said = command(archived, "purge", "project", "Harvest", "--reason", "done", "--yes")
    assert code == 0, said

    code, said = command(archived, "db", "backup", "new.tar")

    assert (code, "Lost" in said) == (0, False)
    assert command(archived, "db", "restore", "new.tar", home="one")[0] == 0
