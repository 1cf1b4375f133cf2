"""Works of the page Import hold all texts of an import, so they are not kept longer than needed."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import uuid4

from comparator.domain.errors import InputError
from comparator.ui.importing.work import KEPT_EACH, Work, Works
from comparator.workflow.importing.request import OnStep


def done(works: Works, *, person: str = "ada", fails: bool = False, instead_of: Sequence[str] = ()) -> Work:
    def task(on_step: OnStep) -> str:
        if fails:
            raise InputError("There is nothing to import.")
        return "a plan"

    work = works.start(task, id=uuid4().hex, person_id=person, instead_of=instead_of)
    assert work.done.wait(10)
    return work


def known(works: Works, *each: Work) -> list[bool]:
    return [works.find(work.id, person_id=work.person_id) is work for work in each]


def test_a_plan_is_dropped_once_it_is_imported_and_kept_where_that_failed() -> None:
    works = Works()
    found, planned = done(works), done(works)

    failed = done(works, fails=True, instead_of=(found.id, planned.id))
    assert known(works, found, planned, failed) == [True, True, True]
    works.drop((failed.id,), person_id="ada")
    imported = done(works, instead_of=(found.id, planned.id))

    assert known(works, found, planned, failed, imported) == [False, False, False, True]


def test_nobody_drops_anybody_elses_work() -> None:
    works = Works()
    hers = done(works, person="ada")

    done(works, person="ben", instead_of=(hers.id,))

    assert known(works, hers) == [True]


def test_of_one_person_only_the_newest_works_are_kept() -> None:
    works = Works()
    other = done(works, person="ben")
    every = [done(works) for _ in range(KEPT_EACH + 2)]

    assert known(works, *every) == [False] * 2 + [True] * KEPT_EACH
    assert known(works, other) == [True]
