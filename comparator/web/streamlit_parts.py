"""What the server uses of Streamlit: app, files, messages and sign-in. No other module of `web` imports it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import streamlit as st
from google.protobuf.message import DecodeError
from streamlit.auth_util import encode_provider_token, get_cookie_with_chunks
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime.pages_manager import PagesManager
from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

App = st.App
STATIC = Path(st.__file__).parent / "static"
"""The files of its front end."""
MERMAID = STATIC / "static" / "js"
"""Where its own copy of Mermaid lies."""
BY_ITSELF = "rerun_script.auto"
"""The message of a page that runs again without anybody there."""


def stop_old_pages() -> None:
    """Have a folder `pages` beside the script be nothing of Streamlit's.

    It means an older kind of app until app.py has run once: the first request after a start, if it is for another page
    than the queue, would get that page bare, and so would all later.
    """
    PagesManager.uses_pages_directory = False


def kind_of(data: bytes) -> str | None:
    """What a message asks for; None where it is no message of Streamlit's."""
    sent = BackMsg()
    try:
        sent.ParseFromString(data)
    except DecodeError:
        return None
    kind = sent.WhichOneof("type") or "nothing"
    return BY_ITSELF if kind == "rerun_script" and sent.rerun_script.is_auto_rerun else kind


def is_sign_in_cookie(name: str) -> bool:
    """Whether a cookie is one of those in which Streamlit keeps who signed in."""
    return name.startswith(USER_COOKIE_NAME)


def signed_in(cookies: Mapping[str, str], *, secret: str) -> bytes | None:
    """What Streamlit's own sign-in says of the person, as JSON; None where nobody signed in."""

    def one(name: str) -> bytes | None:
        value = cookies.get(name)
        return decode_signed_value(secret, name, value) if value else None

    found: bytes | None = get_cookie_with_chunks(one, USER_COOKIE_NAME)
    return found


def provider_token(provider: str) -> str:
    """What Streamlit's address for signing in has to be asked with; it is valid for a short time only."""
    return encode_provider_token(provider)
