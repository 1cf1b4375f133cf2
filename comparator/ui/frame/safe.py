"""The one place where foreign text becomes Streamlit Markdown, which otherwise runs, links and loads what it says."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import indent
from typing import Literal, NamedTuple, NewType
from urllib.parse import quote

import streamlit as st
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from comparator.ui.frame.state import Param

Markdown = NewType("Markdown", str)
"""Text that may be given to Streamlit: made here, or written by us."""

Width = int | Literal["stretch", "content"]
JOINER = "\u2060"
"""Invisible and without width. It parts what Streamlit would still replace in text that is escaped already."""

ELLIPSIS = " … "
_MARK = re.compile(r"([!-/:-@\[-`{-~])")
_JOINERS_OF_WORDS = "\u200c\u200d"
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
# :material/x:, :emoji: and http://; www.; a@b.c; arrows and comparisons.
_REPLACED = re.compile(r":(?=[\w+/-])|(?<=www)(?=\.)|(?=@)|(?<=[-<>~])(?=[->=])", re.IGNORECASE)
_LEADING = re.compile(r"^ +")
# In our documentation: pictures, links to other pages and to files, and directives of the site.
_IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)\n*")
_PAGE_LINK = re.compile(r"\]\((?!https?:)([\w-]+)\.md(#[\w-]+)?\)")
_FILE_LINK = re.compile(r"\[([^\]]*)\]\((?!https?:|help\?|#)[^)]*\)")
_APP_PAGE = re.compile(r"\*\*(Queue|New|Import|Batches|Panel|History|Dashboards|Judge|Settings)\*\*")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_MARKDOWN = MarkdownIt("commonmark").enable("table")
_SENTENCE = re.compile(r"(?<=[.!?]) +(?=[^a-z])")
MOST_FOUND, MOST_ANSWERED = 6, 3
NOTHING_FOUND = "No help page has any of these words. Try one word as it stands on a page, such as “reveal”."
READ_FIRST = ("reviewing", "glossary")
_FILLERS = re.compile(
    r"\b(?:an?|are|can|do|does|for|how|i|in|is|it|means?|my|of|on|the|this|to|what|where|who|why|you)\b|\b\d[\d.,]*(?:%|\b)"
)
"""Words of questions that say nothing of what is asked about, and the figures of a label."""
_FENCE = re.compile(r"^(?:```|:::)\{.*?^(?:```|:::)$\n?", re.MULTILINE | re.DOTALL)


def text(value: str) -> Markdown:
    """Markdown that shows the value literally on one line, whatever it contains.

    Characters that hide or turn the reading direction become visible as ⟨U+202E⟩, line breaks as ↵.
    """
    parted = _REPLACED.sub(lambda match: match.group() + JOINER, visible(value))
    indented = _LEADING.sub(lambda spaces: "\u00a0" * len(spaces.group()), parted)
    return Markdown(_MARK.sub(r"\\\1", indented))


def marked(value: str, part: str) -> Markdown:
    """The value literally, with the first place of this part marked; as it is where the part does not occur."""
    return _with_part(value, part, ":orange-background[{}]")


def linked(value: str, part: str, address: str) -> Markdown:
    """The value literally, with the first place of this part as a link to a page of this app."""
    return _with_part(value, part, f"[{{}}]({quote(address, safe='/?=&%+#')})")


def _with_part(value: str, part: str, form: str) -> Markdown:
    before, part, after = value.partition(part) if part else (value, "", "")
    mark = form.format(text(part)) if part else ""
    # A space at its start would be kept from breaking the line, as where it indents.
    gap = " " if part and after.startswith(" ") else ""
    return Markdown(f"{text(before)}{mark}{gap}{text(after.lstrip(' ') if gap else after)}")


def middle(value: str, limit: int) -> Markdown:
    """The same, with its middle left out where the value is longer than `limit` characters (at least 10)."""
    return text(cut(value, limit))


def code(value: str) -> Markdown:
    """Markdown that shows the value literally in the code font, on one line."""
    literal = visible(value).replace(":material", f":{JOINER}material")
    if not literal.strip(" `"):
        return text(value)
    longest = max((len(run) for run in re.findall("`+", literal)), default=0)
    fence = "`" * (longest + 1)
    return Markdown(
        f"{fence} {literal} {fence}" if literal[0] in "` " or literal[-1] in "` " else fence + literal + fence
    )


def rendered(value: str) -> Markdown:
    """The value's paragraphs, headings, lists, emphasis and code as such; all else it has stands there as words."""

    def words(node: SyntaxTreeNode) -> str:
        inner = "".join(map(words, node.children))
        match node.type:
            case "text" | "html_inline":
                return text(node.content)
            case "html_block":
                return f"{text(node.content.strip())}\n\n"
            case "code_inline":
                return code(node.content)
            case "fence" | "code_block":
                return "".join(f"{code(line)}  \n" for line in node.content.splitlines() if line) + "\n"
            case "softbreak" | "td" | "th":
                return f"{inner} "
            case "strong":
                return f"**{inner}**"
            case "heading":
                return f"**{inner}**\n\n"
            case "list_item":
                return indent(inner.strip(), "  ").replace("  ", "- ", 1) + "\n"
            case "paragraph" | "tr" | "hr" | "bullet_list" | "ordered_list":
                return f"{inner}\n\n"
        return inner

    return Markdown(words(SyntaxTreeNode(_MARKDOWN.parse(value))))


