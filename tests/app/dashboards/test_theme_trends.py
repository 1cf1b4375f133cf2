"""The small trends of themes: a dot, and its row in the table, lead to the pairs of its iteration with the quotes."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from comparator.ui.dashboards.why import themes
from comparator.ui.frame.charts.box import Box
from comparator.workflow.services import Services
from tests.app.conftest import open_page, said
from tests.integration.reporting.test_theme_picture import FORM, LOGS, READ, Read
from tests.worlds.histories.pairs import World


def test_a_dot_lists_the_pairs_of_its_iteration_in_which_the_theme_occurs(
    app: AppTest, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, shown = Read(World(services.database, services.blobs)), dict[str, Box]()
    monkeypatch.setattr(themes, "show", lambda boxes, **_: shown.update({box.name: box for box in boxes}))
    here = {"project": read.experiment.project, "verdicts": "judge", "scope": "all"}
    open_page(app, "dashboards", **here)
    box = shown["theme_trends"]
    assert box.figure is not None
    assert len(box.marks) == len(box.figure.data) == 2

    for theme in (LOGS, FORM):
        linked = [row[f"Pairs: {theme.name}"] for row in box.rows]
        drawn = [
            link
            for links, trace in zip(box.marks, box.figure.data, strict=True)
            for link, name in zip(links, trace.customdata, strict=True)
            if name and link in linked
        ]
        # Nobody has read the reasons of the third.
        assert [link is not None for link in linked] == [True, True, False]
        assert [link for link in drawn if link is not None] == linked[:2]
        for iteration, link in zip(READ, linked, strict=False):
            (behind,) = parse_qs(urlsplit(str(link)).query)["behind"]
            open_page(app, "dashboards", **here, behind=behind)

            told = said(app).replace("\\", "")
            pairs = read.ways(theme.id, iteration=iteration)
            assert f"in which “{theme.name}” occurs: {len(pairs)} pairs." in told
