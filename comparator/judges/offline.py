"""The offline check as a judge: whether files open, whether anything is there, and whether what the task names is."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import subprocess
import sys
import tomllib
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

import defusedxml.ElementTree
import yaml

from comparator.domain.counted import counted
from comparator.domain.labels import Label, Order, PerOutput, Winner
from comparator.domain.pair.task import TaskText
from comparator.domain.pair.view import BlindedPair, Family, OutputView, ViewedFile
from comparator.domain.scoring.judgment import Answer, ExpectationMark, Mark
from comparator.domain.scoring.rubric import (
    FILES_OPEN,
    FILES_PRESENT,
    NO_DIFFERENCE,
    OPENING,
    Anchors,
    Criterion,
    Rubric,
)
from comparator.judges.protocol import JudgeIdentity, Owner, PassReply, RubricReply

if TYPE_CHECKING:
    from comparator.judges.tools.examination import Examination


VERSION = "3"
MODEL = f"offline-check-{VERSION}"
_WHAT_IT_IS = (
    "It looks at form only: whether there is an output, whether its files open and parse, and whether the files that "
    "the task names are there. It cannot tell right from wrong."
)
_ENDINGS = (
    "csv tsv json jsonl md txt py js ts tsx jsx html htm css xml yaml yml toml xlsx docx pptx pdf svg png jpg jpeg gif "
    "ipynb sql sh rs go java c h cpp rb php ini cfg log parquet zip"
)
_NAMED_FILE = re.compile(rf"(?<![\w./-])[\w./-]{{1,200}}\.(?:{'|'.join(_ENDINGS.split())})\b(?!\.?\w)")
_MOST_NAMED, _MOST_FILES, _MOST_FAULTS, _LONGEST_NAME = 60, 200, 5, 60
_ROWS = (
    ("correctness", "Correctness", "Major errors", "Minor errors", "Fully correct"),
    ("completeness", "Completeness", "Missing key elements", "Mostly complete", "All elements present"),
    ("accuracy", "Accuracy", "Significant inaccuracies", "Minor inaccuracies", "Accurate throughout"),
    ("organization", "Organization", "Disorganized", "Reasonably organized", "Clear, logical structure"),
    ("formatting", "Formatting", "Inconsistent or broken", "Mostly consistent", "Professional, polished"),
    ("usability", "Usability", "Difficult to use", "Usable with effort", "Easy to use"),
)
_CRITERIA = tuple(
    Criterion(key=key, name=name, anchors=Anchors(poor=poor, acceptable=acceptable, excellent=excellent))
    for key, name, poor, acceptable, excellent in _ROWS
)
RUBRIC = Rubric(content=_CRITERIA[:3], structure=_CRITERIA[3:])
"""For whoever reviews the pair and wants to score it; the check itself looks at none of it."""


class Fault(NamedTuple):
    """Something wrong with an output: the row that it counts in, and what follows "A" or "It" in a sentence."""

    row: str
    words: str
    reason: str = ""


class OfflineJudge:
    """Looks at form, without a model; the same answer in both orders, at no cost."""

    identity = JudgeIdentity(
        kind="offline", model=MODEL, digest=hashlib.sha256(f"offline:{VERSION}".encode()).hexdigest()
    )

    @property
    def prompt_digests(self) -> dict[str, str]:
        """Empty: there are no prompts."""
        return {}

    async def write_rubric(
        self,
        task: TaskText,  # noqa: ARG002  one rubric for all
        *,
        families: tuple[Family, ...],  # noqa: ARG002  the same
        on_behalf_of: Owner | None = None,  # noqa: ARG002  it sends no requests
    ) -> RubricReply:
        """The specification's own criteria, for whoever scores the pair."""
        return RubricReply(rubric=RUBRIC)

    async def read_pair(
        self,
        pair: BlindedPair,
        rubric: Rubric,
        *,
        order: Order,  # noqa: ARG002  the protocol has it; the check reads both outputs alike
        repetition: int = 0,  # noqa: ARG002  the same
        on_behalf_of: Owner | None = None,  # noqa: ARG002  it sends no requests
        examination: Examination | None = None,  # noqa: ARG002  it reads both as they are
    ) -> PassReply:
        """What the check finds. Neither the order nor the repetition changes it."""
        return PassReply(answer=await asyncio.to_thread(check_pair, pair, rubric))

    async def check(self) -> str:
        """Always ready."""
        return "The offline check is ready; it needs no model, and cannot tell right from wrong."

    async def close(self) -> None:
        """Nothing to give back."""


