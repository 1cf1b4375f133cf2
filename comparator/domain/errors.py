"""The one tree of errors; each message says what happened and what to do.

ComparatorError
├── SettingsError            a setting is wrong
├── InputError               what a person or a script handed in cannot be used
│   ├── OutputRefused        an output (file, folder, archive) is not read, with the member's name
│   │   └── LimitExceeded    it is larger, deeper or slower than the limits allow
│   └── InvalidResult        a comparison.json does not follow the format
├── JudgeError               the judge gave no usable answer
│   ├── JudgeUnavailable     network, overload, timeout: worth a retry
│   ├── JudgeRefused         the model declined to answer
│   ├── JudgeNotAllowed      key, rights or money are missing
│   ├── ContextOverflow      the pair does not fit the model's context
│   ├── InvalidAnswer        the answer stayed unusable after the repair request
│   └── ReadingIncomplete    the judge came to no verdict within the limits of its tools
├── ReviewError              a change or finalisation that the review's state does not allow
├── BlindnessError           something would tell who made which output
├── RightsError              the person may not do this
└── StoreError               the database or the blob folder
    ├── NotFound             no such thing
    └── Conflict             somebody else was first
"""

from typing import NamedTuple

from pydantic import ValidationError

from comparator.domain.usage import Call


class ComparatorError(Exception):
    """Base of every error that is meant to be read by the person in front of the app."""


class SettingsError(ComparatorError):
    """A setting (environment, .env or command line) is wrong."""


class InputError(ComparatorError):
    """Something that was handed in cannot be used."""


class OutputRefused(InputError):
    """An output, or one member of it, is not read."""


class LimitExceeded(OutputRefused):
    """An output is larger, deeper or slower to read than the limits allow."""


class InvalidResult(InputError):
    """A comparison.json does not follow the format."""


class JudgeError(ComparatorError):
    """The judge gave no usable answer; `calls` are the requests that were made, with what came back."""

    def __init__(self, message: str, *, calls: tuple[Call, ...] = ()) -> None:
        super().__init__(message)
        self.calls = calls


class JudgeUnavailable(JudgeError):
    """Network, overload or timeout; trying again later may help."""


class JudgeRefused(JudgeError):
    """The model declined to answer."""


class JudgeNotAllowed(JudgeError):
    """The key, the rights or the money for the call are missing."""


class ContextOverflow(JudgeError):
    """The pair does not fit into the model's context window."""


class InvalidAnswer(JudgeError):
    """The answer stayed unusable after one repair request."""


class ReadingIncomplete(JudgeError):
    """The judge came to no verdict that may count within the limits of its tools."""


class ReviewError(ComparatorError):
    """The review's state does not allow this change."""


class BlindnessError(ComparatorError):
    """Going on would tell who made which output."""


class RightsError(ComparatorError):
    """The person who asks may not do this, or is not signed in."""


class StoreError(ComparatorError):
    """The database or the blob store failed."""


class NotFound(StoreError):
    """No such thing in the database or the blob store."""


class Conflict(StoreError):
    """Somebody else was first."""


class Problem(NamedTuple):
    """What is wrong with a value: the dotted place of it, empty for the whole, and why, without a full stop."""

    place: str
    reason: str


def first_problem(error: ValidationError) -> Problem:
    """The first of what a model refused.

    >>> from comparator.domain.pair.task import TaskText
    >>> try:
    ...     TaskText(prompt="Sum up.", expectations="none")
    ... except ValidationError as error:
    ...     first_problem(error)
    Problem(place='expectations', reason='Input should be a valid tuple')
    """
    first = error.errors()[0]
    return Problem(".".join(map(str, first["loc"])), first["msg"].removeprefix("Value error, "))
