"""Locked packages are looked up among known vulnerabilities; the gate says where nothing was checked."""

import json
import os
import re
import sys
import zipfile
from pathlib import Path

import pytest

from tests.worlds.process import run
from tools import install


def test_the_gate_fails_on_a_find_and_says_where_nothing_was_checked(
    tmp_path: Path, repository: Path
) -> None:
    lock = repository / "requirements/run.txt"
    (version,) = re.findall(r"^streamlit==(\S+)", lock.read_text(), re.MULTILINE)

    def asked(osv: str) -> tuple[int, str]:
        env = {**os.environ, "COMPARATOR_OSV": osv, "HTTPS_PROXY": "socks5://127.0.0.1:9"}
        done = run(sys.executable, "tools/vulnerabilities.py", lock, cwd=repository, env=env)
        return done.returncode, done.stdout

    def archive(**record: object) -> str:
        path = tmp_path / "osv.zip"
        with zipfile.ZipFile(path, "w") as out:
            out.writestr("OSV-7.json", json.dumps({"id": "OSV-7", "summary": "Reads too much", **record}))
        return str(path)

    affected = [{"package": {"ecosystem": "PyPI", "name": "Streamlit"}, "versions": ["0.1", version]}]

    assert asked("") == (0, "not checked: the OSV database does not answer, and COMPARATOR_OSV is not set\n")
    code, said = asked(archive(affected=affected))
    assert code == 1
    assert said.startswith(f"streamlit {version}: OSV-7 Reads too much\n")
    for harmless in (
        archive(affected=affected, withdrawn="2026-01-01T00:00:00Z"),
        archive(affected=[{**affected[0], "versions": ["0.1"]}]),
    ):
        code, said = asked(harmless)
        assert (code, said[:8]) == (0, "none of ")
    (tmp_path / "broken").write_text("{")
    for broken in ("broken", "missing"):
        assert asked(str(tmp_path / broken))[0] == 1


def test_what_installs_is_locked_as_well(monkeypatch: pytest.MonkeyPatch, repository: Path) -> None:
    asked: list[str] = []

    def failing_at_last(lock: Path) -> int:
        asked.append(lock.name)
        return int(lock == install.INSTALLER)

    monkeypatch.setattr(install, "install", failing_at_last)
    monkeypatch.setattr(sys, "argv", ["install.py", "requirements/run.txt"])
    assert install.main() == 1
    assert asked == ["run.txt", "installer.txt"]
    lock = (repository / "requirements" / "installer.txt").read_text(encoding="utf-8")
    assert {line.partition("==")[0] for line in lock.splitlines() if "==" in line} == {"pip", "setuptools"}
    assert lock.count("--hash=sha256:") >= 2
