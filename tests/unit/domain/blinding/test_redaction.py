"""Nouns stand where names stood: written as the names were, found nowhere else, and nothing stops parsing."""

import ast
import csv
import io
import json
from typing import Any

import tinycss2
import yaml
from hypothesis import assume, given
from hypothesis import strategies as st

from comparator.domain.blinding.leak_patterns import patterns_for
from comparator.domain.blinding.redaction import (
    NOUNS,
    PatternDecision,
    Redaction,
    TextForm,
    add_nouns,
    redact,
    redactions_for_words,
)
from comparator.domain.blinding.scan import ScanText, Where, scan, suggested_redactions
from comparator.domain.labels import Label

NAMES = ("quillwort-v31", "netarch", "orbit_lab", "Zoë-maker")
WRITTEN = (
    *("quillwort-v31", "QuillwortV31", "quillwort_v31", "QUILLWORT_V31", "quillwortV31", "Quillwort V31"),
    *("netarch", "Netarch", "NETARCH", "orbit-lab", "orbitLab", "orbit lab", "orbit\nlab", "orbit\tlab"),
    "Zoë-maker",
)
REDACTIONS = tuple(Redaction(pattern=name, decision=PatternDecision.REDACT) for name in NAMES)
SAID = ScanText(where=Where.FILE_TEXT, text="The eval run and the baseline run, a subagent.", label=Label.A)
EVERY = (*REDACTIONS, *suggested_redactions(scan([], [SAID])))
OTHERS = ("baseline", "eval run", "the baseline run", "subagent", "skill", "é", "\\", '"', "x1", "{}")
words = st.lists(st.sampled_from((*WRITTEN, *OTHERS)), min_size=1, max_size=5)
texts = st.one_of(words.map(" ".join), words.map("".join))
IDENTIFIERS = (
    "runQuillwortV31 quillwort_v31 QuillwortV31Runner netarch orbitLab ORBIT_LAB total baseline orbit_lab_2"
)
identifiers = st.sampled_from(IDENTIFIERS.split())


def _is_gone(text: str) -> bool:
    findings = scan(patterns_for(NAMES), [ScanText(where=Where.FILE_TEXT, text=text, label=Label.A)])
    return not any(finding.whole for finding in findings)


def _named(*sources: str) -> tuple[Redaction, ...]:
    return add_nouns(EVERY, texts=sources, seed="")


# ---- nouns


def test_a_noun_is_written_as_the_name_was() -> None:
    for text, neutral in (
        ("netarch-setup.sh", "toolkit-setup.sh"),
        ("runQuillwortV31()", "runTidyToolkit()"),
        ("class QuillwortV31Runner", "class TidyToolkitRunner"),
        ("QUILLWORT_V31_PATH", "TIDY_TOOLKIT_PATH"),
        ("xquillwortv31x", "xtidytoolkitx"),
        ("quillwort-v310", "quillwort-v310"),
        ("An orbit lab and an Orbit-Lab", "A tidy toolkit and a Tidy-Toolkit"),
        ("Zoë-Maker's notes", "Tidy-Toolkit's notes"),
    ):
        assert redact(text, REDACTIONS) == neutral


@given(st.lists(st.sampled_from(NOUNS), max_size=120), st.text(max_size=8))
def test_a_noun_that_occurs_anywhere_is_not_used(used: list[str], seed: str) -> None:
    text = " ".join(used)

    nouns = [
        word for rule in add_nouns(REDACTIONS, texts=[text], seed=seed) for word in rule.replacement.split()
    ]

    assert not set(nouns) & set(used)


def test_each_pattern_has_a_noun_of_its_own_whatever_else_is_decided() -> None:
    every = [Redaction(pattern=f"maker-{n}x", decision=PatternDecision.REDACT) for n in range(900)]
    nouns = [redaction.replacement for redaction in add_nouns(every, texts=[], seed="a")]

    assert len(set(nouns)) == 900
    assert nouns != [redaction.replacement for redaction in add_nouns(every, texts=[], seed="b")]
    kept = [every[0].model_copy(update={"decision": PatternDecision.KEEP}), *every[1:]]
    assert [redaction.replacement for redaction in add_nouns(kept, texts=[], seed="a")] == nouns


@given(texts, st.sampled_from(list(TextForm)))
def test_no_name_is_left_on_one_line(text: str, writing: TextForm) -> None:
    text = " ".join(text.split())
    # "\\netarch" is a line's end and "etarch" there.
    assume(writing is not TextForm.ESCAPED or "\\" not in text)

    assert _is_gone(redact(text, _named(text), writing))


# ---- what parsed before parses after


values = st.recursive(
    st.one_of(texts, st.integers(), st.booleans(), st.none()),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
    max_leaves=12,
)


def _shape(value: Any) -> Any:
    match value:
        case dict():
            return [_shape(item) for item in value.values()]
        case list():
            return [_shape(item) for item in value]
        case str():
            return "text"
    return value


def _keys_stay_apart(value: Any) -> bool:
    """Whether no two keys of a mapping become one when white space and names in them are made alike."""
    match value:
        case dict():
            plain = [" ".join(key.split()) for key in value]
            apart = len({" ".join(redact(key, _named(key), TextForm.CODE).split()) for key in plain})
            return apart == len(value) and all(_keys_stay_apart(item) for item in value.values())
        case list():
            return all(_keys_stay_apart(item) for item in value)
        case _:
            return True