def check_pair(pair: BlindedPair, rubric: Rubric) -> Answer:
    """What the check says of a pair's form; the criteria of the rubric, and all expectations, are not assessed."""
    inputs = [file.name for file in pair.inputs.files] if pair.inputs else []
    wanted = [name for name in files_named_in(pair.task.prompt) if not _is_there(name, inputs)]
    faults = pair.outputs.map(lambda view: faults_of(view, wanted))
    nothing = PerOutput[Mark](A=Mark(score=None, rationale=""), B=Mark(score=None, rationale=""))
    unassessed = PerOutput[ExpectationMark](A=ExpectationMark(passed=None), B=ExpectationMark(passed=None))
    form = _in_words(faults)
    return Answer(
        criteria={
            **dict.fromkeys(rubric.paths, nothing),
            **{row: _marks(row, faults) for row in (FILES_PRESENT, FILES_OPEN)},
        },
        expectations=(unassessed,) * len(pair.task.expectations),
        strengths=PerOutput[tuple[str, ...]](A=(), B=()),
        weaknesses=faults.map(_weaknesses),
        better=_fewer(faults),
        reasoning=f"{OPENING} {_sentence(form, faults)} {_WHAT_IT_IS}",
        stated_confidence=50,
        form=form,
    )


def files_named_in(prompt: str) -> tuple[str, ...]:
    """The files that a prompt names, each once, in order; addresses on the web are none.

    >>> files_named_in("From data.csv write `out/report.md`, see https://example.org/a.html.")
    ('data.csv', 'out/report.md')
    """
    names = (match.group() for match in _NAMED_FILE.finditer(re.sub(r"\w+://\S+", " ", prompt)))
    return tuple(dict.fromkeys(name.removeprefix("./") for name in names))[:_MOST_NAMED]


def faults_of(view: OutputView, wanted: list[str]) -> tuple[Fault, ...]:
    """What is wrong with one output; `wanted` are the files that the task names, its inputs apart."""
    names = [file.name for file in view.files]
    alone = len(names) == 1
    empty = all(map(is_blank, view.files))
    faults = [Fault(FILES_PRESENT, "is empty"), Fault(FILES_OPEN, "has nothing to open")] if empty else []
    if alone and not empty:
        # An output that was handed in as one file is the file that was asked for, whatever it is called.
        wanted = _without_first(wanted, ending=_ending(names[0]))
    faults += [Fault(FILES_PRESENT, f"lacks {_cut(name)}") for name in wanted if not _is_there(name, names)]
    for file in () if empty else view.files[:_MOST_FILES]:
        problem, reason = problem_of(file)
        if problem:
            words = problem if alone else f"has {_cut(file.name)}, which {problem}"
            faults.append(Fault(FILES_OPEN, words, reason))
    return tuple(faults)


def _without_first(names: list[str], *, ending: str) -> list[str]:
    first = next((name for name in names if _ending(name) == ending), None)
    return [name for name in names if name != first]


def _is_there(name: str, names: list[str]) -> bool:
    return any(f"/{each}".casefold().endswith(f"/{name}".casefold()) for each in names)


def _ending(name: str) -> str:
    return name.rpartition(".")[2].casefold()


