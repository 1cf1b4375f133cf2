"""analysis.json and the fix list: exactly the analyzer's format, each entry with what it rests on."""

from __future__ import annotations

import io
import json
from decimal import Decimal
from typing import Any

import pytest

from comparator.domain.errors import InputError
from comparator.domain.labels import Dimension, Label, PerOutput
from comparator.domain.scoring.verdict import DecidedBy
from comparator.interop.exported import Exported, Maker, Remark
from comparator.interop.write.analysis import OURS, RULE, CountedOutcomes, analysis_of, write_analysis
from comparator.interop.write.findings import fixes
from comparator.interop.write.fix_list import write_fix_list
from tests.unit.interop.test_writing import made_by, pair, remark

TREE = {
    "comparison_summary": {
        "winner": "str",
        "winner_skill": "str",
        "loser_skill": "str",
        "comparator_reasoning": "str",
    },
    "winner_strengths": ["str"],
    "loser_weaknesses": ["str"],
    "improvement_suggestions": [
        {"priority": "str", "category": "str", "suggestion": "str", "expected_impact": "str"}
    ],
}
"""The skill-creator's analysis.json: keys in their order, and types."""
FORMAT = ("comparison_summary", "winner_strengths", "loser_weaknesses", "improvement_suggestions")


def scored(id: str, facts: tuple[str, str], order: tuple[str, str], **more: Any) -> Exported:
    """A pair in which two criteria of the four have these scores of A and B, and the others 3."""

    def scores(at: int) -> dict[str, object]:
        content = [Decimal(facts[at]), Decimal(3)]
        structure = [Decimal(order[at]), Decimal(3)]
        means = [sum(each, Decimal(0)) / 2 for each in (content, structure)]
        rounded = [mean.quantize(Decimal("0.1")) for mean in means]
        return {
            "content": {"facts": content[0], "depth": content[1]},
            "structure": {"order": structure[0], "form": structure[1]},
            "content_score": rounded[0],
            "structure_score": rounded[1],
            "overall_score": sum(rounded, Decimal(0)),
        }

    both = {"A": scores(0), "B": scores(1)}
    a, b = both["A"]["overall_score"], both["B"]["overall_score"]
    assert isinstance(a, Decimal)
    assert isinstance(b, Decimal)
    quality = {"score": 5, "strengths": ["names the cause"], "weaknesses": ["guesses"]}
    remarks: list[Remark] = []
    for label, at in ((Label.A, 0), (Label.B, 1)):
        remarks += [
            remark(label, facts[at], quotes=(f"quote of {id}",), rationale="It names it."),
            remark(label, order[at], dimension=Dimension.STRUCTURE, key="order", name="Order"),
        ]
    result = {
        "winner": "TIE" if a == b else "A" if a > b else "B",
        "reasoning": "One is better.",
        "rubric": both,
        "output_quality": {"A": quality, "B": quality},
    }
    return pair(id, "5", "1", result=result, remarks=tuple(remarks), **more)


def document(*pairs: Exported) -> dict[str, object]:
    out = io.StringIO()
    write_analysis(pairs, out)
    found: dict[str, object] = json.loads(out.getvalue())
    return found


def test_the_analysis_of_a_pair_has_the_keys_of_the_format_and_one_of_ours() -> None:
    found = document(scored("1", ("5", "2"), ("3", "3")))

    assert tuple(found) == (*FORMAT, OURS)
    assert found["comparison_summary"] == {
        "winner": "A",
        "winner_skill": "new",
        "loser_skill": "old",
        "comparator_reasoning": "One is better.",
    }
    suggestions = found["improvement_suggestions"]
    assert isinstance(suggestions, list)
    assert all(set(each) == {"priority", "category", "suggestion", "expected_impact"} for each in suggestions)
    assert {each["category"] for each in suggestions} <= {"instructions", "structure"}
    assert str(found["winner_strengths"]).startswith("['names the cause'")


@pytest.mark.parametrize("pairs", [1, 2])
def test_keys_and_types_are_those_of_the_skill_creators_file_and_names_stand_for_paths(pairs: int) -> None:
    every = [scored(str(number), ("5", "2"), ("3", "3")) for number in range(pairs)]

    found = json.loads(analysis_of(every).text())

    del found[OURS]
    assert json.dumps(tree(found)) == json.dumps(TREE)
    summary = found["comparison_summary"]
    assert summary["winner"] == ("A" if pairs == 1 else "new")
    assert (summary["winner_skill"], summary["loser_skill"]) == ("new", "old")


