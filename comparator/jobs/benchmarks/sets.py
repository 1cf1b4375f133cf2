"""Labelled sets from files: which pairs they hold, a sample of them, and a digest that says which set it was."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from comparator.domain.errors import ComparatorError, InputError
from comparator.interop.imported import Findings, Format, FoundLabel, FoundPair, LabelSource, Side
from comparator.interop.read import recognise
from comparator.interop.read.text import UnreadableImport

NAMES: Mapping[Format, str] = {
    Format.LLMBAR: "LLMBar",
    Format.JUDGEBENCH: "JudgeBench",
    Format.REWARDBENCH: "RewardBench 2",
    Format.MT_BENCH: "MT-Bench",
    Format.ALPACA_EVAL: "AlpacaEval",
}
LABELS = (LabelSource.GOLD, LabelSource.HUMAN)
MOST_FILES = 500
"""Files of a folder that are looked at."""


class LabelledSet(NamedTuple):
    """What a file holds that has a label: `found` has no other pairs, runs and labels."""

    name: str
    found: Findings


def read_sets(path: Path) -> tuple[LabelledSet, ...]:
    """The labelled sets of a file, or of all files below a folder that are one. Raises InputError."""
    if not path.is_dir():
        return (read_set(path),)
    found = []
    files = sorted(each for each in path.rglob("*") if each.suffix in (".json", ".jsonl", ".parquet"))
    for file in files[:MOST_FILES]:
        try:
            each = read_set(file)
        except (ComparatorError, UnreadableImport):
            continue
        if each.found.format in NAMES:
            found.append(each)
    if not found:
        raise InputError(
            f"No file below {path} is a labelled set that can be read: {', '.join(NAMES.values())}. Give the file."
        )
    return tuple(found)


def read_set(path: Path) -> LabelledSet:
    """The labelled pairs of a file. Raises InputError where it has none."""
    found = recognise.read(path, format=None)
    labels = defaultdict(list)
    for label in found.labels:
        if label.kind in LABELS and label.winner is not None:
            labels[frozenset((label.first, label.second))].append(label)
    stated = tuple(pair for pair in found.stated if frozenset((pair.first, pair.second)) in labels)
    if not stated:
        raise InputError(
            f"{path} names no winner for any pair, neither gold nor people's. A benchmark needs labels."
        )
    return LabelledSet(_name(path, found), only(found, stated))


def only(found: Findings, stated: Iterable[FoundPair]) -> Findings:
    """What was found of these pairs."""
    kept = tuple(stated)
    pairs = {frozenset((pair.first, pair.second)) for pair in kept}
    addresses = frozenset().union(*pairs)
    return found.model_copy(
        update={
            "stated": kept,
            "runs": tuple(run for run in found.runs if run.address in addresses),
            "labels": tuple(each for each in found.labels if frozenset((each.first, each.second)) in pairs),
        }
    )


def sampled(found: Findings, size: int | None) -> Findings:
    """So many of the pairs, drawn by their content: the same each time, and a larger sample holds a smaller one."""
    if size is None or size >= len(found.stated):
        return found
    texts = {run.address: f"{run.task_key}\n{run.prompt}\n{run.text}" for run in found.runs}

    def drawn(pair: FoundPair) -> str:
        return hashlib.sha256(f"{texts[pair.first]}\n{texts[pair.second]}".encode()).hexdigest()

    return only(found, sorted(found.stated, key=drawn)[:size])


def digest_of(found: Findings) -> str:
    """Which pairs with which labels: figures of one digest may be compared."""
    texts = {run.address: f"{run.prompt}\n{run.text}" for run in found.runs}
    truths = labels_of(found)
    lines = sorted(
        f"{texts[pair.first]}\n{texts[pair.second]}\n{truths[frozenset((pair.first, pair.second))].value}"
        for pair in found.stated
    )
    return hashlib.sha256("\n\n".join(lines).encode("utf-8", "replace")).hexdigest()


def labels_of(found: Findings) -> dict[frozenset[str], Side]:
    """The winner of each pair by its label: gold, else what most people say, a tie where they are split."""
    given: dict[frozenset[str], list[FoundLabel]] = defaultdict(list)
    for label in found.labels:
        given[frozenset((label.first, label.second))].append(label)
    first = {frozenset((pair.first, pair.second)): pair.first for pair in found.stated}
    return {pair: _side(labels, first[pair]) for pair, labels in given.items() if pair in first}


def _side(labels: list[FoundLabel], first: str) -> Side:
    gold = [label for label in labels if label.kind is LabelSource.GOLD]
    votes: dict[Side, int] = defaultdict(int)
    for label in gold[:1] or labels:
        if label.winner is not None:
            turned = label.first != first and label.winner is not Side.TIE
            other = Side.SECOND if label.winner is Side.FIRST else Side.FIRST
            votes[other if turned else label.winner] += 1
    most = max(votes.values())
    best = [side for side, number in votes.items() if number == most]
    return best[0] if len(best) == 1 else Side.TIE


def _name(path: Path, found: Findings) -> str:
    start = NAMES.get(found.format, "")
    part = path.absolute().parent.name if path.stem == "dataset" else path.stem
    return f"{start} {part}".strip()
