"""A home with the experiment of planted effects, its reasons read for themes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from comparator.bootstrap import open_services
from comparator.jobs.drafting import with_judge
from comparator.judges.protocol import Judge, Owner
from comparator.settings import Settings
from comparator.workflow.services import Services
from comparator.workflow.themes import inquire
from comparator.workflow.themes.collect import collect
from tests.loopback.server import LoopbackServer
from tests.worlds.histories.experiment import Experiment
from tests.worlds.histories.pairs import World


def planted(home: Path) -> Experiment:
    """The experiment, judged, reviewed, revealed, and its themes drafted and assigned by the loopback model."""
    with LoopbackServer(remember=False) as model:
        asked = {"ANTHROPIC_BASE_URL": model.base_url, "ANTHROPIC_API_KEY": "any-key"}
        services = replace(open_services(Settings(home=home)), environment=asked)
        experiment = Experiment(World(services.database, services.blobs)).build()
        read_reasons(services, experiment.project)
        services.close()
    return experiment


def read_reasons(services: Services, project: str) -> None:
    """Have the reasons of all pairs collected, and themes drafted and assigned by the model."""

    async def ask(judge: Judge, worker: str, saved: Callable[[Owner], None]) -> None:
        model = inquire.as_model(judge)
        await inquire.draft(services, model, project, person_id=None, worker=worker, saved=saved)
        begun = inquire.begin_assignment(services, project, model.identity, person_id=None)
        await inquire.assign(services, model, begun.id, worker=worker, saved=saved)

    collect(services, project, person_id=None, pairs=10_000)
    asyncio.run(with_judge(services, ask))
