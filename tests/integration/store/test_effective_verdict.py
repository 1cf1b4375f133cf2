"""One rule says whose verdict holds: files, results, their reasons and the figures by criterion all go by it."""

import csv
import json
import zipfile
from functools import partial
from pathlib import Path

import pytest

from comparator.cli.frame import opened
from comparator.domain.errors import StoreError
from comparator.domain.labels import Label, Winner
from comparator.domain.scoring.result import ComparisonResult
from comparator.domain.scoring.review import Blindness
from comparator.domain.scoring.verdict import VerdictSource
from comparator.interop.exported import ExportFormat
from comparator.reporting.facts import facts_of
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import found_ids
from comparator.store.facts import fact
from comparator.store.facts.verdicts import EffectiveVerdict
from comparator.store.reviewing import reviews
from comparator.workflow.exporting import formats
from comparator.workflow.exporting.comparison_json import provenance_json, read_settled
from comparator.workflow.exporting.formats import PURGED, ExportRequest, write_export
from comparator.workflow.projects.settings import purge_output
from comparator.workflow.services import Services
from tests.worlds.histories.history import History
from tests.worlds.histories.pairs import World, add_change, prose, verdict
from tests.worlds.process import invoke
from tests.worlds.workbench import review_winner


def test_a_ruling_is_exported_while_its_reviews_are_open(
    world: World, services: Services, history: History
) -> None:
    pair = history.pair(5, 3)
    history.review(pair, 5, 3)
    with world.write(world.ada.id) as unit:
        (review,) = reviews.of_comparison(unit.connection, pair.id)
        reviews.adjudicate(
            unit,
            pair.id,
            verdict=verdict("2", "4"),
            rubric_id=review.rubric_id,
            prose=prose("Ruled so."),
            reason="ruled",
            blindness=Blindness.BLIND,
        )
    world.reopen(review)

    said = read_settled(services, pair.id)

    assert said.source is VerdictSource.ADJUDICATION
    assert said.scored.rubric.B.overall_score == 8
    with facts_of(world.database, pair.project_id) as facts:
        # Differences between A and B in half points.
        assert set(facts.read("criteria", facts.pairs)[pair.id].values()) == {-4}


def test_what_is_not_finalised_is_not_exported(
    world: World, services: Services, history: History, tmp_path: Path
) -> None:
    pair = history.pair(5, 3)
    review = world.review(pair)
    change = world.change("score:A:content.correctness", "1", reason="not sure yet")
    with world.write() as unit:
        add_change(unit, review.id, change)
    request = ExportRequest(format=ExportFormat.CSV, comparisons=(pair.id,))
    write_export(services, request, tmp_path / "scores.csv")

    rows = list(csv.DictReader((tmp_path / "scores.csv").read_text().splitlines()))
    assert {(row["changed"], row["reason"]) for row in rows} == {("False", "")}


