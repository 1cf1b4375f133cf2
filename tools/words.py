"""Every string that the app shows, read out of its source, so that all of them can be read in one go.

`python -m tools.reference` writes them into docs/reference/words.md, and a test compares. Values inside a string are
listed as `…`. The judge's prompts are files of their own (comparator/judges/prompts).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from pygments.lexers.javascript import JavascriptLexer
from pygments.token import String

ROOT = Path(__file__).resolve().parent.parent

PAGES = ("app.py", "pages", "comparator/ui", "comparator/web", "comparator/cli")
"""Where words that stand alone are shown as well. Elsewhere phrases are: errors, findings, notes above the panes."""

WIRED = ("comparator/web", "comparator/cli", "comparator/ui/components", "comparator/ui/frame/charts")
"""Where a small word that stands alone is a name of HTTP, HTML or Plotly."""

QUIET = (
    "comparator/store/tables",
    "comparator/store/migrations",
    "comparator/judges/probes",
    "comparator/judges/tools",
    "comparator/domain/blinding/phrases.py",
    "comparator/domain/blinding/nouns.py",
    "comparator/domain/blinding/words.py",
)
"""Nothing here is shown: schemas, planted outputs, what the model alone reads, phrases that are searched for."""

_VALUE = "…"
_PHRASE = re.compile(r"[\w…,;:.!?)’'”\"%] [\w…(“\"'$]")
_CAPITAL = re.compile(r"[A-Z][a-z]+(?:-[a-z]+)?[.:?!…]?")
_SMALL = re.compile(r"[a-z]{3,}(?:-[a-z]+)?")
_LETTERS = re.compile(r"[A-Za-z]{2}")
_CODE = re.compile(
    r"</?\w|[{}\\|]|\w=[\"'\w]|\[[\w^=-]+\]|^[a-z-]+: |[=>]\s*$|=>|\b(?:SELECT|FROM|WHERE|PRAGMA|CREATE|INSERT|DELETE|UPDATE|DROP|VACUUM|BEGIN)\b|://\S*$|;\s?$|^--"
    r"|^[.#@]|%s|^(?:[a-z0-9]{2,5} ){3,}[a-z0-9]+$"
)
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
    }
    | {
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


def words(root: Path = ROOT) -> dict[str, list[str]]:
    """The strings that are shown by the file they are in, each once, in the order in which they stand there."""
    found: dict[str, list[str]] = {}
    sources = (root / "app.py", *(root / "pages").glob("*.py"), *(root / "comparator").rglob("*.[pj][ys]"))
    for path in sorted(path for path in sources if not path.name.endswith(".bundle.js")):
        place = path.relative_to(root).as_posix()
        read = _of_script if path.suffix == ".js" else _of_python
        kept = read(path.read_text(encoding="utf-8"), single=place.startswith(PAGES))
        wired = place.startswith(WIRED) and path.stem != "words"
        lines = [line for line in dict.fromkeys(kept) if not (wired and _SMALL.fullmatch(line))]
        if lines and not place.startswith(QUIET):
            found[place] = lines
    return found


def _of_python(source: str, *, single: bool) -> Iterator[str]:
    yield from _shown(ast.parse(source), alone=single)


def _shown(node: ast.AST, *, alone: bool) -> Iterator[str]:
    """The strings below a node; with `alone`, words that stand alone count there."""
    match node:
        case ast.Expr(value=ast.Constant()):
            return
        case ast.Constant(value=str(text)):
            yield from _kept(text, alone=alone)
        case ast.JoinedStr(values=parts):
            yield from _kept("".join(str(getattr(part, "value", "")) if isinstance(part, ast.Constant) else _VALUE
                                     for part in parts), alone=False)  # fmt: skip
            for part in parts:
                if isinstance(part, ast.FormattedValue):
                    yield from _shown(part.value, alone=alone)
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                yield from _shown(key, alone=False) if key else ()
                yield from _shown(value, alone=alone)
        case ast.keyword(arg=name) if name in _QUIET_ARGUMENTS:
            return
        case ast.ClassDef(bases=[ast.Name(id="StrEnum"), *_]) | ast.Compare() | ast.Subscript():
            for child in ast.iter_child_nodes(node):
                yield from _shown(child, alone=False)
        case _:
            for child in ast.iter_child_nodes(node):
                yield from _shown(child, alone=alone)


def _of_script(source: str, *, single: bool) -> Iterator[str]:
    """Strings and templates of JavaScript, told from comments and patterns by Pygments."""
    templates: list[list[str]] = []
    inside: list[bool] = []  # Of each open template, whether one of its values is being read.
    for kind, written in JavascriptLexer().get_tokens(source):
        match kind, written:
            case String.Backtick, "`" if not templates or inside[-1]:
                templates.append([])
                inside.append(False)
            case String.Backtick, "`":
                inside.pop()
                yield from _kept("".join(templates.pop()), alone=False)
            case String.Backtick, _:
                templates[-1].append(written)
            case String.Interpol, _:
                inside[-1] = written == "${"
                templates[-1] += [_VALUE] if inside[-1] else []
            case ((String.Double | String.Single), _):
                yield from _kept(str(ast.literal_eval(written)), alone=single)


def _kept(text: str, *, alone: bool) -> Iterator[str]:
    if _CODE.search(text) or not _LETTERS.search(text):
        return
    if _PHRASE.search(text) or (alone and (_CAPITAL.fullmatch(text) or _SMALL.fullmatch(text))):
        yield re.sub(r"\s+", " ", text).strip()
