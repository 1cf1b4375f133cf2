"""Comparisons to review, stored by the app's own workflow: of two long texts, of two PDFs, of two files a side."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from comparator.bootstrap import open_services
from comparator.domain.labels import Label, PerOutput
from comparator.domain.pair.task import TaskText
from comparator.settings import Settings
from comparator.store.core.unit import Unit
from comparator.store.people import people, projects
from comparator.workflow.review.review import record
from tests.worlds.files.needles import long_pdf
from tests.worlds.workbench import Workbench

PROJECT = "Measured"
TEXT_BYTES, PDF_PAGES = 200_000, 40
TEXT, PDF, TWO = "text", "pdf", "two"
WORDS = [
    "invoice",
    "total",
    "amount",
    "customer",
    "cluster",
    "upgrade",
    "region",
    "policy",
    "network",
    "release",
]
EXPECTATIONS = ("It names every invoice.", "It gives the total.", "It says which region comes first.")


def store(home: Path, kinds: Iterable[str]) -> tuple[str, ...]:
    """Ids of the comparisons stored below `home`, one a kind and in this order, each ready to be finalised."""
    settings = Settings(home=home, judge="offline", chromium="off")
    services = open_services(settings)
    try:
        with tempfile.TemporaryDirectory(prefix="bench-pairs-") as folder:
            bench = Workbench(services.database, services.blobs, Path(folder), settings)
            with services.database.write() as connection:
                unit = Unit(connection, at=datetime.now(UTC), new_id=services.new_id)
                project = projects.ensure_project(unit, PROJECT)
                kept = project.settings.model_copy(update={"ask_guess_share": 0.0})
                projects.save_settings(unit, project.id, kept)
                # Whoever reviews is not who knows which output is whose.
                author = people.ensure_person(unit, "local:author", name="Author").id
            reviewer, bench.person = bench.person, author
            return tuple(_stored(bench, number, kind, reviewer=reviewer) for number, kind in enumerate(kinds))
    finally:
        services.close()


def _stored(bench: Workbench, number: int, kind: str, *, reviewer: str) -> str:
    for label in Label:
        for file, data in _files(kind, random.Random(f"{number}{label}")).items():
            bench.file(f"{number}/{label.value}/{file}", data)
    own = bench.folder / str(number)
    comparison_id = bench.submitted(
        PerOutput[Path](A=own / "A", B=own / "B"),
        task=TaskText(prompt=f"Report {number} on the invoices of this month.", expectations=EXPECTATIONS),
        project=PROJECT,
    )
    outcome = bench.judged(comparison_id)
    assert outcome.complete, outcome
    # The offline check judges nothing, so that a review needs an opinion of its own.
    why = bench.change("reasoning", "It answers more of what was asked.")
    record(bench.services.by(reviewer), comparison_id, [why.model_copy(update={"author": reviewer})])
    return comparison_id


def _files(kind: str, chance: random.Random) -> Mapping[str, bytes]:
    if kind == PDF:
        return {"report.pdf": long_pdf([_lines(chance, 45) for _ in range(PDF_PAGES)])}
    names = ("one.txt", "two.txt") if kind == TWO else ("report.txt",)
    return {name: _lines(chance, TEXT_BYTES // 60)[:TEXT_BYTES].encode() for name in names}


def _lines(chance: random.Random, count: int) -> str:
    return "\n".join(" ".join(chance.choices(WORDS, k=12)) for _ in range(count))
