"""What a text names letter by letter, such as files and quoted words, and whether an output has it."""

from __future__ import annotations

import re
from typing import NamedTuple

from comparator.domain.pair.view import OutputView
from comparator.domain.scoring.judgment import Quote
from comparator.judges.offline.finding import CheckInput, CheckResult, finding
from comparator.judges.quotes import QuoteIndex

_EXTENSIONS = (
    "csv tsv json jsonl md txt py js ts tsx jsx html htm css xml yaml yml toml xlsx docx pptx pdf svg png jpg jpeg gif "
    "ipynb sql sh rs go java c h cpp rb php ini cfg log parquet zip"
)
_NAMED = re.compile(
    r"`(?P<code>[^`\n]{1,80})`"
    r"|[\"“](?P<quoted>[^\"”“\n]{1,120})[\"”]"
    rf"|(?P<file>\b[\w-]{{1,80}}(?:/[\w.-]{{1,80}}){{0,10}}\.(?:{'|'.join(_EXTENSIONS.split())})\b)"
)
_IS_FILE = re.compile(rf"^[\w./-]{{1,200}}\.(?:{'|'.join(_EXTENSIONS.split())})$")
MOST_NAMED = 60


class Mention(NamedTuple):
    """Something that can be looked up letter by letter."""

    text: str
    is_file: bool


def named_in(text: str) -> tuple[Mention, ...]:
    """Files, coded and quoted passages that a text names, each once, in order."""
    found: dict[Mention, None] = {}
    for match in _NAMED.finditer(text):
        passage = next(group for group in match.groups() if group is not None).strip().rstrip(".,;")
        if passage:
            found[Mention(passage, bool(_IS_FILE.match(passage)))] = None
        if len(found) >= MOST_NAMED:
            break
    return tuple(found)


def named_parts(seen: CheckInput) -> CheckResult | None:
    """Whether what the prompt names is in the output, input files apart; if it names nothing, whether anything is."""
    wanted = [one for one in named_in(seen.task.prompt) if not _among(one, seen.inputs)]
    if not seen.view.files:
        return finding(
            max(1, len(wanted)), ["There is no file in this output."] * max(1, len(wanted)), praise=""
        )
    if not wanted:
        return finding(
            1, [], praise="The task names no file and quotes no words; there is an output to look at."
        )
    index = QuoteIndex(seen.view)
    faults, quotes = list[str](), list[Quote]()
    for one in wanted:
        if _among(one, frozenset(file.name for file in seen.view.files)):
            continue
        quote = index.find("", one.text)
        if quote.found:
            quotes.append(quote)
        elif one.is_file:
            faults.append(f"The file {one.text}, which the task names, is missing.")
        else:
            faults.append(f"“{one.text}”, which the task names, does not occur.")
    return finding(len(wanted), faults, praise="Everything that the task names is there.", quotes=quotes)


def hint(expectation: str, view: OutputView) -> str:
    """Which of the words that an expectation quotes stand in the output; empty where it quotes none.

    A hint for who decides; it says nothing of whether the expectation is met.
    """
    wanted = named_in(expectation)
    if not wanted:
        return ""
    names = frozenset(file.name for file in view.files)
    index = QuoteIndex(view)
    there = [one.text for one in wanted if _among(one, names) or index.find("", one.text).found]
    missing = [one.text for one in wanted if one.text not in there]
    parts = ((there, "found in this output"), (missing, "not found"))
    hints = "; ".join(f"{', '.join(f'“{text}”' for text in texts)} {what}" for texts, what in parts if texts)
    return f"Not assessed. A hint only: {hints}."


def _among(one: Mention, names: frozenset[str]) -> bool:
    return one.is_file and any(name == one.text or name.endswith(f"/{one.text}") for name in names)
