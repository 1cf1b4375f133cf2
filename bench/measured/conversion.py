"""What it takes to turn the Office files of 100 pairs into pages, and to stop, beside LibreOffice by itself."""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from bench.figures import Figure, at_most
from comparator.domain.labels import PerOutput
from comparator.outputs.isolated.system import descendants
from comparator.outputs.pictures.finder import Machine
from comparator.outputs.pictures.office.finder import find_soffice
from comparator.outputs.pictures.office.printer import Printer
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.pairs import comparisons
from comparator.workflow.judging import office_pages
from tests.worlds.files.office_documents import document, par
from tests.worlds.workbench import Workbench

PAIRS = 100
ALONE = 5
_WORKER = "bench:0:pages"


def measure() -> Sequence[Figure]:
    """Seconds for a file in a batch of pairs, for the numbers of its progress, and from a stop until nothing runs."""
    soffice = find_soffice(machine=Machine.of(os.environ))
    assert soffice is not None, "This benchmark needs LibreOffice."
    with tempfile.TemporaryDirectory(prefix="bench-conversion-") as name:
        folder = Path(name)
        floor = statistics.median(_alone(soffice, folder, number) for number in range(ALONE))
        database = Database.open(f"sqlite:///{folder / 'own.db'}")
        workbench = Workbench(database, BlobStore.at(str(folder / "blobs")), folder / "work")
        workbench.services = replace(workbench.services, printer=Printer(folder / "pages", soffice=soffice))
        ids = [_pair(workbench, number) for number in range(PAIRS + 1)]
        with database.read() as connection:
            project = comparisons.get(connection, ids[0]).project_id
        asked: list[float] = []

        def count() -> None:
            began = time.perf_counter()
            office_pages.progress(workbench.services, project_id=project)
            asked.append(time.perf_counter() - began)

        began = time.perf_counter()
        for _ in range(PAIRS):
            assert office_pages.make_next(workbench.services, worker=_WORKER)
            count()
        batch = time.perf_counter() - began
        stop = _stopped(workbench, project)
        database.close()
    return (
        at_most(
            "conversion: a file of a batch, two at once",
            batch / PAIRS / 2,
            unit="s",
            floor=floor,
            times=2,
            n=PAIRS * 2,
            of="a file by LibreOffice alone",
        ),
        Figure(name=f"conversion: {PAIRS} pairs", value=batch, unit="s", n=1),
        Figure(name="conversion: progress", value=statistics.median(asked) * 1000, unit="ms", n=len(asked)),
        Figure(
            name="conversion: from a stop until nothing runs",
            value=stop,
            unit="s",
            goal="at most 3 s",
            holds=stop <= 3,
            n=1,
        ),
    )


def _alone(soffice: str, folder: Path, number: int) -> float:
    """Seconds that LibreOffice takes for such a file with a profile that is new, as in the batch."""
    path = folder / f"alone{number}.docx"
    path.write_bytes(_document(f"alone {number}"))
    profile = f"-env:UserInstallation=file://{folder}/profile{number}"
    command = [soffice, "--headless", profile, "--convert-to", "pdf", "--outdir", str(folder), str(path)]
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - began


def _pair(workbench: Workbench, number: int) -> str:
    for side in ("one", "two"):
        workbench.file(f"{number}/{side}/outputs/report.docx", _document(f"{side} of pair {number}"))
    place = workbench.folder / str(number)
    return workbench.submitted(PerOutput[Path](A=place / "one" / "outputs", B=place / "two" / "outputs"))


def _document(title: str) -> bytes:
    return document(par(f"Report {title}") + "".join(par(f"Paragraph {n} of {title}.") for n in range(20)))


def _stopped(workbench: Workbench, project: str) -> float:
    """Seconds from a stop in the middle of a conversion until no process of it is left."""
    before = set(descendants(os.getpid()))
    making = threading.Thread(target=lambda: office_pages.make_next(workbench.services, worker=_WORKER))
    making.start()
    while len(set(descendants(os.getpid())) - before) < 2:
        time.sleep(0.01)
    began = time.perf_counter()
    office_pages.stop(workbench.services, project_id=project, person_id=workbench.person)
    making.join()
    while set(descendants(os.getpid())) - before:
        time.sleep(0.01)
    return time.perf_counter() - began
