"""What people have in hand on the page Import holds all texts of an import, so it is not kept longer than needed."""

from __future__ import annotations

from pathlib import Path

from comparator.domain.errors import InputError
from comparator.ui.importing.work import DONE, FOUND, PEOPLE, PLAN, Works
from comparator.workflow.importing.request import ImportRequest, OnStep


def finish(works: Works, name: str, *, person: str = "ada", fails: bool = False) -> None:
    def task(on_step: OnStep) -> str:
        on_step("Reading")
        if fails:
            raise InputError("There is nothing to import.")
        return name

    work = works.start(name, ImportRequest(path=Path("here")), task, person_id=person)
    assert work.done.wait(10)
    assert (work.succeeded, work.result) == ((False, None) if fails else (True, name))


def test_a_plan_is_dropped_once_it_is_imported_and_kept_where_that_failed() -> None:
    works = Works()
    finish(works, FOUND)
    finish(works, PLAN)

    finish(works, DONE, fails=True)
    assert set(works.of("ada")) == {FOUND, PLAN, DONE}
    finish(works, DONE)

    assert set(works.of("ada")) == {DONE}


def test_a_new_scan_drops_what_came_of_the_one_before_and_nobody_elses() -> None:
    works = Works()
    for person in ("ada", "ben"):
        finish(works, FOUND, person=person)
        finish(works, PLAN, person=person)

    finish(works, FOUND)

    assert set(works.of("ada")) == {FOUND}
    assert set(works.of("ben")) == {FOUND, PLAN}


def test_only_the_people_who_looked_last_are_kept() -> None:
    works = Works()
    finish(works, FOUND)

    for number in range(PEOPLE):
        finish(works, FOUND, person=f"person {number}")

    assert not works.of("ada")
