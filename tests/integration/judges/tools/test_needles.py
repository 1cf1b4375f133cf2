"""What lies beyond the cut is not in the request, and the tools reach it."""

import base64
import re
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any

import pytest

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
from tests.worlds.files.needles import CLEAN, NEEDLES, Case
from tests.worlds.judging.judges import judge_at


def _each(builders: Sequence[partial[Case]]) -> list[Any]:
    """One pair of each kind at once, the others where there is time."""
    names = [f"{build.func.__name__}-{build.args[0]}" for build in builders]
    return [
        pytest.param(build, id=name, marks=() if name.endswith("-0") else pytest.mark.soak)
        for build, name in zip(builders, names, strict=True)
    ]


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
    def built_file(
        kind: Callable[..., Case], number: int, clean: tuple[tuple[str, bool], ...]
    ) -> tuple[Case, Material]:
        case = kind(number, **dict(clean))
        material = bench.material(case.a, case.b, inputs=case.inputs, pages=case.pages, prompt=case.prompt)
        return case, material

    return lambda build: built_file(build.func, *build.args, tuple(build.keywords.items()))


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
            reached = case.seen in pictures
        else:
            reached = bool(case.needle) and _plain(case.needle) in _plain(told_in(body))
        return Verdict(Taste(case.better.value) if reached else Taste.TIE)

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


@pytest.mark.parametrize("build", _each(NEEDLES))
async def test_a_needle_is_not_in_the_request_and_tools_find_it(read: Read, build: partial[Case]) -> None:
    case, material = read(build)
    words, pictures = _given(material.given)

    examination, text, pictures_by_tools = _examined(material, case)

    given = case.seen in pictures if case.seen else _plain(case.needle) in words
    reached = case.seen in pictures_by_tools if case.seen else _plain(case.needle) in text
    assert not given
    assert reached
    assert not any(_plain(case.needle) in _plain(str(call)) for _, call in case.calls if case.needle)
    assert not any(call.problem for call in examination.calls)
    assert same_again(material, examination.calls)
    assert examination.unopened(case.better) is None
    assert needs_tools(material.pair, Tools.AUTO)
    assert await _winners(material, case) == {case.better}


@pytest.mark.slow
@pytest.mark.parametrize("build", _each(CLEAN))
async def test_where_nothing_is_wrong_tools_give_no_winner(read: Read, build: partial[Case]) -> None:
    case, material = read(build)

    examination, text, _ = _examined(material, case)

    wrong = ("isnotsafe", "NotImplementedError", "rollbackto", "differs:")
    assert not any(word in text for word in wrong)
    if case.kind == "row of a table":
        assert text.count("0rowsof") == 2
    assert not any(call.problem for call in examination.calls)
    assert await _winners(material, case) == {Winner.TIE}
