"""Settings by the environment and the home's .env, prefix COMPARATOR_; a wrong one is one clear line."""

import io
import re
from collections.abc import Iterable, MutableMapping
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from dotenv import dotenv_values
from platformdirs import user_data_path
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)

from comparator.domain.errors import SettingsError, first_problem
from comparator.domain.pair.examination import ToolLimits
from comparator.domain.rights import EntryRules, Role
from comparator.domain.scoring.judgment import Tools
from comparator.domain.scoring.repetitions import Repetitions

PREFIX = "COMPARATOR_"
FROM_FILE = (PREFIX, "ANTHROPIC_", "AWS_", "GOOGLE_", "CLOUD_ML_", "AZURE_")
"""What the variables begin with that a home's own file may set."""
JUDGE_KEYS = (
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_FOUNDRY_API_KEY",
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_BEARER_TOKEN_BEDROCK",
)
"""All that a `.env` beside outputs may set, and only where somebody asks for it."""
LONGEST_FOREIGN = 65_536
"""Characters of a `.env` beside outputs that are read; the parser takes a time that grows with the square."""
_NAME = re.compile(r"""^[ \t]*(?:export[ \t]+)?['"]?(\w+)['"]?[ \t]*=""", re.MULTILINE)
_PRICE = re.compile(r"\s*(?P<model>\S+)=(?P<sent>[0-9.]+)/(?P<received>[0-9.]+)\s*")
SIGN_IN = ("oidc_metadata_url", "oidc_client_id", "oidc_client_secret", "oidc_cookie_secret")
SIGN_IN_SETTINGS = tuple(PREFIX + name.upper() for name in ("public_url", *SIGN_IN, "oidc_admins"))
HOW_TO_SIGN_IN = (
    f"set {', '.join(SIGN_IN_SETTINGS[:-1])} and {SIGN_IN_SETTINGS[-1]} (docs/operations.md, “Sign-in”)"
)
"""What makes people sign in, as the rest of a sentence."""
SHORTEST_SECRET = 32
JudgeKind = Literal["auto", "anthropic", "offline"]


