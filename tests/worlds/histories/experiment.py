"""An experiment of many iterations with planted effects, judged, reviewed and revealed: what the dashboards must show.

In each iteration every task is done with a skill and without it. Planted are: a step from which the skill wins
more; one criterion that decides; a kind of task on which it is the other way round; four tasks that are
lost in the last iterations; one task that changes its winner from iteration to iteration; and expectations that
separate the two, that never fail, and that nobody meets. The judge's reasons have one thing in common: the winner's
logs.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any, NamedTuple
from unittest.mock import patch

import sqlalchemy as sa

from comparator.domain.labels import Label, Order, PerOutput, Winner
from comparator.domain.pair.task import TaskText
from comparator.domain.pair.view import Family, OutputView, TextBlock, ViewedFile
from comparator.domain.project import ReviewMode
from comparator.domain.scoring.judgment import Answer, ExpectationMark, Mark
from comparator.domain.scoring.rubric import Anchors, Criterion, Rubric
from comparator.domain.scoring.verdict import Assessment, Verdict, settle
from comparator.outputs.snapshot import Artifact, Snapshot, digest_of
from comparator.outputs.view.built import BuiltView
from comparator.reporting.scope import By
from comparator.store import tables
from comparator.store.core.sql import Unit, new_id
from comparator.store.facts import fact
from comparator.store.judging import judgments, rubrics
from comparator.store.judging.judgments import TryRecord
from comparator.store.pairs import comparisons, keys, labels, outputs, reveals, runs
from comparator.store.pairs import tasks as task_store
from comparator.store.pairs.comparisons import ComparisonSource, Views
from comparator.store.pairs.runs import NewCandidate, NewRun, RunState
from comparator.store.people import people
from tests.worlds.histories.pairs import JudgeId, World

WITH, WITHOUT = "with_skill", "without_skill"
KINDS = ("network", "billing", "storage", "upgrade")
REVERSED = "network"
"""The kind of task on which the skill loses."""
REGRESSED = (13, 22, 28, 37)
"""Tasks that were won and are lost in the end."""
NOISY = 18
"""The task that changes its winner from iteration to iteration."""
DECIDES = "content.root_cause"
RECURS = "logs"
"""What the reasons of the judge have in common: a strength of whichever output wins."""
SEPARATES, ALWAYS, NEVER, ONLY_WITHOUT = EXPECTATIONS = (
    "Names the root cause",
    "Is valid Markdown",
    "Gives a command to roll back",
    "States the date",
)
PATHS = ("content.root_cause", "content.evidence", "structure.layout", "structure.wording")
TURNED = PATHS[3]
"""The criterion by which the candidate that wins trails."""
MODELS = ("model-one", "model-two")
REVIEWERS = tuple(f"Reviewer {n}" for n in range(1, 5))
REASON = "missed part"
OTHER = {Winner.A: Winner.B, Winner.B: Winner.A, Winner.TIE: Winner.TIE}


class Planted(NamedTuple):
    """One pair as it was planted, seen from the skill: who won, leads by criterion in points, what was met."""

    iteration: int
    task: int
    winner: int
    """1: with the skill; -1: without; 0: a tie."""
    leads: dict[str, int]
    met: tuple[tuple[bool, bool], ...]
    valid: bool
    lengths: tuple[int, int]
    """Lines of both outputs."""
    skill_is_a: bool
    """Which side it is on where the pair is put straight into tables; an import draws for itself."""
    reviewer: str
    comparison_id: str = ""

    @property
    def scores(self) -> tuple[dict[str, int], dict[str, int]]:
        """By criterion, of the output with the skill and of the other."""
        skill = {path: {3: 5, -3: 2}.get(lead, 3 + max(lead, 0)) for path, lead in self.leads.items()}
        return skill, {path: skill[path] - lead for path, lead in self.leads.items()}


def model_of(iteration: int, *, iterations: int) -> str:
    """The model that did the tasks: another one in the second half."""
    return MODELS[iteration > iterations // 2]


def title_of(task: int) -> str:
    """What a task is called: Network 1 to Network 10, Billing 1 and so on, Network 11 after the last kind.

    >>> title_of(1), title_of(40), title_of(41)
    ('Network 1', 'Upgrade 10', 'Network 11')
    """
    tens, number = divmod(task - 1, 10)
    return f"{kind_of(task).title()} {tens // len(KINDS) * 10 + number + 1}"


def prompt_of(task: int) -> str:
    """What is asked."""
    return f"{title_of(task)}: what went wrong?"


def kind_of(task: int) -> str:
    """The tag of a task."""
    return KINDS[(task - 1) // 10 % len(KINDS)]


def planted(*, iterations: int, tasks_of: int) -> Iterator[Planted]:
    """All pairs, iteration by iteration; the same ones each time."""
    rng, noisy = random.Random(20), 1
    for iteration, task in itertools.product(range(1, iterations + 1), range(1, tasks_of + 1)):
        if task == NOISY:
            winner = noisy = -noisy
        else:
            winner = _winner(rng, iteration, task, iterations=iterations)
        # All lead comes from one criterion; the others give and take in pairs.
        small = rng.choice((-1, 0, 1)) if winner else 0
        leads = {PATHS[0]: 3 * winner, PATHS[1]: small, PATHS[2]: rng.choice((0, 0, 1)) if winner else 0}
        leads[TURNED] = -leads[PATHS[2]] if winner else 0
        dated = rng.random() < 0.5
        yield Planted(
            iteration,
            task,
            winner,
            leads,
            # Where scores tie, expectations must not settle it.
            met=((winner >= 0, winner <= 0), (True, True), (False, False), (False, dated and winner != 0)),
            valid=iteration < iterations or task not in (5, 15, 25),
            lengths=(rng.randint(40, 60) + 25 * (winner > 0), rng.randint(20, 40)),
            skill_is_a=rng.random() < 0.5,
            reviewer=REVIEWERS[(iteration + task) % len(REVIEWERS)],
        )


def _winner(rng: random.Random, iteration: int, task: int, *, iterations: int) -> int:
    if task in REGRESSED:
        return 1 if iteration < _since(iterations) else -1
    drawn = rng.random()
    if kind_of(task) == REVERSED:
        return 1 if drawn < 0.15 else 0 if drawn < 0.2 else -1
    # Before the step every other task is lost.
    won = 0.92 if iteration >= _step(iterations) or task % 2 == 0 else 0.06
    return 1 if drawn < won else 0 if drawn < won + 0.02 else -1


def _step(iterations: int) -> int:
    return iterations * 5 // 8


def _since(iterations: int) -> int:
    return iterations * 27 // 32


class Experiment:
    """Puts the experiment into a database, in one transaction an iteration."""

    kinds = By.TAG
    """What tells the kind of a task."""

    def __init__(
        self, world: World, *, iterations: int = 32, tasks_of: int = 40, reviewed: bool = True
    ) -> None:
        self.world, self.iterations, self.tasks_of, self.reviewed = world, iterations, tasks_of, reviewed
        self.pairs: list[Planted] = []
        self._versions: dict[int, str] = {}
        self._rubrics: dict[int, str] = {}
        self._derived: dict[str, dict[str, Any]] = {}

    @property
    def project(self) -> str:
        """The id of its project."""
        return self.world.project.id

    @property
    def step(self) -> int:
        """The iteration from which the skill wins more: 20 of 32."""
        return _step(self.iterations)

    @property
    def since(self) -> int:
        """The iteration from which the regressed tasks are lost: 27 of 32."""
        return _since(self.iterations)

    def build(self, *, reveal: bool = True) -> Experiment:
        """Everything; itself."""
        world = self.world
        # Thousands of small files need not survive a power cut.
        with patch("os.fsync"):
            with world.database.write() as connection:
                self._lay(connection)
            every = planted(iterations=self.iterations, tasks_of=self.tasks_of)
            for iteration, pairs in itertools.groupby(every, key=lambda each: each.iteration):
                with world.database.write() as connection:
                    self._iteration(connection, iteration, pairs)
        if reveal:
            self.reveal()
        return self

    def reveal(self) -> None:
        """Tell who made which."""
        with self.world.database.write() as connection:
            reveals.add(
                Unit(connection, at=self.world.now(), new_id=new_id).by(self.world.ada.id),
                tuple(each.comparison_id for each in self.pairs),
                project_id=self.project,
            )

    def _lay(self, connection: sa.Connection) -> None:
        at = self.world.now()
        self._people = {
            name: people.ensure_person(Unit(connection, at=at, new_id=new_id), f"local:{name}", name=name).id
            for name in REVIEWERS
        }
        for task in range(1, self.tasks_of + 1):
            kept = task_store.ensure_task(
                Unit(connection, at=at, new_id=new_id),
                self.project,
                key=f"eval-{task}",
                title=title_of(task),
                tags=(kind_of(task),),
            )
            wording = TaskText(prompt=prompt_of(task), expectations=EXPECTATIONS)
            self._versions[task] = task_store.ensure_version(
                Unit(connection, at=at, new_id=new_id), kept.id, wording
            ).id
            self._rubrics[task] = rubrics.add(
                Unit(connection, at=at, new_id=new_id),
                RUBRIC,
                project_id=self.project,
                task_version_id=self._versions[task],
                author_kind="model",
                author="claude-sonnet-5-5",
            ).id

    def _iteration(self, connection: sa.Connection, iteration: int, pairs: Iterable[Planted]) -> None:
        at = self.world.now()
        made = {
            name: runs.ensure_candidate(
                Unit(connection, at=at, new_id=new_id),
                self.project,
                NewCandidate(
                    name=name,
                    iteration=str(iteration),
                    model=model_of(iteration, iterations=self.iterations),
                ),
            ).id
            for name in (WITH, WITHOUT)
        }
        for each in pairs:
            self._pair(connection, each, made)

    def _pair(self, connection: sa.Connection, pair: Planted, made: dict[str, str]) -> None:
        iteration, task, skill_is_a, void = pair.iteration, pair.task, pair.skill_is_a, not pair.valid
        at = self.world.now()
        sides = [
            self._output(connection, f"{iteration}.{task}.{name}", lines)
            for name, lines in zip((WITH, WITHOUT), pair.lengths, strict=True)
        ]
        kept = runs.ensure_runs(
            Unit(connection, at=at, new_id=new_id),
            self._versions[task],
            [
                NewRun(
                    candidate_id=made[name],
                    snapshot_id=side[0],
                    repetition=1,
                    total_tokens=1000 + 10 * lines,
                    seconds=20.0 + iteration,
                    state=RunState.VOID if void and name == WITH else RunState.VALID,
                    state_reason="timed out" if void and name == WITH else "",
                )
                for name, side, lines in zip((WITH, WITHOUT), sides, pair.lengths, strict=True)
            ],
        )
        a, b = (0, 1) if skill_is_a else (1, 0)
        wording = TaskText(prompt=prompt_of(task), expectations=EXPECTATIONS)
        comparison = comparisons.add(
            Unit(connection, at=at, new_id=new_id),
            project_id=self.project,
            task_version_id=self._versions[task],
            views=Views(title=title_of(task), **dict(wording), view_a=sides[a][1], view_b=sides[b][1]),
            source=ComparisonSource.IMPORT,
            created_by=None,
            drawn=True,
            states=PerOutput[str](
                A="void" if void and skill_is_a else "valid", B="void" if void and not skill_is_a else "valid"
            ),
        )
        keys.write(
            Unit(connection, at=at),
            comparison.id,
            task_version_id=self._versions[task],
            run_a=kept[a].id,
            run_b=kept[b].id,
        )
        scores = pair.scores if skill_is_a else pair.scores[::-1]
        marks = pair.met if skill_is_a else tuple((two, one) for one, two in pair.met)
        self._judge(
            connection,
            comparison.id,
            PerOutput[dict[str, int]](A=scores[0], B=scores[1]),
            marks,
            digests=PerOutput[str](A=sides[a][2], B=sides[b][2]),
            task=task,
        )
        if self.reviewed:
            self._review(
                connection,
                comparison.id,
                scores,
                marks,
                task=task,
                skill_is_a=skill_is_a,
                winner=pair.winner,
                who=self._people[pair.reviewer],
            )
        # A tie scores both outputs the same, but its review gives a reason about one of them.
        who = self._people[pair.reviewer] if self.reviewed else None
        alike = (task, scores, marks, void, who, skill_is_a)
        self._stand(connection, comparison.id, repr(alike))
        self.pairs.append(pair._replace(comparison_id=comparison.id))

    def _stand(self, connection: sa.Connection, comparison_id: str, alike: str) -> None:
        """Write the facts of a pair: derived once for all pairs that were judged and reviewed alike."""
        if alike not in self._derived:
            self._derived[alike] = fact.derive(connection, comparison_id)
        values = {**self._derived[alike], "touched_at": self.world.now()}
        connection.execute(
            tables.fact.update().where(tables.fact.c.comparison_id == comparison_id).values(values)
        )

    def grade(self, pair: Planted, *, skill: float, without: float, author: str = "grading.json") -> None:
        """Put the label on a pair that an import makes of both gradings, with these pass rates."""
        with self.world.database.write() as connection:
            made = runs.get(connection, keys.read(connection, pair.comparison_id).run_a)
            by_skill = runs.get_candidate(connection, made.candidate_id).name == WITH
            a, b = (skill, without) if by_skill else (without, skill)
            labels.add(
                Unit(connection, at=self.world.now(), new_id=new_id),
                pair.comparison_id,
                kind=labels.LabelKind.GRADER,
                author=author,
                winner=Winner.TIE if a == b else Winner.A if a > b else Winner.B,
                value={"A": {"pass_rate": a}, "B": {"pass_rate": b}},
                blind=None,
                source="here",
            )

    def _output(self, connection: sa.Connection, name: str, lines: int) -> tuple[str, str, str]:
        text = f"# Report\n\nRun {name}.\n\n" + "- It broke at the gateway.\n" * lines
        world, at = self.world, self.world.now()
        artifact = Artifact(path="report.md", sha256=world.blobs.put(text.encode()), size=len(text))
        outputs.note_blobs(Unit(connection, at=at), {artifact.sha256: artifact.size})
        snapshot = Snapshot(
            digest=digest_of(True, (artifact,), ()), name="out", is_folder=True, artifacts=(artifact,)
        )
        snapshot_id = outputs.save_snapshot(
            Unit(connection, at=at, new_id=new_id), snapshot, project_id=self.project
        )
        file = ViewedFile(
            id=new_id(),
            name="report.md",
            family=Family.MARKDOWN,
            size=len(text),
            blocks=(TextBlock(text=text),),
        )
        built = BuiltView(view=OutputView(files=(file,)), copies=())
        view_id = outputs.save_view(
            Unit(connection, at=at, new_id=new_id),
            built,
            snapshot_id=snapshot_id,
            extractor="1",
            redaction="r" * 64,
            blobs=world.blobs,
        )
        return snapshot_id, view_id, built.view.digest

    def _judge(
        self,
        connection: sa.Connection,
        comparison_id: str,
        scores: PerOutput[dict[str, int]],
        met: tuple[tuple[bool, bool], ...],
        *,
        digests: PerOutput[str],
        task: int,
    ) -> None:
        total = {label: sum(scores[label].values()) for label in Label}
        better = (
            Winner.A
            if total[Label.A] > total[Label.B]
            else Winner.B
            if total[Label.B] > total[Label.A]
            else Winner.TIE
        )

        def mark(score: int) -> Mark:
            return Mark.model_validate({"score": score, "rationale": ""})

        given = Answer(
            criteria={
                path: PerOutput[Mark](A=mark(scores.A[path]), B=mark(scores.B[path])) for path in PATHS
            },
            expectations=tuple(
                PerOutput[ExpectationMark](A=ExpectationMark(passed=a), B=ExpectationMark(passed=b))
                for a, b in met
            ),
            strengths=_said_of(better, f"cites the {RECURS}"),
            weaknesses=_said_of(OTHER[better], "guesses"),
            better=better,
            reasoning="One names the cause.",
            stated_confidence=80,
        )
        for order in Order:
            judgment_id = judgments.ensure_judgment(
                Unit(connection, at=self.world.now(), new_id=new_id),
                comparison_id,
                view_digests=digests,
                rubric_id=self._rubrics[task],
                judge=JudgeId(),
                order=order,
            )
            judgments.keep_try(
                Unit(connection, at=self.world.now(), new_id=new_id),
                judgment_id,
                TryRecord(calls=(), prompts={}, cost=Decimal("0.01")),
                answer=given,
            )

    def _review(
        self,
        connection: sa.Connection,
        comparison_id: str,
        scores: tuple[dict[str, int], dict[str, int]],
        met: tuple[tuple[bool, bool], ...],
        *,
        task: int,
        skill_is_a: bool,
        winner: int,
        who: str,
    ) -> None:
        """A final review, straight into the tables: facts are derived once a pair, not after each act of a person."""
        verdict, review_id, at = _verdict(scores, met), new_id(), self.world.now()
        loser = "B" if skill_is_a == (winner >= 0) else "A"
        for table, row in (
            (
                tables.review,
                {
                    "id": review_id,
                    "comparison_id": comparison_id,
                    "person_id": who,
                    "mode": ReviewMode.JUDGE_FIRST.value,
                    "rubric_id": self._rubrics[task],
                    "judgment_set": None,
                    "blindness": "blind",
                    "opened_at": at,
                },
            ),
            (
                tables.change,
                {
                    "review_id": review_id,
                    "id": new_id(),
                    "seq": 1,
                    "target": f"score:{loser}:{DECIDES}",
                    "kind": "set",
                    "value": scores[loser == "B"][DECIDES],
                    "reason": f"No {RECURS}.",
                    "code": REASON,
                    "author": who,
                    "at": at,
                    "stored_at": at,
                    "undoes": None,
                    "blind": False,
                    "unblinded": False,
                },
            ),
            (
                tables.finalisation,
                {
                    "id": new_id(),
                    "review_id": review_id,
                    "seq": 1,
                    "kind": "final",
                    "number": 1,
                    "last_change": 1,
                    "person_id": who,
                    "at": self.world.now(),
                    "winner": verdict.winner.value,
                    "decided_by": verdict.decided_by.value,
                    "verdict": verdict.model_dump(mode="json"),
                    "prose": {
                        "reasoning": "One names the cause.",
                        "strengths": {"A": [], "B": []},
                        "weaknesses": {"A": [], "B": []},
                        "argues_for": verdict.winner.value,
                    },
                    "changed": 1,
                    "unblinded": False,
                },
            ),
        ):
            connection.execute(table.insert().values(row))


def _said_of(winner: Winner, words: str) -> PerOutput[tuple[str, ...]]:
    """The words about one output; about neither for a tie."""
    return PerOutput[tuple[str, ...]](
        A=(words,) if winner is Winner.A else (), B=(words,) if winner is Winner.B else ()
    )


def _verdict(scores: tuple[dict[str, int], dict[str, int]], met: tuple[tuple[bool, bool], ...]) -> Verdict:
    halves = [
        Assessment(
            scores={path: Decimal(score) for path, score in own.items()},
            expectations=tuple(both[side] for both in met),
        )
        for side, own in enumerate(scores)
    ]
    settled = settle(RUBRIC, PerOutput[Assessment](A=halves[0], B=halves[1]))
    assert settled is not None
    return settled


def _line(key: str) -> Criterion:
    anchors = Anchors(poor="wrong", acceptable="mostly right", excellent="right")
    return Criterion(key=key, name=key.replace("_", " ").title(), description="", anchors=anchors)


RUBRIC = Rubric(
    content=(_line("root_cause"), _line("evidence")), structure=(_line("layout"), _line("wording"))
)
