"""The Anthropic judge with the real SDK over real HTTP: successes, and each way in which a request can fail."""

import asyncio
import contextlib
import json
import logging
import socket
import traceback
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field

import pytest

from comparator.domain.errors import (
    ContextOverflow,
    InvalidAnswer,
    JudgeError,
    JudgeNotAllowed,
    JudgeRefused,
    JudgeUnavailable,
)
from comparator.domain.labels import Order, Winner
from comparator.domain.pair.task import TaskText
from comparator.domain.pair.view import DocumentBlock, Family, TextBlock
from comparator.domain.scoring.judgment import Pass, merge
from comparator.domain.usage import Call
from comparator.judges.model.client import MessageBatches
from comparator.judges.model.judge import AnthropicJudge
from comparator.judges.model.retries import Patience
from comparator.judges.model.sender import AnthropicOptions
from comparator.judges.protocol import WAITING, Owner, PassReply, judge_pair
from tests.loopback import acts
from tests.loopback.acts import Act, ErrorEvent, Hang, Reset, Slow, Status
from tests.loopback.brain import blocks, text_of
from tests.loopback.message_batches import MessageBatchServer
from tests.loopback.pairs import pair, rubric
from tests.loopback.server import BEGINS, LoopbackServer

KEY = "sk-ant-planted-key-0123456789"
PAIR = pair(
    {"a.md": "# River\n\nThe Elbe rises in the mountains and runs to the sea."},
    {"b.md": "Rivers are wet."},
    expectations=("It names the river Elbe",),
    inputs={"map.txt": "Elbe"},
)


@dataclass
class Waits:
    """Waits nowhere, and remembers how long it would have."""

    seconds: list[float] = field(default_factory=list)

    async def sleep(self, seconds: float) -> None:
        self.seconds.append(seconds)

    @property
    def patience(self) -> Patience:
        return Patience(sleep=self.sleep, now=lambda: 2_000_000_000 + sum(self.seconds), chance=lambda: 1.0)


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer() as running:
        yield running


@pytest.fixture
def waits() -> Waits:
    return Waits()


@pytest.fixture
async def judge(server: LoopbackServer, waits: Waits) -> AsyncIterator[AnthropicJudge]:
    judge = judge_at(server, waits)
    yield judge
    await judge.close()


def judge_at(server: LoopbackServer, waits: Waits, **options: object) -> AnthropicJudge:
    given = {"base_url": server.base_url, "retries": 2, "timeout": 10, **options}
    settings = AnthropicOptions.model_validate(given)
    return AnthropicJudge(settings, environment={"ANTHROPIC_API_KEY": KEY}, patience=waits.patience)


async def read(judge: AnthropicJudge, order: Order = Order.A_FIRST) -> PassReply:
    return await judge.read_pair(PAIR, rubric(), order=order)


async def failure(judge: AnthropicJudge) -> JudgeError:
    with pytest.raises(JudgeError) as caught:
        await read(judge)
    return caught.value


async def test_a_rubric_with_one_structure_criterion_is_allowed_by_the_schema_taken_and_judged_by(
    server: LoopbackServer, judge: AnthropicJudge
) -> None:
    server.then(acts.edited(lambda answer: answer.update(structure=answer["structure"][:1])))

    written = await judge.write_rubric(TaskText(prompt="Where does the Elbe rise?"), families=())
    reply = await judge.read_pair(PAIR, written.value, order=Order.A_FIRST)

    requested, judged = (request.body["output_config"]["format"]["schema"] for request in server.messages)
    assert requested["properties"]["structure"]["minItems"] == 1
    (key,) = (criterion.key for criterion in written.value.structure)
    assert judged["$defs"]["StructureMarks"]["required"] == [key]
    assert f"structure.{key}" in reply.answer.criteria
    assert len(reply.answer.criteria) == len(written.value.content) + 1


