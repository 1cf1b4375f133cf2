"""From two snapshots to the two views that judge and reviewer see: read, blinded, redacted, cut alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from comparator.domain.blinding.redaction import Redaction, TextForm
from comparator.domain.blinding.scan import ScanText, Where
from comparator.domain.labels import Label, PerOutput
from comparator.domain.pair.view import Family, OutputView, SetAside
from comparator.outputs.families import order_key, writing_of
from comparator.outputs.isolated.results import NEUTRAL_VALUES, Copy, Extraction
from comparator.outputs.limits import OutputBudget
from comparator.outputs.snapshot.take import Artifact, Blobs, Snapshot
from comparator.outputs.view.blinding.embedded import texts_within
from comparator.outputs.view.blinding.markup import prose_of_markup, words_of_markup
from comparator.outputs.view.blinding.naming import NameMap, neutral_names
from comparator.outputs.view.blinding.redacting import Redactor
from comparator.outputs.view.blinding.searching import redacted
from comparator.outputs.view.blinding.self_reports import set_aside
from comparator.outputs.view.built import BlindedCopy, BuiltView, Original, after_cut, places_between
from comparator.outputs.view.reading import Reader
from comparator.outputs.view.same import note_on_both
from comparator.outputs.view.sharing import OutputSide, Prepared, shared_out

_TEXTS = frozenset({"text/html", "image/svg+xml", "text/plain"})
_MOST_LISTED = 200
"""How many of the files of one output that are not judged are listed by name."""

_PICTURES = "Words inside its pictures cannot be redacted."
_TELLS = "a comment about the run"
_PDF_AS_TEXT = "All PDFs are shown as text: words had to be redacted, which cannot be done in their pages."


def build_pair(
    snapshots: PerOutput[Snapshot],
    reader: Reader,
    *,
    redactions: tuple[Redaction, ...],
    taken_back: frozenset[str],
    budget: OutputBudget,
    new_id: Callable[[], str],
    prompt: str = "",
) -> PerOutput[BuiltView]:
    """The views of both outputs, under the same rules and limits.

    `taken_back` are paths (or neutral names) of set-aside files that are to be judged after all; a file that `prompt`
    asks for by name is never set aside. What the `reader` has read before is not read again.
    """
    reader.read_together((snapshots.A, snapshots.B))
    names = names_of([snapshots[label] for label in Label], redactions)
    taken_back |= {
        artifact.path
        for index, label in enumerate(Label)
        for artifact in snapshots[label].artifacts
        if names[index].of(artifact.path) in taken_back
    }
    aside = aside_of(snapshots, reader, taken_back=taken_back, prompt=prompt)
    prepared = [
        _prepare(snapshots[label], aside[label], Redactor(redactions, names[index]), names[index], reader)
        for index, label in enumerate(Label)
    ]
    a, b = shared_out(_alike(prepared), budget=budget, first_pages=reader.first_pages)
    built = PerOutput[BuiltView](A=_built(a, reader.blobs, new_id), B=_built(b, reader.blobs, new_id))
    note = note_on_both(snapshots, (a, b), built)
    return built.map(lambda side: _with_note(side, note)) if note else built


def build_single(
    snapshot: Snapshot,
    reader: Reader,
    *,
    redactions: tuple[Redaction, ...],
    budget: OutputBudget,
    new_id: Callable[[], str],
) -> BuiltView:
    """The view of task inputs or a reference answer; nothing is set aside."""
    reader.read_together((snapshot,))
    (names,) = names_of([snapshot], redactions)
    prepared = _prepare(snapshot, {}, Redactor(redactions, names), names, reader)
    (side,) = shared_out(_alike([prepared]), budget=budget, first_pages=reader.first_pages)
    return _built(side, reader.blobs, new_id)


def names_of(snapshots: Sequence[Snapshot], redactions: Sequence[Redaction]) -> tuple[NameMap, ...]:
    """The neutral names of the files of each snapshot."""
    return neutral_names([_all_paths(snapshot) for snapshot in snapshots], redactions)


def texts_to_scan(
    snapshots: PerOutput[Snapshot],
    reader: Reader,
    *,
    taken_back: frozenset[str] = frozenset(),
    prompt: str = "",
) -> tuple[ScanText, ...]:
    """All that is told of files and full texts of those that are judged, for `comparator.domain.blinding.scan.scan`."""
    reader.read_together((snapshots.A, snapshots.B))
    aside = aside_of(snapshots, reader, taken_back=taken_back, prompt=prompt)
    texts: list[ScanText] = []
    for label, snapshot in snapshots.items():
        texts += [ScanText(where=Where.FILE_NAME, text=path, label=label) for path in _all_paths(snapshot)]
        # In an exported line somebody else may have written them.
        texts += [ScanText(where=Where.FILE_TEXT, text=why, label=label) for why in _reasons(snapshot)]
        for artifact in snapshot.artifacts:
            if artifact.path not in aside[label]:
                found = _scannable(reader, artifact, snapshot, where=Where.FILE_TEXT)
                texts += [each.model_copy(update={"label": label}) for each in found]
    return tuple(texts)


def scan_texts(snapshot: Snapshot, reader: Reader, *, where: Where) -> tuple[ScanText, ...]:
    """Names and full texts of all files that belong to neither output: task inputs, or a reference answer."""
    reader.read_together((snapshot,))
    texts = [
        text
        for artifact in snapshot.artifacts
        for text in _scannable(reader, artifact, snapshot, where=where)
    ]
    names_and_reasons = [
        ScanText(where=where, text=text) for text in (*_all_paths(snapshot), *_reasons(snapshot))
    ]
    return (*names_and_reasons, *texts)


def _scannable(
    reader: Reader, artifact: Artifact, snapshot: Snapshot, *, where: Where
) -> tuple[ScanText, ...]:
    family, extraction = reader.read(artifact, of=snapshot.digest)
    source = extraction.text
    if extraction.form != "plain":
        own = ScanText(where=where, text=words_of_markup(source), prose=prose_of_markup(source))
    else:
        is_prose = writing_of(artifact.path, family) is TextForm.PROSE
        own = ScanText(where=where, text=source, prose=None if is_prose else "")
    # What a judge is given of a page names its drawings only; a reviewer sees their words.
    copy = extraction.copy
    shown = copy.data.decode("utf-8", "replace") if copy is not None and copy.media_type in _TEXTS else source
    embedded = dict.fromkeys(words_of_markup(each.text or "") for each in texts_within(shown))
    return (own, *(ScanText(where=where, text=text, prose="") for text in embedded))


def aside_of(
    snapshots: PerOutput[Snapshot],
    reader: Reader,
    *,
    taken_back: frozenset[str] = frozenset(),
    prompt: str = "",
) -> PerOutput[dict[str, str]]:
    """For each output the files that are listed but not judged, with the reason: what tells of the run."""

    artifacts = snapshots.map(lambda snapshot: {artifact.path: artifact for artifact in snapshot.artifacts})

    def text_of(label: Label, path: str) -> str:
        return reader.read(artifacts[label][path], of=snapshots[label].digest).extraction.text

    paths = artifacts.map(tuple)
    return set_aside(paths, text_of=text_of, taken_back=taken_back, prompt=prompt)


def _all_paths(snapshot: Snapshot) -> tuple[str, ...]:
    return tuple(a.path for a in snapshot.artifacts) + tuple(r.path for r in snapshot.refused)


def _reasons(snapshot: Snapshot) -> tuple[str, ...]:
    """Why files were not read, each sentence once."""
    return tuple(dict.fromkeys(r.reason for r in snapshot.refused))


def _prepare(
    snapshot: Snapshot, aside: dict[str, str], redactor: Redactor, names: NameMap, reader: Reader
) -> OutputSide:
    files: list[Prepared] = []
    pdf_words = False
    for artifact in snapshot.artifacts:
        if artifact.path in aside:
            continue
        family, extraction = reader.read(artifact, of=snapshot.digest)
        rewritten = redacted(extraction, redactor, writing_of(artifact.path, family))
        if extraction.document is not None and (
            rewritten.text != extraction.text or redactor.changes_in_lines(extraction.text)
        ):
            pages = reader.pdf_without(artifact, redactor.rules)
            pdf_words = pdf_words or pages is None
            if pages is not None:
                rewritten = replace(rewritten, text=pages.text, document=pages.document, copy=pages.copy)
        notes = rewritten.notes + ((_PICTURES,) if redactor.active and extraction.wordless else ())
        name = names.of(artifact.path)
        file = Prepared(name, family, artifact.size, replace(rewritten, notes=notes))
        files.append(replace(file, path=artifact.path, original=extraction))
    listed = [
        SetAside(name=names.of(a.path), size=a.size, reason=aside[a.path])
        for a in snapshot.artifacts
        if a.path in aside
    ]
    listed += [
        SetAside(name=f"{names.of(artifact.path)}: {_comments(comments)}", size=0, reason=_TELLS)
        for artifact in snapshot.artifacts
        if artifact.path not in aside
        and (comments := reader.read(artifact, of=snapshot.digest).extraction.telling)
    ]
    listed += [
        SetAside(name=names.of(r.path), size=0, reason=redactor.text(r.reason)) for r in snapshot.refused
    ]
    return OutputSide(
        files=tuple(sorted(files, key=lambda file: order_key(file.name, file.family))),
        set_aside=_listed(listed),
        notes=tuple(redactor.text(note) for note in snapshot.notes),
        pdf_words=pdf_words,
    )


def _comments(count: int) -> str:
    return "1 comment" if count == 1 else f"{count} comments"


def _listed(items: Sequence[SetAside]) -> tuple[SetAside, ...]:
    ordered = sorted(items, key=lambda item: item.name)
    more = len(ordered) - _MOST_LISTED
    if more <= 0:
        return tuple(ordered)
    size = sum(item.size for item in ordered[_MOST_LISTED:])
    rest = SetAside(name=f"and {more:,} more", size=size, reason="not listed by name")
    return (*ordered[:_MOST_LISTED], rest)


def _alike(sides: Sequence[OutputSide]) -> tuple[OutputSide, ...]:
    """One PDF that had to be redacted makes all PDFs text; what is said of one page's values is said of every page."""
    if any(NEUTRAL_VALUES in file.extraction.notes for side in sides for file in side.files):
        sides = [replace(side, files=tuple(_noted_neutral(file) for file in side.files)) for side in sides]
    if not any(side.pdf_words for side in sides):
        return tuple(sides)
    return tuple(replace(side, files=tuple(_pdf_as_text(file) for file in side.files)) for side in sides)


