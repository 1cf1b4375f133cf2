"""What a run says of itself is set aside on both sides; what was asked for never is."""

import pytest

from comparator.domain.labels import PerOutput
from comparator.outputs.view.self_reports import set_aside, why_set_aside


def _aside(
    a: dict[str, str] | list[str],
    b: dict[str, str] | list[str],
    *,
    back: set[str] | None = None,
    prompt: str = "",
) -> tuple[set[str], set[str]]:
    texts = [side if isinstance(side, dict) else dict.fromkeys(side, "") for side in (a, b)]
    found = set_aside(
        PerOutput[tuple[str, ...]](A=tuple(texts[0]), B=tuple(texts[1])),
        text_of=lambda label, path: texts["AB".index(label.value)][path],
        taken_back=frozenset(back or ()),
        prompt=prompt,
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


def test_a_side_is_never_left_with_nothing_and_the_other_side_keeps_the_same_kind() -> None:
    assert _aside(["summary.md"], ["report.md", "summary.md", "trace.txt"]) == (set(), {"trace.txt"})


def test_a_file_that_the_task_asks_for_by_name_is_judged() -> None:
    prompt = "Write report.md and Metrics.json."
    assert _aside(["report.md", "metrics.json"], ["report.md", "trace.txt"], prompt=prompt) == (
        set(),
        {"trace.txt"},
    )


TOTALS = {"data.csv": "a,b", "summary.md": "120 rows, 4,310 in total."}


@pytest.mark.parametrize(
    ("a", "b", "prompt", "aside"),
    [
        pytest.param(
            TOTALS, TOTALS, "State the number of rows and the total.", (set(), set()), id="both have one"
        ),
        pytest.param(
            {"minutes.md": "x", "meeting_notes.md": "y", "user-notes.md": "Agenda: budget."},
            {"minutes.md": "x", "user_notes.txt": "Agenda: staff."},
            "",
            (set(), set()),
            id="both have notes, written differently",
        ),
        pytest.param(
            {"a.csv": "", "metrics.json": '{"precision": 0.8}'},
            {"a.csv": "", "metrics.json": '{"precision": 0.7}'},
            "Evaluate the classifier.",
            (set(), set()),
            id="both have figures on what was asked",
        ),
        pytest.param(
            TOTALS,
            {"data.csv": "a", "summary.md": "I used the csv skill; 3 tool calls."},
            "Clean the table.",
            ({"summary.md"}, {"summary.md"}),
            id="one of both speaks of the run",
        ),
        pytest.param(
            {"a.csv": "", "metrics.json": '{"total_steps": 4}'},
            {"a.csv": "", "metrics.json": '{"total_steps": 9}'},
            "",
            ({"metrics.json"}, {"metrics.json"}),
            id="both are figures on the run",
        ),
        pytest.param(TOTALS, {"data.csv": "a"}, "", ({"summary.md"}, set()), id="one side only"),
        pytest.param(
            TOTALS,
            {"data.csv": "a"},
            "Summarise the table.",
            (set(), set()),
            id="one side only, and asked for",
        ),
        pytest.param(
            {"a.txt": "", "transcript.txt": "Anna: hello"},
            {"a.txt": ""},
            "Transcribe the recording.",
            (set(), set()),
            id="a transcript that was asked for",
        ),
        pytest.param(
            {"a.txt": "", "grading.json": "{}"},
            {"a.txt": "", "grading.json": "{}"},
            "",
            ({"grading.json"}, {"grading.json"}),
            id="a grading is never part of an output",
        ),
        pytest.param(
            {"a.txt": "", "only_here.md": "I used the skill"},
            {"a.txt": ""},
            "",
            (set(), set()),
            id="any other file",
        ),
    ],
)
def test_what_both_have_and_the_task_asks_for_is_judged(
    a: dict[str, str], b: dict[str, str], prompt: str, aside: tuple[set[str], set[str]]
) -> None:
    assert _aside(a, b, prompt=prompt) == aside
    assert _aside(b, a, prompt=prompt) == aside[::-1]