async def test_what_a_right_answer_must_contain_is_written_with_the_rubric_and_told_before_the_outputs(
    server: LoopbackServer, judge: AnthropicJudge
) -> None:
    sentence = "It says that the Elbe rises in the Giant Mountains."
    server.then(acts.edited(lambda answer: answer.update(right_answer=sentence)))

    written = await judge.write_rubric(TaskText(prompt="Where does the Elbe rise?"), families=(Family.PDF,))
    await judge.read_pair(PAIR, written.value, order=Order.A_FIRST)

    assert written.value.right_answer == sentence
    assert "pdf" in text_of(server.messages[0].body)
    request, form = text_of(server.messages[1].body), server.messages[1].body["output_config"]["format"]
    assert sentence in request.partition("<output label")[0]
    assert next(iter(form["schema"]["properties"])) == "notes", "each output by itself comes first"


async def test_both_orders_are_read_and_labels_stay(server: LoopbackServer, judge: AnthropicJudge) -> None:
    first, second = await read(judge, Order.A_FIRST), await read(judge, Order.B_FIRST)
    assert [request.order for request in server.messages] == ["AB", "BA"]
    assert first.answer.better is second.answer.better is Winner.A
    passes = Pass(order=Order.A_FIRST, answer=first.answer), Pass(order=Order.B_FIRST, answer=second.answer)
    merged = merge(rubric(), passes)
    assert merged.position_consistent
    assert merged.quotes_found == merged.quotes_total > 0


async def test_the_second_order_starts_once_the_first_is_answered_and_reads_its_cache(waits: Waits) -> None:
    calls: dict[Order, Call] = {}

    async def on_done(order: Order, _repetition: int, outcome: PassReply | JudgeError) -> None:
        (calls[order],) = outcome.calls

    with LoopbackServer(latency=0.5) as server:
        judge = judge_at(server, waits)
        await judge_pair(judge, PAIR, rubric(), have=(), repetitions=1, on_done=on_done)
        await judge.close()

    first, second = server.messages
    assert (first.order, second.order, server.most_open) == ("AB", "BA", 2)
    assert BEGINS * 0.5 <= second.came - first.came < 0.5
    # The marks are at the end of the instructions and of all that both orders share, and nowhere else.
    marks = [
        [at for at, block in enumerate(blocks(request.body)) if "cache_control" in block]
        for request in (first, second)
    ]
    assert marks == [[0, 3], [0, 3]]
    assert blocks(first.body)[:4] == blocks(second.body)[:4]
    assert blocks(first.body)[4]["text"].startswith('<output label="A"')
    written, read = calls[Order.A_FIRST].usage, calls[Order.B_FIRST].usage
    assert (written.cached_tokens, read.cache_written_tokens) == (0, 0)
    assert read.cached_tokens == written.cache_written_tokens > 1000


@pytest.mark.parametrize("act", [acts.ONLY_PROSE, acts.MISSING_CRITERION])
async def test_an_unusable_answer_gets_one_repair_request(
    server: LoopbackServer, judge: AnthropicJudge, act: Act
) -> None:
    server.then(act)
    reply = await read(judge)
    assert reply.answer.better is Winner.A
    bad, good = reply.calls
    assert bad.problem
    assert good.problem is None
    question, said, repair = server.messages[1].body["messages"]
    assert question == server.messages[0].body["messages"][0]
    assert said["content"][0]["text"] == bad.raw.strip()
    assert bad.problem in repair["content"][0]["text"]


async def test_a_second_unusable_answer_is_a_failure(server: LoopbackServer, judge: AnthropicJudge) -> None:
    server.then(acts.ONLY_PROSE, acts.OUT_OF_RANGE)
    error = await failure(judge)
    assert isinstance(error, InvalidAnswer)
    assert len(error.calls) == len(server.messages) == 2
    assert all(call.raw and call.problem for call in error.calls)
    assert "one repair request" in str(error)


async def test_a_reading_against_itself_is_asked_again(server: LoopbackServer, judge: AnthropicJudge) -> None:
    server.then(acts.CONTRADICTED)

    reply = await read(judge)

    assert reply.answer.better is Winner.A
    assert reply.contradicted is not None
    assert reply.contradicted.better is Winner.B
    assert reply.contradicted.criteria == reply.answer.criteria
    assert (len(reply.calls), reply.calls_before) == (2, 1)
    question, said, correction = server.messages[1].body["messages"]
    assert question == server.messages[0].body["messages"][0]
    assert said["content"][0]["text"] == reply.calls[0].raw
    assert "By your scores, output A is ahead" in correction["content"][0]["text"]
    assert "you name output B" in correction["content"][0]["text"]
    assert "Correct each score that does not match" in correction["content"][0]["text"]
    assert "Neither counts" not in correction["content"][0]["text"]
    assert reply.answer.first_verdict is Winner.B
    passes = tuple(Pass(order=order, answer=reply.answer) for order in Order)
    assert not merge(rubric(), passes).self_consistent


