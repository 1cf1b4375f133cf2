"""Fifty findings that state five reasons in other words each time, and topical sentences to compare with."""

from __future__ import annotations

EVALUATIVE: dict[str, tuple[str, ...]] = {
    "complete": (
        "nothing that was asked for is missing",
        "covers each of the requested points",
        "skips two of the five steps",
        "leaves the reader without the last section",
        "answers the whole question",
        "half of the request is ignored",
        "every item of the brief turns up",
        "gaps where the appendix belongs",
        "addresses only the first part",
        "thorough from start to end",
    ),
    "correct": (
        "the figures add up",
        "gets the total wrong",
        "states a version that never existed",
        "facts check out against the source",
        "miscalculates the tax",
        "accurate to the last digit",
        "confuses two different commands",
        "the claim about latency is false",
        "no error could be found",
        "mistakes the year of the release",
    ),
    "clear": (
        "easy to follow at first reading",
        "sentences wander and lose the thread",
        "a newcomer would understand it",
        "jargon without any explanation",
        "says plainly what to do",
        "muddled wording hides the point",
        "reads smoothly",
        "had to be read three times",
        "explains itself well",
        "vague about who does what",
    ),
    "concise": (
        "gets to the point",
        "rambles for two pages",
        "no padding",
        "repeats itself over and over",
        "brief and sufficient",
        "bloated introduction",
        "wastes the reader's time",
        "tight and economical",
        "could be a third of its length",
        "says it once and stops",
    ),
    "safe": (
        "warns before deleting data",
        "runs a destructive step without asking",
        "offers a way back if it fails",
        "would take production down",
        "takes a backup beforehand",
        "exposes the password in the log",
        "tests the change on a copy",
        "reckless with the customer's files",
        "guards against a half-finished upgrade",
        "no plan for when things go bad",
    ),
}
TOPICAL: dict[str, tuple[str, ...]] = {
    subject: tuple(f"the {subject} {rest}" for rest in rests)
    for subject, rests in {
        "table": ("columns align", "rows and columns", "has columns", "rows sorted", "columns labelled"),
        "invoice": ("total and tax", "tax stated", "total wrong", "tax and total match", "total with tax"),
        "diagram": (
            "arrows drawn",
            "boxes and arrows",
            "arrows cross",
            "boxes labelled",
            "boxes without arrows",
        ),
        "rollback": (
            "command given",
            "command and backup",
            "backup first",
            "backup missing",
            "command tested",
        ),
    }.items()
}


def flat(sets: dict[str, tuple[str, ...]]) -> tuple[list[str], list[str]]:
    """The texts and, for each, what it belongs to."""
    pairs = [(text, name) for name, texts in sets.items() for text in texts]
    return [text for text, _ in pairs], [name for _, name in pairs]
