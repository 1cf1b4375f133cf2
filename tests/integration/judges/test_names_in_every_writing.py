"""A candidate's name, in 48 places and 41 writings, reaches no judge, frame, export or log before the reveal."""

import base64
import html
import json
import logging
import re
import unicodedata
import zipfile
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote, unquote

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from comparator.domain.labels import PerOutput
from comparator.domain.pair.task import TaskText
from comparator.interop.exported import ExportFormat
from comparator.outputs.pictures.office.printer import Converter, Printer
from comparator.outputs.preview.child_process import Renderer
from comparator.outputs.preview.render import render
from comparator.store.pairs import comparisons, outputs
from comparator.web.guards.gate import PAGES
from comparator.web.media.files import StoredMedia
from comparator.web.media.routes import media_routes
from comparator.workflow.exporting.formats import ExportRequest, file_name, write_export
from tests.loopback.server import LoopbackServer
from tests.worlds.files.named_documents import documents
from tests.worlds.files.outputs_markers import layers
from tests.worlds.judging.judges import judge_at
from tests.worlds.workbench import Workbench

CANDIDATES = (("kestrelbark9", "quollpine-v7"), ("zq7", "marlin-moss-v31"))
WRITINGS = {
    "beside Chinese": "由{n}生成的报告",
    "beside Cyrillic": "сделано{n}ом",
    "beside Arabic": "بواسطة{n}الآن",
    "coloured": "\x1b[32m{n}\x1b[0m",
    "percent": "Created%20by%20{n}%20today",
    "quoted-printable": "=20{n}=20",
    "a literal line end": r"done\n{n}\ndone",
    "behind a number": "v2{n}",
    "glued": "my{n}s",
    "entity": "{e}",
    "entities of its neighbours": "&nbsp;{n}&#44;",
    "zero width": "{z}",
    "eight digits": r"\U{c:08x}{b}",
    "entity without its end": "&#{c}{b}",
    "struck out": "{n:.3}xyz\b\b\b{i}",
    "a title within": "{h}\x1b]0;x\x07{t}",
    "coloured in eight bits": "{h}\x9b32m{t}",
    "full width": "{f}",
    "capitals": "{u}",
    "beside digits of another script": "\u0664{n}\u0663",
    "squared": "{q}",
    "small capitals": "{k}",
    "percent twice": "%25{c:02x}{b}",
    "entity twice": "&amp;#{c};{b}",
    "a letter without a sign": r"{h}\u0000{t}",
    "places for hyphens": r"{h}\-{t}",
    "nothing in braces": "{h}{{}}{t}",
    "markup that ends": r"**{h}**\ {t}",
    "a formula": r"{h}$\mathrm{{{t}}}$",
    "quoted apart": "{h}''{t}",
    "spelt": "{s}",
}
ONLY_LONG = {"glued", "spelt"}
"""Writings in which a short name would be chance."""
MARKED_UP = {
    "bold": "{h}**{t}**",
    "tag": "{h}<b>{t}</b>",
    "comment": "{h}<!-- x -->{t}",
    "long comment": f"{{h}}<!-- {'x ' * 3000} -->{{t}}",
    "empty comment": "{h}<!-->{t}",
    "instruction": "{h}<?x?>{t}",
    "label": "{h}<label>{t}</label>",
    "time": "{h}<time>{t}</time>",
    "unknown element": "{h}<x-y title='z'>{t}</x-y>",
    "link": "[{h}](https://example.org/a)[{t}](https://example.org/b)",
}
"""How Markdown and HTML split a word."""
LINES = {
    "heading.md": "# {w}",
    "paragraph.md": "Text by {w}.",
    "list.md": "- {w}",
    "cell.md": "| a |\n|---|\n| {w} |",
    "quote.md": "> {w}",
    "code.md": "`{w}`",
    "fence.md": "```\n{w}\n```",
    "link.md": "[{w}](https://example.org/page)",
    "page.html": "<p>{w}</p>",
    "title.html": "<title>{w}</title><p>text</p>",
    "alt.html": '<p>text</p><img alt="{w}" src="data:,">',
    "cell.html": "<table><tr><td>{w}</td></tr></table>",
    "script.html": '<p>text</p><script>let a = "{w}"</script>',
    "comment.html": "<p>text</p><!-- {w} -->",
    "comment.md": "text <!-- {w} -->",
    "drawing.svg": '<svg xmlns="http://www.w3.org/2000/svg"><text>{w}</text></svg>',
    "notes.txt": "{w}",
    "run.log": "12:00 INFO {w}",
    "tool.py": 'name = "{w}"',
    "comment.py": "# {w}",
    "tool.js": 'const name = "{w}"',
    "style.css": "/* {w} */",
    "query.sql": "select '{w}'",
    "tool.sh": 'echo "{w}"',
    "table.csv": "a,b\n1,{w}",
    "table.tsv": "a\tb\n1\t{w}",
    "head.csv": "{w},b\n1,2",
    "value.yaml": "a: '{w}'",
    "list.yaml": "- '{w}'",
    "value.toml": "a = '''{w}'''",
    "value.ini": "[a]\nb = {w}",
    "text.xml": "<a>{w}</a>",
    "attribute.xml": '<a b="{w}"/>',
    "change.diff": "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+{w}",
    "text.rst": "{w}",
    "text.tex": "{w}",
}
"""Files with a place for a writing."""
LETTERS, SMALL_CAPITALS = "abcdefghijklmnoprstuvwyz", "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ"
PLAIN_LETTERS = str.maketrans(SMALL_CAPITALS, LETTERS) | {0x1F170 + at: ord("a") + at for at in range(26)}
"""What the letters of the writings stand for."""
RANDOM_ID = re.compile(r"\b[a-z0-9]{20}\b")


