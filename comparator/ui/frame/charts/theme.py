"""The colours that Python draws with, in charts and tables, by theme: candidates', and those of tokens.css."""

from enum import StrEnum

import streamlit as st

from comparator.domain.labels import Frozen, Label, PerOutput, Winner

SHADES = 8
"""So many steps a heat map has to each side."""


class ColourTheme(StrEnum):
    """The two themes; the browser's setting or the reader's choice decides."""

    LIGHT = "light"
    DARK = "dark"


class Palette(Frozen):
    """The colours of one theme as #rrggbb. `mark` fills shapes, `text` is readable on the page."""

    mark: PerOutput[str]
    text: PerOutput[str]
    tie: str
    page: str
    raised: str
    line: str
    ink: str
    muted: str
    accent: str
    bad: str

    def of(self, winner: Winner) -> str:
        """The fill of a winner: its output's colour, or grey for a tie."""
        return self.tie if winner is Winner.TIE else self.mark[Label(winner.value)]


PALETTES = {
    ColourTheme.LIGHT: Palette(
        mark=PerOutput[str](A="#0072b2", B="#d55e00"),
        text=PerOutput[str](A="#0072b2", B="#b34e00"),
        tie="#7f8997",
        page="#ffffff",
        raised="#f6f7f9",
        line="#dfe3e8",
        ink="#10151c",
        muted="#5b6472",
        accent="#0f766e",
        bad="#b42318",
    ),
    ColourTheme.DARK: Palette(
        mark=PerOutput[str](A="#5ab0e6", B="#f29a4f"),
        text=PerOutput[str](A="#5ab0e6", B="#f29a4f"),
        tie="#6f7b8b",
        page="#12161c",
        raised="#1b212a",
        line="#2e3743",
        ink="#e8ebef",
        muted="#9aa4b2",
        accent="#5cc8ba",
        bad="#ff8a80",
    ),
}

# The two candidates. Blue and orange belong to the outputs A and B, which are drawn anew for each pair. Whoever sees no
# green tells teal and purple hardly apart, so the bars of the second candidate are hatched as well.
CANDIDATES = {ColourTheme.LIGHT: ("#0f766e", "#8a3b78"), ColourTheme.DARK: ("#5cc8ba", "#dd8ecb")}
# More of them in one chart; each line has a mark of its own as well.
SERIES = {
    ColourTheme.LIGHT: (*CANDIDATES[ColourTheme.LIGHT], "#5b6472", "#7a5a00", "#31508f"),
    ColourTheme.DARK: (*CANDIDATES[ColourTheme.DARK], "#9aa4b2", "#d9b54a", "#8fb0f0"),
}


class Tone(StrEnum):
    """What a part of a bar stands for; each has its colour and, where another has a like one, a pattern."""

    ONE = "candidate one"
    TWO = "candidate two"
    A = "output A"
    B = "output B"
    TIE = "a tie"
    EVEN = "neither"
    STRONG = "what matters"
    PLAIN = "what is usual"
    VARIES = "now this, now that"
    ALONE = "by a person only"

    @property
    def pattern(self) -> str:
        """Plotly's name of the lines on the bar."""
        return {Tone.TWO: "/", Tone.B: "/", Tone.ALONE: "/", Tone.VARIES: "x"}.get(self, "")

    def colours(self, theme: ColourTheme) -> tuple[str, str]:
        """The fill, and the colour of a number on it."""
        palette = PALETTES[theme]
        fills = {
            Tone.ONE: CANDIDATES[theme][0],
            Tone.TWO: CANDIDATES[theme][1],
            Tone.A: palette.mark.A,
            Tone.B: palette.mark.B,
            Tone.STRONG: palette.ink,
            Tone.PLAIN: palette.muted,
            Tone.EVEN: palette.line,
        }
        return fills.get(self, palette.tie), palette.ink if self is Tone.EVEN else palette.page


def theme() -> ColourTheme:
    """The theme in which the page is shown now; light until the browser has said."""
    return ColourTheme.DARK if st.context.theme.type == "dark" else ColourTheme.LIGHT
