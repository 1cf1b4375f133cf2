"""The analysis of two candidates: which pairs it reads, and the same file from the page and an export."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from comparator.api import analysing
from comparator.api.analysing import (
    analysis,
    analysis_text,
    exported_analysis,
    fix_list_text,
)
from comparator.interop.exported import ExportFormat
from comparator.interop.write.analysis import OURS
from comparator.reporting.scope import ResultFilter, Verdicts
from comparator.settings import Settings
from comparator.store import tables
from comparator.store.core.blobs import BlobStore
from comparator.workflow.exporting.formats import ExportRequest, write_export
from comparator.workflow.services import Services
from tests.worlds.histories.history import NEW, OLD, History
from tests.worlds.histories.pairs import World


@pytest.fixture
def services(world: World, blobs: BlobStore, tmp_path: Path) -> Services:
    return Services(
        environment=os.environ,
        settings=Settings(home=tmp_path / "home", judge="auto"),
        database=world.database,
        blobs=blobs,
    )


@pytest.fixture
def losing(world: World) -> History:
    """The new candidate wins 3 pairs by much, ties 1 and loses 6, of which 3 narrowly."""
    history = History(world)
    for number, (new, old) in enumerate([(5, 1)] * 3 + [(3, 3)] + [(3, 4)] * 3 + [(1, 5)] * 3):
        history.task(f"Task {number}")
        history.pair(new, old)
    history.reveal()
    return history


def lost_ids(history: History) -> set[str]:
    return {each.id for each in history.made[4:]}


def test_the_pairs_that_the_loser_lost_are_read_first_from_either_side(
    services: Services, losing: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysing, "MOST", 7)

    for old_first in (False, True):
        found = analysis(services, losing.asked(Verdicts.JUDGE, old_first=old_first))

        assert lost_ids(losing) < set(found.pairs)
        assert found.reasoning == f"{OLD} won 6 of 10 pairs against {NEW}, lost 3 and tied 1."
        read = found.document()[OURS]["pairs_read"]
        assert read == {"pairs": 7, "of": 10, "lost": 6, "of_lost": 6}


@pytest.mark.slow
def test_a_fix_list_reads_the_losses_of_its_candidate_and_says_of_how_many(
    services: Services, losing: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysing, "MOST", 6)

    asked = losing.asked(Verdicts.JUDGE)
    of_new = fix_list_text(services, asked, candidate=NEW)
    of_old = fix_list_text(services, asked, candidate=OLD)

    assert "6 lost of 6 comparisons looked at of 10." in of_new
    assert "3 lost of 6 comparisons looked at of 10." in of_old


def test_an_export_of_the_same_pairs_is_the_pages_file_with_the_noise_floor(
    services: Services, world: World, tmp_path: Path
) -> None:
    history = History(world)
    for number in range(20):
        history.task(f"Task {number}")
        history.pair(5, 3)
        history.pair(3, 3, names=(NEW, NEW))
    history.reveal()
    asked = next_to(services, history)
    page = analysis_text(services, asked)
    ids = tuple(reversed([each.id for each in history.made]))
    request = ExportRequest(format=ExportFormat.ANALYSIS, comparisons=ids)

    write_export(services, request, tmp_path / "all.json", analysed=exported_analysis)

    assert (tmp_path / "all.json").read_text() == page
    assert json.loads(page)[OURS]["noise_floor"] == 0.0


def next_to(services: Services, history: History) -> ResultFilter:
    """The question for the new candidate against the old one, where two runs of the new one were compared too."""
    c = tables.candidate.c
    with services.database.read() as connection:
        query = tables.candidate.select().where(c.project_id == history.project)
        ids = {row.name: row.id for row in connection.execute(query)}
    return ResultFilter(project_id=history.project, one=ids[NEW], two=ids[OLD], verdicts=Verdicts.EITHER)
