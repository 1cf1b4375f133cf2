"""The question how two agents worked: their transcripts and skills, and an answer whose every entry is quoted."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from comparator.domain.labels import Frozen
from comparator.domain.pair.view import Family, OutputView, TextBlock, ViewedFile
from comparator.judges import prompts
from comparator.judges.model.answer_form import Wire
from comparator.judges.model.answers import validated
from comparator.judges.prompts import fenced
from comparator.judges.protocol import Question
from comparator.judges.quotes import QuoteIndex
from comparator.judges.themes.questions import meaningful

Side = Literal["winner", "loser"]
SIDES: tuple[Side, ...] = ("winner", "loser")
_NAME = "transcript"


class WorkedOn(Frozen):
    """One task, and how both agents worked on it."""

    task: str
    transcripts: dict[Side, str]


class WireTranscriptQuote(Wire):
    """A passage of a transcript."""

    pair: int
    text: str = Field(max_length=4000)


class WireEntry(Wire):
    """What is said, and by which passages."""

    text: Annotated[str, Field(max_length=2000), AfterValidator(meaningful)]
    status: Literal["observed", "hypothesis"]
    quotes: list[WireTranscriptQuote] = Field(max_length=10)


class WireFollowing(Wire):
    """How well one agent followed its instructions."""

    score: Annotated[int, Field(ge=1, le=10)]
    status: Literal["observed", "hypothesis"]
    quotes: list[WireTranscriptQuote] = Field(max_length=10)
    issues: list[WireEntry] = Field(max_length=20)


class WireBoth(Wire):
    """That of each agent whose skill is given."""

    winner: WireFollowing | None
    loser: WireFollowing | None


class WireInsights(Wire):
    """How both worked."""

    winner_execution_pattern: WireEntry
    loser_execution_pattern: WireEntry


class WireWork(Wire):
    """All of it."""

    instruction_following: WireBoth
    transcript_insights: WireInsights


class TranscriptInsight(Frozen):
    """What holds of an entry: its words, and the passages that stand in the transcripts, with their pairs' numbers."""

    text: str
    status: str
    quotes: tuple[tuple[int, str], ...]


class Following(Frozen):
    """What holds of one agent's score; `score` is None where no passage of it was found."""

    score: int | None
    about: TranscriptInsight | None
    issues: tuple[TranscriptInsight, ...]


class Worked(Frozen):
    """What holds of an answer."""

    following: dict[Side, Following]
    patterns: dict[Side, TranscriptInsight]
    dropped: int
    """Entries of which no passage was found."""


def transcripts_question(pairs: Sequence[WorkedOn], skills: Mapping[Side, str]) -> Question[Worked]:
    """Asks about these pairs, numbered from 1; an entry without a passage of its side's transcripts is dropped."""
    parts = []
    for number, pair in enumerate(pairs, start=1):
        parts.append(f"# Pair {number}\n\n{fenced('task', pair.task)}")
        parts += [fenced(_NAME, pair.transcripts[side], pair=str(number), of=side) for side in SIDES]
    parts.append("# The skills")
    parts += [
        fenced("skill", skills[side], of=side) if side in skills else f"No skill of the {side} is known."
        for side in SIDES
    ]
    parts.append("Read them now. Answer with the JSON object only.")

    def read(text: str) -> Worked:
        indexes = {side: [QuoteIndex(_view(pair.transcripts[side])) for pair in pairs] for side in SIDES}
        answer = validated(WireWork, text)
        return _with_found_quotes(answer, indexes, skilled=skills.keys())

    return Question(
        system=prompts.text_of(prompts.TRANSCRIPTS),
        content="\n\n".join(parts),
        form=WireWork,
        read=read,
    )


def _with_found_quotes(
    answer: WireWork, indexes: Mapping[Side, Sequence[QuoteIndex]], *, skilled: Container[Side]
) -> Worked:
    """What is quoted; how a side followed its instructions only where it is `skilled`, having a skill that was read."""
    dropped = 0

    def with_quotes(side: Side, entry: WireEntry) -> TranscriptInsight | None:
        nonlocal dropped
        quotes = tuple(_found(entry.quotes, indexes[side]))
        dropped += not quotes
        return TranscriptInsight(text=entry.text, status=entry.status, quotes=quotes) if quotes else None

    following: dict[Side, Following] = {}
    patterns: dict[Side, TranscriptInsight] = {}
    for side in SIDES:
        own: WireFollowing | None = getattr(answer.instruction_following, side)
        if own is not None and side in skilled:
            about = with_quotes(side, WireEntry(text=str(own.score), status=own.status, quotes=own.quotes))
            following[side] = Following(
                score=None if about is None else own.score,
                about=about,
                issues=tuple(
                    found for issue in own.issues if (found := with_quotes(side, issue)) is not None
                ),
            )
        pattern = with_quotes(side, getattr(answer.transcript_insights, f"{side}_execution_pattern"))
        if pattern is not None:
            patterns[side] = pattern
    return Worked(following=following, patterns=patterns, dropped=dropped)


def _found(quotes: Iterable[WireTranscriptQuote], indexes: Sequence[QuoteIndex]) -> Iterable[tuple[int, str]]:
    for each in quotes:
        if 1 <= each.pair <= len(indexes) and indexes[each.pair - 1].find(_NAME, each.text).found:
            yield each.pair, each.text.strip()


def _view(text: str) -> OutputView:
    """The transcript as something in which quotes are looked up."""
    file = ViewedFile(
        id=_NAME, name=_NAME, family=Family.TEXT, size=len(text), blocks=(TextBlock(text=text),)
    )
    return OutputView(files=(file,))
