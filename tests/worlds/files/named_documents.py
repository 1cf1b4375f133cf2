"""Office files and PDFs with a candidate's name in every place that can hold words."""

import io
from typing import Any

import openpyxl
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.drawing.image import Image as SheetImage
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.table import Table
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from tests.worlds.files.office_documents import document, par, png, split
from tests.worlds.files.outputs_markers import form_pdf
from tests.worlds.files.outputs_office import WORDS, changed, drawing, field, saved


def documents(name: str) -> dict[str, bytes]:
    """A workbook, a report, a deck, a form and a flat text; each place adds a word of its own to the name."""
    return {
        "named.xlsx": workbook(name),
        "named.docx": report(name),
        "named.pptx": slides(name),
        "named.pdf": form_pdf(*[lambda place: f"{name} {place}"] * 2),
        "named.fodt": flat(name),
    }


def workbook(name: str) -> bytes:
    """Names of sheets, ranges, tables and columns, a chart's words, comments, links, rules, headers and footers."""
    book = openpyxl.Workbook()
    sheet: Any = book.active
    sheet.title = f"{name[:20]} sheet"
    for row in ([f"{name} column", "kg"], ["North", 300], ["South", 120]):
        sheet.append(row)
    word = "".join(letter for letter in name if letter.isalnum())
    sheet.add_table(Table(displayName=f"{word}Table", ref="A1:B3"))
    book.defined_names[f"{word}_range"] = DefinedName(
        f"{word}_range", attr_text=f"'{sheet.title}'!$A$1", comment=f"{name} rangenote"
    )
    chart: Any = BarChart()
    chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=3), titles_from_data=True)
    chart.title, chart.x_axis.title, chart.y_axis.title = (
        f"{name} {at}" for at in ("chart", "xaxis", "yaxis")
    )
    chart.x_axis.delete = chart.y_axis.delete = False
    sheet.add_chart(chart, "D2")
    sheet["A2"].comment = Comment(f"{name} comment", f"{name} commenter")
    sheet["B2"].number_format = f'0 "{name} format"'
    sheet["A3"].hyperlink = f"https://example.org/{name}/link"
    sheet["A3"].hyperlink.tooltip = f"{name} tooltip"
    sheet["A5"] = f'=CONCATENATE("{name} formula", "")'
    rule = DataValidation(
        type="list", formula1=f'"{name} choice,b"', promptTitle=f"{name[:20]} ask", prompt=f"{name} prompt"
    )
    rule.errorTitle, rule.error = f"{name[:20]} wrong", f"{name} error"
    rule.add("A6")
    sheet.add_data_validation(rule)
    picture = SheetImage(io.BytesIO(png("red")))
    sheet.add_image(picture, "D20")
    sheet.oddHeader.center.text, sheet.oddFooter.left.text = f"{name} header", f"{name} footer"
    hidden = book.create_sheet(f"{name[:20]} hidden")
    hidden.sheet_state = "hidden"
    hidden["A1"] = f"{name} hiddencell"
    book.properties.creator = book.properties.title = book.properties.keywords = f"{name} property"
    about = f'name="{name} shape" descr="{name} alt" title="{name} alttitle"'
    return changed(saved(book), {"xl/drawings/drawing1.xml": ('name="Image 1"', about)})


