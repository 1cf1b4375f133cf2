"""What the judge looked at: each file with how much of it was seen, and each call of a tool."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pandas as pd
import streamlit as st
from pydantic import JsonValue

from comparator.domain.labels import Order
from comparator.domain.pair.examination import ToolCall
from comparator.ui.frame import safe, session, words
from comparator.workflow.review.sheet import ReadingWithTools, Sheet, readings_with_tools

PLACES = {"A": "A", "B": "B", "input": "Input file", "reference": "Reference"}
ORDERS = {Order.A_FIRST: "A first", Order.B_FIRST: "B first"}
_LONGEST_ARGUMENTS = 300


def what_the_judge_looked_at(sheet: Sheet) -> None:
    """An expander with the record of the judge's tools; nothing where it used none."""
    examined = sheet.judgment.examined if sheet.judgment else None
    if examined is None:
        return
    with st.expander(safe.text(f"What the judge looked at ({words.counted(examined.calls, 'call')})")):
        if examined.uneven:
            st.warning(
                "The judge looked at much more of one output than of the other.", icon=":material/balance:"
            )
        if examined.stopped:
            st.warning(safe.text(f"It reached a limit before its verdict: {examined.stopped}."))
        readings = readings_with_tools(session.services(), sheet.comparison_id)
        if not readings:
            return
        st.dataframe(_files(readings), key="looked_at_files", hide_index=True)
        for number, reading in enumerate(readings):
            st.caption(safe.text(_caption(reading)))
            if reading.looked_at.calls:
                calls = [_call(at, call) for at, call in enumerate(reading.looked_at.calls, 1)]
                st.dataframe(
                    pd.DataFrame(calls),
                    key=f"looked_at_calls_{number}",
                    hide_index=True,
                    column_config={
                        "Bytes": st.column_config.NumberColumn(format="localized"),
                        "Seconds": st.column_config.NumberColumn(format="%.3f"),
                    },
                )


def _name(reading: ReadingWithTools) -> str:
    again = f", reading {reading.repetition + 1}" if reading.repetition else ""
    return f"{ORDERS[reading.order]}{again}{', failed' if reading.problem else ''}"


def _caption(reading: ReadingWithTools) -> str:
    sentence = (
        f"{_name(reading)}: {words.counted(len(reading.looked_at.calls), 'call')}, "
        f"{words.counted(reading.requests, 'request')}, {reading.tokens:,} tokens"
    )
    if reading.tokens:
        sentence += f", {reading.cached_tokens / reading.tokens:.0%} of them from a cache"
    return f"{sentence}. {reading.problem}" if reading.problem else f"{sentence}."


def _files(readings: tuple[ReadingWithTools, ...]) -> pd.DataFrame:
    """A row for each file, a column for each reading: given wholly, seen in part, or never."""
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for number, reading in enumerate(readings, 1):
        for file in reading.looked_at.files:
            row = rows.setdefault((file.place, file.file), {"Of": PLACES[file.place], "File": file.file})
            calls = f", {words.counted(file.calls, 'call')}" if file.calls else ""
            row[f"{number}. {_name(reading)}"] = f"{file.extent.value}{calls}"
    return pd.DataFrame(list(rows.values()))


def _call(number: int, call: ToolCall) -> dict[str, object]:
    return {
        "No.": number,
        "Tool": call.tool,
        "Asked for": safe.cut(_asked_for(call.arguments), _LONGEST_ARGUMENTS),
        "Bytes": call.size,
        "Seconds": round(call.seconds, 3),
        "Result": "refused: limit" if call.refused else "not possible" if call.problem else "answered",
        "sha256": call.digest[:12],
    }


def _asked_for(arguments: Mapping[str, JsonValue]) -> str:
    """The arguments of a call: the side and the file first, then what is looked for.

    >>> _asked_for({"file": "plan.md", "first": 300, "side": "A"})
    'A: plan.md, first 300'
    >>> _asked_for({"most": 5, "pattern": True, "text": "^Total"})
    'text “^Total”, most 5, pattern true'
    """
    rest = dict(sorted(arguments.items(), key=lambda each: each[0] != "text"))
    where = [str(rest.pop(name)) for name in ("side", "file") if isinstance(rest.get(name), str)]
    more = [
        f"{name} “{value}”" if isinstance(value, str) else f"{name} {json.dumps(value, ensure_ascii=False)}"
        for name, value in rest.items()
    ]
    return ", ".join([": ".join(where), *more] if where else more) or "–"
