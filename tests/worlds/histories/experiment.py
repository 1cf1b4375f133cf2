"""An experiment of many iterations with planted effects, judged, reviewed and revealed: what the dashboards must show.

In each iteration every task is done with a skill and without it. Planted are: a step from which the skill wins
more; one criterion that decides; a kind of task on which it is the other way round; four tasks that are
lost in the last iterations; one task that changes its winner from iteration to iteration; and expectations that
separate the two, that never fail, and that nobody meets. The judge's reasons have one thing in common: the winner's
logs.
"""

import itertools
import random
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any, NamedTuple, Self
from unittest.mock import patch

from comparator.domain.labels import Label, LabelKind, Order, PerOutput, Winner
from comparator.domain.pair.task import TaskText
from comparator.domain.scoring.judgment import Answer, ExpectationMark, Mark, Prose
from comparator.domain.scoring.verdict import Assessment, Verdict, settle
from comparator.reporting.results.candidates import project_state
from comparator.reporting.scope import By, ResultFilter
from comparator.store.core.sql import Unit
from comparator.store.facts import fact
from comparator.store.judging import judgments, rubrics
from comparator.store.judging.judgments import TryRecord
from comparator.store.pairs import keys, labels, reveals, runs
from comparator.store.pairs import tasks as task_store
from comparator.store.pairs.comparisons import Comparison
from comparator.store.pairs.runs import RunState
from comparator.store.people import people
from comparator.store.reviewing import reviews
from tests.worlds.histories.pairs import JudgeId, World, rubric, store_candidate, store_output, store_pair

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
BROKE = "- It broke at the gateway.\n"
OTHER = {Winner.A: Winner.B, Winner.B: Winner.A, Winner.TIE: Winner.TIE}