def test_the_path_of_a_skill_that_an_import_named_stands_for_the_candidate() -> None:
    def skills(*paths: str | None, other: str | None = None) -> tuple[str, str]:
        every = []
        for number, path in enumerate(paths):
            made = PerOutput[Maker](
                A=Maker(name="new", skill_path=path), B=Maker(name="old", skill_path=other)
            )
            every.append(scored(f"{number}", ("5", "2"), ("3", "3"), made=made))
        found = analysis_of(every)
        assert (found.winner_skill, found.loser_skill) == ("new", "old")
        summary = found.document()["comparison_summary"]
        return summary["winner_skill"], summary["loser_skill"]

    assert skills("/skills/new") == skills("/skills/new", "/skills/new", None) == ("/skills/new", "old")
    assert skills("/skills/new", "/skills/newer") == skills(None) == ("new", "old")
    assert skills("/skills/new", other="/skills/old") == ("/skills/new", "/skills/old")
    # Two iterations of one skill: the path would not say which of them won.
    assert skills("/skills/new", other="/skills/new") == ("new", "old")
    assert skills("/skills/new", "/skills/newer", other="/skills/newer") == ("new", "old")


def tree(value: object) -> object:
    """Keys and types of a JSON value; what a list holds has to be alike."""
    if isinstance(value, dict):
        return {key: tree(each) for key, each in value.items()}
    if isinstance(value, list):
        first, *others = [tree(each) for each in value]
        assert all(each == first for each in others)
        return [first]
    return type(value).__name__


def test_every_entry_has_pairs_words_and_a_status() -> None:
    found = document(*(scored(str(number), ("5", "2"), ("3", "3")) for number in range(3)))

    ours = found[OURS]
    assert isinstance(ours, dict)
    for key in ("winner_strengths", "loser_weaknesses", "improvement_suggestions"):
        entries = found[key]
        assert isinstance(entries, list)
        assert entries
        assert len(ours["evidence"][key]) == len(entries)
        for each in ours["evidence"][key]:
            assert each["n"] == len(each["pairs"]) > 0
            assert each["quotes"]
            assert each["said"] in ("judge", "reviewer", "judge and reviewer")
            assert each["status"] == ("hypothesis" if key == "improvement_suggestions" else "observed")
    assert ours["evidence"]["loser_weaknesses"][0]["quotes"] == ["quote of 0", "quote of 1", "quote of 2"]
    assert set(ours["absent"]) == {"instruction_following", "transcript_insights"}
    assert ours["priority_rule"] == RULE


@pytest.mark.parametrize("pairs", [1, 2])
def test_an_entry_quotes_what_was_said_of_its_criterion_and_without_a_word_there_is_none(pairs: int) -> None:
    def row(label: Label, key: str, score: str, **more: Any) -> Remark:
        expected = {"dimension": None} if score in "01" else {}
        return remark(label, score, key=key, name=key, **expected, **more)

    remarks = (
        row(Label.A, "reasoned", "5"),
        row(Label.B, "reasoned", "2", rationale="It names no cause."),
        row(Label.A, "changed", "5"),
        row(Label.B, "changed", "2", changed=True, reason="Too harsh on A."),
        row(Label.A, "expected", "1", rationale="Line 3 has the date."),
        row(Label.B, "expected", "0"),
        row(Label.A, "unsaid", "5"),
        row(Label.B, "unsaid", "2"),
    )
    every = [scored(str(number), ("5", "2"), ("3", "3")) for number in range(pairs)]

    found = analysis_of([each.model_copy(update={"remarks": remarks}) for each in every])

    said = {
        "reasoned": (("It names no cause.",), "judge"),
        "changed": (("Too harsh on A.",), "reviewer"),
        "expected": (("Line 3 has the date.",), "judge"),
    }
    for entries in (found.strengths, found.weaknesses, [each.evidence for each in found.suggestions]):
        by_name = {name: each for each in entries for name in said if name in each.text}
        assert {name: (each.quotes, each.speakers) for name, each in by_name.items()} == said
        assert not any("unsaid" in each.text for each in entries)
    assert found.unsaid == found.document()[OURS]["left_out_without_words"] == 1


def test_priority_is_high_only_beyond_noise_and_in_two_tasks() -> None:
    one = scored("1", ("5", "2"), ("3", "3"))
    two = scored("2", ("5", "2"), ("3", "3"))

    def priorities(pairs: list[Exported], floor: float | None) -> set[str]:
        return {each.priority.value for each in analysis_of(pairs, floor=floor).suggestions}

    assert priorities([one, two], 1.0) == {"high"}
    assert priorities([one, two], 1.5) == {"medium"}
    assert priorities([one, two], None) == {"medium"}
    assert priorities([one], 1.0) == {"medium"}
    level = scored("3", ("4", "3"), ("5", "2"))
    assert priorities([level], 0.1) == {"low"}


