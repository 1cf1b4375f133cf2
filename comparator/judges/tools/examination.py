"""One reading's use of the tools: every call is answered within limits, fenced, and kept as it can be made again."""

from __future__ import annotations

import hashlib
import json
import reprlib
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pydantic import JsonValue, ValidationError

from comparator.domain.errors import InputError
from comparator.domain.labels import Label, Winner
from comparator.domain.pair.examination import LookedAt, ToolCall, ToolLimits
from comparator.domain.scoring.judgment import Answer, Examined
from comparator.domain.usage import tokens_in
from comparator.judges.prompts import fenced, media_block
from comparator.judges.tools.answering import compare, list_files, look, read, search, table
from comparator.judges.tools.arguments import TOOLS, definitions
from comparator.judges.tools.attention import attention
from comparator.judges.tools.material import LONGEST, Material, ToolReply
from comparator.judges.tools.quoting import verified

_LONGEST_ARGUMENTS = 20_000
MOST_PICTURES = 90
"""Of a request, pages of PDFs included; the API takes no more than 100."""
_LOOK = "look"
_UNUSABLE = "not usable"
"""The name under which arguments are kept that are no usable object."""
_REFUSED = ToolReply(f"The arguments have to be a JSON object of up to {_LONGEST_ARGUMENTS:,} characters.")
_PICTURE_TOKENS = 1_568 * 1_568 // 750
_ANSWERS: Mapping[str, Callable[..., ToolReply]] = {
    "list": list_files,
    "read": read,
    "search": search,
    "table": table,
    "look": look,
    "compare": compare,
}


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

    def looked_at(self) -> LookedAt:
        """The record of the calls, with how much of each file they showed."""
        return LookedAt(calls=self.calls, files=attention(self.material.given, self.calls).files)

    @property
    def tools(self) -> list[Mapping[str, Any]]:
        """The tools as a request carries them."""
        return [*definitions()]

    def unopened(self, winner: Winner) -> Label | None:
        """The output of which what was cut was never opened, although a winner is named."""
        seen = attention(self.material.given, self.calls)
        return (
            None if winner is Winner.TIE else next((label for label in Label if not seen.opened[label]), None)
        )

    def finished(self, answer: Answer, stopped: str) -> Answer:
        """The answer with how the tools were used, and its quotes looked up in whole files, too."""
        seen = attention(self.material.given, self.calls)
        examined = Examined(calls=seen.calls, uneven=seen.uneven, stopped=stopped)
        return verified(answer, self.material).model_copy(update={"examined": examined})

    def call(self, tool: str, arguments: object) -> AnsweredCall:
        """The answer to a call, whatever a model asks for; what cannot be done is said in it. Raises nothing."""
        started = self._clock()
        reason = self.limit_reached()
        if not reason and tool == _LOOK and self._pictures >= MOST_PICTURES:
            reason = f"this request has {MOST_PICTURES} pictures already"
            reply, problem = ToolReply(f"No more pictures: {reason}. Read the file as text."), True
        elif reason:
            reply, problem = ToolReply(f"No more calls: {reason}. Give the verdict now."), True
        else:
            reply, problem = _reply(self.material, tool, arguments)
        # A picture's size in pixels is not known here; one of a usual page has about so many.
        tokens = tokens_in(reply.text) + 1 + (_PICTURE_TOKENS if reply.picture else 0)
        text, picture = reply.text.encode("utf-8", "replace"), reply.picture.data if reply.picture else b""
        self._pictures += reply.picture is not None
        if self.room is not None:
            self.room -= tokens
        usable = _usable(arguments)
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
                refused=bool(reason),
            )
        )
        # Between fences that its own text cannot close: it is material, as the outputs are.
        content: list[dict[str, Any]] = [{"type": "text", "text": fenced("material", reply.text)}]
        if reply.picture is not None:
            content.append(media_block("image", reply.picture.media_type, reply.picture.data))
        return AnsweredCall(content, problem)

    def limit_reached(self) -> str:
        """The limit at which no further call is answered; empty where there is none."""
        made = [call for call in self._calls if not call.refused]
        if self.room is not None and self.room <= 0:
            return f"the {self.limits.context:,} tokens of a request are used"
        if len(made) >= self.limits.calls:
            return f"the {self.limits.calls:,} calls of this reading are made"
        if sum(call.size for call in made) >= self.limits.bytes:
            return f"the {self.limits.bytes:,} bytes of this reading are read"
        if sum(call.tokens for call in made) >= self.limits.tokens:
            return f"the {self.limits.tokens:,} tokens of this reading are used"
        if sum(call.seconds for call in made) >= self.limits.seconds:
            return f"the {self.limits.seconds:g} seconds of this reading are used"
        return ""


def _reply(material: Material, tool: str, arguments: object) -> tuple[ToolReply, bool]:
    asked = TOOLS.get(tool)
    if asked is None:
        return ToolReply(f"There is no tool {tool[:100]!r}. There are: {', '.join(TOOLS)}."), True
    usable = _usable(arguments)
    if usable is None:
        return _REFUSED, True
    try:
        reply = _ANSWERS[tool](material, asked.model_validate(usable, strict=False))
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()[:5])
        return ToolReply(f"The arguments cannot be used. {wrong[:1_000]}"), True
    except InputError as error:
        return ToolReply(str(error)[:4_000]), True
    except (TypeError, ValueError, RecursionError):
        return _REFUSED, True
    # A tool ends its answer by itself; this holds whatever it does.
    return reply._replace(text=reply.text[: LONGEST + 4_000]), False


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
    found: dict[str, JsonValue] = json.loads(text)
    return found
