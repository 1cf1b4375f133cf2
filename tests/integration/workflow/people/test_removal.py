"""Purging and merging as an admin or a lead does it, on the command line and by right."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from comparator.bootstrap import load_settings, open_services
from comparator.domain.errors import Conflict, RightsError
from comparator.domain.labels import Label
from comparator.domain.rights import Role
from comparator.domain.scoring.several_judges import JudgeChoice
from comparator.reporting.results.result import result
from comparator.reporting.scope import Verdicts
from comparator.store.bulk import batches, leases
from comparator.store.bulk.batches import BatchState, NewBatch
from comparator.store.facts import fact
from comparator.store.pairs import outputs, runs
from comparator.store.people import people, projects
from comparator.workflow.people.people import give_role
from comparator.workflow.projects.settings import merge_candidates, purge_output, purge_project
from comparator.workflow.services import Services
from tests.worlds.histories.history import NEW, OLD, History
from tests.worlds.histories.pairs import World
from tests.worlds.process import invoke

REASON = ("--reason", "Asked by the owner.")
AGAIN = "new-prompt-again"


@pytest.fixture
def services(here: Path) -> Iterator[Services]:
    with closing(open_services(load_settings())) as opened:
        yield opened


@pytest.fixture
def history(services: Services) -> History:
    return History(World(services.database, services.blobs))


def with_role(services: Services, role: Role) -> str:
    """A person who signs in, with this role everywhere."""
    with services.write() as unit:
        person = people.ensure_person(unit, f"https://idp.example.org {role}", name=role)
    give_role(services, person.id, role, project_id=None)
    return person.id


def test_an_outputs_files_are_removed_once_that_is_confirmed(services: Services, history: History) -> None:
    comparison = history.pair(5, 3)
    with services.database.read() as connection:
        (file,) = outputs.list_files(connection, comparison.view_a)
    assert file.blob is not None
    cached = [services.settings.home / "cache" / name / "one" for name in ("previews", "pictures", "office")]
    for path in cached:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("made from the output")

    refused = invoke("purge", "output", comparison.id, "A", *REASON, stdin="n\n")
    assert refused.exit_code == 1
    assert services.blobs.exists(file.blob)
    done = invoke("purge", "output", comparison.id, "A", *REASON, "--yes")
    again = invoke("purge", "output", comparison.id, "A", *REASON, "--yes")

    assert done.exit_code == 0, done.output
    assert "Removed: 1 file. " in done.stderr
    assert not services.blobs.exists(file.blob)
    assert not any(path.exists() for path in cached)
    assert (again.exit_code, "purged before" in again.stderr) == (2, True)
    assert invoke("purge", "output", comparison.id, "B", "--reason", " ", "--yes").exit_code == 2
    with services.database.read() as connection:
        (event,) = people.recent_acts(connection, project_id=history.project)
        assert (event.kind, event.detail["reason"]) == ("output_purged", "Asked by the owner.")
        assert event.person_id is not None
        assert outputs.load_view(connection, comparison.view_b, blobs=services.blobs).files


def test_a_project_is_removed_when_no_batch_of_it_is_running(services: Services, history: History) -> None:
    comparison = history.pair(5, 3)
    with services.write() as unit:
        judge = JudgeChoice(kind="offline", model="offline", repetitions=1)
        new = NewBatch(project_id=history.project, name="All", judge=judge)
        batch = batches.add(unit, new, [comparison.id])
    running = invoke("purge", "project", "Invoices", *REASON, "--yes")
    with services.write() as unit:
        batches.move(unit, batch.id, BatchState.CANCELLED)

    done = invoke("purge", "project", "Invoices", *REASON, stdin="y\n")

    assert (running.exit_code, "Cancel it first" in running.stderr) == (2, True)
    assert done.exit_code == 0, done.output
    with services.database.read() as connection:
        assert projects.all_projects(connection) == ()
        assert [event.kind for event in people.recent_acts(connection)] == ["project_purged"]
    assert not [path for path in (services.settings.home / "blobs").rglob("*") if path.is_file()]


def test_results_of_a_merged_candidate_count_for_the_other_until_it_is_undone(history: History) -> None:
    history.pair(5, 3)
    history.pair(5, 3, names=(AGAIN, OLD))
    history.reveal()

    merged = invoke("merge", "Invoices", AGAIN, "--into", NEW)

    assert merged.exit_code == 0, merged.output
    assert result(history.world.database, history.asked(Verdicts.JUDGE)).n == 2
    listed = invoke("merge", "Invoices").stdout.splitlines()
    assert [NEW in line for line in listed].count(True) == 2
    assert ["counts for" in line for line in listed].count(True) == 1
    assert invoke("merge", "Invoices", AGAIN, "--undo").exit_code == 0
    with history.world.database.read() as connection:
        assert {candidate.merged_into for candidate in runs.candidates(connection, history.project)} == {None}
        kinds = [event.kind for event in people.recent_acts(connection, project_id=history.project, limit=2)]
    assert kinds == ["candidate_separated", "candidates_merged"]


def test_merges_stay_one_step_deep_and_names_must_be_clear(services: Services, history: History) -> None:
    history.pair(5, 3)
    history.pair(5, 3, names=(AGAIN, OLD))
    merge_candidates(services, history.project, AGAIN, into=NEW)

    for one, other in ((NEW, OLD), (OLD, AGAIN), (AGAIN, OLD)):
        with pytest.raises(Conflict):
            merge_candidates(services, history.project, one, into=other)
    for arguments in ((NEW, "--into", NEW), ("nobody", "--into", NEW), (OLD,), (OLD, "--undo")):
        assert invoke("merge", "Invoices", *arguments).exit_code == 2


def test_a_project_is_not_purged_while_a_worker_has_a_pair_of_it(
    services: Services, history: History
) -> None:
    comparison = history.pair(5, 3)
    admin = services.by(with_role(services, Role.ADMIN))
    with services.write() as unit:
        leases.join(unit, "one")
        leases.take(unit, leases.LeaseKind.PAIR, [comparison.id], worker="one")

    with pytest.raises(Conflict, match="still reads"):
        purge_project(admin, history.project, reason="x")
    with services.write() as unit:
        leases.leave(unit, "one")
    purge_project(admin, history.project, reason="x")
    with services.write() as unit:
        # A worker that comes back late finds nothing to do.
        fact.refresh(unit, comparison.id)


def test_only_an_admin_purges_and_a_reviewer_merges_nothing(services: Services, history: History) -> None:
    comparison = history.pair(5, 3)
    lead, reviewer = with_role(services, Role.LEAD), with_role(services, Role.REVIEWER)

    with pytest.raises(RightsError):
        purge_output(services.by(lead), comparison.id, Label.A, reason="x")
    with pytest.raises(RightsError):
        purge_project(services.by(lead), history.project, reason="x")
    with pytest.raises(RightsError):
        merge_candidates(services.by(reviewer), history.project, OLD, into=NEW)
    merge_candidates(services.by(lead), history.project, OLD, into=NEW)
    purge_output(services.by(with_role(services, Role.ADMIN)), comparison.id, Label.A, reason="x")
