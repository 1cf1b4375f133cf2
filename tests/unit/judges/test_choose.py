"""Which judge is chosen."""

import pytest

from comparator.domain.errors import SettingsError
from comparator.judges.choose import choose_judge
from comparator.judges.model.sender import AnthropicOptions, Provider

OPTIONS = AnthropicOptions()


def test_auto_is_offline_where_nothing_is_configured() -> None:
    assert choose_judge("auto", options=OPTIONS, environment={}).identity.kind == "offline"
    assert (
        choose_judge("auto", options=OPTIONS, environment={"ANTHROPIC_API_KEY": ""}).identity.kind
        == "offline"
    )


@pytest.mark.parametrize(
    "environment",
    [
        {"ANTHROPIC_API_KEY": "k"},
        {"ANTHROPIC_AUTH_TOKEN": "t"},
        {"ANTHROPIC_BASE_URL": "http://127.0.0.1:1"},
        {"COMPARATOR_PROVIDER": "bedrock"},
        {"COMPARATOR_PROVIDER": "vertex"},
        {"COMPARATOR_PROVIDER": "foundry"},
    ],
)
def test_auto_is_anthropic_where_a_key_a_server_or_a_provider_is_configured(
    environment: dict[str, str],
) -> None:
    assert choose_judge("auto", options=OPTIONS, environment=environment).identity.kind == "anthropic"


def test_anthropic_without_a_key_says_what_to_set() -> None:
    with pytest.raises(SettingsError, match="ANTHROPIC_API_KEY"):
        choose_judge("anthropic", options=OPTIONS, environment={})


def test_the_digest_changes_with_model_server_and_provider_and_not_with_patience() -> None:
    def digest(**values: object) -> str:
        options = AnthropicOptions.model_validate(values)
        return choose_judge(
            "anthropic", options=options, environment={"ANTHROPIC_API_KEY": "k"}
        ).identity.digest

    usual = digest()
    assert digest(timeout=5, retries=0, max_tokens=999) == usual
    assert digest(base_url="http://user:secret@127.0.0.1:8000/x") == digest(
        base_url="http://127.0.0.1:8000/x"
    )
    others = {
        digest(model="claude-opus-5-5"),
        digest(base_url="http://127.0.0.1:8000"),
        digest(provider=Provider.BEDROCK),
    }
    assert len(others | {usual}) == 4
