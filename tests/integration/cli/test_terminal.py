"""Words of others do not steer the terminal: control characters and changes of direction come out as signs."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.worlds.workbench import GOOD, POOR

EVIL = "Bad\x1b]0;owned\x07\u009b31m\u202etxet\u2066\x08\r\x7f"
STEERING = {*range(9), *range(11, 32), *range(0x7F, 0xA0), 0x202E, 0x2066}
COMMANDS = (
    ("list",),
    ("projects", "list"),
    ("projects", "set", "{project}", "{evil}"),
    ("show", "{comparison}"),
    ("merge", "{project}", "{evil}", "--into", "no-such"),
    ("reveal", "{project}"),
    ("decide", "--project", "{project}", "--candidate", "no-such", "--baseline", "{evil}"),
    ("batch", "list"),
    ("batch", "start", "{project}"),
    ("export", "{project}", "--format", "csv", "--out", "-"),
    ("list", "{evil}"),
    ("show", "--{evil}"),
    ("{evil}",),
)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a judged pair whose project, title, prompt, outputs and candidates steer terminals."""
    folder = tmp_path_factory.mktemp("terminal")
    for name, text in (("a", GOOD), ("b", POOR)):
        (folder / f"{name}.md").write_text(text + EVIL)
    rows = [{"prompt": f"{EVIL} Write.", "output_a": f"{GOOD}{EVIL}", "output_b": POOR, "title": EVIL,
             "candidate_a": f"one{EVIL}", "candidate_b": f"two{EVIL}", "task_id": EVIL}]  # fmt: skip
    (folder / "rows.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    done = on_terminal(folder, "import", "rows.jsonl", "--project", f"P{EVIL}", "--judge", "now")
    assert done[0] == 0, done[1]
    return folder


def on_terminal(folder: Path, *arguments: str) -> tuple[int, str]:
    """The exit code of a command, and what it wrote to the terminal that it ran on."""
    leader, follower = pty.openpty()
    environment = {
        **os.environ,
        "COMPARATOR_HOME": str(folder / "home"),
        "TERM": "dumb",
        "NO_COLOR": "1",
        "COMPARATOR_JUDGE": "offline",
    }
    with subprocess.Popen(
        [sys.executable, "-m", "comparator", *arguments],
        stdin=subprocess.DEVNULL, stdout=follower, stderr=follower, cwd=folder, env=environment,
    ) as process:  # fmt: skip
        os.close(follower)
        data = b""
        try:
            while piece := os.read(leader, 65536):
                data += piece
        except OSError:
            pass
        code = process.wait(timeout=60)
    os.close(leader)
    # The terminal itself turns each line end into two characters.
    return code, data.decode("utf-8", "replace").replace("\r\n", "\n")


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command[:2]))
def test_no_command_hands_on_a_sign_that_steers_a_terminal(home: Path, command: tuple[str, ...]) -> None:
    listed = json.loads(on_terminal(home, "list", "--json")[1])
    values = {"project": f"P{EVIL}", "comparison": listed["comparisons"][0]["id"], "evil": EVIL}

    _, said = on_terminal(home, *(part.format(**values) for part in command))

    assert said.strip()
    assert not STEERING & {ord(each) for each in said}, said


def test_json_keeps_such_signs_as_escapes(home: Path) -> None:
    _, said = on_terminal(home, "list", "--json")

    assert not STEERING & {ord(each) for each in said}
    assert json.loads(said)["comparisons"][0]["title"].startswith("Bad\x1b]0;owned\x07\x9b31m\u202e")
