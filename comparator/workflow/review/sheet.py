"""What the review page is given of one comparison: everything a reviewer may see, and no field for a candidate."""

from __future__ import annotations

from decimal import Decimal

from pydantic import AwareDatetime, Field

from comparator.domain.labels import Frozen, Label, PerOutput
from comparator.domain.pair.view import SetAside
from comparator.domain.project import GuessChoice, ReasonRule
from comparator.domain.scoring.judgment import JudgeState, MergedJudgment, Prose
from comparator.domain.scoring.review import Blindness, ReviewEntry
from comparator.domain.scoring.rubric import Rubric
from comparator.domain.scoring.several_judges import JointOutcome, Vote
from comparator.domain.scoring.verdict import Verdict
from comparator.store.pairs.outputs import FileRow
from comparator.store.reviewing.finalisations import Finalisation
from comparator.store.reviewing.notes import Note


class JudgeSays(Frozen):
    """One of several judges of a pair: its vote over both orders, and what it took."""

    name: str
    model: str
    vote: Vote
    overall: PerOutput[Decimal] | None
    """None without a verdict."""
    cost: Decimal | None


class JudgeSummary(Frozen):
    """Who judged, how far it is, and what it took."""

    kind: str = ""
    model: str = ""
    state: JudgeState
    form: str = ""
    """What the offline check found, in words; all it says."""
    example: bool = False
    """Whether its answers were written for an example, and no model was asked."""
    version: str = ""
    """The digest of everything that can change what it answers."""
    problem: str | None = None
    step: str | None = None
    rule: str = ""
    """How often it was to be read, in words; the rule was fixed before."""
    judges: tuple[JudgeSays, ...] = ()
    """Each of them, where several were asked; everything else is what they come to."""
    settled: JointOutcome | None = None
    """What several judges come to."""
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


class SheetFile(FileRow):
    """One file as the reviewer's file list shows it."""

    label: Label | None
    """None for the task's input files and the reference answer."""
    role: str
    """`output`, `input` or `reference`."""


class Sheet(Frozen):
    """The review page's data."""

    comparison_id: str
    read_at: AwareDatetime
    """When reading it began: of two sheets the later one holds."""
    seen: int | None = None
    """How often the Office files of the outputs were turned into pages; None where no pages are made of them."""
    title: str
    prompt: str
    project_id: str
    project_name: str
    files: tuple[SheetFile, ...]
    set_aside: PerOutput[tuple[SetAside, ...]]
    """By output, for whoever knows which is whose already; empty for everybody else before the reveal."""
    aside_of_both: tuple[str, ...] = ()
    """Files of either output that are listed but not judged, each with its reason."""
    view_notes: PerOutput[tuple[str, ...]]
    rubric: Rubric | None
    rubric_version: int | None
    rubric_author: str | None
    expectations: tuple[str, ...]
    judge: JudgeSummary
    judgment: MergedJudgment | None
    """What the judge says, once that may be shown."""
    cited: PerOutput[dict[str, str]]
    """The ids of the files that the judge quotes, by their names."""
    own: dict[str, ReviewEntry]
    """The reviewer's touched values, by address."""
    prose: Prose
    """The words that hold now."""
    verdict: Verdict | None
    """What holds now, with the reviewer's values; None while a dimension has no criterion that counts."""
    missing: tuple[str, ...] = ()
    """Addresses of values that neither judge nor reviewer gave."""
    problems: tuple[str, ...] = ()
    """Plain sentences on what stands in the way of finalising."""
    reasons: ReasonRule = ReasonRule.OPTIONAL
    reason_codes: tuple[str, ...] = ()
    finalised: bool = False
    versions: tuple[Finalisation, ...] = ()
    saved: tuple[str, ...] = ()
    """Ids of the reviewer's stored changes, newest last."""
    saved_at: AwareDatetime | None = None
    undoable: bool = False
    opened: bool = True
    """Whether the judge's values are shown; while they are not, nothing in here comes from the judge."""
    blind: bool = False
    """The reviewer answers before the judge's values open."""
    preference: bool = False
    """Whether the one question on the pair is asked: which output is better."""
    before_opening: tuple[str, ...] = ()
    """Addresses that a blind review has to answer before the judge's values open."""
    answers: tuple[Note, ...] = ()
    """What the reviewer said of the pair other than scores, and has not taken back."""
    guess: tuple[GuessChoice, ...] | None = None
    """The choices of the question who made which output; None where it is not asked, or answered."""
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

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of the criteria; none without a rubric."""
        return self.rubric.paths if self.rubric else ()
