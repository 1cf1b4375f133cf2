"""Which judge is chosen, judges by name from a file, and what their requests cost."""

import re
from decimal import Decimal
from pathlib import Path

import pytest

from comparator.bootstrap import load_settings
from comparator.domain.errors import SettingsError
from comparator.domain.scoring.judgment import Tools
from comparator.domain.usage import Call, Usage
from comparator.judges import prices
from comparator.judges.choose import NamedJudge, choose_judge, read_judges
from comparator.judges.model.sender import AnthropicOptions, Provider
from comparator.judges.prices import cost_of, cost_of_calls, price_list, price_of

OPTIONS = AnthropicOptions()


def test_auto_is_anthropic_where_that_is_configured() -> None:
    for environment, kind in (
        ({}, "offline"),
        ({"ANTHROPIC_API_KEY": ""}, "offline"),
        ({"ANTHROPIC_API_KEY": "k"}, "anthropic"),
        ({"ANTHROPIC_AUTH_TOKEN": "t"}, "anthropic"),
        ({"ANTHROPIC_BASE_URL": "http://127.0.0.1:1"}, "anthropic"),
        *(({"COMPARATOR_PROVIDER": name}, "anthropic") for name in ("bedrock", "vertex", "foundry")),
    ):
        assert choose_judge("auto", options=OPTIONS, environment=environment).identity.kind == kind
        with pytest.raises(SettingsError, match="ANTHROPIC_API_KEY"):
            choose_judge("anthropic", options=OPTIONS, environment={})


def test_the_digest_changes_with_model_server_and_provider_and_not_with_patience() -> None:
    def digest(**values: object) -> str:
        options = AnthropicOptions.model_validate(values)
        return choose_judge(
            "anthropic", options=options, environment={"ANTHROPIC_API_KEY": "k"}
        ).identity.digest

    server = "http://127.0.0.1:8000"
    others = {digest(model="claude-opus-5-5"), digest(base_url=server), digest(provider=Provider.BEDROCK)}
    assert len(others | {digest()}) == 4
    assert digest(timeout=5, retries=0, max_tokens=999) == digest()
    assert digest(base_url="http://user:secret@127.0.0.1:8000") == digest(base_url=server)


GOOD = """
[judges.strong]
model = "claude-opus-5-5"
repetitions = 3

[judges."on site"]
model = "qwen"
server = "http://10.0.0.5:8080"
key = "SITE_KEY"
tools = "never"
"""


def test_judges_are_read_by_name(tmp_path: Path) -> None:
    path = tmp_path / "judges.toml"
    path.write_text(GOOD, encoding="utf-8")

    judges = read_judges(path)

    assert list(judges) == ["strong", "on site"]
    assert (judges["strong"].repetitions, judges["strong"].server) == (3, None)
    site = judges["on site"]
    assert (site.tools, site.options().base_url) == (Tools.NEVER, "http://10.0.0.5:8080")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "one table"),
        ("[judges]", "one table"),
        ('[judges.x]\nmodel = ""', "x.model is wrong"),
        ('[judges.x]\nmodel = "m"\ncolour = "red"', "x.colour is wrong"),
        ('[judges.x]\nmodel = "m"\nkey = "sk-ant-12345678"', "x.key is wrong"),
        ('[judges.x]\nmodel = "m"\nserver = "file:///etc"', "x.server is wrong"),
        ('[judges.x]\nmodel = "m"\nrepetitions = 0', "x.repetitions"),
        ("[judges.x", "cannot be read"),
        ('[judges."../x"]\nmodel = "m"', "../x.[key] is wrong"),
        ('name = "x"\n[judges.x]\nmodel = "m"', "nothing else"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "judges.toml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(SettingsError, match=re.escape(message)):
        read_judges(path)


def test_a_key_goes_to_its_own_server_only() -> None:
    given = {
        "ANTHROPIC_API_KEY": "usual",
        "ANTHROPIC_AUTH_TOKEN": "t",
        "SITE_KEY": "of-the-site",
        "HOME": "/h",
    }
    plain = NamedJudge(model="m")
    site = NamedJudge(model="m", server="http://10.0.0.5", key="SITE_KEY")
    open_ = NamedJudge(model="m", server="http://10.0.0.5")

    assert plain.environment(given) == given
    assert site.environment(given)["ANTHROPIC_API_KEY"] == "of-the-site"
    assert "ANTHROPIC_AUTH_TOKEN" not in site.environment(given)
    assert not {"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"} & open_.environment(given).keys()
    with pytest.raises(SettingsError, match="SITE_KEY, which is not set"):
        site.environment({"ANTHROPIC_API_KEY": "usual"})


MILLION = 1_000_000


def test_a_request_costs_its_tokens_at_their_own_rates() -> None:
    price = price_of("claude-sonnet-5-5")
    assert price is not None
    counted = dict.fromkeys(
        ("input_tokens", "output_tokens", "cached_tokens", "cache_written_tokens"), MILLION
    )
    cost = cost_of("claude-sonnet-5-5", Usage(**counted))
    assert cost == price.input + price.output + price.cache_read + price.cache_write
    for unknown in ("offline-baseline-1", "local-model", "", "anthropic.claude-sonnet-5-5"):
        assert cost_of(unknown, Usage(input_tokens=MILLION)) is None
    assert cost_of("claude-sonnet-5-5", Usage(input_tokens=1000, output_tokens=100)) == Decimal("0.003")


def test_a_long_prompt_is_charged_at_the_long_rate_in_full() -> None:
    short = cost_of("claude-haiku-5-5", Usage(input_tokens=100_000, output_tokens=1000))
    long = cost_of("claude-haiku-5-5", Usage(input_tokens=50_000, cached_tokens=50_001, output_tokens=1000))
    assert short == Decimal("0.0105")
    assert long == (50_000 * Decimal("0.50") + 50_001 * Decimal("0.05") + 1000 * Decimal("2.50")) / MILLION


def test_a_model_that_is_not_listed_costs_what_the_setting_says(monkeypatch: pytest.MonkeyPatch) -> None:
    usage = Usage(input_tokens=MILLION, cached_tokens=MILLION, output_tokens=MILLION)
    before, known = cost_of("claude-sonnet-5-5", usage), dict(price_list())
    monkeypatch.setattr(prices, "price_list", lambda: known)
    monkeypatch.setenv("COMPARATOR_PRICES", "my-model=3/15, ns/other=0.5/2, claude-sonnet-5-5=1/1")

    load_settings()

    assert cost_of("my-model", usage) == 3 + 3 + 15
    assert cost_of("ns/other", usage) == 3
    # What is published holds.
    assert cost_of("claude-sonnet-5-5", usage) == before


def test_requests_are_added_up_one_by_one_and_an_unknown_one_makes_the_sum_unknown() -> None:
    usage = Usage(input_tokens=1000, output_tokens=100)
    call = Call(model="claude-sonnet-5-5", usage=usage)
    refused = Call(model="local-model", problem="529")
    assert cost_of_calls((call, call, refused)) == Decimal("0.006")
    assert cost_of_calls((call, call.copy_with(batched=True))) == Decimal("0.0045")
    assert cost_of_calls((call, Call(model="local-model", usage=usage))) is None
    assert cost_of_calls(()) is None
    assert cost_of_calls((refused,)) is None
