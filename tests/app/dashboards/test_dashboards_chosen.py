"""What the dashboards show before anything is chosen, what stays chosen, and the badge that says what to do."""

import pytest
import sqlalchemy as sa
from streamlit.testing.v1 import AppTest

from comparator.store import tables
from comparator.ui.frame import safe, session
from comparator.workflow.projects.reveal import fix_plan
from comparator.workflow.services import Services
from tests.app.conftest import open_page
from tests.app.dashboards.test_dashboards import heads, shown
from tests.worlds.histories.experiment import WITH, WITHOUT
from tests.worlds.histories.history import NEW, OFFLINE, OLD, History


def test_where_nobody_has_reviewed_the_judges_verdicts_count_at_first(app: AppTest, history: History) -> None:
    history.pair(5, 3)
    history.pair(5, 3)
    history.reveal()

    shown(app, history)

    assert heads(app)[0].startswith(f"{NEW} won 2 pairs and lost 0 against")


def test_of_each_pair_the_review_counts_at_first_else_the_judges_verdict(
    app: AppTest, history: History
) -> None:
    history.pair(5, 3)
    history.review(history.pair(5, 3), 3, 5)
    history.reveal()

    shown(app, history)

    assert "won 1 pair and lost 1 against" in heads(app)[0]


def test_where_only_the_offline_check_has_read_them_its_verdicts_do_not_count_at_first(
    app: AppTest, history: History
) -> None:
    history.pair(5, 3, judge=OFFLINE)
    history.reveal()

    shown(app, history)

    assert heads(app)[0].startswith("No pair of")


def test_the_candidates_of_the_plan_are_chosen_at_first_in_their_newest_iteration(
    app: AppTest, services: Services, history: History
) -> None:
    for iteration in ("1", "2"):
        history.pair(5, 3, names=(f"a{iteration}", f"b{iteration}"))
        history.rename(f"a{iteration}", to=WITH, iteration=iteration)
        history.rename(f"b{iteration}", to=WITHOUT, iteration=iteration)
    # Newer, and with more pairs: these are chosen where no plan names others.
    for _ in range(2):
        history.pair(5, 3, names=("c", "d"))
    history.rename("c", to="gold", iteration="3")
    history.rename("d", to="silver", iteration="3")
    open_page(app, "dashboards", project=history.project)
    candidate = tables.candidate.c
    with services.database.read() as connection:
        one, two = connection.execute(sa.select(candidate.id).where(candidate.iteration == "1")).scalars()
    fix_plan(
        services.by(session.me().id),
        history.project,
        smallest_difference=0.1,
        reviews=1,
        stop_rule="",
        candidates=(one, two),
    )
    history.reveal()
    shown(app, history, scope="2")

    assert app.selectbox(key="pair").options == ["gold and silver", f"{WITH} and {WITHOUT}"]
    assert app.selectbox(key="scope").options == ["All", "2", "1"]
    assert heads(app)[0].startswith(f"{WITH} (2) won 1 pair and lost 0 against {WITHOUT} (2)")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("new", "old", "badge"), [(5, 3, f"{NEW} is better"), (3, 5, f"{OLD} is better"), (4, 4, "Not proven")]
)
def test_without_a_plan_the_badge_says_which_is_better_or_that_none_is(
    app: AppTest, history: History, new: int, old: int, badge: str
) -> None:
    for number in range(20):
        history.task(f"Task {number}")
        history.pair(new, old)
    history.reveal()

    shown(app, history, adopt=NEW)

    told = str(app.markdown[0].value).replace("\\", "").replace(safe.JOINER, "")
    assert "-badge[" in told
    assert told.rstrip("]").endswith(badge)
