"""What every use case needs: the database, the blobs, a clock, fresh ids, and the judge that the settings choose."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from comparator.domain.errors import SettingsError
from comparator.domain.project import Guidance
from comparator.domain.scoring.judgment import Tools
from comparator.judges.choose import NamedJudge, Through, choose_judge, read_judges, with_environment
from comparator.judges.model.sender import DEFAULT_MODEL, AnthropicOptions, Provider
from comparator.judges.protocol import Judge
from comparator.outputs.limits import Limits, OutputBudget
from comparator.outputs.pictures.camera import Album
from comparator.outputs.pictures.office.printer import Printer
from comparator.outputs.view.reading import Modern
from comparator.settings import JudgeKind, Settings
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.core.sql import Unit, known, new_id

if TYPE_CHECKING:
    from comparator.judges.model.client import MessageBatches


def _now() -> datetime:
    return datetime.now(UTC)


NOBODY = ""
"""No person has this id, so the services of a server do nothing until they act for somebody."""


@dataclass(frozen=True, kw_only=True)
class Services:
    """The parts that use cases work with; tests hand in their own."""

    settings: Settings
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The environment of the process, which holds the keys of model providers."""
    database: Database
    blobs: BlobStore
    now: Callable[[], datetime] = _now
    beats: Callable[[], datetime] | None = None
    """The clock of signs of life, where `now` is a time of the past that is entered again."""
    new_id: Callable[[], str] = new_id
    coin: Callable[[], bool] = field(default=lambda: bool(secrets.randbits(1)))
    """Draws which output becomes A."""
    lot: Callable[[], float] = field(default=lambda: secrets.randbits(53) / 2**53)
    """Draws a number from 0 up to 1, for the audit sample."""
    limits: Limits = field(default_factory=Limits)
    output_budget: OutputBudget = field(default_factory=OutputBudget)
    album: Album | None = None
    """Opens web pages and keeps the pictures; None where none are wanted."""
    printer: Printer | None = None
    """Prints Office files; None where no pages are wanted."""

    who: str | None = None
    """The id of the person who acts; None for this program itself, at the bidding of whoever has its shell."""

    @property
    def person(self) -> str:
        """The person who acts. Raises RightsError where it is the program itself."""
        return known(self.who)

    def by(self, person_id: str | None) -> Services:
        """The same parts, for acts of this person."""
        return replace(self, who=person_id)

    @contextmanager
    def write(self, *, at: datetime | None = None) -> Iterator[Unit]:
        """A transaction that writes: committed at the end, rolled back on an error. `at` is now unless it is given."""
        with self.database.write() as connection:
            yield Unit(connection, at=at or self.now(), new_id=self.new_id, who=self.who)

    @contextmanager
    def read(self) -> Iterator[Unit]:
        """A transaction that only reads, now."""
        with self.database.read() as connection:
            yield Unit(connection, at=self.now(), new_id=self.new_id, who=self.who)

    def judge(
        self,
        kind: JudgeKind | None = None,
        model: str | None = None,
        *,
        through: Through | None = None,
        tools: Tools | None = None,
        guidance: Guidance | None = None,
        named: NamedJudge | None = None,
    ) -> Judge:
        """A judge by kind and model, its requests going `through` another sender; what is None comes from the settings.

        It goes by `guidance`, where there is any; a `named` judge goes before kind and model.

        Raises SettingsError or JudgeError.
        """
        if named is None:
            options, environment = self.options(model), self.environment
        else:
            kind, options, environment = "anthropic", named.options(), named.environment(self.environment)
            tools = tools or named.tools
        return choose_judge(
            kind or self.settings.judge,
            options=options.copy_with(tools=tools or self.settings.tools),
            environment=environment,
            through=through,
            guidance=guidance,
        )

    def named_judges(self) -> dict[str, NamedJudge]:
        """The judges of COMPARATOR_JUDGES, by name. Raises SettingsError."""
        return read_judges(Path(self.settings.judges)) if self.settings.judges else {}

    def named_judge(self, name: str) -> NamedJudge:
        """The judge of this name. Raises SettingsError with those there are."""
        known = self.named_judges()
        if name not in known:
            there = ", ".join(known) or "none: COMPARATOR_JUDGES is not set"
            raise SettingsError(f"There is no judge {name[:60]!r}. Known judges: {there}.")
        return known[name]

    def message_batches(self, model: str) -> MessageBatches:
        """The provider's counter for batches. Raises SettingsError where it has none."""
        # The SDK takes a second to import.
        from comparator.judges.model.client import MessageBatches

        return MessageBatches(self.options(model), environment=self.environment)

    def options(self, model: str | None = None) -> AnthropicOptions:
        """How the anthropic judge is reached, by the settings and the environment. Raises SettingsError."""
        settings = self.settings
        options = AnthropicOptions(
            model=model or settings.model or DEFAULT_MODEL,
            provider=Provider(settings.provider or "api"),
            busy=settings.busy_minutes * 60,
            silence=settings.silence,
        )
        return with_environment(options, self.environment)

    @property
    def modern(self) -> Modern | None:
        """Makes older Office files readable; None without a converter."""
        return self.printer.modern if self.printer is not None else None

    def close(self) -> None:
        """Give the database's connections back."""
        self.database.close()
