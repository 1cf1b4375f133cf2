"""One reading's use of the tools: calls within limits, what was looked at, and quotes looked up in whole files."""

import hashlib
import json
import re
import reprlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from pydantic import JsonValue, ValidationError

from comparator.domain.errors import InputError
from comparator.domain.labels import Label, PerOutput, Winner
from comparator.domain.pair.examination import Place, ToolCall, ToolLimits
from comparator.domain.pair.view import BlindedPair, ViewedFile
from comparator.domain.scoring.judgment import Answer, Examined, Quote
from comparator.domain.usage import tokens_in
from comparator.judges.prompts import fenced, media_block
from comparator.judges.quotes import SUBSTANCE, same_file, substance
from comparator.judges.tools.answering import TOOLS_BY_NAME, definitions
from comparator.judges.tools.arguments import Compare, Look, Read, Search, Table
from comparator.judges.tools.material import LONGEST, PLACES, Material, ToolReply
from comparator.judges.tools.missing_content import opens_more
from comparator.outputs.examine.lines import LONGEST_PATTERN, Pattern
from comparator.outputs.examine.opened import Text
from comparator.outputs.view.sharing import MARK


def outputs_opened(pair: BlindedPair, calls: Iterable[ToolCall]) -> PerOutput[bool]:
    """Whether tools opened something of each output that a request does not give, if there is such a thing.

    An output of which nothing at all was seen was not opened.
    """
    answered = [(call, set(_subjects(call))) for call in calls if not call.refused and not call.problem]

    def is_opened(label: Label) -> bool:
        place: Place = label.value

        def was_reached(file: ViewedFile) -> bool:
            subjects = {(place, file.name), (place, None)}
            return any(own & subjects and _shows_more(call, file) for call, own in answered)

        files = pair.outputs[label].files
        lacking = [file for file in files if opens_more(file)]
        given = any(file.blocks or file.page is not None or not file.size for file in files)
        return any(map(was_reached, lacking or files)) or (not lacking and (given or not files))

    return PerOutput.of(is_opened)


def _subjects(call: ToolCall) -> Iterator[tuple[Place, str | None]]:
    """The sides that a call shows something of, each with the file, or with None for all of its files."""
    match arguments := TOOLS_BY_NAME[call.tool].arguments.model_validate(call.arguments):
        case Compare():
            yield arguments.side, arguments.file
            yield arguments.other_side, arguments.other or arguments.file
        case Read() | Table() | Look() | Search() if arguments.side:
            yield arguments.side, arguments.file
        case Search():
            yield from (("A", None), ("B", None))


def _shows_more(call: ToolCall, file: ViewedFile) -> bool:
    """Whether a call showed more than the beginning of a text that was given without its middle."""
    beginning, *rest = MARK.split(file.text, maxsplit=1)
    last = call.arguments.get("last")
    return not (rest and call.tool == "read" and isinstance(last, int) and last <= beginning.count("\n"))


_MOST_HITS = 200
_SHORT_LINE = 4
_PIECES = re.compile(r"\s*[|\t]\s*|\s*(?:…|\.\.\.)\s*")
_NUMBERED = re.compile(r"^\s*(?:[-+] )?\d{1,9}(?:: | \| )")
"""What tools put before lines, lines that differ, and rows of a table."""
_LOOSE = re.compile(r"[\s|,;\"'“”‘’*_`#>…]+")


def verify_quotes(answer: Answer, material: Material) -> Answer:
    """The answer with each quote that the views do not hold looked up in the whole files of its output.

    One that stands in the input files or the reference is found there: tools return those as well.
    """
    look_up = cache(lambda label, quote: _look_up_quote(quote, label, material))
    return answer.with_quotes(lambda label, quote: quote if quote.found else look_up(label, quote))