class Settings(BaseModel):
    """Where things are kept, and which judge reads first. Keys of model providers are never kept here."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", hide_input_in_errors=True, use_attribute_docstrings=True
    )

    home: Annotated[Path, AfterValidator(Path.absolute)] = Field(
        default_factory=lambda: user_data_path("blind-comparator", appauthor=False)
    )
    """Folder of the SQLite database, the blobs and the caches; set in the environment only."""
    database_url: str = ""
    """SQLAlchemy address; empty means a SQLite file in `home`."""
    blob_url: str = ""
    """fsspec address of the folder of blobs; empty means a folder in `home`."""
    judge: JudgeKind = "auto"
    """Which judge reads: auto takes anthropic where a key is set, else the offline check."""
    model: str = ""
    """Model name; empty means the judge's default."""
    provider: Literal["", "api", "bedrock", "vertex", "foundry"] = ""
    """Cloud provider of the anthropic judge; empty means the API itself."""
    slots: int = Field(default=8, ge=1, le=1000)
    """Requests to the model that are on the wire at the same time, of the app and all workers together."""
    tools: Tools = Tools.AUTO
    """Whether a judge opens files with tools: auto where something does not fit into a request, always, or never."""
    tool_limits: ToolLimits = ToolLimits()
    """What one reading with tools may use, in JSON: calls, bytes, tokens, context (tokens of one request), seconds, and
    money in US dollars or null. What is left out keeps its default."""
    busy_minutes: float = Field(default=60, ge=0)
    """Minutes for which requests wait for a server that limits their rate or is overloaded before they fail."""
    silence: float = Field(default=120, gt=0)
    """Seconds without a byte after which nothing more is expected of a server."""
    repetitions: Repetitions = "auto"
    """Passes in each order: auto reads again what is unsure, a number from 1 to 9 fixes them."""
    judges: str = ""
    """Path of a TOML file with named judges, one table [judges.NAME] each; set in the environment only."""
    budget: Decimal | None = Field(default=None, gt=0)
    """US dollars that requests to models may spend in this database. A request whose estimated cost does not fit into
    what is left is not sent. Empty means no limit."""
    prices: dict[str, tuple[Decimal, Decimal]] = {}
    """US dollars for a million tokens, sent and received, of models whose price is not known: MODEL=3/15, with commas
    between."""
    public_url: str = ""
    """Where people reach the app, as https://compare.example.org; needed for sign-in and for links that are sent."""
    oidc_metadata_url: str = ""
    """The provider's …/.well-known/openid-configuration; empty means one local person and no sign-in."""
    oidc_client_id: str = ""
    """What the provider calls this app."""
    oidc_client_secret: SecretStr = SecretStr("")
    """The secret that the provider gave with it."""
    oidc_cookie_secret: SecretStr = SecretStr("")
    """Signs the sign-in's cookies; the same for all processes behind one address."""
    oidc_role_claim: str = ""
    """The claim of the ID token that lists roles, such as realm_access.roles."""
    oidc_admins: str = ""
    """Verified addresses, @domains, or subjects as sub:SUBJECT, with commas between."""
    oidc_leads: str = ""
    """Who is a lead everywhere, in the same form."""
    oidc_reviewers: str = ""
    """Who is a reviewer everywhere, in the same form."""
    oidc_viewers: str = ""
    """Who is a viewer everywhere, in the same form."""
    session_hours: int = Field(default=720, ge=1)
    """Hours that a sign-in goes on at most."""
    session_idle_hours: int = Field(default=24, ge=1)
    """Hours without anybody at work after which a sign-in by the provider ends."""
    invited_idle_hours: int = Field(default=168, ge=1)
    """The same for people who came by an invitation's link, who then need a new link."""
    proxies: int = Field(default=0, ge=0, le=9)
    """How many proxies stand in front, each of which adds to X-Forwarded-For; with 0 that header counts for nothing."""
    start_token: bool = False
    """Whether the address that the server prints holds a token, without which nothing is answered; without sign-in."""
    upload_mb: int = Field(default=1024, ge=1)
    """Megabytes of one uploaded file, and of all that one open page holds."""
    upload_person_mb: int = Field(default=2048, ge=1)
    """Megabytes of uploads that one person holds at the same time, in all pages."""
    upload_server_mb: int = Field(default=8192, ge=1)
    """Megabytes of uploads that everybody together holds at the same time, in one process."""
    upload_minutes: int = Field(default=60, ge=1)
    """Minutes after which an upload that no page has read any more is removed."""
    log: Literal["plain", "json"] = "plain"
    """How the log is written: for people, or one JSON object a line for a log server."""
    chromium: str = ""
    """Path of the Chromium that takes pictures of web pages; empty means the one on this machine, "off" none."""
    soffice: str = ""
    """Path of the LibreOffice that prints Office files; empty means the one on this machine, "off" none."""

    @field_validator("database_url")
    @classmethod
    def _known_database(cls, url: str) -> str:
        if url and not url.startswith(("sqlite:///", "postgresql+psycopg://", "postgresql://")):
            raise ValueError("use sqlite:///PATH or postgresql+psycopg://USER@HOST/NAME")
        return re.sub("^postgresql://", "postgresql+psycopg://", url)

    @field_validator("tool_limits", mode="before")
    @classmethod
    def _limits_in_json(cls, given: object) -> object:
        return ToolLimits.model_validate_json(given) if isinstance(given, str) else given

    @field_validator("prices", mode="before")
    @classmethod
    def _prices_by_model(cls, given: object) -> object:
        if not isinstance(given, str):
            return given
        matches = [_PRICE.fullmatch(part) for part in given.split(",") if part.strip()]
        if not all(matches):
            raise ValueError("write MODEL=3/15, US dollars for a million tokens sent and received")
        return {match["model"]: (match["sent"], match["received"]) for match in matches if match}

    @field_validator("public_url")
    @classmethod
    def _a_plain_address(cls, url: str) -> str:
        parts = urlsplit(url)
        if url and (parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/")):
            raise ValueError("use https://HOST or http://HOST:PORT, without a path")
        return url.rstrip("/")

    @model_validator(mode="after")
    def _sign_in_is_whole(self) -> Self:
        given = {name for name in (*SIGN_IN, "public_url") if getattr(self, name)}
        if given <= {"public_url"} and not self.entry.lets_somebody_in:
            return self
        if missing := [PREFIX + name.upper() for name in (*SIGN_IN, "public_url") if name not in given]:
            raise ValueError(
                f"sign-in is set up in part; set {', '.join(missing)} as well, or none of COMPARATOR_OIDC_*"
            )
        if len(self.oidc_cookie_secret) < SHORTEST_SECRET:
            raise ValueError(
                f"COMPARATOR_OIDC_COOKIE_SECRET needs at least {SHORTEST_SECRET} random characters"
            )
        if not self.entry.lets_somebody_in:
            raise ValueError(
                "sign-in is set up, but nobody has a role. Set COMPARATOR_OIDC_ROLE_CLAIM or COMPARATOR_OIDC_ADMINS"
            )
        if unusable := self.entry.unusable:
            raise ValueError(
                f"{unusable[0]!r} in a list of COMPARATOR_OIDC_… is not an address; "
                f"write a subject as sub:{unusable[0]}"
            )
        return self

    @property
    def signs_in(self) -> bool:
        """Whether people sign in; else everyone who reaches the app is the one local person."""
        return bool(self.oidc_metadata_url)

    @property
    def entry(self) -> EntryRules:
        """Who comes in by sign-in, and with which roles."""
        given = {
            Role.ADMIN: self.oidc_admins,
            Role.LEAD: self.oidc_leads,
            Role.REVIEWER: self.oidc_reviewers,
            Role.VIEWER: self.oidc_viewers,
        }
        lists = {role: tuple(text.replace(",", " ").split()) for role, text in given.items()}
        return EntryRules(claim=self.oidc_role_claim, lists=lists)

    @property
    def database(self) -> str:
        """The database's address, with the default filled in."""
        return self.database_url or f"sqlite:///{self.home / 'comparator.db'}"

    @property
    def blobs(self) -> str:
        """The address of the blobs, with the default filled in."""
        return self.blob_url or (self.home / "blobs").as_uri()

    @classmethod
    def load(cls, environment: MutableMapping[str, str]) -> Self:
        """The settings by the environment, then by `.env` in the home folder. Raises SettingsError in one line.

        What is read is put into the environment, unless it is set there already: a provider's own library reads its key
        from there. No other file is read: a folder that is judged may bring one of this name.
        """
        named = environment.get(f"{PREFIX}HOME")
        home = Path(named).expanduser() if named else user_data_path("blind-comparator", appauthor=False)
        for name, value in _values(home / ".env").items():
            if name.upper().startswith(FROM_FILE):
                environment.setdefault(name, value)
        ours = {name.upper(): value for name, value in environment.items() if name.upper().startswith(PREFIX)}
        ours[f"{PREFIX}HOME"] = str(home)
        _refuse_unknown(ours)
        try:
            return cls.model_validate({n.removeprefix(PREFIX).lower(): value for n, value in ours.items()})
        except ValidationError as error:
            place, reason = first_problem(error)
            if not place:
                raise SettingsError(f"The settings do not fit together: {reason}.") from None
            raise SettingsError(f"{PREFIX}{place.split('.')[0].upper()} is wrong: {reason}.") from None


def ignored_in(folder: Path) -> tuple[str, ...]:
    """The settings and keys that a file `.env` in this folder would set if it were read."""
    names = dict.fromkeys(_NAME.findall(_foreign(folder)))
    return tuple(name for name in names if name.upper().startswith(FROM_FILE))


def take_judge_keys(folder: Path, environment: MutableMapping[str, str]) -> None:
    """Put keys of the judge from this folder's `.env` into the environment, unless they are set there already."""
    values = dotenv_values(stream=io.StringIO(_foreign(folder)), interpolate=False)
    for name in JUDGE_KEYS:
        if value := values.get(name):
            environment.setdefault(name, value)


def _foreign(folder: Path) -> str:
    file = folder / ".env"
    if not file.is_file():
        return ""
    try:
        with file.open(encoding="utf-8", errors="replace") as lines:
            return lines.read(LONGEST_FOREIGN)
    except OSError:
        return ""


def _values(file: Path) -> dict[str, str]:
    try:
        return {name: value for name, value in dotenv_values(file).items() if value is not None}
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file} cannot be read ({type(error).__name__}). Fix or remove it.") from error


def without_secrets(url: str) -> str:
    """An address as it may be shown: without name, password and query.

    >>> without_secrets("postgresql://me:secret@host/db?password=secret")
    'postgresql://host/db'
    """
    scheme, separator, rest = url.partition("://")
    if not separator:
        return url
    return f"{scheme}{separator}{rest.partition('?')[0].rpartition('@')[2]}"


def _refuse_unknown(names: Iterable[str]) -> None:
    known = {PREFIX + name.upper() for name in Settings.model_fields}
    for name in sorted(names):
        if name not in known:
            raise SettingsError(f"{name} is not a setting. Known: {', '.join(sorted(known))}.")
