"""Slides are drawn as they are laid out, as far as boxes, words, tables and pictures go."""

import io

from PIL import Image
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.util import Inches, Pt

from comparator.domain.pair.view import Family
from comparator.outputs.extract.office.slides import read
from comparator.outputs.isolated.process import limits_for
from comparator.outputs.limits import Limits
from comparator.outputs.preview.render import render


def deck() -> bytes:
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[5])
    slide.shapes.title.text = 'A <b>title</b> & "more"'
    box = slide.shapes.add_textbox(Inches(1), Inches(3.75), Inches(5), Inches(1))
    run = box.text_frame.paragraphs[0].add_run()
    run.text, run.font.size, run.font.bold = "<script>alert(1)</script>", Pt(36), True
    run.font.color.rgb = RGBColor.from_string("C80000")  # type: ignore[no-untyped-call]
    picture = io.BytesIO()
    Image.new("RGB", (30, 20), (0, 0, 200)).save(picture, "PNG")
    group = slide.shapes.add_group_shape()
    group.shapes.add_picture(picture, Inches(0), Inches(0), Inches(10), Inches(7.5))
    group.left, group.top, group.width, group.height = Inches(5), Inches(0), Inches(5), Inches(3.75)
    slide.notes_slide.notes_text_frame.text = "Say hello."
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


def test_boxes_stand_where_they_stand_on_the_slide() -> None:
    extraction = read(deck(), limits_for(Limits()))
    assert extraction.copy is not None
    body = render("a.pptx", family=Family.PPTX, media_type="text/html", data=extraction.copy.data).body
    assert "aspect-ratio:1.3333" in body
    assert "left:10.00%;top:50.00%;width:50.00%" in body
    assert 'style="font-size:5.00cqw' in body
    assert '<span style="color:#C80000"><b>&lt;script&gt;alert(1)&lt;/script&gt;</b></span>' in body
    assert "left:50.00%;top:0.00%;width:50.00%;height:50.00%" in body
    assert '<img src="data:image/' in body
    assert "Speaker notes: Say hello." in body
    assert "<script" not in body


def test_a_judge_is_given_the_words_without_the_layout() -> None:
    text = read(deck(), limits_for(Limits())).text
    assert "cqw" not in text
    assert "Speaker notes: Say hello." in text
    assert len(read(deck(), limits_for(Limits())).pictures) == 1


def test_styles_in_a_slide_that_are_not_ours_do_nothing() -> None:
    data = b'<section><div class="box" style="background:url(http://evil.example/a.png);left:1%">x</div></section>'
    body = render("a.pptx", family=Family.PPTX, media_type="text/html", data=data).body
    assert "evil" not in body
