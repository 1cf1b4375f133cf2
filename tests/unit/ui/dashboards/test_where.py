"""What the forest plot of parts says above it."""

from __future__ import annotations

import pytest

from comparator.reporting.results.candidates import Names
from comparator.reporting.scope import By, ResultFilter, Within
from comparator.reporting.why.slices import Parts, SlicePart
from comparator.stats.figures import Estimate, Interval, TooFew
from comparator.ui.dashboards.tabs.where import MOST, parts_box
from comparator.ui.frame.charts.box import Box
from comparator.ui.frame.charts.theme import PALETTES, ColourTheme


def part(name: str, won: int, lost: int, *, stands_out: bool = False, few: bool = False) -> SlicePart:
    share = won / (won + lost)
    rate = Estimate(value=share, interval=Interval(low=share - 0.2, high=share + 0.2), n=won + lost)
    return SlicePart(
        part=Within(by=By.TAG, value=name),
        name=name,
        won=won,
        tied=0,
        lost=lost,
        tasks=won + lost,
        rate=TooFew(n=won + lost) if few else rate,
        difference=share - 0.7,
        p=None if few else 0.2,
        stands_out=stands_out,
        turned=share < 0.5,
    )


def box(*parts: SlicePart, left_out: int = 0, by: By = By.TAG, share: float = 0.7) -> Box:
    n = sum(each.n for each in parts)
    found = Parts(by=by, parts=parts, n=n, share=share, looked_at=len(parts), left_out=left_out)
    asked = ResultFilter(project_id="p", one="new", two="old")
    return parts_box(found, asked=asked, names=Names("new", "old"), theme=ColourTheme.LIGHT)


def test_a_part_that_reverses_is_named_whether_it_stands_out_or_not() -> None:
    clear, unclear, small = (
        part("network", 5, 95, stands_out=True),
        part("billing", 9, 11),
        part("upgrade", 1, 3, few=True),
    )

    found = box(clear, unclear, small, part("storage", 18, 7))

    assert found.title == "Reversed on network"
    assert "Reversed too, within chance: billing." in found.counts
    assert "upgrade" not in found.counts


def test_a_chart_that_has_the_first_parts_only_says_so() -> None:
    many = [part(f"tag-{number}", 14, 6) for number in range(MOST + 1)]

    assert f"The chart has the first {MOST}, the table lists all." in box(*many).counts
    assert "The chart has" not in box(*many[:MOST]).counts


def test_a_part_with_too_few_tasks_is_a_small_square_at_the_edge_whatever_its_share() -> None:
    few = (part("upgrade", 3, 1, few=True), part("storage", 0, 4, few=True, stands_out=True))
    found, full = box(part("network", 14, 7), *few), box(part("network", 14, 7))

    assert found.figure is not None
    assert full.figure is not None
    (dots,) = found.figure.data
    assert dots.x[0] == pytest.approx(200 / 3)
    left, _ = full.figure.layout.xaxis.range
    assert found.figure.layout.xaxis.range[0] < dots.x[1] == dots.x[2] < left < 0, "where no share lies"
    assert list(dots.marker.symbol) == ["circle", "square", "square"]
    assert [round(end, 1) for end in (*dots.error_x.array, *dots.error_x.arrayminus)] == [20, 0, 0, 20, 0, 0]
    page, shown = PALETTES[ColourTheme.LIGHT].page, PALETTES[ColourTheme.LIGHT].ink
    assert list(dots.marker.color) == [shown, page, page]
    # Each mark leads to its pairs, and what stands out keeps its sign.
    assert len(found.marks[0]) == 3
    assert list(found.figure.layout.yaxis.ticktext) == ["network", "upgrade", "◆ storage"]
    beside = [each.text for each in found.figure.layout.annotations if each.x == 1.02]
    assert beside[1:] == ["3 won, 0 tied, 1 lost", "0 won, 0 tied, 4 lost"]
    assert list(dots.customdata) == [
        "network: 67%, 95% interval 47 to 87; 14 won, 0 tied, 7 lost, 21 tasks",
        "upgrade: too few for a rate; 3 won, 0 tied, 1 lost, 4 tasks",
        "storage: too few for a rate; 0 won, 0 tied, 4 lost, 4 tasks",
    ]
    last = "Parts with fewer than 20 tasks show counts only. Click their small square to list the pairs."
    assert last in found.counts
    assert last not in full.counts


def test_the_line_across_stands_at_the_overall_rate_and_the_words_say_which_that_is() -> None:
    for share, words in ((0.625, "62%"), (0.31, "31%")):
        found = box(part("network", 14, 7), part("storage", 18, 7), share=share)

        assert found.figure is not None
        (line,) = found.figure.layout.shapes
        assert (line.x0, line.x1) == (share * 100, share * 100)
        assert (line.yref, line.y0, line.y1) == ("paper", 0, 1)
        assert f"the line across is the overall rate, {words}." in found.counts


def test_the_numbers_of_a_part_with_too_few_tasks_are_counts_only() -> None:
    enough, few = part("network", 14, 7), part("upgrade", 3, 1, few=True)

    rows = box(enough, few).rows

    assert [(row["Difference to the rest"], row["Chance (p)"]) for row in rows] == [
        (-0.033, 0.2),
        (None, None),
    ]
    assert [(row["Won"], row["Lost"], row["Tasks"]) for row in rows] == [(14, 7, 21), (3, 1, 4)]


def test_a_row_says_whether_its_part_reverses_and_by_more_than_chance() -> None:
    parts = {
        "reverses": part("network", 5, 95, stands_out=True),
        "reverses, within chance": part("billing", 9, 11),
        "reverses, too few tasks": part("upgrade", 1, 3, few=True),
        "yes": part("storage", 95, 5, stands_out=True),
        "no": part("backup", 15, 6),
    }

    assert [row["Stands out"] for row in box(*parts.values()).rows] == list(parts)


def test_parts_that_were_not_looked_at_are_told_of() -> None:
    parts = [part("network", 14, 6), part("billing", 9, 11)]

    assert "2 parts looked at; 7 more were not looked at." in box(*parts, left_out=7).counts
    assert "2 parts looked at. " in box(*parts).counts


def test_a_criterion_is_told_by_who_scores_higher_and_an_expectation_by_who_meets_it() -> None:
    even, other = part("Layout", 11, 9), part("Wording", 12, 9)

    assert box(even, other).title == "No subset stands out from the rest"
    by_criterion = box(even, other, by=By.CRITERION)
    assert by_criterion.title == "No criterion stands out from the rest"
    assert "in which new scores higher on the criterion, even scores counted as half" in by_criterion.counts
    assert "only new meets the expectation" in box(even, other, by=By.EXPECTATION).counts
