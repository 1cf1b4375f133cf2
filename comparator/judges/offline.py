"""The offline check as a judge: whether files open, whether anything is there, and whether what the task names is."""

import asyncio
import hashlib
import itertools
import json
import re
import tomllib
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import defusedxml.ElementTree
import yaml

from comparator.domain.counted import counted
from comparator.domain.labels import Label, PerOutput, Winner
from comparator.domain.pair.chat import turns_in
from comparator.domain.pair.task import TaskText
from comparator.domain.pair.view import BlindedPair, Family, OutputView, ViewedFile
from comparator.domain.scoring.judgment import Answer, ExpectationMark, JudgeIdentity, Mark
from comparator.domain.scoring.rubric import FILES_OPEN, FILES_PRESENT, NO_DIFFERENCE, OPENING, USUAL, Rubric
from comparator.judges.protocol import AsksNoModel, PassReply, QuestionResult

MODEL = "offline-check-4"
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
_UNKNOWN = frozenset({Family.ARCHIVE, Family.BINARY, Family.AUDIO, Family.VIDEO})
# The YAML parser takes time in the square of the depth.
_DEEPEST, _LONGEST_YAML = 60, 100_000


class Fault(NamedTuple):
    """Something wrong with an output: its row, what follows "A" or "It" in a sentence, and ": " with the reason."""

    row: str
    words: str
    reason: str = ""


class OfflineJudge(AsksNoModel):
    """Looks at form, without a model; the same answer in both orders, at no cost."""

    identity = JudgeIdentity(kind="offline", model=MODEL, digest=hashlib.sha256(b"offline:4").hexdigest())

    async def write_rubric(self, task: TaskText, **_: Any) -> QuestionResult[Rubric]:  # noqa: ARG002  one rubric for all
        """The specification's own criteria, for whoever scores the pair."""
        return QuestionResult(USUAL)

    async def read_pair(self, pair: BlindedPair, rubric: Rubric, **_: Any) -> PassReply:
        """What the check finds. Neither the order nor the repetition changes it."""
        return PassReply(answer=await asyncio.to_thread(check_pair, pair, rubric))

    async def check(self) -> str:
        """Always ready."""
        return "The offline check is ready; it needs no model, and cannot tell right from wrong."


def check_pair(pair: BlindedPair, rubric: Rubric) -> Answer:
    """What the check says of a pair's form; the criteria of the rubric, and all expectations, are not assessed."""
    inputs = [file.name for file in pair.inputs.files] if pair.inputs else []
    wanted = [name for name in files_named_in(pair.task.prompt) if not _is_there(name, inputs)]
    faults = pair.outputs.map(lambda view: faults_of(view, wanted))
    a, b = len(faults.A), len(faults.B)
    fewer = Winner.TIE if a == b else Winner.A if a < b else Winner.B

    def mark(row: str, label: Label) -> Mark:
        """5 without a fault in the row, else 1; where both are broken, 2 for the one with fewer faults in all."""
        words = [fault.words for fault in faults[label] if fault.row == row]
        score: Literal[1, 2, 5] = 1 if words else 5
        if a and b:
            score = 2 if fewer.value == label else 1
        return Mark(score=score, rationale="; ".join(words[:_MOST_FAULTS]))

    form = "; ".join(_fault_in_words(label, own) for label, own in faults.items() if own) or NO_DIFFERENCE
    sentence = "There is no difference in form." if form == NO_DIFFERENCE else f"{form}."
    if a and b:
        which = "with as many faults" if a == b else f"{fewer} with fewer faults"
        sentence = f"Both are broken, {which}: {sentence}"
    nothing, unassessed = Mark(score=None, rationale=""), ExpectationMark(passed=None)
    criteria = dict.fromkeys(rubric.paths, PerOutput[Mark](A=nothing, B=nothing))
    for row in (FILES_PRESENT, FILES_OPEN):
        criteria[row] = PerOutput.of(partial(mark, row))
    return Answer(
        criteria=criteria,
        expectations=(PerOutput[ExpectationMark](A=unassessed, B=unassessed),) * len(pair.task.expectations),
        strengths=PerOutput[tuple[str, ...]](A=(), B=()),
        weaknesses=faults.map(
            lambda own: tuple(f"It {fault.words}{fault.reason}." for fault in own[:_MOST_FAULTS])
        ),
        better=fewer,
        reasoning=f"{OPENING} {sentence} {_WHAT_IT_IS}",
        stated_confidence=50,
        form=form,
    )