def _look_up_quote(quote: Quote, label: Label, material: Material) -> Quote:
    if substance(quote.text) < SUBSTANCE:
        return quote
    sides: tuple[Place, ...] = (label.value, *(place for place in PLACES if place not in ("A", "B")))
    files = [placed for side in sides for placed in material.files(side)]
    # Where no file has the name that was given, the quote may stand in any.
    named = [placed for placed in files if same_file(placed.file.name, quote.file)]
    for placed in named or files:
        try:
            texts = material.texts(placed)
        except InputError:
            continue
        for number, text in enumerate(texts, 1):
            if place := _place(text, number, quote.text):
                # Words of an input file are no words of the output: the file says where they stand.
                where = place if placed.place == label.value else f"{placed.place}, {place}"
                return quote.copy_with(file=placed.file.name, found=True, place=where)
    return quote


def _place(text: Text, sheet: int, quote: str) -> str:
    """Where a quote stands in a text, as people say it; empty where it does not."""
    lines = [line for line in quote.splitlines() if line.strip()]
    # A number in front may be the file's own.
    unnumbered = [_NUMBERED.sub("", line) for line in lines]
    return _place_of(text, sheet, lines) or (
        _place_of(text, sheet, unnumbered) if unnumbered != lines else ""
    )


def _place_of(text: Text, sheet: int, lines: list[str]) -> str:
    wanted = _loose("\n".join(lines))
    if len(wanted) < SUBSTANCE:
        return ""
    pieces = [piece for line in lines for piece in _PIECES.split(line) if len(piece) >= _SHORT_LINE]
    key = max(pieces or lines, key=len).strip()[:LONGEST_PATTERN]
    try:
        hits, _ = text.find(Pattern(key, regex=False, match_case=True), most=_MOST_HITS)
    except InputError:
        return ""
    for line, _ in hits:
        first, last = max(line.number - len(lines), 1), line.number + len(lines)
        if wanted in _loose("\n".join(neighbour.text for neighbour in text.lines(first, last))):
            if text.name:
                return f"sheet {sheet} “{text.name}”, row {line.number:,}"
            part = f"{text.part} {line.part:,}, " if line.part else ""
            return f"{part}line {line.number:,}"
    return ""


def _loose(text: str) -> str:
    """A text without what a table's cells and a prose's marks are told apart by."""
    return _LOOSE.sub("", text)


_LONGEST_ARGUMENTS = 20_000
MOST_PICTURES = 90
"""Of a request, pages of PDFs included; the API takes no more than 100."""
_LOOK = "look"
_UNUSABLE = "not usable"
"""The name under which arguments are kept that are no usable object."""
_REFUSED = f"The arguments have to be a JSON object of up to {_LONGEST_ARGUMENTS:,} characters."
_PICTURE_TOKENS = 1_568 * 1_568 // 750


class AnsweredCall(NamedTuple):
    """A call's answer in the form of the Messages API: the content of a `tool_result`."""

    content: list[dict[str, Any]]
    is_error: bool