def badges(name: str) -> list[str]:
    """Data addresses that hold the name in a drawing, a style sheet, a page, and a drawing within a drawing."""

    def packed(kind: str, text: str) -> str:
        return f"data:{kind};base64,{base64.b64encode(text.encode()).decode()}"

    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">{}</svg>'
    plain = svg.format(f"<text>{name}</text>")
    split = svg.format(f"<text><tspan>{name[:2]}</tspan><tspan>{name[2:]}</tspan></text>")
    return [
        packed("image/svg+xml", plain),
        packed("image/svg+xml", split),
        f"data:image/svg+xml,{quote(plain)}",
        f"data:image/svg+xml;utf8,{quote(split)}",
        packed(
            "image/svg+xml",
            svg.format(f'<image width="9" height="9" href="{packed("image/svg+xml", plain)}"/>'),
        ),
        packed("text/css", f".{name} {{ color: red }}"),
        packed("image/svg+xml", plain).replace("data:", "DATA:"),
        packed("image/svg+xml", plain).replace(";base64", " ;base64"),
        packed("image/svg+xml;charset=utf-8", plain),
        re.sub("(?<=,)(.{40})", r"\1\n", packed("image/svg+xml", plain)),
    ]


def in_base64(name: str) -> str:
    """A badge with this name."""
    badge = f'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>{name}</text></svg>'
    return base64.b64encode(badge.encode()).decode()


def disguised(name: str) -> list[tuple[str, str]]:
    """Data addresses as a browser alone would read them: with tabs, entities and escapes, each with its place."""
    badge = in_base64(name)
    return [
        ('<p>text</p><img src="{a}">', f"d\tata:image/svg+xml;base64,{badge}"),
        ('<p>text</p><img src=" {a}">', f"data:image/s\nvg+xml;base64,{badge}"),
        ('<p>text</p><img src="{a}">', f"&#100;ata:image/svg+xml;base64,{badge}"),
        ("<p>text</p><img src={a}>", f"da&Tab;ta:image/svg+xml;base64,{badge}"),
        (
            '<p>text</p><object data="{a}"></object>',
            f"data&colon;image&sol;svg&plus;xml&semi;base64&comma;{badge}",
        ),
        ("<style>p { background: url({a}) }</style><p>text</p>", f"\\64 ata:image/svg+xml;base64,{badge}"),
        (
            "<style>p { background: url('{a}') }</style><p>text</p>",
            f"data\\:image/svg\\+xml;base64\\,{badge}",
        ),
        ("<p style=\"background: url('{a}')\">text</p>", f"d&#97;ta:image/svg+xml;base64,{badge}"),
        ("<style>@import '{a}';</style><p>text</p>", f"d\\61ta:image/svg+xml;base64,{badge}"),
    ]