async def test_a_cut_answer_is_asked_again_with_room(server: LoopbackServer, judge: AnthropicJudge) -> None:
    server.then(acts.MAX_TOKENS)
    reply = await read(judge)
    limits = [request.body["max_tokens"] for request in server.messages]
    assert limits == [16_000, 32_000]
    assert len(server.messages[1].body["messages"]) == 1, "half an answer is not sent back"
    assert reply.calls[0].problem
    server.then(acts.MAX_TOKENS, acts.MAX_TOKENS, acts.MAX_TOKENS)
    error = await failure(judge)
    assert isinstance(error, InvalidAnswer)
    assert len(error.calls) == 3
    assert "Raise the limit" in str(error)


PASSING: dict[str, Act] = {
    "529": acts.OVERLOADED,
    "408": Status(408, "timeout_error", "timeout"),
    "429": acts.RATE_LIMITED,
    "529 without retries": Status(529, "overloaded_error", "Overloaded", {"x-should-retry": "false"}),
    "error in the stream": ErrorEvent(),
    "reset midway": Reset(midway=True),
}


@pytest.mark.parametrize("act", PASSING.values(), ids=PASSING.keys())
async def test_what_passes_is_tried_again(
    server: LoopbackServer, judge: AnthropicJudge, waits: Waits, act: Act
) -> None:
    server.then(act, act)
    reply = await read(judge)
    assert reply.answer.better is Winner.A
    assert [call.problem is None for call in reply.calls] == [False, False, True]
    assert len(waits.seconds) == 2
    assert waits.seconds[0] <= waits.seconds[1] <= 2


@pytest.mark.parametrize("act", [acts.SERVER_ERROR, Reset(), Reset(midway=True)])
async def test_what_does_not_pass_ends_after_the_retries(
    server: LoopbackServer, judge: AnthropicJudge, act: Act
) -> None:
    server.then(*[act] * 3)
    error = await failure(judge)
    assert isinstance(error, JudgeUnavailable)
    assert len(error.calls) == len(server.messages) == 3
    assert "etry" in str(error)
    assert server.base_url in str(error)


async def test_a_retry_after_is_obeyed(server: LoopbackServer, judge: AnthropicJudge, waits: Waits) -> None:
    server.then(Status(429, "rate_limit_error", "slow down", {"retry-after": "37"}))
    await read(judge)
    assert waits.seconds == [37]
    server.then(Status(429, "rate_limit_error", "slow down", {"retry-after": "3600"}))
    await read(judge)
    assert waits.seconds == [37, 60], "nobody waits an hour for one try"


@pytest.mark.parametrize(
    "act", [acts.OVERLOADED, acts.RATE_LIMITED, Status(503, "overloaded_error", "Overloaded")]
)
async def test_a_server_that_takes_no_requests_just_now_is_waited_for_and_that_is_said(
    server: LoopbackServer, judge: AnthropicJudge, waits: Waits, act: Act
) -> None:
    notes: list[str] = []
    server.then(*[act] * 40)

    reply = await judge.read_pair(PAIR, rubric(), order=Order.A_FIRST, on_behalf_of=Owner(tell=notes.append))

    assert reply.answer.better is Winner.A
    assert len(waits.seconds) == 40
    assert 600 < sum(waits.seconds) < 3600
    since = {words.partition(" since ")[2].partition(":")[0] for words in notes[:-1]}
    assert len(since) == 1
    assert notes[0].startswith(f"{WAITING} {server.base_url} since ")
    assert f"in {waits.seconds[39]:.0f} s" in notes[39]
    assert notes[40] == "", "it waits no longer"


