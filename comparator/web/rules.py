"""What the gate goes by, from the services: who asks, what they may see and do, and which page others get."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from starlette.responses import Response

from comparator.domain.rights import Act
from comparator.web import sign_in_pages
from comparator.web.guards.gate import Rules
from comparator.web.sign_in import note_active, person_of_request, sign_out, sign_out_token
from comparator.workflow.people.people import may_see_output, name_of, permissions_of
from comparator.workflow.people.sign_in import Tries
from comparator.workflow.services import Services


def rules_of(services: Services) -> Rules:
    """The rules of a server with these services."""

    def may(person_id: str, act: Act) -> bool:
        return permissions_of(services.by(person_id)).somewhere(act)

    def outside_page(person_id: str | None, cookies: Mapping[str, str]) -> Response:
        if person_id is None:
            return sign_in_pages.sign_in_page()
        return sign_in_pages.no_role_page(
            name_of(services, person_id), token=sign_out_token(services, cookies)
        )

    return Rules(
        person=functools.partial(person_of_request, services),
        may_see=functools.partial(may_see_output, services),
        may=may,
        active=functools.partial(note_active, services),
        outside_page=outside_page,
        sign_out=functools.partial(sign_out, services),
        may_try=Tries(services.now).may_try,
    )
