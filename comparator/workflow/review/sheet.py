"""What the review page is given of one comparison: everything a reviewer may see, and no field for a candidate."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum

from pydantic import AwareDatetime, Field

from comparator.domain.labels import Dimension, Frozen, Label, Order, PerOutput, Winner
from comparator.domain.pair.view import Family, SetAside
from comparator.domain.scoring.arithmetic import Totals
from comparator.domain.scoring.judgment import Examined, JudgeState
from comparator.domain.scoring.review import Blindness, Touch
from comparator.domain.scoring.rubric import Anchors
from comparator.domain.scoring.several_judges import JointOutcome, Vote
from comparator.domain.scoring.verdict import DecidedBy


class Reasons(StrEnum):
    """Whether a changed value needs a reason."""

    REQUIRED = "required"
    OPTIONAL = "optional"
    OFF = "off"


class CitedQuote(Frozen):
    """A quote with the file it stands in; `file_id` is None where no such file was found."""

    file_id: str | None
    file: str
    text: str
    found: bool
    start: int | None = None
    end: int | None = None


class Rationale(Frozen):
    """Why one pass gave its score or its pass/fail."""

    order: Order
    repetition: int
    value: int | bool | None
    text: str
    quotes: tuple[CitedQuote, ...] = ()


class JudgeScore(Frozen):
    """The judge's merged score, and each pass's own; None where it did not assess the criterion."""

    score: Decimal | None
    by_pass: tuple[Rationale, ...]


class JudgeCheck(Frozen):
    """Whether the judge holds an expectation met, None where it did not assess it; `agree` is False where its passes
    differ."""

    passed: bool | None
    agree: bool
    by_pass: tuple[Rationale, ...]


class OwnValue(Frozen):
    """The reviewer's side of one value; `shown` is what holds now (own, else the judge's)."""

    touch: Touch = Touch.UNTOUCHED
    blind: bool = False
    """Given before the judge's values were open."""
    shown: Decimal | bool | str | tuple[str, ...] | None = None
    reason: str = ""
    code: str = ""


class CriterionLine(Frozen):
    """One row of the score table."""

    path: str
    dimension: Dimension
    name: str
    description: str
    anchors: Anchors
    judge: PerOutput[JudgeScore] | None
    own: PerOutput[OwnValue]


class ExpectationLine(Frozen):
    """One row of the expectations."""

    index: int
    text: str
    judge: PerOutput[JudgeCheck] | None
    own: PerOutput[OwnValue]


class SheetVerdict(Frozen):
    """A winner with its totals and the rule that decided."""

    winner: Winner
    decided_by: DecidedBy
    totals: PerOutput[Totals] | None
    """None where the reviewer chose the winner and scored nothing."""
    pass_rates: PerOutput[Decimal] | None
    not_assessed: str = ""
    """How many criteria and expectations do not count, since not both outputs have a value; in words."""


class ProseFields(Frozen):
    """The words of the verdict as they hold now, with the reviewer's touch."""

    reasoning: OwnValue
    strengths: PerOutput[OwnValue]
    weaknesses: PerOutput[OwnValue]


class JudgeSays(Frozen):
    """One of several judges of a pair: its vote over both orders, and what it took."""

    name: str
    model: str
    vote: Vote
    overall: PerOutput[Decimal] | None
    """None without a verdict."""
    cost: Decimal | None


class JudgeSummary(Frozen):
    """Who judged, and how far to trust it."""

    kind: str
    model: str
    state: JudgeState
    form: str = ""
    """What the offline check found, in words; all it says."""
    example: bool = False
    """Whether its answers were written for an example, and no model was asked."""
    version: str = ""
    """The digest of everything that can change what it answers."""
    problem: str | None = None
    step: str | None = None
    position_consistent: bool | None = None
    self_consistent: bool | None = None
    """Whether no reading names another winner than its own scores give."""
    readings: int = 0
    """In both orders together."""
    rule: str = ""
    """How often it was to be read, in words; the rule was fixed before."""
    judges: tuple[JudgeSays, ...] = ()
    """Each of them, where several were asked; everything else is what they come to."""
    settled: JointOutcome | None = None
    """What several judges come to."""
    examined: Examined | None = None
    """How its readings used tools; None where none did."""
    stated_confidence: int | None = None
    quotes_found: int = 0
    quotes_total: int = 0
    addressed_judge: tuple[str, ...] = ()
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost: Decimal | None = None
    currency: str = "USD"
    seconds: float = 0.0
    prompt_digests: dict[str, str] = Field(default_factory=dict)
    """sha256 of each prompt that was sent, by its name."""
    view_digests: PerOutput[str] | None = None
    """sha256 of what the judge saw of each output."""


