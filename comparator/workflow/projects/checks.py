"""Checks over the outputs of a project: added by name, counted in each output once."""

from __future__ import annotations

from comparator.domain.errors import InputError, NotFound, StoreError
from comparator.domain.rights import Act
from comparator.outputs.examine.lines import Pattern, count_in
from comparator.store.pairs import checks, outputs
from comparator.store.pairs.checks import Check
from comparator.workflow.people.people import authorise, require
from comparator.workflow.projects.settings import short_name
from comparator.workflow.services import Services

LONGEST_NAME = 60
MOST_CHECKS = 20
AT_A_TIME = 50


def checks_of(services: Services, project_id: str) -> tuple[Check, ...]:
    """The project's checks by name."""
    with services.read() as connection:
        return checks.of_project(connection, project_id)


def add_check(
    services: Services,
    project_id: str,
    *,
    name: str,
    pattern: str,
    is_regex: bool,
    match_case: bool,
) -> Check:
    """Add a check for everyone in the project. Raises InputError, RightsError."""
    name = short_name(name, most=LONGEST_NAME)
    with services.read() as unit:
        require(unit, Act.SEE_RESULTS, project_id)
    Pattern(pattern, regex=is_regex, match_case=match_case)
    check = Check(
        id=services.new_id(),
        project_id=project_id,
        name=name,
        pattern=pattern,
        is_regex=is_regex,
        match_case=match_case,
    )
    with services.write() as unit:
        about = {"name": name, "pattern": pattern}
        authorise(unit, Act.SEE_RESULTS, "check_added", project_id, check.id, **about)
        if checks.named(unit, project_id, name):
            raise InputError(f"There is a check “{name}” already. Use another name.")
        if len(checks.of_project(unit, project_id)) >= MOST_CHECKS:
            raise InputError(f"A project has at most {MOST_CHECKS} checks. Remove one first.")
        checks.add(unit, check)
    return check


def remove_check(services: Services, check_id: str) -> None:
    """Remove a check with what it counted. Raises NotFound, RightsError."""
    with services.write() as unit:
        check = checks.get(unit, check_id)
        authorise(unit, Act.SEE_RESULTS, "check_removed", check.project_id, check_id, name=check.name)
        checks.remove(unit, check_id)


def outputs_left(services: Services, project_id: str) -> int:
    """How many outputs of the project some check of it has yet to look at."""
    with services.read() as connection:
        every = checks.of_project(connection, project_id)
        left = (checks.left(connection, check.id, project_id=project_id) for check in every)
        return len(set[str]().union(*left))


def check_some(services: Services, project_id: str) -> int:
    """Look at some outputs that the project's checks have not seen; how many. None is left where it is 0."""
    with services.read() as connection:
        for check in checks.of_project(connection, project_id):
            if ids := checks.left(connection, check.id, project_id=project_id, most=AT_A_TIME):
                stored = outputs.get_views(connection, ids)
                break
        else:
            return 0
    pattern = Pattern(check.pattern, regex=check.is_regex, match_case=check.match_case)
    found: dict[str, int | None] = {}
    for id in ids:
        try:
            view = outputs.read_view(stored[id], blobs=services.blobs)
            found[id] = count_in([file.text for file in view.files], pattern)
        except (NotFound, StoreError, ValueError):
            found[id] = None
    with services.write() as unit:
        checks.put(unit, check.id, found)
    return len(ids)
