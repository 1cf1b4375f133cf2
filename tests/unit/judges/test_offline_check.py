"""The offline check: whether files open, whether anything is there, and whether what the task names is; in words."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comparator.domain.labels import Label, Order
from comparator.domain.pair.view import BlindedPair, Family, TextBlock, ViewedFile
from comparator.domain.scoring.judgment import Answer, MergedJudgment, Pass, merge
from comparator.domain.scoring.rubric import FORM, USUAL
from comparator.judges.offline import check_pair, problem_of
from tests.loopback.pairs import mirrored, pair, viewed

GOOD, BAD = '{"total": 1}', '{"total": '


def read(one: BlindedPair) -> Answer:
    return check_pair(one, USUAL)


def merged(one: BlindedPair) -> MergedJudgment:
    return merge(FORM, tuple(Pass(order=order, answer=read(one)) for order in Order))


@pytest.mark.parametrize(
    ("a", "b", "prompt", "form"),
    [
        ({"a.json": GOOD}, {"b.json": '{"total": 2}'}, "Sum up.", "no difference"),
        ({"a.json": GOOD}, {"b.json": BAD}, "Sum up.", "B does not parse"),
        ({"a.json": GOOD}, {"b.json": " \n"}, "Sum up.", "B is empty"),
        ({}, {"b.json": GOOD}, "Sum up.", "A is empty"),
        ({"x.md": "1", "y.csv": "1"}, {"x.md": "1", "z.csv": "1"}, "Write y.csv.", "B lacks y.csv"),
        ({"out/y.csv": "1", "x.md": "1"}, {"x.md": "1", "z.md": "1"}, "Write `y.csv`.", "B lacks y.csv"),
        ({"x.md": "1", "y.json": GOOD}, {"x.md": "1", "y.json": BAD}, "Sum.", "B has y.json, which does not parse"),
        ({"x.md": "1"}, {"x.md": "1", "v.json": BAD}, "Write v.json, w.csv.",
         "A lacks v.json (1 more fault); B lacks w.csv (1 more fault)"),
        # One file stands for the file that is asked for, whatever it is called.
        ({"a.json": GOOD}, {"b.json": GOOD}, "Write invoice.json.", "no difference"),
        ({"a.json": GOOD}, {"b.md": "One"}, "Write invoice.json.", "B lacks invoice.json"),
    ],
)  # fmt: skip
def test_it_says_what_is_broken(a: dict[str, str], b: dict[str, str], prompt: str, form: str) -> None:
    answer = read(pair(a, b, prompt=prompt))

    assert answer.form == form
    assert answer.reasoning.startswith("Offline check, not a judgment. ")
    assert "cannot tell right from wrong" in answer.reasoning


def test_a_file_parses_or_it_is_said_why_not() -> None:
    for name, text, problem in (
        *(("a.json", '{"a": 1}\n{"a": 2}\n', ""), ("a.json", '{"a": ', "Expecting value")),
        ("a.yaml", "a: [1, 2", "while parsing a flow sequence"),
        *(("a.yaml", "[" * 99, "it is nested too deeply"), ("a.toml", "a = ", "Invalid value")),
        *(("a.xml", "<a><b></a>", "mismatched tag"), ("a.csv", "a,b\n1,2,3\n4,5\n", "")),
        *(("a.html", "<div><b>x</div>", ""), ("a.md", "# Anything", "")),
    ):
        what, why = problem_of(viewed(name, text))

        assert what == ("does not parse" if problem else "")
        assert why.startswith(problem)


def test_a_file_of_which_nothing_can_be_read_does_not_open() -> None:
    pdf = ViewedFile(id="x", name="a.pdf", family=Family.PDF, size=9)
    assert problem_of(pdf) == ("does not open", "")
    archive = ViewedFile(id="x", name="a.zip", family=Family.ARCHIVE, size=9)
    assert problem_of(archive) == ("", "")
    cut = TextBlock(text='{"a', omitted=9)
    assert problem_of(ViewedFile(id="x", name="a.json", family=Family.JSON, size=9, blocks=(cut,))) == (
        "",
        "",
    )


TEXTS = st.sampled_from([GOOD, BAD, "", "short", "def f(:\n", "a: [1"]) | st.text(max_size=200)
FILES = st.dictionaries(
    st.sampled_from(["a.md", "b.json", "d.py", "f.yaml", "g.xml", "i.pdf"]), TEXTS, max_size=3
)


@settings(max_examples=40)
@given(FILES, FILES)
def test_exchanging_the_outputs_mirrors_everything(a: dict[str, str], b: dict[str, str]) -> None:
    one = pair(a, b, prompt="Write b.json and report.md.")
    straight, other = read(one), read(mirrored(one))

    assert other.better is straight.better.mirrored
    assert {path: marks.mirrored for path, marks in straight.criteria.items()} == other.criteria
    assert straight.weaknesses.mirrored == other.weaknesses
    verdict = merged(one).verdict
    assert verdict is not None
    assert verdict.winner is straight.better
    for label in Label:
        assert (straight.form == "no difference") == (
            not straight.weaknesses[label] and not straight.weaknesses[label.other]
        )


ALIASES = "".join(f"a{n + 1}: &a{n + 1} [*a{n},*a{n}]\n" for n in range(25))
HOSTILE = {
    "brackets": "[" * 160_000,
    "hyphens": "a-" * 96_000,
    "dots": "a." * 96_000,
    "spaces": " " * 192_000 + "x",
    "digits": "1" * 192_000,
    "deep json": '{"a":' * 48_000,
    "aliases": f"a0: &a0 [x,x]\n{ALIASES}",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
@pytest.mark.slow
def test_hostile_text_is_read_to_its_end(text: str) -> None:
    files = {f"x.{ending}": text for ending in ("json", "py", "xml", "toml", "yaml")}
    assert read(pair(files, {"b.md": "x"}, prompt=text)).form
