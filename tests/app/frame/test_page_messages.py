"""What a run draws is sent in one go: its order, the longest wait, and runs that are stopped, fail or are replaced."""

from __future__ import annotations

import threading

import pytest
from streamlit.testing.v1 import AppTest

# Scripts run in AppTest's own runner, with its real context; `sent` notes what leaves it, and when.
NOTING = """
import time
import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from comparator.ui.frame import page_messages
sent = st.session_state["sent"] = []
context = get_script_run_ctx()
send = context._enqueue
def noting(message):
    if message.WhichOneof("type") == "delta":
        element = message.delta.new_element
        sent.append(element.text.body or element.toast.body)
    if message.WhichOneof("type") == "page_info_changed":
        sent.append(message.page_info_changed.query_string)
    send(message)
context._enqueue = noting
try:
{body}
finally:
    st.session_state["restored"] = context._enqueue is noting
    context._enqueue = send
"""


def _run(body: str) -> AppTest:
    indented = "\n".join(f"    {line}" for line in body.strip().splitlines())
    return AppTest.from_string(NOTING.replace("{body}", indented)).run()


def test_nothing_is_sent_before_the_run_ends_and_then_all_of_it_in_order() -> None:
    app = _run(
        """
with page_messages.sent_together():
    st.text("a")
    st.text("b")
    st.session_state["during"] = list(sent)
"""
    )

    assert app.session_state["during"] == []
    assert app.session_state["sent"] == ["a", "b"]
    assert app.session_state["restored"]
    assert [each.value for each in app.text] == ["a", "b"]


def test_a_slow_run_shows_what_it_has_after_the_longest_wait_and_the_rest_at_once() -> None:
    app = _run(
        """
with page_messages.sent_together():
    st.text("a")
    until = time.monotonic() + 30
    while not sent and time.monotonic() < until:
        time.sleep(0.01)
    st.session_state["while_slow"] = list(sent)
    st.text("b")
    st.session_state["at_once"] = list(sent)
"""
    )

    assert app.session_state["while_slow"] == ["a"]
    assert app.session_state["at_once"] == ["a", "b"]
    assert app.session_state["restored"]


def test_a_toast_is_sent_at_once_with_what_came_before() -> None:
    app = _run(
        """
page_messages.MOST_SECONDS = 30
try:
    with page_messages.sent_together():
        st.text("a")
        st.toast("saved")
        until = time.monotonic() + 20
        while not sent and time.monotonic() < until:
            time.sleep(0.01)
        st.session_state["during"] = list(sent)
finally:
    page_messages.MOST_SECONDS = 0.1
"""
    )

    assert app.session_state["during"][:1] == ["a"]


def test_a_new_address_is_sent_at_once_and_alone() -> None:
    app = _run(
        """
with page_messages.sent_together():
    st.text("a")
    st.query_params["task"] = "7"
    st.session_state["during"] = list(sent)
    st.text("b")
"""
    )

    assert app.session_state["during"] == ["task=7"]
    assert app.session_state["sent"] == ["task=7", "a", "b"]


def test_if_no_thread_can_be_started_each_element_is_sent_as_it_is_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def start(self: threading.Thread) -> None:
        if self.name == "page-messages":
            raise RuntimeError("can't start new thread")
        started(self)

    started = threading.Thread.start
    monkeypatch.setattr(threading.Thread, "start", start)

    app = _run(
        """
with page_messages.sent_together():
    st.text("a")
    st.session_state["during"] = list(sent)
"""
    )

    assert app.session_state["during"] == ["a"]
    assert [each.value for each in app.text] == ["a"]
    assert app.session_state["restored"]


def test_a_run_that_is_stopped_shows_what_it_drew() -> None:
    app = _run(
        """
with page_messages.sent_together():
    st.text("a")
    st.stop()
"""
    )

    assert app.session_state["sent"] == ["a"]
    assert [each.value for each in app.text] == ["a"]


def test_a_run_that_fails_shows_what_it_drew() -> None:
    app = _run(
        """
with page_messages.sent_together():
    st.text("a")
    1 / 0
"""
    )

    assert app.exception
    assert [each.value for each in app.text] == ["a"]
    assert app.session_state["restored"]


def test_a_run_that_a_newer_one_replaces_ends_at_the_next_thing_it_draws() -> None:
    app = _run(
        """
from streamlit.runtime.scriptrunner import StopException
drawn = ["nothing"]
def replaced():
    if drawn == ["a"]:
        raise StopException
context.yield_check = replaced
with page_messages.sent_together():
    st.text("a")
    drawn[:] = ["a"]
    st.text("b")
    drawn[:] = ["both"]
"""
    )

    assert [each.value for each in app.text] == ["a"]
    assert app.session_state["restored"]
