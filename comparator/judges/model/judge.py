"""The judge that asks a model through the Messages API: one call for a rubric, one for each reading of a pair."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from comparator.domain.errors import (
    ContextOverflow,
    InvalidAnswer,
    JudgeRefused,
    ReadingIncomplete,
)
from comparator.domain.guidance import Guidance
from comparator.domain.labels import Order, Winner
from comparator.domain.pair.task import TaskText
from comparator.domain.pair.view import BlindedPair, Family
from comparator.domain.scoring.judgment import Answer, contradicted_by, overall_scores
from comparator.domain.scoring.rubric import Rubric
from comparator.domain.usage import Call
from comparator.judges import prompts
from comparator.judges.injections import addressed_in, labelled
from comparator.judges.model.answer_form import Wire, answer_form, form_digest
from comparator.judges.model.answers import read_answer
from comparator.judges.model.ask_until_valid import Asker, RequestForm, ValidAnswer
from comparator.judges.model.direct import DirectSender, Patience, RequestFailed
from comparator.judges.model.options import AnthropicOptions, Provider
from comparator.judges.model.request_content import (
    asked_upon,
    judge_system,
    pair_content,
    rubric_question,
)
from comparator.judges.model.secrets import without_password
from comparator.judges.model.sender import Sender
from comparator.judges.protocol import (
    ContentBlock,
    JudgeIdentity,
    Owner,
    PassReply,
    Question,
    QuestionResult,
    RubricReply,
)

if TYPE_CHECKING:
    from comparator.judges.tools.examination import Examination

T = TypeVar("T")


@dataclass(frozen=True)
class _PairQuestion:
    pair: BlindedPair
    with_tools: BlindedPair
    """The same as a request with tools shows it."""
    rubric: Rubric
    order: Order
    guidance: Guidance | None

    @property
    def form(self) -> type[Wire]:
        return answer_form(self.rubric, expectations=len(self.pair.task.expectations), labels=self.pair.shown)

    def request(
        self, *, media: bool, tools: bool, form: str
    ) -> tuple[list[ContentBlock], list[ContentBlock]]:
        return judge_system(tools=tools, guidance=self.guidance), pair_content(
            self.with_tools if tools else self.pair,
            self.rubric,
            order=self.order,
            media=media,
            tools=tools,
            form=form,
        )

    def read(self, text: str) -> Answer:
        return read_answer(text, self.rubric, self.pair)


class AnthropicJudge:
    """A model behind the Messages API. Safe to share between concurrent readings."""

    def __init__(
        self,
        options: AnthropicOptions,
        *,
        environment: Mapping[str, str],
        patience: Patience | None = None,
        through: Callable[[DirectSender], Sender] | None = None,
        guidance: Guidance | None = None,
    ) -> None:
        self._options, self._guidance = options, guidance
        patience = patience or Patience()
        self._direct = DirectSender(options, environment=environment, patience=patience)
        self._asker = Asker(options, through(self._direct) if through else self._direct, patience=patience)
        self._identity = identity_of(options, guidance)

    @property
    def identity(self) -> JudgeIdentity:
        """The model, with a digest over server, prompts, guidance and answer form."""
        return self._identity

    @property
    def prompt_digests(self) -> dict[str, str]:
        """Each prompt's name with the sha256 of its text."""
        return dict(prompts.digests()) | _guidance_digest(self._guidance)

    async def write_rubric(
        self, task: TaskText, *, families: tuple[Family, ...], on_behalf_of: Owner | None = None
    ) -> RubricReply:
        """A rubric from the task's wording and the kinds of files, not from the outputs."""
        asked = await self.ask(rubric_question(task, families), on_behalf_of=on_behalf_of)
        return RubricReply(rubric=asked.value, calls=asked.calls)

    async def read_pair(
        self,
        pair: BlindedPair,
        rubric: Rubric,
        *,
        order: Order,
        repetition: int = 0,  # noqa: ARG002  a repetition is the same question again
        on_behalf_of: Owner | None = None,
        examination: Examination | None = None,
    ) -> PassReply:
        """One reading; passages that address the judge are flagged, whether the model or our own search found them.

        An answer whose scores give another winner than it names is asked about once more; what comes then, holds.
        """
        talk = None
        if examination is not None:
            from comparator.judges.model.conversation import Conversation

            talk = Conversation(examination, model=self._options.model)
        given = pair if examination is None else examination.material.given
        about_pair = _PairQuestion(pair, given, rubric, order, self._guidance)

        async def ask(
            manner: RequestForm | None = None, earlier: tuple[Call, ...] = ()
        ) -> ValidAnswer[Answer]:
            asked = await self._asker.ask(
                about_pair, manner=manner, talk=talk, earlier=earlier, on_behalf_of=on_behalf_of
            )
            if talk is None or not asked.manner.tools:
                return asked
            return replace(asked, value=await asyncio.to_thread(talk.finished, asked.value))

        async def ask_further(asked: ValidAnswer[Answer], question: str) -> ValidAnswer[Answer]:
            turns = (*asked.manner.turns, *asked_upon(asked.text, question))
            return await ask(replace(asked.manner, turns=turns, repaired=False), asked.calls)

        first = await ask()
        if talk is not None and first.manner.tools and (question := talk.unopened(first.value)):
            if not talk.stopped:
                first = await ask_further(first, question)
            if talk.unopened(first.value):
                raise talk.one_sided(first.calls)
        disagreement = _disagreement(rubric, first.value)
        if disagreement is None:
            return PassReply(answer=_with_flags(first.value, pair), calls=first.calls)
        try:
            second = await ask_further(first, disagreement)
        except (InvalidAnswer, JudgeRefused, ContextOverflow, ReadingIncomplete) as error:
            # The first answer is valid: it stands as it is, with the contradiction.
            return PassReply(answer=_with_flags(first.value, pair), calls=error.calls)
        unopened = talk is not None and second.manner.tools and talk.unopened(second.value)
        holds = first if unopened else second
        gave_way = holds.value.better is not first.value.better
        answer = holds.value.model_copy(update={"first_verdict": first.value.better if gave_way else None})
        return PassReply(
            answer=_with_flags(answer, pair),
            calls=second.calls,
            contradicted=_with_flags(first.value, pair),
            calls_before=len(first.calls),
        )

    async def ask(self, question: Question[T], *, on_behalf_of: Owner | None = None) -> QuestionResult[T]:
        """The answer to a question that is no pair, asked as patiently as one."""
        asked = await self._asker.ask(question, on_behalf_of=on_behalf_of)
        return QuestionResult(asked.value, asked.calls)

    async def check(self) -> str:
        """Whether the model can be reached, asked without cost where the server allows it. Raises JudgeError."""
        model, server = self._options.model, self._direct.server
        question = [{"role": "user", "content": "Are you there?"}]
        if self._options.provider is Provider.API:
            try:
                await self._direct.count_tokens({"model": model, "messages": question})
            except RequestFailed as failed:
                # Compatible servers often have no route for counting; then one short question has to do.
                if self._options.base_url is None or failed.fault.status not in (404, 405, 501):
                    raise failed.fault.error(failed.fault.message) from None
            else:
                return f"The model {model} at {server} can be reached; asking cost nothing."
        try:
            await self._asker.send({"model": model, "max_tokens": 16, "messages": question}, None)
        except RequestFailed as failed:
            raise failed.fault.error(failed.fault.message, calls=failed.calls) from None
        return f"The model {model} at {server} can be reached; one short question was asked."

    async def close(self) -> None:
        """Closes the connections."""
        await self._direct.close()


