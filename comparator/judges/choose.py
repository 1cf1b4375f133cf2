"""Which judge to use, from the settings and what the environment offers."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import Field, ValidationError

from comparator.domain.errors import SettingsError, first_problem
from comparator.domain.labels import Frozen
from comparator.domain.project import Guidance
from comparator.domain.scoring.judgment import Tools
from comparator.domain.scoring.repetitions import Repetitions
from comparator.judges.model.sender import AnthropicOptions, Provider
from comparator.judges.offline import OfflineJudge
from comparator.judges.protocol import Judge
from comparator.settings import JudgeKind

if TYPE_CHECKING:
    from comparator.judges.model.direct_sender import DirectSender
    from comparator.judges.model.sender import Sender


Through = Callable[["DirectSender"], "Sender"]

KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
BASE_URL = "ANTHROPIC_BASE_URL"
PROVIDER = "COMPARATOR_PROVIDER"


def choose_judge(
    kind: JudgeKind,
    *,
    options: AnthropicOptions,
    environment: Mapping[str, str],
    through: Through | None = None,
    guidance: Guidance | None = None,
) -> Judge:
    """The judge of this kind; `auto` is anthropic where a key, a base URL or a cloud provider is set, else offline.

    `through` puts another sender before the direct one; `guidance` is the project's, which the offline check ignores.

    Raises SettingsError where anthropic is asked for and nothing says how to reach it.
    """
    options = with_environment(options, environment)
    configured = is_configured(options, environment)
    if kind == "anthropic" and not configured:
        raise SettingsError(
            "The Anthropic judge is asked for, but no key is set. Set ANTHROPIC_API_KEY (or "
            "ANTHROPIC_AUTH_TOKEN, ANTHROPIC_BASE_URL, COMPARATOR_PROVIDER), or choose the offline check."
        )
    if kind == "offline" or not configured:
        return OfflineJudge()
    # The SDK takes a second to import; whoever judges offline does not wait for it.
    from comparator.judges.model.judge import AnthropicJudge

    return AnthropicJudge(options, environment=environment, through=through, guidance=guidance)


def is_configured(options: AnthropicOptions, environment: Mapping[str, str]) -> bool:
    """Whether there is a way to reach a model: a key, a token, another server, or a cloud provider."""
    return (
        any(environment.get(name) for name in KEYS)
        or options.base_url is not None
        or options.provider is not Provider.API
    )


def with_environment(options: AnthropicOptions, environment: Mapping[str, str]) -> AnthropicOptions:
    """The options, with base URL and provider from the environment where they are not set.

    Raises SettingsError for a provider that does not exist.
    """
    if options.base_url is None and (base_url := environment.get(BASE_URL)):
        options = options.copy_with(base_url=base_url)
    if options.provider is Provider.API and (name := environment.get(PROVIDER)):
        try:
            options = options.copy_with(provider=Provider(name.lower()))
        except ValueError as error:
            known = ", ".join(Provider)
            raise SettingsError(f"{PROVIDER} is {name[:40]!r}; it can be one of {known}.") from error
    return options


JudgeName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_. -]{0,59}$")]
MOST = 20


class NamedJudge(Frozen):
    """One judge that a project may ask; `key` names the variable with its key, never the key itself."""

    model: str = Field(min_length=1, max_length=200)
    server: str | None = Field(default=None, pattern=r"^https?://")
    key: str | None = Field(default=None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
    provider: Provider = Provider.API
    tools: Tools | None = None
    """None means as the project says."""
    repetitions: Repetitions | None = None
    """None means as COMPARATOR_REPETITIONS says."""

    def options(self) -> AnthropicOptions:
        """How it is reached."""
        return AnthropicOptions(model=self.model, base_url=self.server, provider=self.provider)

    def environment(self, variables: Mapping[str, str]) -> dict[str, str]:
        """The environment as this judge sees it: of the API's keys only its own.

        A server of its own never gets the key that is meant for another. Raises SettingsError where its key is missing.
        """
        if self.server is None and self.key is None:
            return dict(variables)
        visible = {name: value for name, value in variables.items() if name not in (*KEYS, BASE_URL)}
        if self.server is None and BASE_URL in variables:
            visible[BASE_URL] = variables[BASE_URL]
        if self.key is not None:
            if not variables.get(self.key):
                raise SettingsError(
                    f"The judge {self.model!r} takes its key from {self.key}, which is not set. Set it, or correct "
                    "the judge."
                )
            visible[KEYS[0]] = variables[self.key]
        return visible


class _JudgesFile(Frozen):
    """One table `[judges.NAME]` for each judge."""

    judges: dict[JudgeName, NamedJudge] = Field(min_length=1, max_length=MOST)


def read_judges(path: Path) -> dict[str, NamedJudge]:
    """The judges of a TOML file, by name. Raises SettingsError with what is wrong."""
    try:
        return _JudgesFile.model_validate(tomllib.loads(path.read_text(encoding="utf-8"))).judges
    except ValidationError as error:
        place, reason = first_problem(error)
        raise SettingsError(
            f"COMPARATOR_JUDGES: {place} is wrong: {reason}. {path} needs one table [judges.NAME] for each judge, 1 to "
            f"{MOST} of them, and nothing else."
        ) from None
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise SettingsError(f"COMPARATOR_JUDGES: {path} cannot be read: {why}.") from error
