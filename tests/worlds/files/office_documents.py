"""Office files with one known property each, made by code, so that pages are checked against what was put in."""

import io
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

import openpyxl
import pypdfium2
from openpyxl.worksheet.worksheet import Worksheet
from PIL import Image, ImageChops
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE
from pptx.enum.shapes import MSO_SHAPE
from pptx.util import Emu, Inches, Pt

from tests.worlds.files.outputs import zipped
from tests.worlds.files.outputs_office import saved

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"
PAGE = (612.0, 792.0)
MARGIN = 72.0
LOREM = "Rivers carry silt to the plain every spring and leave it there when the flood draws back. "


def document(
    body: str,
    *,
    header: str = "",
    columns: int = 1,
    numbering: str = "",
    styles: str = "",
    footnotes: str = "",
    comments: str = "",
    core: str = "",
    picture: bytes | None = None,
) -> bytes:
    """A DOCX on letter paper with margins of an inch, its words in Liberation Sans of 12 points."""
    parts = {"header1": header, "numbering": numbering, "footnotes": footnotes, "comments": comments}
    kinds = {"header1": "header"}
    relations = [
        f'<Relationship Id="rId{name}" Type="{_REL}/{kinds.get(name, name)}" Target="{name}.xml"/>'
        for name, xml in parts.items()
        if xml
    ]
    relations.append(f'<Relationship Id="rIdstyles" Type="{_REL}/styles" Target="styles.xml"/>')
    if picture:
        relations.append(f'<Relationship Id="rIdpicture" Type="{_REL}/image" Target="media/p.png"/>')
    overrides = "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="{_TYPE}.{kinds.get(name, name)}+xml"/>'
        for name in (*(name for name, xml in parts.items() if xml), "styles")
    )
    section = (
        '<w:sectPr><w:headerReference w:type="default" r:id="rIdheader1"/>' if header else "<w:sectPr>"
    ) + (
        '<w:pgSz w:w="12240" w:h="15840"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" '
        f'w:header="720" w:footer="720" w:gutter="0"/><w:cols w:num="{columns}" w:space="720"/></w:sectPr>'
    )
    members: dict[str, bytes | str] = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>'
        f'<Override PartName="/word/document.xml" ContentType="{_TYPE}.document.main+xml"/>{overrides}</Types>',
        "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f'<Relationship Id="rId1" Type="{_REL}/officeDocument" Target="word/document.xml"/>'
        + (
            '<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/'
            'core-properties" Target="docProps/core.xml"/>'
            if core
            else ""
        )
        + "</Relationships>",
        "word/document.xml": f"<w:document {_W} {_R}><w:body>{body}{section}</w:body></w:document>",
        "word/styles.xml": f'<w:styles {_W}><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Liberation Sans" '
        'w:hAnsi="Liberation Sans" w:cs="Liberation Sans"/><w:sz w:val="24"/></w:rPr></w:rPrDefault></w:docDefaults>'
        f"{styles}</w:styles>",
        "word/_rels/document.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/'
        f'relationships">{"".join(relations)}</Relationships>',
    }
    members |= {f"word/{name}.xml": xml for name, xml in parts.items() if xml}
    if picture:
        members["word/media/p.png"] = picture
    if core:
        members["docProps/core.xml"] = core
    return zipped(members)


def par(words: str, *, properties: str = "", run: str = "") -> str:
    """A paragraph of one run."""
    return (
        f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:rPr>{run}</w:rPr>"
        f'<w:t xml:space="preserve">{words}</w:t></w:r></w:p>'
    )


def split(*pieces: str) -> str:
    """A paragraph whose words are split over runs, every second one bold."""
    runs = "".join(
        f'<w:r><w:rPr>{"<w:b/>" if number % 2 else ""}</w:rPr><w:t xml:space="preserve">{piece}</w:t></w:r>'
        for number, piece in enumerate(pieces)
    )
    return f"<w:p>{runs}</w:p>"


def table(rows: Sequence[Sequence[str]], *, fill: str = "") -> str:
    """A table with lines; `fill` colours the first row."""
    out, width, columns = [], 3000, len(rows[0])
    for number, row in enumerate(rows):
        shade = f'<w:shd w:val="clear" w:fill="{fill}"/>' if fill and number == 0 else ""
        about = f'<w:tcPr><w:tcW w:w="{width}" w:type="dxa"/>{shade}</w:tcPr>'
        out.append(f"<w:tr>{''.join(f'<w:tc>{about}{par(words)}</w:tc>' for words in row)}</w:tr>")
    grid = f'<w:gridCol w:w="{width}"/>' * columns
    borders = "".join(
        f'<w:{side} w:val="single" w:sz="8" w:color="000000"/>'
        for side in ("top", "left", "bottom", "right", "insideH", "insideV")
    )
    return (
        f'<w:tbl><w:tblPr><w:tblW w:w="{width * columns}" w:type="dxa"/><w:tblBorders>{borders}</w:tblBorders>'
        '<w:tblLayout w:type="fixed"/></w:tblPr>'
        f"<w:tblGrid>{grid}</w:tblGrid>{''.join(out)}</w:tbl><w:p/>"
    )


def png(colour: str) -> bytes:
    """A picture of one colour."""
    out = io.BytesIO()
    Image.new("RGB", (60, 60), colour).save(out, "PNG")
    return out.getvalue()