def write(body: Markdown) -> None:
    """Show Markdown that was made here or written by us as a paragraph of the page."""
    st.markdown(body)


def say(value: str) -> None:
    """Show the value literally as a paragraph of the page."""
    write(text(value))


def caption(value: str, *, width: Width = "stretch") -> None:
    """Show the value literally as a caption."""
    st.caption(text(value), width=width)


def problem(value: str | Exception) -> None:
    """Show what an error says, literally."""
    st.error(text(str(value)), icon=":material/error:")


def table(columns: Mapping[str, Sequence[Markdown]]) -> None:
    """Show texts that were made here as a table, the columns by their headings."""
    st.table(columns, border="horizontal", hide_index=True)


def document(file: Path) -> None:
    """Show a page of our documentation; its links to other pages lead to the same place in the app."""
    text = _FENCE.sub("", _IMAGE.sub("", file.read_text(encoding="utf-8")))
    st.markdown(_in_app(text))


def _in_app(text: str) -> str:
    """Our documentation with links to its pages as those of the help, and to the pages of the app that it names."""
    linked_pages = _PAGE_LINK.sub(lambda link: f"]({_help(link[1], link[2] or '')})", text)
    without_files = _FILE_LINK.sub(r"\1", linked_pages)
    return _APP_PAGE.sub(lambda name: f"[{name[1]}]({_app_page(name[1].lower())})", without_files)


def _help(page: str, place: str) -> str:
    """The address of a place in the help, in the project that is looked at."""
    return _app_page("help", f"page={page}") + place


def _app_page(name: str, query: str = "") -> str:
    """The address of a page of the app, in the project that is looked at."""
    project = st.query_params.get(Param.PROJECT)
    parts = "&".join(filter(None, (query, f"project={quote(project)}" if project else "")))
    return ("./" if name == "queue" else name) + (f"?{parts}" if parts else "")


