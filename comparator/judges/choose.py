"""Which judge to use, from the settings and what the environment offers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from comparator.domain.errors import SettingsError
from comparator.domain.guidance import Guidance
from comparator.judges.model.options import AnthropicOptions, Provider
from comparator.judges.offline import OfflineJudge
from comparator.judges.protocol import Judge, JudgeIdentity
from comparator.settings import JudgeKind

if TYPE_CHECKING:
    from comparator.judges.model.direct import DirectSender
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
    if not _asks_a_model(kind, options, environment):
        return OfflineJudge()
    # The SDK takes a second to import; whoever judges offline does not wait for it.
    from comparator.judges.model.judge import AnthropicJudge

    return AnthropicJudge(options, environment=environment, through=through, guidance=guidance)


def identity_of_choice(
    kind: JudgeKind,
    *,
    options: AnthropicOptions,
    environment: Mapping[str, str],
    guidance: Guidance | None = None,
) -> JudgeIdentity:
    """Which judge `choose_judge` gives for these. Raises SettingsError as it does."""
    options = with_environment(options, environment)
    if not _asks_a_model(kind, options, environment):
        return OfflineJudge.identity
    from comparator.judges.model.judge import identity_of

    return identity_of(options, guidance)


def _asks_a_model(kind: JudgeKind, options: AnthropicOptions, environment: Mapping[str, str]) -> bool:
    configured = is_configured(options, environment)
    if kind == "anthropic" and not configured:
        raise SettingsError(
            "The Anthropic judge is asked for, but no key is set. Set ANTHROPIC_API_KEY (or "
            "ANTHROPIC_AUTH_TOKEN, ANTHROPIC_BASE_URL, COMPARATOR_PROVIDER), or choose the offline check."
        )
    return configured and kind != "offline"


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
        options = options.model_copy(update={"base_url": base_url})
    if options.provider is Provider.API and (name := environment.get(PROVIDER)):
        try:
            options = options.model_copy(update={"provider": Provider(name.lower())})
        except ValueError as error:
            known = ", ".join(Provider)
            raise SettingsError(f"{PROVIDER} is {name[:40]!r}; it can be one of {known}.") from error
    return options
