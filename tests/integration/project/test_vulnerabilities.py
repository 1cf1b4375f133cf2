"""Locked packages are looked up in an OSV file; without one the gate says that nothing was checked."""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.worlds.process import run
from tools import install, vulnerabilities

LOCK = "Some_Thing==1.5.0 \\\n    --hash=sha256:00\nother==2.0 ; python_version < '3.12' \\\n    --hash=sha256:00\n"


def record(**affected: Any) -> dict[str, Any]:
    package = {"ecosystem": "PyPI", "name": "some.thing"}
    return {"id": "OSV-1", "summary": "Reads too much", "affected": [{"package": package, **affected}]}


def ranged(*events: dict[str, str]) -> dict[str, Any]:
    return record(ranges=[{"type": "ECOSYSTEM", "events": list(events)}])


@pytest.mark.parametrize(
    ("known", "hit"),
    [
        (record(versions=["1.5"]), True),
        (record(versions=["1.5.0"]), True),
        (record(versions=["1.4"]), False),
        (ranged({"introduced": "0"}), True),
        (ranged({"introduced": "0"}, {"fixed": "1.5.0"}), False),
        (ranged({"introduced": "0"}, {"fixed": "1.5.1"}), True),
        (ranged({"introduced": "1.6"}), False),
        (ranged({"introduced": "0"}, {"last_affected": "1.5"}), True),
        (ranged({"introduced": "0"}, {"last_affected": "1.4.9"}), False),
        (ranged({"introduced": "0"}, {"fixed": "1.0"}, {"introduced": "1.4"}, {"fixed": "2"}), True),
        (record(ranges=[{"type": "GIT", "events": [{"introduced": "0"}]}]), False),
        (record(versions=["1.5"]) | {"withdrawn": "2026-01-01T00:00:00Z"}, False),
        (ranged({"introduced": "no version"}), True),
        (json.loads(json.dumps(record(versions=["1.5"])).replace("PyPI", "npm")), False),
    ],
)
@pytest.mark.parametrize("form", ["one", "list", "lines", "answer", "zip"])
def test_a_locked_version_is_found_in_every_form_of_file(
    tmp_path: Path, known: dict[str, Any], *, hit: bool, form: str
) -> None:
    text = {"one": json.dumps(known), "list": json.dumps([known]), "answer": json.dumps({"vulns": [known]})}
    path = tmp_path / "osv"
    if form == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("OSV-1.json", json.dumps(known))
    else:
        path.write_text(text.get(form, json.dumps(known) + "\n" + json.dumps(record())), encoding="utf-8")
    lock = tmp_path / "run.txt"
    lock.write_text(LOCK, encoding="utf-8")
    wanted = vulnerabilities.locked([lock])
    assert wanted == {"some-thing": {"1.5.0"}, "other": {"2.0"}}
    found = [each for one in vulnerabilities.records(path) for each in vulnerabilities.concerned(one, wanted)]
    assert found == ([("some-thing", "1.5.0", "OSV-1", "Reads too much")] if hit else [])


def test_the_gate_fails_on_a_find_and_says_where_nothing_was_checked(
    tmp_path: Path, repository: Path
) -> None:
    path = tmp_path / "osv.json"
    tool = repository / "tools" / "vulnerabilities.py"

    def asked(osv: str) -> tuple[int, str]:
        done = run(sys.executable, tool, "requirements/run.txt", cwd=repository, env={"COMPARATOR_OSV": osv})
        return done.returncode, done.stdout

    assert asked("") == (0, "not checked: COMPARATOR_OSV names no OSV file\n")
    package = {"ecosystem": "PyPI", "name": "streamlit"}
    everything = [{"package": package, "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}]}]}]
    path.write_text(json.dumps({"id": "OSV-7", "affected": everything}), encoding="utf-8")
    code, said = asked(str(path))
    assert code == 1
    assert "OSV-7" in said
    path.write_text('{"id": "OSV-8", "affected": []}', encoding="utf-8")
    code, said = asked(str(path))
    assert code == 0
    assert "is in 1 records" in said
    for broken in ("{", '{"no": "id"}'):
        path.write_text(broken, encoding="utf-8")
        assert asked(str(path))[0] == 1
    assert asked(str(tmp_path / "missing"))[0] == 1


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
