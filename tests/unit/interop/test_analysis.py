"""analysis.json and the fix list: exactly the analyzer's format, each entry with what it rests on."""

import io
import json
from decimal import Decimal
from typing import Any

from comparator.domain.labels import Dimension, Label
from comparator.domain.scoring.verdict import DecidedBy
from comparator.interop.exported import Exported, Remark
from comparator.interop.written.analysis import OURS, RULE, write_analysis
from comparator.interop.written.fix_list import fixes, write_fix_list
from tests.unit.interop.test_writing import pair, remark

FORMAT = ("comparison_summary", "winner_strengths", "loser_weaknesses", "improvement_suggestions")


def scored(id: str, facts: tuple[str, str], order: tuple[str, str], **more: Any) -> Exported:
    """A pair in which two criteria of the four have these scores of A and B, and the others 3."""
    scores: dict[str, Any] = {}
    remarks: list[Remark] = []
    for label, fact, ordering in ((Label.A, facts[0], order[0]), (Label.B, facts[1], order[1])):
        content = ((Decimal(fact) + 3) / 2).quantize(Decimal("0.1"))
        structure = ((Decimal(ordering) + 3) / 2).quantize(Decimal("0.1"))
        scores[label.value] = {
            "content": {"facts": Decimal(fact), "depth": Decimal(3)},
            "structure": {"order": Decimal(ordering), "form": Decimal(3)},
            "content_score": content,
            "structure_score": structure,
            "overall_score": content + structure,
        }
        remarks += [
            remark(label, fact, quotes=(f"quote of {id}",), rationale="It names it."),
            remark(label, ordering, dimension=Dimension.STRUCTURE, key="order", name="Order"),
        ]
    a, b = scores["A"]["overall_score"], scores["B"]["overall_score"]
    quality = {"score": 5, "strengths": ["names the cause"], "weaknesses": ["guesses"]}
    result = {
        "winner": "TIE" if a == b else "A" if a > b else "B",
        "reasoning": "One is better.",
        "rubric": scores,
        "output_quality": {"A": quality, "B": quality},
    }
    return pair(id, "5", "1", result=result, remarks=tuple(remarks), **more)


def document(*pairs: Exported) -> dict[str, Any]:
    out = io.StringIO()
    write_analysis(pairs, out)
    analysis: dict[str, Any] = json.loads(out.getvalue())
    return analysis


def test_every_entry_has_the_keys_of_the_format_pairs_words_and_a_status() -> None:
    analysis = document(*(scored(str(number), ("5", "2"), ("3", "3")) for number in range(3)))

    assert tuple(analysis) == (*FORMAT, OURS)
    suggestions = analysis["improvement_suggestions"]
    assert all(
        set(entry) == {"priority", "category", "suggestion", "expected_impact"} for entry in suggestions
    )
    assert {entry["category"] for entry in suggestions} <= {"instructions", "structure"}
    ours = analysis[OURS]
    for key in ("winner_strengths", "loser_weaknesses", "improvement_suggestions"):
        assert len(ours["evidence"][key]) == len(analysis[key]) > 0
        for entry in ours["evidence"][key]:
            assert entry["n"] == len(entry["pairs"]) > 0
            assert entry["quotes"]
            assert entry["said"] in ("judge", "reviewer", "judge and reviewer")
            assert entry["status"] == ("hypothesis" if key == "improvement_suggestions" else "observed")
    assert ours["evidence"]["loser_weaknesses"][0]["quotes"] == ["quote of 0", "quote of 1", "quote of 2"]
    assert set(ours["absent"]) == {"instruction_following", "transcript_insights"}
    assert ours["priority_rule"] == RULE


def test_the_analysis_of_one_pair_sums_it_up() -> None:
    analysis = document(scored("1", ("5", "2"), ("3", "3")))

    assert analysis["winner_strengths"][0].startswith("names the cause")
    assert analysis["comparison_summary"] == {
        "winner": "A",
        "winner_skill": "new",
        "loser_skill": "old",
        "comparator_reasoning": "One is better.",
    }


def test_priority_is_high_where_it_flips_pairs_of_two_tasks_and_low_where_it_flips_none() -> None:
    one, two = scored("1", ("5", "2"), ("3", "3")), scored("2", ("5", "2"), ("3", "3"))
    level, other = (scored(id, ("4", "3"), ("5", "2")) for id in "34")
    for pairs, priority in (
        ([one, two], "high"),
        ([one], "medium"),
        ([level], "low"),
        ([level, other], "low"),
    ):
        suggestions = document(*pairs)["improvement_suggestions"]
        assert {suggestion["priority"] for suggestion in suggestions} == {priority}
    assert document(one, two)["improvement_suggestions"][0]["suggestion"] == (
        "Raise Facts: “It names it” (2 of 2 pairs)."
    )


def test_what_would_flip_most_pairs_comes_first_and_nothing_flips_a_winner_that_a_reviewer_set() -> None:
    # Facts alone lose the first two; order trails in all three by more, and flips none of them.
    ordinary = ("4", "3"), ("3", "3")
    lost = [scored("1", *ordinary), scored("2", *ordinary), scored("3", ("5", "3"), ("5", "2"))]
    suggestions = fixes([(pair, Label.B) for pair in lost])

    assert [(fix.name, len(fix.flipped), len(fix.gaps)) for fix in suggestions] == [
        ("Facts", 2, 3),
        ("Order", 0, 1),
    ]
    out = io.StringIO()
    write_fix_list(lost, out, candidate="old")
    lines = [line for line in out.getvalue().splitlines() if line.startswith("- [ ]")]
    assert lines[0].startswith("- [ ] **Facts**: flips 2 of 3 lost pairs; behind in 3")
    assert lines[1].startswith("- [ ] **Order**: flips none by itself; behind in 1")
    decided = scored("1", *ordinary, decided_by=DecidedBy.REVIEWER)
    assert [len(fix.flipped) for fix in fixes([(decided, Label.B)])] == [0]