def identity_of(options: AnthropicOptions, guidance: Guidance | None = None) -> JudgeIdentity:
    """Which judge these options make; patience and limits are left out, they change no answer."""
    configuration = {
        "model": options.model,
        "provider": options.provider.value,
        "server": without_password(options.base_url) if options.base_url else "",
        "prompts": prompts.digests(),
        "form": form_digest(),
        "tools": options.tools.value,
        **_guidance_digest(guidance),
    }
    digest = hashlib.sha256(json.dumps(configuration, sort_keys=True).encode()).hexdigest()
    return JudgeIdentity(
        kind="anthropic",
        model=options.model,
        digest=digest,
        tools=options.tools,
        guidance=guidance.number if guidance else None,
    )


def _guidance_digest(guidance: Guidance | None) -> dict[str, str]:
    """The sha256 of what is sent of the guidance; nothing where there is none."""
    if guidance is None:
        return {}
    sent = prompts.filled(prompts.GUIDANCE, notes=guidance.text)
    return {"guidance": hashlib.sha256(sent.encode("utf-8", "replace")).hexdigest()}


def _disagreement(rubric: Rubric, answer: Answer) -> str | None:
    """What to ask where the scores give another winner than the answer names; None where they agree."""
    by_scores = contradicted_by(rubric, answer)
    if by_scores is None:
        return None
    both = overall_scores(rubric, answer)
    named = "a tie" if answer.better is Winner.TIE else f"output {answer.better.value}"
    return prompts.filled(
        prompts.AGREE, by_scores=by_scores.value, totals=f"A {both.A}, B {both.B}", named=named
    )


def _with_flags(answer: Answer, pair: BlindedPair) -> Answer:
    found = labelled(addressed_in(pair))
    return answer.model_copy(
        update={"addressed_judge": tuple(dict.fromkeys((*found, *answer.addressed_judge)))}
    )
