"""Who may do what."""

from comparator.domain.rights import EVERYWHERE, Act, Grants, Role


def allowed(roles: set[Role], act: Act, *, closed: bool = False) -> bool:
    return Grants(roles=frozenset(roles), closed=closed).allows(act)


CHANGING = (Act.SUBMIT, Act.JUDGE, Act.CHANGE_SETTINGS, Act.INVITE, Act.RUN_PANEL, *sorted(EVERYWHERE))


def test_an_admin_may_do_everything_and_nobody_without_a_role_anything() -> None:
    assert all(allowed({Role.ADMIN}, act) for act in Act)
    assert not any(allowed(set(), act, closed=closed) for act in Act for closed in (True, False))


def test_a_lead_may_do_all_in_a_project_and_nothing_that_concerns_the_server() -> None:
    assert {act for act in Act if not allowed({Role.LEAD}, act)} == set(EVERYWHERE)
    assert allowed({Role.LEAD, Role.REVIEWER}, Act.SEE_RESULTS)


def test_a_reviewer_reads_and_reviews_and_sees_what_came_of_a_closed_project_but_no_labels() -> None:
    for roles in ({Role.REVIEWER}, {Role.REVIEWER, Role.VIEWER}):
        assert {act for act in Act if allowed(roles, act)} == {Act.READ, Act.REVIEW}
    now = {act for act in Act if allowed({Role.REVIEWER}, act, closed=True)}
    assert now == {Act.READ, Act.REVIEW, Act.SEE_RESULTS, Act.SEE_CANDIDATES, Act.EXPORT}


def test_a_viewer_changes_nothing() -> None:
    assert not any(allowed({Role.VIEWER}, act) for act in (Act.REVIEW, Act.REVEAL, *CHANGING))
    assert allowed({Role.VIEWER}, Act.SEE_RESULTS)
