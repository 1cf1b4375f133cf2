"""A home with the experiment of planted effects, its reasons read for themes."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from comparator.bootstrap import open_services
from comparator.settings import Settings
from comparator.workflow.services import Services
from tests.browser.servers.real_app import App
from tests.loopback.server import LoopbackServer
from tests.worlds.histories.experiment import Experiment
from tests.worlds.histories.pairs import World
from tests.worlds.histories.themed import read_reasons


def planted(services: Services) -> Experiment:
    """The experiment, put into tables at once, and its themes drafted and assigned by the loopback model."""
    experiment = Experiment(World(services.database, services.blobs)).build()
    with LoopbackServer(remember=False) as model:
        asked = {"ANTHROPIC_BASE_URL": model.base_url, "ANTHROPIC_API_KEY": "any-key"}
        read_reasons(replace(services, environment=asked), experiment.project)
    return experiment


@contextmanager
def planted_app(home: Path) -> Iterator[tuple[App, Experiment]]:
    """The app with it, in this home."""
    services = open_services(Settings(home=home))
    experiment = planted(services)
    with closing(services), App(home) as app:
        yield app, experiment
