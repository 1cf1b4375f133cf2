"""The small JSON files of a skill-creator workspace: evals, metadata, gradings, timings, configurations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from comparator.domain.labels import Frozen
from comparator.interop.imported import LeftOut
from comparator.interop.read.gradings import as_grading, texts_of, unread
from comparator.interop.read.text import UnreadableImport, kind_of, parse_json, read_text


class Eval(Frozen):
    """One entry of evals.json."""

    id: str
    name: str = ""
    prompt: str = ""
    expected_output: str = ""
    files: tuple[Path, ...] = ()
    expectations: tuple[str, ...] = ()


class SmallFiles:
    """Reads each small file once, and notes those that cannot be read. No link leads it out of what is imported."""

    def __init__(self, root: Path) -> None:
        self.root = root.absolute()
        self._real = self.root.resolve()
        self._known: dict[Path, dict[str, Any] | None] = {}
        self.left_out: list[LeftOut] = []

    def get(self, path: Path) -> dict[str, Any]:
        """The object in this file; an empty one where there is none or it cannot be read."""
        if path not in self._known:
            self._known[path] = self._read(path)
        return self._known[path] or {}

    def first(self, paths: Iterable[Path]) -> dict[str, Any]:
        """The first of these files that has something to say."""
        return next((found for path in paths if (found := self.get(path))), {})

    def was_read(self, path: Path) -> bool:
        """Whether somebody asked for this file and it has something to say."""
        return bool(self._known.get(path))

    def holds(self, path: Path) -> bool:
        """Whether a path lies in what is imported once links are followed; beside it, whether it is no link."""
        if path.is_relative_to(self.root):
            return path.resolve().is_relative_to(self._real)
        return not path.is_symlink()

    def _read(self, path: Path) -> dict[str, Any] | None:
        if not path.is_file() or not self.holds(path):
            return None
        try:
            found = parse_json(
                read_text(path),
                note=lambda reason: self.left_out.append(LeftOut(file=str(path), reason=reason)),
            )
            found = as_grading(found) if "grading" in path.name else found
            if not isinstance(found, dict):
                raise UnreadableImport(f"it holds {kind_of(found)} where an object is expected")
        except UnreadableImport as error:
            self.left_out.append(LeftOut(file=str(path), reason=str(error)))
            return None
        self.left_out += [LeftOut(file=str(path), reason=reason) for reason in unread(found)]
        return found


def evals_of(path: Path, shelf: SmallFiles) -> tuple[str, tuple[Eval, ...]]:
    """The skill's name and its evals; entries that cannot be used are noted."""
    document = shelf.get(path)
    listed = document.get("evals")
    if document and not isinstance(listed, list):
        shelf.left_out.append(LeftOut(file=str(path), reason="it has no list of evals"))
    found: dict[str, Eval] = {}
    for number, entry in enumerate(listed if isinstance(listed, list) else [], start=1):
        where = f"{path}, eval {number}"
        if not isinstance(entry, dict):
            shelf.left_out.append(LeftOut(file=where, reason=f"it is {kind_of(entry)}, not an object"))
            continue
        id = str(entry.get("id", entry.get("eval_id", ""))).strip()
        name = _text(entry.get("name") or entry.get("eval_name"))
        if not id and not name:
            shelf.left_out.append(LeftOut(file=where, reason="it has neither id nor name"))
            continue
        if (id or name) in found:
            shelf.left_out.append(
                LeftOut(file=where, reason=f"another eval has the id {id or name}; the first one counts")
            )
            continue
        shelf.left_out += [LeftOut(file=where, reason=reason) for reason in unread(entry)]
        files = entry.get("files")
        found[id or name] = Eval(
            id=id,
            name=name,
            prompt=_text(entry.get("prompt")),
            expected_output=_text(entry.get("expected_output")),
            files=tuple(_inside(path.parent, files, shelf.root)) if isinstance(files, list) else (),
            expectations=texts_of(entry),
        )
    return _text(document.get("skill_name")), tuple(found.values())


def prompt_of_transcript(text: str) -> str:
    """The section `## Eval Prompt` of a transcript; empty where there is none."""
    match = re.search(r"^##\s+Eval Prompt\s*\n(.*?)(?=^##?\s|\Z)", text, re.MULTILINE | re.DOTALL)
    return match.group(1).strip() if match else ""


def _inside(home: Path, files: list[Any], root: Path) -> Iterable[Path]:
    """The files of an eval; they are written relative to the folder of evals.json or, from `evals`, to the skill's.

    Whoever wrote evals.json may name what came with it and nothing else: files in what is imported, else in the skill
    or the folder `evals` that lies beside it. A whole one of these folders is no file of an eval.
    """
    within = _given_with(home, root)
    if within is None:
        return
    bases = (home.parent, home) if home.name == "evals" else (home,)
    for name in files:
        if not isinstance(name, str) or not name.strip() or Path(name).is_absolute() or ".." in name:
            continue
        for base in bases:
            # A link that leads elsewhere is no file of the eval.
            real = (base / name).resolve()
            whole = any(folder.resolve().is_relative_to(real) for folder in (home, root))
            if real.exists() and not whole and real.is_relative_to(within.resolve()):
                yield base / name
                break


def _given_with(home: Path, root: Path) -> Path | None:
    """The folder that came with an evals.json in `home`; None where it lies loose beside what is imported."""
    if home.is_relative_to(root):
        return root
    if home.name != "evals":
        return None
    return home.parent if (home.parent / "SKILL.md").is_file() else home


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


def evals_by_workspace(
    root: Path, inside: tuple[Path, ...], named: Mapping[Path, str], shelf: SmallFiles
) -> dict[Path, tuple[list[str], tuple[Eval, ...]]]:
    """The names of skills and the evals that hold for each workspace; no workspace gets another one's."""
    root = root.absolute()
    if len(set(named.values())) < 2:
        return dict.fromkeys(named, _evals(root, inside, shelf))
    homes = {own: root / name for own, name in named.items()}
    found: dict[Path, tuple[list[str], tuple[Eval, ...]]] = {}
    for own, home in homes.items():
        others = set(homes.values()) - {home}
        above = [folder for folder in home.parents if folder.is_relative_to(root)]
        alone = [f for f in (home, *above) if not any(other.is_relative_to(f) for other in others)]
        theirs = alone[-1] if alone else home
        mine = [
            path
            for path in inside
            if path.is_relative_to(theirs)
            and not any(path.is_relative_to(other) for other in others if not home.is_relative_to(other))
        ]
        # Evals of a folder above are for all that lie below it.
        shared = (folder / name for folder in above for name in ("evals/evals.json", "evals.json"))
        found[own] = _evals(home, (*mine, *(path for path in shared if path in inside)), shelf)
    return found


def _evals(root: Path, inside: tuple[Path, ...], shelf: SmallFiles) -> tuple[list[str], tuple[Eval, ...]]:
    """The evals of the skill: those in the workspace, then those of the skill that lies beside it."""
    root = root.absolute()
    above = next((p for p in (root, *root.parents[:2]) if p.name.endswith("-workspace")), None)
    skills = [above.parent / above.name.removesuffix("-workspace")] if above else []
    near = [folder / "evals" / "evals.json" for folder in (root.parent, *skills)] + [
        root.parent / "evals.json"
    ]
    names: list[str] = []
    evals: dict[str, Eval] = {}
    for path in dict.fromkeys((*inside, *near)):
        name, listed = evals_of(path, shelf)
        names.append(name)
        for entry in listed:
            evals.setdefault(entry.id or entry.name, entry)
    return names, tuple(evals.values())
