"""What exports write: rows that read back, scores in long form, preference pairs, fix lists and reports."""

import csv
import io
import json
import tempfile
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comparator.domain.labels import Dimension, Label, LabelKind, Order, PerOutput, Winner
from comparator.domain.scoring.judgment import Pass, Prose
from comparator.domain.scoring.result import ComparisonResult
from comparator.domain.scoring.verdict import DecidedBy, VerdictSource
from comparator.interop import recognise
from comparator.interop.exported import Exported, ExportFormat, GivenLabel, Maker, Remark, RunMark, doubt
from comparator.interop.imported import Attachment, Files, Format, LeftOut, RunRecord
from comparator.interop.llm_comparator import write_llm_comparator
from comparator.interop.own_lines import details_kept
from comparator.interop.written.fix_list import write_fix_list
from comparator.interop.written.report import write_report
from comparator.interop.written.rows import write_csv, write_dpo, write_jsonl
from tests.unit.domain.make import answer

AT = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)


def reading(order: Order, better: Winner, confidence: int) -> Pass:
    """A judge's reading, whose reason is the letter of the output that it takes for better."""
    said = answer((3,) * 6, (3,) * 6, better=better, reasoning=f"{better.value}.", confidence=confidence)
    return Pass(order=order, answer=said)


def result(a: str, b: str) -> ComparisonResult:
    """Every criterion of A scored `a` and of B scored `b`."""
    scores, quality = {}, {}
    for side, score in (("A", Decimal(a)), ("B", Decimal(b))):
        scores[side] = {
            "content": {"facts": score, "depth": score},
            "structure": {"order": score, "form": score},
            "content_score": score,
            "structure_score": score,
            "overall_score": 2 * score,
        }
        quality[side] = {"score": round(2 * score), "strengths": ["short"], "weaknesses": ["=HYPERLINK(1)"]}
    winner = "TIE" if a == b else "A" if Decimal(a) > Decimal(b) else "B"
    answer = {"winner": winner, "reasoning": "One <b>is</b> better.", "rubric": scores}
    answer["output_quality"] = quality
    return ComparisonResult.model_validate(answer)


def remark(label: Label, score: str, **more: object) -> Remark:
    criterion = {"dimension": Dimension.CONTENT, "key": "facts", "name": "Facts"}
    return Remark.model_validate({"label": label, **criterion, "judge": score, "final": score, **more})


def made_by(a: str, b: str) -> PerOutput[Maker]:
    return PerOutput[Maker](A=Maker(name=a), B=Maker(name=b))


def pair(id: str, a: str, b: str, *, swapped: bool = False, **more: object) -> Exported:
    scores = ComparisonResult.model_validate(more.get("result", result(a, b)))
    quality = scores.output_quality
    said = {"quotes": ("said `so`",), "rationale": "Wrong total.", "reason": "wrong fact: 12 is 21"}
    known: dict[str, object] = {
        "id": id,
        "project": "Invoices",
        "title": f"Task {id}",
        "tags": ("data", "=1+1"),
        "prompt": f"Extract {id}.",
        "expectations": ("has a date",),
        "task_key": f"task-{id}",
        "task_version": 1,
        "created_at": AT,
        "winner": scores.winner,
        "prose": Prose(
            reasoning=scores.reasoning,
            strengths=quality.map(lambda side: side.strengths),
            weaknesses=quality.map(lambda side: side.weaknesses),
            argues_for=scores.winner,
        ),
        "result": scores,
        "source": VerdictSource.REVIEW,
        "decided_by": DecidedBy.RUBRIC,
        "judge": result(a, b),
        "judge_model": "claude-sonnet-5-5",
        "texts": PerOutput[str](A=f"a of {id}\n", B=f"b of {id} “ü”"),
        "makers": made_by("old", "new") if swapped else made_by("new", "old"),
        "reviewers": ("Ada",),
        "remarks": (remark(Label.A, a, **said), remark(Label.B, b)),
        "readings": (reading(Order.A_FIRST, Winner.A, 80), reading(Order.B_FIRST, Winner.B, 60)),
    }
    return Exported.model_validate(known | more)


