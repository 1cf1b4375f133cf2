"""Who works here: without a configured sign-in, the one person at this machine."""

from __future__ import annotations

import getpass

from comparator.store import people
from comparator.store.people import Person
from comparator.workflow.services import Services


def local_person(services: Services) -> Person:
    """The person at this machine, known by the name of their account."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):
        name = "reviewer"
    with services.database.write() as connection:
        return people.ensure_person(
            connection, f"local:{name}", name=name, new_id=services.new_id, at=services.now()
        )
