"""Many small comparisons in a database, and a model's server in its own process that writes down what it is asked."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from comparator.domain.labels import PerOutput
from comparator.domain.pair.task import TaskText
from comparator.domain.scoring.repetitions import Repetitions
from comparator.settings import Settings
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.pairs import tasks
from comparator.store.people import projects
from comparator.workflow.services import Services
from tests.worlds.histories.pairs import store_candidate, store_output, store_pair

ROOT = Path(__file__).resolve().parents[2]
_NOUNS = "harvest bridge ledger orchard turbine glacier archive lantern compass meadow"


class Seeded(NamedTuple):
    """What was put into the database."""

    project_id: str
    comparison_ids: tuple[str, ...]


def seed(
    services: Services, *, pairs: int, size: int = 400, tasks_of: int = 1, project: str = "Bulk"
) -> Seeded:
    """Comparisons of `size` characters in both outputs together, `tasks_of` of them for each task."""
    pairs_of_files = []
    for number in range(pairs):
        # A word of its own for each task, so that each gets another rubric.
        of_task = str(number // tasks_of)
        nouns = _NOUNS.split()
        noun = nouns[int(of_task) % len(nouns)] + "".join(chr(ord("a") + int(d)) for d in of_task)
        wording = TaskText(
            prompt=f"Report number {of_task} on the {noun}: what was measured, and what follows.",
            expectations=("It names a measured value", "It says what follows"),
        )
        both = PerOutput[str](A=text_of(number, "a", size), B=text_of(number, "b", size))
        pairs_of_files.append((wording, both))
    return seed_pairs(services, pairs_of_files, project=project)


def seed_pairs(
    services: Services, pairs: Sequence[tuple[TaskText, PerOutput[str]]], *, project: str = "Bulk"
) -> Seeded:
    """Comparisons of these tasks with these outputs; what has the same wording is of one task."""
    ids: list[str] = []
    keys_of = {wording: f"t{place}" for place, wording in enumerate(dict.fromkeys(task for task, _ in pairs))}
    with services.write() as unit:
        project_id = projects.ensure_project(unit, project).id
        candidates = PerOutput[str](A="quillwort", B="saxifrage").map(
            lambda name: store_candidate(unit, project_id, name)
        )
        for number, (wording, both) in enumerate(pairs):
            title = wording.prompt[:40]
            task = tasks.ensure_task(unit, project_id, key=keys_of[wording], title=title)
            version = tasks.ensure_version(unit, task.id, wording)
            sides = both.map(
                lambda text: store_output(unit, services.blobs, text, project_id=project_id, kept=False)
            )
            about: PerOutput[dict[str, Any]] = candidates.map(
                lambda id, number=number: {"candidate_id": id, "repetition": number}  # type: ignore[misc]
            )
            pair = store_pair(
                unit, title, wording, sides, about, project_id=project_id, version_id=version.id
            )
            ids.append(pair.id)
    return Seeded(project_id, tuple(ids))


def text_of(number: int, side: str, size: int) -> str:
    """The output of one side, `size` being that of both; its bytes are in no blob store."""
    size //= 2
    line = f"Side {side} of report {number} measured {number * 7 + ord(side)} units and draws a conclusion.\n"
    return (f"# Report {number}\n\n" + line * (size // len(line) + 1))[: max(size, 60)]


class Call(NamedTuple):
    """One request for a message: what was asked, when it came, and when its whole answer had been sent."""

    digest: str
    came: float
    sent: float | None
    """Seconds since the epoch; None where no proper answer was sent."""


def services_on(
    database: Database, folder: Path, *, slots: int, repetitions: Repetitions = "auto"
) -> Services:
    """The services on this database, with so many places at the model."""
    return Services(
        environment=os.environ,
        settings=Settings(home=folder / "home", slots=slots, repetitions=repetitions),
        database=database,
        blobs=BlobStore.at(str(folder / "b")),
    )


@dataclass
class Model:
    """The server in its own process."""

    url: str
    log: Path
    process: subprocess.Popen[str]

    @property
    def environment(self) -> dict[str, str]:
        """What lets a worker find it."""
        return {"ANTHROPIC_BASE_URL": self.url, "ANTHROPIC_API_KEY": "any-key"}

    def calls(self) -> tuple[Call, ...]:
        """All requests for messages so far, in the order in which they ended."""
        text = self.log.read_text("utf-8") if self.log.exists() else ""
        return tuple(Call(**json.loads(line)) for line in text.splitlines() if line)

    def answered(self) -> Counter[str]:
        """How often each question was answered."""
        return Counter(call.digest for call in self.calls() if call.sent is not None)


@contextmanager
def model_server(
    folder: Path, *, latency: float = 0.0, port: int = 0, options: tuple[str, ...] = ()
) -> Iterator[Model]:
    """A server for as long as the block lasts."""
    log = folder / f"calls-{os.urandom(4).hex()}.jsonl"
    arguments = (f"--port={port}", f"--latency={latency}", "--seconds=900", f"--log={log}", *options)
    command = [sys.executable, "-m", "tests.loopback.server", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            yield Model(line.split("ANTHROPIC_BASE_URL=")[1].split()[0], log, process)
        finally:
            process.terminate()
