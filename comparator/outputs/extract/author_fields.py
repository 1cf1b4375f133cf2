"""Fields in which files name their authors: front matter, heads and package files, with neutral values.

What a text says in its own words stays; so do the shape of a field and the number of people in it.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath

NEUTRAL = b"a person"
PERSON_FIELDS = ("author", "creator", "contributor", "maintainer", "editor", "publisher", "owner")
"""Names of fields that name a person in every format: here, and as metadata of a web page."""
_HEAD = 64 * 1024
"""Heads of documents are looked for in so many bytes."""
_NAMES = (
    rb"(?:" + b"|".join(name.encode() + b"s?" for name in PERSON_FIELDS) + rb"|by-?line|e-?mail|"
    rb"copyright[-_ ]holders?)"
)
_MATTER = re.compile(
    rb"\A(?:\xef\xbb\xbf)?(---|\+\+\+)[ \t]*\r?\n(.*?)(?=\r?\n(?:\1|\.\.\.)[ \t]*(?:\r?\n|\Z))", re.DOTALL
)
_FIELD = re.compile(
    rb"^([ \t]*)([\"']?" + _NAMES + rb"[\"']?[ \t]*[:=])([^\n]*)((?:\n(?:\1[ \t]+|\1- )[^\n]*)*)",
    re.IGNORECASE | re.MULTILINE,
)
_PART = re.compile(rb"([\w-]+[ \t]*[:=][ \t]*)?(\"[^\"\n]*\"|'[^'\n]*'|[^\s,\[\]{}\"'-][^,\[\]{}\n\r]*)")
_TEX = re.compile(
    rb"(\\(?:author|date@author|institute|affiliation|affil|email|thanks|address)\s*(?:\[[^\]\n]{0,200}\])?\s*\{"
    rb"|\bpdf(?:author|creator|producer)\s*=\s*\{)"
    rb"(?:[^{}\\]|\\.|\{(?:[^{}\\]|\\.|\{[^{}]*\})*\})*+(?=[{}]|\Z)",
    re.DOTALL,
)
_MARKED = re.compile(
    rb"^([ \t]*(?::(?:author|authors|email|organization|contact):|\#\+(?:author|email|creator):|"
    rb"\.\. (?:module|section)?author::|%[ \t]*author:)[ \t]*)[^\r\n]+",
    re.IGNORECASE | re.MULTILINE,
)
_DUNDER = re.compile(
    rb"^(__(?:author|authors|maintainer|email|credits|contact)__[ \t]*=[ \t]*([\"']))[^\"'\r\n]*(?=\2)",
    re.MULTILINE,
)
_TAGGED = re.compile(
    rb"(<(?P<tag>(?:dc|cp|meta|dcterms):(?:creator|contributor|publisher|lastModifiedBy|initial-creator|printed-by)|[Aa]uthors?|[Oo]wners?|Company)\b[^<>]{0,400}>)[^<]{1,2000}(?=</(?P=tag))"
)
_SORTED = re.compile(rb"(\bfile-as\s*=\s*[\"'])[^\"'<>]{1,2000}(?=[\"'])")
_BOOK = re.compile(
    rb"(<docAuthor\b[^<>]{0,400}>\s*<text\b[^<>]{0,400}>|<meta\b[^<>]{0,400}\bproperty=[\"']file-as[\"'][^<>]{0,400}>)[^<]{1,2000}"
)
_MEMBER = re.compile(
    rb"(\"(?:" + _NAMES + rb")\"[ \t]*:\s*)(\"(?:[^\"\\\n]|\\.)*\"|\[[^\[\]]{0,20000}\]|\{[^{}]{0,20000}\})",
    re.IGNORECASE,
)
_VALUE = re.compile(rb"(\"(?:[^\"\\\n]|\\.)*\"\s*:\s*)?\"(?:[^\"\\\n]|\\.)*\"")

Rewrite = Callable[[bytes], bytes]


def without_authors(name: str, data: bytes) -> bytes:
    """The text of a file of this name, with neutral values where a field names a person.

    >>> without_authors("a.md", b"---\\ntitle: T\\nauthor: Anna Berg\\n---\\nBy Anna Berg")
    b'---\\ntitle: T\\nauthor: a person\\n---\\nBy Anna Berg'
    >>> without_authors("package.json", b'{"name": "x", "author": {"name": "Anna", "url": "anna.example"}}')
    b'{"name": "x", "author": {"name": "a person", "url": "a person"}}'
    """
    rewrite = kind_of(name)
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        # Only then, since what is changed is written as UTF-8.
        text = data.decode("utf-16", "replace").encode()
        return bare if (bare := rewrite(text)) != text else data
    return rewrite(data)


def kind_of(name: str) -> Rewrite:
    """How the fields of files of this name are made neutral."""
    path = PurePosixPath(name.lower())
    return _FILES.get(path.name) or _ENDINGS.get(path.suffix) or _document


def _document(data: bytes) -> bytes:
    return _at_its_head(data, lambda head: _MARKED.sub(rb"\g<1>" + NEUTRAL, _matter(head)))


def _head(data: bytes) -> bytes:
    return _at_its_head(data, _fields)


def _at_its_head(data: bytes, rewrite: Rewrite) -> bytes:
    head = data[:_HEAD]
    bare = rewrite(head)
    # A large file is copied only where something has changed.
    return data if bare == head else bare + data[_HEAD:]


def _matter(head: bytes) -> bytes:
    match = _MATTER.match(head)
    return head if match is None else head[: match.start(2)] + _fields(match[2]) + head[match.end(2) :]


def _fields(block: bytes) -> bytes:
    return _FIELD.sub(lambda match: match[1] + match[2] + _values(match[3]) + _values(match[4]), block)


def _values(text: bytes) -> bytes:
    """Each value of a field neutral; keys, list marks, quotes and line ends stay."""

    def neutral(part: re.Match[bytes]) -> bytes:
        quote = part[2][:1] if part[2][:1] in (b'"', b"'") else b""
        return (part[1] or b"") + quote + NEUTRAL + quote

    return _PART.sub(neutral, text)


def _package(data: bytes) -> bytes:
    def member(match: re.Match[bytes]) -> bytes:
        return match[1] + _VALUE.sub(lambda value: (value[1] or b"") + b'"' + NEUTRAL + b'"', match[2])

    return _MEMBER.sub(member, data)


def _replacing(*patterns: re.Pattern[bytes]) -> Rewrite:
    """What puts the neutral word behind the first group of each pattern.

    >>> _markup(b'<dc:creator opf:file-as="Berg, Anna">Anna Berg</dc:creator><docAuthor><text>Anna</text></docAuthor>')
    b'<dc:creator opf:file-as="a person">a person</dc:creator><docAuthor><text>a person</text></docAuthor>'
    >>> _markup(b'<meta refines="#c" property="file-as">Berg, Anna</meta>')
    b'<meta refines="#c" property="file-as">a person</meta>'
    >>> _tex(rb"\\author[1]{Anna \\textbf{Berg}} and \\author{}")
    b'\\\\author[1]{a person} and \\\\author{a person}'
    """

    def rewrite(data: bytes) -> bytes:
        for pattern in patterns:
            data = pattern.sub(rb"\g<1>" + NEUTRAL, data)
        return data

    return rewrite


_tex, _python, _markup = _replacing(_TEX), _replacing(_DUNDER), _replacing(_TAGGED, _SORTED, _BOOK)
_FILES: Mapping[str, Rewrite] = {
    **dict.fromkeys(
        ("package.json", "composer.json", "bower.json", "manifest.json", "codemeta.json"), _package
    ),
    **dict.fromkeys(
        (
            "pyproject.toml",
            "cargo.toml",
            "citation.cff",
            "pubspec.yaml",
            "description",
            "setup.cfg",
            "galaxy.yml",
        ),
        _head,
    ),
}
_ENDINGS: Mapping[str, Rewrite] = {
    **dict.fromkeys((".tex", ".ltx", ".latex", ".sty", ".cls", ".dtx"), _tex),
    **dict.fromkeys((".py", ".pyi"), _python),
    **dict.fromkeys(
        (".xml", ".opf", ".ncx", ".fodt", ".fods", ".fodp", ".nuspec", ".csproj", ".xsd", ".dbk"), _markup
    ),
    **dict.fromkeys((".json", ".csv", ".tsv", ".jsonl", ".log"), bytes),
}
