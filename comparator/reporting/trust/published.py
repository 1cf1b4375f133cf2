"""What the field published about judges on labelled sets, with its source."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from comparator.domain.labels import Frozen

_FILE = Path(__file__).with_name("published.toml")


class Published(Frozen):
    """A figure that others measured, as a share; None where they did not."""

    set: str
    part: str = ""
    """Which part of the set; empty for the whole."""
    judge: str
    mean: float | None = None
    both: float | None = None
    consistent: float | None = None
    verdict: float | None = None
    n: int | None = None
    source: str

    @property
    def name(self) -> str:
        """The set, and which part of it."""
        return f"{self.set} {self.part}".rstrip()

    @property
    def in_words(self) -> str:
        """The figure in a sentence.

        >>> Published(set="S", judge="J", mean=0.8, n=10, source="W").in_words
        'Published: J on S, mean accuracy 80.0%, n = 10 (W)'
        """
        names = {
            "mean accuracy": self.mean,
            "right in both orders": self.both,
            "same winner in both orders": self.consistent,
            "accuracy": self.verdict,
        }
        given = [f"{name} {value:.1%}" for name, value in names.items() if value is not None]
        number = f", n = {self.n:,}" if self.n else ""
        return f"Published: {self.judge} on {self.name}, {', '.join(given)}{number} ({self.source})"


@cache
def published() -> tuple[Published, ...]:
    """All figures that are known here."""
    return tuple(Published.model_validate(each) for each in tomllib.loads(_FILE.read_text("utf-8"))["figure"])


def figures_on(name: str) -> tuple[Published, ...]:
    """The figures on the set of this name: on the same part of it, else on the set as a whole.

    >>> [each.judge for each in figures_on("LLMBar neighbor")]
    ['GPT-4, vanilla prompt', 'people (agreement of expert annotators)']
    >>> {each.set for each in figures_on("RewardBench 2 test")}
    {'RewardBench 2'}
    """
    wanted = name.casefold()
    return tuple(
        each
        for each in published()
        if wanted == each.name.casefold() or (not each.part and wanted.startswith(f"{each.set.casefold()} "))
    )
