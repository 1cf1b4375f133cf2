"""Judges with names that an administrator adds and removes on the page; a file in the home folder holds them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from comparator.domain.errors import SettingsError
from comparator.domain.rights import Act
from comparator.judges.choose import MOST, NamedJudge, as_toml, judge_of
from comparator.judges.model.options import Provider
from comparator.store.bulk.batches import JudgeChoice, Reached
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
            f"The judge {judge.name!r} is defined in the file that COMPARATOR_JUDGES names. Change it there."
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


def reached(judge: NamedJudge) -> Reached:
    """What a batch keeps of how the judge is reached."""
    return Reached(provider=judge.provider.value, server=judge.server, key=judge.key)


def as_at_start(services: Services, choice: JudgeChoice) -> NamedJudge | None:
    """The named judge as it was when the batch was started, whatever its name says now; None for one without a name.

    Raises SettingsError where its key may be sent no longer.
    """
    if choice.named is None:
        return None
    if choice.reached is None:
        return services.named_judge(choice.named)
    key = choice.reached.key
    # A stored batch alone must not send a variable of this machine: the page's rule or the file has to allow it.
    if key is not None and not key.startswith(KEY_PREFIX):
        named_now = {each.key for each in services.named_judges().values()}
        if key not in named_now:
            raise SettingsError(
                f"The judge {choice.named!r} took its key from {key} when the batch was started, and no judge "
                "does now. Cancel the batch and start it again."
            )
    return NamedJudge(
        name=choice.named,
        model=choice.model,
        server=choice.reached.server,
        key=key,
        provider=Provider(choice.reached.provider),
    )


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
