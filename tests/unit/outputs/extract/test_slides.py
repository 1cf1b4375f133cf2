"""What a judge and a reviewer are given of slides: words, pictures and notes; their looks are on the printed pages."""

import io

from PIL import Image
from pptx import Presentation
from pptx.util import Inches

from comparator.domain.pair.view import Family
from comparator.outputs.extract.slides import read
from comparator.outputs.limits import Limits
from comparator.outputs.preview.render import render


def test_slides_have_their_words_tables_pictures_and_notes() -> None:
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[5])
    slide.shapes.title.text = 'A <b>title</b> & "more"'
    box = slide.shapes.add_textbox(Inches(1), Inches(3.75), Inches(5), Inches(1))
    box.text_frame.text = "<script>alert(1)</script>"
    picture = io.BytesIO()
    Image.new("RGB", (30, 20), (0, 0, 200)).save(picture, "PNG")
    slide.shapes.add_group_shape().shapes.add_picture(picture, 0, 0)
    slide.notes_slide.notes_text_frame.text = "Say hello."
    out = io.BytesIO()
    presentation.save(out)

    extraction = read(out.getvalue(), Limits())

    assert '## Slide 1: A <b>title</b> & "more"' in extraction.text
    assert "Speaker notes: Say hello." in extraction.text
    assert "data:image" not in extraction.text
    assert len(extraction.pictures) == 1
    assert extraction.copy is not None
    body = render("a.pptx", family=Family.PPTX, media_type="text/html", data=extraction.copy.data).body
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in body
    assert '<img src="data:image/' in body
