"""What an import is asked for, and which runs are put side by side: siblings, or two candidates."""

import itertools
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any, NamedTuple, Self

from pydantic import ConfigDict, Field, field_validator

from comparator.domain.counted import listed
from comparator.domain.errors import InputError
from comparator.domain.labels import Frozen
from comparator.domain.project import ReviewMode
from comparator.interop.imported import Findings, Format, FoundRun, LeftOut
from comparator.interop.pair_rows import word_of

OnStep = Callable[[str], None]
EVERY = 25
"""After so many outputs or pairs it is said how far an import is."""


class Step(str):
    """A sentence for a person that also says how far the work is: `done` of `of`, as numbers of things.

    >>> step = Step("Reading output 4 of 12", done=3, of=12)
    >>> print(step, step.share)
    Reading output 4 of 12 0.25
    """

    done: int
    of: int

    def __new__(cls, text: str, *, done: int, of: int) -> Self:
        """The sentence, with the figures beside it."""
        step = super().__new__(cls, text)
        step.done, step.of = done, of
        return step

    @property
    def share(self) -> float:
        """How much of it is done, from 0 to 1."""
        return min(self.done / self.of, 1.0) if self.of else 1.0


def tell(on_step: OnStep, doing: str, number: int, *, of: int) -> None:
    """Say at the first, the last and every 25th thing that this one's turn has come."""
    if number in (1, of) or number % EVERY == 0:
        on_step(Step(f"{doing} {number:,} of {of:,}", done=number - 1, of=of))


SETS = {
    Format.LLMBAR: "LLMBar",
    Format.JUDGEBENCH: "JudgeBench",
    Format.REWARDBENCH: "RewardBench 2",
    Format.MT_BENCH: "MT-Bench",
    Format.ALPACA_EVAL: "AlpacaEval",
}
"""What sets of labelled pairs are called where figures on them are published."""
_SIDES = ("a", "b", "tie")


class PairChoice(Frozen):
    """Which pairs to make: those that the source states or of siblings, or (`compare`) of two candidates."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    compare: tuple[str, str] | None = None
    """Two candidates: NAME, or ITERATION/NAME to compare across iterations"""
    iterations: str = "all"
    """all, last, N or N..M"""
    workspace: str = ""
    """Only this workspace, by its path within PATH, where there are several"""


class ImportRequest(PairChoice):
    """What an import is asked for; the command line shows the docstrings as help of its options.

    Raises InputError where a label's value means no side.
    """

    path: Path
    left_out: tuple[LeftOut, ...] = ()
    """What of an upload was not unpacked."""
    mode: ReviewMode | None = None
    """How the project is reviewed if this import begins it."""
    format: Format | None = None
    """Its format; recognised by default"""
    project: str = ""
    """Project to import into. By default: the chosen workspace's or the only skill's name, else the name of the
    file or folder (of its parent, if the folder is called workspace, results, runs or evals)"""
    columns: dict[str, str] = Field(default_factory=dict)
    """OURS=THEIRS: a column's name in a table; repeat"""
    label_values: dict[str, str] = Field(default_factory=dict)
    """VALUE=A, =B or =tie: what a value of a table's label means, like 1=B,0=tie,-1=A; repeat"""
    keep: frozenset[str] = frozenset()
    """A revealing word to keep; repeat"""
    redact: frozenset[str] = frozenset()
    """A word to neutralise wherever it occurs; repeat"""
    take_back: frozenset[str] = frozenset()
    """A file to judge although it reports on a run; repeat"""
    set_aside: frozenset[str] = frozenset()
    """An expectation to leave unchecked; repeat"""

    @field_validator("columns", mode="before")
    @classmethod
    def _from_options(cls, given: object) -> object:
        return _named(given, "--column {} is not understood. Write it like prompt=question.")

    @field_validator("label_values", mode="before")
    @classmethod
    def _as_labels_are_compared(cls, given: object) -> object:
        parts = (
            [part for text in given for part in text.split(",") if part.strip()]
            if isinstance(given, list)
            else given
        )
        meanings = _named(parts, "--label-values {} is not understood. Write it like 1=B,0=tie,-1=A.")
        if wrong := [side for side in meanings.values() if str(side).lower() not in _SIDES]:
            raise InputError(f"label_values says {wrong[0][:40]!r}. Each label value must mean A, B or tie.")
        return {word_of(value): side for value, side in meanings.items()}

    @field_validator("set_aside")
    @classmethod
    def _in_one_line(cls, texts: frozenset[str]) -> frozenset[str]:
        return frozenset(" ".join(text.split()) for text in texts)

    def checked(self, expectations: Sequence[str]) -> tuple[str, ...]:
        """The expectations that are not set aside."""
        return tuple(text for text in expectations if " ".join(text.split()) not in self.set_aside)

    def project_for(self, findings: Findings) -> str:
        """The project's name: as given, of the one workspace or skill, else of the file or folder that is not generic.

        That of a published set begins with the set's name, by which its published figures are known.
        """
        if self.project.strip():
            return self.project.strip()
        if self.workspace.strip("/."):
            return PurePath(self.workspace).name.removesuffix("-workspace")
        if findings.format is Format.SKILL_CREATOR and len(findings.skill_names) == 1:
            return findings.skill_names[0]
        path = self.path.absolute()
        if not path.is_dir():
            of_set = path.parent.name if path.stem == "dataset" else path.stem
            return f"{SETS[findings.format]} {of_set}" if findings.format in SETS else path.stem
        generic = ("workspace", "results", "runs", "evals")
        return next((p.name for p in (path, *path.parents) if p.name and p.name not in generic), "Import")


