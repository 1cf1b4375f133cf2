"""Every string that the app shows, read out of its source, so that all of them can be read in one go.

`python -m tools.reference` writes them into docs/reference/words.md, and a test compares. Values inside a string are
listed as `…`. The judge's prompts are files of their own (comparator/judges/prompts).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path

from pygments.lexers.javascript import JavascriptLexer
from pygments.token import String

ROOT = Path(__file__).resolve().parent.parent

PAGES = ("app.py", "pages", "comparator/ui", "comparator/web", "comparator/cli")
"""Where words that stand alone are shown as well: those with a capital, and small ones where the code says so.
Elsewhere phrases are: errors, findings, notes above the panes."""

QUIET = (
    "comparator/store/tables",
    "comparator/store/migrations",
    "comparator/judges/injections.py",
    "comparator/judges/model/answer_form.py",
    "comparator/judges/model/request_content.py",
    "comparator/judges/probes",
    "comparator/judges/themes",
    "comparator/judges/tools",
    "comparator/outputs/extract/pdf/rebuild.py",
    "comparator/domain/blinding/phrases.py",
    "comparator/domain/blinding/nouns.py",
    "comparator/domain/blinding/words.py",
)
"""Nothing here is shown: schemas, planted outputs, what the model alone reads, phrases that are searched for."""

_VALUE = "…"
_PLACE = re.compile(r"\{[a-z_]*(?::,)?\}")
"""Where a sentence that is stated once takes a value."""
_PHRASE = re.compile(r"[\w…,;:.!?)’'”\"%] [\w…(“\"'$]")
_CAPITAL = re.compile(r"[A-Z][a-z]+(?:-[a-z]+)?[.:?!…]?")
_SMALL = re.compile(r"[a-z]{3,}(?:-[a-z]+)*")
_LETTERS = re.compile(r"[A-Za-z]{2}")
_CODE = re.compile(
    r"</?\w|[{}\\|]|\w=[\"'\w]|\[[\w^=-]+\]|^[a-z-]+: |[=>]\s*$|=>|://\S*$|;\s?$|^--|^[.#@]|%s"
    r"|\b(?:SELECT|FROM|WHERE|PRAGMA|CREATE|INSERT|DELETE|UPDATE|DROP|VACUUM|BEGIN)\b|^(?:[a-z0-9]{2,5} ){3,}[a-z0-9]+$"
    r"|-src |^base-uri|^frame-ancestors|^form-action|=\(\)|^(?:top|middle|bottom) (?:left|center|right)$"
)
"""Markup, selectors, SQL, policies of pages, places in charts."""
_QUIET_ARGUMENTS = frozenset(
    {
        "key",
        "type",
        "icon",
        "format",
        "encoding",
        "mode",
        "mime",
        "width",
        "height",
        "on_select",
        "selection_mode",
        "alias",
        "layout",
        "url_path",
        "size",
        "gap",
        "vertical_alignment",
        "label_visibility",
        "color",
        "media_type",
    }
)
_SHOWING_ARGUMENTS = frozenset({"placeholder", "text", "help", "label", "display_text", "title", "caption"})
_SHOWING_CALLS = frozenset({"counted", "text", "Table", "Segment"})
"""Calls whose words are shown, by the last part of their name."""
SPOKEN = frozenset(
    {
        "BatchState",
        "FindingSource",
        "LeakKind",
        "LinkState",
        "ProbeKind",
        "Role",
        "Speaker",
        "VerdictSource",
        "Where",
    }
)
"""Closed sets whose values are shown as they are."""
_COLOURS = frozenset({"blue", "orange", "gray", "green", "red"})
_KEYS = frozenset({"Enter", "Escape", "Tab", "Delete", "Backspace"})


class Lone(IntEnum):
    """Which words that stand alone are shown at a place: none, those with a capital, or small ones as well."""

    NONE = 0
    CAPITAL = 1
    SMALL = 2


def words(root: Path = ROOT) -> dict[str, list[str]]:
    """The strings that are shown by the file they are in, each once, in the order in which they stand there."""
    found: dict[str, list[str]] = {}
    sources = (root / "app.py", *(root / "pages").glob("*.py"), *(root / "comparator").rglob("*.[pj][ys]"))
    for path in sorted(path for path in sources if not path.name.endswith(".bundle.js")):
        place = path.relative_to(root).as_posix()
        if place.startswith(QUIET):
            continue
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".js":
            kept = _of_script(text, all_words=path.stem == "words")
        else:
            kept = _shown(ast.parse(text), lone=Lone.CAPITAL if place.startswith(PAGES) else Lone.NONE)
        if lines := list(dict.fromkeys(kept)):
            found[place] = lines
    return found


def _shown(node: ast.AST, *, lone: Lone) -> Iterator[str]:
    """The strings below a node."""
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Assign(targets=[ast.Name(id="__all__")]):
            return
        case ast.Constant(value=str(text)):
            yield from _kept(_PLACE.sub(_VALUE, text), lone=lone)
        case ast.JoinedStr(values=parts):
            yield from _kept("".join(str(getattr(part, "value", "")) if isinstance(part, ast.Constant) else _VALUE
                                     for part in parts), lone=Lone.NONE)  # fmt: skip
            for part in parts:
                if isinstance(part, ast.FormattedValue):
                    yield from _shown(part.value, lone=Lone.SMALL)
        case ast.IfExp(test=test, body=body, orelse=other):
            yield from _shown(test, lone=Lone.NONE)
            yield from _shown(body, lone=lone)
            yield from _shown(other, lone=lone)
        case ast.Assign(value=ast.IfExp() as either) | ast.Return(value=ast.IfExp() as either):
            yield from _shown(either, lone=Lone.SMALL if lone else lone)
        case ast.Dict(keys=keys, values=values):
            # A table of what each thing is called.
            told = bool(lone) and all(isinstance(key, ast.Attribute) for key in keys)
            for key, value in zip(keys, values, strict=True):
                yield from _shown(key, lone=Lone.NONE) if key else ()
                yield from _shown(value, lone=Lone.SMALL if told else min(lone, Lone.CAPITAL))
        case ast.Call(func=ast.Attribute(value=ast.Constant(), attr="split") | ast.Name(id="_words")):
            return  # Names, one after the other.
        case ast.Call(func=called, args=given, keywords=named):
            yield from _shown(called, lone=Lone.NONE)
            name = ast.unparse(called).rpartition(".")[2]
            for each in given:
                yield from _shown(
                    each, lone=Lone.SMALL if name in _SHOWING_CALLS else min(lone, Lone.CAPITAL)
                )
            for argument in named:
                yield from _shown(argument, lone=lone)
        case ast.keyword(arg=name) if name in _QUIET_ARGUMENTS:
            return
        case ast.keyword(arg=name, value=value):
            showing = lone and name in _SHOWING_ARGUMENTS
            yield from _shown(value, lone=Lone.SMALL if showing else min(lone, Lone.CAPITAL))
        case ast.ClassDef(name=name, bases=[ast.Name(id="StrEnum"), *_], body=lines):
            for line in lines:
                yield from _shown(line, lone=Lone.SMALL if name in SPOKEN else Lone.NONE)
        case ast.Compare() | ast.Subscript() | ast.Set():
            for child in ast.iter_child_nodes(node):
                yield from _shown(child, lone=Lone.NONE)
        case _:
            for child in ast.iter_child_nodes(node):
                yield from _shown(child, lone=lone)


def _of_script(source: str, *, all_words: bool) -> Iterator[str]:
    """Strings and templates of JavaScript, told from comments and patterns by Pygments."""
    templates: list[list[str]] = []
    quiet: list[bool] = []  # Of each open template, whether it is a name rather than words.
    inside: list[bool] = []  # Of each open template, whether one of its values is being read.
    before: list[str] = [""] * 2  # What stands before a string, without spaces.
    for kind, written in JavascriptLexer().get_tokens(source):
        match kind, written:
            case String.Backtick, "`" if not templates or inside[-1]:
                templates.append([])
                inside.append(False)
                quiet.append(_is_name(before))
            case String.Backtick, "`":
                inside.pop()
                whole = "".join(templates.pop())
                yield from () if quiet.pop() else _kept(whole, lone=Lone.NONE)
            case String.Backtick, _:
                templates[-1].append(written)
            case String.Interpol, _:
                inside[-1] = written == "${"
                templates[-1] += [_VALUE] if inside[-1] else []
            case ((String.Double | String.Single), _):
                text = str(ast.literal_eval(written))
                if not (before[-1] in _COMPARES or text in _KEYS or _is_name(before) or any(quiet)):
                    said = all_words or _is_said(before, in_template=bool(inside and inside[-1]))
                    yield from _kept(text, lone=Lone.SMALL if said else Lone.CAPITAL)
        if written.strip() and not str(kind).startswith("Token.Comment"):
            before = [before[-1], written]


_COMPARES = frozenset({"===", "!==", "==", "!=", "case"})


def _is_name(before: list[str]) -> bool:
    """Whether a string after these two is a class, a role or the like, or what elements are looked for by."""
    return before[-2] in (_NAMES if before[-1] in (":", "=") else _LOOKS if before[-1] == "(" else ())


_NAMES = frozenset({"class", "className", "id", "key", "part", "rel", "role", "type"})
_LOOKS = frozenset(
    {
        "all",
        "closest",
        "matches",
        "querySelector",
        "querySelectorAll",
        "matchMedia",
        "add",
        "remove",
        "toggle",
    }
)


def _is_said(before: list[str], *, in_template: bool) -> bool:
    """Whether a small word after these three is shown: a choice within a template, or what an element says."""
    choice = before[-1] in ("?", ":", "||", "??")
    return (in_template and choice) or (before[-1] in ("=", ":") and before[-2] in _SAYS)


_SAYS = frozenset({"textContent", "title", "placeholder", "label", '"aria-label"'})


def _kept(text: str, *, lone: Lone) -> Iterator[str]:
    if _CODE.search(text) or not _LETTERS.search(text) or text in _COLOURS:
        return
    alone = (lone and _CAPITAL.fullmatch(text)) or (lone is Lone.SMALL and _SMALL.fullmatch(text))
    if _PHRASE.search(text) or alone:
        yield re.sub(r"\s+", " ", text).strip()
