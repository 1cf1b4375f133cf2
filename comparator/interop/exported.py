"""What goes out: one settled comparison with its task, both outputs as text, its verdict and what led to it."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from enum import StrEnum
from typing import Any, NamedTuple

from pydantic import AwareDatetime, ConfigDict

from comparator.domain.counted import counted
from comparator.domain.labels import Dimension, Frozen, Label, PerOutput, Winner
from comparator.domain.scoring.judgment import Pass, Prose
from comparator.domain.scoring.result import ComparisonResult
from comparator.domain.scoring.verdict import DecidedBy, VerdictSource, decided_in_words
from comparator.interop.imported import Files, PairHistory, RunRecord


class ExportFormat(StrEnum):
    """The formats that can be written."""

    RESULTS = "results"
    """A folder (or archive) with comparison.json and its provenance for each comparison."""
    JSONL = "jsonl"
    CSV = "csv"
    DPO = "dpo"
    DPO_CHAT = "dpo-chat"
    """The same as messages: the conversational form that trl reads."""
    LLM_COMPARATOR = "llm-comparator"
    FIX_LIST = "fix-list"
    HTML = "html"
    ANALYSIS = "analysis"
    """analysis.json of one pair, or of a set of two candidates, as the skill-creator's analyzer writes it."""
    WORKSPACE = "workspace"
    """comparison-N.json beside each eval of the skill-creator workspace that was imported."""


class ExportChoice(Frozen):
    """Which comparisons are written, and what a format needs beside them; its docstrings are the command's help."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    project: str = ""
    """Only this project's comparisons"""
    comparisons: tuple[str, ...] = ()
    """Only these, by id; repeat"""
    search: str = ""
    """Only those with these words in title or task"""
    tag: str = ""
    """Only those of tasks with this tag"""
    reviewed: bool = False
    """Only what a person has reviewed"""
    scores: str = ""
    """For one --comparison that was decided without scores: four whole numbers from 1 to 5, content and structure of
    A, then of B, such as 4,3,2,3"""
    why: str = ""
    """With --scores: why the winner wins, if the review does not say"""
    candidate: str = ""
    """Candidate whose losses a fix list covers, by name"""


class Remark(Frozen):
    """What was said of one output on one criterion or expectation.

    Scores of judge and verdict are 1 to 5; for expectations 1 is met and 0 is not. None stands for what is not assessed
    or, in the verdict, does not count. `quotes` are the judge's that were found in the output and a reviewer's own
    evidence.
    """

    label: Label
    dimension: Dimension | None
    key: str
    name: str
    judge: Decimal | None
    final: Decimal | None
    changed: bool = False
    rationale: str = ""
    quotes: tuple[str, ...] = ()
    reason: str = ""

    @property
    def is_expectation(self) -> bool:
        """Whether it is about an expectation, not a criterion of the rubric."""
        return self.dimension is None


class GivenLabel(Frozen):
    """A label that came in from elsewhere, in terms of this comparison's A and B."""

    winner: Winner | None
    kind: str
    author: str
    blind: bool | None
    value: Any = None


class Maker(Frozen):
    """Who made an output, as told after the reveal; `file` is its name where it is one text file.

    `void` says why the run does not count. `called` is the candidate's name as the
    dashboards show it.
    """

    name: str
    called: str = ""
    workspace: str | None = None
    candidate_id: str = ""
    iteration: str | None = None
    model: str | None = None
    skill_hash: str | None = None
    repetition: int = 1
    file: str | None = None
    void: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    total_tokens: int | None = None
    seconds: float | None = None

    @property
    def candidate(self) -> str:
        """The candidate's name as the dashboards show it; where none is given, the name with its iteration.

        >>> Maker(name="with_skill", iteration="31").candidate
        'with_skill (31)'
        """
        return self.called or self.dated

    @property
    def dated(self) -> str:
        """The name with its iteration."""
        return f"{self.name} ({self.iteration})" if self.iteration else self.name


class RunMark(Frozen):
    """Whether a run counts: `valid`, `void`, `cut_off` or `superseded`; `contaminated` is None until the reveal.

    That a later run took its place is known of a side after the reveal only.
    """

    state: str = "valid"
    contaminated: bool | None = None