def written(name: str, template: str) -> str:
    """The name in one of its writings."""
    return template.format(
        n=name,
        u=name.upper(),
        e=f"&#{ord(name[0])};{name[1:]}",
        z=f"{name[:3]}\u200b{name[3:]}",
        f="".join(chr(ord(letter) + 0xFEE0) for letter in name),
        h=name[:4],
        t=name[4:],
        c=ord(name[0]),
        b=name[1:],
        i=name[3:],
        q="".join(chr(ord(letter) - ord("a") + 0x1F170) if letter.isalpha() else letter for letter in name),
        k=name.translate(str.maketrans(LETTERS, SMALL_CAPITALS)),
        s=" ".join(name),
    )


@lru_cache(maxsize=100_000)
def as_read(text: str) -> str:
    """The letters and digits that a person reads, without regard to how they are encoded."""
    text = text.replace("\\/", "/").replace("\\u002b", "+")
    for _ in range(3):
        text = re.sub(
            r"data:\s*(?:image/svg\+xml|text/css)[^,]*base64,((?:[\w+/=-]|\n|\\n)+)",
            lambda match: base64.b64decode(match[1].replace("\\n", "")).decode("utf-8", "replace"),
            text,
            flags=re.IGNORECASE,
        )
    text = re.sub(r"(?<!\\)\\U([0-9a-f]{8})", lambda match: chr(int(match[1], 16)), text)
    text = re.sub(r"\[([^\[\]]*)\]\([^()]*\)", r"\1", text)
    while (less := re.sub(r"[^\b]\x08", "", text)) != text:
        text = less
    text = re.sub(r"(?:\x1b|\\u001b)\[[\d;]*m|\x1b\].*?\x07|\x9b[\d;]*m|<!-->|<!--.*?-->", "", text)
    text = re.sub(r"</?[a-zA-Z?][^<>]*>|\*+", "", text)
    text = text.replace("\\u0000", "").replace("\\mathrm", "")
    text = text.translate(PLAIN_LETTERS)
    text = unquote(unquote(html.unescape(html.unescape(text)))).replace("=20", " ").replace("\\n", " ")
    text = unicodedata.normalize("NFKD", text).casefold()
    return re.sub(r"[\W_]+", "", text)


def writings_of(name: str) -> list[str]:
    """The name in each writing; inside a longer word only where it is long enough to be no chance."""
    return [written(name, form) for kind, form in WRITINGS.items() if kind not in ONLY_LONG or len(name) > 5]


def names_in(text: str, names: PerOutput[str]) -> set[str]:
    """Which of the candidates' names a person would read in it."""
    letters = as_read(text)
    return {name for name in (names.A, names.B) if as_read(name) in letters}


