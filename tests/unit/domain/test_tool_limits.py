"""The limits of a reading with tools come from one setting, and a wrong one is one clear line."""

from __future__ import annotations

from decimal import Decimal

import pytest

from comparator.bootstrap import load_settings
from comparator.domain.errors import SettingsError
from comparator.domain.pair.examination import EXAMPLE, ToolLimits
from comparator.domain.scoring.judgment import Tools


def test_the_setting_names_calls_bytes_tokens_seconds_and_money(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPARATOR_TOOL_LIMITS", EXAMPLE)

    limits = load_settings().tool_limits

    assert limits == ToolLimits(
        calls=40, bytes=2_000_000, tokens=200_000, seconds=300.0, money=Decimal("1.00")
    )


@pytest.mark.parametrize(
    ("given", "tools"), [(None, Tools.AUTO), ("always", Tools.ALWAYS), ("never", Tools.NEVER)]
)
def test_the_setting_says_whether_tools_are_used(
    given: str | None, tools: Tools, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COMPARATOR_TOOLS", raising=False)
    if given is not None:
        monkeypatch.setenv("COMPARATOR_TOOLS", given)

    assert load_settings().tools is tools


def test_another_word_for_tools_is_refused_with_those_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPARATOR_TOOLS", "sometimes")

    with pytest.raises(SettingsError, match="COMPARATOR_TOOLS"):
        load_settings()


def test_without_the_setting_a_reading_is_limited_in_money_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMPARATOR_TOOL_LIMITS", raising=False)

    assert load_settings().tool_limits.money == Decimal("2.00")


def test_what_the_setting_leaves_out_keeps_its_default() -> None:
    assert ToolLimits.parse(" calls = 3 , money=none ") == ToolLimits(calls=3, money=None)


def test_limits_are_written_as_they_are_read() -> None:
    for limits in (ToolLimits(), ToolLimits(calls=3, money=None), ToolLimits(seconds=0.5)):
        assert ToolLimits.parse(str(limits)) == limits


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("calls=0", "calls is '0'; write a whole number from 1 on"),
        ("tokens=many", "tokens is 'many'; write a whole number from 1 on"),
        ("seconds=-1", "seconds is '-1'; write a number above 0"),
        ("money=nan", "money is 'nan'; write a number above 0, or none"),
        ("money=0", "money is '0'; write a number above 0, or none"),
        ("steps=3", "'steps=3' is not a limit; write calls=40"),
        ("calls", "'calls' is not a limit; write calls=40"),
        ("calls=1,calls=2", "calls is given twice"),
    ],
)
def test_a_wrong_limit_is_one_line_that_names_the_setting_and_the_value(
    text: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPARATOR_TOOL_LIMITS", text)

    with pytest.raises(SettingsError) as caught:
        load_settings()

    assert str(caught.value).startswith(f"COMPARATOR_TOOL_LIMITS is wrong: {says}")
    assert "\n" not in str(caught.value)
