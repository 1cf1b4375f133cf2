"""Comparisons to review, stored by the app's own workflow: of two long texts, of two PDFs, of two files a side."""

from __future__ import annotations

import asyncio
import io
import random
import tempfile
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from comparator.bootstrap import open_services
from comparator.domain.labels import PerOutput
from comparator.domain.pair.task import TaskText
from comparator.domain.scoring.review import Change, ChangeKind, Part, Target
from comparator.settings import Settings
from comparator.store.core.unit import Unit
from comparator.store.people import projects
from comparator.workflow.judging.judge_here import judge_comparison
from comparator.workflow.people.people import local_person
from comparator.workflow.review.current_verdict import current_verdict
from comparator.workflow.review.review import record
from comparator.workflow.review.review_state import review_state
from comparator.workflow.services import Services
from comparator.workflow.submit.intake import read_output
from comparator.workflow.submit.set_up import submit
from comparator.workflow.submit.submission import Submission

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
    services = open_services(Settings(home=home, judge="offline", chromium="off"))
    try:
        return asyncio.run(_stored(services, tuple(kinds)))
    finally:
        services.close()


async def _stored(services: Services, kinds: tuple[str, ...]) -> tuple[str, ...]:
    me = local_person(services).id
    with services.database.write() as connection:
        project = projects.ensure_project(
            Unit(connection, at=datetime.now(UTC), new_id=services.new_id), PROJECT
        )
        settings = project.settings.model_copy(update={"ask_guess_share": 0.0})
        projects.save_settings(
            Unit(connection, at=datetime.now(UTC), new_id=services.new_id),
            project.id,
            settings,
            person_id=None,
        )
    judge = services.judge("offline")
    found = []
    try:
        for number, kind in enumerate(kinds):
            comparison_id = _submitted(services, number, kind)
            outcome = await judge_comparison(services, judge, comparison_id)
            assert outcome.complete, outcome
            _assess(services, comparison_id, person_id=me)
            found.append(comparison_id)
    finally:
        await judge.close()
    return tuple(found)


def _submitted(services: Services, number: int, kind: str) -> str:
    with tempfile.TemporaryDirectory(prefix="bench-pair-") as name:
        folders = PerOutput[Path](A=Path(name) / "a", B=Path(name) / "b")
        for label, folder in folders.items():
            folder.mkdir()
            for file, data in _files(kind, random.Random(f"{number}{label}")).items():
                (folder / file).write_bytes(data)
        return submit(
            services,
            Submission(
                task=TaskText(
                    prompt=f"Report {number} on the invoices of this month.", expectations=EXPECTATIONS
                ),
                outputs=folders.map(lambda folder: read_output(services, folder)),
                candidates=PerOutput[str](A="one", B="other"),
                project=PROJECT,
            ),
            person_id=None,
        ).comparison_id


def _assess(services: Services, comparison_id: str, *, person_id: str) -> None:
    """Give what the offline check cannot: a value where it has none, and words in place of its own."""
    with services.database.read() as connection:
        missing = current_verdict(review_state(connection, comparison_id, person_id=person_id)).missing
    given: dict[Target, object] = {Target(part=Part.REASONING): "It answers more of what was asked."}
    for target in map(Target.parse, missing):
        given[target] = True if target.part is Part.EXPECTATION else 4
    changes = [
        Change(
            id=services.new_id(),
            target=target,
            kind=ChangeKind.SET,
            value=value,
            author=person_id,
            at=datetime.now(UTC),
        )
        for target, value in given.items()
    ]
    record(services, comparison_id, changes, person_id=person_id)


def _files(kind: str, chance: random.Random) -> Mapping[str, bytes]:
    if kind == PDF:
        return {"report.pdf": pdf(chance)}
    names = ("one.txt", "two.txt") if kind == TWO else ("report.txt",)
    return {name: text(chance) for name in names}


def text(chance: random.Random) -> bytes:
    """Lines of words, 200 KB of them."""
    lines = (" ".join(chance.choices(WORDS, k=12)) for _ in range(TEXT_BYTES // 60))
    return "\n".join(lines)[:TEXT_BYTES].encode()


def pdf(chance: random.Random) -> bytes:
    """A PDF of forty pages of words."""
    parts = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    kids = []
    for number in range(PDF_PAGES):
        lines = "".join(f"({number} {' '.join(chance.choices(WORDS, k=9))}) Tj T* " for _ in range(45))
        stream = f"BT /F1 11 Tf 60 780 Td 14 TL {lines}ET".encode()
        parts.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
        own = b"/MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >>"
        parts.append(b"<< /Type /Page /Parent 2 0 R %s /Contents %d 0 R >>" % (own, len(parts)))
        kids.append(b"%d 0 R" % len(parts))
    parts[1] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(kids), b" ".join(kids))
    out = io.BytesIO()
    out.write(b"%PDF-1.4\n")
    places = []
    for number, part in enumerate(parts, 1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, part))
    table = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(parts) + 1))
    out.write(b"".join(b"%010d 00000 n \n" % place for place in places))
    out.write(b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(parts) + 1, table))
    return out.getvalue()
