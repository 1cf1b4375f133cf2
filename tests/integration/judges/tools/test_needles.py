"""What lies beyond the cut is not in the request, and the tools reach it."""

import base64
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any

import pytest

from comparator.domain.errors import ReadingIncomplete
from comparator.domain.labels import Order, Winner
from comparator.domain.pair.examination import ToolLimits
from comparator.domain.pair.view import BlindedPair, ImageBlock
from comparator.domain.scoring.judgment import Tools
from comparator.judges.tools.examination import Examination
from comparator.judges.tools.material import Material
from comparator.judges.tools.missing_content import needs_tools
from tests.loopback.brain import Taste
from tests.loopback.pairs import rubric
from tests.loopback.players import Verdict, good, results_of, told_in
from tests.loopback.server import LoopbackServer
from tests.worlds.files.examined import Bench, same_again
from tests.worlds.files.needles import (
    CLEAN,
    NEEDLES,
    Case,
    hidden_sheet,
    late_contradiction,
    late_page,
    sixtieth_file,
    table_row,
)
from tests.worlds.judging.judges import judge_at


@pytest.fixture(scope="module")
def corpus() -> Iterator[Counter[tuple[str, str]]]:
    """By kind and column how many pairs there were, as the table that is printed at the end."""
    counted: Counter[tuple[str, str]] = Counter()
    yield counted
    columns = ("pairs", "in one request", "with tools", "right in both orders")
    kinds = dict.fromkeys(kind for kind, _ in counted)
    rows = [[kind, *(str(counted.get((kind, column), "–")) for column in columns)] for kind in kinds]
    lines = [f"| {' | '.join(row)} |" for row in (["needle", *columns], ["---"] * (len(columns) + 1), *rows)]
    print("", *lines, sep="\n")  # noqa: T201 - it is asked for


def _each(builders: Sequence[partial[Case]]) -> list[Any]:
    """One pair of each kind at once, the others where there is time."""
    names = [f"{build.func.__name__}-{build.args[0]}" for build in builders]
    return [
        pytest.param(build, id=name, marks=() if name.endswith("-0") else pytest.mark.soak)
        for build, name in zip(builders, names, strict=True)
    ]


NOTHING = "nothing wrong (right: a tie)"


def _plain(text: str) -> str:
    return re.sub(r"[\s,|]+", "", text)


def _given(pair: BlindedPair) -> tuple[str, set[bytes]]:
    """The words and the pictures of a request."""
    views = [view for view in (pair.inputs, pair.outputs.A, pair.outputs.B) if view is not None]
    files = [file for view in views for file in view.files]
    tiles = {tile.data for f in files if f.page for picture in f.page.pictures for tile in picture.tiles}
    own = {block.data for file in files for block in file.blocks if isinstance(block, ImageBlock)}
    return _plain("\n".join(file.text for file in files)), own | tiles


Read = Callable[[partial[Case]], tuple[Case, Material]]


@pytest.fixture(scope="module")
def read(bench: Bench) -> Read:
    """A case and its material: files of a hundred megabytes are made and read once for both tests of them."""

    @lru_cache(maxsize=8)
    def made(
        kind: Callable[..., Case], number: int, clean: tuple[tuple[str, bool], ...]
    ) -> tuple[Case, Material]:
        case = kind(number, **dict(clean))
        material = bench.material(case.a, case.b, inputs=case.inputs, pages=case.pages, prompt=case.prompt)
        return case, material

    return lambda build: made(build.func, *build.args, tuple(build.keywords.items()))


def _examined(material: Material, case: Case) -> tuple[Examination, str, set[bytes]]:
    """A tool-user that makes the calls of the case, and all that it was told and shown."""
    examination = Examination(material, limits=ToolLimits())
    words, pictures = [], set()
    for tool, arguments in case.calls:
        answered = examination.call(tool, arguments)
        for block in answered.content:
            if block["type"] == "text":
                words.append(block["text"])
            else:
                pictures.add(base64.b64decode(block["source"]["data"]))
    return examination, _plain("\n".join(words)), pictures


