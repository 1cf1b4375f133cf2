"""Readings with tools over real HTTP: good, greedy, lazy, hostile, malformed and never-ending judges."""

from decimal import Decimal
from typing import Any

import pytest

from comparator.domain.errors import JudgeUnavailable, ReadingIncomplete
from comparator.domain.labels import Order, Winner
from comparator.domain.pair.examination import ToolLimits
from comparator.judges.protocol import PassReply
from comparator.judges.tools.examination import Examination
from comparator.judges.tools.material import Material
from comparator.outputs.limits import OutputBudget
from tests.loopback import players
from tests.loopback.acts import Answer, Status
from tests.loopback.brain import Taste, outputs_of
from tests.loopback.pairs import rubric
from tests.loopback.players import Player, Verdict, results_of
from tests.loopback.server import LoopbackServer
from tests.worlds.files.examined import Bench, same_again
from tests.worlds.judging.judges import judge_at

PLAN = "\n".join(f"Step {n}: check part {n % 89} of the cluster and note the result." for n in range(1, 2000))
LATE = "Step 1000: after all, roll back to the old version"
WRONG = PLAN.replace("Step 1000: check part 21 of the cluster and note the result.", LATE)
NO_TOOLS = Status(400, "invalid_request_error", "tools: this model does not support tool use")


@pytest.fixture
def material(bench: Bench) -> Material:
    assert WRONG != PLAN
    return bench.material({"plan.md": PLAN}, {"plan.md": WRONG}, budget=OutputBudget(characters=20_000))


async def read(
    material: Material,
    player: Player,
    *,
    limits: ToolLimits | None = None,
    order: Order = Order.A_FIRST,
    server: LoopbackServer | None = None,
    **options: object,
) -> tuple[PassReply, Examination, list[dict[str, Any]]]:
    """The reply of a reading, its tools, and the requests that it took."""
    examination = Examination(material, limits=limits or ToolLimits())
    with server or LoopbackServer(player=player) as running:
        judge = judge_at(running, **options)
        try:
            reply = await judge.read_pair(material.pair, rubric(), order=order, examination=examination)
        finally:
            await judge.close()
        return reply, examination, [request.body for request in running.messages]


def _quoting(answer: Answer) -> None:
    mark = next(iter(answer["criteria"]["content"].values()))
    mark["B"]["quotes"] = [{"file": "plan.md", "text": LATE}]


def a_good_judge() -> Player:
    calls = [("compare", {}), ("compare", {"file": "plan.md"})]
    return players.good(calls, lambda _: Verdict(Taste.A, _quoting))


async def test_a_good_judge_opens_what_was_cut_and_its_quote_has_its_place(material: Material) -> None:
    reply, examination, requests = await read(material, a_good_judge())

    assert reply.answer.better is Winner.A
    assert [call.tool for call in examination.calls] == ["compare", "compare"]
    quotes = [q for marks in reply.answer.criteria.values() for q in marks.B.quotes]
    assert [(q.found, q.place, q.start) for q in quotes if q.text == LATE] == [(True, "line 1,000", None)]
    assert reply.answer.examined is not None
    assert (reply.answer.examined.calls, reply.answer.examined.stopped) == (2, "")
    assert len(requests) == len(reply.calls) == 2
    assert [result["tool_use_id"] for result in results_of(requests[1])] == [
        block["id"] for block in requests[1]["messages"][1]["content"]
    ]
    assert same_again(material, examination.calls)
    # What was sent before is read from the cache.
    before, after = (call.usage for call in reply.calls)
    assert after.cached_tokens >= before.cached_tokens + before.cache_written_tokens
    assert after.input_tokens + after.cache_written_tokens < after.cached_tokens


async def test_both_orders_offer_the_same_tools_and_start_fresh(material: Material) -> None:
    first = await read(material, a_good_judge(), order=Order.A_FIRST)
    second = await read(material, a_good_judge(), order=Order.B_FIRST)

    for one, other in zip(first[2], second[2], strict=True):
        assert one["tools"] == other["tools"]
        assert one["system"] == other["system"]
        assert results_of(one) != [] or results_of(other) == []
    contents = [[r["content"] for r in results_of(requests[1])] for _, _, requests in (first, second)]
    assert contents[0] == contents[1]
    assert [c.digest for c in first[1].calls] == [c.digest for c in second[1].calls]


