"""The small trends of themes: a dot, and its row in the table, lead to the pairs of its iteration with the quotes."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from comparator.ui.dashboards.why import charts
from comparator.ui.frame.charts.chart import Chart, behind
from comparator.ui.frame.charts.theme import ColourTheme
from comparator.workflow.services import Services
from tests.app.conftest import open_page, said
from tests.integration.reporting.test_theme_picture import FORM, LOGS, READ, Read
from tests.worlds.histories.pairs import World


def test_a_dot_lists_the_pairs_of_its_iteration_in_which_the_theme_occurs(
    app: AppTest, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, shown = Read(World(services.database, services.blobs)), dict[str, Chart]()
    monkeypatch.setattr(charts, "show", lambda each: shown.update({chart.name: chart for chart in each}))
    here = {"project": read.experiment.project, "verdicts": "judge", "scope": "all"}
    open_page(app, "dashboards", **here)
    chart = shown["theme_trends"]
    figure = chart.figure(ColourTheme.LIGHT)
    assert figure is not None

    for theme in (LOGS, FORM):
        linked = [row[f"Pairs: {theme.name}"] for row in chart.numbers]
        curve = list(chart.opens).index(theme.name)
        assert [behind(chart, curve=curve, at=at) for at in range(3)] == linked
        assert [value is not None for value in figure.data[curve].y] == [True, True, False]
        # Nobody has read the reasons of the third.
        assert [link is not None for link in linked] == [True, True, False]
        for iteration, link in zip(READ, linked, strict=False):
            address = dict(parse_qsl(urlsplit(str(link)).query))
            open_page(app, "dashboards", **here, behind=address["behind"], says=address["says"])

            told = said(app).replace("\\", "")
            pairs = read.ways(theme.id, iteration=iteration)
            assert f"{iteration}: {theme.name}: {len(pairs)} pairs." in told
