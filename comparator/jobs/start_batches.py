"""Starting batches: which pairs, by which judge, and for how much at most."""

import hashlib
from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

import sqlalchemy as sa

from comparator.domain.counted import counted
from comparator.domain.errors import InputError, SettingsError
from comparator.domain.project import FEWEST_LEARNT
from comparator.domain.rights import Act
from comparator.domain.scoring.judgment import Identity
from comparator.domain.scoring.several_judges import JudgeChoice, SeveralJudges
from comparator.judges.choose import is_configured
from comparator.judges.model.sender import Provider
from comparator.reporting.facts import facts_of
from comparator.reporting.trust.labelled import held_out, labelled_pairs
from comparator.reporting.trust.measured import readings_by
from comparator.settings import JudgeKind
from comparator.store import tables
from comparator.store.bulk import batches
from comparator.store.bulk.batches import (
    Batch,
    BatchRequest,
    BatchState,
    GuidanceTrial,
    ItemState,
    NewBatch,
    Via,
)
from comparator.store.core.database import Database
from comparator.store.core.sql import Connection, Unit
from comparator.store.facts.fact import MEASURED, UNREAD_BY_JUDGE, Status
from comparator.store.judging import budgets
from comparator.store.pairs import comparisons
from comparator.store.people import projects
from comparator.workflow.judging.asking import asked_judges, asks_a_model, judge_by, judge_choice
from comparator.workflow.judging.paying import refuse_without_price
from comparator.workflow.people.people import authorise, local_person
from comparator.workflow.services import Services

UNJUDGED = (Status.TO_JUDGE, Status.FAILED)
UNREVIEWED = (Status.TO_REVIEW, Status.NOT_REVIEWED)

_batch, _batch_item, _comparison, _fact = (
    tables.batch.c,
    tables.batch_item.c,
    tables.comparison.c,
    tables.fact.c,
)


class WaitingPairs(NamedTuple):
    """The comparisons of a project that a batch could judge, oldest first.

    Those `aside` are judged only where they are asked for: `void` ones have an unusable output, the others were read to
    measure a judge. `failed` ones are judged again.
    """

    all_runs: tuple[str, ...]
    aside: frozenset[str]
    void: int
    failed: int

    @property
    def usual(self) -> tuple[str, ...]:
        """Those that are judged unasked."""
        return tuple(id for id in self.all_runs if id not in self.aside)

    @property
    def aside_in_words(self) -> str:
        """How many are set aside, and why; empty for none."""
        whys = {
            "with an unusable output": self.void,
            "read to measure a judge, with verdicts kept apart": len(self.aside) - self.void,
        }
        return " and ".join(f"{counted(number, 'pair')} {why}" for why, number in whys.items() if number)


def waiting(connection: Connection, project_id: str, *, by_model: bool = False) -> WaitingPairs:
    """The comparisons of a project that wait for a judge, or failed, and stand in no open batch; the oldest first.

    For a model, `by_model`, those that only the offline check has read wait as well, until somebody reviews them.
    Pairs of a run that was superseded are left out by their status: their results would not count.
    """
    open_ = sa.exists().where(
        _batch_item.comparison_id == _fact.comparison_id,
        _batch_item.state.in_([*batches.OPEN, ItemState.FAILED]),
        _batch.id == _batch_item.batch_id,
        _batch.state.in_([BatchState.RUNNING, BatchState.PAUSED]),
    )
    of = _fact.project_id == project_id
    wanted = [
        sa.and_(of, _fact.status.in_(UNJUDGED)),
        sa.and_(of, _fact.status == Status.VOID, UNREAD_BY_JUDGE),
    ]
    if by_model:
        wanted.append(sa.and_(of, _fact.status.in_(UNREVIEWED), _fact.form.is_not(None)))
    rows = connection.execute(
        sa.select(_fact.comparison_id, _fact.status, MEASURED.label("measured"))
        .where(sa.or_(*wanted), ~open_)
        .order_by(_fact.created_at, _fact.comparison_id)
    ).all()
    return WaitingPairs(
        tuple(row.comparison_id for row in rows),
        frozenset(row.comparison_id for row in rows if row.measured or row.status == Status.VOID),
        *(sum(row.status == status for row in rows) for status in (Status.VOID, Status.FAILED)),
    )


