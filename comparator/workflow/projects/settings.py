"""A project's settings, checks and saved views, candidates that are one, and what is removed for good."""

import shutil
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from pydantic import ValidationError

from comparator.domain.errors import Conflict, InputError, NotFound, StoreError, first_problem
from comparator.domain.labels import Label
from comparator.domain.project import ProjectSettings
from comparator.domain.rights import Act
from comparator.outputs.examine.lines import Pattern, count_in
from comparator.store.bulk import batch_items, batches
from comparator.store.facts import fact
from comparator.store.pairs import checks, comparisons, outputs, runs
from comparator.store.pairs.runs import Candidate
from comparator.store.people import projects
from comparator.store.reviewing import queue
from comparator.store.upkeep import purge
from comparator.workflow.people.people import authorise, require
from comparator.workflow.services import Services


def project_settings(services: Services, project_id: str) -> ProjectSettings:
    """The settings of a project. Raises NotFound."""
    with services.read() as connection:
        return projects.get(connection, project_id).settings


def change_settings(services: Services, project_id: str, **changes: Any) -> None:
    """Put these settings in force and leave the others as they are; the event log keeps what was before.

    Raises NotFound, RightsError, and InputError where a value is out of its range.
    """
    with services.write() as unit:
        require(unit, Act.CHANGE_SETTINGS, project_id)
        # Locked, so that two people who change different things at once both have their way.
        before = projects.lock_open(unit, project_id).settings
        settings = _check_settings(before, changes)
        if before == settings:
            return
        projects.save_settings(unit, project_id, settings)
        if before.reviews_needed != settings.reviews_needed:
            for comparison_id in queue.reviewed_ids(unit, project_id):
                fact.refresh(unit, comparison_id)


def _check_settings(before: ProjectSettings, changes: Mapping[str, Any]) -> ProjectSettings:
    try:
        settings = ProjectSettings.model_validate({**before.model_dump(), **changes})
    except ValidationError as error:
        place, reason = first_problem(error)
        raise InputError(f"The setting {place} is wrong: {reason}. Choose another value.") from None
    if settings.guidance != before.guidance:
        raise InputError(
            "Guidance is adopted, not set. On the page Judge, adopt a version that passed its trial."
        )
    if len(set(settings.judges)) == 1 and settings.judges != before.judges:
        raise InputError("One judge alone gives no joint verdict. Choose two or more, or none.")
    return settings


LONGEST_NAME = 80
LONGEST_ADDRESS = 4_000


def views_of(services: Services, project_id: str) -> tuple[projects.SavedView, ...]:
    """The project's saved views by name."""
    with services.read() as connection:
        return projects.saved_views(connection, project_id)


def save_view(services: Services, project_id: str, *, name: str, address: str | None) -> None:
    """Save a view under a name, in place of one that had it, or (None) forget that. Raises InputError, RightsError."""
    name = short_name(name, most=LONGEST_NAME)
    if len(address or "") > LONGEST_ADDRESS:
        raise InputError("So many filters do not fit into an address. Clear some of them.")
    with services.write() as unit:
        kind = "view_removed" if address is None else "view_saved"
        authorise(unit, Act.SEE_RESULTS, kind, project_id, name=name)
        projects.save_view(unit, project_id, name, address=address)


def short_name(name: str, *, most: int) -> str:
    """The name without needless blanks. Raises InputError where it has none or too many characters."""
    name = " ".join(name.split())
    if not 0 < len(name) <= most:
        raise InputError(f"The name has {len(name)} characters. Use 1 to {most}.")
    return name


def all_candidates(services: Services, project_id: str) -> tuple[Candidate, ...]:
    """The project's candidates by their neutral numbers, merged ones included. Raises RightsError."""
    with services.read() as unit:
        require(unit, Act.SEE_CANDIDATES, project_id)
        return runs.candidates(unit, project_id)


def merge_candidates(
    services: Services, project_id: str, candidate: str, *, into: str | None
) -> tuple[Candidate, Candidate | None]:
    """From now on the results of `candidate` count for `into`, both by name or id, or (None) for itself again.

    Raises RightsError, InputError where a name fits none or several, and Conflict where one of them is part of another
    merge, or (None) of none.
    """
    with services.write() as unit:
        require(unit, Act.CHANGE_SETTINGS, project_id)
        known = runs.candidates(unit, project_id)
        one, other = _named(known, candidate), None if into is None else _named(known, into)
        if one == other:
            raise InputError("A candidate cannot be merged into itself. Name two.")
        if other is None and one.merged_into is None:
            raise Conflict(f"{one.name!r} counts for itself already.")
        for party in (one, other) if other else ():
            if party.merged_into is not None:
                raise Conflict(f"{party.name!r} counts for another candidate already. Take that back first.")
        if other and any(party.merged_into == one.id for party in known):
            raise Conflict(
                f"Another candidate counts for {one.name!r}. Take that back first, or merge the other way."
            )
        kind = "candidates_merged" if other else "candidate_separated"
        unit.log(kind, project_id, one.id, into=other.id if other else one.merged_into)
        runs.merge_candidate(unit, one.id, into=other.id if other else None)
        return one, other


