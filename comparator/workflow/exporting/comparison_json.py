"""comparison.json and comparison.provenance.json as texts and as files."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import NamedTuple

from comparator.domain.errors import InputError
from comparator.domain.rights import Act
from comparator.store.core.database import Connection
from comparator.store.pairs import comparisons
from comparator.workflow.exporting.provenance import provenance_of
from comparator.workflow.exporting.settled import ScoresGiven, SettledResult, settled, settled_on
from comparator.workflow.people.people import require, require_for
from comparator.workflow.services import Services

DEFAULT_NAME = "comparison.json"


class ResultFiles(NamedTuple):
    """The texts of comparison.json and of its provenance, which tell of one moment."""

    result: str
    provenance: str

    def write(self, path: Path) -> None:
        """Write both, each at once as a whole. Raises InputError."""
        replace_file(provenance_path(path), self.provenance)
        replace_file(path, self.result)


def files_of(services: Services, connection: Connection, settled: SettledResult) -> ResultFiles:
    """Both files of a comparison, read on the snapshot on which it was settled."""
    return ResultFiles(settled.scored.to_json(), provenance_of(services, connection, settled).to_json())


def result_json(
    services: Services,
    comparison_id: str,
    *,
    given: ScoresGiven | None = None,
) -> str:
    """The text of comparison.json; `given` are scores for a pair that was decided without any.

    Raises InputError where there is no verdict yet, WithoutScores where it has no scores, RightsError for who may not.
    """
    _require_export(services, comparison_id)
    return settled(services, comparison_id, given=given).scored.to_json()


def provenance_json(services: Services, comparison_id: str) -> str:
    """The text of comparison.provenance.json. Raises InputError where there is no verdict yet, RightsError."""
    _require_export(services, comparison_id)
    with services.database.snapshot() as connection:
        found = settled_on(connection, comparisons.get(connection, comparison_id))
        return provenance_of(services, connection, found).to_json()


def write_files(
    services: Services,
    comparison_id: str,
    *,
    target: Path,
) -> tuple[Path, Path]:
    """Write both files, each at once as a whole; `target` is an existing folder, or a .json file in one.

    Raises InputError where they cannot be written, RightsError for who may not write on this machine.
    """
    with services.read() as unit:
        require(unit, Act.USE_SERVER_FILES, project_id=None)
    _require_export(services, comparison_id)
    path = _file_at(target)
    if path.suffix != ".json":
        raise InputError(
            f"{target} is not a folder that exists, and not the name of a .json file. Create it first."
        )
    if not path.parent.is_dir():
        raise InputError(f"The folder {path.parent} does not exist. Create it, or choose another one.")
    _files_now(services, comparison_id).write(path)
    return path, provenance_path(path)


def _files_now(services: Services, comparison_id: str) -> ResultFiles:
    with services.database.snapshot() as connection:
        settled = settled_on(connection, comparisons.get(connection, comparison_id))
        return files_of(services, connection, settled)


def require_own_place(comparison_id: str, target: Path) -> None:
    """Raise InputError where a file of this name is there that is not a result of this comparison."""
    path = _file_at(target)
    if path.exists() and not _is_of(comparison_id, provenance_path(path)):
        raise InputError(
            f"{path} is there already and is not a result of this comparison. Choose another name, or remove it first."
        )


def _file_at(target: Path) -> Path:
    return target / DEFAULT_NAME if target.is_dir() else target


def _is_of(comparison_id: str, provenance: Path) -> bool:
    try:
        record = json.loads(provenance.read_text("utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(record, dict) and record.get("comparison_id") == comparison_id


def provenance_path(path: Path) -> Path:
    """Where the provenance of this comparison.json stands.

    >>> provenance_path(Path("out/comparison-3.json")).name
    'comparison-3.provenance.json'
    """
    return path.with_name(f"{path.name.removesuffix('.json')}.provenance.json")


def _require_export(services: Services, comparison_id: str) -> None:
    with services.read() as unit:
        require_for(unit, Act.EXPORT, comparison_id=comparison_id)


def replace_file(path: Path, text: str) -> None:
    """Write a file at once as a whole; a link of this name is replaced, not followed. Raises InputError."""
    partial = path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")
    try:
        try:
            # Opened like any new file, so that it gets the rights that the person's umask allows.
            with partial.open("x", encoding="utf-8") as file:
                file.write(text)
            partial.replace(path)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}. Choose another place.") from error
