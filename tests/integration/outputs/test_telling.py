"""Nothing telling is left in any family, neither side bears a scar, and what stood there is kept by place."""

import json

import pytest

from comparator.domain.blinding.leak_patterns import patterns_for
from comparator.domain.blinding.redaction import named
from comparator.domain.blinding.scan import may_reveal, scan, suggested_redactions
from comparator.domain.labels import Label, PerOutput
from comparator.outputs.snapshot import Snapshot
from comparator.outputs.view.built import BuiltView, restored
from tests.worlds.files.outputs import World
from tests.worlds.files.outputs_office import docx

NAME = "quillwort-v31"
A: dict[str, bytes | str] = {
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
B: dict[str, bytes | str] = {
    "report.md": "A toolkit. Nothing else.",
    "style.css": "a { align-items: baseline }",
}


def _built(
    world: World, a: dict[str, bytes | str], b: dict[str, bytes | str]
) -> tuple[PerOutput[BuiltView], bool]:
    snapshots = PerOutput[Snapshot](A=world.uploads(a), B=world.uploads(b))
    texts = world.texts(snapshots)
    findings = scan(patterns_for([NAME]), texts)
    redactions = named(suggested_redactions(findings), texts=[text.text for text in texts], seed="")
    built = world.views(snapshots, redactions)
    return built, may_reveal(findings, redactions)


def _served(world: World, built: BuiltView) -> bytes:
    return b"\n".join(
        (built.view.model_dump_json().encode(), *(world.blobs.get(copy.blob) for copy in built.copies))
    )


def test_a_name_is_gone_from_every_family_and_no_scar_is_left(world: World) -> None:
    built, told = _built(world, A, B)

    served = _served(world, built.A).replace(b"\0", b"").lower()
    assert not told
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


def test_swapping_a_and_b_mirrors_everything(world: World) -> None:
    there, back = _built(world, A, B)[0], _built(world, B, A)[0]

    for label in Label:
        assert there[label].view.digest == back[label.other].view.digest
        assert [copy.blob for copy in there[label].copies] == [copy.blob for copy in back[label.other].copies]


def test_what_stood_there_is_kept_by_place(world: World) -> None:
    built, _ = _built(world, A, B)

    stood = {each.file_id: each for each in built.A.originals}
    plain = {name for name, data in A.items() if isinstance(data, str) and not name.endswith(".html")}
    for file in built.A.view.files:
        if file.id in stood and stood[file.id].name in plain:
            assert restored(file.text, stood[file.id].places) == A[stood[file.id].name]
    copies = {each.name: world.blobs.get(each.blob) for each in stood.values() if each.blob}
    assert b"quillwort</b>-v31" in copies["page.html"]
    assert built.B.originals == ()
    assert NAME not in built.A.model_dump_json()


def test_of_bytes_that_cannot_be_read_there_is_no_copy_and_no_original(world: World) -> None:
    built, _ = _built(world, A, B)

    unknown = {file.id for file in built.A.view.files if file.name.endswith(".bin")}
    assert len(unknown) == 2
    assert not unknown & {copy.file_id for copy in built.A.copies}
    assert not unknown & {original.file_id for original in built.A.originals}


@pytest.mark.parametrize("side", [0, 1])
def test_a_passage_that_tells_outright_stays_and_marks_the_pair(world: World, side: int) -> None:
    telling: dict[str, bytes | str] = {
        "report.md": "I could not read the skill file, so this is from memory."
    }
    given = [telling, B] if side == 0 else [B, telling]

    built, told = _built(world, *given)

    assert told
    assert "could not read the skill file" in built[Label.A if side == 0 else Label.B].view.files[0].text
