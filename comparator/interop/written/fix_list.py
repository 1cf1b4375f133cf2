"""What to fix next: where a candidate trails and what would flip, and the Markdown that tells it for an issue."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple, TextIO

from comparator.domain.counted import counted
from comparator.domain.labels import Dimension, Label
from comparator.domain.scoring.rubric import dimension_score, pass_rate
from comparator.domain.scoring.verdict import DecidedBy
from comparator.interop.exported import Exported, Remark, Written

NOT_LOST = "not lost"
TASKS = 6
_SPECIAL = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]<>#|!&~$"})

Lost = tuple[Exported, Label]
"""A pair, and which of its outputs lost."""


class Gap(NamedTuple):
    """Where one output of a pair has fewer points than the other, or only the other meets an expectation."""

    pair: Exported
    label: Label
    own: Remark
    other: Remark

    @property
    def flips(self) -> bool:
        """Whether the output would no longer lose, had it been level there and everything else as it is."""
        result, own = self.pair.result, self.own
        if result is None or self.pair.loser is not self.label or self.pair.decided_by is DecidedBy.REVIEWER:
            # A winner that a reviewer set outright follows from no value.
            return False
        mine, theirs = result.rubric[self.label], result.rubric[self.label.other]
        overall = mine.overall_score
        if own.dimension is not None:
            name = own.dimension.value
            values = dict(getattr(mine, name))
            if own.key in values:
                values[own.key] = getattr(theirs, name)[self.other.key]
                overall += dimension_score(list(values.values())) - getattr(mine, f"{name}_score")
        results = result.expectation_results
        if overall != theirs.overall_score or results is None:
            return overall >= theirs.overall_score
        met = [
            each.passed or (own.is_expectation and each.text == own.name)
            for each in results[self.label].details
        ]
        return pass_rate(met) >= results[self.label.other].pass_rate


class Fix(NamedTuple):
    """A criterion or expectation in which it trails, with every lost pair in which it does."""

    name: str
    dimension: Dimension | None
    gaps: tuple[Gap, ...]

    @property
    def flipped(self) -> tuple[Gap, ...]:
        """The pairs that it would no longer lose, had it been level there."""
        return tuple(each for each in self.gaps if each.flips)

    @property
    def behind(self) -> Decimal:
        """By how many points it trails on average; 0 for an expectation."""
        if self.dimension is None:
            return Decimal(0)
        points = [(each.other.final or Decimal(0)) - (each.own.final or Decimal(0)) for each in self.gaps]
        return sum(points, Decimal(0)) / len(points)


def fixes(lost: Iterable[Lost]) -> tuple[Fix, ...]:
    """What to fix, that first which would flip most of these lost pairs, then that which trails in most."""
    gaps: dict[tuple[str, Dimension | None], list[Gap]] = {}
    for gap in (gap for pair, label in lost for gap in gaps_of(pair, label)):
        gaps.setdefault((gap.own.name, gap.own.dimension), []).append(gap)
    every = [Fix(*key, tuple(those)) for key, those in gaps.items()]
    return tuple(
        sorted(every, key=lambda each: (-len(each.flipped), -len(each.gaps), -each.behind, each.name))
    )


def gaps_of(pair: Exported, label: Label) -> Iterator[Gap]:
    """Where one output trails the other."""
    others = {(each.dimension, each.key): each for each in pair.of(label.other)}
    for own in pair.of(label):
        other = others.get((own.dimension, own.key))
        if other and own.final is not None and other.final is not None and own.final < other.final:
            yield Gap(pair, label, own, other)


def write_fix_list(pairs: Iterable[Exported], out: TextIO, *, candidate: str) -> Written:
    """The fix list of the candidate that is called so; pairs that it won, tied or was not in are counted."""
    every = tuple(pairs)
    lost = [
        (pair, pair.loser)
        for pair in every
        if pair.loser and pair.candidates and pair.candidates[pair.loser] == candidate
    ]
    out.writelines(fix_list(lost, candidate=candidate, of=len(every)))
    other = len(every) - len(lost)
    return Written(Counter(pair.source for pair, _ in lost), {NOT_LOST: other} if other else {})


def fix_list(lost: Sequence[Lost], *, candidate: str, of: int) -> Iterator[str]:
    """What would flip most of the pairs that `candidate` lost, then these pairs by task, in Markdown.

    The task that was lost most often comes first, and in it the worst pair. `of` is how many pairs it was in.
    """
    by_task: dict[str, list[Lost]] = {}
    for each in sorted(lost, key=lambda each: (-abs(each[0].margin), each[0].title, each[0].id)):
        by_task.setdefault(each[0].title, []).append(each)
    yield f"# What to fix in {_plain(candidate)}\n\n"
    verdicts = Written(Counter(pair.source for pair, _ in lost), {}).verdicts_in_words
    yield f"{len(lost)} lost of {counted(of, 'comparison')} looked at. {verdicts}".rstrip() + "\n"
    yield from _first(fixes(lost), len(lost))
    if lost:
        yield "\n## The lost pairs, by task\n"
    for title, own in sorted(by_task.items(), key=lambda each: -len(each[1])):
        yield f"\n### {_plain(title)}: {counted(len(own), 'lost pair')}\n"
        for pair, label in own:
            yield from _entry(pair, label)


def _first(every: Sequence[Fix], lost: int) -> Iterator[str]:
    """What to fix as a list to tick off, with what it would change and where it was seen."""
    if every:
        yield "\n## What would flip most pairs\n\n"
        yield "Level with the other output there, and everything else as it is:\n\n"
    for fix in every:
        flipped = len(fix.flipped)
        flips = f"flips {flipped} of {counted(lost, 'lost pair')}" if flipped else "flips none by itself"
        seen = f"not met in {len(fix.gaps)}"
        if fix.dimension is not None:
            seen = f"behind in {len(fix.gaps)}, by {fix.behind:.1f} points on average"
        tasks = dict.fromkeys(each.pair.title for each in (*fix.flipped, *fix.gaps))
        yield f"- [ ] **{_plain(fix.name)}**: {flips}; {seen}\n"
        yield f"  - {_plain('; '.join(list(tasks)[:TASKS]))}{' …' if len(tasks) > TASKS else ''}\n"
        if quote := next((quote for each in fix.gaps for quote in each.own.quotes), ""):
            yield f"  - quote: “{_plain(quote)}”\n"


def _entry(pair: Exported, label: Label) -> Iterator[str]:
    scores = pair.result.rubric.map(lambda of: of.overall_score) if pair.result else None
    figures = f" {scores[label]} : {scores[label.other]}" if scores else ""
    against = pair.candidates[label.other] if pair.candidates else f"output {label.other.value}"
    yield (
        f"\nLost{figures} against {_plain(against)} "
        f"({pair.decided}, verdict by {pair.source.value}{', not blind' if pair.knew else ''}; output {label.value}, "
        f"comparison {pair.id}).\n"
    )
    for weakness in pair.prose.weaknesses[label]:
        yield f"- weakness: {_plain(weakness)}\n"
    behind = {(gap.own.dimension, gap.own.key): gap.other for gap in gaps_of(pair, label)}
    for remark in pair.of(label):
        other = behind.get((remark.dimension, remark.key))
        if remark.is_expectation and remark.final == 0:
            yield f"- not met: {_plain(remark.name)}\n"
        elif other and not remark.is_expectation:
            yield f"- {_plain(remark.name)}: {remark.final} against {other.final}\n"
        else:
            continue
        if remark.rationale:
            yield f"  - judge: {_plain(remark.rationale)}\n"
        for quote in remark.quotes:
            yield f"  - quote: “{_plain(quote)}”\n"
        if remark.reason:
            yield f"  - reviewer: {_plain(remark.reason)}\n"
    for comment in pair.comments:
        yield f"- comment: {_plain(comment)}\n"


def _plain(text: str) -> str:
    """Foreign words on one line of Markdown, as words."""
    return " ".join(text.split()).translate(_SPECIAL)