def _named(given: Any, problem: str) -> dict[str, str]:
    """What lines like NAME=VALUE say; a mapping as it is. Raises InputError with the `problem` of a line."""
    if isinstance(given, Mapping):
        return dict(given)
    named: dict[str, str] = {}
    for line in given:
        name, separator, value = (part.strip() for part in line.rpartition("="))
        if not separator or not name or not value:
            raise InputError(problem.format(line))
        named[name] = value
    return named


HERE = "."
_DATED = re.compile(r"(?:iter(?:ation)?[-_ ]?)?(\d+)[/:](.+)", re.IGNORECASE)
"""A candidate of one iteration, as people name it."""


class RunPair(NamedTuple):
    """Two runs of one task; chance decides later which becomes A."""

    first: FoundRun
    second: FoundRun


def candidate_of(run: FoundRun) -> tuple[str, str | None, str | None, str | None, str]:
    """What makes two runs come from one candidate: name, iteration, model, skill hash, workspace."""
    return (run.configuration, run.iteration, run.model, run.skill_hash, run.workspace)


def of_workspace(runs: Sequence[FoundRun], chosen: str) -> tuple[FoundRun, ...]:
    """The runs of one workspace, by its path within the import or the last part of it; all of them for none.

    "." is the folder itself, where others lie in it. Raises InputError where there is no such workspace, or several.
    """
    wanted = chosen.strip().strip("/")
    if not wanted:
        return tuple(runs)
    there = workspaces(runs)
    fitting = [workspace for workspace in there if workspace == wanted] or [
        workspace for workspace in there if workspace.rpartition("/")[2] == wanted
    ]
    if len(fitting) != 1:
        what = f"{chosen} may be several workspaces" if fitting else f"There is no workspace {chosen}"
        raise InputError(f"{what}. There are: {', '.join(there[:12]) or 'one only, which needs no choice'}.")
    return tuple(run for run in runs if (run.workspace or HERE) == fitting[0])


def workspaces(runs: Iterable[FoundRun]) -> tuple[str, ...]:
    """The workspaces by their paths within the import, as one is chosen; none where there is one alone."""
    there = {run.workspace or HERE for run in runs}
    return tuple(sorted(there)) if len(there) > 1 else ()


def within(runs: Iterable[FoundRun], iterations: str) -> tuple[FoundRun, ...]:
    """The runs of the chosen iterations (`all`, `last`, `N` or `N..M`); those without an iteration always.

    Raises InputError for anything else.
    """
    runs = tuple(runs)
    numbers = {int(run.iteration) for run in runs if run.iteration is not None and run.iteration.isdecimal()}
    if iterations == "all" or not numbers:
        return runs
    match = re.fullmatch(r"(\d+)(?:\.\.(\d+))?", iterations)
    if iterations == "last":
        low = high = max(numbers)
    elif match:
        low, high = int(match[1]), int(match[2] or match[1])
    else:
        raise InputError(f"{iterations} is not understood as iterations. They are all, last, 3 or 3..10.")
    kept = tuple(
        run
        for run in runs
        if run.iteration is None or not run.iteration.isdecimal() or low <= int(run.iteration) <= high
    )
    if not kept:
        there = ", ".join(str(number) for number in sorted(numbers))
        raise InputError(f"There is no iteration {iterations}. There are: {there}.")
    return kept