def _noted_neutral(file: Prepared) -> Prepared:
    extraction = file.extraction
    if file.family is not Family.HTML or NEUTRAL_VALUES in extraction.notes:
        return file
    return replace(file, extraction=replace(extraction, notes=(*extraction.notes, NEUTRAL_VALUES)))


def _pdf_as_text(file: Prepared) -> Prepared:
    extraction = file.extraction
    if extraction.document is None:
        return file
    notes = (*extraction.notes, _PDF_AS_TEXT)
    return replace(file, extraction=replace(extraction, document=None, pages=0, copy=None, notes=notes))


def _built(side: OutputSide, blobs: Blobs, new_id: Callable[[], str]) -> BuiltView:
    files, copies, originals = [], [], []
    for file in side.files:
        file_id = new_id()
        copy = _copy_of(file.extraction)
        # The original size beside redacted text would tell how long the redacted name was.
        files.append(file.viewed(file_id, size=file.size if copy is None else len(copy.data)))
        if copy is not None:
            copies.append(
                BlindedCopy(
                    file_id=file_id,
                    name=file.name,
                    family=file.family,
                    blob=blobs.put(copy.data),
                    media_type=copy.media_type,
                    size=len(copy.data),
                )
            )
        if (original := _original_of(file, copy, blobs, file_id)) is not None:
            originals.append(original)
    return BuiltView(
        view=OutputView(files=tuple(files), set_aside=side.set_aside, notes=side.notes),
        copies=tuple(copies),
        originals=tuple(originals),
    )


def _original_of(file: Prepared, copy: Copy | None, blobs: Blobs, file_id: str) -> Original | None:
    """What stood in the file before; None where nothing was redacted."""
    if file.original is None:
        return None
    places = places_between(file.original.text, file.extraction.text)
    before = _copy_of(file.original)
    if before == copy:
        before = None
    if not places and before is None and file.path == file.name:
        return None
    return Original(
        file_id=file_id,
        name=file.path,
        places=after_cut(places, whole=file.extraction.text, given=file.given or ""),
        blob=blobs.put(before.data) if before else None,
        media_type=before.media_type if before else None,
        size=len(before.data) if before else None,
    )


def _copy_of(extraction: Extraction) -> Copy | None:
    if not extraction.copyable:
        return None
    return extraction.copy or Copy("text/plain", extraction.text.encode("utf-8", "replace"))


def _with_note(side: BuiltView, note: str) -> BuiltView:
    view = side.view.model_copy(update={"notes": (note, *side.view.notes)})
    return side.model_copy(update={"view": view})
