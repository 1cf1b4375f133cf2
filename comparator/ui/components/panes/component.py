"""The Python side of the panes: what they are given. What a reviewer does in them goes through the notes beneath."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from comparator.domain.labels import Frozen, Label, PerOutput
from comparator.domain.pair.view import SetAside
from comparator.outputs.preview.document import reveal, sized
from comparator.outputs.view.pairing import Alike, FilePair, pair_files
from comparator.store.pairs.outputs import FileRow
from comparator.ui.components import TOKENS, component
from comparator.web.media.source import PREFIX
from comparator.workflow.review.sheet import SheetFile


class EvidenceTarget(Frozen):
    """A criterion (`score`) or expectation that a passage can be attached to; `key` is that of its address."""

    part: str
    key: str
    name: str


class Aside(Frozen):
    """What was set aside: of both outputs together and, where that may be told, by output."""

    of_both: tuple[str, ...] = ()
    files: PerOutput[tuple[SetAside, ...]] = PerOutput[tuple[SetAside, ...]](A=(), B=())


def output_panes(
    shown: Sequence[SheetFile],
    *,
    key: str,
    by_hand: Iterable[tuple[str | None, str | None]] = (),
    alike: Alike[SheetFile] | None = None,
    targets: Iterable[EvidenceTarget] = (),
    aside: Aside | None = None,
    names: PerOutput[str] | None = None,
) -> None:
    """Show a comparison's files: outputs paired, then the task's inputs and the reference answer.

    `key` names the comparison, so that the reviewer's place in it is kept across reruns and reloads. `by_hand` and
    `alike` are those of `pair_files`; passages can be attached to `targets`.
    """
    pairs = pair_files(_of(shown, Label.A), _of(shown, Label.B), by_hand=by_hand, alike=alike)
    extras = [file for file in shown if file.label is None]
    panes(pairs, extras, key=key, targets=targets, aside=aside, names=names)


def panes(
    pairs: Sequence[FilePair[SheetFile]],
    extras: Iterable[SheetFile] = (),
    *,
    key: str,
    targets: Iterable[EvidenceTarget] = (),
    aside: Aside | None = None,
    names: PerOutput[str] | None = None,
) -> None:
    """Show pairs of files side by side, and `extras` (inputs, reference) in tabs of their own.

    `names` are the candidates', for a pair that is revealed to whoever looks.
    """
    aside = aside or Aside()
    component("output_panes", "panes/js/main.js", TOKENS, "panes/panes.css")(
        # One element for all comparisons, so that the next one comes into panes that stand there already.
        key="panes",
        data={
            "place": key,
            "prefix": PREFIX,
            # Rows, not objects: there may be thousands.
            "pairs": [
                [
                    file_row(pair.a),
                    file_row(pair.b),
                    pair.pairing.value,
                    int(pair.identical),
                    int(pair.by_hand),
                    int(pair.same_text),
                ]
                for pair in pairs
            ],
            "extras": [[file.role, file_row(file)] for file in extras],
            "targets": [{**target.model_dump(), "name": reveal(target.name)} for target in targets],
            "names": {label.value: reveal(names[label]) for label in Label} if names else None,
            "aside": {
                "both": [reveal(line) for line in aside.of_both],
                "files": [
                    {"label": label.value, "name": reveal(file.name), "reason": reveal(file.reason)}
                    for label in Label
                    for file in aside.files[label]
                ],
            },
        },
    )


def _of(shown: Sequence[SheetFile], label: Label) -> list[SheetFile]:
    return [file for file in shown if file.label is label]


def file_row(file: SheetFile | FileRow | None) -> list[Any] | None:
    """What the panes are told of a file."""
    if file is None:
        return None
    row: list[Any] = [file.id, reveal(file.name), file.family.value, sized(file.size)]
    if file.pages:
        return [*row, [reveal(note) for note in file.notes], 1]
    return [*row, [reveal(note) for note in file.notes]] if file.notes else row
