"""Names are looked for in long texts in a process of its own, with the same result, and within a limit of time."""

from pathlib import Path

import pytest

from comparator.domain.blinding.leak_patterns import patterns_for
from comparator.domain.blinding.scan import may_reveal, scan, suggested_redactions
from comparator.domain.labels import PerOutput
from comparator.outputs.view import redacting
from tests.worlds.files.outputs import World

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

    found = redacting.search(patterns, texts)

    assert {(f.pattern, f.where): (f.counts, f.elsewhere, f.excerpt) for f in found} == {
        (f.pattern, f.where): (f.counts, f.elsewhere, f.excerpt) for f in scan(patterns, texts)
    }
    shown = "\n".join(file.text for file in world.single(snapshot, *NAMES).view.files)
    assert not [name for name in NAMES if name in shown]
    assert "bark9" not in shown
    assert shown.count("A line of words.") == 50


@pytest.mark.usefixtures("few")
def test_what_cannot_be_searched_in_time_is_not_shown_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redacting, "SECONDS", 0.05)
    world = World(tmp_path / "blobs")
    long = f"By {NAMES[0]}.\n" + "kestrel bar " * 300_000
    both = PerOutput(A=world.uploads({"long.txt": long, "b.txt": "fine"}), B=world.uploads({"b.txt": "good"}))

    found = redacting.search(patterns_for(NAMES), world.texts(both))
    built = world.views(both, suggested_redactions(found))

    assert {finding.pattern for finding in found} >= set(NAMES)
    files = {file.name: file for file in built.A.view.files}
    assert files["b.txt"].text == "fine"
    assert files["long.txt"].text == ""
    assert "names" in files["long.txt"].notes[-1]
    assert [copy.name for copy in built.A.copies] == ["b.txt"]
    assert not may_reveal(found, suggested_redactions(found))