def contents(index: Path) -> None:
    """List the pages of our documentation, each with what it is for, in a frame for each heading of its index, in two
    columns."""
    # The first heading is the index's own.
    _, _, _, *headed = _HEADING.split(index.read_text(encoding="utf-8"))
    columns, parts = st.columns(2, gap="medium"), list(zip(headed[::2], headed[1::2], strict=True))
    for at, (heading, body) in enumerate(parts):
        kept = "\n".join(line for line in body.splitlines() if _PAGE_LINK.search(line))
        with columns[(2 * at + 1) // len(parts)].container(border=True):
            st.markdown(_in_app(f"#### {heading}\n{kept}"))


class _Section(NamedTuple):
    """What stands under a heading: paragraphs and lines of lists, rows of tables as plain text, and code."""

    heading: str
    prose: list[str]
    rows: list[str]
    code: list[str]


def _sections(page: Path) -> list[_Section]:
    sections: list[_Section] = []
    tokens = _MARKDOWN.parse(_FENCE.sub("", page.read_text(encoding="utf-8")))
    for node in SyntaxTreeNode(tokens).walk():
        if node.type == "heading":
            sections.append(_Section(_words(node), [], [], []))
        elif node.type == "fence":
            sections[-1].code.append(node.content)
        elif node.type == "paragraph":
            sections[-1].prose.append(_words(node))
        elif node.type == "tr" and node.parent and node.parent.type == "tbody":
            first, *others = map(_words, node.children)
            sections[-1].rows.append(f"{first}: {'; '.join(filter(None, others))}")
    return sections


def _words(node: SyntaxTreeNode) -> str:
    kinds = ("text", "code_inline", "softbreak")
    return "".join(leaf.content or " " for leaf in node.walk() if leaf.type in kinds)


def _terms(words: str) -> list[str]:
    """What a question or a label is about: its words without fillers, figures and the s of a plural."""
    question = words.casefold()
    words_left = re.findall(r"[\w.-]+", _FILLERS.sub(" ", question)) or question.split()
    return [word.removesuffix("s") if len(word) > 3 else word for word in words_left]


def is_about(text: str, words: str) -> bool:
    """Whether our text has every word of a question, fillers aside."""
    terms = _terms(words)
    return _hits(text, terms) == len(terms)


def _hits(text: str, terms: Sequence[str]) -> int:
    """With how many of these terms a word of the text begins: "tie" is not in "quantities"."""
    folded = text.casefold()
    return sum(re.search(rf"(?<!\w){re.escape(term)}", folded) is not None for term in terms)


def answered(page: Path, words: str) -> bool:
    """Show those questions of our documentation that are asked with most of these words, with their whole answers;
    whether there are any."""
    terms = _terms(words)
    _, _, _, *headed = _HEADING.split(page.read_text(encoding="utf-8"))
    both = [
        (_hits(question, terms), f"**{question}**  \n{_in_app(answer.strip())}")
        for question, answer in zip(headed[::2], headed[1::2], strict=True)
    ]
    most = max(hits for hits, _ in both)
    if has_answer := 2 * most > len(terms):
        st.markdown("\n\n".join([answer for hits, answer in both if hits == most][:MOST_ANSWERED]))
    return has_answer


def found_in(pages: Sequence[Path], words: str, *, below_answer: bool = False) -> None:
    """List the sections of our documentation with most of these words, each from the sentence with most of them.

    First come the page for reviewers and the glossary, of these the section that is called so; then other sections that
    are called so, then sentences, and last rows of tables and code; of those that are alike, the ones with most of the
    words in their heading, the shortest first.
    """
    wanted = _terms(words)

    def hits(text: str) -> int:
        return _hits(text, wanted)

    parts = []
    for page in pages:
        sections = _sections(page)
        for heading, prose, rows, code in sections:
            body = "\n".join(prose + rows + code)
            if not (matched := hits(f"{heading} {body}")):
                continue
            # What a list or table says of a word begins with it.
            block = max((*prose, *rows, ""), key=lambda part: (hits(part), hits(part.partition(" ")[0])))
            sentences = _SENTENCE.split(block)
            # Whole words: "blind" is not what a sentence on blindness defines.
            first = max(range(len(sentences)), key=lambda at: len({*wanted} & {*_terms(sentences[at])}))
            plain = " ".join(sentences[first : first + 2])
            place = "-".join(re.findall(r"[^\W_]+", heading.casefold()))
            link = linked(heading, heading, _help(page.stem, f"#{place}"))
            title = f" · {sections[0].heading}" if heading != sections[0].heading else ""
            is_called_so = wanted in map(_terms, heading.split(", "))
            at = (
                not (is_called_so and page.stem in READ_FIRST),
                READ_FIRST.index(page.stem) if page.stem in READ_FIRST else len(READ_FIRST),
                not is_called_so,
                hits(f"{heading} {' '.join(prose)}") < len(wanted),
                -hits(heading),
                len(body),
            )
            parts.append((-matched, at, f"- {link}{text(title)}  \n  {text(plain)}"))
    parts.sort()
    most = [part for rank, _, part in parts if rank == parts[0][0]][:MOST_FOUND]
    if below_answer and not (parts and -parts[0][0] == len(wanted)):
        # Sections with some of the words add nothing to an answer.
        return
    if parts and -parts[0][0] < len(wanted):
        st.caption("No help page has all these words; these have the most of them.")
    st.markdown("\n".join(most) or NOTHING_FOUND)


def style(sheet: Path) -> None:
    """Put a style sheet of ours on the page."""
    st.html(sheet)


def cut(value: str, limit: int) -> str:
    """The value as plain text with its middle left out where it is longer than `limit` characters (at least 10).

    >>> cut("a_very_long_name_of_a_file.json", 17)
    'a_very_ … le.json'
    """
    if limit < 10:
        raise ValueError(f"{limit} characters are too few to cut a name in its middle; give at least 10")
    if len(value) <= limit:
        return value
    kept = limit - len(ELLIPSIS)
    return value[: kept - kept // 2] + ELLIPSIS + value[len(value) - kept // 2 :]


def beginning(value: str, limit: int) -> str:
    """Prose as plain text, ended after a whole word where it is longer than `limit` characters.

    >>> beginning("Name three rivers with their lengths", 20)
    'Name three rivers…'
    """
    if len(value) <= limit:
        return value
    kept = value[: limit - 1]
    words = kept.rpartition(" ")[0].rstrip(" .,;:…")
    # A word that takes up more than half of the room is torn, as is a language without spaces.
    return f"{words if len(words) * 2 >= limit else kept}…"


def visible(value: str) -> str:
    """The value as plain text with hidden characters shown by their code and line breaks as ↵."""
    # None of the hidden ones is printable. A grid has thousands of such texts.
    if value.isprintable():
        return value
    lines = value.replace("\r\n", "\n").replace("\t", "    ").split("\n")
    return " ↵ ".join("".join(_shown(character) for character in line) for line in lines)


def _shown(character: str) -> str:
    if character in _JOINERS_OF_WORDS or unicodedata.category(character) not in _HIDDEN:
        return character
    return f"⟨U+{ord(character):04X}⟩"
