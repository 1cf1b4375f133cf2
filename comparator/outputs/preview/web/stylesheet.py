"""Foreign CSS made harmless: nothing in it loads, and it cannot leave its style element."""

from __future__ import annotations

import re

_COMMENT = re.compile(r"/\*.*?(\*/|\Z)", re.DOTALL)
_ESCAPE = re.compile(r"\\([0-9a-fA-F]{1,6})[ \t\n]?")
_IMPORT = re.compile(r"@(import|charset|namespace)\b[^;{}]*(;|\Z|(?=[{}]))", re.IGNORECASE)
_URL = re.compile(r"url\(\s*(\"[^\"]*\"|'[^']*'|[^)]*)\s*\)?", re.IGNORECASE)
_OTHER_LOADERS = re.compile(
    r"(?:-webkit-)?(?:image-set|cross-fade|image|src|paint|element)\s*\(|expression\s*\(|-moz-binding|behavior\s*:",
    re.IGNORECASE,
)
_DATA_PICTURE = re.compile(
    r"data:(image/(png|jpe?g|gif|webp|svg\+xml)|font/|application/font)", re.IGNORECASE
)


def clean_stylesheet(css: str) -> str:
    """A style sheet without imports, without addresses that load, and without a way out of its element."""
    return _harmless(css)


def clean_declarations(css: str) -> str:
    """The declarations of one style attribute, cleaned in the same way."""
    return re.sub("[{}@]", " ", _harmless(css))


def _harmless(css: str) -> str:
    css = _COMMENT.sub(" ", css)
    # Escapes can spell any word, so they are resolved before words are looked for; what is left of backslashes goes,
    # except in generated content such as "\2022", which has become the character itself.
    css = _ESCAPE.sub(_character, css).replace("\\", "")
    css = css.replace("<", "").replace("\x00", "")
    # A blank stays where something was, so that what it parted is not joined to a word that was not looked at.
    css = _IMPORT.sub(" ", css)
    css = _URL.sub(_own_url, css)
    return _OTHER_LOADERS.sub("none-(", css)


def _character(match: re.Match[str]) -> str:
    code = int(match.group(1), 16)
    return chr(code) if 0x20 <= code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else ""


def _own_url(match: re.Match[str]) -> str:
    target = match.group(1).strip().strip("\"'").strip()
    if _DATA_PICTURE.match(target) or target.startswith("#"):
        safe = target.replace('"', "%22").replace("\n", "%0A").replace(")", "%29")
        return f'url("{safe}")'
    return "none"
