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


def test_priority_is_high_where_it_flips_a_pair_and_occurs_in_two_tasks() -> None:
    one = scored("1", ("5", "2"), ("3", "3"))
    two = scored("2", ("5", "2"), ("3", "3"))

    def priorities(pairs: list[Exported]) -> set[str]:
        suggestions = document(*pairs)["improvement_suggestions"]
        assert isinstance(suggestions, list)
        return {each["priority"] for each in suggestions}

    assert priorities([one, two]) == {"high"}
    assert priorities([one]) == {"medium"}
    level = scored("3", ("4", "3"), ("5", "2"))
    assert priorities([level]) == {"low"}


def test_what_would_flip_most_pairs_comes_first() -> None:
    # Facts alone lose the first two; order trails in all three by more, and flips none of them.
    lost = [
        scored("1", ("4", "3"), ("3", "3")),
        scored("2", ("4", "3"), ("3", "3")),
        scored("3", ("5", "3"), ("5", "2")),
    ]
    found = fixes([(each, Label.B) for each in lost])

    assert [(fix.name, len(fix.flipped), len(fix.gaps)) for fix in found] == [
        ("Facts", 2, 3),
        ("Order", 0, 1),
    ]
    out = io.StringIO()
    write_fix_list(lost, out, candidate="old")
    lines = [line for line in out.getvalue().splitlines() if line.startswith("- [ ]")]
    assert lines[0].startswith("- [ ] **Facts**: flips 2 of 3 lost pairs; behind in 3")
    assert lines[1].startswith("- [ ] **Order**: flips none by itself; behind in 1")


def test_nothing_flips_a_winner_that_a_reviewer_set() -> None:
    lost = scored("1", ("4", "3"), ("3", "3"), decided_by=DecidedBy.REVIEWER)

    assert [len(fix.flipped) for fix in fixes([(lost, Label.B)])] == [0]
