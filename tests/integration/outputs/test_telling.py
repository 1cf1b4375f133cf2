"""Nothing telling is left in any family, neither side bears a scar, and what stood there is kept by place."""

import base64
import json
import re
from pathlib import Path

import pytest

from comparator.domain.blinding.leak_patterns import patterns_for
from comparator.domain.blinding.redaction import add_nouns
from comparator.domain.blinding.scan import may_reveal, scan, suggested_redactions
from comparator.domain.labels import Label, PerOutput
from comparator.outputs.preview.render import render
from comparator.outputs.snapshot import Snapshot
from comparator.outputs.tables.store import MEDIA_TYPE, as_csv
from comparator.outputs.view.built import BuiltView, restore_words
from tests.worlds.files.outputs import World
from tests.worlds.files.outputs_office import docx, parquet, xlsx

NAME = "quillwort-v31"
Files = dict[str, bytes | str]
A: Files = {
    "report.md": "Made by quillwort-v31 in an eval run.\n\n```css\nalign-items: baseline\n```\n",
    "quillwort-v31-setup.sh": "echo runQuillwortV31  # the baseline run\n",
    "style.css": ".quillwort_v31 { align-items: baseline }",
    "data.json": json.dumps({"quillwort_v31": "The baseline run", "note": "a\nQuillwort V31"}),
    "rows.csv": "name,text\nquillwort-v31,the baseline run\n",
    "page.html": "<p>By <b>quillwort</b>-v31, a subagent.</p><pre>the baseline run</pre><script>eval(a)</script>",
    "memo.docx": docx("quillwort-v31 wrote this in an eval run"),
    "tool.bin": b"\0\1\2quillwort-v31\xff\xc3\0\1" + "quillwort-v31".encode("utf-16-le") + b"\xff\xff\0",
    "tool2.bin": b"\0\1" + "Quillwort-v31".encode("utf-16-be") + b"\xc0R\x05quillwortV31R\x07\0\0",
}
B: Files = {"report.md": "A toolkit.", "style.css": "a { align-items: baseline }"}


def _built(world: World, a: Files, b: Files) -> tuple[PerOutput[BuiltView], bool]:
    snapshots = PerOutput[Snapshot](A=world.uploads(a), B=world.uploads(b))
    texts = world.texts(snapshots)
    findings = scan(patterns_for([NAME]), texts)
    redactions = add_nouns(suggested_redactions(findings), texts=[text.text for text in texts], seed="")
    return world.views(snapshots, redactions), may_reveal(findings, redactions)


def test_a_name_is_gone_from_every_family_without_a_scar_and_kept_by_place(world: World) -> None:
    built, may_tell = _built(world, A, B)

    blobs = {copy.file_id: world.blobs.get(copy.blob) for copy in built.A.copies}
    parts = built.A.view.model_dump_json().encode(), *blobs.values()
    served = b"\n".join(parts).replace(b"\0", b"").lower()
    assert not may_tell
    for word in (b"quillwort", b"v31", b"redacted"):
        assert word not in served
    assert b"toolkit" not in served, "the other output has that noun"
    texts = {file.name: file.text for file in built.A.view.files}
    assert "in a run." in texts["report.md"]
    assert "align-items: baseline" in texts["report.md"]
    script = next(name for name in texts if name.endswith("-setup.sh"))
    noun = script.removesuffix("-setup.sh")
    assert f"Made by {noun} in" in texts["report.md"]
    assert texts[script].endswith("# the baseline run\n")
    assert texts["style.css"] == f".{noun.replace('-', '_')} {{ align-items: baseline }}"
    assert json.loads(texts["data.json"])[noun.replace("-", "_")] == "The baseline run"
    assert texts["rows.csv"] == f"name,text\n{noun},the baseline run\n"
    assert "<pre>the baseline run</pre><script>eval(a)</script>" in texts["page.html"].replace("\n", "")
    assert "a helper" in texts["page.html"]

    stood = {original.file_id: original for original in built.A.originals}
    plain = {name for name, data in A.items() if isinstance(data, str) and not name.endswith(".html")}
    for file in built.A.view.files:
        if file.id in stood and stood[file.id].name in plain:
            assert restore_words(file.text, stood[file.id].places) == A[stood[file.id].name]
    copies = {original.name: world.blobs.get(original.blob) for original in stood.values() if original.blob}
    assert b"quillwort</b>-v31" in copies["page.html"]
    assert built.B.originals == ()
    assert NAME not in built.A.model_dump_json()
    # Of bytes that cannot be read there is no copy and no original.
    unknown = {file.id for file in built.A.view.files if file.name.endswith(".bin")}
    assert len(unknown) == 2
    assert not unknown & (blobs.keys() | stood.keys())