def planted(workbench: Workbench, names: PerOutput[str]) -> str:
    """A comparison of two folders, each with its candidate's name in every place and writing."""
    for name in (names.A, names.B):
        writings = writings_of(name)
        for file, line in LINES.items():
            split = file.endswith((".md", ".html")) and "script" not in file
            more = [written(name, form) for form in MARKED_UP.values()] if split else []
            parts = [line.replace("{w}", writing) for writing in (*writings, *more)]
            workbench.file(f"{name}/outputs/{file}", "\n\n".join(parts) + "\n")
        # An escape that JSON escapes once more is a limit.
        once = [writing for writing in writings if "\\" not in writing or "done" in writing]
        once.append(f"{name[:2]}\0{name[2:]}")
        shapes: dict[str, list[object]] = {
            "value.json": [{"a": writing} for writing in once],
            "key.json": [{writing: 1} for writing in once],
            "list.json": [[writing] for writing in once],
        }
        for file, values in shapes.items():
            workbench.file(f"{name}/outputs/{file}", json.dumps(values, ensure_ascii=False))
        for number, address in enumerate(badges(name)):
            places = {
                "md": f"![badge]({address})",
                "html": f'<p>text</p><img alt="badge" src="{address}">',
                "css.html": f"<style>p {{ background: url('{address}') }}</style><p>text</p>",
                "svg": f'<svg xmlns="http://www.w3.org/2000/svg"><image href="{address}"/></svg>',
                "json": json.dumps({"badge": address}),
                "py": f'badge = "{address}"',
                "csv": f"badge\n{address}",
            }
            for ending, text in places.items():
                workbench.file(f"{name}/outputs/badge-{number}.{ending}", text)
        workbench.file(f"{name}/outputs/own-name.html", f"<p {name} x.{name}=1>text</p><{name}>text</{name}>")
        for number, (place, address) in enumerate(disguised(name)):
            workbench.file(f"{name}/outputs/disguised-{number}.html", place.replace("{a}", address))
        cells: list[dict[str, object]] = [
            {"cell_type": "markdown", "metadata": {}, "source": writing} for writing in writings
        ]
        streams = [{"output_type": "stream", "name": "stdout", "text": part} for part in (name[:2], name[2:])]
        cells.append({"cell_type": "code", "metadata": {}, "source": "", "outputs": streams})
        book = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}
        workbench.file(f"{name}/outputs/book.ipynb", json.dumps(book))
        for number, form in enumerate(("由{n}生成", "v2{n}", "{z}", "{f}")):
            workbench.file(f"{name}/outputs/{written(name, form)}-{number}.txt", "text")
    task = TaskText(
        prompt="\n".join(("Write it.", *writings_of(names.A))),
        expectations=tuple(f"It is {writing}" for writing in writings_of(names.B)),
    )
    folders = names.map(lambda name: workbench.folder / name / "outputs")
    for folder, name in (("inputs", names.A), ("reference", names.B)):
        workbench.file(f"{folder}/{name}-notes.md", "\n\n".join(("header", *writings_of(name))))
        workbench.file(f"{folder}/table.csv", "\n".join(f"header,{form}" for form in writings_of(name)))
    inputs, reference = workbench.folder / "inputs", workbench.folder / "reference"
    return workbench.submitted(folders, task=task, candidates=names, inputs=inputs, reference=reference)


@pytest.mark.parametrize("candidates", CANDIDATES)
def test_the_probe_reads_the_name_in_every_writing(candidates: tuple[str, str]) -> None:
    names = PerOutput[str](A=candidates[0], B=candidates[1])
    for name in (names.A, names.B):
        for writing in (*writings_of(name), *(written(name, form) for form in MARKED_UP.values())):
            assert names_in(writing, names) == {name}, writing


@pytest.mark.parametrize("candidates", CANDIDATES)
def test_no_writing_of_a_name_reaches_judge_frame_or_log(
    workbench: Workbench, model: LoopbackServer, caplog: pytest.LogCaptureFixture, candidates: tuple[str, str]
) -> None:
    names = PerOutput[str](A=candidates[0], B=candidates[1])
    with caplog.at_level(logging.DEBUG):
        comparison_id = planted(workbench, names)
        assert workbench.judged(comparison_id, judge_at(model)).complete

    def check(text: str, place: str) -> None:
        lines = [line[:200] for line in text.splitlines() if names_in(line, names)]
        assert not lines, place
        assert not names_in(text, names), place

    services = workbench.services
    assert b"header," in model.messages[-1].raw, "what is not read proves nothing"
    for request in model.messages:
        for text in strings_in(json.loads(request.raw)):
            check(text, "request")
    with services.database.read() as connection:
        comparison = comparisons.get(connection, comparison_id)
        views = comparison.view_a, comparison.view_b
        files = [row for view in views for row in outputs.list_files(connection, view) if row.blob]
    assert len(files) >= 2 * (len(LINES) + 8)
    for row in files:
        data = services.blobs.get(row.blob or "")
        check(row.name, "file name")
        check(data.decode(), row.name)
        assert not any(in_base64(name) in data.decode() for name in (names.A, names.B)), row.name
        check(re.sub("<!--(?!>)", "", data.decode()), f"the comments of {row.name}")
        page = render(row.name, family=row.family, media_type=row.media_type or "text/plain", data=data)
        check(page.body, f"the frame of {row.name}")
    sheet = workbench.sheet(comparison_id).model_dump_json()
    # Three letters of a random id are a name by chance.
    check(RANDOM_ID.sub("", sheet), "sheet")
    for record in caplog.records:
        if record.name.startswith("comparator"):
            check(RANDOM_ID.sub("", record.getMessage()), "log")

    for kind in EXPORTS:
        target = workbench.folder / file_name(kind)
        export = ExportRequest(format=kind, comparisons=(comparison_id,))
        assert write_export(services, export, target).written == 1, kind
        for text in texts_of(target):
            check(RANDOM_ID.sub("", text), f"export as {kind}")


