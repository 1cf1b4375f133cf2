"""What the column types make of values on their way in and out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Dialect

from comparator.domain.usage import Call, Usage
from comparator.store.tables.base import Doc, Exact, SafeText, Utc, storable

DIALECTS: tuple[Dialect, ...] = (sqlite.dialect(), postgresql.dialect())  # type: ignore[no-untyped-call]


@given(st.text(st.characters(exclude_categories=())))
def test_storable_text_has_no_nul_and_can_be_encoded(text: str) -> None:
    stored = storable(text)

    assert "\x00" not in stored
    stored.encode("utf-8")
    assert len(stored) <= len(text)


@given(st.text(st.characters(codec="utf-8", exclude_characters="\x00")))
def test_other_text_is_stored_as_it_is(text: str) -> None:
    assert storable(text) == text


def test_a_nul_becomes_a_visible_sign() -> None:
    assert storable("a\x00b") == "a␀b"


def test_a_lone_surrogate_becomes_the_replacement_sign() -> None:
    assert storable("a\ud800b") == "a\ufffdb"


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda d: d.name)
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists))
def test_a_json_value_comes_back_as_it_was(dialect: Dialect, value: object) -> None:
    bound = Doc().process_bind_param(value, dialect)

    assert Doc().process_result_value(bound, dialect) == value


def test_a_json_value_keeps_the_order_of_its_keys() -> None:
    bound = Doc().process_bind_param({"b": 1, "a": 2}, DIALECTS[0])

    assert list(Doc().process_result_value(bound, DIALECTS[0])) == ["b", "a"]


@given(st.lists(st.text(st.characters(exclude_categories=()))))
def test_models_are_written_whatever_characters_they_hold(texts: list[str]) -> None:
    calls = tuple(Call(raw=text, usage=Usage(), model="m") for text in texts)

    bound = Doc().process_bind_param(calls, DIALECTS[0])

    raws = [storable(call.raw.replace("\x00", "NUL")) for call in calls]
    read = Doc().process_result_value(bound, DIALECTS[0])
    assert [call["raw"].replace("\x00", "NUL") for call in read] == raws
    assert [Call.model_validate(call).usage for call in read] == [Usage()] * len(calls)


def test_an_unknown_object_is_not_written_as_json() -> None:
    with pytest.raises(TypeError, match="no JSON form"):
        Doc().process_bind_param({"at": datetime(2026, 1, 1, tzinfo=UTC)}, DIALECTS[0])


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda d: d.name)
def test_a_naive_time_is_refused(dialect: Dialect) -> None:
    with pytest.raises(ValueError, match="no time zone"):
        Utc().process_bind_param(datetime(2026, 1, 1), dialect)  # noqa: DTZ001  # the point of the test


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda d: d.name)
def test_a_time_of_any_zone_comes_back_as_utc(dialect: Dialect) -> None:
    local = datetime(2026, 1, 1, 2, 30, tzinfo=timezone(timedelta(hours=5, minutes=30)))

    bound = Utc().process_bind_param(local, dialect)
    back = Utc().process_result_value(bound, dialect)

    assert back == local
    assert back is not None
    assert back.tzinfo is UTC


@given(st.decimals(min_value=-(10**5), max_value=10**5, places=12))
def test_an_amount_of_money_is_exact(amount: Decimal) -> None:
    kind = Exact(12)

    assert kind.process_result_value(kind.process_bind_param(amount, DIALECTS[0]), DIALECTS[0]) == amount


def test_a_score_with_too_many_places_is_refused_not_rounded() -> None:
    with pytest.raises(ValueError, match="more than 1 decimal place"):
        Exact(1).process_bind_param(Decimal("4.25"), DIALECTS[0])


def test_missing_values_stay_missing() -> None:
    for kind in (Doc(), Utc(), Exact(1), SafeText()):
        assert kind.process_bind_param(None, DIALECTS[0]) is None
    for kind in (Doc(), Utc(), Exact(1)):
        assert kind.process_result_value(None, DIALECTS[0]) is None
