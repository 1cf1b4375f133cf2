"""Starts the app: database and blobs ready, examples loaded once, then the web server."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from starlette.routing import BaseRoute
from streamlit.runtime.pages_manager import PagesManager

import comparator
from comparator.domain.errors import SettingsError
from comparator.jobs.child import WorkerChild
from comparator.settings import Settings
from comparator.web.gate import Rules
from comparator.web.invitation_route import invitation_routes
from comparator.web.media.stored import StoredMedia
from comparator.web.media.web_pages import web_routes
from comparator.web.saving.route import saving_routes
from comparator.web.server import refuse_busy, serve
from comparator.web.sign_in import ending_in_order, is_secure, person_of_request, secrets_file
from comparator.workflow.examples import examples_left, load_examples
from comparator.workflow.judging.leases import free_dead
from comparator.workflow.people.output_access import may_see_output
from comparator.workflow.services import Services, open_services


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
    """The routes beside those of the outputs: live pages, invitations, and saving."""
    return [*web_routes(services), *invitation_routes(services), *saving_routes(services)]


def run_app(settings: Settings, *, host: str, port: int, examples: bool, say: Callable[[str], None]) -> None:
    """Run the app until it is stopped. Raises SettingsError or StoreError with what to do."""
    script = shipped("app.py")
    refuse_busy(host, port)
    services = open_services(settings)
    if left := free_dead(services, starting=True):
        say(f"Judging was broken off for {len(left)} of the pairs; they can be started again")
    if examples and examples_left(services, shipped("examples")):
        say("Loading the examples (first start only)")
        load_examples(services, shipped("examples"))
    say(f"Blind Comparator: http://{'[::1]' if host == '::1' else host}:{port}  (stop with Ctrl+C)")
    # A folder `pages` beside the script means an older kind of app to Streamlit until app.py has run once: the first
    # request after a start, if it is for another page than the queue, would get that page bare, and so would all later.
    PagesManager.uses_pages_directory = False
    rules = Rules(
        person=functools.partial(person_of_request, services),
        may_see=functools.partial(may_see_output, services),
    )
    name = urlsplit(settings.public_url).hostname
    try:
        with ending_in_order(), secrets_file(settings) as secrets, WorkerChild(services):
            serve(
                script,
                host=host,
                port=port,
                media=StoredMedia(services),
                cache=settings.home / "cache" / "previews",
                rules=rules,
                routes=own_routes(services),
                secrets=secrets,
                names=frozenset({name}) if name else None,
                secure=is_secure(settings),
            )
    finally:
        services.close()
