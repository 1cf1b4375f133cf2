"""Whether a person may see an output by its address."""

from __future__ import annotations

from comparator.domain.rights import Act
from comparator.store.pairs import comparisons
from comparator.store.people import people, projects
from comparator.workflow.services import Services


def may_see_output(services: Services, person_id: str, id: str) -> bool:
    """Whether the person may see the output, or file of an output, under this id; False for an unknown one.

    A reference answer that its project hides is for those only who may change that.
    """
    with services.database.read() as connection:
        for use in comparisons.uses(connection, id):
            roles = people.grants(connection, person_id, project_id=use.project_id)
            shown = not use.as_reference or projects.get(connection, use.project_id).settings.show_reference
            if roles.allows(Act.READ if shown else Act.CHANGE_SETTINGS):
                return True
    return False
