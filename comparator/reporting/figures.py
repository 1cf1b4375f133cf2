"""The figures of Trust, People and Cost as frames: a row for what one pair adds, with the parts of its key.

The parts of a key stand in the addresses of the pairs behind a bar, so that what is counted and what is listed are one.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from comparator.domain.labels import Frozen, Winner
from comparator.domain.scoring.review import How
from comparator.reporting.facts import Facts, rated
from comparator.reporting.frames import Frame
from comparator.reporting.scope import Rated, ResultFilter, Runs
from comparator.stats.intervals import Estimate, TooFew, share

_OF_PAIR = [
    *("judge_kind", "judge_model", "judge_digest", "judge_winner", "first_winner", "stated_confidence"),
    *("task_id", "shared_rubric", "characters_a", "characters_b", "marks_a", "marks_b", "side"),
]
"""What figures of reviews need to know of their pairs."""
EVERY = "*"
"""All criteria taken together."""
REVIEWERS = "reviewers"
"""Who, in place of a model, is compared with gold labels."""
CLEARLY_MORE = 1.1
"""An output counts as the longer, or the more formatted, one from a tenth more on."""
TIE = Winner.TIE.value
WINNERS = tuple(Winner)


def selected(facts: Facts, of: ResultFilter | None = None) -> Frame:
    """All pairs of the project; of a result its revealed pairs, with or without a verdict."""
    if of is None:
        return facts.pairs
    pairs = facts.revealed(of)
    pairs = pairs[pairs.one != pairs.two]
    return facts.within(pairs[pairs.valid] if of.runs is Runs.VALID else pairs, of.within)


def lines_of(facts: Facts, figure: str, of: ResultFilter | None = None) -> Frame:
    """What each pair adds to a figure: `comparison_id`, the parts of the key, and last `n`."""

    def lines() -> Frame:
        pairs = selected(facts, of)
        # Judging a void run was paid for too.
        with_void = of is not None or figure == "spent"
        return _FIGURES[figure](facts, pairs if with_void else pairs[pairs.valid])

    return facts.kept(f"lines of {figure} {of!r}", lines)


def side_with_more(a: float, b: float) -> Winner | None:
    """The output that has more, from a tenth more on; None where neither has, or one is not a number.

    >>> side_with_more(100, 111), side_with_more(100, 109), side_with_more(3, 0)
    (<Winner.B: 'B'>, None, <Winner.A: 'A'>)
    """
    if max(a, b) >= max(min(a, b), 1) * CLEARLY_MORE:
        return Winner.A if a > b else Winner.B
    return None


class Crossed(Frozen):
    """How often two who name winners met: rows what the first named, columns the second; a tie is the last of each."""

    counts: tuple[tuple[int, ...], ...]

    @property
    def n(self) -> int:
        """What both named a winner of."""
        return sum(map(sum, self.counts))

    @property
    def same(self) -> int:
        """Where they named the same one, or both a tie."""
        return sum(row[at] for at, row in enumerate(self.counts))

    @property
    def opposite(self) -> int:
        """Where each named the one that lost by the other: a tie, as of graders that pass everything, is no such."""
        return self.counts[0][1] + self.counts[1][0]

    @property
    def agreed(self) -> int:
        """Where both named the same winner, without ties."""
        return self.counts[0][0] + self.counts[1][1]

    @property
    def share(self) -> Estimate | TooFew:
        """The share of the same winner."""
        return share(self.same, self.n)

    @property
    def by_chance(self) -> float:
        """The share that chance would give two who know nothing of each other, and name each as often as these do."""
        ends = zip(map(sum, self.counts), map(sum, zip(*self.counts, strict=True)), strict=True)
        return sum(one * two for one, two in ends) / (self.n * self.n)

    @property
    def says_nothing(self) -> bool:
        """Whether they name the same winner as often as chance would let them, so that neither tells of the other."""
        same = self.share
        return isinstance(same, Estimate) and self.by_chance in same.interval


def crossed(rows: Frame, columns: Frame, values: Iterable[Any]) -> tuple[tuple[int, ...], ...]:
    """How often each of these values met each, as whole numbers."""
    met = pd.crosstab(rows, columns).reindex(index=list(values), columns=list(values), fill_value=0)
    return tuple(map(tuple, met.to_numpy().tolist()))


def reviews_of(facts: Facts, pairs: Frame) -> Frame:
    """The final reviews of these pairs, with what is known of each pair."""
    reviews = facts.reviews
    return reviews[reviews.comparison_id.isin(pairs.index)].join(pairs[_OF_PAIR], on="comparison_id")


def against_the_judge(facts: Facts, pairs: Frame) -> Frame:
    """The final reviews of pairs with a judge's verdict that name a winner, and whether it is the judge's (`same`)."""
    reviews = reviews_of(facts, _judged(pairs))
    reviews = reviews[reviews.named.notna()]
    return reviews.assign(same=reviews.named == reviews.first_winner)


def _frame(lines: Frame, n: Any = 1, **keys: Any) -> Frame:
    """A figure's lines: the pair, the parts of the key, and the number."""
    return pd.DataFrame({"comparison_id": lines.comparison_id, **keys, "n": n}, index=lines.index)