def files_named_in(prompt: str) -> tuple[str, ...]:
    """The files that a prompt names, each once, in order; addresses on the web are none.

    >>> files_named_in("From data.csv write `out/report.md`, see https://example.org/a.html.")
    ('data.csv', 'out/report.md')
    """
    names = (match.group() for match in _NAMED_FILE.finditer(re.sub(r"(?<!\w)\w+://\S+", " ", prompt)))
    return tuple(dict.fromkeys(name.removeprefix("./") for name in names))[:_MOST_NAMED]


def faults_of(view: OutputView, wanted: list[str]) -> tuple[Fault, ...]:
    """What is wrong with one output; `wanted` are the files that the task names, its inputs apart."""
    if all(map(_is_blank, view.files)):
        lacks = [Fault(FILES_PRESENT, f"lacks {_cut(name)}") for name in wanted]
        return (Fault(FILES_PRESENT, "is empty"), Fault(FILES_OPEN, "has nothing to open"), *lacks)
    names = [file.name for file in view.files]
    if len(names) == 1:
        # An output that was handed in as one file is the file that was asked for, whatever it is called.
        ending = names[0].rpartition(".")[2].casefold()
        meant = next((name for name in wanted if name.rpartition(".")[2].casefold() == ending), None)
        wanted = [name for name in wanted if name != meant]
    faults = [Fault(FILES_PRESENT, f"lacks {_cut(name)}") for name in wanted if not _is_there(name, names)]
    for file in view.files[:_MOST_FILES]:
        problem, reason = problem_of(file)
        if problem:
            words = problem if len(names) == 1 else f"has {_cut(file.name)}, which {problem}"
            faults.append(Fault(FILES_OPEN, words, reason and f": {reason}"))
    return tuple(faults)


def _is_there(name: str, names: list[str]) -> bool:
    return any(f"/{other}".casefold().endswith(f"/{name}".casefold()) for other in names)


def _cut(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"


def _fault_in_words(label: Label, faults: tuple[Fault, ...]) -> str:
    first, *more = faults
    others = f" ({counted(len(more), 'more fault')})" if more and first.words != "is empty" else ""
    return f"{label} {first.words}{others}"


def _is_blank(file: ViewedFile) -> bool:
    is_text = bool(file.blocks) and all(block.kind == "text" for block in file.blocks)
    return file.size == 0 or (is_text and not file.text.strip())


def problem_of(file: ViewedFile) -> tuple[str, str]:
    """What is wrong with a file as `does not open` or `does not parse`, and why; two empty texts where nothing is.

    Nothing is said of a file that was cut, or of a kind that is not looked into.
    """
    if file.family in _UNKNOWN or file.is_cut or _is_blank(file):
        return "", ""
    if not file.blocks:
        return "does not open", ""
    try:
        parse = _PARSERS.get(file.family)
        # A chat is shown as its turns once it was parsed.
        if parse and not turns_in(file.text):
            parse(file.text)
    except RecursionError:
        return "does not parse", "it is nested too deeply"
    except (ValueError, yaml.YAMLError, SyntaxError, OverflowError) as error:
        return "does not parse", str(error).partition("\n")[0][:120].rstrip(".")
    return "", ""


def _parse_json(text: str) -> None:
    try:
        json.loads(text)
    except json.JSONDecodeError:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2 or not all(line.lstrip().startswith(("{", "[")) for line in lines):
            raise
        # Several values, one a line.
        list(map(json.loads, lines))


def _parse_yaml(text: str) -> None:
    if len(text) > _LONGEST_YAML:
        return
    depths = itertools.accumulate((character in "[{") - (character in "]}") for character in text)
    if max(depths, default=0) > _DEEPEST or "- " * _DEEPEST in text:
        raise ValueError("it is nested too deeply")
    yaml.safe_load(text)


_PARSERS: Mapping[Family, Callable[[str], object]] = MappingProxyType(
    {
        Family.JSON: _parse_json,
        Family.YAML: _parse_yaml,
        Family.TOML: tomllib.loads,
        Family.XML: defusedxml.ElementTree.fromstring,
    }
)
