"""Where figures stop to compare from one step to the next: another judge, guidance, model, rubric, or other tasks."""

from collections.abc import Iterable, Sequence
from typing import Any

from comparator.domain.labels import Frozen
from comparator.reporting.facts import Facts
from comparator.reporting.frames import Frame
from comparator.store.core.database import Connection
from comparator.store.facts import verdicts


class Break(Frozen):
    """A step from which figures do not compare with those before, and what is otherwise there.

    Each is compared with the last step that says something of it: one without a judge says nothing of judges.
    """

    at: int
    judge: tuple[str, str] | None = None
    """What judged before, and since; the same name twice where its prompts or settings changed."""
    guidance: tuple[str, str] | None = None
    """The version of the guidance before, and since. Whatever else changed in the same judge goes with it."""
    models: tuple[str, str] | None = None
    """With what model the candidates worked before, and since."""
    rubrics: int = 0
    """Tasks that are judged by another rubric."""
    tasks: int = 0
    """Tasks that came, went, or are worded otherwise."""

    @property
    def beyond_tasks(self) -> bool:
        """Whether more changed than the tasks, so that a change of the rate is looked for here."""
        return bool(self.judge or self.guidance or self.models or self.rubrics)


def breaks(facts: Facts, pairs: Frame, steps: Frame, order: Sequence[str]) -> tuple[Break, ...]:
    """The breaks between these steps, oldest first, by these pairs; `steps` names the step of each."""
    by_step = dict(list(pairs.groupby(steps)))
    judges, rubrics, versions = pairs[:0], dict[str, Any](), dict[str, Any]()
    models = set[str]()
    changes = []
    for at, step in enumerate(order):
        own = by_step.get(step, pairs[:0])
        # Of each judge one of the pairs that it judged.
        judging = (
            own.dropna(subset=["judge_digest"]).drop_duplicates("judge_digest").set_index("judge_digest")
        )
        judged_by = own.dropna(subset=["rubric_id"]).groupby("version_id").rubric_id.agg(frozenset).to_dict()
        worded = own.groupby("task_id").version_id.agg(frozenset).to_dict()
        judge, guidance = _judges(facts.connection, judges, judging)
        worked = {model for id in {*own.one, *own.two} if (model := facts.candidates[id].model)}
        both = rubrics.keys() & judged_by.keys()
        every = versions.keys() | worded.keys() if versions and worded else ()
        change = Break(
            at=at,
            judge=judge,
            guidance=guidance,
            models=(_listed(models), _listed(worked)) if models and worked and not models & worked else None,
            rubrics=sum(rubrics[version] != judged_by[version] for version in both),
            tasks=sum(versions.get(task) != worded.get(task) for task in every),
        )
        if change != Break(at=at):
            changes.append(change)
        judges = judges if judging.empty else judging
        rubrics |= judged_by
        models = worked or models
        versions = worded or versions
    return tuple(changes)


_Change = tuple[str, str] | None


def _judges(connection: Connection, before: Frame, now: Frame) -> tuple[_Change, _Change]:
    """What changed of the judge, and of its guidance; both frames have a row a judge."""
    if before.empty or now.empty or set(before.index) == set(now.index):
        return None, None
    names = [_listed(step.judge_model) for step in (before, now)]
    versions = [_listed(_guidance(connection, step.comparison_id)) for step in (before, now)]
    judge, guidance = _change(*names), _change(*versions)
    return judge if judge or guidance else (names[0], names[1]), guidance


def _change(before: str, now: str) -> _Change:
    return (before, now) if before != now else None


def _guidance(connection: Connection, comparison_ids: Iterable[str]) -> Iterable[str]:
    """The versions of the guidance that judges went by, as the readings of a pair of each have it."""
    for id in comparison_ids:
        judged = verdicts.judged(connection, id)
        for own in judged.sets if judged else ():
            yield "none" if own.guidance is None else f"version {own.guidance}"


def _listed(names: Iterable[str]) -> str:
    return " and ".join(sorted(set(names)))
