"""The page Judge: calibration, guidance, and named judges."""

from functools import partial
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from comparator.domain.labels import Winner
from comparator.domain.project import ReviewMode, is_held_out
from comparator.domain.scoring.judgment import Identity
from comparator.domain.scoring.review import ChangeKind
from comparator.domain.scoring.several_judges import JudgeChoice
from comparator.reporting.trust.record import calibrated, probability
from comparator.stats.intervals import TooFew
from comparator.store.bulk import batches
from comparator.store.bulk.batches import BatchState, GuidanceTrial, NewBatch
from comparator.store.people import projects
from comparator.ui.frame import session
from tests.app.conftest import figures, open_numbers, open_page, said
from tests.worlds.histories.history import History
from tests.worlds.histories.pairs import JudgeId

SAID = (("score:A:content.correctness", ChangeKind.SET),)


@pytest.mark.slow
def test_confidence_is_a_probability_from_fifty_blind_reviews_on(app: AppTest, history: History) -> None:
    for number in range(49):
        history.task(f"Task {number}")
        right = number % 4 != 0
        history.review(
            history.pair(5, 3), *((5, 3) if right else (3, 5)), mode=ReviewMode.BLIND_FIRST, said=SAID
        )
    history.review(history.pair(5, 3), 5, 3, said=SAID)

    (before,) = calibrated(history.world.database, history.project)
    ask = partial(probability, history.world.database, history.project, version=before.version.digest)
    assert before.calibration == TooFew(n=49, needed=50)
    assert ask(stated=80) is None

    history.review(history.pair(5, 3), 5, 3, mode=ReviewMode.BLIND_FIRST, said=SAID)
    open_page(app, "judge", project=history.project)
    open_numbers(app, f"calibration_{before.version.digest[:8]}")
    (table,) = (frame.value for frame in app.dataframe if "Line" in frame.value.columns)
    rows = table[table["Stated confidence"] == "80%"].set_index("Line")
    assert rows.loc["Observed", "Blind reviews"] == 50
    assert [rows.loc[line, "Share"] for line in ("Observed", "Calibrated")] == [0.74, 0.738]
    assert f"{ask(stated=80):.0%}" == "74%"
    assert "Platt scaling" in said(app)


def drafted(history: History, *, better: bool) -> None:
    """A version of guidance with a trial in which the judge came nearer to people with it, or further from them."""
    world, a, b = history.world, Winner.A, Winner.B
    before, after = JudgeId(model="m-1", digest="1" * 64), JudgeId(model="m-1", digest="2" * 64)
    pairs, task = 0, 0
    while pairs < 12:
        task += 1
        history.task(f"Task {task}")
        if not is_held_out(world.version.task_id):
            continue
        people = a if pairs < 9 else b
        pair = history.unjudged()
        for judge, nearer in ((before, not better), (after, better)):
            named = a if people is a and nearer else b
            world.judge(pair, *((5, 3) if named is a else (3, 5)), judge=judge)
        said_by_people = (5, 3) if people is a else (3, 5)
        history.review(pair, *history.sides(pair, *said_by_people), mode=ReviewMode.BLIND_FIRST, said=SAID)
        pairs += 1
    judges = [Identity(kind=each.kind, model=each.model, digest=each.digest) for each in (before, after)]
    with world.write() as unit:
        version = projects.add_guidance(unit, history.project, "Length earns nothing.", author="Ada")
        tries = GuidanceTrial(number=version.number, baseline=None, before=judges[0], after=judges[1])
        new = NewBatch(
            project_id=history.project,
            name="Trial",
            judge=JudgeChoice(kind="anthropic", model="m-1", repetitions=1),
            trial=True,
            tries=tries,
        )
        batches.move(unit, batches.add(unit, new, []).id, BatchState.CANCELLED)


def in_force(history: History) -> int | None:
    with history.world.database.read() as connection:
        adopted = projects.adopted_guidance(connection, history.project)
    return adopted.number if adopted else None


def test_a_lead_adopts_guidance_that_passed_by_a_click_and_goes_back_by_another(
    app: AppTest, history: History
) -> None:
    drafted(history, better=True)
    open_page(app, "judge", project=history.project, tab="Guidance")
    assert figures(app)["In force"] == "none"
    assert figures(app)["Held-out pairs"] == "12"
    assert "Agreement with people on 12 pairs: 25% without guidance, 100% with this version" in said(app)

    app.button(key="guidance_adopt_1").click().run()
    assert (in_force(history), figures(app)["In force"]) == (1, "version 1")
    assert "guidance_adopt_1" not in {each.key for each in app.button}

    app.button(key="guidance_none_1").click().run()
    assert (in_force(history), figures(app)["In force"]) == (None, "none")
    # What was in force once may be again.
    app.button(key="guidance_adopt_1").click().run()
    assert in_force(history) == 1


def test_guidance_that_did_not_pass_cannot_be_adopted(app: AppTest, history: History) -> None:
    drafted(history, better=False)

    open_page(app, "judge", project=history.project, tab="Guidance")

    assert "Not passed" in said(app)
    assert not [each.key for each in app.button if each.key and each.key.startswith("guidance_adopt")]


def test_named_judges_are_listed_and_no_key_is_shown(
    app: AppTest, history: History, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "judges.toml"
    file.write_text(
        '[judges.site]\nmodel = "qwen"\nserver = "http://10.0.0.5:8080"\nkey = "SITE_KEY"\n', encoding="utf-8"
    )
    monkeypatch.setenv("COMPARATOR_JUDGES", str(file))
    monkeypatch.setenv("SITE_KEY", "a-secret-of-the-site")
    session.services.release()
    history.pair(5, 3)

    open_page(app, "judge", project=history.project)

    (table,) = (frame.value for frame in app.dataframe if "Key from" in frame.value.columns)
    assert table.iloc[0].tolist()[:4] == ["site", "qwen", "http://10.0.0.5:8080", "SITE_KEY"]
    assert "a-secret-of-the-site" not in said(app) + table.to_csv()
