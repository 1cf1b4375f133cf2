"""Small histories of two candidates, whose figures can be worked out by hand."""

from typing import Any

from comparator.domain.labels import LabelKind, Winner
from comparator.domain.project import ReviewMode
from comparator.domain.scoring.review import Blindness, ChangeKind
from comparator.reporting.facts import facts_of
from comparator.reporting.results.candidates import Meeting, project_state
from comparator.reporting.scope import ResultFilter, Runs, Verdicts
from comparator.store import tables
from comparator.store.core.database import Database
from comparator.store.core.sql import changed
from comparator.store.pairs import keys, labels, reveals, tasks
from comparator.store.pairs.comparisons import Comparison
from comparator.store.pairs.runs import RunState
from comparator.store.reviewing import reviews
from comparator.ui.dashboards.tabs.trust import trust_charts
from comparator.ui.frame.charts import Row
from tests.worlds.histories.pairs import TASK, JudgeId, World, add_change, prose, verdict

OLD, NEW = "old-prompt", "new-prompt"
OFFLINE = JudgeId(kind="offline", model="offline check", digest="o" * 64)


class History:
    """Pairs of an old and a new candidate; every second one has the new one as A."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.made: list[Comparison] = []

    @property
    def project(self) -> str:
        return self.world.project.id

    def task(self, title: str, *tags: str) -> None:
        """What follows belongs to this task."""
        world = self.world
        with world.write() as unit:
            task = tasks.ensure_task(unit, self.project, key=title, title=title, tags=tags)
            world.version = tasks.ensure_version(unit, task.id, TASK)

    def pair(
        self,
        new: int,
        old: int,
        *,
        judge: JudgeId | None = None,
        names: tuple[str, str] = (NEW, OLD),
        texts: tuple[str, str] | None = None,
    ) -> Comparison:
        """A judged pair in which every criterion of the new output has the score `new`, of the old one `old`."""
        comparison = self.unjudged(names=names, texts=texts)
        self.world.judge(comparison, *self.sides(comparison, new, old), judge=judge)
        return comparison

    def unjudged(
        self, *, names: tuple[str, str] = (NEW, OLD), texts: tuple[str, str] | None = None
    ) -> Comparison:
        """A pair that nobody has read, with these texts of A and B if given."""
        new_is_a = len(self.made) % 2 == 0
        a, b = names if new_is_a else names[::-1]
        comparison = self.world.compare(a=a, b=b, texts=texts)
        self.made.append(comparison)
        return comparison

    def sides(self, comparison: Comparison, new: int, old: int) -> tuple[int, int]:
        """The new and the old one's score as A's and B's."""
        return (new, old) if self.made.index(comparison) % 2 == 0 else (old, new)

    def review(
        self,
        comparison: Comparison,
        new: int,
        old: int,
        *,
        mode: ReviewMode = ReviewMode.JUDGE_FIRST,
        blindness: Blindness = Blindness.BLIND,
        said: tuple[tuple[str, ChangeKind], ...] = (("score:A:content.correctness", ChangeKind.CONFIRM),),
        person_id: str = "",
        code: str = "",
    ) -> None:
        """A final review with these scores, in which the person said something to these addresses.

        `code` is the kind of reason that they gave.
        """
        world = self.world
        own = verdict(*map(str, self.sides(comparison, new, old)))
        person_id, blind = person_id or world.ben.id, mode is ReviewMode.BLIND_FIRST
        with world.write(person_id) as unit:
            review = world.opened(unit, comparison, person_id=person_id, mode=mode, blindness=blindness)
            for address, kind in said:
                change = world.change(address, "4").model_copy(update={"kind": kind, "code": code})
                add_change(unit, review.id, change, blind=blind)
            reviews.finalise(
                unit,
                review.id,
                verdict=own,
                prose=prose(
                    "Both are complete." if own.winner is Winner.TIE else f"{own.winner} is complete."
                ),
                changed=0,
                seen=len(said),
                unblinded=False,
            )

    def gold(self, comparison: Comparison, winner: Winner) -> None:
        """A label that is known to be right."""
        self._label(comparison, LabelKind.GOLD, "curator", winner, {})

    def grade(self, comparison: Comparison, new: float, old: float) -> None:
        """Imported grades: the share of expectations that the new and the old one met."""
        rate_a, rate_b = (new, old) if self.made.index(comparison) % 2 == 0 else (old, new)
        winner = Winner.TIE if rate_a == rate_b else Winner.A if rate_a > rate_b else Winner.B
        value: dict[str, object] = {"A": {"pass_rate": rate_a}, "B": {"pass_rate": rate_b}}
        self._label(comparison, LabelKind.GRADER, "grading.json", winner, value)

    def _label(
        self, comparison: Comparison, kind: LabelKind, author: str, winner: Winner, value: dict[str, object]
    ) -> None:
        about: Any = {"kind": kind, "author": author, "winner": winner, "value": value}
        with self.world.write() as unit:
            labels.add(unit, comparison.id, **about, blind=None, source="labels.csv")

    def reveal(self) -> None:
        """Tell who made which, of all pairs."""
        with self.world.write(self.world.ada.id) as unit:
            reveals.add(unit, tuple(pair.id for pair in self.made), project_id=self.project)

    def void(self, comparison: Comparison) -> None:
        """Let output A's run not count."""
        with self.world.database.write() as connection:
            run_a = keys.read(connection, comparison.id).run_a
            connection.execute(
                tables.run.update()
                .where(tables.run.c.id == run_a)
                .values(state=RunState.VOID.value, state_reason="timed out")
            )
            connection.execute(
                tables.fact.update()
                .where(tables.fact.c.comparison_id == comparison.id)
                .values(state_a=RunState.VOID.value)
            )
            changed(connection, projects=[self.project])

    def rename(self, name: str, *, to: str, iteration: str) -> None:
        """Call a candidate of this name so."""
        values = {"name": to, "iteration": iteration, "model": None}
        with self.world.database.write() as connection:
            connection.execute(
                tables.candidate.update().where(tables.candidate.c.name == name).values(**values)
            )

    def meeting(self) -> Meeting:
        """The one pair of candidates that met."""
        (meeting,) = project_state(self.world.database, self.project).meetings
        return meeting

    def asked(
        self, verdicts: Verdicts = Verdicts.REVIEWED, *, runs: Runs = Runs.VALID, old_first: bool = False
    ) -> ResultFilter:
        """The question for the new candidate against the old one; `old_first` turns it round."""
        met = self.meeting()
        new, old = (met.one, met.two) if met.one_name == NEW else (met.two, met.one)
        one, two = (old, new) if old_first else (new, old)
        return ResultFilter(project_id=self.project, one=one, two=two, verdicts=verdicts, runs=runs)


def twenty_four(history: History) -> None:
    """One pair in each of 24 tasks: the new candidate wins 14 by 4 points, ties 4 and loses 6 by 4 points."""
    for number in range(24):
        history.task(f"Task {number}")
        new, old = (5, 3) if number < 14 else (4, 4) if number < 18 else (3, 5)
        history.pair(new, old)


def trust_rows(database: Database, project_id: str) -> dict[str, list[Row]]:
    """The rows of each chart. Raises BlindnessError."""
    with facts_of(database, project_id) as facts:
        return {chart.name: list(chart.rows) for chart in trust_charts(facts, None)}