async def _winners(material: Material, case: Case) -> set[Winner]:
    """The winners of a judge that makes the case's calls and goes by what it is told and shown, in both orders."""

    def decide(body: dict[str, Any]) -> Verdict:
        if case.seen:
            pictures = {
                base64.b64decode(part["source"]["data"])
                for block in results_of(body)
                for part in block["content"]
                if part["type"] == "image"
            }
            found = case.seen in pictures
        else:
            found = bool(case.needle) and _plain(case.needle) in _plain(told_in(body))
        return Verdict(Taste(case.better.value) if found else Taste.TIE)

    with LoopbackServer(player=good(case.calls, decide)) as server:
        judge = judge_at(server)
        try:
            return {
                (
                    await judge.read_pair(
                        material.pair,
                        rubric(),
                        order=order,
                        examination=Examination(material, limits=ToolLimits()),
                    )
                ).answer.better
                for order in Order
            }
        finally:
            await judge.close()


@pytest.mark.slow
def test_there_are_at_least_forty_needles_of_eight_kinds_and_twenty_pairs_with_nothing_wrong() -> None:
    cases = [build() for build in NEEDLES]
    kinds = Counter(case.kind for case in cases)
    assert sum(kinds.values()) >= 40
    assert len(kinds) == 8
    assert len(CLEAN) >= 20
    assert {case.better.value for case in cases} == {"A", "B"}


@pytest.mark.parametrize("build", _each(NEEDLES))
async def test_a_needle_is_not_in_the_request_and_a_judge_with_tools_finds_it(
    read: Read, build: partial[Case], corpus: Counter[tuple[str, str]]
) -> None:
    case, material = read(build)
    words, pictures = _given(material.given)

    examination, told, shown = _examined(material, case)

    given = case.seen in pictures if case.seen else _plain(case.needle) in words
    reached = case.seen in shown if case.seen else _plain(case.needle) in told
    winners = await _winners(material, case)
    found = {"in one request": given, "with tools": reached, "right in both orders": winners == {case.better}}
    corpus.update({(case.kind, "pairs"): 1, **{(case.kind, column): int(on) for column, on in found.items()}})
    assert not given
    assert reached
    assert not any(
        _plain(case.needle) in _plain(str(arguments)) for _, arguments in case.calls if case.needle
    )
    assert not any(call.problem for call in examination.calls)
    assert same_again(material, examination.calls)
    assert examination.unopened(case.better) is None
    assert needs_tools(material.pair, Tools.AUTO)
    assert winners == {case.better}


CUT = [partial(kind, 0) for kind in (table_row, late_page, sixtieth_file, hidden_sheet, late_contradiction)]


@pytest.mark.parametrize("build", _each(CUT))
async def test_even_the_right_winner_does_not_hold_where_nothing_of_what_was_cut_was_opened(
    read: Read, build: partial[Case]
) -> None:
    case, material = read(build)
    overview = good((("list", {}),), lambda _: Verdict(Taste(case.better.value)))

    with LoopbackServer(player=overview) as server:
        judge = judge_at(server)
        with pytest.raises(ReadingIncomplete, match="never opened what was cut"):
            await judge.read_pair(
                material.pair,
                rubric(),
                order=Order.A_FIRST,
                examination=Examination(material, limits=ToolLimits()),
            )
        await judge.close()

    # The list, the verdict, and the verdict again after the question.
    assert len(server.messages) == 3
    assert "you have not opened what was cut" in str(server.messages[-1].body["messages"][-1])


@pytest.mark.slow
@pytest.mark.parametrize("build", _each(CLEAN))
async def test_where_nothing_is_wrong_a_judge_with_tools_names_no_winner(
    read: Read, build: partial[Case], corpus: Counter[tuple[str, str]]
) -> None:
    case, material = read(build)

    examination, told, _ = _examined(material, case)

    wrong = ("isnotsafe", "NotImplementedError", "rollbackto", "differs:")
    assert not any(word in told for word in wrong)
    if case.kind == "row of a table":
        assert told.count("0rowsof") == 2
    assert not any(call.problem for call in examination.calls)
    winners = await _winners(material, case)
    corpus.update({(NOTHING, "pairs"): 1, (NOTHING, "right in both orders"): int(winners == {Winner.TIE})})
    assert winners == {Winner.TIE}