def report(name: str) -> bytes:
    """Headers, notes, comments, alternative texts, bookmarks, links, controls, fields and text split over runs."""
    picture = drawing(
        'r:embed="rIdpicture"',
        about=f'name="{name} shape" descr="{name} alt" title="{name} alttitle"',
        named=f'id="1" name="{name} file.png" descr="{name} picalt"',
    )
    control = (
        f'<w:sdt><w:sdtPr><w:alias w:val="{name} alias"/><w:tag w:val="{name} tag"/><w:dropDownList>'
        f'<w:listItem w:displayText="{name} listitem" w:value="{name} listvalue"/></w:dropDownList></w:sdtPr>'
        f"<w:sdtContent>{par(f'{name} control')}</w:sdtContent></w:sdt>"
    )
    box = (
        '<w:p><w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml" '
        f'alt="{name} vmlalt" style="width:200pt;height:40pt"><v:textbox><w:txbxContent>{par(f"{name} textbox")}'
        "</w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>"
    )
    changes = (
        f'<w:p><w:del w:id="2" w:author="{name} deleter" w:date="2026-01-01T00:00:00Z"><w:r><w:delText>{name} deleted'
        f'</w:delText></w:r></w:del><w:ins w:id="3" w:author="{name} inserter" w:date="2026-01-01T00:00:00Z"><w:r>'
        f"<w:t>{name} inserted</w:t></w:r></w:ins></w:p>"
    )
    noted = '<w:p><w:r><w:t>noted</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>'
    mark = (
        f'<w:p><w:bookmarkStart w:id="7" w:name="{name}_bookmark"/>'
        '<w:r><w:t>marked</w:t></w:r><w:bookmarkEnd w:id="7"/></w:p>'
    )
    hidden = par(f"{name} hidden", run="<w:vanish/>")
    link = (
        f'<w:p><w:hyperlink w:anchor="{name}_bookmark" w:tooltip="{name} tooltip"><w:r><w:t>there</w:t></w:r>'
        "</w:hyperlink></w:p>"
    )
    return document(
        split(name[:4], name[4:], " split")
        + field(f'HYPERLINK "https://example.org/{name}/field"', "shown")
        + field(f'TOC \\o "1-3" \\t "{name} toc"', f"{name} tocshown")
        + picture
        + control
        + box
        + changes
        + noted
        + mark
        + link
        + hidden,
        header=f"<w:hdr {WORDS}>{par(f'{name} header')}</w:hdr>",
        footnotes=f'<w:footnotes {WORDS}><w:footnote w:id="2">{par(f"{name} footnote")}</w:footnote></w:footnotes>',
        comments=f'<w:comments {WORDS}><w:comment w:id="1" w:author="{name} commenter" w:initials="{name[:2]}">'
        f"{par(f'{name} comment')}</w:comment></w:comments>",
        styles=f'<w:style w:type="paragraph" w:styleId="x"><w:name w:val="{name} style"/></w:style>',
        core='<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
        f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:creator>{name} property</dc:creator><dc:title>{name} title'
        "</dc:title></cp:coreProperties>",
        picture=png("red"),
    )


def slides(name: str) -> bytes:
    """Notes, alternative texts, names of shapes, tables, a chart's words, links and a layout's own words."""
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = f"{name} title"
    slide.placeholders[1].text = f"{name} body"
    slide.notes_slide.notes_text_frame.text = f"{name} notes"
    picture = slide.shapes.add_picture(io.BytesIO(png("red")), Inches(1), Inches(5))
    properties = picture._element.nvPicPr.cNvPr
    properties.set("descr", f"{name} alt")
    properties.set("title", f"{name} alttitle")
    picture.name = f"{name} shape"
    table = slide.shapes.add_table(1, 1, Inches(5), Inches(5), Inches(2), Inches(1)).table
    table.cell(0, 0).text = f"{name} cell"
    data: Any = CategoryChartData()  # type: ignore[no-untyped-call]
    data.categories = [f"{name} category", "b"]
    data.add_series(f"{name} series", (1, 2))
    chart = slide.shapes.add_chart(
        XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(3), Inches(2), Inches(4), Inches(3), data
    ).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = f"{name} chart"
    chart.has_legend = True
    run = slide.shapes[1].text_frame.paragraphs[0].runs[0]
    run.hyperlink.address = f"https://example.org/{name}/link"
    layout = deck.slide_layouts[1]
    layout.name = f"{name} layout"
    other = deck.slides.add_slide(deck.slide_layouts[6])
    other._element.set("show", "0")
    box = other.shapes.add_textbox(Inches(1), Inches(1), Inches(4), Inches(1)).text_frame
    paragraph = box.paragraphs[0]
    for part in (name[:4], name[4:], " split"):
        piece = paragraph.add_run()
        piece.text = part
        piece.font.bold = part == name[4:]
    deck.core_properties.author = deck.core_properties.title = f"{name} property"
    return saved(deck)


def flat(name: str) -> bytes:
    """An OpenDocument text in one file."""
    return (
        '<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
        'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/" '
        'office:mimetype="application/vnd.oasis.opendocument.text"><office:meta>'
        f"<dc:creator>{name} creator</dc:creator></office:meta><office:body><office:text><text:p>{name[:4]}"
        f"<text:span>{name[4:]}</text:span> words</text:p></office:text></office:body></office:document>"
    ).encode()