words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30).map(str.strip).filter(bool)
some = st.one_of(st.none(), words)
makers = st.builds(
    Maker,
    name=words,
    **dict.fromkeys(("iteration", "model", "skill_hash"), some),
    repetition=st.integers(1, 9),
    file=st.just("answer.md"),
    void=st.one_of(st.none(), st.just("the skill was not loaded")),
    input_tokens=st.one_of(st.none(), st.integers(0, 10**9)),
    seconds=st.one_of(st.none(), st.floats(0, 10**6)),
)
members = st.builds(Attachment, name=words, data=st.one_of(st.binary(), words.map(str.encode)))
trees = st.one_of(
    st.builds(
        Files,
        folder=st.just(True),
        name=words,
        files=st.lists(members, min_size=1, max_size=3).map(tuple),
        left_out=st.lists(st.builds(LeftOut, file=words, reason=words), max_size=1).map(tuple),
    ),
    st.builds(Files, folder=st.just(False), files=st.tuples(members)),
)
maybe_trees = st.one_of(st.none(), trees)
given_labels = st.builds(
    GivenLabel,
    winner=st.one_of(st.none(), st.sampled_from(Winner)),
    kind=st.sampled_from(("gold", "human", "judge")),
    author=words,
    blind=st.one_of(st.none(), st.booleans()),
    value=st.one_of(st.none(), words, st.builds(dict, first=st.sampled_from("AB"), raw=words)),
)


values = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), words
    ),
    lambda inside: st.one_of(st.lists(inside, max_size=3), st.dictionaries(words, inside, max_size=3)),
    max_leaves=6,
)
claims = st.fixed_dictionaries({"text": words, "passed": st.booleans(), "evidence": words})
graders = st.fixed_dictionaries({"expectations": st.lists(claims)})
told_marks = {
    "contaminated": words,
    "own_prompt": words,
    "skill_names": st.lists(words, min_size=1, max_size=2),
}
marks = st.fixed_dictionaries({}, optional=told_marks)
records = st.builds(
    RunRecord,
    cut_off=some,
    superseded=st.booleans(),
    grading=st.one_of(values, graders),
    details=st.builds(dict.__or__, st.dictionaries(words, values, max_size=3), marks),
)


@st.composite
def exports(draw: st.DrawFn) -> list[Exported]:
    """Revealed comparisons of different tasks with whatever texts, by whatever candidates."""
    scores = st.sampled_from(("2", "3", "4"))
    anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
    return [
        pair(
            str(number),
            draw(scores),
            draw(scores),
            title=draw(words),
            prompt=f"{draw(words)} {number}",
            expectations=tuple(draw(st.lists(words, max_size=2, unique=True))),
            tags=tuple(draw(st.lists(words, max_size=2))),
            task_version=draw(st.integers(1, 3)),
            reference=draw(some),
            blind=draw(st.booleans()),
            makers=PerOutput[Maker](
                A=draw(makers).model_copy(update={"name": "one"}),
                B=draw(makers).model_copy(update={"name": "other"}),
            ),
            texts=PerOutput[str](A=draw(anything), B=draw(anything)),
            files=PerOutput[Files | None](A=draw(maybe_trees), B=draw(maybe_trees)),
            input_files=draw(maybe_trees),
            reference_files=draw(maybe_trees),
            records=PerOutput[RunRecord](A=draw(records), B=draw(records)),
            labels=tuple(draw(st.lists(given_labels, max_size=2))),
        )
        for number in range(draw(st.integers(1, 3)))
    ]


def in_order(winner: Winner | None, as_it_came: bool) -> Winner | None:
    return winner if as_it_came or winner is None else winner.mirrored


