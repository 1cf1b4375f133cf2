"""Texts in one form for searching: no case, width, accents or invisible characters, each place mapped to its source."""

from __future__ import annotations

import html
import html.entities
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import unquote

from ahocorasick import Automaton

INVISIBLE = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs without a shape, beside what Unicode calls format characters and marks."""
_DASHES = frozenset("\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63\uff0d")
_MARKS = frozenset({"Mn", "Me"})

_DRESSED = re.compile(
    r"(?:(?:CROSSED )?NEGATIVE (?:SQUARED|CIRCLED) LATIN CAPITAL LETTER|REGIONAL INDICATOR SYMBOL LETTER"
    r"|(?:LATIN|MODIFIER) LETTER SMALL CAPITAL|LATIN (?:SMALL|CAPITAL) LETTER(?: DOTLESS| SCRIPT)?) ([A-Z])"
    r"(?: WITH [A-Z -]*(?:STROKE|HOOK|TAIL|LOOP|TILDE|BELT)[A-Z -]*)?"
)
"""Unicode names of Latin letters in another style that Unicode itself does not reduce to plain letters."""

_CONTROL = r"[0-9;:?]*[ -/]*[@-~]"
"""How a terminal's control sequence goes on."""
_UNSEEN = re.compile(
    rf"[\x00-\x07\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9a\x9c\x9e\x9f{INVISIBLE}"
    r"\u2065\ufff0-\ufff8\U000e0000-\U000e0fff]"
)
"""Control characters that nothing shows, and what Unicode keeps for signs without a shape."""
_TITLE = r"[^\x07\x1b\x9c\x9d]*+(?:\x07|\x1b\\|\x9c)"
_BARE_ENTITIES = "|".join(
    sorted((name for name in html.entities.html5 if not name.endswith(";")), reverse=True)
)
_LINK = (
    r"\[(?=[^\[\]]{0,200}\][(\[])"
    r"|\](?:\([^()\s]*+(?:\([^()\s]*+\)[^()\s]*+)*+(?:\s[^()]*+)?\)|\[[^\[\]\n]{0,200}\])"
)
"""The brackets and the address of a link in Markdown."""
_PERCENT = r"%(?:25)*[0-9a-fA-F]{2}"
_ESCAPES = (
    # Addresses and quoted-printable.
    rf"{_PERCENT}(?:{_PERCENT})*|=[0-9A-F]{{2}}(?:=[0-9A-F]{{2}})*|=\r?\n"
    # A terminal, which strikes characters out, too.
    rf"|\x1b(?:\[{_CONTROL}|\]{_TITLE}|[PX^_][^\x1b\x9c]*+(?:\x1b\\|\x9c)|[()*+#%][0-9A-Za-z@]|[0-9=>@-Z\\^_c])"
    rf"|\x9b{_CONTROL}|\x9d{_TITLE}|\x08\x08*"
    # JSON and code, formulas, YAML, Markdown.
    rf"|\\(?:(?:u001[bB]|x1[bB]|033|e)\[{_CONTROL}"
    r"|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|u\{[0-9a-fA-F]{1,6}\}|x[0-9a-fA-F]{2}"
    r"|(?:text|math|operatorname)[a-z]{0,8}\{|\r?\n[ \t]*|[abfnrtv0]|[ -/:-@\[-`{-~])"
    rf"|&(?:amp;)*(?:#\d{{1,7}};?|#[xX][0-9a-fA-F]{{1,6}};?|[A-Za-z][A-Za-z0-9]{{1,31}};|(?:{_BARE_ENTITIES}))"
    # Emphasis, links, formulas, braces and brackets within a word, what stands for nothing, hyphens at a line's end.
    rf"|\*\*?\*?|~~|``?`?|{_LINK}|\]\]>|\{{\}}|''+|\"\"|\$\$?|-\r?\n[ \t]*"
    r"|\{(?<=[A-Za-z0-9].)(?=[A-Za-z0-9])|\[(?<=[A-Za-z0-9].)(?=[A-Za-z0-9])"
    r"|\}(?<=[A-Za-z0-9].)(?=[A-Za-z0-9\\])|\](?<=[A-Za-z0-9].)(?=[A-Za-z0-9])"
)
_TAGS = r"!\[CDATA\[|\\?/?[a-zA-Z](?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*+>|\\?[a-zA-Z/?!][^<>]*+>|[0-9][0-9:.]*+>"
"""Also as JSON and scripts write the slash of an end tag."""
_MARKUP = rf"<(?:!--|(?:{_TAGS})(?:<(?!!--)(?:{_TAGS}))*+)"
ESCAPE = re.compile(f"{_ESCAPES}|{_MARKUP}", re.DOTALL)
"""What a reader of a format resolves or leaves out before anybody sees the words. Each way begins with one written
letter (not a class or a repetition: `re` then passes over a text five times as fast), and stops at the next of its
kind, so that a text is passed over once."""
_ESCAPED_PERCENT = re.compile("%(?:25)+(?=[0-9a-fA-F]{2})")
_ESCAPED_AMPERSAND = re.compile("&(?:amp;)+(?=[#A-Za-z])")
_STRUCTURE = re.compile(
    rf"{_MARKUP}|\]\]>|\\(?:text|math|operatorname)[a-z]{{0,8}}\{{|[{{}}]|{_LINK}", re.DOTALL
)
_COMMENT = re.compile(r"<!--(?:-?>|.*?(?:--!?>|\Z))", re.DOTALL)
_WRITTEN_COMMENT = re.compile(r"<!--(?!-?>)(?:[^<-]++|<!---?>|[<-])*?(?:--!?>|\Z)")
"""As its author sees it: an empty one inside ends nothing."""
_COMMENT_ENDS = re.compile("--!?>")
_WITHIN_COMMENTS = re.compile(rf"{_ESCAPES}|<(?!!--(?!-?>))(?:{_TAGS})", re.DOTALL)
"""The same where comments are read as well: those that hold nothing are left out."""
_WITHIN_TAGS = re.compile(_ESCAPES, re.DOTALL)
_TAG = re.compile(r"<[a-zA-Z][^<>]*+>")
_SPELT = re.compile(r"[^0-9a-z][0-9a-z\x80-\U0010ffff](?![0-9a-z])(?:[\W_]{1,8}+[^\W_](?![^\W_])){4,}+")
_OF_RTF = re.compile(
    r"[{}]|\\u-?\d{1,6} ?(?:\\'[0-9a-fA-F]{2}|[^\\{}\r\n])?|\\'[0-9a-fA-F]{2}"
    r"|\\[a-zA-Z]{1,32}-?\d{0,10} ?|\\[^a-zA-Z]|\r?\n"
)
_ESCAPE_ENDS = re.compile(
    r"(?:%[0-9a-fA-F]{2}|=[0-9A-F]{2}|\\(?:u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|u\{[0-9a-fA-F]{1,6}\}|x[0-9a-fA-F]{2}|[abfnrtv0])"
    rf"|(?:\x1b\[|\x9b|\\(?:u001[bB]|x1[bB]|033|e)\[){_CONTROL})\Z"
)
_LONGEST_ESCAPE = 24
_APART = "|||||\n(\x1b<"
"""Between parts of a text; no way of writing a name and no escape goes over it."""


