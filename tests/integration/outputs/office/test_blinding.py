"""Office files before and after conversion: fields, authors, and words that formatting splits."""

import io
import zipfile
from pathlib import Path

import pytest

from comparator.domain.blinding.redaction import PatternDecision, Redaction
from comparator.outputs.limits import Limits
from comparator.outputs.pictures.office.clean import clean_package
from comparator.outputs.pictures.office.printer import Converter, Printer
from comparator.outputs.view.naming import NameMap
from comparator.outputs.view.redacting import Redactor
from tests.worlds.files.office_documents import Seen, deck, document, par, split
from tests.worlds.files.outputs_office import WORDS, field

LIMITS = Limits()
RULE = Redaction(pattern="quillwort-v31", decision=PatternDecision.REDACT, replacement="toolkit")
REDACTOR = Redactor([RULE], NameMap({}, {}))
PERSON = "Vesna Okafor"
CORE = (
    '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
    f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:creator>{PERSON}</dc:creator><cp:lastModifiedBy>{PERSON}'
    "</cp:lastModifiedBy></cp:coreProperties>"
)
TOLD = document(
    split("The quill", "wort", "-v31 plan")
    + par("A quillwort-v31 line")
    + field("AUTHOR", PERSON)
    + field("LASTSAVEDBY", PERSON)
    + field("FILENAME \\p", "C:\\runs\\quillwort-v31\\report.docx")
    + field("TEMPLATE", "Okafor.dotm")
    + field('DATE \\@ "yyyy"', "1999")
    + field('DOCPROPERTY "Manager"', PERSON)
    + f'<w:p><w:ins w:id="1" w:author="{PERSON}" w:date="2026-01-01T00:00:00Z"><w:r><w:t>added</w:t></w:r></w:ins>'
    "</w:p>",
    header=f'<w:hdr {WORDS}><w:p><w:fldSimple w:instr=" FILENAME "><w:r><w:t>quillwort-v31.docx</w:t></w:r>'
    "</w:fldSimple></w:p></w:hdr>",
    comments=f'<w:comments {WORDS}><w:comment w:id="1" w:author="{PERSON}" w:initials="VO">{par("why")}</w:comment>'
    "</w:comments>",
    core=CORE,
)


@pytest.mark.timeout(120)
@pytest.mark.slow
def test_a_page_names_neither_candidate_nor_author_nor_file(soffice_path: str, tmp_path: Path) -> None:
    pages = Printer(tmp_path, converter=Converter(soffice_path)).pages("report.docx", TOLD, REDACTOR)
    words = Seen(pages.document).all_words()

    assert words.startswith(
        "document The toolkit plan A toolkit line Author Author document template 1999 Author"
    )
    for trace in ("quill", "v31", PERSON, "Okafor", "/work", "2026"):
        assert trace not in words
    assert b"Okafor" not in pages.document


def everything_in(package: bytes) -> str:
    """The text of all parts of what is converted."""
    with zipfile.ZipFile(io.BytesIO(clean_package(package, LIMITS).data)) as archive:
        parts = [archive.read(name).decode("utf-8", "replace") for name in archive.namelist()]
        return "\n".join((*archive.namelist(), *parts))


def test_fields_and_properties_are_gone_from_what_is_converted() -> None:
    text = everything_in(TOLD)

    for trace in ("LASTSAVEDBY", "FILENAME", "Okafor.dotm", "runs", "docProps/core.xml"):
        assert trace not in text


def test_a_deck_loses_its_author_and_keeps_the_words_of_a_date() -> None:
    original = deck([{"left": 1, "top": 1, "fill": "FFFFFF", "words": "quillwort-v31", "text": "000000"}])
    dated = (
        b'<a:fld id="{00000000-0000-0000-0000-000000000000}" type="datetime1"><a:t> 1 May</a:t></a:fld></a:p>'
    )
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(original)) as archive, zipfile.ZipFile(out, "w") as target:
        for name in archive.namelist():
            is_slide = name == "ppt/slides/slide1.xml"
            target.writestr(name, archive.read(name).replace(b"</a:p>", dated, is_slide))
    text = everything_in(out.getvalue())

    assert "1 May" in text
    assert "datetime1" not in text
