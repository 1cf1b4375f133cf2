"""From two snapshots to the two views that judge and reviewer see: read, blinded, redacted, cut alike."""

from collections.abc import Callable, Collection, Iterator, Sequence

from comparator.domain.blinding.redaction import Redaction, TextForm
from comparator.domain.blinding.scan import ScanText, Where
from comparator.domain.counted import counted
from comparator.domain.labels import Label, PerOutput
from comparator.domain.pair.notes import IDENTICAL
from comparator.domain.pair.view import (
    Block,
    DocumentBlock,
    Family,
    OutputView,
    SetAside,
    TextBlock,
    ViewedFile,
)
from comparator.outputs.extract.data_uris import texts_within
from comparator.outputs.extract.markup import prose_of_markup, words_of_markup
from comparator.outputs.families import order_key, writing_of
from comparator.outputs.isolated.messages import NEUTRAL_VALUES, Copy, Extraction
from comparator.outputs.limits import OutputBudget
from comparator.outputs.snapshot import Blobs, Snapshot
from comparator.outputs.view.built import BlindedCopy, BuiltView, Original, after_cut, places_between
from comparator.outputs.view.naming import NameMap, neutral_names
from comparator.outputs.view.reading import Reader
from comparator.outputs.view.redacting import Redactor, redact_extraction
from comparator.outputs.view.self_reports import reports_to_set_aside
from comparator.outputs.view.sharing import OutputSide, Prepared, share_out

_TEXTS = frozenset({"text/html", "image/svg+xml", "text/plain"})
_MOST_LISTED = 200
"""How many of the files of one output that are not judged are listed by name."""

_PICTURES = "Words inside its pictures cannot be redacted."
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
    names = dict(zip(Label, names_of([snapshots.A, snapshots.B], redactions), strict=True))
    taken_back |= {
        artifact.path
        for label, snapshot in snapshots.items()
        for artifact in snapshot.artifacts
        if names[label].of(artifact.path) in taken_back
    }
    aside = aside_of(snapshots, reader, taken_back=taken_back, prompt=prompt)
    sides = [
        _prepare(snapshot, aside[label], Redactor(redactions, names[label]), reader)
        for label, snapshot in snapshots.items()
    ]
    a, b = _build_views(sides, reader, budget, new_id)
    contents = snapshots.map(lambda s: [(a.path if s.is_folder else "", a.sha256) for a in s.artifacts])
    if contents.A == contents.B:
        a, b = (
            side.copy_with(view=side.view.copy_with(notes=(IDENTICAL, *side.view.notes))) for side in (a, b)
        )
    return PerOutput[BuiltView](A=a, B=b)


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
    side = _prepare(snapshot, {}, Redactor(redactions, names), reader)
    return _build_views([side], reader, budget, new_id)[0]


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
    aside = aside_of(snapshots, reader, taken_back=taken_back, prompt=prompt)
    return tuple(
        text
        for label, snapshot in snapshots.items()
        for text in _texts(snapshot, reader, aside[label], Where.FILE_TEXT, label)
    )


def scan_texts(snapshot: Snapshot, reader: Reader, *, where: Where) -> tuple[ScanText, ...]:
    """Names and full texts of all files that belong to neither output: task inputs, or a reference answer."""
    reader.read_together((snapshot,))
    return tuple(_texts(snapshot, reader, (), where))


def _texts(
    snapshot: Snapshot, reader: Reader, aside: Collection[str], where: Where, label: Label | None = None
) -> Iterator[ScanText]:
    for path in _all_paths(snapshot):
        yield ScanText(Where.FILE_NAME if label else where, path, label=label)
    # In an exported line somebody else may have written the reasons.
    for reason in dict.fromkeys(refused.reason for refused in snapshot.refused):
        yield ScanText(where, reason, label=label)
    for artifact in snapshot.artifacts:
        if artifact.path in aside:
            continue
        family, extraction = reader.read(artifact, of=snapshot.digest)
        text, prose = extraction.text, None
        if extraction.form != "plain":
            text, prose = words_of_markup(text), prose_of_markup(text)
        elif writing_of(artifact.path, family) is not TextForm.PROSE:
            prose = ""
        yield ScanText(where, text, prose=prose, label=label)
        # What a judge is given of a page names its drawings only; a reviewer sees their words.
        copy = extraction.copy
        is_text = copy is not None and copy.media_type in _TEXTS
        source = copy.data.decode("utf-8", "replace") if copy and is_text else extraction.text
        for words in dict.fromkeys(words_of_markup(embedded.text or "") for embedded in texts_within(source)):
            yield ScanText(where, words, prose="", label=label)


def aside_of(
    snapshots: PerOutput[Snapshot],
    reader: Reader,
    *,
    taken_back: frozenset[str] = frozenset(),
    prompt: str = "",
) -> PerOutput[dict[str, str]]:
    """For each output the files that are listed but not judged, with the reason: what tells of the run."""
    reader.read_together((snapshots.A, snapshots.B))
    artifacts = snapshots.map(lambda snapshot: {artifact.path: artifact for artifact in snapshot.artifacts})

    def text_of(label: Label, path: str) -> str:
        return reader.read(artifacts[label][path], of=snapshots[label].digest).extraction.text

    return reports_to_set_aside(artifacts.map(tuple), text_of=text_of, taken_back=taken_back, prompt=prompt)