class Examination:
    """The tools for one reading in one order. Nothing of an earlier reading is known to it."""

    def __init__(
        self, material: Material, *, limits: ToolLimits, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.material, self.limits, self._clock = material, limits, clock
        self._calls: list[ToolCall] = []
        self._pictures = material.pair.pictures
        self.room: int | None = None
        """Tokens that the answers to come may have together; None while that is not known."""

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """All calls so far, in order."""
        return tuple(self._calls)

    @property
    def tools(self) -> list[Mapping[str, Any]]:
        """The tools as a request carries them."""
        return [*definitions()]

    def unopened(self, winner: Winner) -> Label | None:
        """The output of which what was cut was never opened, although a winner is named."""
        if winner is Winner.TIE:
            return None
        were_opened = outputs_opened(self.material.given, self.calls)
        return next((label for label in Label if not were_opened[label]), None)

    def finished(self, answer: Answer, stopped: str) -> Answer:
        """The answer with how the tools were used, and its quotes looked up in whole files, too."""
        examined = Examined(calls=sum(not call.refused for call in self._calls), stopped=stopped)
        return verify_quotes(answer, self.material).copy_with(examined=examined)

    def call(self, tool: str, arguments: object) -> AnsweredCall:
        """The answer to a call, whatever a model asks for; what cannot be done is said in it. Raises nothing."""
        started, usable, refusal = self._clock(), _usable(arguments), self._refusal(tool)
        try:
            if refusal:
                raise InputError(refusal)
            reply, problem = _answer(self.material, tool, usable), False
        except InputError as error:
            reply, problem = ToolReply(str(error)[:4_000]), True
        # A picture's size in pixels is not known here; one of a usual page has about so many.
        tokens = tokens_in(reply.text) + 1 + (_PICTURE_TOKENS if reply.picture else 0)
        text, picture = reply.text.encode("utf-8", "replace"), reply.picture.data if reply.picture else b""
        self._pictures += reply.picture is not None
        if self.room is not None:
            self.room -= tokens
        self._calls.append(
            ToolCall(
                tool=tool[:100],
                # What is no usable object is kept as a note of what it was.
                arguments=usable if usable is not None else {_UNUSABLE: reprlib.repr(arguments)},
                size=len(text) + len(picture),
                tokens=tokens,
                seconds=self._clock() - started,
                digest=hashlib.sha256(text + b"\0" * bool(picture) + picture).hexdigest(),
                problem=problem,
                refused=bool(refusal),
            )
        )
        # Between fences that its own text cannot close: it is material, as the outputs are.
        content: list[dict[str, Any]] = [{"type": "text", "text": fenced("material", reply.text)}]
        if reply.picture is not None:
            content.append(media_block("image", reply.picture.media_type, reply.picture.data))
        return AnsweredCall(content, problem)

    def _refusal(self, tool: str) -> str:
        """Why no call of this tool is answered any more; empty where it is."""
        if limit := self.limit_reached():
            return f"No more calls: {limit}. Give the verdict now."
        if tool == _LOOK and self._pictures >= MOST_PICTURES:
            return (
                f"No more pictures: this request has {MOST_PICTURES} pictures already. Read the file as text."
            )
        return ""

    def limit_reached(self) -> str:
        """The limit at which no further call is answered; empty where there is none."""
        answered_calls = [call for call in self._calls if not call.refused]
        limits = self.limits
        if self.room is not None and self.room <= 0:
            return f"the {limits.context:,} tokens of a request are used"
        for used, limit, what in (
            (len(answered_calls), limits.calls, "calls"),
            (sum(call.size for call in answered_calls), limits.bytes, "bytes"),
            (sum(call.tokens for call in answered_calls), limits.tokens, "tokens"),
            (sum(call.seconds for call in answered_calls), limits.seconds, "seconds"),
        ):
            if used >= limit:
                return f"the {limit:,.15g} {what} of this reading are used"
        return ""


def _answer(material: Material, tool: str, arguments: dict[str, JsonValue] | None) -> ToolReply:
    """The answer to a call. Raises InputError with what is wrong with it."""
    called = TOOLS_BY_NAME.get(tool)
    if called is None:
        raise InputError(f"There is no tool {tool[:100]!r}. There are: {', '.join(TOOLS_BY_NAME)}.")
    if arguments is None:
        raise InputError(_REFUSED)
    try:
        reply = called.answer(material, called.arguments.model_validate(arguments, strict=False))
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()[:5])
        raise InputError(f"The arguments cannot be used. {wrong[:1_000]}") from error
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(_REFUSED) from error
    # A tool ends its answer by itself; this holds whatever it does.
    return reply._replace(text=reply.text[: LONGEST + 4_000])


def _usable(arguments: object) -> dict[str, JsonValue] | None:
    """The arguments in the order in which they are stored; None where they are no JSON object, too long, or our note.

    A call that is made again with what was stored is so answered alike to the byte.
    """
    try:
        text = json.dumps(arguments, sort_keys=True, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return None
    if not isinstance(arguments, Mapping) or len(text) > _LONGEST_ARGUMENTS or _UNUSABLE in arguments:
        return None
    stored: dict[str, JsonValue] = json.loads(text)
    return stored