@given(exports())
@settings(max_examples=30, deadline=None)
def test_export_then_import_as_lines_is_the_identity(written: list[Exported]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "out.jsonl"
        with path.open("w", encoding="utf-8", newline="") as out:
            assert write_jsonl(written, out).written == len(written)
        findings = recognise.read(path, format=None)

    assert findings.format is Format.JSONL
    assert findings.left_out == ()
    assert [
        (
            *(run.task_key, run.title, run.prompt, run.expectations, run.tags, run.reference or None),
            *(run.configuration, run.iteration, run.model, run.skill_hash, run.repetition),
            *(run.text_name, run.text, run.files, run.input_files, run.reference_files),
            *(run.input_tokens, run.seconds),
            *(run.void or None, run.cut_off or None, run.superseded, run.grading),
        )
        for run in findings.runs
    ] == [
        (
            *(row.task_key, row.title, row.prompt, row.expectations, row.tags, row.reference),
            *(maker.name, maker.iteration, maker.model, maker.skill_hash, maker.repetition),
            *(maker.file, row.texts[label], row.files[label], row.input_files, row.reference_files),
            *(maker.input_tokens, maker.seconds),
            *(maker.void, record.cut_off, record.superseded, record.grading),
        )
        for row in written
        if row.makers and row.records
        for label, maker in row.makers.items()
        for record in (row.records[label],)
    ]
    details_of_runs = [record.details for row in written if row.records for _, record in row.records.items()]
    assert [
        details_kept(run, skill_names=details.get("skill_names", ()))
        for run, details in zip(findings.runs, details_of_runs, strict=True)
    ] == details_of_runs
    assert set(findings.skill_names) == {
        name for details in details_of_runs for name in details.get("skill_names", ())
    }
    assert [run.cut_off is None for run in findings.runs] == [False] * len(details_of_runs)
    own = [label for label in findings.labels if label.comparison]
    assert [label.winner for label in own] == [row.winner for row in written if row.winner]
    assert {(label.kind, label.author) for label in own} == {(LabelKind.HUMAN, "Ada")}
    assert [(label.comparison, label.blind) for label in own] == [(row.id, row.blind) for row in written]
    first_of = {pair.first for pair in findings.stated}
    others = [(label, label.first in first_of) for label in findings.labels if not label.comparison]
    assert [
        (in_order(label.winner, as_it_came), label.kind.value, label.author, label.blind, label.value)
        for label, as_it_came in others
    ] == [
        (given.winner, given.kind, given.author, given.blind, given.value)
        for row in written
        for given in row.labels
    ]
    assert [as_it_came for _, as_it_came in others] == [
        not (isinstance(given.value, dict) and given.value["first"] == "B")
        for row in written
        for given in row.labels
    ]


@given(exports())
@settings(max_examples=30, deadline=None)
def test_export_then_import_as_llm_comparator_is_the_identity(written: list[Exported]) -> None:
    alike = [row.model_copy(update={"makers": made_by("one", "other")}) for row in written]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "out.json"
        with path.open("w", encoding="utf-8") as out:
            assert write_llm_comparator(alike, out, source="x").written == len(alike)
        findings = recognise.read(path, format=None)

    by_address = {run.address: run for run in findings.runs}
    assert findings.format is Format.LLM_COMPARATOR
    assert findings.left_out == ()
    assert [
        (run.configuration, run.prompt, run.text)
        for stated in findings.stated
        for run in (by_address[stated.first], by_address[stated.second])
    ] == [
        (name, row.prompt, row.texts[label])
        for row in alike
        for label, name in ((Label.A, "one"), (Label.B, "other"))
    ]
    whole = [label for label in findings.labels if label.kind is LabelKind.HUMAN]
    assert [(label.author, label.blind) for label in whole] == [("Ada", row.blind) for row in alike]
    readings = [label for label in findings.labels if label.kind is LabelKind.JUDGE]
    assert [(label.author, label.blind) for label in readings] == [
        ("rater 1", True),
        ("rater 2", True),
    ] * len(alike)


def test_a_csv_holds_the_scores_in_long_form() -> None:
    changed = remark(Label.A, "5", judge=Decimal(2)), remark(Label.B, "3.5")
    pairs = [pair("1", "5", "3.5", remarks=changed), pair("2", "1", "2", judge=None)]
    out = io.StringIO()
    write_csv(pairs, out)

    rows = list(csv.DictReader(io.StringIO(out.getvalue())))

    assert len(rows) == 2 * 2 * 4
    criteria = [(row["final"], row["judge"]) for row in rows if row["what"] == "criterion"]
    assert criteria[:2] == [("5.0", "2.0"), ("3.5", "3.5")]
    overall = [row for row in rows if row["what"] == "overall"]
    assert [(row["candidate"], row["final"], row["judge"]) for row in overall] == [
        *(("new", "10.0", "10.0"), ("old", "7.0", "7.0"), ("new", "2.0", ""), ("old", "4.0", ""))
    ]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝"])
def test_no_text_in_a_csv_is_a_formula(start: str) -> None:
    out = io.StringIO(newline="")
    title = f"{start}cmd|' /C calc'!A0"
    write_csv([pair("1", "5", "3", title=title, project=f"{start}1", judge_model=f"m\r{title}")], out)

    for row in csv.DictReader(io.StringIO(out.getvalue(), newline="")):
        assert row["judge_model"] == f"m\r{title}"
        assert row["title"].startswith(f"'{start}")
        assert row["project"] == f"'{start}1"


def test_preference_pairs_leave_ties_and_void_runs_out_and_tell_the_state_of_both() -> None:
    valid, contaminated = (
        RunMark(state="valid", contaminated=False),
        RunMark(state="valid", contaminated=True),
    )
    pairs = [
        pair("1", "5", "3"),
        pair("2", "2", "4", source=VerdictSource.OFFLINE),
        pair("3", "3", "3"),
        pair("4", "5", "3", marks={"A": valid, "B": RunMark(state="void", contaminated=False)}),
        pair("5", "3", "5", marks={"A": RunMark(state="cut_off", contaminated=False), "B": contaminated}),
    ]
    out = io.StringIO()

    written = write_dpo(pairs, out)

    first, second, cut = [json.loads(line) for line in out.getvalue().splitlines()]
    assert (written.written, written.left_out) == (3, {"ties": 1, "with an unusable output": 1})
    assert written.verdicts_in_words == "Verdicts: 2 reviewed, 1 by the offline check alone."
    assert doubt(written, ExportFormat.DPO).startswith("Preference pairs that nobody reviewed: 1 of 3.")
    assert not doubt(written, ExportFormat.CSV)
    assert (first["chosen"], first["rejected"], first["score_margin"]) == ("a of 1\n", "b of 1 “ü”", 4.0)
    assert (second["chosen"], second["rejected"], second["score_margin"]) == ("b of 2 “ü”", "a of 2\n", 4.0)
    assert (cut["state_chosen"], cut["state_rejected"]) == ("valid", "cut_off")


def test_an_llm_comparator_file_has_the_same_candidate_first_in_every_example(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    pairs = [pair("1", "5", "3"), pair("2", "5", "3", swapped=True), pair("3", "4", "4")]
    other = pair("4", "5", "3", makers=made_by("new", "third"))
    with path.open("w", encoding="utf-8") as out:
        written = write_llm_comparator([*pairs, other], out, source="Invoices")
    document = json.loads(path.read_text("utf-8"))

    assert written.written == 3
    assert sum(written.left_out.values()) == 1
    assert [model["name"] for model in document["models"]] == ["new", "old"]
    assert [(example["output_text_a"], example["score"]) for example in document["examples"]] == [
        *(("a of 1\n", 0.9), ("b of 2 “ü”", -0.9), ("a of 3\n", 0.0))
    ]
    first, second = document["examples"][0]["individual_rater_scores"]
    assert (first["score"], first["is_flipped"], first["rating_label"]) == (1.2, False, "A is better")
    # Shown B first and for B: better was what stood first, while the score is the second model's.
    assert (second["score"], second["is_flipped"], second["rating_label"]) == (-0.9, True, "A is better")


def test_a_fix_list_tells_the_losses_of_one_candidate_the_worst_first() -> None:
    out = io.StringIO()
    pairs = [pair("1", "3", "4"), pair("2", "5", "1", swapped=True), pair("3", "5", "4"), pair("4", "1", "5")]
    written = write_fix_list(pairs, out, candidate="new")
    text = out.getvalue()

    assert (written.written, written.left_out) == (3, {"not lost": 1})
    assert [line for line in text.splitlines() if line.startswith("### ")] == [
        *("### Task 2: 1 lost pair", "### Task 4: 1 lost pair", "### Task 1: 1 lost pair")
    ]
    assert "- Facts: 1 against 5\n  - judge: Wrong total." in text
    assert "quote: “said \\`so\\`”" in text
    assert "reviewer: wrong fact: 12 is 21" in text

    out = io.StringIO()
    write_fix_list([pair(str(n), "1", str(n), title="One task") for n in range(2, 6)], out, candidate="new")
    assert "### One task: 4 lost pairs" in out.getvalue()
    assert out.getvalue().count("against old") == 3
    assert "And 1 more lost pair, by less." in out.getvalue()


def test_a_report_runs_nothing_and_loads_nothing() -> None:
    hostile = "<script>fetch('http://127.0.0.1:9')</script><img src=http://127.0.0.1:9/x>"
    out = io.StringIO()
    write_report(
        [pair("1", "5", "3", title=hostile, prompt=hostile, judge_model=hostile)], out, title=hostile, at=AT
    )
    text = out.getvalue()

    assert "<script" not in text
    assert "<img" not in text
    assert "default-src 'none'" in text
    assert "verdicts: 1 by review" in text
    assert "A was made by new, B by old." in text
