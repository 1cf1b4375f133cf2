"""Which words would tell who made an output: names in all their parts, files, paths, phrases about the run."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from comparator.domain.blinding.folding import automaton, fold
from comparator.domain.blinding.name_search import halves_of, is_common, tells_apart, words_of
from comparator.domain.labels import PerOutput

# A phrase is one of prose: beside these characters it is part of a path, an address, a key or an identifier.
# Letters of other scripts stand beside it without a blank.
_BEFORE = r"(?<![A-Za-z0-9_/\\.@#$&=-])"
_AFTER = r"(?![A-Za-z0-9_/\\=(]|[-.:@][A-Za-z0-9])"
_GAP = r"[\s*_`]{1,4}"
# From the beginning of a word only: from each of its letters, a word without end would take hours.
_QUOTED = rf"(?:[`\"“'][^`\"”'\n]{{1,60}}[`\"”']{_GAP}|(?<![\w.-])[\w.]+-[\w.-]+{_GAP})?"
_SKILL = rf"(?:(?:the|any|a|this|that|my){_GAP})?{_QUOTED}skills?"
_NOT_A_TALENT = (
    r"(?![\s-]*(?:sets?|levels?|matri\w+|trees?|gaps?|sections?|tests?|check|assessments?|tags?|lists?|in|at|of|for|or|"
    r"and|required|needed|points?|development)\b)"
)
_LOADED = (
    r"(?:load(?:ed|ing)?|read(?:ing)?|open(?:ed|ing)?|access(?:ed|ing)?|fetch(?:ed|ing)?|invok(?:e|ed|ing))"
)
_FAILED = (
    rf"(?:failed{_GAP}to|(?:could|can|did|was|were){_GAP}not|(?:could|ca|did)n['’]t|cannot|unable{_GAP}to|"
    rf"not{_GAP}able{_GAP}to)"
)


_KEYWORDS = ("skill", "baseline", "control", "eval", "grad", "agent", "assertion", "expectation", "스킬")
"""Each phrase has one of them."""
_AUTOMATON = automaton({word: word for word in _KEYWORDS})
_REACH = 400
"""Characters before and behind a keyword that a phrase with it takes at most."""


@lru_cache(maxsize=8)
def _keywords_in(text: str) -> dict[str, tuple[int, ...]]:
    """Where each keyword stands."""
    places: dict[str, list[int]] = {word: [] for word in _KEYWORDS}
    form = fold(text)
    for last, word in _AUTOMATON.iter(form.text):
        places[word].append(form.source(last, last + 1)[0])
    return {word: tuple(at) for word, at in places.items()}


@lru_cache(maxsize=64)
def _parts_about(text: str, keywords: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """The parts of a text, from start to end, in which a phrase with one of the keywords may stand."""
    places = _keywords_in(text)
    parts: list[tuple[int, int]] = []
    for at in sorted(place for word in keywords for place in places[word]):
        if parts and at - _REACH <= parts[-1][1]:
            parts[-1] = (parts[-1][0], at + _REACH)
        else:
            parts.append((max(0, at - _REACH), at + _REACH))
    return tuple((begin, min(end, len(text))) for begin, end in parts)


class Phrase(NamedTuple):
    """A phrase about the run: its name in lists, what finds it, and what is put in its place; None: nothing can."""

    text: str
    found_by: re.Pattern[str]
    keywords: tuple[str, ...]
    neutral: str | None = None
    is_mention: bool = False
    """It may as well be about something else: it stays unless a person decides otherwise."""

    @property
    def is_outright(self) -> bool:
        """Whether it tells outright, so that no other words make it neutral."""
        return self.neutral is None

    def places(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Where it stands, from start to end, and the neutral words in the capitals of the place."""
        for begin, end in _parts_about(text, self.keywords):
            for match in self.found_by.finditer(text, begin, end):
                words = match.expand(self.neutral) if self.neutral is not None else match[0]
                yield (
                    match.start(),
                    match.end(),
                    words[:1].upper() + words[1:] if match[0][:1].isupper() else words,
                )


def _phrase(text: str, expression: str, neutral: str | None = None) -> Phrase:
    return Phrase(
        text,
        re.compile(_BEFORE + f"(?:{expression})" + _AFTER, re.IGNORECASE | re.MULTILINE),
        tuple(word for word in _KEYWORDS if word in expression),
        neutral,
    )


