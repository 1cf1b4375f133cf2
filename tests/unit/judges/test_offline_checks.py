"""What the offline check looks at: parsing, heading levels, loose ends, and what the prompt names."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from comparator.domain.pair.task import TaskText
from comparator.domain.pair.view import Family, TextBlock, ViewedFile
from comparator.judges.offline.documents import heading_levels, loose_ends
from comparator.judges.offline.finding import CheckInput, CheckResult
from comparator.judges.offline.judge import check_pair
from comparator.judges.offline.named import named_in, named_parts
from comparator.judges.offline.parsing import problem_of, soundness
from comparator.judges.offline.python_source import python_problem
from comparator.judges.offline.rubrics import Profile, rubric_for
from tests.loopback.pairs import pair, view, viewed


def seen(
    files: dict[str, str], *, prompt: str = "Do it.", inputs: frozenset[str] = frozenset()
) -> CheckInput:
    return CheckInput(view(files), TaskText(prompt=prompt), inputs)


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("a.json", '{"a": 1}', ""),
        ("a.json", '{"a": 1}\n{"a": 2}\n', ""),
        ("a.json", '{"a": ', "does not parse: Expecting value"),
        ("a.yaml", "a: [1, 2", "does not parse: while parsing a flow sequence"),
        ("a.toml", "a = ", "does not parse: "),
        ("a.xml", "<a><b></a>", "does not parse: mismatched tag"),
        ("a.csv", "a,b\n1,2\n", ""),
        ("a.csv", "a,b\n1,2,3\n4,5\n", "has 1 row of another width than its first"),
        ("a.py", "def f():\n    return 1\n", ""),
        ("a.py", "def f(:\n", "does not parse: line 1: invalid syntax"),
        ("a.js", "function f() { return [1]; }", ""),
        ("a.js", "function f() { return [1; }", "has a closing “}” without its opening"),
        ("a.js", "function f() {", "has 1 bracket that no other closes"),
        ("a.html", "<!doctype html><p>One<p>Two<br><ul><li>x</ul>", ""),
        ("a.html", "<div><b>x</div>", "has tags without their counterpart: <b>"),
        ("a.xlsx", "| 1 | #REF! |", "has 1 cell with an error value"),
        ("a.md", "# Anything", ""),
    ],
)
def test_a_file_parses_or_it_is_said_why_not(name: str, text: str, problem: str) -> None:
    said = problem_of(viewed(name, text))
    assert said is not None
    assert said.startswith(problem) if problem else said == ""


def test_a_file_that_was_cut_is_not_held_to_parse() -> None:
    cut = ViewedFile(
        id="x", name="a.json", family=Family.JSON, size=9, blocks=(TextBlock(text='{"a', omitted=9),)
    )
    assert problem_of(cut) is None


def test_soundness_is_the_share_of_files_that_parse() -> None:
    half = soundness(seen({"a.json": "{", "b.json": "{}"}))
    assert half is not None
    assert (half.score, half.faults[0].startswith("a.json does not parse")) == (3, True)
    none = soundness(seen({}))
    assert none is not None
    assert (none.score, none.faults) == (1, ("There is no file in this output.",))


def test_heading_levels_are_looked_at_where_there_are_headings() -> None:
    assert heading_levels(seen({"a.md": "Text alone.", "b.md": "# One"})) is None
    good = heading_levels(seen({"a.md": "# One\n\n## Two\n\n### Three\n"}))
    bad = heading_levels(seen({"a.md": "## One\n\n# Two\n\n#### Three\n"}))
    assert good is not None
    assert bad is not None
    assert (good.score, good.faults) == (5, ())
    assert bad.faults == (
        "a.md begins with a lower heading than its highest.",
        "a.md skips a heading level at “Three”.",
    )


def test_loose_ends_are_placeholders_dead_links_and_broken_tables() -> None:
    table = "| a | b |\n|---|---|\n| 1 | 2 | 3 |\n"
    found = loose_ends(
        seen({"a.md": f"# Top\n\n[up](#top) [no](#nowhere) [file](b.md) TODO\n\n{table}", "b.md": "x"})
    )
    assert found is not None
    assert found.faults == (
        "A placeholder is left in a.md: “TODO”.",
        "In a.md the link to #nowhere leads nowhere.",
        "a.md has a table whose rows are not of one width, at “| 1 | 2 | 3 |”.",
    )
    assert found.quotes[0].text == "TODO"


def test_what_the_prompt_names_is_looked_for_letter_by_letter_without_its_inputs() -> None:
    prompt = "From `data.csv` write `report.md` with a section “Risks” and call `run()`."
    found = named_parts(seen({"report.md": "## Risks\n"}, prompt=prompt, inputs=frozenset({"data.csv"})))
    assert found is not None
    assert found.faults == ("“run()”, which the task names, does not occur.",)
    assert found.score == 4
    nothing = named_parts(seen({"a.md": "x"}, prompt="Write a poem about 3 rivers."))
    assert nothing is not None
    assert (nothing.score, nothing.faults) == (5, ())
    assert [one.text for one in named_in(prompt)] == ["data.csv", "report.md", "Risks", "run()"]


@pytest.mark.parametrize(
    ("sound", "of", "score"), [(0, 4, 1), (1, 4, 2), (2, 4, 3), (3, 4, 4), (4, 4, 5), (1, 3, 2)]
)
def test_a_score_is_the_share_that_is_in_order(sound: int, of: int, score: int) -> None:
    assert CheckResult(sound, of, "All is well.").score == score


ALIASES = "".join(f"a{n + 1}: &a{n + 1} [*a{n},*a{n}]\n" for n in range(25))
HOSTILE = {
    "open headings": "<h1>" * 48_000,
    "open tags": "<div " * 48_000,
    "nested": "<div>" * 48_000,
    "ends": "<i>" * 2_000 + "</b>" * 48_000,
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
@pytest.mark.slow
def test_hostile_text_is_read_to_its_end(text: str) -> None:
    files = {f"x.{ending}": text for ending in ("md", "json", "py", "js", "html", "csv", "yaml", "pdf")}
    one = pair(files, {"b.md": "x"}, prompt="Fill in the form on `x`.", expectations=("It names the river",))
    for profile in (Profile.WEB, Profile.DOCUMENT):
        check_pair(one, rubric_for(profile))


def test_python_is_parsed_apart_so_that_threads_and_hostile_code_do_no_harm() -> None:
    texts = [f"def f{n}():\n    '''doc'''\n    return {n}\n" for n in range(8)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(python_problem, texts))

    assert found == [""] * 8
    assert python_problem("(" * 100_000)
    assert python_problem("-" * 1_000_000 + "1")
    assert python_problem("def broken(:\n") == "line 1: invalid syntax"