def _all_paths(snapshot: Snapshot) -> tuple[str, ...]:
    return (*(file.path for file in snapshot.artifacts), *(member.path for member in snapshot.refused))


def _prepare(snapshot: Snapshot, aside: dict[str, str], redactor: Redactor, reader: Reader) -> OutputSide:
    side = OutputSide(notes=[redactor.text(note) for note in snapshot.notes])
    listed = [
        SetAside(name=redactor.names.of(refused.path), size=0, reason=redactor.text(refused.reason))
        for refused in snapshot.refused
    ]
    for artifact in snapshot.artifacts:
        name = redactor.names.of(artifact.path)
        if artifact.path in aside:
            listed.append(SetAside(name=name, size=artifact.size, reason=aside[artifact.path]))
            continue
        family, original = reader.read(artifact, of=snapshot.digest)
        blinded = redact_extraction(original, redactor, writing_of(artifact.path, family))
        if original.document is not None and (
            blinded.text != original.text or redactor.changes_in_lines(original.text)
        ):
            pages = reader.pdf_without(artifact, redactor.rules)
            side.pdf_words |= pages is None
            if pages is not None:
                blinded = blinded._replace(text=pages.text, copy=pages.copy)
        if redactor.active and original.wordless:
            blinded = blinded._replace(notes=(*blinded.notes, _PICTURES))
        if original.telling:
            comments = f"{name}: {counted(original.telling, 'comment')}"
            listed.append(SetAside(name=comments, size=0, reason="a comment about the run"))
        side.files.append(Prepared(name, artifact.path, family, artifact.size, original, blinded))
    side.files.sort(key=lambda file: order_key(file.name, file.family))
    listed.sort(key=lambda item: item.name)
    side.set_aside = listed[:_MOST_LISTED]
    if more := listed[_MOST_LISTED:]:
        size = sum(item.size for item in more)
        side.set_aside.append(
            SetAside(name=f"and {len(more):,} more", size=size, reason="not listed by name")
        )
    return side


def _build_views(
    sides: Sequence[OutputSide], reader: Reader, budget: OutputBudget, new_id: Callable[[], str]
) -> list[BuiltView]:
    """The views, in the same form on both sides and within the budget."""
    files = [file for side in sides for file in side.files]
    # What is said of one page's values is said of every page, and one PDF that had to be redacted makes all PDFs text.
    if any(NEUTRAL_VALUES in file.blinded.notes for file in files):
        for file in files:
            if file.family is Family.HTML and NEUTRAL_VALUES not in file.blinded.notes:
                file.blinded = file.blinded._replace(notes=(*file.blinded.notes, NEUTRAL_VALUES))
    if any(side.pdf_words for side in sides):
        for file in files:
            if file.blinded.document is not None:
                notes = (*file.blinded.notes, _PDF_AS_TEXT)
                file.blinded = file.blinded._replace(pages=0, copy=None, notes=notes)
    share_out(sides, budget=budget, first_pages=reader.first_pages)
    return [_view_of(side, reader.blobs, new_id) for side in sides]


def _view_of(side: OutputSide, blobs: Blobs, new_id: Callable[[], str]) -> BuiltView:
    files, copies, originals = [], [], []
    for file in side.files:
        file_id, copy, before = new_id(), _copy_of(file.blinded), _copy_of(file.original)
        files.append(_viewed(file, file_id, copy))
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
        # What stood in the file before it was redacted.
        places = places_between(file.original.text, file.blinded.text)
        before = None if before == copy else before
        if places or before or file.path != file.name:
            originals.append(
                Original(
                    file_id=file_id,
                    name=file.path,
                    places=after_cut(places, whole=file.blinded.text, given=file.given),
                    blob=blobs.put(before.data) if before else None,
                    media_type=before.media_type if before else None,
                    size=len(before.data) if before else None,
                )
            )
    view = OutputView(files=tuple(files), set_aside=tuple(side.set_aside), notes=tuple(side.notes))
    return BuiltView(view=view, copies=tuple(copies), originals=tuple(originals))


def _viewed(file: Prepared, file_id: str, copy: Copy | None) -> ViewedFile:
    blocks: list[Block] = []
    if file.document is not None:
        blocks.append(DocumentBlock(data=file.document, pages=file.pages, total=file.blinded.pages))
    if file.given:
        blocks.append(TextBlock(text=file.given, omitted=file.omitted + file.blinded.omitted))
    blocks += file.pictures
    return ViewedFile(
        id=file_id,
        name=file.name,
        family=file.family,
        # The original size beside redacted text would tell how long the redacted name was.
        size=file.size if copy is None else len(copy.data),
        blocks=tuple(blocks),
        notes=(*file.blinded.notes, *file.notes),
    )


def _copy_of(extraction: Extraction) -> Copy | None:
    if not extraction.copyable:
        return None
    return extraction.copy or Copy("text/plain", extraction.text.encode("utf-8", "replace"))
