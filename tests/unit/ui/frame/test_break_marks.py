"""Words above a chart, which a narrow screen must not run together."""

from comparator.ui.frame.charts.break_marks import above


def test_words_that_would_run_into_each_other_take_a_second_row_and_a_third_is_left_out() -> None:
    words = [(15.5, "model"), (16, "new prompt"), (16.5, "another note"), (28, "judge")]

    captions = above(words, 32, shift=7, colour="#000000")

    rows = {caption["text"]: caption["yshift"] for caption in captions}
    assert rows == {"model": 7, "new prompt": 25, "judge": 7}
