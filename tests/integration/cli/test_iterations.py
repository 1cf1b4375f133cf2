"""A workspace with many iterations on the command line: a bare name means the newest, and lists stay short."""

import json
from pathlib import Path

import pytest

from comparator.api.opened import opened
from comparator.domain.labels import Winner
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import history
from comparator.settings import Settings
from tests.worlds.histories.winner_reviews import review_winner
from tests.worlds.process import command
from tests.worlds.workbench import GOOD, POOR

ITERATIONS = 32


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a judged and revealed workspace; the newest iteration has one side only."""
    folder = tmp_path_factory.mktemp("iterations")
    for number in range(1, ITERATIONS + 2):
        for side, text in (("with_skill", GOOD), ("without_skill", POOR)):
            if number > ITERATIONS and side == "without_skill":
                continue
            run = folder / "harvest-workspace" / f"iteration-{number}" / "eval-1" / side / "outputs"
            run.mkdir(parents=True)
            (run / "report.md").write_text(f"{text}{number}")
            metadata = {"eval_id": 1, "eval_name": "harvest", "prompt": "Write a report.", "assertions": []}
            (run.parents[1] / "eval_metadata.json").write_text(json.dumps(metadata))
    code, said = command(folder, "import", "harvest-workspace", "--project", "Harvest", "--judge", "now")
    assert code == 0, said
    with opened(Settings(home=folder / "home", judge="offline", chromium="off", soffice="off")) as services:
        for row in history(services.database, HistoryFilter(), limit=ITERATIONS + 1).rows:
            review_winner(services, row.line.id, Winner.TIE)
    return folder


def decide(folder: Path, candidate: str, baseline: str, *more: str) -> tuple[int, str]:
    return command(
        folder, "decide", "--candidate", candidate, "--baseline", baseline, "--verdicts", "either", *more
    )


def test_reveal_decide_and_their_refusals_speak_of_a_few_candidates_at_most(place: Path) -> None:
    code, said = decide(place, "with_skill", "without_skill")
    assert code == 2
    assert "comparator reveal" in said

    code, said = command(place, "reveal", "Harvest", "--note", "all read")
    assert code == 0
    assert len(said.splitlines()) <= 11
    assert "23 more" in said

    for asked, pairs in (
        ((), 1),
        (("--iteration", "7"), 1),
        (("--iteration", "iteration-7"), 1),
        (("--iteration", "all"), 32),
    ):
        code, said = decide(place, "with_skill", "without_skill", "--json", *asked)
        assert code == 11, said
        assert json.loads(said[: said.rindex("}") + 1])["pairs"] == pairs
    assert (
        json.loads(
            decide(place, "without_skill (7)", "with_skill (7)", "--json")[1].partition("\n}")[0] + "}"
        )["pairs"]
        == 1
    )

    for names, more in (
        (("nobody", "without_skill"), ()),
        (("with_skill", "without_skill"), ("--iteration", "33")),
    ):
        code, said = decide(place, *names, *more)
        assert code == 2
        assert said.count("_skill (") <= 10
        assert "--iteration" in said

    said = command(
        place, *("decide", "--candidate", "with_skill", "--baseline", "without_skill", "--verdicts", "blind")
    )[1]
    assert "No reviewed pair counts" in said
    assert "--verdicts either" in said
