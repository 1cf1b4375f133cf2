"""A server under attack: one comparison with markers in every place that can carry a name, and people of every role."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from comparator.bootstrap import open_services
from comparator.domain.labels import PerOutput
from comparator.domain.pair.task import TaskText
from comparator.domain.rights import Role
from comparator.settings import Settings
from comparator.store.pairs import comparisons, outputs
from comparator.store.people import people, projects
from tests.browser.servers.signing import free_port, provider, served
from tests.worlds.files.outputs_markers import MARK, every_family, found_in, mark
from tests.worlds.workbench import Workbench

NAMES = PerOutput[str](A=f"{mark('CandidateA')}-v1", B=f"{mark('CandidateB')}-v2")
SECRET = "that-no-log-may-have"
PROVIDERS: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    # Addresses are verified by the provider; whoever typed one in has it unverified.
    "addresses": (
        {"sub": "olga", "name": "Olga", "email": "olga@example.org", "email_verified": True},
        {"sub": "rhea", "name": "Rhea", "email": "rhea@example.org", "roles": ["comparator-reviewer"]},
        {"sub": "stan", "name": "Stan", "email": "stan@example.org", "email_verified": True},
        {"sub": "nora", "name": "Nora", "email": "olga@example.org", "email_verified": False},
    ),
    # People choose what they are called: nothing of it is an address.
    "subjects": (
        {"sub": "olga", "name": "Olga", "email": "olga@example.org", "email_verified": True},
        {"sub": "rhea", "name": "Rhea", "roles": ["comparator-reviewer"]},
        {"sub": "stan", "name": "Stan"},
        {"sub": "olga@example.org", "name": "Nora"},
        {"sub": "@example.org", "name": "Norman"},
        {"sub": "sub:olga", "name": "Noa"},
    ),
}
OUTSIDERS = {"addresses": ("nora",), "subjects": ("olga@example.org", "@example.org", "sub:olga")}


class Place(NamedTuple):
    """The running server, what lies in it, and who has no role."""

    url: str
    comparison: str
    files: tuple[str, ...]
    outsiders: tuple[str, ...]
    logs: tuple[Path, ...]
    markers: int


@contextmanager
def attacked(folder: Path, kind: str) -> Iterator[Place]:
    """The server with one provider of sign-in, as `comparator serve` starts it."""
    port, provider_port = free_port(), free_port()
    home = folder / "home"
    logs = (folder / "provider.log", folder / "app.log")
    with ExitStack() as stack:
        stack.enter_context(provider(provider_port, log=logs[0], users=PROVIDERS[kind]))
        comparison, files = planted(home, folder, issuer=f"http://127.0.0.1:{provider_port}")
        stack.enter_context(served(home, port=port, provider_port=provider_port, log=logs[1]))
        # In the files, and in the names of both candidates, both folders and a file.
        markers = len({place for data in every_family().values() for place in found_in(data)}) + 5
        yield Place(f"http://127.0.0.1:{port}", comparison, files, OUTSIDERS[kind], logs, markers)


def planted(home: Path, folder: Path, *, issuer: str) -> tuple[str, tuple[str, ...]]:
    """The comparison, its files' ids, and a reviewer of another project."""
    services = open_services(Settings(home=home))
    try:
        workbench = Workbench(services.database, services.blobs, folder / "work", services.settings)
        for name, data in every_family().items():
            workbench.file(f"{MARK}FolderA/outputs/{name}", data)
        workbench.file(f"{MARK}FolderA/outputs/told.md", f"# Report by {NAMES.A}\n\nvisible words")
        workbench.file(f"{MARK}FolderB/outputs/told.md", f"# Report by {NAMES.B}\n\nvisible words too")
        workbench.file(f"{MARK}FolderB/outputs/{NAMES.B}.txt", "visible")
        paths = PerOutput[Path](
            A=folder / "work" / f"{MARK}FolderA" / "outputs", B=folder / "work" / f"{MARK}FolderB" / "outputs"
        )
        task = TaskText(prompt="Write a report", expectations=("It is a report",))
        comparison = workbench.submitted(paths, task=task, candidates=NAMES, project="Attacked")
        with services.write() as unit:
            row = comparisons.get(unit.connection, comparison)
            files = tuple(
                file.id
                for view in (row.view_a, row.view_b)
                for file in outputs.list_files(unit.connection, view)
            )
            other = projects.ensure_project(unit, "Another").id
            stan = people.ensure_person(unit, f"oidc:{issuer}|stan", name="Stan")
            people.grant(unit, stan.id, Role.REVIEWER, project_id=other, granted_by=None)
        return comparison, files
    finally:
        services.close()
