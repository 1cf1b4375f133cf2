"""What the charts of judge and reviewers say in words, from made-up figures."""

from __future__ import annotations

from comparator.domain.scoring.review import How
from comparator.reporting.trust.judge import Agreement, AgreementCounts, JudgeModel, Scored, Trust
from comparator.stats.figures import Estimate, Interval, TooFew
from comparator.stats.raters.several_raters import VotePattern, panel_agreement
from comparator.ui.dashboards.tabs.trust import trust_boxes
from comparator.ui.frame import charts
from comparator.ui.frame.charts.theme import PALETTES, ColourTheme

FEW = TooFew(n=5)
JUDGE = JudgeModel(
    kind="anthropic",
    model="claude-sonnet-5-5",
    judged=30,
    read_twice=30,
    flipped=3,
    flips=FEW,
    first=30,
    second=29,
    tied=1,
    to_first=FEW,
    quotes=60,
    quotes_missing=2,
)


def around(value: float) -> Estimate:
    return Estimate(value=value, interval=Interval(low=value - 0.1, high=value + 0.1), n=40)


FOUND = Trust(
    agreement=AgreementCounts(
        by_how=(
            Agreement(
                how=How.BLIND_FIRST, counts=((5, 0, 0), (0, 0, 0), (0, 0, 0)), share=FEW, beyond_chance=FEW
            ),
        ),
        no_opinion=0,
    ),
    criteria=(),
    by_model=(),
    reasons=(),
    scored=(
        Scored(path="content.facts", how=How.BLIND_FIRST, n=1040, kappa=around(0.55), lenient=around(-0.001)),
    ),
    stated=(),
    models=(JUDGE,),
    lean=(),
    gold=(),
    labelled=(),
)


def test_the_judge_is_held_against_what_reviewers_reach_among_themselves() -> None:
    ceiling = panel_agreement([VotePattern(votes=(2, 0, 0), cases=20), VotePattern(votes=(1, 0, 1), cases=5)])

    first, *_ = trust_boxes(FOUND, ceiling=ceiling, of="p", theme=ColourTheme.LIGHT)
    alone, *_ = trust_boxes(FOUND, ceiling=None, of="p", theme=ColourTheme.LIGHT)

    assert "how often two reviewers of one pair agree: 80%, 95% interval" in first.counts
    assert first.counts.endswith("(25 pairs).")
    assert "two reviewers" not in alone.counts


def test_each_dot_of_judge_against_people_says_over_how_many_scores_it_is() -> None:
    boxes = {each.name: each for each in trust_boxes(FOUND, ceiling=None, of="p", theme=ColourTheme.DARK)}

    def words(name: str) -> list[str]:
        figure = boxes[name].figure
        assert figure is not None
        return list(figure.data[0].customdata)

    assert words("kappa") == ["Facts (content), scored first: 0.55 (0.45 to 0.65), n = 1,040"]
    # No figure is a negative zero.
    assert words("lenient") == ["Facts (content), scored first: +0.00 (-0.10 to +0.10), n = 1,040"]


def test_readings_that_named_neither_output_are_told_where_their_part_of_the_bar_is_too_narrow() -> None:
    boxes = {each.name: each for each in trust_boxes(FOUND, ceiling=None, of="p", theme=ColourTheme.DARK)}

    assert (
        "30 of 59 readings with a winner (too few for a rate). 1 reading named neither."
        in boxes["first"].counts
    )


def test_the_words_of_steps_stand_in_a_row_below_all_dots_and_their_line() -> None:
    figure = charts.steps(
        [charts.Point("v1", 0.0, None, "0%\nn = 3"), charts.Point("v2", 0.9, None, "90%\nn = 10")],
        colour="#000000",
        even=0.5,
        palette=PALETTES[ColourTheme.LIGHT],
    )

    dots, words, line = figure.data
    low, high = figure.layout.yaxis.range
    margin = figure.layout.margin
    pixels = (figure.layout.height - margin.t - margin.b) / (high - low)
    assert list(words.text) == ["0%<br>n = 3", "90%<br>n = 10"]
    assert (words.mode, words.textposition, dots.mode, line.mode) == (
        "text",
        "bottom center",
        "markers",
        "lines",
    )
    # Below half a dot with its edge, and above the names: two lines of 12 pixels.
    assert all(-at * pixels >= dots.marker.size / 2 + 1 for at in words.y)
    assert (min(words.y) - low) * pixels >= 2 * 12 * 1.3
