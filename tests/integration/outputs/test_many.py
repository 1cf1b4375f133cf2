"""Thousands of files, and many slow ones, cost a bounded time and a bounded place in what a judge is given."""

import itertools
from pathlib import Path

import pytest

from comparator.domain.blinding.leak_patterns import patterns_for
from comparator.domain.blinding.scan import scan, suggested_redactions
from comparator.domain.labels import PerOutput
from comparator.outputs.limits import Limits
from comparator.outputs.snapshot import Snapshot
from comparator.outputs.view.reading import Reader
from tests.worlds.files.outputs import World
from tests.worlds.files.outputs_office import docx


def _crowded(folder: Path, prefix: str, *, files: int, links: int) -> Path:
    folder.mkdir()
    (folder / "report.md").write_text("words")
    for number in range(files):
        (folder / f"{prefix}-part-{number:05}.md").touch()
    for number in range(links):
        (folder / f"{prefix}-link-{number:05}.md").symlink_to("/etc/hostname")
    return folder


@pytest.mark.slow
def test_thousands_of_names_are_looked_through_and_listed(world: World, tmp_path: Path) -> None:
    snapshots = PerOutput[Snapshot](
        A=world.path(_crowded(tmp_path / "a", "ash", files=2_000, links=1_500)),
        B=world.path(_crowded(tmp_path / "b", "birch", files=2_000, links=1_500)),
    )
    names = snapshots.map(lambda s: tuple(artifact.path for artifact in s.artifacts))
    texts = world.texts(snapshots)
    found = scan(patterns_for(["ash-part"], file_names=names), texts)
    built = world.views(snapshots, suggested_redactions(found))

    aside = built.B.view.set_aside
    assert len(aside) == 201
    assert aside[199].name == "birch-link-00199.md"
    assert (aside[200].name, aside[200].reason) == ("and 1,300 more", "not listed by name")


def test_slow_documents_of_one_output_share_one_limit_of_time(tmp_path: Path) -> None:
    world = World(tmp_path / "blobs", limits=Limits(seconds_per_output=25))
    snapshots = PerOutput[Snapshot](
        A=world.uploads({f"{n}.docx": docx(f"first {n}") for n in range(5)}),
        B=world.uploads({"z.docx": docx("another")}),
    )
    # Every look at this clock is ten seconds after the one before, so each document takes ten seconds.
    ticks = itertools.count(0, 10)
    with Reader(blobs=world.blobs, limits=world.limits, clock=lambda: next(ticks)) as reader:
        texts = [reader.read(a, of=snapshots.A.digest).extraction for a in snapshots.A.artifacts]
        other = reader.read(snapshots.B.artifacts[0], of=snapshots.B.digest).extraction
        again = reader.read(snapshots.A.artifacts[0], of=snapshots.A.digest).extraction

    assert ["first" in extraction.text for extraction in texts] == [True, True, True, False, False]
    assert texts[3].notes == ("It is not read: reading this output took longer than 25 seconds.",)
    assert "another" in other.text
    assert again == texts[0]