def waiting_pairs(services: Services, project_ids: Sequence[str]) -> dict[str, WaitingPairs]:
    """What waits for a judge in each of these projects; without those in which nothing does."""
    with services.database.read() as connection:
        queues = {id: waiting(connection, id, by_model=asks_a_model(services, id)) for id in project_ids}
    return {id: pairs for id, pairs in queues.items() if pairs.all_runs}


def start(services: Services, request: BatchRequest) -> Batch:
    """Store a batch; workers begin with it at once. Where several judges are asked, the first of a batch for each.

    Raises InputError where nothing is to be judged or the budget is nothing, SettingsError where the judge is not
    configured, JudgeNotAllowed for a budget where the model has no known price.
    """
    judges = judges_of(services, request)
    # A judge that is measured is asked for itself: what several come to is counted from their readings.
    panel = None if request.is_trial else judges.panel
    tries = None
    if request.tries is not None:
        before, after = judges.members
        tries = GuidanceTrial(number=request.tries, baseline=before.guidance, before=before, after=after)
    with services.write() as unit:
        projects.get(unit, request.project_id)
        pairs = [(judge, pairs_for(services.database, unit, request, judge)) for judge in judges.members]
        if not any(ids for _, ids in pairs):
            raise InputError("All of these pairs have been read already. The page Judge shows the results.")
        started = tuple(
            batches.add(
                unit,
                NewBatch(
                    project_id=request.project_id,
                    name=_name(request, judge, len(ids), several=len(pairs) > 1),
                    judge=judge,
                    via=request.via,
                    budget_id=budgets.add(
                        unit,
                        project_id=request.project_id,
                        ceiling=ceiling_of(request.budget),
                        created_by=unit.who,
                    ),
                    created_by=unit.who,
                    trial=request.is_trial or None,
                    tries=tries,
                    panel=panel,
                ),
                ids,
            )
            for judge, ids in pairs
            if ids
        )
        for batch in started:
            authorise_batch(unit, "batch_started", batch)
    return started[0]


def _name(request: BatchRequest, judge: JudgeChoice, pairs: int, *, several: bool) -> str:
    if request.tries is not None:
        which = "no guidance" if judge.guidance is None else f"guidance {judge.guidance}"
        return f"Trial of guidance {request.tries}: {which}"
    usual = f"{'Measured on ' if request.labelled else ''}{counted(pairs, 'pair')}"
    name = request.name.strip()[:200] or usual
    return f"{name[:130]}: {judge.named}" if several else name


def pairs_for(
    database: Database, connection: Connection, request: BatchRequest, judge: Identity
) -> tuple[str, ...]:
    """The comparisons that this judge is to read: for a trial, those that it has not read in both orders yet.

    Raises InputError where a request means none.
    """
    ids = chosen_ids(database, connection, request, by_model=judge.kind != "offline")
    if not request.is_trial:
        return ids
    read = readings_by(connection, ids, judge)
    return tuple(id for id in ids if id not in read)


def judges_of(services: Services, request: BatchRequest) -> SeveralJudges:
    """The judges that a request asks: those it names, else the project's, else the one of the settings.

    Raises what `start` refuses of judges and budgets.
    """
    if request.tries is not None:
        both = _judges_to_compare(services, request, request.tries)
        judges = SeveralJudges(id=services.new_id(), members=both)
    else:
        judges = asked_judges(services, request.project_id, request)
    for choice in judges.members:
        _allow(services, request, choice)
    return judges


def _judges_to_compare(services: Services, request: BatchRequest, number: int) -> tuple[JudgeChoice, ...]:
    """The judge as it is, and with that version of the guidance."""
    with services.database.read() as connection:
        projects.guidance_version(connection, request.project_id, number)
    choice = judge_choice(services, request.project_id, kind=request.judge, model=request.model)
    if choice.kind == "offline":
        raise InputError("The offline check does not use guidance. Choose a model for the trial.")
    if choice.guidance == number:
        raise InputError(f"Version {number} is in force, so there is nothing to compare it with.")
    # Agreement is told by first readings: pairs that are read again are the close ones.
    choice = choice.copy_with(repetitions=1)
    with_it = choice.copy_with(guidance=number)
    identity = judge_by(services, with_it, project_id=request.project_id).identity
    return choice, with_it.copy_with(digest=identity.digest)


