"""Takes over what is typed in the page's text areas while it is typed."""

from __future__ import annotations

from collections.abc import Mapping

from comparator.ui.components import component


def keep_typing(*, draft: str, saved: bool, on_server: Mapping[str, str], key: str) -> None:
    """Have the page's fields hand over what is typed at each pause, and give back what somebody left at once.

    `on_server` is the server's text of each field, by its key; `saved` says whether the draft outlasts a reload.
    """
    component("typing", "fields/kept_typing.js")(
        data={"draft": draft, "saved": saved, "on_server": dict(on_server)}, key=key
    )
