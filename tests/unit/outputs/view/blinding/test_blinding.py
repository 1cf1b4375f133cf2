"""Names that tell become neutral, words are redacted in text and markup, and what a run says of itself is set aside."""

import pytest

from comparator.domain.blinding.redaction import PatternDecision, Redaction
from comparator.domain.labels import Label, PerOutput
from comparator.outputs.isolated.messages import Copy, Extraction
from comparator.outputs.view.naming import neutral_names
from comparator.outputs.view.redacting import Redactor
from comparator.outputs.view.self_reports import reports_to_set_aside, why_set_aside


def _names(a: list[str], b: list[str], *patterns: str) -> tuple[list[str], list[str]]:
    redactions = [Redaction(pattern=p, decision=PatternDecision.REDACT) for p in patterns]
    first, second = neutral_names([a, b], redactions)
    return [first.of(path) for path in a], [second.of(path) for path in b]


def test_a_telling_part_is_taken_out_or_replaced_and_the_extension_stays() -> None:
    honest = ["report.md", "data/items.csv"], ["summary.txt"]
    assert _names(*honest) == honest
    # Neutral names never collide.
    alike = ["report.md", "report_with_skill.md", "with-skill-report.md"]
    assert _names(alike, [])[0] == ["report.md", "report-2.md", "report-3.md"]
    assert _names(["plan.md"], ["plan_Baseline.md"]) == (["plan.md"], ["plan.md"])
    assert _names(["plan_with_skill.md"], ["plan-without-skill.md"]) == (["plan.md"], ["plan.md"])
    assert _names(["nova-report.v2.md"], ["report.md"], "nova") == (["toolkit-report.v2.md"], ["report.md"])


def _redactor(pattern: str) -> Redactor:
    redactions = [Redaction(pattern=pattern, decision=PatternDecision.REDACT)]
    (names,) = neutral_names([()], redactions)
    return Redactor(redactions, names)


def test_markup_is_redacted_in_words_and_attributes() -> None:
    for source, expected in (
        ("<p>by nova lab</p>", "<p>by tidy toolkit</p>"),
        ("<p>by <b>nova</b>-lab, yes</p>", "<p>by <b>tidy-toolkit</b>, yes</p>"),
        ("<p>by no<i>va</i> l<u>ab</u></p>", "<p>by tidy toolkit<i></i><u></u></p>"),
        ("<p>nova</p><p>lab</p>", "<p>nova</p><p>lab</p>"),
        *(('<p>a &amp; b &lt; "c" &nbsp;</p><script>if (a < b && c) {}</script>',) * 2,),
        ("<p>nova&#45;lab &amp; co</p>", "<p>tidy-toolkit &amp; co</p>"),
        ('<a href="x/nova-lab.css">y</a>', '<a href="x/tidy-toolkit.css">y</a>'),
        ("<style>.nova-lab{}</style>", "<style>.tidy-toolkit{}</style>"),
        ("<script>a && 'nova-lab' && b</script>", "<script>a && 'tidy-toolkit' && b</script>"),
        ("<nova-lab>x</nova-lab>", "<tidy-toolkit>x</tidy-toolkit>"),
        ('<i data-nova-lab="a-b" x-y="-">z</i>', '<i data-tidy-toolkit="a-b" x-y="-">z</i>'),
        (
            "<nova_lab nova.lab @nova_lab=1 NovaLab />",
            "<tidy_toolkit tidy.toolkit @tidy_toolkit=1 TidyToolkit />",
        ),
    ):
        assert _redactor("nova-lab").markup(source) == expected


def test_a_word_in_several_elements_is_one_as_it_is_drawn() -> None:
    for source, expected in (
        ("<td>kest</td><td>relbark</td>", "<td>toolkit</td><td></td>"),
        ("<td>kes</td>\n<td>trel</td>", "<td>kes</td>\n<td>trel</td>"),
        ("<td>k</td>\n<td>estrelbark</td>", "<td>k</td>\n<td>estrelbark</td>"),
        ("<text>kes</text><text>trelbark</text>", "<text>toolkit</text><text></text>"),
        ("<ul><li>kestrel</li><li>bark</li></ul>", "<ul><li>toolkit</li><li></li></ul>"),
        ("".join(f"<td>{c}</td> " for c in "kestrelbark"), "<td>toolkit</td>" + "<td></td>" * 10 + " "),
    ):
        assert _redactor("kestrelbark").markup(source) == expected


