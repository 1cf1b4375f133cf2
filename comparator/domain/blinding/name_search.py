"""Looks for many names at once, in all their ways of writing, wherever a word begins and ends or could."""

import builtins
import keyword
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from comparator.domain.blinding.folding import (
    Folded,
    automaton,
    ends_escape,
    fold,
    folded,
    plain,
    readings,
    spelt_words,
)

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
_WORDS_OF_TRADE = frozenset(
    ["experimental", "flash", "instruct", "lite", "nano", "preview", "thinking", "ultra"]
)
"""Common words that also tell one model from another of the same name."""
_WORDS_OF_CODE = """
    abstract align all alpha alter and animation any api app args argv array article async attr audio auto await awk
    begin between body bold bool boolean border bottom break button byte call canvas cascade case cat catch cell
    char chmod class clear color column commit concat console const constraint constructor continue convert count
    css csv curl cursor dark database debug declare decimal def delete desc describe details dev dialog dir display
    distinct div docx document double drop echo elem elif else empty end enum env error eval event exec execute
    exists exit export extends false family fetch field fieldset finally fixed flex float font footer for foreign
    form from func function generic get git global go golang grant grep grid group hash having head header height
    hidden hover href html http https icon iframe if implements import index inner insert instanceof int integer
    interface into java javascript join json key keyframes kind label lambda language left legend length let level
    limit line link load local log long loop margin mark markdown match math max media menu meta method min module
    move mut nav new node not null number object offset on opacity option order outer override package padding
    param params parent parse pdf picture pip placeholder position pre primary print printf private progress promise
    property protected protocol pub public python query raise range raw record ref references reset return root
    round row rust schema script section sed select self set shell show size slot solid sort source span split sql
    src static stderr stdin stdout step str strict string strong struct style sub sudo sum super svg switch symbol
    sync table tag tbody template test textarea tfoot thead then throw time toml tool top trait transform transition
    trigger true try type typeof typescript undefined union unique unit unset update url use using values var
    video view visible void wait where while width with xml yaml yield zip
"""
_ORDINARY_WORDS = """
    account action active actual add added adult age alone also although always amount angle animal another apple
    area arm around art ask author average away baby back bad balance ball bank bar bear beautiful because become
    before beside beta big bird black block blue board boat book both box boy bring brown budget business busy but
    buy call can car card care carry center change charge child choice city clean clear close cloud coast cold come
    common company cook cool copy corner cost could country course cover cross cup customer cut daily day days deal
    dear deep degree delta detail did different direct does done door down draw dream drive dry each early earth
    east easy eat edge effect eight empty energy enough entry equal even evening event ever every exact eye face
    fact fair fall family far farm fear feel few fight figure find fine fire fish five flat floor fly focus follow
    food foot force forest forget found four free fresh friend front fruit full fun future gamma garden gave girl
    give glass goal gold gone grand grass gray great green grey ground grow growth half hand happy hard has have
    health hear heart heat heavy her here high hill him his history hit hold hope horse hot hour hours house how
    human idea into island its job just keep kept kind king know known lady land late law lay lead learn least
    less letter life lift like likely live loss lost lot love low lower main many mark market matter may mean
    meet member might mile milk mind minute miss modern money month months moon more morning most mother mountain
    mouth move much music must near need never news nice night nine north not nothing now object ocean off offer
    office often oil omega once one only onto orange other our over own pair paper past pay peace people person
    phone piece pink place plan plant play point poor power present price print problem product public pull pure
    purple push put quarter question quick quiet quite rain rate reach real reason red rest rich ride ring rise
    risk river road rock role room rose round rule said sale salt sand save say scale school sea season seat see
    seem sell send sense serve service set seven shape share she ship shop should show side sign silver since sit
    six sky sleep slow smart snow soft some song soon sound south space speak speed spring square staff stage
    stand star state stay still stock stone stop store story street strong student study such summer sun sure
    surface take talk tall target teach tell ten than then there these they thing think third those though thought
    thousand three through today together told tomorrow too took total touch toward town trade train travel tree
    trip true trust truth turn twelve twenty two under until upon use used value very visit voice walk wall want
    war warm was wash watch water way weak week weeks weight well went were west what wheel when where which
    while white who whole why wide wife will win wind window winter wish woman wonder wood word words work world
    worth would wrong year years yellow yes yesterday yet you young zero
"""
COMMON = frozenset(_COMMON_WORDS.split()) | _WORDS_OF_TRADE
"""Words that stand in honest outputs; a name made of nothing else is only sought in its joined forms."""

_PLAIN_WORDS = COMMON | {
    word.casefold()
    for word in (
        *_WORDS_OF_CODE.split(),
        *_ORDINARY_WORDS.split(),
        *keyword.kwlist,
        *keyword.softkwlist,
        *(name for name in dir(builtins) if name.isalpha() and name.islower()),
    )
}
"""Words of programs and of everyday language: as the whole of a name they tell nothing."""

