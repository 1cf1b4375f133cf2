"""Both outputs' pages are opened alike: the same number of pages, the same widths, within the judge's budget."""

import mimetypes
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor

from comparator.domain.blinding.redaction import Redaction, redact
from comparator.domain.labels import Label, PerOutput
from comparator.domain.pair.notes import Limitation
from comparator.domain.pair.view import Family, PageEvidence, ViewedFile
from comparator.outputs.families import TEXT_FAMILIES
from comparator.outputs.limits import OutputBudget
from comparator.outputs.pictures.camera import PageFile
from comparator.outputs.snapshot import Blobs
from comparator.outputs.view.built import BlindedCopy, BuiltView

PAGES = 3
"""How many pages of each output are opened for the judge."""
_PICTURES = ("image/png", "image/jpeg", "image/svg+xml")
NO_BROWSER = (
    "There is no picture of it, since there is no Chromium on this machine: what its scripts draw is not shown, and "
    "it is judged by its source."
)

Open = Callable[[str, Sequence[PageFile]], PageEvidence | None]
"""Opens a page with the files beside it; None where no pictures can be taken."""


_BOTH, _DESKTOP, _NONE = frozenset({"desktop", "phone"}), frozenset({"desktop"}), frozenset[str]()
_LEVELS = (*((count, _BOTH) for count in range(PAGES, 0, -1)), (1, _DESKTOP), (PAGES, _NONE))
"""How many pages are pictured at which widths, from the most to nothing."""


def add_pictures(
    pair: PerOutput[BuiltView],
    *,
    blobs: Blobs,
    open_page: Open,
    blinded: Callable[[PageEvidence], PageEvidence],
    budget: OutputBudget,
) -> PerOutput[BuiltView]:
    """The pair with what a user sees of its first pages, for both in the same way; unchanged where there are none.

    `blinded` redacts what the browser said.
    """
    pages = {
        label: [file for file in pair[label].view.files if file.family is Family.HTML][:PAGES]
        for label in Label
    }
    beside = {label: page_files(pair[label].copies, blobs=blobs) for label in Label if pages[label]}
    wanted = [(label, page) for label in Label for page in pages[label]]
    if not wanted:
        return pair

    def opened(item: tuple[Label, ViewedFile]) -> PageEvidence:
        evidence = open_page(item[1].name, beside[item[0]])
        return PageEvidence(problem=NO_BROWSER, no_browser=True) if evidence is None else blinded(evidence)

    with ThreadPoolExecutor(2, thread_name_prefix="pictures") as pool:
        evidence = dict(zip((page.id for _, page in wanted), pool.map(opened, wanted), strict=True))
    # Only pictures of widths at which every page could be pictured; none where one writes a name.
    tells = any(page.problem == Limitation.SCRIPTS_TELL.text() for page in evidence.values())
    everywhere = set.intersection(
        *({picture.device for picture in page.pictures} for page in evidence.values())
    )
    for id, page in evidence.items():
        kept = tuple(picture for picture in page.pictures if picture.device in everywhere and not tells)
        problem = Limitation.SCRIPTS_TELL.text() if tells else page.problem
        if len(kept) < len(page.pictures):
            problem = problem or Limitation.NO_PAGE_PICTURED.text()
        evidence[id] = page.copy_with(pictures=kept, problem=problem)
    return fit_pictures(pair, evidence, budget=budget)


def fit_pictures(
    pair: PerOutput[BuiltView], evidence: dict[str, PageEvidence], *, budget: OutputBudget
) -> PerOutput[BuiltView]:
    """The pair with as much of the evidence (by file) as the budget allows, by the same rule for both outputs."""
    most = max(
        sum(file.family is Family.HTML or file.id in evidence for file in side.view.files)
        for _, side in pair.items()
    )

    def at(side: BuiltView) -> BuiltView:
        view = side.view
        files, left = [], pages
        for file in view.files:
            if file.id in evidence and left:
                left -= 1
                kept = tuple(picture for picture in evidence[file.id].pictures if picture.device in devices)
                file = file.copy_with(page=evidence[file.id].copy_with(pictures=kept))
            files.append(file)
        about = {"files": tuple(files), "notes": (*view.notes, *notes)}
        return side.copy_with(view=view.model_copy(update=about))

    result = pair
    for pages, devices in _LEVELS:
        notes = []
        if pages < most or devices != _BOTH:
            note = Limitation.NO_PAGE_PICTURES if not devices else Limitation.FEWER_PAGE_PICTURES
            notes = [note.text()]
        result = pair.map(at)
        if all(
            side.view.images <= budget.images and side.view.pictures <= budget.pictures
            for _, side in result.items()
        ):
            break
    return result


def page_files(copies: Iterable[BlindedCopy], *, blobs: Blobs) -> list[PageFile]:
    """What a page may load of its own output: the blinded copies of texts, pages and pictures."""
    return [
        PageFile(copy.name, media_type, blobs.get(copy.blob))
        for copy in copies
        if (media_type := served_type(copy.name, copy.family, copy.media_type)) is not None
    ]


def served_type(name: str, family: Family, media_type: str) -> str | None:
    """The media type under which a page gets a blinded copy; None for copies that are not what the name says."""
    if media_type in _PICTURES:
        return media_type
    if family is Family.HTML and media_type == "text/html":
        return "text/html; charset=utf-8"
    if family in TEXT_FAMILIES and media_type == "text/plain":
        guessed = mimetypes.guess_type(name)[0] or "text/plain"
        if name.lower().endswith((".js", ".mjs", ".cjs")):
            guessed = "text/javascript"
        return f"{guessed}; charset=utf-8"
    return None


def redact_page(evidence: PageEvidence, redactions: Sequence[Redaction]) -> PageEvidence:
    """The same with every line redacted, and without pictures where one would show a word that is redacted.

    A script may put a name together that stands nowhere in the source.
    """
    is_telling = redact(evidence.written, redactions) != evidence.written
    return evidence.copy_with(
        errors=tuple(redact(line, redactions) for line in evidence.errors),
        not_loaded=tuple(redact(line, redactions) for line in evidence.not_loaded),
        problem=Limitation.SCRIPTS_TELL.text() if is_telling else redact(evidence.problem, redactions),
        pictures=() if is_telling else evidence.pictures,
        written="",
    )


def drop_unknown(evidence: PageEvidence, files: Sequence[PageFile]) -> PageEvidence:
    """The same without what stands nowhere in the blinded files: a script may have put a name together.

    Addresses stay where they are written out; messages are only counted.
    """
    texts = [
        file.data.decode("utf-8", "replace") for file in files if not file.media_type.startswith("image/")
    ]
    kept = tuple(
        line
        for line in evidence.not_loaded
        if any(line.rpartition(" (")[0].partition(": ")[0] in text for text in texts)
    )
    made_up = len(evidence.not_loaded) - len(kept)
    more = (f"{made_up} more, under addresses that scripts put together",) if made_up else ()
    errors = (
        (f"{len(evidence.errors)} in all; their words are not checked for names.",) if evidence.errors else ()
    )
    return evidence.copy_with(not_loaded=(*kept, *more), errors=errors, written="")
