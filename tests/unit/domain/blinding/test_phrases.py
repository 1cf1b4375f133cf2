"""Sentences about the run are found, sentences about anything else are not, and code never is."""

import pytest

from comparator.domain.blinding.redaction import PatternDecision, Redaction, TextForm, redact
from comparator.domain.blinding.scan import ScanText, Where, may_reveal, scan, suggested_redactions
from comparator.domain.labels import Label

NEUTRAL = (
    ("The baseline run shows three charts.", "The run shows three charts."),
    ("Compared with a control run, it is faster.", "Compared with a run, it is faster."),
    ("This is an eval run of the task.", "This is a run of the task."),
    ("An evaluation run produced it.", "A run produced it."),
    ("Kept short for grading purposes.", "Kept short for reference."),
    ("A subagent wrote the second part.", "A helper wrote the second part."),
    ("Two sub-agents checked it.", "Two helpers checked it."),
    ("As asked, use the `x-deploy` skill.", "As asked, use the guide."),
    ("I use the x-deploy skill for this.", "I use the guide for this."),
    ("Baseline 使用了 ASCII 图表", "The output 使用了 ASCII 图表"),
    ("Baseline は表を使う", "The output は表を使う"),
    ("The baseline used ASCII charts.", "The output used ASCII charts."),
    ("In Kürze: Baseline verwendet Tabellen.", "In Kürze: The output verwendet Tabellen."),
)
OUTRIGHT = (
    *("This eval run failed to load the skill.", "I could not read the skill file, so I went on without it."),
    *("Couldn't open the `x-deploy` skill.", "The skill file could not be found."),
    *("No skill was available in this session.", "The skill told me to begin with a table."),
    *("As the skill instructs me to do, here is a summary.", "I worked without any skill."),
    *("Done without the skill, from memory.", "With the deploy skill loaded, I began."),
    *("According to the skill, a table comes first.", "## Grader notes\nStrong on form."),
    *("**Grader's comments:** weak ending", "Expectation 3: met"),
    *("我无法读取 skill 文件，因此自行编写。", "skill 告诉我先写摘要。"),
    *("没有使用 skill 完成。", "Ich konnte die Skill-Datei nicht lesen.", "Ohne den Skill erstellt."),
    *("Sans la skill, voici la réponse.", "Hecho sin la skill."),
)
INNOCENT = (
    "Skills: Python, SQL, negotiation.",
    "Her key skill is listening, the skill of a good manager.",
    "The problem-solving skill is tested in the interview.",
    "He has worked without any skill in woodworking.",
    "Nobody is without a skill of some kind.",
    "The applicant could not read the skill matrix.",
    "Blood pressure at baseline was 120; the baseline value fell.",
    "Text should sit on the baseline of the line box.",
    "A quality control run of the plant takes two days.",
    "Who controls the run of the river?",
    "Evaluation of the trial run is in chapter 4.",
    "The grade is for the final exam.",
    "Grading notes help pupils, as do comments on each paper.",
    "Use a table. Use the deploy script.",
    "The agent of the buyer signs first.",
    "the skill tree, the skill set and the skill gap",
    "The Python `eval` function runs a string.",
    "Read `eval run` and `subagent` in the manual of the tool.",
    "See https://example.org/eval-run/subagent/control-run for more.",
    "Open docs/subagent.md or src/eval_run.py.",
    "align-items: baseline; dominant-baseline: middle",
    "```\nthe baseline run\nsubagent\n```",
)


def _scanned(text: str, *, other: str = "", prompt: str = "") -> tuple[set[str], tuple[Redaction, ...], bool]:
    a = ScanText(where=Where.FILE_TEXT, text=text, label=Label.A)
    b = ScanText(where=Where.FILE_TEXT, text=other, label=Label.B)
    findings = scan([], [a, b, ScanText(where=Where.PROMPT, text=prompt)])
    redactions = suggested_redactions(findings)
    return {finding.pattern for finding in findings}, redactions, may_reveal(findings, redactions)


@pytest.mark.parametrize(("text", "neutral"), NEUTRAL)
def test_a_phrase_about_the_run_is_put_neutrally(text: str, neutral: str) -> None:
    patterns, redactions, reveals = _scanned(text)

    assert patterns
    assert not reveals
    assert redact(text, redactions) == neutral


@pytest.mark.parametrize("text", OUTRIGHT)
def test_a_passage_that_tells_outright_marks_the_pair_unless_task_or_both_have_it(text: str) -> None:
    assert _scanned(text)[2]
    assert _scanned("", other=text)[2]
    assert not _scanned(text, prompt=f"Explain this line of a log:\n{text}")[2]
    assert not _scanned(text, other=text)[2]


@pytest.mark.parametrize("text", INNOCENT)
def test_an_innocent_sentence_is_left_alone(text: str) -> None:
    patterns, redactions, reveals = _scanned(text)

    assert not patterns - {"the skill"}
    assert not reveals
    assert redact(text, redactions) == text


@pytest.mark.parametrize("writing", [form for form in TextForm if form is not TextForm.PROSE])
def test_phrases_change_nothing_in_code_and_data(writing: TextForm) -> None:
    text = "\n".join((*(text for text, _ in NEUTRAL), *OUTRIGHT, "eval(x); align-items: baseline"))
    _, redactions, _ = _scanned("\n\n".join(text for text, _ in NEUTRAL))

    assert {redaction.decision for redaction in redactions} == {PatternDecision.REDACT}
    assert redact(text, redactions, writing) == text