def _exploded(reviews: Frame, column: str, *names: str) -> Frame:
    """A line for each entry of a list that each review holds, its parts under these names."""
    lines = reviews.explode(column, ignore_index=True).dropna(subset=[column])
    parts = pd.DataFrame(lines[column].tolist(), index=lines.index, columns=list(names))
    return lines.assign(**{name: parts[name] for name in names})


def _judged(pairs: Frame) -> Frame:
    return pairs[pairs.judge_winner.notna()]


def _agree(facts: Facts, pairs: Frame) -> Frame:
    reviews = against_the_judge(facts, pairs)
    same = np.where(reviews.same, "same", "other")
    return _frame(reviews, how=reviews.how, first=reviews.first_winner, person=reviews.named, what=same)


def _silent(facts: Facts, pairs: Frame) -> Frame:
    reviews = reviews_of(facts, _judged(pairs))
    return _frame(reviews[reviews.named.isna()])


def _corrected(facts: Facts, pairs: Frame) -> Frame:
    """Each score that somebody confirmed, changed or gave, under its criterion."""
    lines = _exploded(reviews_of(facts, _judged(pairs)), "reviewed", "path", "outcome", "code")
    return _frame(lines, by=lines.path, what=lines.outcome)


def _scored(facts: Facts, pairs: Frame) -> Frame:
    """Each score of a person beside the judge's, in half points: once under its criterion where the project shares its
    rubric, and once under all."""
    reviews = against_the_judge(facts, pairs).reset_index(names="review")
    lines = _exploded(reviews, "against", "path", "judge", "person")
    lines = pd.concat([lines.assign(path=EVERY), lines[lines.shared_rubric.eq(True)]], ignore_index=True)
    columns = ("path", "how", "judge", "person", "review")
    return _frame(lines, **{name: lines[name] for name in columns})


def _judge(_facts: Facts, pairs: Frame) -> Frame:
    pairs = _judged(pairs)
    consistent = pairs.position_consistent
    traced, total = pairs.quotes_found.fillna(0), pairs.quotes_total.fillna(0)
    numbers = {
        "judged": 1,
        "same": consistent.eq(True),
        "other": consistent.eq(False),
        "quotes": total,
        "missing": total - traced,
    }
    lines = pd.DataFrame(numbers, index=pairs.index).astype("int64")
    lines = lines.assign(comparison_id=pairs.comparison_id, model=pairs.judge_model)
    return lines.melt(["comparison_id", "model"], var_name="what", value_name="n").query("n != 0")


def _has_gold(facts: Facts, pairs: Frame) -> Frame:
    labels = facts.labels
    return pairs.comparison_id.isin(labels.comparison_id[labels.kind == "gold"])


def _order(facts: Facts, pairs: Frame) -> Frame:
    """Whether each order's reading names the output that it shows first. Where both agree, each place is named once."""
    pairs = _judged(pairs)
    pairs = pairs[pairs.position_consistent.notna()]
    alike = pairs.position_consistent.eq(True) & ~_has_gold(facts, pairs)
    tied = pairs.judge_winner == TIE
    lines: list[tuple[Frame, Any, int]] = [(pairs[alike & tied], "tied", 2)]
    lines += [(pairs[alike & ~tied], place, 1) for place in ("first", "second")]
    apart = pairs[~alike]
    for column, first in (("winner_a_first", "A"), ("winner_b_first", "B")):
        own = apart[apart[column].notna()]
        place = np.where(own[column] == TIE, "tied", np.where(own[column] == first, "first", "second"))
        lines.append((own, place, 1))
    return pd.concat(
        [_frame(own, n, model=own.judge_model, what=place) for own, place, n in lines],
        ignore_index=True,
    )