def test_the_bytes_of_embedded_pictures_are_never_rewritten() -> None:
    address = "data:image/png;base64,nova/nova+nova="
    html = Copy("text/html", f'<img src="{address}" alt="nova">'.encode())
    text = Copy("text/plain", f"nova ![nova]({address})".encode())
    redactor = _redactor("nova")

    def copied(copy: Copy) -> str:
        blinded = redactor.extraction(Extraction(copy=copy)).copy
        assert blinded is not None
        return blinded.data.decode()

    assert copied(html) == f'<img src="{address}" alt="toolkit">'
    assert copied(text) == f"toolkit ![toolkit]({address})"


def test_self_reports_are_known_by_name() -> None:
    for path in (
        *("transcript.md", "user_notes.md", "User-Notes.txt", "metrics.json", "trace.jsonl"),
        *("run_summary.md", "summary.md", "grading.json", "grading_with_skill.json", "timing.json"),
        *("eval_metadata.json", "eval-12-config.json", "SKILL.md", "deep/agent log.txt"),
        *(".claude/settings.json", "transcripts/1.txt"),
    ):
        assert why_set_aside(path)


TOTALS = {"data.csv": "a,b", "summary.md": "120 rows, 4,310 in total."}
USED = {"data.csv": "a", "summary.md": "I used the csv skill; 3 tool calls."}
STEPS = {"a.csv": "", "metrics.json": '{"total_steps": 4}'}
RATES = {"a.csv": "", "metrics.json": '{"precision": 0.8}'}
NOTES = {"minutes.md": "x", "meeting_notes.md": "y", "user-notes.md": "Agenda: budget."}
OTHER_NOTES = {"minutes.md": "x", "user_notes.txt": "Agenda: staff."}
GRADED = {"a.txt": "", "grading.json": "{}"}
REPORTED = {"report.md": "", "metrics.json": ""}
TRACED = {"report.md": "", "trace.txt": ""}
TRANSCRIPT = {"a.txt": "", "transcript.txt": "Anna: hello"}


@pytest.mark.parametrize(
    ("a", "b", "prompt", "aside_of_a", "aside_of_b"),
    [
        pytest.param(TOTALS, TOTALS, "State the number of rows and the total.", "", "", id="both have one"),
        pytest.param(NOTES, OTHER_NOTES, "", "", "", id="both have notes, written differently"),
        pytest.param(
            RATES, RATES, "Evaluate the classifier.", "", "", id="both have figures on what was asked"
        ),
        pytest.param(
            TOTALS, USED, "Clean the table.", "summary.md", "summary.md", id="one speaks of the run"
        ),
        pytest.param(STEPS, STEPS, "", "metrics.json", "metrics.json", id="both are figures on the run"),
        pytest.param(TOTALS, {"data.csv": "a"}, "", "summary.md", "", id="one side only"),
        pytest.param(
            TOTALS, {"data.csv": "a"}, "Summarise the table.", "", "", id="one side only, and asked for"
        ),
        pytest.param(
            TRANSCRIPT, {"a.txt": ""}, "Transcribe the recording.", "", "", id="a transcript, asked for"
        ),
        pytest.param(
            GRADED, GRADED, "", "grading.json", "grading.json", id="a grading is never part of an output"
        ),
        pytest.param(
            {"a.txt": "", "only_here.md": "I used the skill"}, {"a.txt": ""}, "", "", "", id="another file"
        ),
        pytest.param(REPORTED, TRACED, "Write Metrics.json.", "", "trace.txt", id="asked for by name"),
        pytest.param(
            {"summary.md": ""}, TRACED | {"summary.md": ""}, "", "", "trace.txt", id="no side has nothing"
        ),
    ],
)
def test_what_both_have_and_the_task_asks_for_is_judged(
    a: dict[str, str], b: dict[str, str], prompt: str, aside_of_a: str, aside_of_b: str
) -> None:
    def excluded(sides: PerOutput[dict[str, str]]) -> tuple[str, str]:
        def text_of(label: Label, path: str) -> str:
            return sides[label][path]

        aside = reports_to_set_aside(sides.map(tuple), text_of=text_of, taken_back=frozenset(), prompt=prompt)
        return " ".join(aside.A), " ".join(aside.B)

    both = PerOutput[dict[str, str]](A=a, B=b)
    assert excluded(both) == (aside_of_a, aside_of_b)
    assert excluded(both.mirrored) == (aside_of_b, aside_of_a)
