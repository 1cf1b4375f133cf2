"""The small JSON files of a skill-creator workspace: evals with what they expect, gradings, and a person's feedback."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from comparator.domain.labels import LabelKind
from comparator.interop.gradings import as_grading, texts_of, unread, word_in
from comparator.interop.imported import FoundLabel, FoundRun, LeftOut
from comparator.interop.text import UnreadableImport, kind_of, parse_json, part, read_text

_ABOVE = 5
"""Folders above an output in which feedback.json is looked for."""


class Eval(NamedTuple):
    """One entry of evals.json."""

    id: str = ""
    name: str = ""
    prompt: str = ""
    expected_output: str = ""
    files: tuple[Path, ...] = ()
    expectations: tuple[str, ...] = ()


class SmallFiles:
    """Reads each small file once, and notes those that cannot be read. No link leads it out of what is imported."""

    def __init__(self, root: Path) -> None:
        self.root = root.absolute()
        self.left_out: list[LeftOut] = []
        self._known: dict[Path, dict[str, Any]] = {}

    def note(self, place: object, reason: str) -> None:
        """Say why something at this place is left out."""
        self.left_out.append(LeftOut(file=str(place), reason=reason))

    def get(self, path: Path) -> dict[str, Any]:
        """The object in this file; an empty one where there is none or it cannot be read."""
        if path not in self._known:
            self._known[path] = {}
            if path.is_file() and self.holds(path):
                try:
                    value = parse_json(read_text(path))
                    value = as_grading(value) if "grading" in path.name else value
                    if not isinstance(value, dict):
                        raise UnreadableImport(f"it holds {kind_of(value)} where an object is expected")
                    self._known[path] = value
                    for reason in unread(value):
                        self.note(path, reason)
                except UnreadableImport as error:
                    self.note(path, str(error))
        return self._known[path]

    def first(self, paths: Iterable[Path]) -> dict[str, Any]:
        """The first of these files that has something to say."""
        return next(filter(None, map(self.get, paths)), {})

    def was_read(self, path: Path) -> bool:
        """Whether somebody asked for this file and it has something to say."""
        return bool(self._known.get(path))

    def holds(self, path: Path) -> bool:
        """Whether a path lies in what is imported once links are followed; beside it, whether it is no link."""
        if path.is_relative_to(self.root):
            return path.resolve().is_relative_to(self.root.resolve())
        return not path.is_symlink()


# ---- evals


def evals_of(workspace: Path, shelf: SmallFiles) -> tuple[list[str], tuple[Eval, ...]]:
    """The names of skills and the evals that hold for a workspace, the first of an id.

    Its own come first, then those of the skill beside it, then those of the folders above, up to the one that holds
    what is imported.
    """
    skills = [
        folder.with_name(folder.name.removesuffix("-workspace"))
        for folder in (workspace, *workspace.parents[:2])
        if folder.name.endswith("-workspace")
    ]
    above = (folder for folder in workspace.parents if folder.is_relative_to(shelf.root.parent))
    names: list[str] = []
    evals: dict[str, Eval] = {}
    for folder in dict.fromkeys((workspace, *skills, *above)):
        for path in (folder / "evals/evals.json", folder / "evals.json"):
            names.append(word_in(shelf.get(path), "skill_name"))
            for entry in _evals_in(path, shelf):
                evals.setdefault(entry.id or entry.name, entry)
    return names, tuple(evals.values())


def _evals_in(path: Path, shelf: SmallFiles) -> Iterator[Eval]:
    """The evals of one file; entries that cannot be used are noted."""
    document, known = shelf.get(path), set[str]()
    if document and not isinstance(document.get("evals"), list):
        shelf.note(path, "it has no list of evals")
    for number, entry in enumerate(part(document, "evals", list), start=1):
        where = f"{path}, eval {number}"
        if not isinstance(entry, dict):
            shelf.note(where, f"it is {kind_of(entry)}, not an object")
            continue
        id, name = str(entry.get("id", entry.get("eval_id", ""))).strip(), word_in(entry, "name", "eval_name")
        if not (id or name) or (id or name) in known:
            again = f"another eval has the id {id or name}; the first one counts"
            shelf.note(where, again if id or name else "it has neither id nor name")
            continue
        known.add(id or name)
        for reason in unread(entry):
            shelf.note(where, reason)
        yield Eval(
            id,
            name,
            word_in(entry, "prompt"),
            word_in(entry, "expected_output"),
            tuple(_inputs(path.parent, part(entry, "files", list), shelf.root)),
            texts_of(entry),
        )


def _inputs(home: Path, files: list[Any], root: Path) -> Iterator[Path]:
    """The files of an eval; they are written relative to the folder of evals.json or, from `evals`, to the skill's.

    Whoever wrote evals.json may name what came with it and nothing else: files in what is imported, else in the skill
    or the folder `evals` that lies beside it. A whole one of these folders is no file of an eval.
    """
    in_evals = home.name == "evals"
    within = root
    if not home.is_relative_to(root):
        if not in_evals:
            # It lies loose beside what is imported.
            return
        within = home.parent if (home.parent / "SKILL.md").is_file() else home
    for name in files:
        if not isinstance(name, str) or not name.strip() or Path(name).is_absolute() or ".." in name:
            continue
        for base in (home.parent, home) if in_evals else (home,):
            # A link that leads elsewhere is no file of the eval.
            real = (base / name).resolve()
            whole = any(folder.resolve().is_relative_to(real) for folder in (home, root))
            if real.exists() and not whole and real.is_relative_to(within.resolve()):
                yield base / name
                break


# ---- feedback


def feedback_labels(runs: Sequence[FoundRun], shelf: SmallFiles) -> Iterator[FoundLabel]:
    """One label a remark and sibling; it names no winner. Remarks on runs that are not there are noted."""
    folders: defaultdict[Path, dict[str, FoundRun]] = defaultdict(dict)
    for run in runs:
        for folder in Path(run.address).parents[:_ABOVE]:
            folders[folder][_plain(str(Path(run.address).parent.relative_to(folder)))] = run
    for folder, places in sorted(folders.items()):
        reviews = part(shelf.get(folder / "feedback.json"), "reviews", list)
        for number, review in enumerate(reviews, start=1):
            if not isinstance(review, dict) or not (text := word_in(review, "feedback")):
                continue
            wanted = _plain(str(review.get("run_id", "")))
            ending = [run for place, run in places.items() if wanted and place.endswith(f"-{wanted}")]
            if (meant := places.get(wanted) or (ending[0] if len(ending) == 1 else None)) is None:
                shelf.note(
                    f"{folder / 'feedback.json'}, review {number}", "it is on a run that was not found"
                )
                continue
            for other in runs:
                same = (other.iteration, other.task_key) == (meant.iteration, meant.task_key)
                if same and other.configuration != meant.configuration:
                    yield FoundLabel(
                        first=meant.address,
                        second=other.address,
                        kind=LabelKind.HUMAN,
                        author="feedback.json",
                        winner=None,
                        value={"feedback": text, "on": "first"},
                        blind=False,
                    )


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
