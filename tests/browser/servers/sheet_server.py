"""Serves the page of the score sheet, and the app's own address to which it sends changes."""

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from comparator.bootstrap import load_settings, open_services
from comparator.web.modules import module_routes
from comparator.web.review.route import review_routes
from comparator.web.streamlit import HostConfig

app = st.App(
    Path(__file__).with_name("sheet_app.py"),
    routes=[*review_routes(open_services(load_settings())), *module_routes()],
    middleware=[Middleware(HostConfig)],
)
