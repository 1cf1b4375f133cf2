"""What is wrong or odd in an import, found before money and time go into it, with counts per side."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from pydantic import Field

from comparator.domain.blinding.scan import PatternFinding, ScanText, Where
from comparator.domain.labels import Frozen
from comparator.domain.pair.view import Family, OutputView, TextBlock, ViewedFile
from comparator.interop.imported import FoundRun
from comparator.judges.quotes import QuoteIndex
from comparator.outputs.snapshot.take import Snapshot
from comparator.workflow.importing.leaks import Leak
from comparator.workflow.importing.pairs import RunPair, groups
from comparator.workflow.importing.request import ImportRequest
from comparator.workflow.submit.submission import TellingExpectation

EXAMPLES = 10
ROUND_CAPS = frozenset(
    thousand * unit for unit in (1000, 1024) for thousand in (1, 2, 4, 6, 8, 10, 12, 16, 20, 32, 64, 128)
)
"""Limits of output tokens that people set; a run that ends exactly there was probably cut off."""
_QUOTED = re.compile(
    r"“([^”\n]{12,400})”|\"([^\"\n]{12,400})\"|`([^`\n]{12,400})`|(?<!\w)'([^'\n]{12,400})'(?!\w)"
)
"""What stands in quotation marks or code marks, if it is long enough to prove anything."""


class Count(Frozen):
    """How often something was found, in all and for each side, and the first few places; `checked` is out of how many,
    where that is counted."""

    count: int = 0
    sides: dict[str, int] = Field(default_factory=dict)
    examples: tuple[str, ...] = ()
    checked: int = 0


class Drift(Frozen):
    """Tasks whose prompts, and those whose expectations, differ between iterations; pairs not made for the prompts."""

    tasks: int = 0
    prompts: int = 0
    expectations: int = 0
    pairs_not_made: int = 0
    examples: tuple[str, ...] = ()


class Unmatched(Frozen):
    """Decisions of the request that met nothing in the import: words that were not found, expectations nobody has."""

    keep: tuple[str, ...] = ()
    redact: tuple[str, ...] = ()
    set_aside: tuple[str, ...] = ()


class Audit(Frozen):
    """All findings. Sides are configurations."""

    void: Count
    cut_off: Count
    contaminated: Count
    one_sided: Count
    other_files: Count
    different_prompts: Count
    drift: Drift
    leaks: tuple[Leak, ...]
    telling_expectations: tuple[TellingExpectation, ...] = ()
    set_aside: Count
    expectations_set_aside: Count = Count()
    unmatched: Unmatched = Unmatched()
    duplicates: Count
    evidence_not_found: Count
    """Quotes in foreign graders' evidence that stand nowhere in the output."""
    superseded: int
    """Outputs that replace an earlier one of the same place, whose pairs wait for nobody any more."""


def unmatched(
    request: ImportRequest, *, found: Iterable[PatternFinding], expectations: Iterable[str]
) -> Unmatched:
    """The decisions of a request that match no pattern found and none of the expectations."""
    patterns = {each.pattern for each in found}
    lines = {" ".join(line.split()) for line in expectations}
    return Unmatched(
        keep=tuple(sorted(request.keep - patterns)),
        redact=tuple(sorted(request.redact - patterns)),
        set_aside=tuple(sorted(request.set_aside - lines)),
    )


class SideCounter:
    """Counts places by side."""

    def __init__(self) -> None:
        self._sides: Counter[str] = Counter()
        self._examples: list[str] = []
        self.checked = 0

    def add(self, side: str, example: str, *, times: int = 1) -> None:
        """One more place (or several) on this side."""
        if times:
            self._sides[side] += times
            if len(self._examples) < EXAMPLES:
                self._examples.append(example)

    def counted(self) -> Count:
        """The sums."""
        return Count(
            count=self._sides.total(),
            sides=dict(sorted(self._sides.items())),
            examples=tuple(self._examples),
            checked=self.checked,
        )


