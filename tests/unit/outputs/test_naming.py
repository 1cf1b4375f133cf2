"""Names that tell become neutral by the same rule on both sides."""

from __future__ import annotations

from comparator.domain.blinding import Decision, Redaction
from comparator.outputs.naming import neutral_names


def _names(a: list[str], b: list[str], *patterns: str) -> tuple[list[str], list[str]]:
    redactions = [Redaction(pattern=p, decision=Decision.REDACT) for p in patterns]
    first, second = neutral_names([a, b], redactions)
    return [first.of(path) for path in a], [second.of(path) for path in b]


def test_honest_names_stay_as_they_are() -> None:
    assert _names(["report.md", "data/items.csv"], ["summary.txt"]) == (
        ["report.md", "data/items.csv"],
        ["summary.txt"],
    )


def test_a_telling_part_is_taken_out_and_the_extension_stays() -> None:
    assert _names(["plan.md"], ["plan_Baseline.md"]) == (["plan.md"], ["plan.md"])
    assert _names(["plan_with_skill.md"], ["plan-without-skill.md"]) == (["plan.md"], ["plan.md"])
    assert _names(["nova-report.v2.md"], ["report.md"], "nova") == (["report.v2.md"], ["report.md"])


def test_a_name_that_is_nothing_but_telling_becomes_a_neutral_word() -> None:
    assert _names(["nova.html"], ["orbit.html"], "nova", "orbit") == (["file.html"], ["file.html"])
    assert _names(["with_skill/a.md"], ["without_skill/a.md"]) == (["folder/a.md"], ["folder/a.md"])


def test_neutral_names_never_collide() -> None:
    a, _ = _names(["report.md", "nova-report.md", "report-nova.md"], [], "nova")
    assert a == ["report.md", "report-2.md", "report-3.md"]


def test_a_baseline_that_both_sides_have_is_an_honest_name() -> None:
    assert _names(["baseline.csv"], ["baseline.csv"]) == (["baseline.csv"], ["baseline.csv"])


def test_references_to_a_telling_name_are_rewritten_on_both_sides() -> None:
    a, b = neutral_names([["plan.md"], ["plan_Baseline.md"]], [])

    for side in (a, b):
        assert side.rewrite("see plan_Baseline.md and plan_Baseline") == "see plan.md and plan"
