"""No dialog of Streamlit's takes the focus while somebody types."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import Mock

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit.web.server.starlette.starlette_routes import create_host_config_routes

from comparator.web import server
from comparator.web.media.source import MediaSource


def test_streamlit_is_told_to_open_no_error_dialogs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("comparator.web.server.App", lambda _script, **parts: Starlette(**parts))
    theirs = create_host_config_routes(None)
    app = server.create_app(Path("app.py"), media=Mock(spec=MediaSource), routes=theirs)

    told = TestClient(app, base_url="http://localhost").get("/_stcore/host-config").json()
    before = TestClient(Starlette(routes=theirs)).get("/_stcore/host-config").json()

    assert told == {**before, "blockErrorDialogs": True}
    assert before["blockErrorDialogs"] is False