def _cut(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"


def _fewer(faults: PerOutput[tuple[Fault, ...]]) -> Winner:
    """The output with fewer faults; neither where both have as many."""
    a, b = len(faults.A), len(faults.B)
    return Winner.TIE if a == b else Winner.A if a < b else Winner.B


def _marks(row: str, faults: PerOutput[tuple[Fault, ...]]) -> PerOutput[Mark]:
    """5 without a fault in this row, else 1. Where both outputs are broken, 2 for the one with fewer faults in all."""

    def mark(label: Label) -> Mark:
        words = [fault.words for fault in faults[label] if fault.row == row]
        score: Literal[1, 2, 5] = 1 if words else 5
        if faults.A and faults.B:
            score = 2 if _fewer(faults).value == label.value else 1
        return Mark(score=score, rationale="; ".join(words[:_MOST_FAULTS]))

    return PerOutput[Mark](A=mark(Label.A), B=mark(Label.B))


def _in_words(faults: PerOutput[tuple[Fault, ...]]) -> str:
    """Which output is broken and how; that there is no difference where none is."""
    return "; ".join(_said(label, each) for label, each in faults.items() if each) or NO_DIFFERENCE


def _said(label: Label, faults: tuple[Fault, ...]) -> str:
    first, *more = faults
    if first.words == "is empty":
        more = []
    return f"{label.value} {first.words}" + (f" ({counted(len(more), 'more fault')})" if more else "")


def _sentence(form: str, faults: PerOutput[tuple[Fault, ...]]) -> str:
    if form == NO_DIFFERENCE:
        return "There is no difference in form."
    if not (faults.A and faults.B):
        return f"{form}."
    fewer = _fewer(faults)
    which = "with as many faults" if fewer is Winner.TIE else f"{fewer.value} with fewer faults"
    return f"Both are broken, {which}: {form}."


def _weaknesses(faults: tuple[Fault, ...]) -> tuple[str, ...]:
    sentences = [f"It {fault.words}{f': {fault.reason}' if fault.reason else ''}." for fault in faults]
    return tuple(sentences[:_MOST_FAULTS])


_UNKNOWN = frozenset({Family.ARCHIVE, Family.BINARY, Family.AUDIO, Family.VIDEO})
_DEEPEST = 60
_LONGEST_YAML = 100_000
_MOST_WORDS = 120
_SECONDS = 12.0
# Hostile code brings Python's own parser to its limits, and threads that parse at once make it fail on Python 3.11.
_PYTHON_CHILD = """
import ast, resource, sys, warnings
for limit, value in ((resource.RLIMIT_AS, 512 << 20), (resource.RLIMIT_CPU, 10), (resource.RLIMIT_CORE, 0)):
    try:
        resource.setrlimit(limit, (value, value))
    except (ValueError, OSError):
        pass
warnings.simplefilter("ignore")
try:
    ast.parse(sys.stdin.buffer.read().decode("utf-8", "replace"))
except SyntaxError as error:
    sys.stdout.buffer.write(f"line {error.lineno}: {error.msg}".encode("utf-8", "replace"))
"""


def is_blank(file: ViewedFile) -> bool:
    """Whether there is nothing in a file but white space."""
    is_text = bool(file.blocks) and all(block.kind == "text" for block in file.blocks)
    return file.size == 0 or (is_text and not file.text.strip())


def problem_of(file: ViewedFile) -> tuple[str, str]:
    """What is wrong with a file as `does not open` or `does not parse`, and why; two empty texts where nothing is.

    Nothing is said of a file that was cut, or of a kind that is not looked into.
    """
    if file.family in _UNKNOWN or file.is_cut or is_blank(file):
        return "", ""
    if not file.blocks:
        return "does not open", ""
    try:
        _parse(file)
    except RecursionError:
        return "does not parse", "it is nested too deeply"
    except (ValueError, yaml.YAMLError, SyntaxError, OverflowError) as error:
        return "does not parse", str(error).partition("\n")[0][:_MOST_WORDS].rstrip(".")
    return "", ""


def _parse(file: ViewedFile) -> None:
    match file.family:
        case Family.JSON:
            _parse_json(file.text)
        case Family.YAML:
            _parse_yaml(file.text)
        case Family.TOML:
            tomllib.loads(file.text)
        case Family.XML:
            defusedxml.ElementTree.fromstring(file.text)
        case Family.CODE if file.name.endswith((".py", ".pyi")):
            if problem := _python_problem(file.text):
                raise ValueError(problem)
        case _:
            pass


def _parse_json(text: str) -> None:
    try:
        json.loads(text)
    except json.JSONDecodeError:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2 or not all(line.lstrip().startswith(("{", "[")) for line in lines):
            raise
        for line in lines:
            json.loads(line)


def _parse_yaml(text: str) -> None:
    if len(text) > _LONGEST_YAML:
        return
    # The parser takes time in the square of the depth.
    depth = deepest = 0
    for character in text:
        depth += (character in "[{") - (character in "]}")
        deepest = max(deepest, depth)
    if deepest > _DEEPEST or "- " * _DEEPEST in text:
        raise ValueError("it is nested too deeply")
    yaml.safe_load(text)


@lru_cache(maxsize=256)
def _python_problem(text: str) -> str:
    try:
        child = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _PYTHON_CHILD],
            input=text.encode("utf-8", "replace"),
            capture_output=True,
            timeout=_SECONDS,
            env={"LANG": "C.UTF-8"},
            check=True,
        )
    except (subprocess.SubprocessError, OSError):
        return "it cannot be read as Python"
    return child.stdout.decode("utf-8")
