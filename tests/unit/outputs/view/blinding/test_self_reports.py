"""What a run says of itself is set aside on both sides; what was asked for never is."""

from __future__ import annotations

import pytest

from comparator.domain.labels import PerOutput
from comparator.outputs.view.blinding.self_reports import set_aside, why_set_aside


def _aside(
    a: list[str], b: list[str], *, back: set[str] | None = None, prompt: str = ""
) -> tuple[set[str], set[str]]:
    found = set_aside(
        PerOutput[tuple[str, ...]](A=tuple(a), B=tuple(b)), taken_back=frozenset(back or ()), prompt=prompt
    )
    return set(found.A), set(found.B)


@pytest.mark.parametrize(
    "path",
    [
        "transcript.md",
        "user_notes.md",
        "User-Notes.txt",
        "metrics.json",
        "trace.jsonl",
        "run_summary.md",
        "summary.md",
        "grading.json",
        "grading_with_skill.json",
        "timing.json",
        "eval_metadata.json",
        "eval-12-config.json",
        "SKILL.md",
        "deep/agent log.txt",
        ".claude/settings.json",
        "transcripts/1.txt",
    ],
)
def test_self_reports_are_known_by_name(path: str) -> None:
    assert why_set_aside(path)


@pytest.mark.parametrize(
    "path",
    [
        "report.md",
        "notes.md",
        "executive_summary.md",
        "metrics.py",
        "trace.py",
        "interview_transcript.md",
        "README.md",
    ],
)
def test_honest_deliverables_are_not_taken_for_self_reports(path: str) -> None:
    assert why_set_aside(path) is None


def test_both_sides_are_treated_alike() -> None:
    assert _aside(["report.md", "user_notes.md"], ["report.md", "metrics.json"]) == (
        {"user_notes.md"},
        {"metrics.json"},
    )


def test_a_side_is_never_left_with_nothing_and_the_other_side_keeps_the_same_kind() -> None:
    assert _aside(["summary.md"], ["report.md", "summary.md", "trace.txt"]) == (set(), {"trace.txt"})


def test_a_file_that_was_taken_back_is_judged() -> None:
    assert _aside(["report.md", "trace.txt"], ["report.md"], back={"trace.txt"}) == (set(), set())


def test_a_file_that_the_task_asks_for_by_name_is_judged() -> None:
    prompt = "Write report.md and Metrics.json."
    assert _aside(["report.md", "metrics.json"], ["report.md", "trace.txt"], prompt=prompt) == (
        set(),
        {"trace.txt"},
    )
