"""An output's own page is served as it was written, but for redirects and connections made ahead."""

import pytest

from comparator.outputs.isolated.messages import packed, unpacked
from comparator.outputs.preview.document import NotShown
from comparator.outputs.preview.page import ForeignPage, foreign_drawing, foreign_page

KEPT = (
    "<!DOCTYPE html PUBLIC '-//W3C//DTD HTML 4.01 Transitional//EN'>\n"
    "<HTML lang=de><style>@import 'b.css';p{color:red}</style><body CLASS=b onload=go()><p>x<br/>"
    "<svg><a xlink:href=#x>l</a></svg><my-card><template shadowrootmode=closed>t</template></my-card>"
    "<link rel=stylesheet href=a.css><meta name=author content='a &amp; b'>"
    "<script>if (a<b) '<link rel=preconnect>'</script><iframe srcdoc='<p>in</p>'></iframe><plaintext>end"
)


def test_a_page_stays_as_it_was_written() -> None:
    page = foreign_page(KEPT.encode())
    assert page.markup.decode() == KEPT
    assert page.markup[page.start :].lstrip().startswith(b"<HTML")
    assert unpacked(packed("page", page), ForeignPage) == page


def test_a_page_loses_redirects_and_connections_made_ahead_in_frames_too() -> None:
    lost = '<link rel="preconnect" href="//e"><LINK REL=dns-prefetch href=//e><meta http-equiv=Refresh content="0;//e">'
    nested = "<iframe srcdoc='" + lost.replace('"', "&quot;") + "<p>x'></iframe>"
    assert b"//e" not in foreign_page(f"{lost}<svg>{lost}</svg><p>x{nested}".encode()).markup


@pytest.mark.parametrize(
    ("markup", "scripts"),
    [
        ("<p>one = two</p><script type='application/ld+json'>{}</script>", False),
        ("<script>1</script>", True),
        ("<script type=module src=a.js></script>", True),
        ("<p onclick=x()>x", True),
        ("<iframe srcdoc='<script>1</script>'></iframe>", True),
    ],
)
def test_whether_a_page_has_scripts_is_known(markup: str, scripts: bool) -> None:
    assert foreign_page(markup.encode()).has_scripts is scripts


def test_a_drawing_stands_in_a_page_with_room_for_a_script() -> None:
    page = foreign_drawing(b'<svg xmlns="http://www.w3.org/2000/svg" onload="x()"><rect/></svg>')
    assert page.markup[page.start :].startswith(b"</head>")
    assert page.markup.endswith(b'onload="x()"><rect/></svg></body></html>')
    assert page.has_scripts
    with pytest.raises(NotShown):
        foreign_drawing(b"<p>text</p>")
