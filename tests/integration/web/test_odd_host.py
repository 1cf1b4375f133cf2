"""What else a Host header says does not get into a policy."""

import pytest
from starlette.requests import Request

from comparator.web.media.answers import origin_of


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("127.0.0.1:8501", "http://127.0.0.1:8501"),
        ("[::1]:8501", "http://[::1]:8501"),
        ("LocalHost", "http://localhost"),
        ("127.0.0.1:80; script-src *", "http://"),
        ("127.0.0.1/ ; script-src *", "http://127.0.0.1"),
        ("127.0.0.1?, sandbox allow-scripts", "http://127.0.0.1"),
        ("me@127.0.0.1", "http://127.0.0.1"),
        ("a b", "http://"),
        ("[127.0.0.1 *]", "http://"),
        ("[fe80::1%x; script-src *]:80", "http://[fe80::1]:80"),
        ("[::1%25 *]", "http://[::1]"),
        ("127.0.0.1:+80", "http://"),
        ("*.example", "http://"),
    ],
)
def test_a_policy_names_a_host_and_a_port_and_nothing_else(host: str, origin: str) -> None:
    scope = {"type": "http", "headers": [(b"host", host.encode())], "method": "GET", "path": "/"}

    assert origin_of(Request(scope)) == origin
