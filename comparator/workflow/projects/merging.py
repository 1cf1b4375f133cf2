"""Saying that two candidates are one: the results of the first count for the second, and can be told apart again."""

from __future__ import annotations

from comparator.domain.errors import Conflict, InputError
from comparator.domain.rights import Act
from comparator.store.core.unit import Unit
from comparator.store.pairs import runs
from comparator.store.pairs.runs import Candidate
from comparator.store.people import events
from comparator.workflow.people.people import require
from comparator.workflow.services import Services


def all_candidates(services: Services, project_id: str) -> tuple[Candidate, ...]:
    """The project's candidates by their neutral numbers, merged ones included. Raises RightsError."""
    with services.read() as unit:
        require(unit, Act.SEE_CANDIDATES, project_id=project_id)
        return runs.candidates(unit.connection, project_id)


def merge_candidates(
    services: Services, project_id: str, candidate: str, *, into: str
) -> tuple[Candidate, Candidate]:
    """From now on the results of `candidate` count for `into`; both by name or id.

    Raises RightsError, InputError where a name fits none or several, and Conflict where one of them is part of another
    merge.
    """
    with services.write() as unit:
        require(unit, Act.CHANGE_SETTINGS, project_id=project_id)
        known = runs.candidates(unit.connection, project_id)
        one, other = _named(known, candidate), _named(known, into)
        if one == other:
            raise InputError("A candidate cannot be merged into itself. Name two.")
        for each in (one, other):
            if each.merged_into is not None:
                raise Conflict(f"{each.name!r} counts for another candidate already. Take that back first.")
        if any(each.merged_into == one.id for each in known):
            raise Conflict(
                f"Another candidate counts for {one.name!r}. Take that back first, or merge the other way."
            )
        _note(unit, "candidates_merged", one, into=other.id)
        return one, other


def separate_candidate(services: Services, project_id: str, candidate: str) -> Candidate:
    """From now on the results of a merged candidate count for itself again.

    Raises RightsError, InputError where the name fits none or several, and Conflict where it is not merged.
    """
    with services.write() as unit:
        require(unit, Act.CHANGE_SETTINGS, project_id=project_id)
        one = _named(runs.candidates(unit.connection, project_id), candidate)
        if one.merged_into is None:
            raise Conflict(f"{one.name!r} counts for itself already.")
        _note(unit, "candidate_separated", one, into=None)
        return one


def _note(unit: Unit, kind: str, one: Candidate, *, into: str | None) -> None:
    events.log(
        unit,
        kind,
        project_id=one.project_id,
        subject_id=one.id,
        detail={"into": into or one.merged_into},
    )
    runs.merge_candidate(unit.connection, one.id, into=into)


def _named(known: tuple[Candidate, ...], name: str) -> Candidate:
    found = [each for each in known if name in (each.id, each.name)]
    if len(found) != 1:
        what = "is not a candidate of this project" if not found else "fits several candidates; take its id"
        raise InputError(f"{name!r} {what}. `comparator merge PROJECT` lists them.")
    return found[0]