PHRASES = (
    # ---- what can be put neutrally
    _phrase("baseline run", rf"baseline(?:{_GAP}|-)(runs?|agents?|arm|condition)", r"\1"),
    _phrase("control run", rf"(?<!quality )control(?:{_GAP}|-)(run)", r"\1"),
    _phrase("eval run", rf"eval(?:uation)?(?:{_GAP}|-)(runs?|harness|session)", r"\1"),
    _phrase(
        "for grading purposes",
        rf"for{_GAP}(?:the{_GAP})?(?:grading|evaluation|eval|grader['’]s|grader){_GAP}(?:purposes?|reference)",
        "for reference",
    ),
    _phrase("subagent", r"sub-?agent(s?)", r"helper\1"),
    _phrase(
        "the named skill",
        rf"the{_GAP}(?:[`\"“][^`\"”\n]{{2,60}}[`\"”]|(?:[a-z0-9]+[-_])+(?![a-z]*ing\b)[a-z0-9]+){_GAP}skill"
        r"(?![\s-]*(?:sets?|levels?|trees?|gaps?)\b)",
        "the guide",
    ),
    _phrase(
        "baseline as the one who did it",
        rf"(?:the{_GAP})?baseline(?={_GAP}(?:used|produced|generated|wrote|chose|skipped|omitted|did{_GAP}not|didn['’]t|"
        r"lacks|lacked|missed|only[ ](?:has|used|gave)|verwendet|nutzt|hat[ ]|benutzt|utilise|a[ ]utilisé|usa[ ]|usó|"
        r"utilizó|ha[ ]usato)"
        r"|[ ]?(?:使用|采用|採用|用了|没有|沒有|未|输出|輸出|生成|产出|运行|運行|版本|"
        r"实现|选择|给出|は|が|では|の出力|의|은|는|에서))",
        "the output",
    ),
    _phrase(
        "the skill",
        rf"the{_GAP}skill(?![\s-]*(?:sets?|levels?|matri\w+|trees?|gaps?|sections?)\b)",
        "the guide",
    )._replace(is_mention=True),
    # ---- what tells outright
    _phrase(
        "failed to read the skill",
        rf"{_FAILED}{_GAP}(?:be{_GAP})?(?:{_LOADED}|find|locate){_GAP}{_SKILL}{_NOT_A_TALENT}"
        rf"|{_SKILL}{_GAP}(?:files?{_GAP}|instructions{_GAP})?(?:was|were|is|are|could|did|failed){_GAP}(?:to{_GAP}|not{_GAP})"
        rf"(?:be{_GAP})?(?:{_LOADED}|found|available|exist)"
        rf"|no{_GAP}skills?{_GAP}(?:file{_GAP})?(?:(?:was|were|is){_GAP})?(?:{_LOADED}|available|provided|found)",
    ),
    _phrase(
        "the skill told me",
        rf"(?:the|this|my){_GAP}{_QUOTED}skill(?:['’]s{_GAP}instructions|{_GAP}file)?"
        rf"{_GAP}(?:told|tells|instructed|instructs|tell|instruct|asked|asks|directed|directs|guided|wants|wanted|said|says){_GAP}"
        rf"(?:me|us|to|that{_GAP}I)",
    ),
    _phrase(
        "without any skill",
        rf"without{_GAP}(?:using{_GAP}|loading{_GAP}|access{_GAP}to{_GAP})?(?:any|the|a){_GAP}"
        rf"(?:skill{_NOT_A_TALENT}|skills{_GAP}(?:loaded|enabled|installed|available))",
    ),
    _phrase(
        "with the skill loaded",
        rf"with{_GAP}(?:the|a|this){_GAP}(?:[\w.`-]+{_GAP})?skill{_GAP}(?:loaded|enabled|installed|active|available)"
        rf"|(?:per|following|followed|according{_GAP}to|as{_GAP}instructed{_GAP}by){_GAP}(?:the|this){_GAP}skill(?:['’]s{_GAP}\w+)?"
        rf"{_NOT_A_TALENT}",
    ),
    _phrase(
        "grader's notes",
        r"(?m:^)[ \t>#*_-]*(?:graders?|grading|evaluator)(?:['’]?s)?[ -](?:notes?|comments?|feedback|verdict|summary)"
        r"(?=[ \t]*[:*_\n—–-]|[ \t]*(?-m:$))"
        r"|(?:assertions?|expectations?)[ ]#?\d+[ ]?(?:[:=—–-][ ]?)?(?:pass(?:ed|es)?|fail(?:ed|s)?|met|not[ ]met)",
    ),
    _phrase(
        "skill, in another language",
        r"(?:无法|没能|未能|不能|没有|未|無法)(?:读取|加载|找到|使用|访问|載入|讀取)[了到]?[ ]?[`\"“]?"
        r"(?:[\w.-]+[`\"”]?[ ])?skill"
        r"|skill[ ]?(?:文件|檔案)?[ ]?(?:无法|未能|没有|未|無法)(?:被)?(?:读取|加载|找到|使用|載入)"
        r"|skill[ ]?(?:告诉|要求|让|指示)我|没有[ ]?skill|不使用[ ]?skill"
        r"|skill[ ]?(?:ファイル)?[ ]?(?:を読み込め|が読み込め|なしで|に従)|스킬 없이|skill[ ]?없이"
        r"|ohne[ ](?:den|das|die|einen|jeden)?[ ]?skill"
        r"|(?:den|die|das)[ ]skill(?:-datei)?[ ]nicht[ ](?:lesen|laden|finden|öffnen)"
        r"|(?:der|das)[ ]skill[ ](?:sagt|sagte|verlangt|hat[ ]mir)"
        r"|sans[ ](?:la|le|aucun|aucune)[ ]skill"
        r"|(?:lire|charger)[ ](?:le|la)[ ](?:fichier[ ](?:de[ ])?)?(?:la[ ])?skill"
        r"|sin[ ](?:la|el|ninguna?)[ ]skill|(?:leer|cargar)[ ](?:el|la)[ ](?:archivo[ ](?:de[ ])?)?(?:la[ ])?skill",
    ),
)
BY_TEXT = {phrase.text: phrase for phrase in PHRASES}
"""The phrases by their names, which are the patterns of decisions on them."""