def cut_offs(runs: Iterable[FoundRun]) -> dict[str, str]:
    """Address to reason of each run that was cut off, as its source says, or probably: its tokens are a round cap that
    no other run of its side exceeds.
    """
    runs = tuple(runs)
    by_side: defaultdict[tuple[str | None, ...], list[FoundRun]] = defaultdict(list)
    for run in runs:
        if run.output_tokens is not None:
            by_side[run.workspace, run.iteration, run.configuration].append(run)
    found = {run.address: run.cut_off for run in runs if run.cut_off}
    for side in by_side.values():
        most = max(run.output_tokens or 0 for run in side)
        if most in ROUND_CAPS:
            reason = f"its {most:,} output tokens are exactly a round limit"
            found.update(
                (run.address, reason) for run in side if run.output_tokens == most and run.cut_off is None
            )
    return found


def one_sided(runs: Sequence[FoundRun], *, pairs: Iterable[RunPair]) -> Count:
    """Evals in which a side has a run that none of the `pairs` holds; the side is the one that is there.

    An iteration of one configuration alone, without any pair, has no other side that could be missing.
    """
    counter = SideCounter()
    paired = {run.address for pair in pairs for run in pair}
    there: defaultdict[tuple[str, str | None], set[str]] = defaultdict(set)
    for run in runs:
        there[run.workspace, run.iteration].add(run.configuration)
    sided = {place for place, sides in there.items() if len(sides) > 1}
    sided.update((run.workspace, run.iteration) for run in runs if run.address in paired)
    for (iteration, key), group in sorted(
        groups(runs).items(), key=lambda item: (str(item[0][0]), item[0][1])
    ):
        if (group[0].workspace, iteration) in sided:
            for side in sorted({run.configuration for run in group if run.address not in paired}):
                counter.add(side, _place(iteration, key))
    return counter.counted()


def drift(runs: Sequence[FoundRun], *, pairs_not_made: int) -> Drift:
    """Which tasks changed between iterations, in prompt, expectations, or both."""
    by_task: defaultdict[str, dict[str | None, FoundRun]] = defaultdict(dict)
    for run in runs:
        by_task[run.task_key].setdefault(run.iteration, run)
    several = {key: tuple(found.values()) for key, found in by_task.items() if len(found) > 1}
    prompts = [key for key, found in several.items() if len({" ".join(r.prompt.split()) for r in found}) > 1]
    lines = [key for key, found in several.items() if len({run.expectations for run in found}) > 1]
    return Drift(
        tasks=len(several),
        prompts=len(prompts),
        expectations=len(lines),
        pairs_not_made=pairs_not_made,
        examples=tuple(sorted({*prompts, *lines}))[:EXAMPLES],
    )


def duplicates(read: Iterable[tuple[FoundRun, Snapshot]], *, repeated: int) -> Count:
    """Outputs of one task in one iteration with the same bytes as another's, and what the source says twice."""
    counter = SideCounter()
    seen: set[tuple[str | None, str, str]] = set()
    for run, snapshot in read:
        content = repr([(artifact.path, artifact.sha256) for artifact in snapshot.artifacts])
        key = (run.iteration, run.task_key, content)
        if key in seen:
            counter.add(run.configuration, run.address)
        seen.add(key)
    counter.add("repeated in the source", "rows or folders that repeat another one", times=repeated)
    return counter.counted()


def check_evidence(counter: SideCounter, run: FoundRun, texts: Sequence[ScanText]) -> None:
    """Look up what graders of a run quote; a failed expectation's evidence tells of what is missing."""
    quotes = [
        next(filter(None, match.groups())).strip()
        for claim in run.claims
        if claim.passed
        for match in _QUOTED.finditer(claim.evidence)
    ]
    if not quotes:
        return
    text = "\n".join(t.text for t in texts if t.where is Where.FILE_TEXT)
    block = TextBlock(text=text)
    file = ViewedFile(id="output", name="output", family=Family.TEXT, size=len(text), blocks=(block,))
    index = QuoteIndex(OutputView(files=(file,)))
    counter.checked += len(quotes)
    for quote in quotes:
        if not index.find("output", quote).found:
            counter.add(run.configuration, f"{_place(run.iteration, run.task_key)}: {quote[:100]}")


def _place(iteration: str | None, key: str) -> str:
    return f"iteration {iteration}, {key}" if iteration else key