@pytest.mark.parametrize("side", [0, 1])
def test_a_passage_that_tells_outright_stays_and_marks_the_pair(world: World, side: int) -> None:
    telling: Files = {"report.md": "I could not read the skill file: this is from memory."}

    built, may_tell = _built(world, *((telling, B) if side == 0 else (B, telling)))

    assert may_tell
    assert "could not read the skill file" in built[list(Label)[side]].view.files[0].text


JOINED = "kestrel-bark9"
READ = "kestrelbark9"


def words(text: str) -> str:
    """The letters that a person reads."""
    text = re.sub(r"\x1b\[[\d;]*m|.\x08|<!--.*?-->|<[^<>]*>|[*`]", "", text, flags=re.DOTALL)
    text = re.sub(r"&#x62;|&#98;|\\u0062|\\x62", "b", text)
    return re.sub(r"&shy;|\W", "", text).lower()


def badge() -> str:
    """A drawing of the name, as the address that holds it."""
    drawing = f'<svg xmlns="http://www.w3.org/2000/svg"><text>by {JOINED}</text></svg>'
    return f"data:image/svg+xml;base64,{base64.b64encode(drawing.encode()).decode()}"


TABLES = {
    "sheet.xlsx": xlsx([["what", "badge"], ["one", badge()], ["one", f"see {badge()} there"]]),
    "long.xlsx": xlsx([["what", "badge"], ["one", f"first\n{badge()}\nlast"]]),
    "cells.parquet": parquet([{"badge": badge()}, {"badge": f"![x]({badge()})"}]),
    "nested.parquet": parquet([{"badge": [{"picture": badge()}]}]),
    "cells.tsv": f"what\tbadge\none\t{badge()}\n".encode(),
    "cells.csv": f'what,badge\none,"x ""{badge()}"""\n'.encode(),
}


def opened(text: str) -> str:
    """The text with what its addresses hold."""
    return re.sub(r"base64,([\w+/=]+)", lambda hit: base64.b64decode(hit[1]).decode("utf-8", "replace"), text)


def test_a_name_in_a_picture_in_a_cell_is_found_and_neutral(tmp_path: Path) -> None:
    world = World(tmp_path / "blobs")
    snapshot = world.uploads(TABLES)

    texts = world.texts(PerOutput(A=snapshot, B=snapshot))
    built = world.single(snapshot, JOINED)

    pattern_sets = [{finding.pattern for finding in scan(patterns_for([JOINED]), (text,))} for text in texts]
    assert sum(JOINED in patterns for patterns in pattern_sets) == 2 * len(TABLES)
    assert len(built.view.files) == len(built.copies) == len(TABLES)
    for viewed, copy in zip(built.view.files, built.copies, strict=True):
        assert copy.file_id == viewed.id
        assert READ not in words(opened(viewed.text)), viewed.text
        data = world.blobs.get(copy.blob)
        page = render(viewed.name, family=viewed.family, media_type=copy.media_type, data=data)
        assert READ not in words(opened(page.body))
        if copy.media_type == MEDIA_TYPE:
            data = as_csv(data)
        assert READ not in words(opened(data.decode())), viewed.name
