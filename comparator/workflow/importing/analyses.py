"""Analyses that somebody else wrote: imported into a project, and read back to stand beside ours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from comparator.domain.errors import InputError
from comparator.domain.labels import Frozen, Winner
from comparator.domain.rights import Act
from comparator.interop.read.skill_creator.analyses import LARGEST, ForeignAnalysis, read_analysis
from comparator.store.core.unit import Unit
from comparator.store.pairs import comparisons, reveals
from comparator.store.people import projects
from comparator.store.themes import findings
from comparator.workflow.importing.store import PairPlace
from comparator.workflow.people.people import authorise
from comparator.workflow.services import Services

NAMED = "*analysis*.json"
MOST = 200
"""Files that are looked at in one import."""


class Foreign(Frozen):
    """An imported analysis: the file's name, the pair that it is of (None: a set), and what it says."""

    name: str
    comparison_id: str | None
    analysis: ForeignAnalysis
    title: str = ""
    """The pair's."""

    @property
    def verdict(self) -> str:
        """Who won, as far as the file says.

        >>> from comparator.interop.read.skill_creator.analyses import ForeignSummary
        >>> summary = ForeignSummary(winner="A", winner_skill="new", loser_skill="old")
        >>> Foreign(name="", comparison_id=None, analysis=ForeignAnalysis(comparison_summary=summary)).verdict
        'A won: new against old.'
        """
        summary = self.analysis.comparison_summary
        skills = " against ".join(each for each in (summary.winner_skill, summary.loser_skill) if each)
        if summary.winner.upper() == Winner.TIE.value:
            return f"Nobody won{f': {skills}' if skills else ''}."
        won = summary.winner or summary.winner_skill
        if not won:
            return "The file does not say who won."
        if summary.loser_skill and summary.winner_skill in ("", won):
            return f"{won} won against {summary.loser_skill}."
        return f"{won} won: {skills}." if skills and skills != won else f"{won} won."

    @property
    def place(self) -> str:
        """Which pair it is of, else the file that it came from."""
        if self.comparison_id is not None:
            return f"Of the pair “{self.title}”, from {self.name}."
        return f"Kept for the project, from {self.name}."


def import_analysis(
    services: Services,
    project_id: str,
    text: str,
    *,
    name: str,
    person_id: str | None,
) -> str:
    """Keep somebody's analysis.json for the project; its id. Raises InputError for what is no analysis, RightsError."""
    found = read_analysis(text, name=name)
    with services.write() as unit:
        _authorise(unit, project_id, name=name, comparison_id=None, person_id=person_id)
        return _add(unit, project_id, found, name=name, comparison_id=None, person_id=person_id)


def _authorise(
    unit: Unit, project_id: str, *, name: str, comparison_id: str | None, person_id: str | None
) -> None:
    authorise(
        unit,
        Act.SUBMIT,
        "analysis_imported",
        person_id=person_id,
        project_id=project_id,
        subject_id=comparison_id,
        detail={"file": name[:200]},
    )


def _add(
    unit: Unit,
    project_id: str,
    found: ForeignAnalysis,
    *,
    name: str,
    comparison_id: str | None,
    person_id: str | None,
) -> str:
    return findings.add_analysis(
        unit,
        found.model_dump(mode="json"),
        project_id=project_id,
        comparison_id=comparison_id,
        name=name,
        person_id=person_id,
    )


def keep_found(
    services: Services,
    project: str,
    folder: Path,
    places: Sequence[PairPlace] = (),
    *,
    person_id: str | None,
) -> int:
    """Keep the analyses that lie in an imported folder, outputs left out; how many were new.

    Where one folder holds it and both outputs of a single pair, it belongs to that pair, whatever names it uses; it is
    shown once the pair is revealed. A file that is no analysis is passed over: many a report is called so.
    """
    if not folder.is_dir():
        return 0
    with services.database.read() as connection:
        existing = next((each for each in projects.all_projects(connection) if each.name == project), None)
        if existing is None:
            return 0
        known = [(each.name, each.value) for each in findings.analyses_of(connection, existing.id)]
    resolved = [
        (each.comparison_id, [path.resolve() for path in each.outputs if path is not None]) for each in places
    ]
    new = 0
    for file in islice(_files(folder), MOST):
        name = file.relative_to(folder).as_posix()
        try:
            text = file.read_text("utf-8")
            found = read_analysis(text, name=name)
        except (InputError, OSError, ValueError):
            continue
        if (name, found.model_dump(mode="json")) not in known:
            pair = _pair_in(file.parent.resolve(), resolved)
            with services.write() as unit:
                _authorise(unit, existing.id, name=name, comparison_id=pair, person_id=person_id)
                _add(unit, existing.id, found, name=name, comparison_id=pair, person_id=person_id)
            new += 1
    return new


def _pair_in(folder: Path, places: Sequence[tuple[str, Sequence[Path]]]) -> str | None:
    """The only pair both of whose outputs lie in this folder; None for none, or for several."""
    inside = [
        id
        for id, outputs in places
        if len(outputs) == 2 and all(path.is_relative_to(folder) for path in outputs)
    ]
    return inside[0] if len(inside) == 1 else None


def _files(folder: Path) -> Iterator[Path]:
    """Files that may hold an analysis; links are not followed, as they may lead anywhere."""
    for file in sorted(folder.rglob(NAMED)):
        inside = file.relative_to(folder).parts[:-1]
        linked = any(each.is_symlink() for each in (file, *file.parents[: len(inside)]))
        if "outputs" not in inside and not linked and file.is_file() and file.stat().st_size <= LARGEST:
            yield file


def foreign(services: Services, project_id: str) -> tuple[Foreign, ...]:
    """The imported analyses of the project, the newest first; of pairs that are not revealed none."""
    with services.database.read() as connection:
        every = findings.analyses_of(connection, project_id)
        revealed = reveals.known(connection, [each.comparison_id for each in every if each.comparison_id])
        kept = [each for each in every if each.comparison_id is None or each.comparison_id in revealed]
        found = comparisons.by_id(connection, [each.comparison_id for each in kept if each.comparison_id])
    return tuple(
        Foreign(
            name=each.name,
            comparison_id=each.comparison_id,
            title=found[each.comparison_id].title if each.comparison_id else "",
            analysis=ForeignAnalysis.model_validate(each.value),
        )
        for each in kept
    )
