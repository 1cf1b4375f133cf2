"""Which words are too common to tell anything, and how a name is written in its many ways."""

from __future__ import annotations

import builtins
import keyword
import re
import unicodedata
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
COMMON = frozenset(_COMMON_WORDS.split())
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

HIDDEN = "\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufeff"
"""Characters without a shape that may stand inside a word, as the inside of a character class."""

_WORDS = re.compile(r"[^\W\d_]+\d*|\d+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_TOKENS = re.compile(r"[^\W_]+|[-_/\\\s]+|.", re.DOTALL)
_ANY_HIDDEN = re.compile(f"[{HIDDEN}]")
# A dot joins words only without a blank beside it: "pdf.wizard" is a name, "the pdf. Wizard" is two sentences.
_ANY_SEPARATOR = r"(?:[-_/\\\s]{0,3}|\.)"
_JOINED_ONLY = r"[-_]?"
# A hump begins a word inside a longer one: before a capital that follows a small letter or a digit, or that follows
# capitals and is itself followed by a small letter.
_HUMP = r"(?-i:(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]))"
_WORD_BEGINS = rf"(?:(?<![^\W_])|{_HUMP})"
_WORD_ENDS = rf"(?:(?![^\W_])|{_HUMP})"
# A digit beside a digit would make another number of it: v31 is not in v310.
_GLUED_BEFORE = r"(?:(?<!\d)|(?!\d))"
_GLUED_AFTER = r"(?:(?!\d)|(?<!\d))"
_UNMISTAKABLE = 8
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63\uff0d"
_STYLED = (*range(0xFF01, 0xFF5F), *range(0x1D400, 0x1D800), *range(0x24B6, 0x24EA))


def _plain_forms() -> dict[int, str]:
    forms = {code: unicodedata.normalize("NFKC", chr(code)) for code in _STYLED}
    return {code: form for code, form in forms.items() if len(form) == 1} | {
        ord(dash): "-" for dash in _DASHES
    }


_PLAIN = _plain_forms()
# In ranges: a class of a thousand single characters is many times slower.
_ANY_STYLED = re.compile(
    "[\\u2010-\\u2015\\u2043\\u2212\\u24b6-\\u24e9\\ufe58\\ufe63\\uff01-\\uff5e\\U0001d400-\\U0001d7ff]"
)


def plain(text: str) -> str:
    """The text with full-width and mathematical letters and all dashes in their plain form; every place stays."""
    return text if text.isascii() or not _ANY_STYLED.search(text) else text.translate(_PLAIN)


def has_hidden(text: str) -> bool:
    """Whether a text has characters without a shape, such as a zero-width space or a soft hyphen."""
    return not text.isascii() and _ANY_HIDDEN.search(text) is not None


def folded(text: str) -> str:
    """What words are looked up in: the plain text, case-folded, without characters that have no shape."""
    if text.isascii():
        return text.lower()
    return _ANY_HIDDEN.sub("", plain(text)).casefold()


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name: `gkeUpgrade-planner_v2` gives gke, Upgrade, planner, v2."""
    return tuple(word for piece in _CAMEL.split(name) for word in _WORDS.findall(piece))


def is_common(name: str) -> bool:
    """Whether a name consists of common words and numbers only, or is one plain word of code or everyday language."""
    words = [word.casefold() for word in words_of(name)]
    known = _PLAIN_WORDS if len(words) == 1 else COMMON
    return all(word in known or word.isdigit() for word in words)


@lru_cache(maxsize=4096)
def expression_for(text: str, *, hidden: bool = False, glued: bool = False) -> str:
    """A regular expression that finds a name in any case, with other separators or none, where a word begins and ends.

    A word also begins and ends at a hump (`runNetArchNow`); a long name with a number in it is found glued to any other
    letters. It is for texts that went through `plain`; with `hidden`, characters without a shape may stand between its
    letters; with `glued`, it is found inside any word.
    """
    separator = _JOINED_ONLY if is_common(text) and not re.search(r"\s", text) else _ANY_SEPARATOR
    between = f"[{HIDDEN}]*+" if hidden else ""
    pieces: list[str] = []
    for token in _TOKENS.findall(_ANY_HIDDEN.sub("", plain(text)).strip("-_/\\ \t\r\n")):
        if re.fullmatch(r"[-_/\\\s]+", token):
            pieces.append(_ANY_SEPARATOR if "/" in token or "\\" in token else separator)
        elif re.fullmatch(r"[^\W_]+", token):
            parts = (between.join(map(re.escape, part)) for part in _CAMEL.split(token))
            pieces.append(f"{between}{separator}{between}".join(parts))
        else:
            pieces.append(re.escape(token))
    before, after = (
        (_GLUED_BEFORE, _GLUED_AFTER) if glued or is_unmistakable(text) else (_WORD_BEGINS, _WORD_ENDS)
    )
    return rf"{before}(?:{between.join(pieces)}){after}"


@lru_cache(maxsize=4096)
def is_unmistakable(name: str) -> bool:
    """Whether a name cannot stand inside another word by chance: a number, and eight letters of no common words."""
    letters = sum(map(str.isalpha, name))
    return letters >= _UNMISTAKABLE and any(map(str.isdigit, name)) and not is_common(name)


@lru_cache(maxsize=16_384)
def sought_words(text: str) -> tuple[str, ...]:
    """The runs of letters and digits that a text must have, in the form of `folded`, to hold the name at all."""
    shaped = _ANY_HIDDEN.sub("", plain(text))
    words = (part for token in re.findall(r"[^\W_]+", shaped) for part in _CAMEL.split(token))
    return tuple(word.casefold() for word in words)


def first_word(text: str) -> str:
    """The first run of letters and digits, case-folded; empty where there is none."""
    return next(iter(sought_words(text)), "")
