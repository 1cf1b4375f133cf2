"""Words are redacted in text, markup and rebuilt copies, also where tags or entities split them."""

import pytest

from comparator.domain.blinding.redaction import PatternDecision, Redaction
from comparator.outputs.isolated.messages import Copy, Extraction
from comparator.outputs.view.naming import neutral_names
from comparator.outputs.view.redacting import Redactor


def _redactor(*patterns: str, paths: tuple[str, ...] = ()) -> Redactor:
    redactions = [Redaction(pattern=p, decision=PatternDecision.REDACT) for p in patterns]
    (names,) = neutral_names([paths], redactions)
    return Redactor(redactions, names)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<p>by nova lab</p>", "<p>by tidy toolkit</p>"),
        ("<p>by <b>nova</b>-lab, yes</p>", "<p>by <b>tidy-toolkit</b>, yes</p>"),
        ("<p>by no<i>va</i> l<u>ab</u></p>", "<p>by tidy toolkit<i></i><u></u></p>"),
        ("<p>nova</p><p>lab</p>", "<p>nova</p><p>lab</p>"),
        ("<p>nova&#45;lab &amp; co</p>", "<p>tidy-toolkit &amp; co</p>"),
        ('<a href="x/nova-lab.css">y</a>', '<a href="x/tidy-toolkit.css">y</a>'),
        ("<style>.nova-lab{}</style>", "<style>.tidy-toolkit{}</style>"),
        ("<script>a && 'nova-lab' && b</script>", "<script>a && 'tidy-toolkit' && b</script>"),
        ("<nova-lab>x</nova-lab>", "<tidy-toolkit>x</tidy-toolkit>"),
        ('<i data-nova-lab="a-b" x-y="-">z</i>', '<i data-tidy-toolkit="a-b" x-y="-">z</i>'),
        (
            "<nova_lab nova.lab @nova_lab=1 NovaLab />",
            "<tidy_toolkit tidy.toolkit @tidy_toolkit=1 TidyToolkit />",
        ),
    ],
)
def test_markup_is_redacted_in_words_and_attributes(source: str, expected: str) -> None:
    assert _redactor("nova-lab").markup(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<td>kest</td><td>relbark</td>", "<td>toolkit</td><td></td>"),
        ("<td>kes</td>\n<td>trel</td>", "<td>kes</td>\n<td>trel</td>"),
        ("<td>k</td>\n<td>estrelbark</td>", "<td>k</td>\n<td>estrelbark</td>"),
        ("<text>kes</text><text>trelbark</text>", "<text>toolkit</text><text></text>"),
        ("<ul><li>kestrel</li><li>bark</li></ul>", "<ul><li>toolkit</li><li></li></ul>"),
        (
            "".join(f"<td>{letter}</td> " for letter in "kestrelbark"),
            "<td>toolkit</td>" + "<td></td>" * 10 + " ",
        ),
    ],
)
def test_a_word_in_several_elements_is_one_as_it_is_drawn(source: str, expected: str) -> None:
    assert _redactor("kestrelbark").markup(source) == expected


def test_markup_without_hits_is_left_exactly_as_it_is() -> None:
    source = '<p>a &amp; b &lt; c "quoted" &nbsp;</p><script>if (a < b && c) {}</script>'
    assert _redactor("nova-lab").markup(source) == source


def test_the_bytes_of_embedded_pictures_are_never_rewritten() -> None:
    address = "data:image/png;base64,nova/nova+nova="
    html = Copy("text/html", f'<img src="{address}" alt="nova">'.encode())
    text = Copy("text/plain", f"nova ![nova]({address})".encode())
    redactor = _redactor("nova")

    def copied(copy: Copy) -> str:
        blinded = redactor.extraction(Extraction(copy=copy)).copy
        assert blinded is not None
        return blinded.data.decode()

    assert copied(html) == f'<img src="{address}" alt="toolkit">'
    assert copied(text) == f"toolkit ![toolkit]({address})"