@given(values.filter(_keys_stay_apart), st.booleans(), st.sampled_from([None, 2]))
def test_json_parses_as_before_without_the_names(value: Any, plain: bool, indent: int | None) -> None:
    source = json.dumps(value, ensure_ascii=plain, indent=indent)

    neutral = json.loads(redact(source, _named(source), TextForm.ESCAPED))

    assert _shape(neutral) == _shape(value)
    assert _is_gone(" ".join(json.dumps(neutral, ensure_ascii=False).replace("\\n", " ").split("\\t")))


@given(values.filter(_keys_stay_apart), st.booleans())
def test_yaml_parses_as_before(value: Any, flow: bool) -> None:
    source = yaml.safe_dump(value, allow_unicode=True, default_flow_style=flow, width=60)

    neutral = redact(source, _named(source), TextForm.CODE)
    assert _shape(yaml.safe_load(neutral)) == _shape(yaml.safe_load(source))


@given(
    st.lists(st.lists(texts, min_size=2, max_size=4), min_size=1, max_size=4),
    st.sampled_from([",", ";", "\t"]),
)
def test_csv_keeps_its_rows_and_cells(rows: list[list[str]], mark: str) -> None:
    out = io.StringIO()
    csv.writer(out, delimiter=mark).writerows(rows)
    neutral = redact(out.getvalue(), _named(out.getvalue()), TextForm.DATA)

    def cells(text: str) -> list[int]:
        return [len(row) for row in csv.reader(io.StringIO(text), delimiter=mark)]

    assert cells(neutral) == cells(out.getvalue())


@given(
    st.lists(st.tuples(identifiers, texts), min_size=1, max_size=5),
    st.lists(identifiers, unique=True, max_size=5),
)
def test_python_parses_as_before(lines: list[tuple[str, str]], parameters: list[str]) -> None:
    source = f"def run({', '.join(parameters)}):\n"
    for name, text in lines:
        source += f"    {name} = eval({text!r})  # the baseline run\n"
        source += f"    r'''{text.strip(chr(92))} '''; orbit.lab / {name} - netarch\n"

    before, after = ast.parse(source), ast.parse(redact(source, _named(source), TextForm.CODE))

    assert [type(node) for node in ast.walk(after)] == [type(node) for node in ast.walk(before)]


@given(
    st.lists(
        st.tuples(identifiers, words.map(lambda given: given[0].replace("\n", " "))), min_size=1, max_size=4
    )
)
def test_css_parses_as_before_and_keeps_its_own_words(rules: list[tuple[str, str]]) -> None:
    source = "\n".join(
        f'.{name}, #{name}-box > a[href="{name}"] {{ align-items: baseline; --{name}: 1px; '
        f"content: {json.dumps(text)}; background: url(img/{name}.png) }}"
        for name, text in rules
    )

    neutral = redact(source, _named(source), TextForm.CODE)

    def kinds(css: str) -> list[tuple[str, list[str]]]:
        return [
            (rule.type, [declaration.type for declaration in tinycss2.parse_blocks_contents(rule.content)])
            for rule in tinycss2.parse_stylesheet(css, skip_whitespace=True)
        ]

    assert kinds(neutral) == kinds(source)
    assert neutral.count("align-items: baseline;") == len(rules)


def test_a_name_behind_an_escape_is_found_and_an_escape_is_no_part_of_a_name() -> None:
    source = json.dumps({"a": "line\nnetarch", "b": "netarch\tnetarch", "c": "\netarch", "d": "C:\\netarch"})

    neutral = {"a": "line\ntoolkit", "b": "toolkit\ttoolkit", "c": "\netarch", "d": "C:\\toolkit"}
    assert json.loads(redact(source, REDACTIONS, TextForm.ESCAPED)) == neutral
    assert json.loads(redact('{"a": "\\u006eetarch"}', REDACTIONS, TextForm.ESCAPED)) == {"a": "toolkit"}
    code, neutral_code = r"x = r'C:\netarch' + 'a\nnetarch'", r"x = r'C:\toolkit' + 'a\ntoolkit'"
    assert redact(code, REDACTIONS, TextForm.CODE) == neutral_code


# ---- words that a person asks for


def test_any_word_can_be_asked_for_and_an_ordinary_one_stays_in_code() -> None:
    redactions = redactions_for_words(["baseline", "Zanzibar"])

    assert redact("Our baseline is Zanzibar.", redactions) == "Our toolkit is Toolkit."
    assert redact("baseline = zanzibar", redactions, TextForm.CODE) == "baseline = toolkit"
    assert redact("`baseline` and the baseline", redactions) == "`baseline` and the toolkit"
    passage, phrase = redactions_for_words(["the skill told me", "eval run"])
    assert (passage.decision, phrase.decision) == (PatternDecision.MARK, PatternDecision.REDACT)


def test_of_a_name_that_a_line_of_data_ends_in_its_parts_go() -> None:
    text = 'a,by\n1,"kestrel\n-bark9"\n'
    findings = scan(
        patterns_for(["kestrel-bark9"]), [ScanText(where=Where.FILE_TEXT, text=text, label=Label.A)]
    )

    rewritten = redact(text, suggested_redactions(findings), TextForm.DATA)

    assert "kestrel" not in rewritten
    assert "bark9" not in rewritten
    assert rewritten.count("\n") == text.count("\n")
