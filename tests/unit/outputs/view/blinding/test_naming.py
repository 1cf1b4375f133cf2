"""Names that tell become neutral by the same rule on both sides."""

import pytest

from comparator.domain.blinding.redaction import PatternDecision, Redaction
from comparator.outputs.view.naming import neutral_names


def _names(a: list[str], b: list[str], *patterns: str) -> tuple[list[str], list[str]]:
    redactions = [Redaction(pattern=p, decision=PatternDecision.REDACT) for p in patterns]
    first, second = neutral_names([a, b], redactions)
    return [first.of(path) for path in a], [second.of(path) for path in b]


def test_honest_names_stay_as_they_are() -> None:
    assert _names(["report.md", "data/items.csv"], ["summary.txt"]) == (
        ["report.md", "data/items.csv"],
        ["summary.txt"],
    )


def test_a_telling_part_is_taken_out_or_replaced_and_the_extension_stays() -> None:
    assert _names(["plan.md"], ["plan_Baseline.md"]) == (["plan.md"], ["plan.md"])
    assert _names(["plan_with_skill.md"], ["plan-without-skill.md"]) == (["plan.md"], ["plan.md"])
    assert _names(["nova-report.v2.md"], ["report.md"], "nova") == (["toolkit-report.v2.md"], ["report.md"])


def test_neutral_names_never_collide() -> None:
    a, _ = _names(["report.md", "report_with_skill.md", "with-skill-report.md"], [])
    assert a == ["report.md", "report-2.md", "report-3.md"]


@pytest.mark.slow
def test_thousands_of_names_are_made_neutral_and_rewritten() -> None:
    disguised = [f"nova{chr(0x200B) * (n % 70)}-{chr(0x200B) * (n // 70)}lab.md" for n in range(1, 4_000)]
    telling = [f"nova-lab-{n}.md" for n in range(4_000)]

    (names,) = neutral_names(
        [[*disguised, *telling]], [Redaction(pattern="nova-lab", decision=PatternDecision.REDACT)]
    )
    text = names.rewrite("\n".join(telling * 5))

    assert "nova" not in text
    assert len({names.of(path) for path in (*disguised, *telling)}) == 7_999