def test_an_export_tells_what_was_purged_and_ends_where_the_database_does_not_answer(
    services: Services, history: History, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = history.pair(5, 3)
    request = ExportRequest(format=ExportFormat.JSONL, comparisons=(pair.id,))
    purge_output(services, pair.id, Label.A, reason="asked for")

    assert write_export(services, request, tmp_path / "out.jsonl").left_out == {PURGED: 1}
    assert '"This output was purged."' in provenance_json(services, pair.id)

    def away(*_: object, **_called: object) -> None:
        raise StoreError("The database cannot be reached.")

    monkeypatch.setattr(formats, "gather_pair", away)
    with pytest.raises(StoreError, match="cannot be reached"):
        write_export(services, request, tmp_path / "again.jsonl")
    assert [path.name for path in tmp_path.glob("*.jsonl")] == ["out.jsonl"]


def test_an_export_says_on_whose_verdicts_it_rests_and_what_nobody_checked(here: Path) -> None:
    row = {
        "prompt": "Name three rivers with their lengths in km.",
        "expectations": ["The text contains the word “Rhine”", "The tone suits a child"],
        "candidate_a": "old",
        "output_a": "Rhine. TODO: two more.",
        "candidate_b": "new",
        "output_b": "# Rivers\n\n- Rhine: 1,233 km\n- Elbe: 1,094 km\n- Oder: 840 km\n",
    }
    (here / "rivers.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert invoke("import", "rivers.jsonl", "--judge", "now").exit_code == 0

    pairs = invoke("export", "dpo", "--json")
    report = invoke("export", "html")
    assert invoke("export", "csv", "--out", "scores.csv").exit_code == 0

    assert json.loads(pairs.stdout)["left_out"] == {"read by the offline check alone": 1}
    assert json.loads(pairs.stdout)["written"] == 0
    assert "Verdicts: 1 by the offline check alone." in report.stderr
    assert "Warning" not in report.stderr
    page = Path("report.html").read_text("utf-8")
    assert "Offline check, not a judgment." in page
    assert "No winner" in page
    assert "10.0" not in page
    assert "10.0" not in Path("scores.csv").read_text("utf-8")
    assert "not met" not in page
    rows = list(csv.DictReader(Path("scores.csv").read_text("utf-8-sig").splitlines()))
    assert {row["verdict_blind"] for row in rows} == {"False"}
    assert [(row["what"], row["winner"], row["judge"], row["final"]) for row in rows] == [
        ("verdict", "", "", "")
    ] * 2


def test_a_winner_alone_is_exported_whole_and_comparison_json_asks_for_four_numbers(here: Path) -> None:
    rows = [{"prompt": f"Name river {n}.", "output_a": "Rhine", "output_b": "Elbe"} for n in range(2)]
    (here / "rivers.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    assert invoke("import", "rivers.jsonl", "--judge", "now").exit_code == 0
    with opened() as services:
        pair = found_ids(services.database, HistoryFilter())[0]
        review_winner(services, pair, Winner.B, why="The Elbe is asked for.")

    export = partial(invoke, "export")
    refused = export("results", "--comparison", pair)
    wrong = export("results", "--comparison", pair, "--scores", "4,3,2,6")
    bulk = export("results", "--json")
    assert export("results", "--comparison", pair, "--scores", "2,3,5,4", "--out", "one.zip").exit_code == 0
    assert export("dpo", "--out", "dpo.jsonl").exit_code == 0
    assert export("csv", "--out", "scores.csv").exit_code == 0

    assert refused.exit_code == 2
    assert "four whole numbers from 1 to 5" in " ".join(refused.stderr.split())
    assert wrong.exit_code == 2
    assert list(json.loads(bulk.stdout)["left_out"].values()) == [1]
    with zipfile.ZipFile("one.zip") as archive:
        result = ComparisonResult.from_json(archive.read("comparison-1.json").decode())
        behind = json.loads(archive.read("comparison-1.provenance.json"))
    assert (result.winner, result.reasoning) == (Winner.B, "The Elbe is asked for.")
    assert result.rubric.A.content == {"content_overall": 2}
    assert result.rubric.B.structure == {"structure_overall": 4}
    assert (result.output_quality.A.strengths, result.output_quality.B.weaknesses) == ((), ())
    assert behind["scores_given_for_export"] == {"content": {"A": 2, "B": 5}, "structure": {"A": 3, "B": 4}}
    (preference,) = [json.loads(line) for line in Path("dpo.jsonl").read_text("utf-8").splitlines()]
    assert {preference["chosen"], preference["rejected"]} == {"Rhine", "Elbe"}
    assert preference["score_margin"] is None
    winning_rows = [
        row for row in csv.DictReader(Path("scores.csv").read_text("utf-8-sig").splitlines()) if row["winner"]
    ]
    assert {(row["winner"], row["judge_model"], row["final"]) for row in winning_rows} == {("B", "", "")}


def test_figures_by_criterion_look_at_the_judges_first_readings_and_at_what_people_settled() -> None:
    settled, first = verdict("5", "3"), verdict("4", "3").assessments

    def leads(source: VerdictSource) -> set[int]:
        columns = fact.verdict_columns(EffectiveVerdict(settled, prose(), None, source), first)
        return set(columns["criteria"].values())

    # In half points.
    assert leads(VerdictSource.JUDGE) == {2}
    assert leads(VerdictSource.REVIEW) == {4}
