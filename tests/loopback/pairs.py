"""Blinded pairs for tests, made from plain texts."""

import hashlib
from collections.abc import Mapping
from pathlib import PurePosixPath

from comparator.domain.labels import PerOutput
from comparator.domain.pair.task import TaskText
from comparator.domain.pair.view import BlindedPair, Block, Family, OutputView, TextBlock, ViewedFile
from comparator.domain.scoring.rubric import Anchors, Criterion, Rubric

_FAMILIES = {
    ".md": Family.MARKDOWN,
    ".txt": Family.TEXT,
    ".py": Family.CODE,
    ".js": Family.CODE,
    ".json": Family.JSON,
    ".yaml": Family.YAML,
    ".toml": Family.TOML,
    ".xml": Family.XML,
    ".csv": Family.CSV,
    ".html": Family.HTML,
    ".pdf": Family.PDF,
    ".docx": Family.DOCX,
    ".xlsx": Family.XLSX,
    ".png": Family.IMAGE,
}


def viewed(name: str, content: str | tuple[Block, ...]) -> ViewedFile:
    """One file as a judge sees it, its family by its ending."""
    blocks = (TextBlock(text=content),) if isinstance(content, str) else content
    size = sum(len(b.text) if isinstance(b, TextBlock) else len(b.data) for b in blocks)
    return ViewedFile(
        id=hashlib.sha256(name.encode()).hexdigest()[:12],
        name=name,
        family=_FAMILIES.get(PurePosixPath(name).suffix, Family.TEXT),
        size=size,
        blocks=blocks,
    )


def view(files: Mapping[str, str | tuple[Block, ...]]) -> OutputView:
    """One output as a judge sees it."""
    return OutputView(files=tuple(viewed(name, content) for name, content in files.items()))


def pair(
    a: Mapping[str, str | tuple[Block, ...]],
    b: Mapping[str, str | tuple[Block, ...]],
    *,
    prompt: str = "Write a short note about the river.",
    expectations: tuple[str, ...] = (),
    inputs: Mapping[str, str | tuple[Block, ...]] | None = None,
    reference: Mapping[str, str | tuple[Block, ...]] | None = None,
) -> BlindedPair:
    """A pair of outputs with its task."""
    return BlindedPair(
        task=TaskText(prompt=prompt, expectations=expectations),
        inputs=view(inputs) if inputs else None,
        reference=view(reference) if reference else None,
        outputs=PerOutput[OutputView](A=view(a), B=view(b)),
    )


def mirrored(one: BlindedPair) -> BlindedPair:
    """The same pair with A and B exchanged."""
    return one.model_copy(update={"outputs": one.outputs.mirrored})


def rubric(*, content: tuple[str, ...] = (), structure: tuple[str, ...] = ()) -> Rubric:
    """A rubric with these criterion keys; the specification's own by default."""

    def criterion(key: str) -> Criterion:
        anchors = Anchors(poor="Poor", acceptable="Acceptable", excellent="Excellent")
        return Criterion(key=key, name=key.replace("_", " ").capitalize(), anchors=anchors)

    return Rubric(
        content=tuple(map(criterion, content or ("correctness", "completeness", "accuracy"))),
        structure=tuple(map(criterion, structure or ("organization", "formatting", "usability"))),
    )
