"""What is kept about one person: handed out on request, and erased on request."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

from comparator.domain.errors import Conflict, InputError
from comparator.domain.rights import Act
from comparator.store.people import people
from comparator.store.people.people import Person
from comparator.store.upkeep import personal_data
from comparator.workflow.people.people import authorise, require, require_recent_sign_in
from comparator.workflow.services import Services


def person_named(services: Services, name: str) -> Person:
    """The person with this name, address or id. Raises InputError where it is none or several, RightsError."""
    with services.read() as unit:
        require(unit, Act.GRANT, project_id=None)
        found = [
            each for each in people.all_people(unit.connection) if name in (each.id, each.name, each.email)
        ]
    if not found:
        raise InputError(
            f"Nobody here is called {name[:80]!r}. Give the name, address or id of somebody who has signed "
            "in, or invite the person with `comparator people invite`."
        )
    if len(found) > 1:
        which = "; ".join(f"{each.id} ({each.email or 'no address'})" for each in found[:9])
        raise InputError(f"{len(found)} people here are called {name[:80]!r}. Give one id of these: {which}.")
    return found[0]


def export_person(services: Services, person_id: str) -> dict[str, Any]:
    """All that the database holds about the person, by table, in values of JSON. Raises NotFound, RightsError."""
    require_recent_sign_in(services)
    with services.write() as unit:
        people.get(unit.connection, person_id)
        authorise(unit, Act.GRANT, "person_exported", project_id=None, subject_id=person_id)
        found = personal_data.everything(unit.connection, person_id)
    return {
        table: [{name: _plain(value) for name, value in row.items()} for row in rows]
        for table, rows in found.items()
    }


def erase_person(services: Services, person_id: str, *, reason: str) -> None:
    """Take the person's name, address and sign-in out for good; reviews and their reasons stay, without a name.

    Raises RightsError, NotFound, InputError without a
    reason, and Conflict for oneself.
    """
    require_recent_sign_in(services)
    if not reason.strip():
        raise InputError("Say why the person is erased: the audit log keeps the reason.")
    if person_id == services.who:
        raise Conflict("That is you. Another admin has to erase you.")
    with services.write() as unit:
        people.get(unit.connection, person_id)
        authorise(
            unit,
            Act.PURGE,
            "person_erased",
            project_id=None,
            subject_id=person_id,
            detail={"reason": reason.strip()},
        )
        personal_data.erase(unit, person_id)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value) if isinstance(value, Decimal) else value
