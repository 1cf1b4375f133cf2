"""All that is known of a comparison and bears on a figure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

from comparator.domain.labels import PerOutput
from comparator.domain.scoring.judgment import Pass
from comparator.domain.scoring.review import Blindness
from comparator.domain.scoring.rubric import Rubric
from comparator.domain.scoring.verdict import Assessment, Verdict


@dataclass(frozen=True)
class LastChange:
    """The last thing that a person did to one value of a review before it was finalised."""

    target: str
    kind: str
    code: str
    blind: bool
    value: Any = None


@dataclass(frozen=True)
class Reviewed:
    """A person's review with the last event of it: final, reopened, or None while it was never finalised."""

    person_id: str
    mode: str
    blindness: Blindness
    """Known where it was finalised after the reveal."""
    last_event: str | None
    winner: str | None = None
    verdict: Verdict | None = None
    """Of a final review."""
    rubric: Rubric | None = None
    """That it was made by."""
    rubric_id: str | None = None
    changes: tuple[LastChange, ...] = ()
    blind_changes: tuple[LastChange, ...] = ()
    """The same as it stood before the judge's values were shown, where they were hidden at first."""
    times: tuple[datetime, ...] = ()
    """When it was opened, each change and the finalisation, in order."""


@dataclass(frozen=True)
class Try:
    """What one try at a pass took; `cost` in the smallest units, None where the price is unknown."""

    kind: str
    model: str
    digest: str
    """Of the judge's version."""
    currency: str
    succeeded: bool
    input_tokens: int
    output_tokens: int
    seconds: float
    cost: int | None


@dataclass(frozen=True)
class OneJudge:
    """What one of several judges of the comparison says; `first` and `second` count what its first readings named."""

    name: str
    kind: str
    model: str
    digest: str
    vote: str
    first: int = 0
    """The output that was shown first; `second` the other one."""
    second: int = 0


@dataclass(frozen=True)
class Facts:
    """One comparison. Scores are in tenths, pass rates in hundredths, by label."""

    comparison_id: str
    project_id: str
    task_id: str
    candidate_a: str
    candidate_b: str
    number_a: int
    revealed: bool
    valid: bool
    """Both runs are, and it is no warm-up pair."""
    status: str
    judge_kind: str | None
    judge_model: str | None
    judge_winner: str | None
    first_winner: str | None
    """The judge's winner by the first reading of each order: what agreement is measured on."""
    position_consistent: bool | None
    self_consistent: bool | None
    stated_confidence: int | None
    quotes: tuple[int, int] | None
    """Found, and all."""
    source: str | None
    winner: str | None
    decided_by: str | None
    overall: tuple[int, int] | None
    content: tuple[int, int] | None
    structure: tuple[int, int] | None
    passed: tuple[int, int] | None
    final_reviews: int
    open_reviews: int
    audited: bool
    characters: tuple[int, int] | None
    marks: tuple[int, int] | None
    may_reveal: bool = False
    """A passage in one of the outputs tells outright which run it is from."""
    shared_rubric: bool = False
    rubric_id: str | None = None
    judge_digest: str | None = None
    """Of the version of the judge whose readings count."""
    all_readings: int = 0
    """Successful readings that count, repetitions included."""
    ruled: Blindness = Blindness.BLIND
    """What whoever made the ruling that holds knew."""
    rubric: Rubric | None = None
    """That the judge went by."""
    judged: PerOutput[Assessment] | None = None
    """What the `readings` say together, or the judges where several were asked; None while an order is missing."""
    effective: PerOutput[Assessment] | None = None
    """The values that the verdict that holds rests on."""
    judges: tuple[OneJudge, ...] = ()
    """Each of several that were asked, in the order in which they were named; there are no `readings` then."""
    readings: tuple[Pass, ...] = ()
    """The first successful pass of each order of the judgment that counts."""
    reviews: tuple[Reviewed, ...] = ()
    tries: tuple[Try, ...] = ()
    labels: tuple[tuple[str, str], ...] = ()
    """Kind and winner of each label that names one."""
    guesses: tuple[int | None, ...] = ()
    version_id: str | None = None
    judged_by: str | None = None
    """The model, or other judge, whose readings count."""
    created_at: datetime | None = None
    views: tuple[str, str] | None = None
    tokens: tuple[int | None, int | None] = (None, None)
    seconds: tuple[float | None, float | None] = (None, None)
    cost: tuple[int | None, int | None] = (None, None)
    """What each run cost, in millionths."""
    graded: tuple[Fraction | None, Fraction | None] = (None, None)
    """The share of expectations that each run meets by imported graders."""