_FENCE = re.compile(r"^[ ]{0,3}(?:```|~~~).*?(?:^[ ]{0,3}(?:```|~~~)[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_NOT_PROSE = re.compile(r"`[^`\n]+`|://[^\s<>\"')\]]+|<[a-zA-Z/!][^<>]*>|\]\([^()\n]+(?=\))")
"""Each way begins with a sign: `re` passes quickly over all else."""
_SCHEME = re.compile(r"\b[a-zA-Z][a-zA-Z0-9+.-]*\Z")
_LONGEST_SCHEME = 40


class ProsePlaces:
    """Which places of a text are prose; all are but fenced and inline code, tags and addresses."""

    def __init__(self, text: str) -> None:
        fences = [match.span() for match in _FENCE.finditer(text)] if "```" in text or "~~~" in text else []
        inline = [_span(match) for match in _NOT_PROSE.finditer(text)]
        self._fence_starts, self._fence_ends = [span[0] for span in fences], [span[1] for span in fences]
        self._inline_starts, self._inline_ends = [span[0] for span in inline], [span[1] for span in inline]

    def holds(self, start: int, end: int) -> bool:
        """Whether the place is in prose: in no fence, and not part of inline code, a tag or an address."""
        # The spans of each kind are in order and apart.
        fence = bisect_right(self._fence_ends, start)
        if fence < len(self._fence_starts) and self._fence_starts[fence] < end:
            return False
        inline = bisect_right(self._inline_starts, start) - 1
        return inline < 0 or self._inline_ends[inline] < end


def _span(match: re.Match[str]) -> tuple[int, int]:
    start, end = match.span()
    if match[0].startswith("://"):
        scheme = _SCHEME.search(match.string, max(0, start - _LONGEST_SCHEME), start)
        start = scheme.start() if scheme else start
    return start, end


SHORTEST_PART = 4
SHORTEST_SPLIT = 6
SHORTEST_NAME = 3
MOST_ONE_SIDED = 200
"""How many file names of one configuration alone are looked for; a folder of thousands tells nothing by one of them."""


class LeakKind(StrEnum):
    """What a tell-tale text is."""

    CANDIDATE = "candidate name"
    MODEL = "in a model's name"
    SKILL_NAME = "skill name"
    SKILL_FILE = "skill file"
    PHRASE = "phrase about the run"
    MENTION = "mention of a skill"
    TELLING = "passage that tells outright"
    ASKED_FOR = "asked for"
    SOURCE_PATH = "source path"
    ONE_SIDED_NAME = "name in one configuration only"
    INSIDE = "short name inside a longer word"


class LeakPattern(NamedTuple):
    """A text to look for. `whole` is False for what is kept unless a person asks for its redaction."""

    text: str
    kind: LeakKind
    whole: bool = True


BUILT_IN = (
    LeakPattern("SKILL.md", LeakKind.SKILL_FILE),
    LeakPattern("with_skill", LeakKind.CANDIDATE),
    LeakPattern("without_skill", LeakKind.CANDIDATE),
    LeakPattern("old_skill", LeakKind.CANDIDATE),
    LeakPattern("new_skill", LeakKind.CANDIDATE),
)
"""What gives a side away whatever the candidates are called."""


PHRASE_PATTERNS = tuple(
    LeakPattern(
        phrase.text,
        LeakKind.MENTION
        if phrase.is_mention
        else LeakKind.TELLING
        if phrase.is_outright
        else LeakKind.PHRASE,
        whole=False,
    )
    for phrase in PHRASES
)
"""The phrases about the run, which are looked for whatever the patterns are."""