@pytest.mark.timeout(30)
@pytest.mark.parametrize("takes", ["a request", "no connection", "no sign-in to TLS"])
async def test_a_server_that_takes_nothing_or_sends_no_byte_for_long_is_given_up(
    server: LoopbackServer, waits: Waits, takes: str
) -> None:
    server.then(Hang())
    with socket.create_server(("127.0.0.1", 0), backlog=0) as quiet, contextlib.ExitStack() as others:
        address = quiet.getsockname()
        for _ in range(3 if takes == "no connection" else 0):
            other = others.enter_context(socket.socket())
            other.setblocking(False)
            other.connect_ex(address)
        other_url = f"http{'' if takes == 'no connection' else 's'}://127.0.0.1:{address[1]}"
        base_url = server.base_url if takes == "a request" else other_url
        judge = judge_at(server, waits, silence=0.3, timeout=20, base_url=base_url)

        error = await failure(judge)
        await judge.close()

    assert "sent nothing for too long" in str(error)
    assert (len(server.messages), waits.seconds) == (takes == "a request", [])


@pytest.mark.timeout(30)  # The SDK itself would wait for ten minutes.
@pytest.mark.parametrize("act", [Hang(), Slow(8)], ids=["silence", "drops"])
async def test_an_answer_that_takes_too_long_is_left(server: LoopbackServer, waits: Waits, act: Act) -> None:
    judge = judge_at(server, waits, timeout=0.4, retries=1)
    server.then(act, act)
    error = await failure(judge)
    assert isinstance(error, JudgeUnavailable)
    assert "in time" in str(error)
    assert len(error.calls) == 2
    await judge.close()


FINAL: list[tuple[Act, type[JudgeError], str]] = [
    (acts.BAD_KEY, JudgeNotAllowed, "does not accept the key.*ANTHROPIC_API_KEY"),
    (acts.FORBIDDEN, JudgeNotAllowed, "may not use the model.*access"),
    (acts.NO_CREDIT, JudgeNotAllowed, "no money left.*Add credit"),
    (acts.PAYMENT_REQUIRED, JudgeNotAllowed, "no money left.*Add credit"),
    (Status(403, "permission_error", "Insufficient credit balance"), JudgeNotAllowed, "no money left"),
    (Status(429, "rate_limit_error", "You exceeded your current quota"), JudgeNotAllowed, "no money left"),
    (acts.NO_MODEL, JudgeNotAllowed, "knows no model.*COMPARATOR_MODEL"),
    (acts.TOO_LARGE, ContextOverflow, "larger than the server accepts.*fewer or smaller files"),
    *(
        (Status(400, "invalid_request_error", text), ContextOverflow, "picture or document is larger")
        for text in (
            "image exceeds 5 MB maximum",
            "A maximum of 100 PDF pages may be provided",
            "messages.2.content.0.tool_result.content.1.image.source.base64: image exceeds 5 MB maximum",
        )
    ),
    (acts.TOO_LONG, ContextOverflow, "does not fit into the context window.*fewer or smaller"),
    (Status(400, "exceed_context_size_error", "9412 > 8192"), ContextOverflow, "not fit into the context"),
    (acts.WINDOW_EXCEEDED, ContextOverflow, "do not fit into the context window.*fewer or smaller"),
    (acts.REFUSAL, JudgeRefused, "declined to judge.*another model"),
    (Status(418, "teapot", "short and stout"), JudgeUnavailable, "refuses the request.*418"),
]


@pytest.mark.parametrize(("act", "kind", "says"), FINAL)
async def test_what_no_retry_can_help_is_said_at_once_with_what_to_do(
    server: LoopbackServer, judge: AnthropicJudge, waits: Waits, act: Act, kind: type[JudgeError], says: str
) -> None:
    server.then(act)
    with pytest.raises(kind, match=says) as caught:
        await read(judge)
    assert len(server.messages) == 1
    assert len(caught.value.calls) == 1
    assert caught.value.calls[0].problem
    assert waits.seconds == []


@pytest.mark.parametrize(("act", "schemas"), [(acts.NO_SCHEMA, [True, False]), (acts.ONLY_PROSE, [True] * 2)])
async def test_a_server_that_takes_no_schema_or_ignores_it_is_told_the_form_in_words(
    server: LoopbackServer, judge: AnthropicJudge, act: Act, schemas: list[bool]
) -> None:
    server.then(act)
    reply = await read(judge)
    assert reply.answer.better is Winner.A
    assert ["output_config" in request.body for request in server.messages] == schemas
    conversations = [json.dumps(request.body["messages"]) for request in server.messages]
    assert ["stated_confidence" in conversation for conversation in conversations] == [False, True]


