"""What to fix next: where a candidate trails and what would flip, and the Markdown that tells it for an issue."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple, TextIO

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from comparator.domain.counted import counted
from comparator.domain.labels import Dimension, Label
from comparator.domain.scoring.rubric import dimension_score, pass_rate
from comparator.domain.scoring.verdict import DecidedBy
from comparator.interop.exported import Exported, Remark, Written

NOT_LOST = "not lost"
MOST = 3
"""Lost pairs of a task that are told in full, since issue trackers limit how long a text may be."""
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
            name = own.dimension
            values = dict(getattr(mine, name))
            if own.key in values:
                values[own.key] = getattr(theirs, name)[self.other.key]
                overall += dimension_score(list(values.values())) - getattr(mine, f"{name}_score")
        results = result.expectation_results
        if overall != theirs.overall_score or results is None:
            return overall >= theirs.overall_score
        met = [
            detail.passed or (own.is_expectation and detail.text == own.name)
            for detail in results[self.label].details
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
        return tuple(gap for gap in self.gaps if gap.flips)

    @property
    def quotes(self) -> tuple[str, ...]:
        """What shows it in the outputs that trail."""
        return tuple(quote for gap in self.gaps for quote in gap.own.quotes)

    @property
    def behind(self) -> Decimal:
        """By how many points it trails on average; 0 for an expectation."""
        if self.dimension is None:
            return Decimal(0)
        points = [(gap.other.final or Decimal(0)) - (gap.own.final or Decimal(0)) for gap in self.gaps]
        return sum(points, Decimal(0)) / len(points)


def fixes(lost: Iterable[Lost]) -> tuple[Fix, ...]:
    """What to fix, that first which would flip most of these lost pairs, then that which trails in most."""
    gaps: dict[tuple[str, Dimension | None], list[Gap]] = {}
    for gap in (gap for pair, label in lost for gap in gaps_of(pair, label)):
        gaps.setdefault((gap.own.name, gap.own.dimension), []).append(gap)
    every = [Fix(*key, tuple(those)) for key, those in gaps.items()]
    return tuple(sorted(every, key=lambda fix: (-len(fix.flipped), -len(fix.gaps), -fix.behind, fix.name)))


def gaps_of(pair: Exported, label: Label) -> Iterator[Gap]:
    """Where one output trails the other."""
    others = {(remark.dimension, remark.key): remark for remark in pair.of(label.other)}
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
    out.write(fix_list(lost, candidate=candidate, of=len(every)))
    other = len(every) - len(lost)
    return Written(Counter(pair.source for pair, _ in lost), {NOT_LOST: other} if other else {})


def fix_list(lost: Sequence[Lost], *, candidate: str, of: int) -> str:
    """What would flip most of the pairs that `candidate` lost, then these pairs by task, in Markdown.

    The task that was lost most often comes first, and in it the worst pairs. `of` is how many pairs it was in.
    """
    by_task: dict[str, list[Lost]] = {}
    for loss in sorted(lost, key=lambda loss: (-abs(loss[0].margin), loss[0].title, loss[0].id)):
        by_task.setdefault(loss[0].title, []).append(loss)
    return template("fix_list.md", harmless=_plain).render(
        candidate=candidate,
        lost=lost,
        of=of,
        verdicts=Written(Counter(pair.source for pair, _ in lost), {}).verdicts_in_words,
        fixes=fixes(lost),
        by_task=sorted(by_task.items(), key=lambda entry: -len(entry[1])),
        points=_points,
        most=MOST,
        counted=counted,
    )


def _points(pair: Exported, label: Label) -> Iterator[tuple[Remark, Remark | None]]:
    """What one output does not meet, and where it trails, with what was said of the other one."""
    behind = {(gap.own.dimension, gap.own.key): gap.other for gap in gaps_of(pair, label)}
    for remark in pair.of(label):
        other = behind.get((remark.dimension, remark.key))
        if remark.final == 0 if remark.is_expectation else other:
            yield remark, other


def _plain(value: object) -> str:
    """Foreign words on one line of Markdown, as words."""
    return " ".join(str(value).split()).translate(_SPECIAL)


def template(name: str, *, harmless: Callable[[object], str]) -> Template:
    """The template of this name beside this module; `harmless` makes a value words of the format, and nothing else."""
    loader = PackageLoader("comparator.interop", "written")
    environment = Environment(  # noqa: S701  # `harmless` escapes, in Markdown as in HTML
        loader=loader,
        finalize=harmless,
        undefined=StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template(name)
