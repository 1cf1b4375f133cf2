"""The Python side of the panes: what they are given. They send nothing back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import streamlit as st

from comparator.domain.labels import Label
from comparator.outputs.pairing import FilePair, pair_files
from comparator.outputs.preview.document import reveal, sized
from comparator.ui.media import PREFIX
from comparator.workflow.sheet import SheetFile

_PARTS = ("dom", "memory", "frame", "quote", "pane", "strip", "main")
HEIGHT = 55
"""Height of the panes in hundredths of the window's height."""


def output_panes(shown: Sequence[SheetFile], *, key: str, height: int = HEIGHT) -> None:
    """Show a comparison's files: outputs paired, then the task's inputs and the reference answer.

    `key` names the comparison, so that the reviewer's place in it is kept across reruns and reloads.
    """
    pairs = pair_files(_of(shown, Label.A), _of(shown, Label.B))
    panes(pairs, [file for file in shown if file.label is None], key=key, height=height)


def panes(
    pairs: Sequence[FilePair[SheetFile]],
    extras: Iterable[SheetFile] = (),
    *,
    key: str,
    height: int = HEIGHT,
) -> None:
    """Show pairs of files side by side, and `extras` (inputs, reference) in tabs of their own."""
    _component()(
        key=key,
        data={
            "place": key,
            "prefix": PREFIX,
            "height": height,
            "pairs": [
                {
                    "a": _described(pair.a),
                    "b": _described(pair.b),
                    "identical": pair.identical,
                    "pairing": pair.pairing.value,
                }
                for pair in pairs
            ],
            "extras": [{"role": file.role, "file": _described(file)} for file in extras],
        },
    )


def _of(shown: Sequence[SheetFile], label: Label) -> list[SheetFile]:
    return [file for file in shown if file.label is label]


def _described(file: SheetFile | None) -> dict[str, Any] | None:
    if file is None:
        return None
    return {
        "id": file.id,
        "name": reveal(file.name),
        "family": file.family.value,
        "size": sized(file.size),
        "notes": [reveal(note) for note in file.notes],
    }


@cache
def _component() -> Any:
    components = files("comparator.ui.components")
    folder = components / "panes"
    script = "\n".join((folder / "js" / f"{part}.js").read_text("utf-8") for part in _PARTS)
    style = f"{(components / 'tokens.css').read_text('utf-8')}\n{(folder / 'panes.css').read_text('utf-8')}"
    return st.components.v2.component("comparator_output_panes", js=script, css=style)