def _labelled(facts: Facts, pairs: Frame) -> Frame:
    """Whether the judge, and each reviewer with an opinion, name the winner of an imported label."""
    labels = facts.labels.rename(columns={"kind": "by"})
    judged, reviews = _judged(pairs), reviews_of(facts, pairs)
    reviews = reviews[reviews.spoken.eq(True)]
    said = pd.concat(
        [
            own[["comparison_id"]].assign(model=model, said=winner)
            for own, model, winner in (
                (judged, judged.judge_model, judged.judge_winner),
                (reviews, REVIEWERS, reviews.winner),
            )
        ],
        ignore_index=True,
    )
    lines = labels.merge(said, on="comparison_id")
    what = np.where(lines.winner == lines.said, "same", "other")
    return _frame(
        lines,
        model=lines.model,
        by=lines.by,
        author=lines.author,
        said=lines.said,
        winner=lines.winner,
        what=what,
    )


def _lean(facts: Facts, pairs: Frame) -> Frame:
    """Whether the winner is the longer, or the more formatted, output, and whether candidate one made it (`of_one`)."""
    judged, reviews = _judged(pairs), reviews_of(facts, pairs)
    reviews = reviews[reviews.spoken.eq(True)]
    lines = []
    for own, winner, model in (
        (judged, judged.judge_winner, judged.judge_model),
        (reviews, reviews.winner, REVIEWERS),
    ):
        for trait, column in (("longer", "characters"), ("formatted", "marks")):
            a, b = own[f"{column}_a"].astype(float), own[f"{column}_b"].astype(float)
            clear = np.maximum(a, b) >= np.maximum(np.minimum(a, b), 1) * CLEARLY_MORE
            more = np.where(a > b, "A", "B")
            what = np.where(winner == TIE, "tied", np.where(winner == more, "won", "lost"))
            of_one = (a > b) == (own.side > 0)
            keys = {"model": model, "trait": trait, "task_id": own.task_id, "of_one": of_one}
            lines.append(_frame(own, **keys, what=what)[clear])
    return pd.concat(lines, ignore_index=True)


def lean_rates(lines: Frame) -> dict[tuple[str, str], Rated]:
    """By model and trait, how the side with more ended, clustered by task as every win rate is."""
    points = lines.what.map({"won": 2, "tied": 1, "lost": 0})
    return {
        key: rated(own, lines.task_id[own.index]) for key, own in points.groupby([lines.model, lines.trait])
    }


def _panel(facts: Facts, pairs: Frame) -> Frame:
    """What the reviewers of a pair named, and gave by criterion, where several have an opinion."""
    reviews = reviews_of(facts, pairs)
    rows = []
    # What nobody touched is the judge's: it is no agreement between people, and no winner that they named.
    for id, own in reviews[reviews.spoken.eq(True)].groupby("comparison_id"):
        if len(own) < 2:
            continue
        blind = "blind" if own.how.isin((How.BLIND_FIRST, How.JUDGE_FIRST)).all() else "told"
        rows.append((id, blind, "winner", ",".join(sorted(own.winner)), 1))
        given: dict[tuple[str, str], list[int]] = {}
        for label, path, score in (
            (line for lines in own.given for line in lines) if own.shared_rubric.iat[0] else ()
        ):
            given.setdefault((label, path), []).append(score)
        for (_, path), scores in given.items():
            if len(scores) > 1:
                rows.append((id, blind, path, ",".join(map(str, sorted(scores))), 1))
    return pd.DataFrame(rows, columns=["comparison_id", "blind", "what", "votes", "n"])


def _minutes(facts: Facts, pairs: Frame) -> Frame:
    reviews = reviews_of(facts, pairs)
    return _frame(reviews, tenths=reviews.minutes.astype("int64").astype(str))


def _guess(facts: Facts, pairs: Frame) -> Frame:
    """Of revealed pairs, by the candidate that made A; of two runs of one candidate nobody can tell who made which."""
    pairs = pairs[pairs.revealed & (pairs.one != pairs.two)]
    lines = facts.guesses[facts.guesses.comparison_id.isin(pairs.index)].join(
        pairs[["one", "two", "a_is_one"]], on="comparison_id"
    )
    outcome = np.where(
        lines.guess.isna(), "no_idea", np.where(lines.guess == lines.number_a, "right", "wrong")
    )
    return _frame(lines, candidate=lines.one.where(lines.a_is_one, lines.two), what=outcome)


def _spent(facts: Facts, pairs: Frame) -> Frame:
    return facts.tries[facts.tries.comparison_id.isin(pairs.index)]


_FIGURES: Mapping[str, Callable[[Facts, Frame], Frame]] = {
    "agreement": _agree,
    "silent": _silent,
    "corrections": _corrected,
    "scored": _scored,
    "flips": _judge,
    "first": _order,
    "labels": _labelled,
    "lean": _lean,
    "panel": _panel,
    "minutes": _minutes,
    "guesses": _guess,
    "spent": _spent,
}
