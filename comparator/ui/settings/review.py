"""The settings of a project that say how its pairs are reviewed, and what is asked about who made which."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from comparator.domain.project import GuessChoice, ProjectSettings, ReviewMode
from comparator.reporting.history.neutral import numbers
from comparator.ui.frame import safe, session
from comparator.ui.frame.inputs.choices import ask_what_first

MOST_CANDIDATES = 40


def ways(settings: ProjectSettings, key: str) -> Mapping[str, Any]:
    """What comes first in a review, and which kinds of reasons there are."""
    blind = ask_what_first(
        blind=settings.mode.blind, key=f"settings_blind_{key}", label="What a reviewer sees first"
    )
    prefers = st.toggle(
        "Ask one question first: which output is better, and why; the criteria are optional",
        value=settings.mode.prefers,
        key=f"settings_prefers_{key}",
    )
    codes = st.text_area(
        "Kinds of reasons, one per line; the first nine have a digit each",
        value="\n".join(settings.reason_codes),
        key=f"settings_codes_{key}",
        height=150,
        max_chars=1000,
    )
    lines = tuple(dict.fromkeys(" ".join(line.split())[:60] for line in codes.splitlines() if line.strip()))
    return {"mode": ReviewMode.of(blind=blind, prefers=prefers), "reason_codes": lines}


def asked(settings: ProjectSettings, key: str) -> Mapping[str, Any]:
    """In how many pairs reviewers are asked who made which output, and what they are told of the candidates."""
    share = st.number_input(
        "Share of pairs (%) in which reviewers guess who made which output, before the reveal",
        min_value=0,
        max_value=100,
        step=5,
        value=round(settings.ask_guess_share * 100),
        key=f"settings_guess_{key}",
        width=460,
    )
    with st.popover("Which number is which candidate", icon=":material/visibility:"):
        st.caption("Look only if you do not review in this project. It does not say which is A or B.")
        for number, name in numbers(session.services().database, key)[:MOST_CANDIDATES]:
            safe.write(safe.text(f"{number}: {name}"))
    texts = st.text_area(
        ("What reviewers see of the candidates when they guess, one line each, such as “1: with the guide”"),
        value="\n".join(f"{choice.number}: {choice.text}" for choice in settings.guess_choices),
        key=f"settings_guess_texts_{key}",
        height=100,
        max_chars=1000,
        help="The number is the candidate's neutral number. Without lines, reviewers are asked only "
        "whether anything revealed the candidates.",
    )
    return {"ask_guess_share": share / 100, "guess_choices": tuple(_choices(texts))}


def _choices(texts: str) -> list[GuessChoice]:
    found: dict[int, GuessChoice] = {}
    for line in texts.splitlines():
        number, colon, text = line.partition(":")
        if colon and number.strip().isdecimal() and int(number) > 0 and text.strip():
            found.setdefault(int(number), GuessChoice(number=int(number), text=text.strip()[:200]))
    return list(found.values())