async def test_a_server_without_documents_gets_texts(server: LoopbackServer, judge: AnthropicJudge) -> None:
    form = (TextBlock(text="Name: Ada Lovelace"), DocumentBlock(data=b"%PDF-1.7"))
    one = pair({"form.pdf": form}, {"form.pdf": "Name:"})
    server.then(acts.NO_DOCUMENTS)
    await judge.read_pair(one, rubric(), order=Order.A_FIRST)
    assert ["Ada Lovelace" in request.raw.decode() for request in server.messages] == [False, True]
    kinds = [{block["type"] for block in r.body["messages"][0]["content"]} for r in server.messages]
    assert kinds == [{"text", "document"}, {"text"}]


async def test_one_order_failing_leaves_the_other_and_only_the_failed_one_is_paid_again(
    server: LoopbackServer, judge: AnthropicJudge
) -> None:
    server.then_for("BA", acts.FORBIDDEN)
    done: dict[Order, PassReply | JudgeError] = {}

    async def on_done(order: Order, _repetition: int, outcome: PassReply | JudgeError) -> None:
        done[order] = outcome

    await judge_pair(judge, PAIR, rubric(), have=(), repetitions=1, on_done=on_done)
    first = done[Order.A_FIRST]
    assert isinstance(first, PassReply)
    assert isinstance(done[Order.B_FIRST], JudgeNotAllowed)
    have = (Pass(order=Order.A_FIRST, answer=first.answer),)
    await judge_pair(judge, PAIR, rubric(), have=have, repetitions=1, on_done=on_done)
    assert isinstance(done[Order.B_FIRST], PassReply)
    assert sorted(request.order for request in server.messages) == ["AB", "BA", "BA"]


async def test_the_check_says_what_is_wrong(waits: Waits) -> None:
    options = AnthropicOptions(base_url="http://127.0.0.1:9", retries=0)
    judge = AnthropicJudge(options, environment={}, patience=waits.patience)
    with pytest.raises(JudgeUnavailable, match=r"127\.0\.0\.1:9"):
        await judge.check()
    await judge.close()


ECHOES: list[Act] = [
    Status(401, "authentication_error", f"invalid x-api-key: {KEY}"),
    Status(500, "api_error", f"Authorization: Bearer {KEY} failed"),
    ErrorEvent(message=f"bad token {KEY}"),
    acts.says(f"Your key is {KEY}."),
    acts.edited(lambda a: a.update(reasoning=f"The key is {KEY}.")),
    Status(400, "invalid_request_error", f"prompt is too long for {KEY}"),
]


@pytest.mark.parametrize("act", ECHOES)
async def test_a_key_that_a_server_echoes_is_nowhere_in_errors_raw_answers_logs_or_reprs(
    server: LoopbackServer, judge: AnthropicJudge, act: Act, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.then(*[act] * 3)
    seen: list[str] = [repr(judge), repr(vars(judge))]
    try:
        seen.append(repr(await read(judge)))
    except JudgeError as error:
        seen += [str(error), repr(error), repr(error.calls)]
        seen += traceback.format_exception(error)
    assert server.messages[0].headers["authorization"] == f"Bearer {KEY}", "the key was really used"
    everything = "".join(seen) + caplog.text
    assert "planted-key" not in everything


def test_results_that_lie_with_another_server_are_not_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fetched(counter: MessageBatches) -> None:
        id = await counter.create([("one", {"model": "m", "max_tokens": 1, "messages": []})])
        try:
            async for _ in counter.results(id):
                pass
        finally:
            await counter.close()

    with LoopbackServer() as server, LoopbackServer() as other:
        described = MessageBatchServer._shown
        there = {"results_url": f"{other.base_url}/v1/messages/batches/x/results"}
        monkeypatch.setattr(MessageBatchServer, "_shown", lambda *arguments: described(*arguments) | there)
        options = AnthropicOptions(model="m", base_url=server.base_url)
        counter = MessageBatches(options, environment={"ANTHROPIC_API_KEY": KEY})
        with pytest.raises(JudgeNotAllowed, match="names another one"):
            asyncio.run(fetched(counter))

    assert other.requests == []