@pytest.mark.parametrize("pages", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.timeout(600)
def test_no_name_in_an_office_file_or_pdf_reaches_judge_route_or_export(
    workbench: Workbench, model: LoopbackServer, request: pytest.FixtureRequest, *, pages: bool
) -> None:
    names = PerOutput[str](A=CANDIDATES[0][0], B=CANDIDATES[0][1])
    for name in (names.A, names.B):
        for file, data in documents(name).items():
            workbench.file(f"{name}/outputs/{file}", data)
    if pages:
        printer = Printer(workbench.folder, converter=Converter(request.getfixturevalue("soffice_path")))
        workbench.services = replace(workbench.services, printer=printer)
    folders = names.map(lambda name: workbench.folder / name / "outputs")
    comparison_id = workbench.submitted(folders, candidates=names)
    if pages:
        workbench.pictured(comparison_id)
    workbench.judged(comparison_id, judge_at(model))
    assert workbench.judged(comparison_id).complete

    services = workbench.services
    with services.database.read() as connection:
        comparison = comparisons.get(connection, comparison_id)
        views = comparison.view_a, comparison.view_b
        files = [row for view in views for row in outputs.list_files(connection, view)]
    assert len(files) == 2 * len(documents("x"))
    assert sum(row.pages is not None for row in files) == (6 if pages else 0)
    served = {
        f"{row.name} {kind}": b"\n".join(layers(services.blobs.get(blob)))
        for row in files
        for kind, blob in (("copy", row.blob), ("pages", row.pages))
        if blob
    }
    renderer = Renderer(children=1)
    media = StoredMedia(services)
    routes = media_routes(media, renderer=renderer)
    client = TestClient(Starlette(routes=routes))
    for row in files:
        ids = [row.id, *([f"{row.id}{PAGES}"] if row.pages else [])]
        for path in (f"{file_id}/{route}" for file_id in ids for route in ROUTES):
            served[f"{row.name} {path}"] = client.get(f"/outputs/{path}").content
    renderer.close()
    wire = [text for message in model.messages for text in strings_in(json.loads(message.raw))]
    sheet = workbench.sheet(comparison_id).model_dump_json()
    texts = {**{place: data.decode("utf-8", "replace") for place, data in served.items()}, "sheet": sheet}
    for kind in EXPORTS:
        target = workbench.folder / file_name(kind)
        export = ExportRequest(format=kind, comparisons=(comparison_id,))
        assert write_export(services, export, target).written == 1, kind
        texts[kind] = "\n".join(texts_of(target))

    assert any(" header" in text for text in wire), "what is not read proves nothing"
    assert not [text for text in wire if names_in(text, names)]
    assert not [place for place, text in texts.items() if names_in(text, names)]


ROUTES = ("view", "source", "download", "image", "page/1.png", "words?page=1", "locate?text=header")
EXPORTS = (
    *(ExportFormat.RESULTS, ExportFormat.JSONL, ExportFormat.CSV, ExportFormat.DPO),
    *(ExportFormat.DPO_CHAT, ExportFormat.LLM_COMPARATOR, ExportFormat.HTML),
)


def texts_of(path: Path) -> list[str]:
    """What an exported file holds: members of an archive, cells of a table, strings of JSON, or its text."""
    match path.suffix:
        case ".zip":
            with zipfile.ZipFile(path) as archive:
                return [*archive.namelist(), *(archive.read(name).decode() for name in archive.namelist())]
        case ".json" | ".jsonl":
            text = path.read_text("utf-8")
            lines = text.splitlines() if path.suffix == ".jsonl" else [text]
            return strings_in([json.loads(line) for line in lines])
        case _:
            return [path.read_text("utf-8")]


def strings_in(value: object) -> list[str]:
    """Every string of a JSON value."""
    match value:
        case str():
            return [value]
        case dict():
            return [text for item in value.items() for part in item for text in strings_in(part)]
        case list():
            return [text for item in value for text in strings_in(item)]
    return []
