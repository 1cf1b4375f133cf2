"""Which words are too common to tell anything, and how a name is written in its many ways."""

from __future__ import annotations

import re
from functools import lru_cache

_COMMON_WORDS = """
    about after agent agents again answer answers assistant base baseline based basic best better build
    candidate case chat check checks claude code complete comparison config content control create current
    custom data date default demo design doc docs document documents draft edit editor email example
    examples expert extract extractor fast file files final first fixed folder form format full generate
    generated generator good group guide help helper home html image images improved index info initial
    input inputs invoice item iteration iterations json language large last latest left library light line
    list local long main maker make manager mini model models name names new next none note notes old only
    open original other out outcome output outputs page part path plain plan planner prev previous pro
    process project prompt prompts quick raw read reader ready repo report reports result results review
    revised right run runs same sample samples script scripts second sheet short side simple single site
    size skill skills small source spec standard start step style summary system table task tasks team
    template temp test testing tests text that the their them this time title tool tools turbo type update
    updated upgrade upgrades user users usual value variant version view web website with without work
    working workspace write writer writing your
"""
COMMON = frozenset(_COMMON_WORDS.split())
"""Words that stand in honest outputs; a name made of nothing else is only sought in its joined forms."""

_WORDS = re.compile(r"[^\W\d_]+\d*|\d+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_TOKENS = re.compile(r"[^\W_]+|[-_/\\\s]+|.", re.DOTALL)
_ANY_SEPARATOR = r"[-_/\\\s\u00ad\u200b]{0,3}"
_JOINED_ONLY = r"[-_]?"


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name: `gkeUpgrade-planner_v2` gives gke, Upgrade, planner, v2."""
    return tuple(word for piece in _CAMEL.split(name) for word in _WORDS.findall(piece))


def is_common(name: str) -> bool:
    """Whether a name consists of common words and numbers only."""
    return all(word.casefold() in COMMON or word.isdigit() for word in words_of(name))


@lru_cache(maxsize=1024)
def expression_for(text: str) -> str:
    """A regular expression that finds a name in any case, with other separators or none, between word boundaries."""
    separator = _JOINED_ONLY if is_common(text) and not re.search(r"\s", text) else _ANY_SEPARATOR
    pieces: list[str] = []
    for token in _TOKENS.findall(text.strip("-_/\\ \t\r\n")):
        if re.fullmatch(r"[-_/\\\s]+", token):
            pieces.append(_ANY_SEPARATOR if "/" in token or "\\" in token else separator)
        elif re.fullmatch(r"[^\W_]+", token):
            pieces.append(separator.join(re.escape(part) for part in _CAMEL.split(token)))
        else:
            pieces.append(re.escape(token))
    return rf"(?<![^\W_])(?:{''.join(pieces)})(?![^\W_])"


def first_word(text: str) -> str:
    """The first run of letters and digits, case-folded: a quick test whether a text can contain the name at all."""
    words = [part for token in re.findall(r"[^\W_]+", text) for part in _CAMEL.split(token)]
    return words[0].casefold() if words else ""