def chosen(findings: Findings, runs: Sequence[FoundRun], choice: PairChoice) -> tuple[RunPair, ...]:
    """The pairs of these runs that are asked for. Raises InputError where a candidate is not there."""
    if choice.compare is not None:
        return pairs_between(runs, *choice.compare)
    return siblings(findings, runs)


def siblings(findings: Findings, runs: Sequence[FoundRun]) -> tuple[RunPair, ...]:
    """The pairs that the format states; else those of each eval within its iteration.

    Where configurations are two factors, such as treatment and model, the treatment differs and the model does not; an
    eval in which no model has both treatments gives all its pairs.
    """
    if findings.stated:
        by_address = {run.address: run for run in runs}
        return tuple(
            RunPair(by_address[pair.first], by_address[pair.second])
            for pair in findings.stated
            if pair.first in by_address and pair.second in by_address
        )
    return tuple(pair for group in groups(runs).values() for pair in _by_factor(tuple(_pairs_in(group))))


def pairs_between(runs: Sequence[FoundRun], one: str, other: str) -> tuple[RunPair, ...]:
    """One candidate against another: `name` within each iteration, or `iteration-3/name` across iterations.

    The same candidate twice gives pairs of its repetitions. Raises InputError where one of them is not there, or
    nothing to pair.
    """
    if one != other:
        ones, others = ({run.address for run in _select_runs(runs, name)} for name in (one, other))
        across = any(map(_DATED.fullmatch, (one, other)))
        pairs = tuple(
            pair
            for group in groups(runs, across=across).values()
            for pair in _pairs_in(group)
            if any(first.address in ones and second.address in others for first, second in (pair, pair[::-1]))
        )
        if pairs:
            return pairs
        raise InputError(f"{one} and {other} have no task in common. Choose two others.")
    alike: defaultdict[object, list[FoundRun]] = defaultdict(list)
    for run in sorted(_select_runs(runs, one), key=lambda run: run.repetition):
        alike[run.task_key, candidate_of(run)].append(run)
    pairs = tuple(RunPair(*two) for group in alike.values() for two in itertools.combinations(group, 2))
    if not pairs:
        raise InputError(f"No task has two runs of {one}. Choose two candidates.")
    return pairs


def groups(
    runs: Sequence[FoundRun], *, across: bool = False
) -> Mapping[tuple[str | None, str], Sequence[FoundRun]]:
    """The runs of each eval in each iteration, or `across` them."""
    grouped: defaultdict[tuple[str | None, str], list[FoundRun]] = defaultdict(list)
    for run in runs:
        grouped[None if across else run.iteration, run.task_key].append(run)
    return grouped


def _pairs_in(group: Sequence[FoundRun]) -> Iterator[RunPair]:
    def place(run: FoundRun) -> tuple[object, ...]:
        return tuple(part or "" for part in candidate_of(run)), run.repetition

    for first, second in itertools.combinations(sorted(group, key=place), 2):
        if candidate_of(first) != candidate_of(second) and first.repetition == second.repetition:
            yield RunPair(first, second)


def _by_factor(group: tuple[RunPair, ...]) -> tuple[RunPair, ...]:
    """The pairs of an eval in which the first factor alone differs; all of them where no level has both sides."""

    def one(pair: RunPair) -> bool:
        first, second = (run.factors for run in pair)
        plain = len(first) != len(second) or len(first) < 2
        return plain or (first[0] != second[0] and first[1:] == second[1:])

    return tuple(filter(one, group)) or group


def _select_runs(runs: Sequence[FoundRun], selector: str) -> tuple[FoundRun, ...]:
    chosen = tuple(run for run in runs if run.configuration == selector)
    if not chosen and (dated := _DATED.fullmatch(selector)):
        wanted = (str(int(dated[1])), dated[2])
        chosen = tuple(run for run in runs if (run.iteration, run.configuration) == wanted)
    if not chosen:
        names = sorted({f"{r.iteration}/{r.configuration}" if r.iteration else r.configuration for r in runs})
        raise InputError(f"There is no candidate {selector}. There are: {listed(names, most=10)}.")
    return chosen
