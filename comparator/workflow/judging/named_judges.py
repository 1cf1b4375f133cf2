"""Judges with names that an administrator adds and removes on the page; a file in the home folder holds them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from comparator.domain.errors import SettingsError
from comparator.domain.rights import Act
from comparator.judges.named import MOST, NamedJudge, as_toml, judge_of
from comparator.workflow.people.people import authorise
from comparator.workflow.services import JUDGES_OF_PAGE, Services

KEY_PREFIX = "JUDGE_KEY_"
"""Only such variables may be named on the page: whoever sets the environment says which keys it may send."""


def save_judge(services: Services, name: str, table: Mapping[str, Any], *, person_id: str) -> NamedJudge:
    """Add a judge, or change it, for this installation. Raises RightsError, and SettingsError with what is wrong."""
    judge = judge_of(" ".join(name.split()), dict(table), source="The judge")
    if judge.key is not None and not judge.key.startswith(KEY_PREFIX):
        raise SettingsError(
            f"The variable {judge.key} cannot be named on the page. Put the judge's key into one whose name begins "
            f"with {KEY_PREFIX}, so that no other key of this server is sent to it."
        )
    if judge.name in services.named_judges() and judge.name not in services.judges_of_page():
        raise SettingsError(
            f"The judge {judge.name!r} stands in the file of COMPARATOR_JUDGES. Change it there."
        )
    _write(
        services, {**services.judges_of_page(), judge.name: judge}, judge, "judge_saved", person_id=person_id
    )
    return judge


def remove_judge(services: Services, name: str, *, person_id: str) -> None:
    """Remove a judge of the page; what it said stays. Raises RightsError, and SettingsError where there is none."""
    known = services.judges_of_page()
    if name not in known:
        raise SettingsError(f"There is no judge {name[:60]!r} that was added on the page.")
    judge = known.pop(name)
    _write(services, known, judge, "judge_removed", person_id=person_id)


def _write(
    services: Services, judges: Mapping[str, NamedJudge], judge: NamedJudge, kind: str, *, person_id: str
) -> None:
    if len(judges) > MOST:
        raise SettingsError(f"There may be {MOST} judges with names. Remove one first.")
    path = services.settings.home / JUDGES_OF_PAGE
    with services.write() as unit:
        detail = judge.model_dump(mode="json", exclude_none=True)
        authorise(unit, Act.OPERATE, kind, person_id=person_id, project_id=None, detail=detail)
        if not judges:
            path.unlink()
            return
        # Whole or not at all: another process may be reading it.
        part = path.with_suffix(".part")
        part.write_text(as_toml(judges.values()), encoding="utf-8")
        part.replace(path)
