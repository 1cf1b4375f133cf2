"""Starts the app: database and blobs ready, examples loaded once, then the web server, and a browser on its page."""

import functools
import os
import secrets
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from urllib.parse import urlsplit

from starlette.responses import Response
from starlette.routing import BaseRoute

import comparator
from comparator.bootstrap import open_services
from comparator.domain.errors import SettingsError
from comparator.domain.rights import Act
from comparator.jobs.child import app_worker, end_app_workers
from comparator.settings import Settings
from comparator.web.files import UploadLimits, UploadShelf, download_routes, folder_of
from comparator.web.guards.browsers import LOOPBACK, NAME
from comparator.web.guards.gate import Rules
from comparator.web.media.files import StoredMedia, web_routes
from comparator.web.monitoring import monitoring_routes
from comparator.web.review.route import review_routes
from comparator.web.server import Access, create_app, refuse_busy, serve
from comparator.web.sign_in import (
    invitation_routes,
    is_secure,
    login_secrets,
    no_role_page,
    note_active,
    person_of_request,
    sign_in_page,
    sign_in_routes,
    sign_out,
    sign_out_token,
)
from comparator.web.streamlit import stop_old_pages
from comparator.workflow.examples import load_examples
from comparator.workflow.people.people import may_see_output, name_of, permissions_of
from comparator.workflow.people.sign_in import Tries
from comparator.workflow.services import NOBODY, Services

_REMOTE = ("SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY")
_LOOK_SECONDS = 0.2
_LONGEST_START = 60.0


def rules_of(services: Services) -> Rules:
    """The rules of a server with these services."""

    def may(person_id: str, act: Act) -> bool:
        return permissions_of(services.by(person_id)).somewhere(act)

    def outside_page(person_id: str | None, cookies: Mapping[str, str]) -> Response:
        if person_id is None:
            return sign_in_page()
        return no_role_page(name_of(services, person_id), token=sign_out_token(services, cookies))

    return Rules(
        person=functools.partial(person_of_request, services),
        may_see=functools.partial(may_see_output, services),
        may=may,
        active=functools.partial(note_active, services),
        outside_page=outside_page,
        sign_out=functools.partial(sign_out, services),
        may_try=Tries(services.now).may_try,
    )


def has_browser(environ: Mapping[str, str], *, platform: str = sys.platform) -> bool:
    """Whether somebody sits here whose browser can be opened: not in CI, over SSH, or without a desktop.

    >>> has_browser({"DISPLAY": ":0"}, platform="linux"), has_browser({"DISPLAY": ":0", "CI": "true"}, platform="linux")
    (True, False)
    """
    if environ.get("CI") or any(environ.get(name) for name in _REMOTE):
        return False
    desktop = bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))
    return desktop or platform in ("darwin", "win32")


def open_when_ready(page: str, *, host: str, port: int) -> None:
    """Open `page` once the app listens at this address, in a thread of its own; nothing happens where it never does."""

    def wait() -> None:
        until = time.monotonic() + _LONGEST_START
        while time.monotonic() < until:
            with suppress(OSError), socket.create_connection((host, port), timeout=1):
                webbrowser.open(page)
                return
            time.sleep(_LOOK_SECONDS)

    threading.Thread(target=wait, name="open-browser", daemon=True).start()


def end_with_parent() -> None:
    """End this process in order as soon as the one that started it is gone, even where that was killed."""
    first = os.getppid()

    def watch() -> None:
        while os.getppid() == first:
            time.sleep(_LOOK_SECONDS)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="end-with-parent", daemon=True).start()


@contextmanager
def ending_in_order() -> Iterator[None]:
    """Within the block SIGTERM ends the program as leaving it does, so that its worker is ended in order."""

    def leave(_number: int, _frame: FrameType | None) -> None:
        raise SystemExit(0)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def shipped(name: str) -> Path:
    """A file or folder that is shipped beside the package: in a wheel below comparator/_app, else in the repository.

    Raises SettingsError where the installation lacks it.
    """
    package = Path(comparator.__file__).parent
    for folder in (package / "_app", package.parent):
        if (folder / name).exists():
            return folder / name
    raise SettingsError(f"This installation lacks {name}. Install blind-comparator again.")


def own_routes(services: Services) -> list[BaseRoute]:
    """The routes beside those of the outputs: live pages, signing in, invitations, saving, and what machines ask."""
    return [
        *monitoring_routes(services),
        *web_routes(services),
        *sign_in_routes(services.settings),
        *invitation_routes(services),
        *review_routes(services),
        *download_routes(services.settings),
    ]


def start_token(settings: Settings, *, host: str) -> str:
    """A new token for a server that nobody signs in to; empty on loopback, unless the settings want one."""
    return secrets.token_urlsafe(24) if settings.start_token or host not in LOOPBACK else ""


def run_app(
    settings: Settings,
    *,
    host: str,
    port: int,
    examples: bool,
    say: Callable[[str], None],
    browser: bool,
) -> None:
    """Run the app until it is stopped; with `browser` open it there. Raises SettingsError or StoreError.

    Where nobody signs in and other machines reach it, or the settings want it, the address holds a token.
    """
    script = shipped("app.py")
    refuse_busy(host, port)
    services = open_services(settings)
    if examples:
        load_examples(services, shipped("examples"), say=say)
    services = services.by(NOBODY)
    token = "" if settings.signs_in else start_token(settings, host=host)
    place = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    address = f"{place}/?{NAME}={token}" if token else place
    say(f"Blind Comparator: {address}  (stop with Ctrl+C)")
    if browser:
        open_when_ready(address, host=host, port=port)
    stop_old_pages()
    name = urlsplit(settings.public_url).hostname
    uploads = UploadShelf(folder_of(settings), UploadLimits.of(settings))
    try:
        with ending_in_order():
            app_worker(services)
            app = create_app(
                script,
                media=StoredMedia(services),
                cache=settings.home / "cache" / "previews",
                rules=rules_of(services),
                routes=own_routes(services),
                access=Access(
                    names=frozenset({name}) if name else frozenset(),
                    secure=is_secure(settings),
                    proxies=settings.proxies,
                    token=token,
                    port=port,
                ),
                uploads=uploads,
                secrets=login_secrets(settings),
            )
            serve(app, script, host=host, port=port, largest_upload=uploads.limits.session)
    finally:
        end_app_workers()
        services.close()
