"""Which words tell who made an output, and how they are found and redacted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparator.domain.blinding import name_search
from comparator.domain.blinding.leak_patterns import LeakKind, LeakPattern, patterns_for
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


@pytest.mark.parametrize(
    ("written", "neutral"),
    [
        ("gke-upgrades", "tidy-toolkit"),
        ("GKE Upgrades", "TIDY TOOLKIT"),
        ("gke_upgrades", "tidy_toolkit"),
        ("GkeUpgrades", "TidyToolkit"),
        ("gkeUpgrades", "tidyToolkit"),
        ("GKE_UPGRADES", "TIDY_TOOLKIT"),
        ("gke/upgrades", "tidy/toolkit"),
        ("gke-\nupgrades", "tidy-toolkit"),
    ],
)
def test_a_name_is_found_and_replaced_in_every_way_of_writing_it(written: str, neutral: str) -> None:
    assert "gke-upgrades" in _found(["gke-upgrades"], f"made by {written}.")
    assert _redacted(f"made by {written}.", "gke-upgrades") == f"made by {neutral}."


@pytest.mark.parametrize(
    ("written", "neutral"),
    [
        *(("gke-upgradesx", "tidy-toolkitx"), ("xgkeupgradesx", "xtidytoolkitx")),
        *(("gke and upgrades", "gke and upgrades"), ("v310", "v310"), ("rev31", "rev31")),
        *(("isV31", "isToolkit"), ("%763%31", "toolkit"), ("V31Made", "ToolkitMade")),
        *(
            ("由v31生成", "由toolkit生成"),
            ("Яv31", "Яtoolkit"),
            ("2v31", "2toolkit"),
            ("%20v31", "%20toolkit"),
        ),
        *(("\x1b[32mv31", "\x1b[32mtoolkit"), (r"a\nv31", r"a\ntoolkit"), ("=20v31=20", "=20toolkit=20")),
        *(
            ("v&#51;1", "toolkit"),
            ("v<b>31</b>", "toolkit<b></b>"),
            ("v\u200d31", "toolkit"),
            ("ｖ３１", "toolkit"),
        ),
    ],
)
def test_a_name_ends_where_script_case_or_number_changes_and_a_long_one_anywhere(
    written: str, neutral: str
) -> None:
    assert _redacted(written, "gke-upgrades", "v31") == neutral


def test_a_short_name_inside_a_longer_word_is_reported_and_stays() -> None:
    (found,) = scan([LeakPattern(text="zed", kind=LeakKind.CANDIDATE)], _texts("well organized"))

    assert (found.kind, found.pattern, found.counts.A) == (LeakKind.INSIDE, "…zed…", 1)
    assert suggested_redactions([found])[0].decision is PatternDecision.KEEP
    inside = [Redaction(pattern=found.pattern, decision=PatternDecision.REDACT)]
    assert redact("well organized", inside) == "well organitoolkit"


def test_the_part_in_which_two_candidates_differ_is_a_finding_however_short() -> None:
    assert {"v31", "v32"} <= {pattern.text for pattern in patterns_for(["prompt-v31", "prompt-v32"])}


@pytest.mark.parametrize("letters", [1_000, 8_000])
def test_the_work_of_a_search_grows_with_the_text_and_not_with_its_square(letters: int) -> None:
    search = NameSearch(["a" * 236, *(f"{'a' * n}b" for n in range(3, 200))])

    assert len(search.hits("a" * letters)) == letters // 236


def test_behind_too_many_beginnings_of_names_nothing_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(name_search, "MOST_LOOKS", 30_000)
    text = "larkspur " * 40_000 + "kestrelbark9"
    redactions = [
        Redaction(pattern=name, decision=PatternDecision.REDACT) for name in ("kestrelbark9", "larkspur-zq")
    ]

    assert redact(text, redactions).endswith("begins like a name that is hidden.]")


@pytest.mark.parametrize(
    ("name", "text", "neutral"),
    [
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
    ],
)
def test_a_name_goes_and_what_stands_within_it_stays(name: str, text: str, neutral: str | None) -> None:
    redactions = [Redaction(pattern=name, decision=PatternDecision.REDACT, replacement="fresco")]

    assert redact(text, redactions, TextForm.CELL) == (neutral or text.replace(name, "fresco"))


def test_many_hits_beside_one_escape_take_no_longer_each() -> None:
    search = NameSearch(["quoll"])

    assert len(search.hits("id,quoll\n" * 60_000 + "&amp;")) == 60_000


def test_common_words_and_short_parts_are_no_findings() -> None:
    assert patterns_for(["baseline", "new", "x", "v2"]) == patterns_for([])
    texts = {pattern.text for pattern in patterns_for(["acme-pro-writer"])}
    assert "acme-pro-writer" in texts
    assert not texts & {"pro", "writer"}


def test_a_word_out_of_a_models_name_is_not_called_a_candidates() -> None:
    kinds = {
        each.text: each.kind for each in patterns_for(["orbit-lab"], models=["zephyr-9-preview", "orbit-lab"])
    }

    assert kinds["preview"] is LeakKind.MODEL
    assert kinds["zephyr-9-preview"] is LeakKind.MODEL
    assert kinds["orbit-lab"] is LeakKind.CANDIDATE


def test_a_name_of_common_words_is_only_sought_in_its_joined_forms() -> None:
    assert _redacted("made with skill and care, old-prompt, old prompt", "with_skill", "old_prompt") == (
        "made with skill and care, tidy-toolkit, old prompt"
    )


def test_parts_of_a_name_are_findings_that_are_kept_unless_asked_for() -> None:
    found = _found(["acme-splitter"], "The splitter came from acme-splitter.")

    assert suggestion([found["acme-splitter"]]) is PatternDecision.REDACT
    assert found["splitter"].counts.A == 1, "the part inside the full name is not counted again"


def test_findings_count_each_side_and_elsewhere_apart() -> None:
    texts = _texts("nova here, Nova there", "nova", prompt="ask nova")
    findings = scan(patterns_for(["nova"]), texts)

    by_place = {finding.where: finding for finding in findings}
    assert by_place[Where.FILE_TEXT].counts == PerOutput[int](A=2, B=1)
    assert by_place[Where.FILE_TEXT].elsewhere == 0
    assert by_place[Where.PROMPT].elsewhere == 1
    assert by_place[Where.PROMPT].excerpt == "ask nova"


def test_the_skill_and_its_files_are_sought_whatever_the_candidates_are_called() -> None:
    found = _found([], "I read SKILL.md, used the skill and wrote to with_skill/out.")

    assert found["SKILL.md"].kind is LeakKind.SKILL_FILE
    assert suggestion([found["SKILL.md"]]) is PatternDecision.REDACT
    assert found["the skill"].kind is LeakKind.MENTION
    assert suggestion([found["with_skill"]]) is PatternDecision.REDACT


def test_source_paths_are_found_with_either_slash() -> None:
    patterns = patterns_for([], source_paths=["/data/eval-nine/acme/outputs"])
    findings = scan(
        patterns, _texts("wrote /data/eval-nine/acme/outputs/a.md and data\\eval-nine\\acme\\outputs")
    )

    whole = next(f for f in findings if f.whole)
    assert whole.kind is LeakKind.SOURCE_PATH
    assert whole.counts.A == 2


def test_a_file_name_of_one_configuration_only_is_listed_and_kept() -> None:
    names = PerOutput[tuple[str, ...]](A=("plan.md", "shape-sorter.html"), B=("plan.md", "Shape-Sorter.css"))
    patterns = [p for p in patterns_for([], file_names=names) if p.kind is LeakKind.ONE_SIDED_NAME]

    assert [p.text for p in patterns] == ["shape-sorter.html", "Shape-Sorter.css"]
    assert not any(p.whole for p in patterns)


def test_suggested_decisions_cover_each_pattern_once() -> None:
    findings = scan(patterns_for(["nova-lab"]), _texts("nova-lab and lab", prompt="nova-lab"))

    decisions = suggested_redactions(findings)
    assert [(d.pattern, d.decision) for d in decisions] == [("nova-lab", PatternDecision.REDACT)]


def test_the_longest_pattern_wins() -> None:
    kept = Redaction(pattern="nova", decision=PatternDecision.REDACT, replacement="X")
    longer = Redaction(pattern="nova-lab", decision=PatternDecision.REDACT, replacement="Y")

    assert redact("nova-lab and nova", [kept, longer]) == "Y and X"


def test_a_longer_pattern_that_is_kept_does_not_protect_the_shorter_one() -> None:
    assert (
        redact(
            "nova-lab",
            [
                Redaction(pattern="nova-lab", decision=PatternDecision.KEEP),
                Redaction(pattern="nova", decision=PatternDecision.REDACT),
            ],
        )
        == "toolkit-lab"
    )


def test_a_letter_that_only_folds_to_the_name_is_found() -> None:
    assert _redacted("The ſplitter", "splitter") == "The toolkit"


@given(st.text(alphabet="ab-_ \nNOVAnova.", max_size=80))
def test_nothing_of_a_name_is_left_after_redaction(text: str) -> None:
    rules = [Redaction(pattern="nova", decision=PatternDecision.REDACT, replacement="*")]

    assert not list(spans(redact(text, rules), rules))
    left = scan([LeakPattern(text="nova", kind=LeakKind.CANDIDATE)], _texts(redact(text, rules)))
    assert {finding.kind for finding in left} <= {LeakKind.INSIDE}


@given(st.text(max_size=60), st.text(min_size=1, max_size=20))
def test_any_name_and_any_text_can_be_scanned(text: str, name: str) -> None:
    found = scan(patterns_for([name]), _texts(text))
    redact(text, suggested_redactions(found))


@pytest.mark.parametrize(
    "written",
    [
        *(f"pdf{dash}wizard{dash}v31" for dash in "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"),
        "pdf.wizard.v31",
        "pd\u200bf-wiz\u200card-v\u200d3\u00ad1",
        "pdf\u200b-\u200bwizard\u2060v31",
        "\uff30\uff24\uff26\uff0d\uff37izard \uff563\uff11",
        "\U0001d429\U0001d41d\U0001d41f wizard v31",
    ],
)
def test_a_name_in_disguise_is_found_and_redacted_where_it_stands(written: str) -> None:
    text = f"\u200b\uff21 made by\u200b{written}. Stra\u00dfe \u0130"

    found = _found(["pdf-wizard-v31"], text)["pdf-wizard-v31"]

    assert found.counts.A == 1
    assert written in found.excerpt
    neutral = _redacted(text, "pdf-wizard-v31")
    before, after = text.split(written)
    assert neutral.startswith(before)
    assert neutral.endswith(after)
    assert neutral[len(before) : -len(after)].casefold().strip() in {f"tidy{joint}toolkit" for joint in "-. "}


def test_a_name_that_is_written_in_disguise_itself_is_found_in_plain_words() -> None:
    assert _redacted("by pdf-wizard", "\uff50df\u2011wi\u200bzard") == "by tidy-toolkit"


def test_two_sentences_are_no_name() -> None:
    assert (
        _redacted("We read the nova. Lab work follows.", "nova-lab") == "We read the nova. Lab work follows."
    )


def test_a_long_run_of_characters_without_a_shape_is_read_to_its_end() -> None:
    text = "nova" + "\u200b" * 200_000 + "x"

    assert _redacted(text, "nova-lab-x", "novaLab") == text


@pytest.mark.parametrize(
    "name", ["def", "not", "css", "beta", "None", "SELECT", "div", "const", "grep", "green", "len"]
)
def test_one_plain_word_of_code_or_language_is_never_a_name(name: str) -> None:
    assert patterns_for([name]) == patterns_for([])


@pytest.mark.parametrize("name", ["splitter", "falcon", "def-nova", "css_2", "beta3x", "not.beta"])
def test_a_name_of_its_own_stays_a_name(name: str) -> None:
    assert name in {pattern.text for pattern in patterns_for([name])}


@pytest.mark.slow
@pytest.mark.parametrize("stem", ["chapter-{}", "{}wizard", "x{}"])
def test_thousands_of_files_of_one_side_are_scanned(stem: str) -> None:
    names = PerOutput[tuple[str, ...]](
        A=tuple(f"a{stem.format(f'{n:05}')}.md" for n in range(5_000)),
        B=tuple(f"b{stem.format(f'{n:05}')}.md" for n in range(5_000)),
    )
    texts = [
        ScanText(where=Where.FILE_NAME, text=name, label=label)
        for label, side in names.items()
        for name in side
    ]
    texts += [
        ScanText(where=Where.FILE_TEXT, text=f"see {name} and the rest", label=Label.B) for name in names.A
    ]
    texts.append(ScanText(where=Where.FILE_TEXT, text="\n".join(names.A), label=Label.A))

    patterns = patterns_for(["nova-lab"], file_names=names)
    found = scan(patterns, texts)

    one_sided = [pattern for pattern in patterns if pattern.kind is LeakKind.ONE_SIDED_NAME]
    assert len(one_sided) == 400
    assert {finding.pattern for finding in found} == {pattern.text for pattern in one_sided}


@given(
    st.text(alphabet="ab-_. /AB\u200bß", max_size=60),
    st.sampled_from(["a-b", "aB", "ab/a", "b", "a.b", "aba"]),
)
def test_scanning_finds_as_much_as_redacting(text: str, name: str) -> None:
    found = scan([LeakPattern(text=name, kind=LeakKind.CANDIDATE)], _texts(text))

    rules = [Redaction(pattern=name, decision=PatternDecision.REDACT)]
    whole = [finding.counts.A for finding in found if finding.kind is LeakKind.CANDIDATE]
    assert sum(whole) == len(list(spans(text, rules)))


@pytest.mark.parametrize("around", ["a ", "\x01a ", "é\u200b ", "ﬁ — ", "<b>*é*</b> ", "%20\u00adΣ "])
def test_a_name_is_found_at_its_place_wherever_a_long_text_is_cut_for_folding(around: str) -> None:
    search = NameSearch(["kestrel-bark9"])
    for shift in range(0, 30, 3):
        before = (around * 2048)[: 2030 + shift]
        text = f"{before} kes\u200btrel-bark9 {around * 2000} kestrel*bark9*."
        hits = [text[hit.start : hit.end] for hit in search.hits(text)]
        assert hits == ["kes\u200btrel-bark9", "kestrel*bark9"]


def test_a_name_is_found_that_is_spelt_in_a_tag_which_has_no_escapes() -> None:
    spelt = " ".join("kestrelbark9")

    (hit,) = NameSearch(["kestrelbark9"]).hits(f'<a b="{spelt}"/>')

    assert (hit.start, hit.end) == (6, 6 + len(spelt))