def asked_for(words: Iterable[str], *, beside: Iterable[LeakPattern]) -> tuple[LeakPattern, ...]:
    """What to look for as a person named it: those of the words that neither these patterns nor a phrase is."""
    known = {pattern.text for pattern in (*beside, *PHRASE_PATTERNS)}
    return tuple(LeakPattern(word, LeakKind.ASKED_FOR) for word in words if word not in known)


UNNAMED = ("First output", "Second output")
"""What candidates are called to which nobody gave a name: words that tell nothing."""


def patterns_for(
    candidate_names: Iterable[str],
    *,
    models: Iterable[str] = (),
    skill_names: Iterable[str] = (),
    source_paths: Iterable[str] = (),
    file_names: PerOutput[tuple[str, ...]] | None = None,
) -> tuple[LeakPattern, ...]:
    """What to look for, longest first; common words, parts under four letters and names under three are left out.

    `file_names` are those of each configuration, without folders; names that only one of them uses are listed.
    """
    patterns: list[LeakPattern] = []
    names = tuple(name for name in candidate_names if name not in UNNAMED)
    for name in names:
        patterns.extend(_of_name(name, LeakKind.CANDIDATE))
    patterns.extend(_telling_apart(names))
    for name in models:
        patterns.extend(_of_name(name, LeakKind.MODEL))
    for name in skill_names:
        patterns.extend(_of_name(name, LeakKind.SKILL_NAME))
    for path in source_paths:
        patterns.extend(_of_path(path))
    if file_names is not None:
        patterns.extend(_one_sided(file_names))
    unique: dict[str, LeakPattern] = {}
    # Those that are built in come first: a skill may be called the same, and names of skills that prompts use are kept.
    for pattern in (*BUILT_IN, *patterns):
        known = unique.setdefault(pattern.text.casefold(), pattern)
        if pattern.whole and not known.whole:
            unique[pattern.text.casefold()] = pattern
    return tuple(sorted(unique.values(), key=lambda p: (-len(p.text), p.text)))


def _of_name(name: str, kind: LeakKind) -> Iterator[LeakPattern]:
    name = name.strip()
    words = words_of(name)
    joined = len(words) > 1
    if len(name) >= SHORTEST_NAME and words and (joined or not is_common(name)):
        yield LeakPattern(name, kind)
    for word in words:
        letters = sum(character.isalpha() for character in word)
        if joined and letters >= SHORTEST_PART and not is_common(word):
            yield LeakPattern(word, kind, whole=False)
        if letters >= SHORTEST_SPLIT:
            yield from (LeakPattern("-".join(halves), kind, whole=not joined) for halves in halves_of(word))


def _telling_apart(names: Sequence[str]) -> Iterator[LeakPattern]:
    """The one part in which two names differ, however short: of `x-v31` and `x-v32` the versions."""
    for one, other in combinations(dict.fromkeys(names), 2):
        parts = words_of(one), words_of(other)
        if len(parts[0]) != len(parts[1]) or len(parts[0]) < 2:
            continue
        differing = [pair for pair in zip(*parts, strict=True) if pair[0].casefold() != pair[1].casefold()]
        if len(differing) == 1:
            for part in differing[0]:
                if len(part) > 1 and any(map(str.isalpha, part)) and tells_apart(part):
                    yield LeakPattern(part, LeakKind.CANDIDATE, whole=False)


def _of_path(path: str) -> Iterator[LeakPattern]:
    path = path.strip().rstrip("/\\")
    parts = [part for part in re.split(r"[/\\]", path) if part]
    if len(parts) > 1:
        yield LeakPattern(path, LeakKind.SOURCE_PATH)
    for part in parts:
        # A folder of one plain word ("shared") is in every other text; one of several words was named for something.
        if len(words_of(part)) > 1 and not is_common(part):
            yield LeakPattern(part, LeakKind.SOURCE_PATH, whole=False)


def _one_sided(names: PerOutput[tuple[str, ...]]) -> Iterator[LeakPattern]:
    folded = names.map(lambda side: {name.casefold() for name in side})
    for label, side in names.items():
        listed = 0
        for name in sorted(set(side)):
            stem = name.rsplit(".", 1)[0] if "." in name[1:] else name
            distinctive = len(stem) >= SHORTEST_PART and not is_common(stem)
            if distinctive and name.casefold() not in folded[label.other]:
                if listed == MOST_ONE_SIDED:
                    break
                listed += 1
                yield LeakPattern(name, LeakKind.ONE_SIDED_NAME, whole=False)