class Exported(Frozen):
    """One comparison with a verdict. Who made the outputs, task key, reference and files are None until the reveal."""

    id: str
    project: str
    title: str
    tags: tuple[str, ...]
    prompt: str
    expectations: tuple[str, ...]
    task_key: str | None
    task_version: int
    created_at: AwareDatetime
    winner: Winner | None
    """None where only the offline check has read the pair."""
    prose: Prose
    result: ComparisonResult | None
    """The scores; None where a reviewer chose the winner alone, or only the offline check has read the pair."""
    source: VerdictSource
    decided_by: DecidedBy
    left_out: int = 0
    """How many criteria and expectations do not count, since not both outputs have a value."""
    judge: ComparisonResult | None
    judge_model: str | None
    scores_and_verdict_disagree: bool | None = None
    """Whether a reading of the judge names another winner than its own scores give; None without a judgment."""
    texts: PerOutput[str]
    """What judge and reviewer got before the reveal, and the outputs' own text afterwards."""
    makers: PerOutput[Maker] | None
    marks: PerOutput[RunMark] = PerOutput[RunMark](A=RunMark(), B=RunMark())
    reference: str | None = None
    files: PerOutput[Files | None] = PerOutput[Files | None](A=None, B=None)
    """Those of an output that is no single text, for the one format that holds files."""
    input_files: Files | None = None
    reference_files: Files | None = None
    records: PerOutput[RunRecord] | None = None
    """For the format that holds files, after the reveal."""
    labels: tuple[GivenLabel, ...] = ()
    """For the format that holds files, if the reader may see them."""
    reviewers: tuple[str, ...]
    blind: bool = True
    """Whether everybody whose verdict it is was blind, and did not set the pair up; false for the offline check's."""
    comments: tuple[str, ...] = ()
    remarks: tuple[Remark, ...] = ()
    readings: tuple[Pass, ...] = ()
    history: PairHistory | None = None
    """What was said of it, once it is revealed."""

    @property
    def is_void(self) -> bool:
        """Whether one of the two runs is void."""
        return "void" in (self.marks.A.state, self.marks.B.state)

    @property
    def label_kind(self) -> str:
        """Whose label the winner is for who reads the export: human or judge."""
        return "human" if self.reviewers else "judge"

    @property
    def label_author(self) -> str | None:
        """Who gave that label: the reviewers, else the judge's model."""
        return ", ".join(self.reviewers) or self.judge_model

    @property
    def decided(self) -> str:
        """How the winner was decided, and how much was left out, in words."""
        return decided_in_words(self.decided_by, self.left_out)

    @property
    def knew(self) -> bool:
        """Whether the verdict is a person's, or a judge's, that is not blind."""
        return not self.blind and self.source is not VerdictSource.OFFLINE

    @property
    def candidates(self) -> PerOutput[str] | None:
        """The candidates' names as the dashboards show them; None until the reveal."""
        return self.makers.map(lambda maker: maker.candidate) if self.makers else None

    @property
    def margin(self) -> Decimal:
        """Overall score of A minus that of B, -8.0 to 8.0; 0 without scores."""
        if self.result is None:
            return Decimal(0)
        return self.result.rubric.A.overall_score - self.result.rubric.B.overall_score

    @property
    def loser(self) -> Label | None:
        """The output that lost; None for a tie, and where there is no winner."""
        return None if self.winner in (None, Winner.TIE) else Label(self.winner).other

    def of(self, label: Label) -> Iterator[Remark]:
        """What was said of one output."""
        return (remark for remark in self.remarks if remark.label is label)


class Written(NamedTuple):
    """What an export did: how many comparisons it wrote on whose verdict, and how many it left out for which reason."""

    verdicts: Mapping[VerdictSource, int]
    left_out: dict[str, int]
    notes: tuple[str, ...] = ()
    """What whoever gets the file has to know of it."""

    @property
    def written(self) -> int:
        """How many comparisons were written."""
        return sum(self.verdicts.values())

    @property
    def reviewed(self) -> int:
        """How many of them a person settled."""
        return sum(count for source, count in self.verdicts.items() if source.by_people)

    @property
    def verdicts_in_words(self) -> str:
        """Whose verdicts were written, in words; empty where nothing was.

        >>> Written({VerdictSource.REVIEW: 6, VerdictSource.OFFLINE: 34}, {}).verdicts_in_words
        'Verdicts: 6 reviewed, 34 by the offline check alone.'
        """
        counts = {
            "reviewed": self.reviewed,
            "by a model alone": self.verdicts.get(VerdictSource.JUDGE, 0),
            "by the offline check alone": self.verdicts.get(VerdictSource.OFFLINE, 0),
        }
        parts = ", ".join(f"{count:,} {who}" for who, count in counts.items() if count)
        return f"Verdicts: {parts}." if parts else ""


def doubt(written: Written, format: ExportFormat) -> str:  # noqa: A002  # what it is
    """A warning where preference pairs go out that nobody reviewed, else empty."""
    unreviewed = written.written - written.reviewed
    if format not in (ExportFormat.DPO, ExportFormat.DPO_CHAT) or not unreviewed:
        return ""
    return (
        f"Preference pairs that nobody reviewed: {unreviewed:,} of {written.written:,}. "
        "A model trained on them learns the judge's mistakes."
    )


def summary(written: Written, place: str) -> tuple[str, ...]:
    """What was written, whose verdicts, and what was left out for which reason; no place stands for a workspace.

    >>> summary(Written({VerdictSource.REVIEW: 1}, {"purged": 2}), "scores.csv")
    ('1 comparison written: scores.csv', 'Verdicts: 1 reviewed.', 'Left out, purged: 2')
    """
    first = f"{counted(written.written, 'comparison')} written" + (
        f": {place}" if place else ", each beside its eval"
    )
    verdicts = (written.verdicts_in_words,) if written.verdicts_in_words else ()
    return (
        first,
        *verdicts,
        *written.notes,
        *(f"Left out, {reason}: {count}" for reason, count in written.left_out.items()),
    )