async def test_a_greedy_judge_is_stopped_at_its_limit_and_still_decides(material: Material) -> None:
    reply, examination, requests = await read(material, players.greedy, limits=ToolLimits(calls=25))

    assert [body["tool_choice"]["type"] for body in requests] == ["auto", "auto", "auto", "none"]
    assert sum(not call.refused for call in examination.calls) == 25
    assert sum(call.refused for call in examination.calls) == 5
    assert reply.answer.examined is not None
    assert "25 calls" in reply.answer.examined.stopped
    assert "No more tools" in str(requests[-1]["messages"][-1])


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (ToolLimits(bytes=30_000), "30,000 bytes"),
        (ToolLimits(tokens=30_000), "30,000 tokens"),
        (ToolLimits(context=30_000), "30,000 tokens of a request"),
        (ToolLimits(seconds=0.000_001), "seconds"),
        (ToolLimits(money=Decimal("0.10")), "US dollars"),
    ],
)
async def test_at_each_limit_a_verdict_is_left(material: Material, limits: ToolLimits, said: str) -> None:
    reply, _, requests = await read(material, players.greedy, limits=limits)

    assert reply.answer.examined is not None
    assert said in reply.answer.examined.stopped
    assert [body["tool_choice"]["type"] for body in requests].count("none") == 1
    assert requests[-1]["tool_choice"]["type"] == "none"


async def test_a_judge_that_never_ends_leaves_an_incomplete_reading_and_no_score(material: Material) -> None:
    with pytest.raises(ReadingIncomplete) as caught:
        await read(material, players.never_ending, limits=ToolLimits(calls=4))

    assert "incomplete" in str(caught.value)
    assert len(caught.value.calls) == 5


async def test_at_the_limit_an_unusable_verdict_is_not_repaired_but_incomplete(material: Material) -> None:
    def spoil(answer: Answer) -> None:
        answer["criteria"]["content"].popitem()

    def play(body: dict[str, Any]) -> Any:
        return Verdict(None, spoil) if not players.may_ask(body) else players.greedy(body)

    with pytest.raises(ReadingIncomplete):
        await read(material, play, limits=ToolLimits(calls=10))


@pytest.mark.parametrize(
    "calls",
    [
        (),
        # The beginning and the end were given.
        tuple(("read", {"side": side, "file": "plan.md", "first": 1, "last": 50}) for side in "AB"),
        (("read", {"side": "A", "file": "plan.md", "first": 1_000, "last": 1_000}),),
    ],
    ids=["nothing", "what was given", "one side"],
)
async def test_a_winner_that_is_named_without_opening_what_was_cut_is_asked_about_once_and_then_does_not_hold(
    material: Material, calls: tuple[tuple[str, dict[str, Any]], ...]
) -> None:
    player = players.good(calls, lambda _: Verdict(Taste.A)) if calls else lambda _: Verdict(Taste.A)
    server = LoopbackServer(player=player)

    with pytest.raises(ReadingIncomplete, match="never opened what was cut") as caught:
        await read(material, players.lazy, server=server)

    assert len(caught.value.calls) == (3 if calls else 2)
    assert "you have not opened what was cut" in str(server.messages[-1].body["messages"][-1])


@pytest.mark.parametrize(("player", "calls"), [(players.hostile, 11), (players.malformed, 7)])
async def test_hostile_and_malformed_calls_get_nothing_but_refusals_and_the_reading_goes_on(
    material: Material, player: Player, calls: int
) -> None:
    reply, examination, requests = await read(material, player)

    assert all(call.problem for call in examination.calls if call.tool != "search")
    assert len(examination.calls) == len(results_of(requests[-1])) == calls
    assert player is players.hostile or all(result["is_error"] for result in results_of(requests[-1]))
    results = players.told_in(requests[-1])
    assert "root:" not in results
    assert "uid=" not in results
    assert reply.answer.examined is not None
    assert same_again(material, examination.calls)


async def test_a_server_without_tools_is_asked_without_them_unless_they_must_be(material: Material) -> None:
    with_fault = LoopbackServer().then(NO_TOOLS)
    reply, _, requests = await read(material, players.lazy, server=with_fault)
    assert "tools" in requests[0]
    assert "tools" not in requests[1]
    assert reply.answer.examined is None

    with pytest.raises(JudgeUnavailable, match="COMPARATOR_TOOLS=never"):
        await read(material, players.lazy, server=LoopbackServer().then(NO_TOOLS), tools="always")


async def test_with_tools_both_ends_of_a_long_text_are_sent_and_more_prose_than_figures(bench: Bench) -> None:
    prose = "\n".join(f"Line of the report, in which nothing is said, number {n}." for n in range(4_000))
    figures = "id,amount\n" + "\n".join(f"{n},{n * 7919 % 100_003}" for n in range(40_000))
    lengths_of = {}
    for name, text in (("report.md", prose), ("amounts.csv", figures)):
        material = bench.material({name: text}, {name: f"{text}\n0,0"})
        _, _, requests = await read(material, lambda _: Verdict(Taste.TIE))
        lengths_of[name] = [len(output.files[0][1]) for output in outputs_of(requests[0])]
        assert all("characters left out here" in output.text for output in outputs_of(requests[0]))

    for lengths, wanted in ((lengths_of["report.md"], 36_000), (lengths_of["amounts.csv"], 18_000)):
        assert all(wanted <= length < wanted + 300 for length in lengths)