class Folded:
    """A folded text; `source` says where a span of it stands in the text that it was made from."""

    def __init__(self, text: str, atoms: list[tuple[int, int, int, int]], of: Folded | None = None) -> None:
        self.text = text
        self.atoms = atoms
        """Where lengths differ: start and end here, start and end in the source."""
        self._starts = [atom[0] for atom in atoms]
        self._of = of
        """What it was made from in its turn; None if that is the source."""

    def source(self, start: int, end: int) -> tuple[int, int]:
        """The span of the source that folds to these characters; an escape belongs to it as a whole."""
        span = self._place(start)[0], self._place(end - 1)[1]
        return self._of.source(*span) if self._of else span

    def stands_in_source(self, start: int, end: int) -> bool:
        """Whether the characters stand so in the source, too: this is a reading in which none of them was resolved."""
        if self._of is None:
            return False
        start, end = self._place(start)[0], self._place(end - 1)[1]
        return not self._of.has_atoms(start, end)

    def has_atoms(self, start: int, end: int) -> bool:
        """Whether any atom is within this span, or part of it."""
        following = bisect_right(self._starts, start)
        if following and self.atoms[following - 1][1] > start:
            return True
        return following < len(self._starts) and self._starts[following] < end

    def _place(self, at: int) -> tuple[int, int]:
        # Of several that begin here, those before the last left no character.
        index = bisect_right(self._starts, at) - 1
        if index < 0:
            return at, at + 1
        _, folded_end, source_start, source_end = self.atoms[index]
        if at < folded_end:
            return source_start, source_end
        return at - folded_end + source_end, at - folded_end + source_end + 1