_WORDS = re.compile(r"[^\W\d_]+\d*|\d+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name: `gkeUpgrade-planner_v2` gives gke, Upgrade, planner, v2."""
    return tuple(word for piece in _CAMEL.split(name) for word in _WORDS.findall(piece))


def is_common(name: str) -> bool:
    """Whether a name consists of common words and numbers only, or is one plain word of code or everyday language."""
    words = [word.casefold() for word in words_of(name)]
    known = _PLAIN_WORDS if len(words) == 1 else COMMON
    return all(word in known or word.isdigit() for word in words)


def tells_apart(word: str) -> bool:
    """Whether a word may be looked for by itself where two names differ in nothing else."""
    return word.casefold() in _WORDS_OF_TRADE or not is_common(word)


def halves_of(word: str) -> Iterator[tuple[str, str]]:
    """A word as two, where one of them is a plain word of three letters or more: `deepseek` gives deep and seek."""
    if not is_common(word):
        for at in range(2, len(word) - 1):
            halves = word[:at], word[at:]
            if any(len(half) > 2 and half.casefold() in _PLAIN_WORDS for half in halves):
                yield halves


GLUED_LETTERS = 5
"""Names of so many letters are found inside longer words, too; in shorter ones that would be chance."""
INSIDE = "…"
"""Stands before and behind a name that is meant inside longer words alone."""
MOST_LOOKS = 2_000_000
"""How many places of one text are looked at; from there on the rest counts as one name, and is not shown."""

_TOKENS = re.compile(r"[^\W_]+|[-_/\\\s]+|.", re.DOTALL)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NUMBER = re.compile(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")
_BEFORE_NUMBER = r"[-_. ]?"
"""gpt4 is GPT-4, and Claude3 is Claude 3."""
# A dot joins words only without a blank beside it: "pdf.wizard" is a name, "the pdf. Wizard" is two sentences.
_LINE_END = r"[ \t]{0,80}\r?\n[ \t]{0,80}(?:(?:[>#*]{1,3}|//)[ \t]{0,80})?"
_ANY_JOINT = rf"(?:[-_/\\\s]{{0,3}}+|[.+~:\u00b7\u2022\u30fb]|[-_/\\]?{_LINE_END})"
"""Also at the end of a line, in a quotation or a comment too."""
_TIGHT_JOINT = r"[-_]?"
_TIGHT = re.compile(r"[\w\-<>&;%=\\*`~#/!{}\"'\x1b\[\x08]*")
_LONGEST_JOINT = 248
_OPAQUE = re.compile(r"[A-Za-z0-9+/]{64,}")
"""Data in letters, such as a picture in base64: a short name in it is chance."""


class NameHit(NamedTuple):
    """A name, by `which` place it has in the list, from start to end; `glued` where it is part of a longer word."""

    which: int
    start: int
    end: int
    glued: bool


class _Sought(NamedTuple):
    which: int
    before: re.Pattern[str] | None
    reach: int
    after: re.Pattern[str]
    glues: bool
    """Whether it counts inside a longer word."""
    inside: bool


class NameSearch:
    """Names made ready to be looked for; one pass over a text finds all of them."""

    def __init__(self, names: Sequence[str]) -> None:
        by_anchor: dict[str, list[_Sought]] = {}
        for index, name in enumerate(names):
            if (prepared := _prepare_name(index, name)) is not None:
                anchor, sought = prepared
                by_anchor.setdefault(anchor, []).append(sought)
        self._anchors = automaton({anchor: (len(anchor), names) for anchor, names in by_anchor.items()})

    def hits(self, text: str) -> list[NameHit]:
        """Where the names stand, in order; those of one name do not overlap."""
        if not self._anchors or not text:
            return []
        form = fold(text)
        hits = dict.fromkeys(self._in(text, form))
        read_as = list(readings(text))
        # Readings resolve what stands between the letters, and leave comments and tags out.
        apart = read_as if read_as and "<" not in text else (form, *read_as)
        for read in (*read_as, *filter(None, map(spelt_words, apart))):
            if not (of_reading := list(self._in(text, read))):
                continue
            starts: dict[int, list[int]] = {}
            ends: dict[int, list[int]] = {}
            for hit in sorted(hits):
                starts.setdefault(hit.which, []).append(hit.start)
                ends.setdefault(hit.which, []).append(hit.end)
            for hit in of_reading:
                # Those of one name are in order and apart.
                before = bisect_left(starts.get(hit.which, ()), hit.end) - 1
                if before < 0 or ends[hit.which][before] <= hit.start:
                    hits[hit] = None
        return sorted(hits, key=lambda hit: (hit.start, -hit.end, hit.which))

    def _in(self, text: str, form: Folded) -> Iterator[NameHit]:
        """The hits in one form of the text; in a reading of it, only those that something resolved is part of."""
        done: dict[int, int] = {}
        looks = 0
        for last, (length, names) in self._anchors.iter(form.text):
            for sought in names:
                at = last + 1 - length
                if at < done.get(sought.which, 0):
                    continue
                looks += 1
                if looks > MOST_LOOKS:
                    yield NameHit(sought.which, form.source(at, at + 1)[0], len(text), glued=False)
                    return
                if (rest := sought.after.match(form.text, at)) is None:
                    continue
                if sought.before is not None:
                    head = sought.before.search(form.text, max(0, at - sought.reach), at)
                    if head is None:
                        continue
                    at = head.start()
                if form.stands_in_source(at, rest.end()):
                    continue
                tight = _TIGHT.fullmatch(form.text, at, rest.end()) is not None
                hit = _hit_with_borders(text, sought, *form.source(at, rest.end()), tight=tight)
                if hit is not None:
                    done[sought.which] = rest.end()
                    yield hit


def _prepare_name(index: int, name: str) -> tuple[str, _Sought] | None:
    """The folded word by which a name is looked up, and how it is recognised there; None without a letter or digit."""
    inside = len(name) > 2 and name.startswith(INSIDE) and name.endswith(INSIDE)
    name = plain(name.strip(INSIDE) if inside else name)
    common = is_common(name)
    joint = _TIGHT_JOINT if common and not re.search(r"\s", name) else _ANY_JOINT
    pieces: list[str] = []
    words: list[tuple[int, str]] = []
    for token in _TOKENS.findall(name.strip("-_/\\ \t\r\n")):
        if re.fullmatch(r"[-_/\\\s]+", token):
            pieces.append(_ANY_JOINT if "/" in token or "\\" in token else joint)
        elif token.isalnum():
            for number, part in enumerate(_HUMP.split(token)):
                pieces += [joint] * (number > 0)
                for place, piece in enumerate(_NUMBER.split(part)):
                    pieces += [_BEFORE_NUMBER] * (place > 0)
                    if form := folded(piece):
                        words.append((len(pieces), form))
                        pieces.append(re.escape(form))
        else:
            pieces.append(re.escape(folded(token)))
    if not words:
        return None
    place, anchor = max(words, key=lambda word: len(word[1]))
    letters = sum(_weight(letter) for _, word in words for letter in word)
    before = "".join(pieces[:place])
    return anchor, _Sought(
        which=index,
        before=re.compile(rf"(?:{before})\Z") if before else None,
        reach=sum(map(len, pieces[:place])) + _LONGEST_JOINT * place,
        after=re.compile("".join(pieces[place:])),
        glues=inside or (letters >= GLUED_LETTERS and not common),
        inside=inside or not common,
    )


def _weight(letter: str) -> int:
    """For how many letters one counts: a sign of Chinese, Japanese or Korean says as much as several."""
    return 0 if not letter.isalpha() else 3 if letter >= "\u2e80" else 1


def _hit_with_borders(text: str, sought: _Sought, start: int, end: int, *, tight: bool) -> NameHit | None:
    """The hit, unless it is part of a longer word by chance; `tight` says that it has no blank or stop."""
    if (_is_border(text, start) or ends_escape(text, start)) and _is_border(text, end):
        return None if _is_opaque(text, start, end) else NameHit(sought.which, start, end, glued=False)
    if not sought.inside or _joins_number(text, start) or _joins_number(text, end):
        return None
    if not tight or _is_opaque(text, start, end):
        return None
    return NameHit(sought.which, start, end, glued=not sought.glues)


def _is_border(text: str, at: int) -> bool:
    if not 0 < at < len(text):
        return True
    left, right = text[at - 1], text[at]
    if not (left.isalnum() and right.isalnum()) or left.isdecimal() != right.isdecimal():
        return True
    if left.isdecimal():
        return not _joins_number(text, at)
    if left.islower() and right.isupper():
        return True
    if left.isupper() and right.isupper() and text[at + 1 : at + 2].islower():
        return True
    return not (left.isascii() and right.isascii()) and _script(left) != _script(right)


def _joins_number(text: str, at: int) -> bool:
    """Whether two digits of one script meet here: v31 is not in v310."""
    return (
        0 < at < len(text)
        and text[at - 1].isdecimal()
        and text[at].isdecimal()
        and text[at - 1].isascii() == text[at].isascii()
    )


@lru_cache(maxsize=4096)
def _script(letter: str) -> str:
    return unicodedata.name(unicodedata.normalize("NFKC", letter)[0], "").partition(" ")[0]


def _is_opaque(text: str, start: int, end: int) -> bool:
    if end - start >= 2 * GLUED_LETTERS:
        return False
    match = _OPAQUE.search(text, max(0, start - 80), end + 80)
    if match is None or match.start() > start or match.end() < end:
        return False
    run = match[0]
    # A path has far more slashes than chance has.
    return (
        24 * run.count("/") <= len(run) + 48
        and any(map(str.isdigit, run))
        and not run.islower()
        and not run.isupper()
    )
