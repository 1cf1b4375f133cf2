"""How a project is judged and reviewed: its settings, what each may be, and its notes to the judge."""

from __future__ import annotations

import hashlib
from enum import StrEnum
from typing import Annotated

from pydantic import AwareDatetime, ConfigDict, Field, StringConstraints

from comparator.domain.labels import Frozen
from comparator.domain.scoring.judgment import Tools

LONGEST_BRIEF = 4000


class ReviewMode(StrEnum):
    """What a reviewer sees first, and what is asked first."""

    JUDGE_FIRST = "judge_first"
    BLIND_FIRST = "blind_first"
    PREFERENCE_FIRST = "preference_first"
    """One question on the pair instead of the criteria; the judge's values are in sight."""
    BLIND_PREFERENCE = "blind_preference"
    """The same question, before the judge's values are shown."""

    @staticmethod
    def of(*, blind: bool, prefers: bool) -> ReviewMode:
        """The mode with these two properties."""
        if prefers:
            return ReviewMode.BLIND_PREFERENCE if blind else ReviewMode.PREFERENCE_FIRST
        return ReviewMode.BLIND_FIRST if blind else ReviewMode.JUDGE_FIRST

    @property
    def blind(self) -> bool:
        """Whether the reviewer answers before the judge's values open."""
        return self in (ReviewMode.BLIND_FIRST, ReviewMode.BLIND_PREFERENCE)

    @property
    def prefers(self) -> bool:
        """Whether one question on the pair comes before the criteria."""
        return self in (ReviewMode.PREFERENCE_FIRST, ReviewMode.BLIND_PREFERENCE)


class ReviewOrder(StrEnum):
    """In which order pairs come up for review."""

    AS_IMPORTED = "as_imported"
    RANDOM = "random"
    INFORMATIVE = "informative"


class ReasonRule(StrEnum):
    """Whether a winner or a changed value needs one."""

    REQUIRED = "required"
    OPTIONAL = "optional"
    OFF = "off"


LOOK_ONCE = "Look once, when the number of reviews is reached"
LOOK_WHENEVER = "Look whenever, and say so"
"""Stop rules of which it can be told whether they were kept: a look is a reveal."""


class DecisionPlan(Frozen):
    """What is fixed before a reveal: the smallest difference that matters, how many reviews, when to stop."""

    smallest_difference: float = Field(ge=0, le=1)
    reviews: int = Field(ge=1)
    stop_rule: str = ""
    fixed_at: AwareDatetime | None = None
    candidates: tuple[str, str] | None = None
    """The ids of the two that it is to decide between; None: any two without a plan of their own."""

    @property
    def of(self) -> frozenset[str]:
        """The ids of its candidates, whichever is named first; empty for any two."""
        return frozenset(self.candidates or ())


class GuessChoice(Frozen):
    """What a lead tells reviewers of a candidate when they are asked who made which, such as "with the guide"."""

    number: int = Field(ge=1)
    """The candidate's neutral number."""
    text: str = Field(min_length=1, max_length=200)


class ChartNote(Frozen):
    """What happened on a date (2026-03-09) or in an iteration, such as "new prompt"."""

    step: str = Field(min_length=1, max_length=200)
    words: str = Field(min_length=1, max_length=40)


