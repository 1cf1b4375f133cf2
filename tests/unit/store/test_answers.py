"""What a process keeps of a database: the latest used answers."""

from __future__ import annotations

from comparator.store.core.answers import MOST, Answers


def test_the_answer_that_was_not_asked_for_longest_goes_first() -> None:
    answers = Answers()
    for number in range(MOST):
        answers.keep(number, f"answer {number}")

    assert answers.get(0) == "answer 0"
    answers.keep(MOST, "one more")

    assert answers.get(1) is None
    assert [answers.get(number) for number in (0, 2, MOST)] == ["answer 0", "answer 2", "one more"]