def test_a_set_names_who_won_more_and_a_tied_pair_has_no_winner() -> None:
    swapped = scored("2", ("2", "5"), ("3", "3"), made=made_by("old", "new"))
    found = analysis_of([scored("1", ("5", "2"), ("3", "3")), swapped])

    assert (found.winner, found.winner_skill, found.loser_skill) == ("new", "new", "old")
    assert found.reasoning == "new won 2 of 2 pairs against old, lost 0 and tied 0."
    with pytest.raises(InputError, match="tied"):
        analysis_of([scored("1", ("3", "3"), ("3", "3"))])
    with pytest.raises(InputError, match="revealed"):
        document(pair("1", "5", "1", revealed=False))
    third = scored("3", ("5", "2"), ("3", "3"), made=made_by("other", "old"))
    with pytest.raises(InputError, match="two candidates"):
        analysis_of([scored("1", ("5", "2"), ("3", "3")), third])


def test_what_would_flip_most_pairs_comes_first() -> None:
    # Facts alone lose the first two; order trails in all three by more, and flips none of them.
    lost = [
        scored("1", ("4", "3"), ("3", "3")),
        scored("2", ("4", "3"), ("3", "3")),
        scored("3", ("5", "3"), ("5", "2")),
    ]
    found = fixes([(each, Label.B) for each in lost])

    assert [(fix.name, len(fix.flipped), len(fix.trailed)) for fix in found] == [
        ("Facts", 2, 3),
        ("Order", 0, 1),
    ]
    out = io.StringIO()
    write_fix_list(lost, out, candidate="old")
    lines = [line for line in out.getvalue().splitlines() if line.startswith("- [ ]")]
    assert lines[0].startswith("- [ ] **Facts**: flips 2 of 3 lost pairs; behind in 3")
    assert lines[1].startswith("- [ ] **Order**: flips none by itself; behind in 1")


def test_a_line_is_the_judges_where_it_stands_in_its_list_and_the_reviewers_where_it_was_edited() -> None:
    changed = scored("1", ("5", "2"), ("3", "3"))
    strengths = changed.prose.strengths.model_copy(update={"A": ("names the cause", "is short")})
    prose = changed.prose.model_copy(update={"strengths": strengths})
    remarks = tuple(
        each.model_copy(update={"changed": each.label is Label.B and each.key == "facts"})
        for each in changed.remarks
    )
    judged = changed.model_copy(update={"prose": prose, "judge": changed.result, "remarks": remarks})

    found = analysis_of([judged])

    assert judged.source.by_people
    assert [(each.text, each.speakers) for each in found.strengths[:2]] == [
        ("names the cause", "judge"),
        ("is short", "reviewer"),
    ]
    assert [each.speakers for each in found.weaknesses] == ["judge", "judge and reviewer"]
    assert found.weaknesses[1].text.endswith("It names it.")


def test_who_won_is_told_of_all_pairs_and_the_document_says_how_many_were_read() -> None:
    made = PerOutput[Maker](A=Maker(name="new", candidate_id="n"), B=Maker(name="old", candidate_id="o"))
    read = [scored(str(number), ("5", "2"), ("3", "3"), made=made) for number in range(2)]

    found = analysis_of(read, outcomes=CountedOutcomes(frozenset({"o"}), won=3, tied=1, lost=5))

    assert found.reasoning == "new won 5 of 9 pairs against old, lost 3 and tied 1."
    assert found.document()[OURS]["pairs_read"] == {"pairs": 2, "of": 9, "lost": 2, "of_lost": 5}
    assert analysis_of(read).pairs_read.all


def test_a_noise_floor_that_is_not_known_is_not_printed() -> None:
    read = [scored(str(number), ("5", "2"), ("3", "3")) for number in range(2)]

    assert "noise_floor" not in analysis_of(read).document()[OURS]
    assert analysis_of(read, floor=0.5).document()[OURS]["noise_floor"] == 0.5


def test_nothing_flips_a_winner_that_a_reviewer_set() -> None:
    lost = scored("1", ("4", "3"), ("3", "3"), decided_by=DecidedBy.REVIEWER)

    assert [len(fix.flipped) for fix in fixes([(lost, Label.B)])] == [0]
