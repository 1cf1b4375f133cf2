"""Who may see the dashboards: a reviewer of an open project sees nothing of them, by no address."""

import pytest
from streamlit.testing.v1 import AppTest

from comparator.domain.rights import Role
from comparator.store.people import people
from comparator.ui.frame import session
from comparator.ui.frame.session import Me
from comparator.workflow.services import Services
from tests.app.conftest import open_page, said
from tests.worlds.histories.history import NEW, OLD, History
from tests.worlds.histories.pairs import World


@pytest.mark.parametrize("address", [{}, {"part": "trust"}, {"behind": "agree:*"}, {"verdicts": "either"}])
def test_a_reviewer_of_an_open_project_sees_no_result(
    app: AppTest, services: Services, monkeypatch: pytest.MonkeyPatch, address: dict[str, str]
) -> None:
    history = History(World(services.database, services.blobs))
    history.review(history.pair(5, 3), 5, 3)
    history.reveal()
    history.pair(5, 3, names=("third-prompt", OLD))
    with services.write() as unit:
        # Whoever sits at the machine is an admin; this one signed in.
        ben = people.ensure_person(unit, "oidc:test|ben", name="Ben")
        people.grant(unit, ben.id, Role.REVIEWER, project_id=history.project, granted_by=None)
    monkeypatch.setattr(session, "identity", lambda: Me(ben.id, ben.name))

    open_page(app, "dashboards", project=history.project, **address)

    assert not app.dataframe
    assert not app.get("plotly_chart")
    told = "\n".join([said(app), *(str(each.value) for each in (*app.header, *app.subheader, *app.markdown))])
    assert NEW not in told
    assert "wins" not in told
    assert "won" not in told