NOTHING = PerOutput[tuple[str, ...]](A=(), B=())


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

    def build(self, *, reveal: bool = True) -> Self:
        """Everything; itself."""
        world = self.world
        # Thousands of small files need not survive a power cut.
        with patch("os.fsync"):
            with world.write() as unit:
                self._lay(unit)
            every = planted(iterations=self.iterations, tasks_of=self.tasks_of)
            for iteration, pairs in itertools.groupby(every, key=lambda pair: pair.iteration):
                with world.write() as unit:
                    self._iteration(unit, iteration, pairs)
        if reveal:
            self.reveal()
        return self

    def reveal(self) -> None:
        """Tell who made which."""
        with self.world.write(self.world.ada.id) as unit:
            reveals.add(unit, tuple(pair.comparison_id for pair in self.pairs), project_id=self.project)

    def _lay(self, unit: Unit) -> None:
        self._people = {name: people.ensure_person(unit, f"local:{name}", name=name).id for name in REVIEWERS}
        for task in range(1, self.tasks_of + 1):
            kept = task_store.ensure_task(
                unit, self.project, key=f"eval-{task}", title=title_of(task), tags=(kind_of(task),)
            )
            self._versions[task] = task_store.ensure_version(unit, kept.id, _wording(task)).id
            self._rubrics[task] = rubrics.add(
                unit,
                RUBRIC,
                project_id=self.project,
                task_version_id=self._versions[task],
                author_kind="model",
                author="claude-sonnet-5-5",
            ).id

    def _iteration(self, unit: Unit, iteration: int, pairs: Iterable[Planted]) -> None:
        about = {"iteration": str(iteration), "model": model_of(iteration, iterations=self.iterations)}
        candidates = {name: store_candidate(unit, self.project, name, **about) for name in (WITH, WITHOUT)}
        for pair in pairs:
            self._pair(unit, pair, candidates)

    def _pair(self, unit: Unit, pair: Planted, candidates: dict[str, str]) -> None:
        def of(skill: object, without: object) -> PerOutput[Any]:
            return (
                PerOutput[Any](A=skill, B=without) if pair.skill_is_a else PerOutput[Any](A=without, B=skill)
            )

        sides, about = [], []
        for name, lines in zip((WITH, WITHOUT), pair.lengths, strict=True):
            text = f"# Report\n\nRun {pair.iteration}.{pair.task}.{name}.\n\n" + BROKE * lines
            sides.append(store_output(unit, self.world.blobs, text, project_id=self.project))
            void = name == WITH and not pair.valid
            about.append(
                {
                    "candidate_id": candidates[name],
                    "total_tokens": 1000 + 10 * lines,
                    "seconds": 20.0 + pair.iteration,
                    "state": RunState.VOID if void else RunState.VALID,
                    "state_reason": "timed out" if void else "",
                }
            )
        comparison = store_pair(
            unit,
            title_of(pair.task),
            _wording(pair.task),
            of(*sides),
            of(*about),
            project_id=self.project,
            version_id=self._versions[pair.task],
        )
        scores: PerOutput[dict[str, int]] = of(*pair.scores)
        met = of(*zip(*pair.met, strict=True))
        self._judge(
            unit, comparison.id, scores, met, digests=of(*(side.digest for side in sides)), task=pair.task
        )
        if self.reviewed:
            self._review(unit, comparison, scores, met, pair)
        else:
            fact.refresh(unit, comparison.id)
        self.pairs.append(pair._replace(comparison_id=comparison.id))

    def grade(self, pair: Planted, *, skill: float, without: float) -> None:
        """Put the label on a pair that an import makes of both gradings, with these pass rates."""
        with self.world.write() as unit:
            run = runs.get(unit, keys.read(unit, pair.comparison_id).run_a)
            by_skill = runs.get_candidate(unit, run.candidate_id).name == WITH
            a, b = (skill, without) if by_skill else (without, skill)
            winner = Winner.TIE if a == b else Winner.A if a > b else Winner.B
            value = {"A": {"pass_rate": a}, "B": {"pass_rate": b}}
            about: Any = {
                "kind": LabelKind.GRADER,
                "author": "grading.json",
                "winner": winner,
                "value": value,
            }
            labels.add(unit, pair.comparison_id, **about, blind=None, source="here")

    def _judge(
        self,
        unit: Unit,
        comparison_id: str,
        scores: PerOutput[dict[str, int]],
        met: PerOutput[tuple[bool, ...]],
        *,
        digests: PerOutput[str],
        task: int,
    ) -> None:
        a, b = (sum(marks.values()) for _, marks in scores.items())
        better = Winner.A if a > b else Winner.B if b > a else Winner.TIE

        def mark(score: int) -> Mark:
            return Mark.model_validate({"score": score, "rationale": ""})

        given = Answer(
            criteria={
                path: PerOutput[Mark](A=mark(scores.A[path]), B=mark(scores.B[path])) for path in PATHS
            },
            expectations=tuple(
                PerOutput[ExpectationMark](A=ExpectationMark(passed=a), B=ExpectationMark(passed=b))
                for a, b in zip(met.A, met.B, strict=True)
            ),
            strengths=_said_of(better, f"cites the {RECURS}"),
            weaknesses=_said_of(OTHER[better], "guesses"),
            better=better,
            reasoning="One names the cause.",
            stated_confidence=80,
        )
        for order in Order:
            about: Any = {"view_digests": digests, "rubric_id": self._rubrics[task], "judge": JudgeId()}
            judgment_id = judgments.ensure_judgment(unit, comparison_id, order=order, **about)
            tried = TryRecord(calls=(), prompts={}, cost=Decimal("0.01"))
            judgments.keep_try(unit, judgment_id, tried, answer=given)

    def _review(
        self,
        unit: Unit,
        comparison: Comparison,
        scores: PerOutput[dict[str, int]],
        met: PerOutput[tuple[bool, ...]],
        pair: Planted,
    ) -> None:
        """A final review in which the judge's score of the loser is kept, with a reason."""
        who = self._people[pair.reviewer]
        loser = Label.B if pair.skill_is_a == (pair.winner >= 0) else Label.A
        review = self.world.opened(unit, comparison, person_id=who, rubric_id=self._rubrics[pair.task])
        address = f"score:{loser.value}:{DECIDES}"
        change = self.world.change(address, scores[loser][DECIDES], author=who, reason=f"No {RECURS}.")
        reviews.append(unit, review.id, [change.model_copy(update={"code": REASON})], after=0)
        verdict = _verdict(scores, met)
        reviews.finalise(
            unit.by(who),
            review.id,
            seen=1,
            verdict=verdict,
            prose=Prose(
                reasoning="One names the cause.",
                strengths=NOTHING,
                weaknesses=NOTHING,
                argues_for=verdict.winner,
            ),
            changed=1,
            unblinded=False,
        )


def _said_of(winner: Winner, words: str) -> PerOutput[tuple[str, ...]]:
    """The words about one output; about neither for a tie."""
    return PerOutput[tuple[str, ...]](
        A=(words,) if winner is Winner.A else (), B=(words,) if winner is Winner.B else ()
    )


def _verdict(scores: PerOutput[dict[str, int]], met: PerOutput[tuple[bool, ...]]) -> Verdict:
    def half(label: Label) -> Assessment:
        return Assessment(
            scores={path: Decimal(score) for path, score in scores[label].items()}, expectations=met[label]
        )

    settled = settle(RUBRIC, PerOutput[Assessment](A=half(Label.A), B=half(Label.B)))
    assert settled is not None
    return settled


def _wording(task: int) -> TaskText:
    return TaskText(prompt=prompt_of(task), expectations=EXPECTATIONS)


RUBRIC = rubric("root_cause", "evidence", structure=("layout", "wording"))


def asked_about(experiment: Experiment, iteration: int) -> ResultFilter:
    """The question for the skill in an iteration of a revealed experiment."""
    met = next(
        met
        for met in project_state(experiment.world.database, experiment.project).revealed_meetings
        if met.iteration == str(iteration)
    )
    one, two = (met.one, met.two) if met.one_name.startswith(WITH) else (met.two, met.one)
    return ResultFilter(project_id=experiment.project, one=one, two=two)
