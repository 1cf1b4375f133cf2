"""Thousands of files, slow ones and long texts cost a bounded time, and no preview is made twice."""

import itertools
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from comparator.domain.blinding.leak_patterns import patterns_for
from comparator.domain.blinding.scan import may_reveal, scan, suggested_redactions
from comparator.domain.labels import PerOutput
from comparator.domain.pair.view import Family
from comparator.outputs.limits import Limits
from comparator.outputs.preview.child_process import Renderer
from comparator.outputs.snapshot import Snapshot
from comparator.outputs.tables.store import MEDIA_TYPE
from comparator.outputs.view import redacting
from comparator.outputs.view.reading import Reader
from comparator.web.media.routes import media_routes
from tests.browser.servers.panes_files import PARAGRAPHS
from tests.worlds.files.outputs import World, kept
from tests.worlds.files.outputs_office import docx, paper
from tests.worlds.media import Media


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
    findings = scan(patterns_for(["ash-part"], file_names=names), texts)
    built = world.views(snapshots, suggested_redactions(findings))

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


NAMES = ("kestrel-bark9", "quollpine-v7")
TEXTS = {
    "notes.txt": f"By {NAMES[0]}.\n" + "A line of words.\n" * 50,
    "page.html": f"<p>By kestrel<b>bark9</b> {'and more ' * 200}</p>",
    "table.csv": "a,b\n" + f"1,{NAMES[1]}\n" * 80,
    "text.md": "由" + NAMES[1] + "生成\n" * 300,
    "short.txt": "nothing",
}


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redacting, "LONG", 500)


@pytest.mark.usefixtures("few")
def test_a_long_text_is_searched_and_rewritten_as_a_short_one_is(tmp_path: Path) -> None:
    world = World(tmp_path / "blobs")
    snapshot = world.uploads(TEXTS)
    texts = world.texts(PerOutput(A=snapshot, B=world.uploads({"b.txt": "By nobody."})))
    patterns = patterns_for(NAMES)

    matches = redacting.search(patterns, texts)

    assert {(f.pattern, f.where): (f.counts, f.elsewhere, f.excerpt) for f in matches} == {
        (f.pattern, f.where): (f.counts, f.elsewhere, f.excerpt) for f in scan(patterns, texts)
    }
    visible_text = "\n".join(file.text for file in world.single(snapshot, *NAMES).view.files)
    assert not [name for name in NAMES if name in visible_text]
    assert "bark9" not in visible_text
    assert visible_text.count("A line of words.") == 50


@pytest.mark.usefixtures("few")
def test_what_is_not_searched_in_time_is_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redacting, "SECONDS", 0.05)
    world = World(tmp_path / "blobs")
    long = f"By {NAMES[0]}.\n" + "kestrel bar " * 300_000
    both = PerOutput(A=world.uploads({"long.txt": long, "b.txt": "fine"}), B=world.uploads({"b.txt": "good"}))

    findings = redacting.search(patterns_for(NAMES), world.texts(both))
    built = world.views(both, suggested_redactions(findings))

    assert {finding.pattern for finding in findings} >= set(NAMES)
    files = {file.name: file for file in built.A.view.files}
    assert files["b.txt"].text == "fine"
    assert files["long.txt"].text == ""
    assert "names" in files["long.txt"].notes[-1]
    assert [copy.name for copy in built.A.copies] == ["b.txt"]
    assert not may_reveal(findings, suggested_redactions(findings))


SHEETS = [{"name": name, "rows": [[name, n] for n in range(900)]} for name in ("First", "Second")]
FILES = {
    "text": (Family.TEXT, "text/plain", "\n".join(PARAGRAPHS).encode()),
    "markdown": (Family.MARKDOWN, "text/plain", b"# Words\n\n| a |\n|---|\n| 1 |\n"),
    "code": (Family.CODE, "text/plain", b"def add(a, b):\n    return a + b\n"),
    "csv": (Family.CSV, "text/plain", b"n,word\n" + b"".join(b"%d,word %d\n" % (n, n) for n in range(900))),
    "book": (Family.XLSX, MEDIA_TYPE, kept(*SHEETS)),
    "pdf": (Family.PDF, "application/pdf", paper(PARAGRAPHS)),
}
ADDRESSES = (
    *(f"{name}/{mode}?theme={theme}" for name in FILES for mode in ("view", "source") for theme in ("light", "dark")),
    *(f"pdf/page/{number}.png" for number in (1, 2, 6)),
    *("csv/view?sort=2,desc", "csv/view?page=2", "book/view?sheet=2&page=2"),
)  # fmt: skip


def opened(media: Media, renderer: Renderer, cache: Path) -> dict[str, bytes]:
    """What every address answers, by a server that has just been started."""
    client = TestClient(Starlette(routes=media_routes(media, renderer=renderer, cache=cache)))
    answers = {address: client.get(f"/outputs/{address}") for address in ADDRESSES}
    assert {answer.status_code for answer in answers.values()} == {200}
    return {address: answer.content for address, answer in answers.items()}


@pytest.mark.slow
def test_no_preview_is_made_twice_also_after_a_restart(renderer: Renderer, tmp_path: Path) -> None:
    media = Media({id: (f"{id}.x", *about) for id, about in FILES.items()})
    first = opened(media, renderer, tmp_path)
    assert media.read >= len(FILES)

    closed = Renderer(children=1)
    closed.close()  # from now on nothing can be rendered
    media.read = 0
    assert opened(media, closed, tmp_path) == first
    assert media.read == 0