class _Forms(dict[int, str]):
    """What each character folds to, found when it is first met."""

    def __missing__(self, code: int) -> str:
        form = self[code] = _form(chr(code))
        return form


def _form(character: str) -> str:
    if unicodedata.category(character) in ("Cf", *_MARKS) or _UNSEEN.match(character):
        return ""
    if character in _DASHES:
        return "-"
    if "\uac00" <= character <= "\ud7a3":
        return character
    if letter := _DRESSED.fullmatch(unicodedata.name(character, "")):
        return letter[1].lower()
    form = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", character).casefold())
    return "".join(letter for letter in form if unicodedata.category(letter) not in _MARKS)


_FORMS = _Forms()
_STRANGE = re.compile(r"[^\x08-\x0d\x1b -~]+")
"""All but what is shown of ASCII, and what ends lines or begins an escape."""
_HIDDEN = bytes(code for code in range(128) if _STRANGE.match(chr(code)))
_FORMS.update(dict.fromkeys(_HIDDEN, ""))
_SMALL = bytes(range(256)).lower()
_STRETCH = 2048
"""Characters folded at once. Most stretches of most texts are ASCII, for which Python has quick ways."""


@lru_cache(maxsize=4)
def _uneven(known: int) -> re.Pattern[str]:  # noqa: ARG001  # how many forms there are: more are met as texts are read
    # Of the rare characters beyond 16 bits, all: each one that a class names is tried on every character of a text.
    codes = [code for code, form in _FORMS.items() if len(form) != 1 and code < 0x10000]
    return re.compile(f"[{''.join(re.escape(chr(code)) for code in codes)}\U00010000-\U0010ffff]")


def folded(text: str) -> str:
    """The text in the form in which words are looked up.

    >>> folded("Fál\\u200bcon Ｘ")
    'falcon x'
    """
    return _fold(text).text


@lru_cache(maxsize=2)
def fold(text: str) -> Folded:
    """The text as it stands, folded. Names and phrases are looked for in the same text, one after the other."""
    return _fold(text)


def _fold(text: str, of: Folded | None = None) -> Folded:
    """A text folded; `of` says what it was made from."""
    forms: list[str] = []
    atoms: list[tuple[int, int, int, int]] = []
    ahead = 0
    for begin in range(0, len(text), _STRETCH):
        stretch = text[begin : begin + _STRETCH]
        if stretch.isascii():
            form = stretch.encode().translate(_SMALL, _HIDDEN).decode()
        else:
            form = _STRANGE.sub(lambda match: match[0].translate(_FORMS), stretch).lower()
        forms.append(form)
        if stretch.isascii() and len(form) == len(stretch):
            continue
        for match in _uneven(len(_FORMS)).finditer(stretch):
            if (length := len(_FORMS[ord(match[0])])) == 1:
                continue
            at = begin + match.start()
            atoms.append((at + ahead, at + ahead + length, at, at + 1))
            ahead += length - 1
    return Folded("".join(forms), atoms, of)


def automaton(values: Mapping[str, Any]) -> Automaton:
    """What finds all these folded words in one pass over a text, however many they are, each with its value."""
    words = Automaton()
    for word, value in values.items():
        words.add_word(word, value)
    words.make_automaton()
    return words


def readings(text: str) -> Iterator[Folded]:
    """The text as it reads once escapes, entities, tags and emphasis are resolved, folded; nothing without any.

    Comments and tags are left out of it. Those that have escapes themselves follow in texts of their own.
    """
    if text.startswith("{\\rtf"):
        texts = [_read(Folded(text, []), _OF_RTF, _resolved_rtf)]
    else:
        texts = [
            _read(Folded(text, []), ESCAPE, _resolve_escape),
            _read(_parts(text, _WRITTEN_COMMENT, _WITHIN_COMMENTS), _WITHIN_COMMENTS, _resolve_escape),
            _read(_parts(text, _TAG, _WITHIN_TAGS), _WITHIN_TAGS, _resolve_escape),
        ]
    yield from filter(None, texts)


def _parts(text: str, pattern: re.Pattern[str], escapes: re.Pattern[str]) -> Folded:
    """The parts of the text that have such escapes, apart from one another."""
    parts: list[str] = []
    atoms: list[tuple[int, int, int, int]] = []
    length = 0
    for match in pattern.finditer(text) if "<" in text else ():
        start, end = match.span()
        if escapes.search(text, start, end) is None:
            continue
        atoms.append((length, length, start, start))
        parts.append(text[start:end])
        length += end - start + len(_APART)
    return Folded(_APART.join(parts), atoms)


