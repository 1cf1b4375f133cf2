"""Who may do what."""

import pytest

from comparator.domain.rights import EVERYWHERE, Act, Grants, Role


def allowed(roles: set[Role], act: Act, *, closed: bool = False) -> bool:
    return Grants(roles=frozenset(roles), closed=closed).allows(act)


SECRET = (Act.SEE_CANDIDATES, Act.SEE_LABELS, Act.SEE_RESULTS, Act.EXPORT, Act.REVEAL)
CHANGING = (Act.SUBMIT, Act.JUDGE, Act.CHANGE_SETTINGS, Act.INVITE, Act.RUN_PANEL, *sorted(EVERYWHERE))


def test_an_admin_may_do_everything_and_nobody_without_a_role_anything() -> None:
    assert all(allowed({Role.ADMIN}, act) for act in Act)
    assert not any(allowed(set(), act, closed=closed) for act in Act for closed in (True, False))


def test_a_lead_may_do_all_in_a_project_and_nothing_that_concerns_the_server() -> None:
    assert {act for act in Act if not allowed({Role.LEAD}, act)} == set(EVERYWHERE)


@pytest.mark.parametrize("act", [*SECRET, *CHANGING])
def test_a_reviewer_of_an_open_project_reads_and_reviews_and_no_more(act: Act) -> None:
    assert allowed({Role.REVIEWER}, Act.READ)
    assert allowed({Role.REVIEWER}, Act.REVIEW)
    assert not allowed({Role.REVIEWER}, act)
    assert not allowed({Role.REVIEWER, Role.VIEWER}, act)


def test_once_the_project_is_closed_a_reviewer_sees_what_came_of_it_but_no_labels() -> None:
    now = {act for act in Act if allowed({Role.REVIEWER}, act, closed=True)}

    assert now == {Act.READ, Act.REVIEW, Act.SEE_RESULTS, Act.SEE_CANDIDATES, Act.EXPORT}


def test_a_viewer_changes_nothing() -> None:
    assert not any(allowed({Role.VIEWER}, act) for act in (Act.REVIEW, Act.REVEAL, *CHANGING))
    assert allowed({Role.VIEWER}, Act.SEE_RESULTS)


def test_a_lead_who_reviews_as_well_remains_a_lead() -> None:
    assert allowed({Role.LEAD, Role.REVIEWER}, Act.SEE_RESULTS)
