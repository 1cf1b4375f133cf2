"""Which words tell who made an output, and how they are found and redacted."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparator.domain.blinding import name_search
from comparator.domain.blinding.leak_patterns import UNNAMED, LeakKind, LeakPattern, patterns_for
from comparator.domain.blinding.name_search import NameSearch
from comparator.domain.blinding.redaction import PatternDecision, Redaction, TextForm, redact, spans
from comparator.domain.blinding.scan import (
    PatternFinding,
    ScanText,
    Where,
    scan,
    suggested_redactions,
    suggestion,
)
from comparator.domain.labels import Label, PerOutput


def _texts(a: str, b: str = "", *, prompt: str = "") -> list[ScanText]:
    return [
        ScanText(where=Where.FILE_TEXT, text=a, label=Label.A),
        ScanText(where=Where.FILE_TEXT, text=b, label=Label.B),
        ScanText(where=Where.PROMPT, text=prompt),
    ]


def _found(names: list[str], text: str) -> dict[str, PatternFinding]:
    return {finding.pattern: finding for finding in scan(patterns_for(names), _texts(text))}


def _redacted(text: str, *patterns: str) -> str:
    return redact(text, [Redaction(pattern=p, decision=PatternDecision.REDACT) for p in patterns])


def test_a_name_ends_where_script_case_or_number_changes() -> None:
    for written, neutral in (
        *(("gke-upgrades", "tidy-toolkit"), ("GKE Upgrades", "TIDY TOOLKIT")),
        *(("gke_upgrades", "tidy_toolkit"), ("GkeUpgrades", "TidyToolkit"), ("gkeUpgrades", "tidyToolkit")),
        *(("GKE_UPGRADES", "TIDY_TOOLKIT"), ("gke/upgrades", "tidy/toolkit")),
        *(("gke-\nupgrades", "tidy-toolkit"), ("gke-upgradesx", "tidy-toolkitx")),
        *(("xgkeupgradesx", "xtidytoolkitx"), ("gke and upgrades", "gke and upgrades")),
        *(("a gke. Upgrades", "a gke. Upgrades"), ("v310", "v310"), ("rev31", "rev31")),
        *(("isV31", "isToolkit"), ("%763%31", "toolkit"), ("V31Made", "ToolkitMade")),
        *(("由v31生成", "由toolkit生成"), ("Яv31", "Яtoolkit")),
        *(("2v31", "2toolkit"), ("%20v31", "%20toolkit")),
        *(("\x1b[32mv31", "\x1b[32mtoolkit"), (r"a\nv31", r"a\ntoolkit"), ("=20v31=20", "=20toolkit=20")),
        *(("v&#51;1", "toolkit"), ("v<b>31</b>", "toolkit<b></b>"), ("v\u200d31", "toolkit")),
        *(("ｖ３１", "toolkit"), ("The ſplitter", "The toolkit"), ("skill and care", "skill and care")),
        *(("with_skill", "tidy_toolkit"), ("pdf-wizard", "tidy-toolkit")),
    ):
        names = ("gke-upgrades", "v31", "splitter", "with_skill", "\uff50df\u2011wi\u200bzard")

        assert _redacted(written, *names) == neutral


def test_the_longest_pattern_wins_and_one_that_is_kept_does_not_protect_a_shorter_one() -> None:
    rules = [
        Redaction(pattern=pattern, decision=PatternDecision.REDACT, replacement=noun)
        for pattern, noun in (("nova", "X"), ("nova-lab", "Y"))
    ]
    kept = Redaction(pattern="nova-lab", decision=PatternDecision.KEEP)

    assert redact("nova-lab and nova", rules) == "Y and X"
    assert redact("nova-lab and nova", [kept, rules[0]]) == "X-lab and X"


def test_a_short_name_inside_a_longer_word_is_reported_and_stays() -> None:
    (finding,) = scan([LeakPattern(text="zed", kind=LeakKind.CANDIDATE)], _texts("well organized"))

    assert (finding.kind, finding.pattern, finding.counts.A) == (LeakKind.INSIDE, "…zed…", 1)
    assert suggested_redactions([finding])[0].decision is PatternDecision.KEEP
    inside = [Redaction(pattern=finding.pattern, decision=PatternDecision.REDACT)]
    assert redact("well organized", inside) == "well organitoolkit"


def test_the_work_of_a_search_grows_with_the_text_and_not_with_its_square() -> None:
    alike = NameSearch(["a" * 236, *(f"{'a' * n}b" for n in range(3, 200))])

    assert len(alike.hits("a" * 8_000)) == 8_000 // 236
    assert len(NameSearch(["quoll"]).hits("id,quoll\n" * 60_000 + "&amp;")) == 60_000
    shapeless = "nova" + "\u200b" * 200_000 + "x"
    assert _redacted(shapeless, "nova-lab-x", "novaLab") == shapeless


def test_behind_too_many_beginnings_of_names_nothing_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(name_search, "MOST_LOOKS", 30_000)
    text = "larkspur " * 40_000 + "kestrelbark9"

    left = _redacted(text, "kestrelbark9", "larkspur-zq")

    assert left.endswith("begins like a name that is hidden.]")


def test_a_name_goes_and_what_stands_within_it_stays() -> None:
    for name, text, neutral in (
        ("quoll", "/Users/anna/Documents/projects/2024/comparison/outputs/folders/quoll", None),
        ("gpt4", "GPT-4, Gpt 4", "FRESCO, Fresco"),
        ("kestrelbark9", "Kestrelbark-9", "Fresco"),
        ("v31", "V-31, v310", "Fresco, v310"),
        ("kestrelbark9", r"\ud835\udc24estrelbark9", "fresco"),
        ("kestrelbark9", "kestrel[](x)bark9", "fresco[](x)"),
        ("kestrelbark9", "kestrel\x1b7bark9", "fresco"),
        ("kestrelbark9", "kestrel\x01bark9", "fresco"),
        ("kestrelbark9", "kestrel\u2065bark9", "fresco"),
        ("kestrelbark9", "<a>kestrel<![CDATA[bark9]]></a>", "<a>fresco<![CDATA[]]></a>"),
        ("kestrelbark9", "<a>kestrel<b>bark9</b></a>", "<a>fresco<b></b></a>"),
        ("kestrelbark9", 'f"{kestrel}bark9"', 'f"{fresco}"'),
        ("kestrelbark9", "[kestrel](http://x)bark9", "[fresco](http://x)"),
        ("kestrelbark9", "kestrel<!-- x -->bark9", "fresco"),
        ("kestrelbark9", f'<a b="{" ".join("kestrelbark9")}"/>', '<a b="fresco"/>'),
    ):
        redactions = [Redaction(pattern=name, decision=PatternDecision.REDACT, replacement="fresco")]

        assert redact(text, redactions, TextForm.CELL) == (neutral or text.replace(name, "fresco"))


PLAIN = (
    *("baseline", "new", "x", "v2", "def", "not", "css", "beta", "None", "SELECT", "div", "const", "green"),
    "len",
)


def test_common_words_and_short_parts_are_no_findings_and_names_of_their_own_are() -> None:
    for name in PLAIN:
        assert patterns_for([name]) == patterns_for([])
    # Of candidates without a name, what they are called tells nothing.
    assert patterns_for(UNNAMED) == patterns_for([])
    texts = {pattern.text for pattern in patterns_for(["acme-pro-writer"])}
    assert "acme-pro-writer" in texts
    assert not texts & {"pro", "writer"}
    for name in ("splitter", "falcon", "def-nova", "css_2", "beta3x", "not.beta"):
        assert name in {pattern.text for pattern in patterns_for([name])}
    # The part in which two candidates differ is one, however short.
    assert {"v31", "v32"} <= {pattern.text for pattern in patterns_for(["prompt-v31", "prompt-v32"])}


def test_a_word_out_of_a_models_name_is_not_called_a_candidates() -> None:
    patterns = patterns_for(["orbit-lab"], models=["zephyr-9-preview", "orbit-lab"])
    kinds = {pattern.text: pattern.kind for pattern in patterns}

    assert kinds["zephyr"] is kinds["zephyr-9-preview"] is LeakKind.MODEL
    # A word of the trade as well, which replaced would make one side's output wrong.
    assert "preview" not in kinds
    assert kinds["orbit-lab"] is LeakKind.CANDIDATE


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (("orbit-2.5-flash", "orbit-2.5-pro"), "I am Ferry Flash; Flash 2.5; 2.5-flash; rocket-flash"),
        (("orbit-5-nano", "orbit-5-thinking"), "I am Nano"),
        (("chatorb", "deepkite"), "Chat Orb; Chat-Orb; Deep-Kite; DEEP_KITE; Deep/Kite"),
    ],
)
def test_what_tells_two_models_apart_is_replaced_in_each_writing(names: tuple[str, str], text: str) -> None:
    findings = scan(patterns_for(names), _texts(text))
    redactions = [rule.copy_with(replacement="tool") for rule in suggested_redactions(findings)]

    left = redact(text, redactions).casefold()

    assert not {"flash", "nano", "orb", "kite"} & {*re.findall("[a-z]+", left)}


def test_parts_of_a_name_are_findings_that_are_kept_unless_asked_for() -> None:
    findings = _found(["acme-splitter"], "The splitter came from acme-splitter.")

    assert suggestion([findings["acme-splitter"]]) is PatternDecision.REDACT
    assert findings["splitter"].counts.A == 1, "the part inside the full name is not counted again"


def test_findings_count_each_side_and_elsewhere_apart() -> None:
    findings = scan(patterns_for(["nova"]), _texts("nova here, Nova there", "nova", prompt="ask nova"))

    (rule,) = suggested_redactions(findings)
    assert (rule.pattern, rule.decision) == ("nova", PatternDecision.REDACT)
    by_place = {finding.where: finding for finding in findings}
    assert by_place[Where.FILE_TEXT].counts == PerOutput[int](A=2, B=1)
    assert by_place[Where.FILE_TEXT].elsewhere == 0
    assert by_place[Where.PROMPT].elsewhere == 1
    assert by_place[Where.PROMPT].excerpt == "ask nova"


def test_the_skill_and_its_files_are_sought_whatever_the_candidates_are_called() -> None:
    findings = _found([], "I read SKILL.md, used the skill and wrote to with_skill/out.")

    assert findings["SKILL.md"].kind is LeakKind.SKILL_FILE
    assert suggestion([findings["SKILL.md"]]) is PatternDecision.REDACT
    assert findings["the skill"].kind is LeakKind.MENTION
    assert suggestion([findings["with_skill"]]) is PatternDecision.REDACT


def test_source_paths_are_found_with_either_slash() -> None:
    patterns = patterns_for([], source_paths=["/data/eval-nine/acme/outputs"])
    text = "wrote /data/eval-nine/acme/outputs/a.md and data\\eval-nine\\acme\\outputs"
    findings = scan(patterns, _texts(text))

    whole = next(f for f in findings if f.whole)
    assert whole.kind is LeakKind.SOURCE_PATH
    assert whole.counts.A == 2


def test_a_file_name_of_one_configuration_only_is_listed_and_kept() -> None:
    names = PerOutput[tuple[str, ...]](A=("plan.md", "shape-sorter.html"), B=("plan.md", "Shape-Sorter.css"))
    patterns = [p for p in patterns_for([], file_names=names) if p.kind is LeakKind.ONE_SIDED_NAME]

    assert [p.text for p in patterns] == ["shape-sorter.html", "Shape-Sorter.css"]
    assert not any(p.whole for p in patterns)


@given(
    st.text(alphabet="ab-_. /AB\u200bß", max_size=60),
    st.sampled_from(["a-b", "aB", "ab/a", "b", "a.b", "aba"]),
)
def test_scanning_finds_as_much_as_redacting(text: str, name: str) -> None:
    findings = scan([LeakPattern(text=name, kind=LeakKind.CANDIDATE)], _texts(text))

    rules = [Redaction(pattern=name, decision=PatternDecision.REDACT)]
    whole = [finding.counts.A for finding in findings if finding.kind is LeakKind.CANDIDATE]
    assert sum(whole) == len(list(spans(text, rules)))


@pytest.mark.parametrize("around", ["a ", "\x01a ", "é\u200b ", "ﬁ — ", "<b>*é*</b> ", "%20\u00adΣ "])
def test_a_name_is_found_at_its_place_wherever_a_long_text_is_cut_for_folding(around: str) -> None:
    search = NameSearch(["kestrel-bark9"])
    for shift in range(0, 30, 3):
        before = (around * 2048)[: 2030 + shift]
        text = f"{before} kes\u200btrel-bark9 {around * 2000} kestrel*bark9*."
        hits = [text[hit.start : hit.end] for hit in search.hits(text)]
        assert hits == ["kes\u200btrel-bark9", "kestrel*bark9"]


@pytest.mark.parametrize("end", ["\n", "-\n", " \r\n    ", "\n> ", "\n# ", "-\n // "])
def test_a_name_is_found_over_the_end_of_a_line(end: str) -> None:
    text = f"Made by kestrel{end}bark9 today."
    (hit,) = NameSearch(["kestrel-bark9"]).hits(text)
    assert text[hit.start : hit.end] == f"kestrel{end}bark9"
