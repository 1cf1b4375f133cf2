"""What every function of the interface needs: the services, and a way to wait for the judge."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from comparator.bootstrap import load_settings, open_services
from comparator.domain.errors import InputError
from comparator.settings import Settings
from comparator.workflow.people.people import local_person
from comparator.workflow.services import Services

T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)
OnStep = Callable[[str], None]


def quiet(_step: str) -> None:
    """Tell nobody where it is."""


@contextmanager
def opened(settings: Settings | None) -> Iterator[Services]:
    """The services by these settings, or by those of this process, for acts of the person at this machine.

    Raises SettingsError, StoreError.
    """
    with closing(open_services(settings or load_settings())) as services:
        yield services.by(local_person(services).id)


def wait_for(work: Coroutine[Any, Any, T]) -> T:
    """What the coroutine returns; in a thread of its own where a loop runs already, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


def understood(request: type[M], **options: Any) -> M:
    """The request with these values as a person gave them. Raises InputError for one that is not understood."""
    try:
        return request(**options)
    except ValidationError as error:
        wrong = error.errors()[0]
        name = ".".join(map(str, wrong["loc"]))
        raise InputError(f"{name} cannot be {str(wrong['input'])[:60]!r}: {wrong['msg']}.") from error
