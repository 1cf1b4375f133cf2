"""Each measure of the baseline: what a sound output and a faulty one get, and that hostile files end nothing."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from comparator.domain.labels import PerOutput
from comparator.domain.view import OutputView, TextBlock
from comparator.judges.offline import code, coverage, data, documents, forms, web
from comparator.judges.offline.expectations import check_expectation
from comparator.judges.offline.judge import measure_pair
from comparator.judges.offline.python_source import read_python
from comparator.judges.offline.rubrics import Profile, rubric_for
from comparator.judges.offline.signals import (
    Measure,
    Subject,
    Surroundings,
    score_of,
    surroundings_of,
    value_of,
)
from comparator.judges.offline.words import Haystack, LiteralKind, literals
from tests.loopback.pairs import pair, view, viewed

PAGE = (
    '<!doctype html><html lang="en"><head><title>T</title><meta name="viewport" content="w"></head>'
    '<body><main><h1>T</h1><img src="data:x" alt="a boat"></main></body></html>'
)


BOOK = "## Sheet: Costs (2 rows, 2 columns)\n\n| | A | B |\n| --- | --- | --- |\n| 1 | Fee | 420 |\n| 2 | Room | 60 |\n"


def subject(files: dict[str, str]) -> Subject:
    own = view(files)
    return Subject(own, Haystack(own))


def around(
    prompt: str = "Do it.", inputs: dict[str, str] | None = None, reference: dict[str, str] | None = None
) -> Surroundings:
    return surroundings_of(
        pair({"a.md": "x"}, {"b.md": "y"}, prompt=prompt, inputs=inputs, reference=reference)
    )


CASES: list[tuple[Measure, dict[str, str], dict[str, str], str]] = [
    (data.well_formedness, {"a.json": '{"x": [1, 2]}'}, {"a.json": '{"x": [1, 2'}, "cannot be read"),
    (data.well_formedness, {"a.csv": "x,y\n1,2\n"}, {"a.csv": "x,y\n1,2,3\n4\n"}, "another width"),
    (data.well_formedness, {"a.yaml": "x: 1\n"}, {"a.yaml": "x: [1\n"}, "cannot be read"),
    (data.well_formedness, {"a.toml": "x = 1\n"}, {"a.toml": "x = \n"}, "cannot be read"),
    (data.well_formedness, {"a.xml": "<a><b/></a>"}, {"a.xml": "<a><b></a>"}, "cannot be read"),
    (data.well_formedness, {"a.xlsx": BOOK}, {"a.xlsx": BOOK.replace("420", "#REF!")}, "1 with an error"),
    (data.data_types, {"a.json": '{"n": 1.5, "d": "2026-01-02"}'}, {"a.json": '{"n": "1.5", "d": "2.1.2026"}'}, "text"),
    (data.data_types, {"a.csv": "n\n1\n2\n3\n"}, {"a.csv": "n\n1\n2\nthree\n"}, "mixed: n"),
    (documents.heading_hierarchy, {"a.md": "# A\n\n## B\n\nx\n"}, {"a.md": "## A\n\n# B\n\n### C\n"}, "skipped"),
    (
        documents.section_structure,
        {"a.md": "# A\n\nsome text\n\n# B\n\nmore text\n"},
        {"a.md": "plain " * 400},
        "no headings",
    ),
    (
        documents.paragraph_flow,
        {"a.md": "One sentence that has at least eight words in it."},
        {"a.md": "One sentence of eight words without any proper end\n\n[x](missing.md) TODO"},
        "nowhere",
    ),
    (
        documents.formatting,
        {"a.md": "| a | b |\n|---|---|\n| 1 | 2 |\n"},
        {"a.md": "| a | b |\n|---|---|\n| 1 |\n"},
        "different width",
    ),
    (code.syntax, {"a.py": "def f():\n    return 1\n"}, {"a.py": "def f(:\n"}, "does not parse"),
    (code.syntax, {"a.js": "f({a: '}'}); // }"}, {"a.js": "f({a: 1;"}, "never closed"),
    (
        code.tests_present,
        {"a.py": "x = 1", "tests/test_a.py": "def test_x():\n    assert parse(1)\n" * 10},
        {"a.py": "x = 1"},
        "no test files",
    ),
    (
        code.documentation,
        {"a.py": 'def f():\n    """Does it."""\n', "README.md": "```\nf()\n```"},
        {"a.py": "def f():\n    pass\n"},
        "no README",
    ),
    (code.organisation, {"a.py": "x = 1\n"}, {"a.py": "x = '" + "y" * 200 + "'\n"}, "longer than"),
    (web.markup, {"a.html": PAGE}, {"a.html": "<div><span><b>x</div>"}, "not closed"),
    (web.accessibility, {"a.html": PAGE}, {"a.html": "<img src=x><h3>x</h3>"}, "missing: language stated"),
    (web.self_containment, {"a.html": PAGE}, {"a.html": '<script src="https://a.test/x.js"></script>'}, "elsewhere"),
]  # fmt: skip


@pytest.mark.parametrize(("measure", "sound", "faulty", "says"), CASES)
def test_a_sound_output_scores_higher_than_a_faulty_one(
    measure: Measure, sound: dict[str, str], faulty: dict[str, str], says: str
) -> None:
    good, bad = measure(subject(sound), around()), measure(subject(faulty), around())
    assert good is not None
    assert bad is not None
    assert value_of(good) > value_of(bad)
    assert score_of(good) > score_of(bad)
    assert any(says in signal.text for signal in bad), [signal.text for signal in bad]


def test_asked_columns_and_keys_are_looked_up() -> None:
    prompt = "Write items.csv with the columns position, unit price and vat_rate."
    good = data.schema_correctness(
        subject({"items.csv": "position,unit_price,vat_rate\n1,2,3\n"}), around(prompt)
    )
    bad = data.schema_correctness(subject({"items.csv": "no,price\n1,2\n"}), around(prompt))
    assert good is not None
    assert bad is not None
    assert score_of(good) == 5
    assert score_of(bad) <= 3


def test_coverage_counts_what_the_prompt_names() -> None:
    prompt = 'Write `plan.md` about "clean water" for the council.'
    good = coverage.completeness(
        subject({"plan.md": "Clean water for the council: clean water"}), around(prompt)
    )
    bad = coverage.completeness(subject({"other.md": "Something else"}), around(prompt))
    assert good is not None
    assert bad is not None
    assert score_of(good) > score_of(bad)
    assert any("not: " in signal.text for signal in bad)


def test_numbers_are_compared_with_inputs_and_reference() -> None:
    surroundings = around(
        inputs={"log.txt": "1,264 failures at 14:06, 571.00 in total"}, reference={"r.json": '{"t": 571.00}'}
    )
    good = coverage.accuracy(subject({"a.md": "1264 failures, 571.0 in total"}), surroundings)
    bad = coverage.accuracy(subject({"a.md": "9999 failures, 8888 in total"}), surroundings)
    assert good is not None
    assert bad is not None
    assert score_of(good) == 5
    assert score_of(bad) == 1


def test_asked_file_names_are_looked_up_and_inputs_are_not_asked() -> None:
    surroundings = around("From note.txt write report.md and data/x.csv.", inputs={"note.txt": "x"})
    reading = coverage.naming(subject({"report.md": "x"}), surroundings)
    assert reading is not None
    assert reading[0].text.startswith("1 of 2 files")


def test_a_filled_form_is_compared_with_its_blank_and_the_values_of_the_input() -> None:
    surroundings = around(
        "Fill in the form.",
        inputs={"blank.pdf": "Name:\nDate:\nSignature:", "mail.txt": "On 04/03/2027 at 18:30"},
    )
    filled, empty = (
        subject({"f.pdf": "Name: Ada\nDate: 04/03/2027 18:30\nSignature:"}),
        subject({"f.pdf": "Name:\n"}),
    )
    for measure in (forms.data_placement, forms.form_preserved):
        good, bad = measure(filled, surroundings), measure(empty, surroundings)
        assert good is not None
        assert bad is not None
        assert score_of(good) > score_of(bad)


def test_a_cut_file_is_not_held_to_parse() -> None:
    whole = viewed("a.json", '{"x": 1, "y"')
    cut = whole.model_copy(update={"blocks": (TextBlock(text=whole.text, omitted=500),)})
    own = OutputView(files=(cut,))
    assert data.well_formedness(Subject(own, Haystack(own)), around()) is None


@pytest.mark.parametrize(
    ("expectation", "a", "b"),
    [
        ('It says "clean water"', True, False),
        ("The total is 1,264", True, False),
        ("The date is 2026-04-17", True, False),
        ("It is no longer than 15 words", True, False),
        ("It has at least 20 words", False, True),
        ("It mentions the council", True, False),
        ("It has a table", False, True),
        ("It has a section on risks", True, False),
        ("The output is a JSON file", False, False),
    ],
)
def test_an_expectation_that_a_search_can_tell_is_checked(expectation: str, a: bool, b: bool) -> None:
    one = pair(
        {
            "a.md": "# Risks\n\nClean water on 2026-04-17, clean water for the councils: 1264.".replace(
                "Clean", "clean"
            )
        },
        {"b.md": "| x | y |\n|---|---|\n| 1 | 2 |\n" + "other words " * 20},
    )
    subjects = one.outputs.map(lambda own: Subject(own, Haystack(own)))
    marks = check_expectation(expectation, subjects, surroundings_of(one))
    assert (marks.A.passed, marks.B.passed) == (a, b), (marks.A.evidence, marks.B.evidence)
    assert marks.A.measured
    assert marks.A.evidence


@pytest.mark.parametrize(
    "expectation",
    [
        "It does not mention 1264",
        "The text is clear",
        "parse('x') raises an error",
        "items.csv has a row for each position",
        "The amounts add up to 571.00",
        "Only the hall is ticked",
        "Good",
    ],
)
def test_an_expectation_that_a_search_cannot_tell_is_not_met_on_both_and_marked(expectation: str) -> None:
    one = pair({"a.md": "1264 571.00 items.csv"}, {"b.md": "x"})
    subjects: PerOutput[Subject] = one.outputs.map(lambda own: Subject(own, Haystack(own)))
    marks = check_expectation(expectation, subjects, surroundings_of(one))
    for mark in (marks.A, marks.B):
        assert (mark.passed, mark.measured) == (False, False)
        assert mark.evidence.startswith("not checked")


def test_literals_of_a_text_are_told_apart() -> None:
    found = {
        x.text: x.kind
        for x in literals('Use `a b`, "x y", data/in.csv, 2026-04-17, 18:30, db.pool_size, 1,264, 5.')
    }
    assert found == {
        "a b": LiteralKind.CODE,
        "x y": LiteralKind.QUOTED,
        "data/in.csv": LiteralKind.FILE,
        "2026-04-17": LiteralKind.DATE,
        "18:30": LiteralKind.TIME,
        "db.pool_size": LiteralKind.NAME,
        "1,264": LiteralKind.NUMBER,
    }


ALIASES = "".join(f"a{n + 1}: &a{n + 1} [*a{n},*a{n}]\n" for n in range(25))
HOSTILE = {
    "open headings": "<h1>" * 48_000,
    "open tags": "<div " * 48_000,
    "brackets": "[" * 160_000,
    "open comments": "/*" * 96_000,
    "backticks": "`" * 160_001,
    "fences": "```\n~~~\n" * 24_000,
    "hyphens": "a-" * 96_000,
    "dots": "a." * 96_000,
    "rules": "|--" * 64_000 + "\n" + "|--" * 64_000,
    "spaces": " " * 192_000 + "x",
    "digits": "1" * 192_000,
    "quotes": '"' * 160_001,
    "links": "[a](" * 48_000,
    "deep json": '{"a":' * 48_000,
    "aliases": f"a0: &a0 [x,x]\n{ALIASES}",
    "ignore": "ignore " * 24_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_is_measured_to_its_end(text: str) -> None:
    files = {f"x.{ending}": text for ending in ("md", "json", "py", "js", "html", "csv", "yaml", "pdf")}
    one = pair(files, {"b.md": "x"}, prompt="Fill in the form on `x`.", expectations=("It names the river",))
    for profile in (Profile.WEB, Profile.CODE, Profile.DATA):
        measure_pair(one, rubric_for(profile))


def test_python_is_parsed_apart_so_that_threads_and_hostile_code_do_no_harm() -> None:
    texts = [f"def f{n}():\n    '''doc'''\n    return {n}\n" for n in range(8)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(read_python, texts))

    assert [source.functions[0].name for source in found] == [f"f{n}" for n in range(8)]
    assert all(source.problem is None for source in found)
    assert read_python("(" * 100_000).problem is not None
    assert read_python("-" * 1_000_000 + "1").problem is not None
    assert read_python("def broken(:\n").problem == "line 1: invalid syntax"


def test_a_workbook_is_measured_by_its_values_and_by_formulas_where_they_are_asked_for() -> None:
    with_formulas = subject(
        {"a.xlsx": BOOK + "\nFormulas:\n" + "".join(f"B{n}: =A{n}*2\n" for n in range(3, 9))}
    )
    asked = around(
        "Make a workbook; results are formulas.", inputs={"note.txt": "The fee is 420, the room 60."}
    )
    good, bad = (
        data.well_formedness(with_formulas, asked),
        data.well_formedness(subject({"a.xlsx": BOOK}), asked),
    )
    assert good is not None
    assert bad is not None
    assert score_of(good) > score_of(bad)
    accuracy = coverage.accuracy(with_formulas, asked)
    assert accuracy is not None
    assert accuracy[0].text.startswith("2 of 2 numbers"), "row numbers and formulas are no values"