def box(left: float, top: float, *, fill: str, words: str = "", text: str = "000000") -> dict[str, object]:
    """A shape of a slide: places in inches, two inches by one."""
    return {"left": left, "top": top, "fill": fill, "words": words, "text": text}


def deck(*slides: list[dict[str, object]], hidden: int = -1, chart: bool = False) -> bytes:
    """Slides of ten by seven and a half inches with these boxes; a bar chart with red bars on the first."""
    presentation = Presentation()
    for number, boxes in enumerate(slides):
        slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        if number == hidden:
            slide.element.set("show", "0")
        if chart and number == 0:
            data = CategoryChartData()  # type: ignore[no-untyped-call] # python-pptx has no types here
            data.categories = ["North", "South"]
            data.add_series("Yield", (10, 20))  # type: ignore[no-untyped-call] # python-pptx has no types here
            drawn = slide.shapes.add_chart(
                XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(1), Inches(6), Inches(4), data
            ).chart
            drawn.has_legend = False
            series = drawn.plots[0].series[0]
            series.format.fill.solid()
            series.format.fill.fore_color.rgb = RGBColor(0xFF, 0, 0)  # type: ignore[no-untyped-call] # python-pptx has no types here
        for box in boxes:
            place = (Inches(float(str(box["left"]))), Inches(float(str(box["top"]))), Inches(2), Inches(1))
            shape = slide.shapes.add_shape(MSO_SHAPE.RECTANGLE, *(Emu(side) for side in place))
            shape.fill.solid()
            shape.fill.fore_color.rgb = RGBColor.from_string(str(box["fill"]))  # type: ignore[no-untyped-call] # python-pptx has no types here
            shape.line.fill.background()
            if box["words"]:
                run = shape.text_frame.paragraphs[0].add_run()
                run.text = str(box["words"])
                run.font.size = Pt(18)
                run.font.name = "Liberation Sans"
                run.font.color.rgb = RGBColor.from_string(str(box["text"]))  # type: ignore[no-untyped-call] # python-pptx has no types here
    return saved(presentation)


def book(
    rows: Iterable[Iterable[object]],
    *,
    formats: dict[str, str] | None = None,
    widths: dict[str, float] | None = None,
    hidden: str = "",
    further: Iterable[str] = (),
) -> bytes:
    """A workbook; `further` are the names of more sheets, each with its name in A1, of which `hidden` is hidden."""
    workbook = openpyxl.Workbook()
    sheet: Worksheet = workbook.worksheets[0]
    for row in rows:
        sheet.append(list(row))
    for place, form in (formats or {}).items():
        sheet[place].number_format = form
    for column, width in (widths or {}).items():
        sheet.column_dimensions[column].width = width
    for name in further:
        more = workbook.create_sheet(name)
        more["A1"] = name
        if name == hidden:
            more.sheet_state = "hidden"
    return saved(workbook)


_SCALE = 2.0


class Place(NamedTuple):
    """A box on a page in points, from the page's upper left corner."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def middle(self) -> float:
        """Half way between left and right."""
        return (self.left + self.right) / 2


class Seen:
    """The pages of a PDF, read and drawn."""

    def __init__(self, data: bytes) -> None:
        self._pdf = pypdfium2.PdfDocument(data)
        self.sizes = [page.get_size() for page in self._pdf]
        self.pages = len(self._pdf)

    def words(self, page: int = 0) -> str:
        """All words of a page in their order, white space made plain."""
        return " ".join(self._pdf[page].get_textpage().get_text_bounded().split())

    def all_words(self) -> str:
        """Those of all pages."""
        return " ".join(self.words(page) for page in range(self.pages))

    def place(self, words: str, page: int = 0) -> Place:
        """Where these words stand for the first time."""
        text = self._pdf[page].get_textpage()
        match = text.search(words, match_case=True).get_next()
        assert match is not None, f"{words!r} is not on the page: {self.words(page)!r}"
        boxes = [text.get_charbox(at) for at in range(match[0], match[0] + match[1])]
        height = self.sizes[page][1]
        return Place(
            min(box[0] for box in boxes),
            height - max(box[3] for box in boxes),
            max(box[2] for box in boxes),
            height - min(box[1] for box in boxes),
        )

    def colour(self, x: float, y: float) -> tuple[int, ...]:
        """The colour at a place, in points from the upper left corner."""
        pixel = self._picture.getpixel((int(x * _SCALE), int(y * _SCALE)))
        assert isinstance(pixel, tuple)
        return pixel

    def extent(self, colour: tuple[int, int, int]) -> Place:
        """The box around all that is of this colour, a little more or less."""
        picture = self._picture
        apart = ImageChops.difference(picture, Image.new("RGB", picture.size, colour)).split()
        near = [band.point([255] * 24 + [0] * 232) for band in apart]
        mask = ImageChops.darker(ImageChops.darker(near[0], near[1]), near[2])
        bounds = mask.getbbox()
        assert bounds is not None, f"nothing is of the colour {colour}"
        return Place(*(side / _SCALE for side in bounds))

    @cached_property
    def _picture(self) -> Image.Image:
        """The first page, drawn."""
        drawn: Image.Image = self._pdf[0].render(scale=_SCALE).to_pil()
        return drawn.convert("RGB")
