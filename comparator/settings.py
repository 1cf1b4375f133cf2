"""Settings by environment and .env, prefix COMPARATOR_; a wrong one is one clear line."""

from __future__ import annotations

import os
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Literal, Self

from dotenv import dotenv_values
from platformdirs import user_data_path
from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from comparator.domain.errors import SettingsError

PREFIX = "COMPARATOR_"
FROM_FILE = (PREFIX, "ANTHROPIC_", "AWS_", "GOOGLE_", "CLOUD_ML_", "AZURE_")
KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
BASE_URL = "ANTHROPIC_BASE_URL"
JudgeKind = Literal["auto", "anthropic", "offline"]


class Settings(BaseSettings):
    """Where things are kept, and which judge reads first. Keys of model providers are never held here."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, frozen=True, extra="ignore", hide_input_in_errors=True
    )

    home: Path = Field(default_factory=lambda: user_data_path("blind-comparator", appauthor=False))
    """Folder of the SQLite database, the blobs and the caches."""
    database_url: str = ""
    """SQLAlchemy address; empty means a SQLite file in `home`."""
    blob_url: str = ""
    """fsspec address of the folder of blobs; empty means a folder in `home`."""
    judge: JudgeKind = "auto"
    model: str = ""
    """Model name; empty means the judge's default."""
    provider: Literal["", "api", "bedrock", "vertex", "foundry"] = ""
    """Cloud provider of the anthropic judge; empty means the API itself."""
    concurrency: int = Field(default=4, ge=1, le=256)
    """Pairs that are judged at the same time, each in both orders at once."""
    repetitions: int = Field(default=1, ge=1, le=9)
    """Passes in each order."""
    budget: Decimal | None = Field(default=None, gt=0)
    """US dollars; no pair is begun once all that was ever spent in this database, and what is being judged, reaches it.
    The last pair may exceed it. Empty means no limit."""

    @field_validator("database_url")
    @classmethod
    def _known_database(cls, url: str) -> str:
        if url and not url.startswith(("sqlite:///", "postgresql+psycopg://", "postgresql://")):
            raise ValueError("use sqlite:///PATH or postgresql+psycopg://USER@HOST/NAME")
        return (
            url.replace("postgresql://", "postgresql+psycopg://", 1)
            if url.startswith("postgresql://")
            else url
        )

    @property
    def database(self) -> str:
        """The database's address, with the default filled in."""
        return self.database_url or f"sqlite:///{self.home / 'comparator.db'}"

    @property
    def blobs(self) -> str:
        """The address of the blobs, with the default filled in."""
        return self.blob_url or (self.home / "blobs").as_uri()

    @classmethod
    def load(cls, env_file: Path = Path(".env")) -> Self:
        """The settings of this process: its environment, then `env_file`. Raises SettingsError in one line.

        Of the file only our own variables and those of model providers are read, and a server's address only together
        with its key: a folder that is judged may bring a file of this name. They are put into the process's environment
        (where they do not stand already), since a provider's own library reads its key from there.
        """
        try:
            given = {n: v for n, v in dotenv_values(env_file).items() if v is not None and _ours(n)}
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(
                f"{env_file} cannot be read ({type(error).__name__}). Mend or remove it."
            ) from error
        if (
            BASE_URL in given
            and not any(name in given for name in KEYS)
            and any(os.environ.get(k) for k in KEYS)
        ):
            raise SettingsError(
                f"{env_file} names another server ({BASE_URL}) for a key that stands in the environment. Put both in "
                "the file or both in the environment, so that no file you came across sends your key elsewhere."
            )
        for name, value in given.items():
            os.environ.setdefault(name, value)
        _refuse_unknown(os.environ)
        try:
            return cls()
        except ValidationError as error:
            first = error.errors()[0]
            name = PREFIX + str(first["loc"][0]).upper() if first["loc"] else "The settings"
            message = str(first["msg"]).removeprefix("Value error, ")
            raise SettingsError(f"{name} is wrong: {message}.") from None


def _ours(name: str) -> bool:
    return name.upper().startswith(FROM_FILE)


def without_secrets(url: str) -> str:
    """An address as it may be shown: without name, password and query.

    >>> without_secrets("postgresql://me:secret@host/db?password=secret")
    'postgresql://host/db'
    """
    scheme, separator, rest = url.partition("://")
    if not separator:
        return url
    return f"{scheme}{separator}{rest.partition('?')[0].rpartition('@')[2]}"


def _refuse_unknown(environment: Mapping[str, str]) -> None:
    known = {PREFIX + name.upper() for name in Settings.model_fields}
    for name in sorted(environment):
        if name.upper().startswith(PREFIX) and name.upper() not in known:
            raise SettingsError(f"{name} is not a setting. Known: {', '.join(sorted(known))}.")
