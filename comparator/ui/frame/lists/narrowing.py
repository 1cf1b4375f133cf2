"""The parts to which the dashboards are narrowed: in the address, and kept for the way back."""

from __future__ import annotations

from comparator.reporting.scope import LENGTHS, By, Within
from comparator.ui.frame.lists.kept_filters import choose_several, several

WITHIN = "within"

BY = {
    By.TAG: "Tag",
    By.TOPIC: "Topic",
    By.TASK: "Task",
    By.CRITERION: "Criterion",
    By.EXPECTATION: "Expectation",
    By.FILES: "File type",
    By.LENGTH: "Length",
    By.ITERATION: "Iteration",
    By.MODEL: "Model",
    By.REVIEWER: "Reviewer",
    By.CHECK: "Check",
}


def parts_chosen() -> tuple[Within, ...]:
    """The parts to which the page is narrowed, from the address or as they were left."""
    found = []
    for each in several(WITHIN):
        by, _, value = each.partition(":")
        if by in set(By) and value and (by != By.LENGTH or value in LENGTHS):
            found.append(Within(by=By(by), value=value))
    return tuple(found)


def narrow(part: Within) -> None:
    """Narrow the page to this part too, in place of another one by the same property."""
    others = [each for each in several(WITHIN) if not each.startswith(f"{part.by.value}:")]
    choose_several(WITHIN, [*others, f"{part.by.value}:{part.value}"])


def widen(part: Within) -> None:
    """Take this part away again."""
    choose_several(WITHIN, [each for each in several(WITHIN) if each != f"{part.by.value}:{part.value}"])
