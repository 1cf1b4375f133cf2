"""Charts of dots: the line that a figure is compared with."""

import re
import tomllib
from pathlib import Path

import pytest

from comparator.domain.labels import Label
from comparator.ui.frame.charts.theme import CANDIDATES, PALETTES, ColourTheme

TOKENS = re.compile(r"--([a-z-]+): (?:light-dark\()?(#[0-9a-f]{6})(?:, (#[0-9a-f]{6})\))?;")
NAMES = {"tie": "line-strong", "page": "page", "raised": "raised", "line": "line", "ink": "text",
         "muted": "muted", "accent": "accent", "bad": "bad"}  # fmt: skip


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.fixture
def tokens(repository: Path) -> dict[ColourTheme, dict[str, str]]:
    style = (repository / "comparator/ui/components/tokens.css").read_text("utf-8")
    values = dict(re.findall(r"--([a-z-]+): ([^;]+);", style))
    colours = TOKENS.findall(re.sub(r"var\(--([a-z-]+)\)(?=;)", lambda use: values[use[1]], style))
    return {
        ColourTheme.LIGHT: {name: light for name, light, _ in colours},
        ColourTheme.DARK: {name: dark or both for name, both, dark in colours},
    }


@pytest.mark.parametrize("theme", list(ColourTheme))
def test_charts_use_the_styles_colours(theme: ColourTheme, tokens: dict[ColourTheme, dict[str, str]]) -> None:
    palette, styles = PALETTES[theme], tokens[theme]

    assert {name: getattr(palette, name) for name in NAMES} == {
        name: styles[token] for name, token in NAMES.items()
    }
    for label in Label:
        assert palette.mark[label] == styles[f"{label.value.lower()}-mark"]
        assert palette.text[label] == styles[f"{label.value.lower()}-text"]


@pytest.mark.parametrize("theme", list(ColourTheme))
def test_words_can_be_read(theme: ColourTheme, tokens: dict[ColourTheme, dict[str, str]]) -> None:
    styles = tokens[theme]
    for ground in ("page", "raised"):
        for name in ("text", "muted", "a-text", "b-text", "accent", "bad", "warn"):
            assert contrast(styles[name], styles[ground]) >= 4.5, (name, ground)
        for name in ("a-mark", "b-mark", "line-strong"):
            assert contrast(styles[name], styles[ground]) >= 3, (name, ground)
    for label in ("a", "b"):
        assert contrast(styles[f"{label}-on"], styles[f"{label}-mark"]) >= 4.5
        assert contrast(styles[f"{label}-text"], styles[f"{label}-soft"]) >= 4.5
    assert contrast(styles["on-accent"], styles["accent"]) >= 4.5
    assert contrast(styles["warn"], styles["warn-soft"]) >= 4.5


def test_streamlit_wears_the_same_colours(repository: Path) -> None:
    config = tomllib.loads((repository / ".streamlit/config.toml").read_text("utf-8"))["theme"]
    for theme, palette in PALETTES.items():
        worn = config[theme.value]
        assert (worn["backgroundColor"], worn["secondaryBackgroundColor"]) == (palette.page, palette.raised)
        assert (worn["textColor"], worn["borderColor"]) == (palette.ink, palette.line)
        assert (worn["blueColor"], worn["orangeColor"]) == (palette.mark.A, palette.mark.B)
        assert (worn["greenColor"], worn["violetColor"]) == CANDIDATES[theme]
        assert contrast(worn["primaryColor"], "#ffffff") >= 4.5