def _read(source: Folded, pattern: re.Pattern[str], resolve: Callable[[str], str]) -> Folded | None:
    """A text as it reads; None where there is nothing to resolve."""
    text = source.text
    pieces: list[str] = []
    atoms: list[tuple[int, int, int, int]] = []
    length = done = 0
    closed = True
    matches = pattern.finditer(text)
    while (match := next(matches, None)) is not None:
        start, end = match.span()
        sign, value = text[start], ""
        if sign in "%=&\\":
            value = resolve(match[0])
        elif sign == "\b":
            # Each takes a character before it along.
            start = max(done, 2 * start - end)
        elif closed and end - start == len("<!--") and match[0] == "<!--":
            # Its own hyphens may end it.
            closing = _COMMENT_ENDS.search(text, start + 2)
            closed, end = closing is not None, closing.end() if closing else end
            matches = pattern.finditer(text, end)
        pieces.append(text[done:start])
        length += start - done
        if value:
            pieces.append(value)
        atoms.append((length, length + len(value), start, end))
        length += len(value)
        done = end
    return _fold("".join((*pieces, text[done:])), Folded("", atoms, source)) if atoms else None


def spelt_words(form: Folded) -> Folded | None:
    """Words spelt letter by letter, with spaces or table cells between the letters; None without any."""
    letters: list[str] = []
    atoms: list[tuple[int, int, int, int]] = []
    for run in _SPELT.finditer(f"\n{form.text}"):
        for at in range(run.start(), run.end() - 1):
            if (letter := form.text[at]).isalnum():
                atoms.append((len(letters), len(letters) + 1, *form.source(at, at + 1)))
                letters.append(letter)
        letters.append("\n")
    return Folded("".join(letters), atoms) if letters else None


def structure(written: str) -> str:
    """What has to stay where it stands within a word, so that what parsed still parses: tags, braces, links."""
    return "".join(match[0] for match in _STRUCTURE.finditer(_COMMENT.sub("", written)))


def _resolve_escape(escape: str) -> str:
    match escape[0]:
        case "%":
            return unquote(_ESCAPED_PERCENT.sub("%", escape), errors="replace")
        case "=":
            return (
                bytes.fromhex(escape.replace("=", "")).decode("utf-8", "replace")
                if escape[1:2].isalnum()
                else ""
            )
        case "&":
            return html.unescape(_ESCAPED_AMPERSAND.sub("&", escape))
        case "\\":
            if "[" in escape[2:]:
                return ""
            if len(escape) == 12 and escape[6] == "\\":
                return bytes.fromhex(escape[2:6] + escape[8:]).decode("utf-16-be", "replace")
            if escape[1] in "uxU" and len(escape) > 2:
                return _character(int(escape[2:].strip("{}"), 16))
            if len(escape) > 2 and escape.endswith("{"):
                return ""
            # Between a word's parts, TeX and reStructuredText draw nothing for these.
            return " " if escape[1] in "abfnrtv0" else "" if escape[1] in "\r\n-/ " else escape[1]
    return ""


def _character(code: int) -> str:
    return chr(code) if code <= 0x10FFFF and not _UNSEEN.match(chr(code)) else ""


def _resolved_rtf(escape: str) -> str:
    if escape[1:2] == "u" and escape[2:3] in "-0123456789" and len(escape) > 2:
        number = re.match(r"-?\d+", escape[2:])
        return _character(int(number[0]) % 0x10000) if number else ""
    if escape[1:2] == "'":
        return bytes.fromhex(escape[2:]).decode("cp1252", "replace")
    if escape.strip() in ("\\par", "\\line", "\\tab"):
        return " "
    return escape[1:] if escape[0] == "\\" and not escape[1].isalpha() else ""


def plain(text: str) -> str:
    """The text in ordinary letters and hyphens, in its own capitals, without invisible characters.

    >>> plain("Ｎｅｔ‑Ａｒｃｈ")
    'Net-Arch'
    """
    if text.isascii():
        return text
    normal = unicodedata.normalize("NFKC", text)
    return "".join("-" if sign in _DASHES else sign for sign in normal if unicodedata.category(sign) != "Cf")


def ends_escape(text: str, at: int) -> bool:
    """Whether an escape ends at this place, so that a word may begin there."""
    return _ESCAPE_ENDS.search(text, max(0, at - _LONGEST_ESCAPE), at) is not None
