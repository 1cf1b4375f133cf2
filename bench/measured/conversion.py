"""What it takes to turn the Office files of pairs into pages, beside LibreOffice by itself."""

import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from bench.figures import Figure, figure, seconds
from comparator.domain.labels import PerOutput
from comparator.outputs.pictures.finder import find_soffice
from comparator.outputs.pictures.office.printer import Printer
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.workflow import pictures
from tests.worlds.files.office_documents import document, par
from tests.worlds.workbench import Workbench

PAIRS, ALONE = 20, 4


def measure() -> Sequence[Figure]:
    """Seconds for a file in a batch of pairs."""
    soffice = find_soffice()
    assert soffice is not None, "This benchmark needs LibreOffice."
    with (
        tempfile.TemporaryDirectory(prefix="bench-conversion-") as name,
        closing(Database.open(f"sqlite:///{name}/own.db")) as database,
    ):
        folder = Path(name)
        alone = figure("LibreOffice alone", [_alone(soffice, folder, number) for number in range(ALONE)], "s")
        bench = Workbench(database, BlobStore.at(str(folder / "blobs")), folder / "work")
        bench.services = replace(bench.services, printer=Printer(folder / "pages", soffice=soffice))
        for number in range(PAIRS):
            for side in "AB":
                bench.file(f"{number}/{side}/outputs/report.docx", _document(f"{side} of pair {number}"))
            place = bench.folder / str(number)
            bench.submitted(PerOutput[Path](A=place / "A" / "outputs", B=place / "B" / "outputs"))
        batch = seconds(
            lambda: [pictures.make_next(bench.services, worker="bench:0:pages") for _ in range(PAIRS)]
        )
    return (
        figure("conversion: a file of a batch, two at once", batch / PAIRS / 2, "s", floor=alone.value, times=2,
               of="a file by LibreOffice alone"),
    )  # fmt: skip


def _alone(soffice: str, folder: Path, number: int) -> float:
    """Seconds that LibreOffice takes for such a file with a profile that is new, as in the batch."""
    path = folder / f"alone{number}.docx"
    path.write_bytes(_document(f"alone {number}"))
    profile = f"-env:UserInstallation=file://{folder}/profile{number}"
    command = [soffice, "--headless", profile, "--convert-to", "pdf", "--outdir", str(folder), str(path)]
    return seconds(lambda: subprocess.run(command, check=True, capture_output=True))


def _document(title: str) -> bytes:
    return document(par(f"Report {title}") + "".join(par(f"Paragraph {n} of {title}.") for n in range(20)))