def start_for(services: Services, comparison_ids: Sequence[str], *, kind: JudgeKind | None = None) -> Batch:
    """A batch of these comparisons, of one project, by a judge of this kind or the one of the settings; by default for
    the person at this machine.
    """
    with services.database.read() as connection:
        project_id = comparisons.get(connection, comparison_ids[0]).project_id
    request = BatchRequest(project_id=project_id, comparisons=tuple(comparison_ids), judge=kind)
    return start(services.by(services.who or local_person(services).id), request)


def _allow(services: Services, request: BatchRequest, choice: JudgeChoice) -> None:
    """Raise what `start` refuses of a judge and the budget."""
    if request.via is Via.BATCHES and choice.named is not None:
        raise SettingsError("Named judges are asked one request at a time. Start without --via batches.")
    if request.via is Via.BATCHES:
        if choice.kind == "offline":
            raise SettingsError(
                "The offline check needs no Message Batches. Start the batch without --via batches."
            )
        options = services.options(choice.model)
        if not is_configured(options, services.environment) or options.provider is not Provider.API:
            raise SettingsError(
                "Message Batches are offered by the API itself only. Start without --via batches."
            )
    ceilings = (ceiling_of(request.budget), services.settings.budget)
    for ceiling in ceilings if choice.kind != "offline" else ():
        if ceiling is not None:
            refuse_without_price(choice.model, ceiling=ceiling)


def authorise_batch(unit: Unit, kind: str, batch: Batch) -> None:
    """Note what was done to a batch. Raises RightsError where the person may not."""
    details = {"name": batch.name, "model": batch.judge.model, "via": batch.via}
    authorise(unit, Act.JUDGE, kind, batch.project_id, batch.id, **details)


def chosen_ids(
    database: Database, connection: Connection, request: BatchRequest, *, by_model: bool
) -> tuple[str, ...]:
    """The comparisons that a request means. Raises InputError where there are none, or one is of another project."""
    if request.comparisons:
        wanted = tuple(dict.fromkeys(request.comparisons))
        query = sa.select(_comparison.id).where(
            _comparison.id.in_(wanted), _comparison.project_id == request.project_id
        )
        there = set(connection.execute(query).scalars())
        if strange := next((pair_id for pair_id in wanted if pair_id not in there), None):
            raise InputError(
                f"{strange[:80]!r} is not a comparison of this project. Leave it out, or correct the id."
            )
        return wanted
    if request.tries is not None:
        with facts_of(database, request.project_id) as facts:
            pairs = tuple(held_out(facts))
        if len(pairs) < FEWEST_LEARNT:
            raise InputError(
                "Guidance is tried on pairs of the held-out tasks that people scored before they saw the judge's "
                f"values. There are {len(pairs)}; {FEWEST_LEARNT} are needed. Have more pairs reviewed blind first."
            )
        return pairs
    if request.labelled:
        if not (ids := labelled_pairs(database, request.project_id)):
            raise InputError(
                "No pair of this project has a label. Imported gold and human labels count, and so do "
                "blind-first reviews, answered before the judge's values were shown."
            )
        return _drawn(ids, request.sample)
    pairs_left = waiting(connection, request.project_id, by_model=by_model)
    if ids := pairs_left.all_runs if request.all_runs else pairs_left.usual:
        return ids if request.sample is None else _drawn(ids, request.sample)
    aside = f" Left out: {pairs_left.aside_in_words}; ask for all runs to have them judged."
    raise InputError(
        "No comparison of this project waits for a judge. Import or add some first."
        + (aside if pairs_left.aside else "")
    )


def _drawn(ids: Sequence[str], number: int | None) -> tuple[str, ...]:
    """So many of these, at random: the same ones each time."""
    return tuple(sorted(ids, key=lambda id: hashlib.sha256(id.encode()).hexdigest())[:number])


def left_out(connection: Connection, request: BatchRequest) -> int:
    """How many pairs with an unusable output a request would take in if it asked for all runs."""
    named = request.comparisons or request.is_trial
    return 0 if named or request.all_runs else waiting(connection, request.project_id).void


def ceiling_of(money: Decimal | None) -> Decimal | None:
    """The budget in US dollars, None where there is none. Raises InputError for one that cannot be kept."""
    if money is not None and not 0 < money < budgets.MOST:
        raise InputError(
            f"The budget is {money}. Give more than 0 and less than {budgets.MOST:,} US dollars."
        )
    return money
