"""Finding a path on this machine: what a typed path holds, folder by folder, and the places given last."""

from __future__ import annotations

import contextlib
import json
import secrets
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st

from comparator.ui.frame import safe, session
from comparator.workflow.people.personal_data import places_file

MOST = 500
RECENT = 6
END = 56
"""How many characters of a recent place are shown: its end tells it from others."""
UP = ".."


class RecentPlaces:
    """The places that one person gave last, newest first, in a small file of the home folder."""

    def __init__(self, home: Path, *, person_id: str) -> None:
        self._file = places_file(home, person_id)

    def listed(self) -> tuple[str, ...]:
        """At most six; none where the file is gone or cannot be read."""
        try:
            kept = json.loads(self._file.read_bytes())
        except (OSError, ValueError):
            return ()
        places = kept if isinstance(kept, list) else []
        return tuple(place for place in places if isinstance(place, str))[:RECENT]

    def put_first(self, place: str) -> None:
        """Add the place, or move it to the front. A full disk costs the list, never the page."""
        kept = self.listed()
        if kept[:1] == (place,):
            return
        places = [place, *(each for each in kept if each != place)][:RECENT]
        partial = self._file.with_suffix(f".{secrets.token_hex(4)}")
        with contextlib.suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            partial.touch(mode=0o600)
            partial.write_text(json.dumps(places), encoding="utf-8")
            partial.replace(self._file)


def recent_places() -> RecentPlaces:
    """Those of the person in front of the page."""
    return RecentPlaces(session.services().settings.home, person_id=session.me().id)


def browse(key: str, chosen: Callable[[], object] = lambda: None) -> None:
    """A list under the path box `key`: the folder's entries to go on with, then the recent places.

    Typing in it narrows it down. What is picked becomes the box's text; a recent place is `chosen` at once. For people
    who may read files of this machine only.
    """
    _browse(key, str(st.session_state.get(key) or "").strip(), put=lambda picked: picked, chosen=chosen)


def browse_lines(key: str) -> None:
    """The same under a box with a path on each line: it goes on with the last one, and adds to it once it is a file."""
    *before, last = str(st.session_state.get(key) or "").rstrip(" ").split("\n")
    if last and Path(last).expanduser().is_file():
        before.append(last)
    _browse(key, last.strip() or (before[-1] if before else ""), put=lambda it: "\n".join([*before, it]))


def _browse(
    key: str, text: str, *, put: Callable[[str], str], chosen: Callable[[], object] = lambda: None
) -> None:
    typed = Path(text or Path.home()).expanduser()
    folder = nearest(typed)
    recent = [place for place in recent_places().listed() if place != str(typed)]
    ends = shown_ends(recent)
    picker = f"{key}_browse"

    def take() -> None:
        picked = st.session_state.get(picker)
        st.session_state[picker] = None
        if picked is None:
            return
        known = picked in recent
        there = picked if known else str(folder.parent if picked == UP else folder / picked)
        st.session_state[key] = put(there)
        if known:
            chosen()

    # Names in a selectbox are shown as they are, never as Markdown.
    st.selectbox(
        "Browse",
        [*entries(folder), *recent],
        index=None,
        format_func=lambda each: ends.get(each, each),
        key=picker,
        on_change=take,
        placeholder=f"In {safe.cut(str(folder), 48)}",
        label_visibility="collapsed",
    )


def shown_ends(places: Sequence[str]) -> dict[str, str]:
    """What stands for each of the paths in a list: its end from a folder on; the whole where two would look alike.

    >>> list(shown_ends(["/a/river", f"/mnt/{'b' * 50}/north"]).values())
    ['/a/river', '…/north']
    """
    ends = {place: _end(place) for place in places}
    alike = Counter(ends.values())
    return {place: end if alike[end] == 1 else place for place, end in ends.items()}


def _end(place: str) -> str:
    if len(place) <= END:
        return place
    kept = place[-END:]
    return f"…{kept[kept.find('/') :]}" if "/" in kept[:-1] else f"…{kept}"


def nearest(path: Path) -> Path:
    """The folder itself, or the closest one above that exists."""
    try:
        return next(each for each in (path.absolute(), *path.absolute().parents) if each.is_dir())
    except (OSError, StopIteration):
        return Path.home()


def entries(folder: Path) -> list[str]:
    """The way up, then folders with a slash, then files; without hidden ones, at most 500."""
    try:
        found = sorted(folder.iterdir(), key=lambda each: (not each.is_dir(), each.name.lower()))
    except OSError:
        found = []
    shown = [f"{each.name}/" if each.is_dir() else each.name for each in found if each.name[0] != "."]
    return [UP, *shown[:MOST]]
