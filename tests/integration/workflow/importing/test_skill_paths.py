"""The skill that a workspace names is the one that its analysis names; transcripts are left where they lie."""

import json
from pathlib import Path

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner, Result

from comparator.bootstrap import load_settings, open_services
from comparator.cli import app
from comparator.store import tables
from comparator.store.people import people
from comparator.workflow.review.sheet import read_sheet
from comparator.workflow.services import Services
from tests.loopback.server import LoopbackServer
from tests.worlds.files import import_files

PROJECT = "hills"


@pytest.fixture
def services(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: LoopbackServer) -> Services:
    """Those of a new home."""
    monkeypatch.setenv("COMPARATOR_HOME", str(tmp_path / "home"))
    return open_services(load_settings())


def run(*words: str) -> Result:
    done = CliRunner().invoke(app, list(words))
    assert not done.exception or isinstance(done.exception, SystemExit), done.exception
    return done


def imported(root: Path, *, revealed: bool = True) -> None:
    """The workspace, judged and revealed."""
    assert run("import", str(root), "--project", PROJECT, "--judge", "now").exit_code == 0
    if revealed:
        assert run("reveal", PROJECT).exit_code == 0


def test_a_transcript_beside_an_output_reaches_neither_judge_nor_reviewer_nor_the_store(
    services: Services, model: LoopbackServer, tmp_path: Path
) -> None:
    root = import_files.workspace(tmp_path)
    words = "I listed boots first"
    homes = sorted(root.glob("iteration-*/*/*_skill"))
    assert len(homes) == 8
    for home in homes:
        import_files.write(home / "transcript.md", f"## Steps\n{words}.\n")
    imported(root, revealed=False)

    requests = "\n".join(json.dumps(request.body) for request in model.messages)
    assert "map of the hills" in requests
    assert words not in requests
    with services.write() as unit:
        reviewer = people.ensure_person(unit, "local:reviewer", name="Reviewer")
    with services.database.read() as connection:
        comparison_ids = connection.execute(sa.select(tables.comparison.c.id)).scalars().all()
        digests = connection.execute(sa.select(tables.blob.c.digest)).scalars().all()
    assert comparison_ids
    for comparison_id in comparison_ids:
        sheet = read_sheet(services.by(reviewer.id), comparison_id).model_dump_json()
        assert words not in sheet
        assert "transcript" not in sheet
    assert not any(words.encode() in services.blobs.get(digest) for digest in digests)