def _named(known: tuple[Candidate, ...], name: str) -> Candidate:
    candidates = [candidate for candidate in known if name in (candidate.id, candidate.name)]
    if len(candidates) != 1:
        what = (
            "is not a candidate of this project" if not candidates else "fits several candidates; take its id"
        )
        raise InputError(f"{name!r} {what}. `comparator merge PROJECT` lists them.")
    return candidates[0]


def purge_output(services: Services, comparison_id: str, label: Label, *, reason: str) -> purge.Purged:
    """Remove the files of a comparison's output A or B; scores and judgments stay, with what they quote.

    Raises RightsError, NotFound, and InputError without a reason.
    """
    stated = _stated_reason(reason)
    with services.write() as unit:
        require(unit, Act.PURGE, None)
        comparison = comparisons.get(unit, comparison_id)
        view_id = comparison.view_a if label is Label.A else comparison.view_b
        purged = purge.purge_output(unit, outputs.snapshot_of_view(unit, view_id), reason=stated)
    delete_bytes(services, purged.blobs)
    return purged


def purge_project(services: Services, project_id: str, *, reason: str) -> purge.Purged:
    """Remove a project with everything in it.

    Raises RightsError, NotFound, InputError without a reason, and Conflict while a judge reads a pair of it.
    """
    stated = _stated_reason(reason)
    with services.write() as unit:
        require(unit, Act.PURGE, None)
        for batch in batches.listed(unit, project_id=project_id):
            if batch.state is batches.BatchState.RUNNING:
                raise Conflict(
                    f"The batch {batch.name!r} of this project is running. Cancel it first: "
                    f"comparator batch cancel {batch.id[:8]}"
                )
        if batch_items.under_way(unit, project_id):
            raise Conflict(
                "The judge still reads pairs of this project, and its answers are paid for. Try again once they came."
            )
        purged = purge.purge_project(unit, project_id, reason=stated)
    delete_bytes(services, purged.blobs)
    return purged


AT_A_TIME = 100
"""Blobs that are deleted in one transaction."""


def _stated_reason(reason: str) -> str:
    if not reason.strip():
        raise InputError("Say why it is removed: the audit log keeps the reason.")
    return reason.strip()


def delete_bytes(services: Services, digests: Sequence[str]) -> None:
    """Remove the bytes of what was purged, and what was made from them."""
    # Only once it is committed: a transaction that fails must leave everything in its place.
    for start in range(0, len(digests), AT_A_TIME):
        with services.write() as unit:
            for digest in outputs.unused(unit, digests[start : start + AT_A_TIME]):
                services.blobs.delete(digest)
    # Previews, pictures and pages are made from the outputs, and made again where they are needed.
    for name in ("previews", "pictures", "office"):
        shutil.rmtree(services.settings.home / "cache" / name, ignore_errors=True)


def expired_outputs(services: Services) -> dict[str, tuple[str, ...]]:
    """The outputs (snapshots) that may go, by the name of their project; projects without a term are left out.

    Raises RightsError for who may not purge.
    """
    by_project: dict[str, tuple[str, ...]] = {}
    with services.read() as unit:
        require(unit, Act.PURGE, None)
        for project in projects.all_projects(unit):
            if (days := project.settings.keep_outputs_days) is not None:
                gone = purge.expired(unit, project.id, before=unit.at - timedelta(days=days))
                by_project |= {project.name: gone} if gone else {}
    return by_project


def purge_expired(services: Services) -> None:
    """Remove the files of all outputs that may go, one transaction each. Raises RightsError."""
    for snapshots in expired_outputs(services).values():
        for snapshot_id in snapshots:
            with services.write() as unit:
                purged = purge.purge_output(unit, snapshot_id, reason="older than its project keeps outputs")
            delete_bytes(services, purged.blobs)


LONGEST_CHECK = 60
MOST_CHECKS = 20
AT_A_TIME = 50


def checks_of(services: Services, project_id: str) -> tuple[checks.Check, ...]:
    """The project's checks by name."""
    with services.read() as connection:
        return checks.of_project(connection, project_id)


def add_check(
    services: Services, project_id: str, *, name: str, pattern: str, is_regex: bool, match_case: bool
) -> checks.Check:
    """Add a check for everyone in the project. Raises InputError, RightsError."""
    name = short_name(name, most=LONGEST_CHECK)
    with services.read() as unit:
        require(unit, Act.SEE_RESULTS, project_id)
    Pattern(pattern, regex=is_regex, match_case=match_case)
    check = checks.Check(
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
        if checks.name_is_taken(unit, project_id, name):
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
    counts: dict[str, int | None] = {}
    for id in ids:
        try:
            view = outputs.read_view(stored[id], blobs=services.blobs)
            counts[id] = count_in([file.text for file in view.files], pattern)
        except (NotFound, StoreError, ValueError):
            counts[id] = None
    with services.write() as unit:
        checks.put(unit, check.id, counts)
    return len(ids)
