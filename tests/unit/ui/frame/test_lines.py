"""Lines over steps: parted where figures do not compare, with names that stand apart from each other."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from comparator.stats.figures import Interval
from comparator.ui.frame.charts.break_marks import BreakMark
from comparator.ui.frame.charts.lines import Line, Scale, Spot, drawn_bands, lines
from comparator.ui.frame.charts.theme import PALETTES, ColourTheme


def line(name: str, *values: float) -> Line:
    spots = tuple(
        Spot(at, value, Interval(low=value - 0.1, high=value + 0.1), f"{name} {at}")
        for at, value in enumerate(values)
    )
    return Line(name, "#0f766e", spots, 0.05)


def drawn(*every: Line, marks: tuple[BreakMark, ...] = (), banded: int = 0) -> dict[str, Any]:
    steps = [str(at) for at in range(len(every[0].spots))]
    figure = lines(
        every,
        steps,
        marks,
        scale=Scale(0, 1, ".0%"),
        chosen=None,
        palette=PALETTES[ColourTheme.LIGHT],
        banded=banded,
    )
    found: dict[str, Any] = figure.to_dict()
    return found


def test_no_line_and_no_band_goes_through_a_break() -> None:
    found = drawn(line("one", 0.5, 0.6, 0.7, 0.8), marks=(BreakMark(2, "judge", "another judge"),))

    runs = [list(trace["x"]) for trace in found["data"] if trace["mode"] == "lines"]
    assert runs
    assert not any(min(run) < 2 <= max(run) for run in runs)
    noise = [shape for shape in found["layout"]["shapes"] if shape["type"] == "rect"]
    assert [(shape["x0"], shape["x1"]) for shape in noise] == [(-0.4, 1.4), (1.6, 3.4)]


def test_what_is_said_of_bands_is_what_is_drawn() -> None:
    for number in range(1, 6):
        every = [line(f"candidate {at}", 0.5, 0.6, 0.7) for at in range(number)]
        found, bands = drawn(*every), drawn_bands(every, [])
        areas = [trace for trace in found["data"] if trace.get("fill") == "toself"]
        assert bands.intervals
        assert len(areas) == (number if number <= 4 else 1)
        noise = [shape for shape in found["layout"].get("shapes", ()) if shape["type"] == "rect"]
        assert len(noise) == (number if number <= 2 else 1)
        assert bands.noise
    # Between breaks one mark alone has no band.
    assert drawn_bands([line("one", 0.5, 0.6)], [1]) == (False, False)


def test_each_line_has_its_band_in_its_own_colour() -> None:
    every = [
        line("one", 0.5, 0.6)._replace(colour="#111111"),
        line("two", 0.4, 0.3)._replace(colour="#222222"),
    ]

    areas = [trace for trace in drawn(*every)["data"] if trace.get("fill") == "toself"]

    assert [area["fillcolor"] for area in areas] == ["#111111", "#222222"]


def test_of_several_lines_the_chosen_one_has_the_noise() -> None:
    every = [line(f"candidate {at}", at / 10, at / 10) for at in range(3)]

    for chosen in range(3):
        shapes = drawn(*every, banded=chosen)["layout"]["shapes"]
        (noise,) = (shape for shape in shapes if shape["type"] == "rect")
        assert noise["y0"] < chosen / 10 < noise["y1"]


def test_of_many_lines_the_chosen_one_has_the_bands() -> None:
    every = [line(f"candidate {at}", at / 10, at / 10) for at in range(5)]

    for chosen in range(5):
        found = drawn(*every, banded=chosen)

        (band,) = (trace for trace in found["data"] if trace.get("fill") == "toself")
        assert (min(band["y"]), max(band["y"])) == (chosen / 10 - 0.1, chosen / 10 + 0.1)
        (noise,) = (shape for shape in found["layout"]["shapes"] if shape["type"] == "rect")
        assert noise["y0"] < chosen / 10 < noise["y1"]


def test_names_of_lines_that_end_at_one_place_stand_apart() -> None:
    found = drawn(*(line(f"candidate {at}", 0.5, 0.97 + at / 1000) for at in range(5)))

    names = [each for each in found["layout"]["annotations"] if "candidate" in each["text"]]
    places = sorted(each["y"] for each in names)
    assert len(places) == 5
    # 18 pixels apart on a chart that is 252 pixels high, and none above it.
    assert all(after - before > 17 / 252 for before, after in pairwise(places))
    assert max(places) <= 1


def test_names_of_breaks_that_would_run_into_each_other_are_left_to_the_tooltip() -> None:
    marks = tuple(BreakMark(at, "judge, rubric", f"at {at}") for at in range(1, 12))

    found = drawn(line("one", *(0.5 for _ in range(12))), marks=marks)

    shown = [each["x"] for each in found["layout"]["annotations"] if each["text"] == "judge, rubric"]
    assert 1 <= len(shown) < 11
    assert all((after - before) / 12 * 500 > 90 for before, after in pairwise(shown))
    (heads,) = (trace for trace in found["data"] if trace.get("marker", {}).get("symbol") == "triangle-down")
    assert len(heads["x"]) == 11
