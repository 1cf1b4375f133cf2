"""Mathematics becomes MathML and nothing else; diagrams become pictures beside their source."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparator.domain.pair.view import Family
from comparator.outputs.preview.document import Preview
from comparator.outputs.preview.markdown import formula
from comparator.outputs.preview.render import render


def markdown(text: str) -> Preview:
    return render("a.md", family=Family.MARKDOWN, media_type="text/plain", data=text.encode())


def test_formulas_stand_in_lines_blocks_and_cells_and_prices_stay_prices() -> None:
    body = markdown("Area $\\pi r^2$, from $5 to $6.\n\n$$\n\\frac{a}{b}\n$$\n\n|a|\n|--|\n|$x_1$|\n").body
    assert body.count("<math") == 3
    assert "<mfrac>" in body
    assert '<div class="formula"><math display="block">' in body
    assert "from $5 to $6." in body


@pytest.mark.parametrize(
    "tex", [r"\frac{", "{" * 5_000, r"\text{<script>alert(1)</script>}", "x" * 5_000, r"\begin{matrix}1"]
)
def test_a_formula_that_cannot_be_read_is_shown_as_its_source(tex: str) -> None:
    body = formula(tex, display=False)
    assert body.startswith('<code class="tex"')
    assert "<script" not in body


@pytest.mark.parametrize(
    "tex",
    [
        r"\href{javascript:alert(1)}{x}",
        r"\style{background:url(http://evil.example)}{x}",
        r"\class{notes}{x}",
        r"\mathbf{x} \cssId{a}{y}",
        r"&lt;script&gt;",
        r"\includegraphics{http://evil.example/a.png}",
    ],
)
def test_a_formula_carries_no_address_style_or_script(tex: str) -> None:
    markup = formula(tex, display=True).split("title=")[0]
    for word in ("href", "style=", "class=n", "<script", "<img", " id="):
        assert word not in markup


@given(st.text(alphabet="\\\\{}^_&<>$ab1 \"'", max_size=40))
def test_no_tex_is_more_than_mathml_or_its_source(tex: str) -> None:
    body = formula(tex, display=False)
    assert body.startswith(("<math", "<code"))
    assert body.count("<") == body.count(">")
