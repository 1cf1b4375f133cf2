"""What an import is asked for: where, which pairs, what was decided about telling words; and what it says meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from pydantic import Field, ValidationError, field_validator, model_validator

from comparator.domain.errors import InputError
from comparator.domain.labels import Frozen
from comparator.domain.project import ReviewMode
from comparator.interop.imported import Findings, Format, LeftOut
from comparator.interop.read.set_labels import word_of
from comparator.workflow.importing.pairs import Pairing

OnStep = Callable[[str], None]
EVERY = 25
"""After so many outputs or pairs it is said how far an import is."""


class Step(str):
    """A sentence for a person that also says how far the work is: `done` of `of`, as numbers of things.

    >>> step = Step("Reading output 4 of 12", done=3, of=12)
    >>> print(step, step.share)
    Reading output 4 of 12 0.25
    """

    done: int
    of: int

    def __new__(cls, text: str, *, done: int, of: int) -> Self:
        """The sentence, with the figures beside it."""
        step = super().__new__(cls, text)
        step.done, step.of = done, of
        return step

    @property
    def share(self) -> float:
        """How much of it is done, from 0 to 1."""
        return min(self.done / self.of, 1.0) if self.of else 1.0


def tell(on_step: OnStep, doing: str, number: int, *, of: int) -> None:
    """Say at the first, the last and every 25th thing that this one's turn has come."""
    if number in (1, of) or number % EVERY == 0:
        on_step(Step(f"{doing} {number:,} of {of:,}", done=number - 1, of=of))


SETS = {
    Format.LLMBAR: "LLMBar",
    Format.JUDGEBENCH: "JudgeBench",
    Format.REWARDBENCH: "RewardBench 2",
    Format.MT_BENCH: "MT-Bench",
    Format.ALPACA_EVAL: "AlpacaEval",
}
"""What sets of labelled pairs are called where figures on them are published."""
_SIDES = ("a", "b", "tie")


class ImportRequest(Frozen):
    """What `comparator import` is given; `compare` names two candidates instead of `pairs`.

    Raises InputError where a baseline is named and nothing is compared with it, or a label's value means no side.
    """

    path: Path
    left_out: tuple[LeftOut, ...] = ()
    """What of an upload was not unpacked."""
    format: Format | None = None
    project: str = ""
    mode: ReviewMode | None = None
    """How the project is reviewed if this import begins it."""
    compare: tuple[str, str] | None = None
    pairs: Pairing = Pairing.SIBLINGS
    baseline: str = ""
    """The candidate that the others are compared with; empty where its name tells it."""
    iterations: str = "all"
    workspace: str = ""
    """The one workspace to read, by its path within the import; empty for all."""
    columns: dict[str, str] = Field(default_factory=dict)
    label_values: dict[str, str] = Field(default_factory=dict)
    """What the values of a table's label mean: A, B or tie."""
    keep: frozenset[str] = frozenset()
    """Words that stay although they may tell a side; `redact` are words that go although they need not."""
    redact: frozenset[str] = frozenset()
    set_aside: frozenset[str] = frozenset()
    """Expectations, in their own words, that neither judge nor reviewer is to check."""
    take_back: frozenset[str] = frozenset()
    """Names of files that are judged although they report on a run."""

    @field_validator("label_values")
    @classmethod
    def _as_labels_are_compared(cls, meanings: dict[str, str]) -> dict[str, str]:
        if wrong := [side for side in meanings.values() if side.lower() not in _SIDES]:
            raise InputError(f"label_values says {wrong[0][:40]!r}. Each label value must mean A, B or tie.")
        return {word_of(value): side for value, side in meanings.items()}

    @field_validator("set_aside")
    @classmethod
    def _in_one_line(cls, texts: frozenset[str]) -> frozenset[str]:
        return frozenset(" ".join(text.split()) for text in texts)

    @model_validator(mode="after")
    def _baseline_is_used(self) -> Self:
        if self.baseline and (self.pairs is not Pairing.BASELINE or self.compare is not None):
            raise InputError(
                f"--baseline {self.baseline} needs --pairs baseline, without --compare. Add or drop it."
            )
        return self

    @classmethod
    def from_options(cls, path: Path, options: Mapping[str, Any]) -> Self:
        """The request that has these options. Raises InputError for a value that is not understood."""
        try:
            return cls(path=path, **options)
        except ValidationError as error:
            wrong = error.errors()[0]
            name = ".".join(map(str, wrong["loc"]))
            raise InputError(f"{name} cannot be {str(wrong['input'])[:60]!r}: {wrong['msg']}.") from error

    def checked(self, expectations: Sequence[str]) -> tuple[str, ...]:
        """The expectations that are not set aside."""
        return tuple(text for text in expectations if " ".join(text.split()) not in self.set_aside)

    def project_for(self, found: Findings) -> str:
        """The project's name: as given, that of the one skill, else of the file or the folder that is not generic.

        That of a published set begins with the set's name, by which its published figures are known.
        """
        if self.project.strip():
            return self.project.strip()
        if found.format is Format.SKILL_CREATOR and len(found.skill_names) == 1:
            return found.skill_names[0]
        path = self.path.absolute()
        if not path.is_dir():
            of_set = path.parent.name if path.stem == "dataset" else path.stem
            return f"{SETS[found.format]} {of_set}" if found.format in SETS else path.stem
        generic = ("workspace", "results", "runs", "evals")
        return next((p.name for p in (path, *path.parents) if p.name and p.name not in generic), "Import")


def label_meanings(text: str) -> dict[str, str]:
    """What the values of a label mean, from a text like "1=B,0=tie,-1=A". Raises InputError.

    >>> label_meanings("1=B, 0=tie")
    {'1': 'B', '0': 'tie'}
    """
    meanings: dict[str, str] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        value, separator, side = (piece.strip() for piece in part.rpartition("="))
        if not separator or side.lower() not in _SIDES or not value:
            raise InputError(f"--label-values {part} is not understood. Write it like 1=B,0=tie,-1=A.")
        meanings[value] = side
    return meanings