class SheetFile(Frozen):
    """One file of an output as the reviewer's file list shows it."""

    id: str
    label: Label | None
    """None for the task's input files and the reference answer."""
    role: str
    """`output`, `input` or `reference`."""
    name: str
    family: Family
    size: int
    digest: str
    """Identity of the shown content; equal digests are identical files."""
    notes: tuple[str, ...] = ()
    content: str = ""
    """Identity of the content without its layout, where that is told apart; empty where it is not."""
    pages: str | None = None
    """Where the pages of an Office file are, as a blob; None where it is shown by its content only."""


class FinalVersion(Frozen):
    """One finalisation of the review."""

    number: int
    at: AwareDatetime
    winner: Winner
    decided_by: DecidedBy
    changed: int
    unblinded: bool = False
    not_assessed: str = ""
    """How many criteria and expectations do not count, in words."""


class GivenLine(Frozen):
    """What the reviewer said of the pair other than scores, and has not taken back."""

    id: str
    kind: str
    """`skip`, `flag`, `cannot_judge` or `outside_expertise`."""
    reason: str
    at: AwareDatetime


class GuessChoiceLine(Frozen):
    """One of the candidates as the lead describes it, in the question who made which output."""

    number: int
    text: str


class GuessLine(Frozen):
    """The question who made which output, to be answered before finalising."""

    choices: tuple[GuessChoiceLine, ...] = ()


class Sheet(Frozen):
    """The review page's data."""

    comparison_id: str
    read_at: AwareDatetime
    seen: int | None = None
    """How often the Office files of the outputs were turned into pages; None where no pages are made of them."""
    """When reading it began: of two sheets the later one holds."""
    title: str
    prompt: str
    tags: tuple[str, ...] = ()
    project_id: str
    project_name: str
    files: tuple[SheetFile, ...]
    set_aside: PerOutput[tuple[SetAside, ...]]
    """By output, for whoever knows which is whose already; empty for everybody else before the reveal."""
    aside_of_both: tuple[str, ...] = ()
    """Files of either output that are listed but not judged, each with its reason."""
    view_notes: PerOutput[tuple[str, ...]]
    rubric_version: int | None
    rubric_author: str | None
    criteria: tuple[CriterionLine, ...]
    expectations: tuple[ExpectationLine, ...]
    prose: ProseFields
    own_winner: OwnValue
    judge: JudgeSummary
    judge_verdict: SheetVerdict | None
    verdict: SheetVerdict | None
    """What holds now, with the reviewer's values; None while a dimension has no criterion that counts."""
    missing: tuple[str, ...] = ()
    """Addresses of values that neither judge nor reviewer gave."""
    problems: tuple[str, ...] = ()
    """Plain sentences on what stands in the way of finalising."""
    reasons: Reasons = Reasons.OPTIONAL
    reason_codes: tuple[str, ...] = ()
    finalised: bool = False
    versions: tuple[FinalVersion, ...] = ()
    saved: tuple[str, ...] = ()
    """Ids of the reviewer's stored changes, newest last, as many as the page needs to acknowledge."""
    saved_at: AwareDatetime | None = None
    undoable: bool = False
    opened: bool = True
    """Whether the judge's values are shown; while they are not, nothing in here comes from the judge."""
    blind: bool = False
    """The reviewer answers before the judge's values open."""
    preference: OwnValue | None = None
    """The answer to the one question on the pair; None where it is not asked."""
    before_opening: tuple[str, ...] = ()
    """Addresses that a blind review has to answer before the judge's values open."""
    answers: tuple[GivenLine, ...] = ()
    guess: GuessLine | None = None
    """The question who made which output, where it is asked and not answered yet."""
    superseded: bool = False
    """A later import replaced one of the outputs."""
    may_reveal: bool = False
    """A passage in one of the outputs tells outright which run it is from."""
    void: bool = False
    """One of the runs is void; which one is not told."""
    cut_off: tuple[Label, ...] = ()
    """The outputs that were probably cut off before their end."""
    blindness: Blindness = Blindness.BLIND
    revealed: bool = False