class ProjectSettings(Frozen):
    """How a project is judged and reviewed. The page Settings shows the docstrings of these fields as help."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    mode: ReviewMode = ReviewMode.JUDGE_FIRST
    """Seeing the judge's scores first is quicker. Only reviews made without them test the judge."""
    order: ReviewOrder = ReviewOrder.AS_IMPORTED
    """How pairs are given out. The most uncertain first teaches the most; a random order favours none."""
    reasons: ReasonRule = ReasonRule.OPTIONAL
    """Whether choosing a winner or changing a value needs a reason; what stays as judged needs none."""
    reason_codes: tuple[str, ...] = (
        "wrong fact",
        "missed part",
        "formatting overrated",
        "too lenient",
        "too harsh",
        "other",
    )
    """Short reasons to choose from, one per line; the first nine have a digit each."""
    reviews_needed: int = Field(default=1, ge=1, le=50)
    """A pair leaves the queue after this many final reviews. Two or more show how far people agree."""
    share_to_all: float = Field(default=0, ge=0, le=1)
    """The share of pairs that every reviewer is given, besides the reviews that each pair needs."""
    redact_names: bool = True
    """Whether full names that reveal who made which output are replaced, the same on both sides."""
    audit_share: float = Field(default=0.2, ge=0, le=1)
    """The share (0 to 1) of pairs drawn into the audit sample."""
    plans: tuple[DecisionPlan, ...] = ()
    """The decision plans that were fixed before the reveal, one for each two candidates, the newest last."""
    notes: tuple[ChartNote, ...] = ()
    """Notes that charts over time show beside their figures."""
    show_reference: bool = True
    """Whether judge and reviewers see it."""
    live_pages: bool = True
    """For reviewers, in a frame that is cut off from network and app."""
    ask_guess_share: float = Field(default=0.1, ge=0, le=1)
    """The share of pairs in which a reviewer is asked, before the reveal, who made which output."""
    guess_choices: tuple[GuessChoice, ...] = ()
    """One per line, such as “1: with the guide”; if empty, the question is only whether anything gave one away."""
    tools: Tools | None = None
    """With tools, a judge reads and searches what was cut and looks at pages."""
    judges: tuple[str, ...] = ()
    """Judges from COMPARATOR_JUDGES that all read each pair; their votes and medians become one verdict."""
    quorum: int | None = Field(default=None, ge=1)
    """How many of several judges must reach a verdict of their own; empty means most of them."""
    guidance: int | None = Field(default=None, ge=1)
    """The version of the guidance that judges go by; it is adopted, not set."""
    brief: Annotated[str, StringConstraints(strip_whitespace=True, max_length=LONGEST_BRIEF)] = ""
    """What reviewers read before they begin."""
    keep_outputs_days: int | None = Field(default=None, ge=1)
    """Days after which the files of settled comparisons may be purged; None keeps them."""

    def with_plan(self, plan: DecisionPlan) -> ProjectSettings:
        """With this plan, which takes the place of an earlier one of the same two."""
        others = tuple(other for other in self.plans if other.of != plan.of)
        return self.copy_with(plans=(*others, plan))

    def is_for_all(self, comparison_id: str) -> bool:
        """Whether every reviewer is given this pair, by its random id alone, so that it tells nothing of the key."""
        return comparison_id[-SHARE_DIGITS:] < share_bound(self.share_to_all)


SHARE_DIGITS = 3
_ALPHABET = "234567abcdefghijklmnopqrstuvwxyz"


def share_bound(share: float) -> str:
    """Ids that end below this, in the order of bytes, are the share (0 to 1) of all ids.

    >>> share_bound(0), share_bound(0.5), share_bound(1) > "zzz"
    ('222', 'k22', True)
    """
    size = len(_ALPHABET)
    number = round(share * size**SHARE_DIGITS)
    if number >= size**SHARE_DIGITS:
        return "~"
    digits = (number // size**place % size for place in reversed(range(SHARE_DIGITS)))
    return "".join(_ALPHABET[digit] for digit in digits)


FEWEST_LEARNT = 10
"""Below so many corrections nothing is drafted, and below so many held-out pairs nothing is tried."""
LONGEST_GUIDANCE = 6000
"""Characters of the notes: they go into every request."""


class Guidance(Frozen):
    """One version of a project's notes, as a judge gets it; `number` counts from 1 within the project."""

    number: int = Field(ge=1)
    text: str = Field(min_length=1, max_length=LONGEST_GUIDANCE)


def is_held_out(task_id: str) -> bool:
    """Whether guidance is tried on the task's pairs; the other half of the tasks is what it is drafted from.

    It follows from the random id, so it is fixed before anybody reviews or drafts, and nobody can draw again.
    """
    return hashlib.sha256(task_id.encode()).digest()[0] % 2 == 0
