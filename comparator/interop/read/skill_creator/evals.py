"""Which evals hold for which workspace: those within it, those of a folder above, and those of its skill."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from comparator.interop.read.skill_creator.files import Eval, SmallFiles, evals_of


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
