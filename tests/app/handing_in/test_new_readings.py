"""The page New reads each file once, from the leak scan to the stored pair."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from comparator.outputs.isolated.process import Isolated
from comparator.outputs.isolated.results import Extraction
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import history
from comparator.workflow.services import Services
from tests.app.conftest import fill
from tests.worlds.files.outputs_office import docx


def test_what_the_leak_scan_has_read_is_not_read_again_when_the_pair_is_submitted(
    app: AppTest, tmp_path: Path, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = (tmp_path / "heron" / "out", tmp_path / "plover" / "out")
    documents = [docx(f"The harvest weighs {weight} kg.") for weight in (420, 400)]
    for folder, document in zip(folders, documents, strict=True):
        folder.mkdir(parents=True)
        (folder / "report.docx").write_bytes(document)
    parsed: list[bytes] = []
    extract = Isolated.extract

    def counted(child: Isolated, task: str, data: bytes, *, seconds: float | None = None) -> Extraction:
        parsed.append(data)
        return extract(child, task, data, seconds=seconds)

    monkeypatch.setattr(Isolated, "extract", counted)
    fill(app, folders)
    by_scan = sorted(parsed)
    app.button(key="new_judge_now").click().run()

    assert len(history(services.database, HistoryFilter()).rows) == 1
    assert by_scan == sorted(documents)
    assert sorted(parsed) == by_scan
