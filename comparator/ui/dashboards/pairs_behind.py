"""The pairs behind a bar or dot: the address that leads to them, and their list with what is counted in words."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import parse_qs, quote, unquote, urlencode, urlsplit

import streamlit as st

from comparator.domain.errors import ComparatorError
from comparator.domain.scoring.review import How
from comparator.reporting.results.candidates import Names, names_of
from comparator.reporting.results.decision import void_pairs
from comparator.reporting.results.over_iterations import plain_names, pooled
from comparator.reporting.scope import HOW_NAMES, KIND_NAMES, By, ResultFilter, Runs, Verdicts, Within
from comparator.reporting.themes.picture import Cited, cited, theme_names
from comparator.reporting.trust.judge import READINGS
from comparator.reporting.trust.reviewers import WINNER
from comparator.reporting.why.criteria import criterion_name
from comparator.reporting.why.expectations import ExpectationMet
from comparator.reporting.why.pairs import WHOLE, PairOutcome, Slice, pairs
from comparator.reporting.why.pairs_behind import ANY, behind
from comparator.reporting.why.slices import name_of_part
from comparator.store.pairs.runs import RunState
from comparator.ui.dashboards import sentences
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts.box import (
    FOLLOWED,
    PAIR,
    Link,
    Row,
    numbers,
    pair_link,
    take_marks_back,
)
from comparator.ui.frame.lists.narrowing import BY, parts_chosen
from comparator.ui.frame.words import counted

DASHBOARDS = "/dashboards"
BEHIND, WITHOUT, OF = "behind", "without", "of"
ALL, IN, VOID = "all", "in", "void"
"""In an address: all iterations of the two; a part to which their pairs are narrowed; those left out as not valid."""
PAIRS = "pairs"
"""The figure whose pairs are parts of a result; all others are figures of the tally."""
MOST = 200
QUOTED = 30
ENDED = {
    PairOutcome.WON: "won by {one}",
    PairOutcome.TIED: "tied",
    PairOutcome.LOST: "won by {two}",
}
FAVOURS = {
    PairOutcome.WON: "in which {one} leads by",
    PairOutcome.TIED: "even by",
    PairOutcome.LOST: "in which {two} leads by",
}
MEETS = {
    ExpectationMet.ONE: "only {one} meets the expectation",
    ExpectationMet.BOTH: "both meet the expectation",
    ExpectationMet.NEITHER: "neither meets the expectation",
    ExpectationMet.TWO: "only {two} meets the expectation",
    ExpectationMet.VARIES: "the expectation varies between runs",
    ExpectationMet.NOT_ASSESSED: "nobody assessed the expectation",
}
PLACES = {"first": "the output shown first", "second": "the output shown second", "tied": "neither output"}
WINNER_NAMES = {"A": "output A", "B": "output B", "TIE": "a tie"}

STATES = {
    RunState.VOID: "unusable output",
    RunState.CUT_OFF: "cut-off output",
    RunState.SUPERSEDED: "superseded output",
}
SPEAKS = {
    PairOutcome.WON: "speaks for {one}",
    PairOutcome.TIED: "speaks for both alike",
    PairOutcome.LOST: "speaks for {two}",
}


class _Listed(NamedTuple):
    caption: str
    rows: list[Row]
    cited: tuple[tuple[Cited, str], ...] = ()
    """Findings, each with the name of its candidate."""
    first_of: int = 0
    """How many pairs there are, where only the first of them were asked for."""


def address(project_id: str, **more: str) -> Link:
    """The address of the dashboards with these filters."""
    return Link(f"{DASHBOARDS}?{urlencode({'project': project_id, **more})}")


def tally_link(of: ResultFilter | str, figure: str, *key: str, without: tuple[str, ...] = ()) -> Link:
    """The address of the pairs that count in a figure of the tally under these parts of a key, and not under others.

    They are revealed pairs of the result `of`, or pairs of a whole project, by its id. A star is any part of a key.
    """
    more = {WITHOUT: "|".join(without)} if without else {}
    if isinstance(of, str):
        project_id = of
    else:
        project_id = of.project_id
        more[OF] = "|".join(_result(of))
    return address(project_id, behind=f"{figure}:{'|'.join(key)}", **more)


def pairs_link(asked: ResultFilter, only: Slice = WHOLE) -> Link:
    """The address of a part of the pairs of a result."""
    part = only.model_dump(mode="json", exclude_defaults=True).items()
    return tally_link(
        asked.project_id, PAIRS, *_result(asked), *(f"{name}={_escaped(str(value))}" for name, value in part)
    )


def void_pairs_link(asked: ResultFilter) -> Link:
    """The address of the pairs that a result leaves out since an output is not valid."""
    return tally_link(asked.project_id, PAIRS, *_result(asked), VOID)


def _result(asked: ResultFilter) -> tuple[str, ...]:
    return (
        *(asked.one, asked.two, asked.verdicts, asked.runs),
        *((ALL,) if asked.also else ()),
        *(f"{IN}={_escaped(f'{each.by.value}:{each.value}')}" for each in asked.within),
    )


def _escaped(value: str) -> str:
    """With what separates parts of a key escaped, since a reason or a grader's name may have it."""
    return quote(value, safe=" :")


def behind_asked(project_id: str) -> None:
    """The pairs behind the bar that the page's address asks for."""
    asked = st.query_params.get(BEHIND)
    if not asked:
        return
    with st.container(border=True):
        st.subheader("The pairs behind one figure", anchor=False)
        _list(project_id, asked, st.query_params.get(WITHOUT, ""), st.query_params.get(OF, ""))


def behind_clicked(project_id: str) -> None:
    """The pairs behind the mark that was clicked just now, in a dialog."""
    followed = st.session_state.pop(FOLLOWED, None)
    if followed is None:
        return
    _dialog(project_id, followed)


# The chart is drawn anew only when its list is closed, so that the list need not wait for it.
@st.dialog("The pairs behind this mark", width="large", on_dismiss=take_marks_back)
def _dialog(project_id: str, followed: str) -> None:
    asked = parse_qs(urlsplit(followed).query)
    _list(project_id, asked[BEHIND][0], asked.get(WITHOUT, [""])[0], asked.get(OF, [""])[0])


def _list(project_id: str, asked: str, without: str, of: str) -> None:
    figure, _, key = asked.partition(":")
    try:
        found = (
            _of_result(project_id, key)
            if figure == PAIRS
            else _of_tally(project_id, figure, key, without, of)
        )
    except (ComparatorError, KeyError, ValueError):
        # Revealed no longer, or an address that somebody typed.
        found = None
    if found is None or not found.rows:
        st.info("No pairs are counted there now.", icon=":material/info:")
        return
    st.caption(safe.text(f"{found.caption} {_how_many(found)}."))
    for each, candidate in found.cited[:QUOTED]:
        _quoted(each, candidate)
    if len(found.cited) > QUOTED:
        st.caption(safe.text(f"The first {QUOTED} of {counted(len(found.cited), 'finding')} are quoted."))
    numbers(BEHIND, found.rows)


def _how_many(found: _Listed) -> str:
    listed = len(found.rows)
    if found.first_of:
        return f"the first {listed} of {counted(found.first_of, 'pair')}"
    return f"the first {MOST} pairs" if listed == MOST else counted(listed, "pair")


def _quoted(each: Cited, candidate: str) -> None:
    """A finding with the words marked that assign it to the theme."""
    safe.write(safe.marked(each.finding.words, each.quote))
    with st.container(horizontal=True, vertical_alignment="center"):
        pair_link(each.finding.comparison_id, label=each.title)
        st.caption(
            safe.text(
                f"a {each.finding.source.value} of {candidate}, stated by the {each.finding.speaker.value}"
            )
        )


def _asked(project_id: str, key: str) -> tuple[ResultFilter, list[str], dict[str, str]]:
    """The result that a key begins with, and what else the key says: single words, and values by name."""
    one, two, verdicts, runs, *more = key.split("|")
    named = [
        (name, unquote(value)) for name, equals, value in (part.partition("=") for part in more) if equals
    ]
    within = [value.partition(":") for name, value in named if name == IN]
    asked = ResultFilter(
        project_id=project_id,
        one=one,
        two=two,
        verdicts=Verdicts(verdicts),
        runs=Runs(runs),
        within=tuple(Within(by=By(by), value=value) for by, _, value in within),
    )
    if ALL in more:
        asked = pooled(session.services().database, asked)
    return asked, more, {name: value for name, value in named if name != IN}


def _of_result(project_id: str, key: str) -> _Listed:
    asked, more, named = _asked(project_id, key)
    only = Slice.model_validate_strings(named)
    database = session.services().database
    if VOID in more:
        return _void(asked)
    rows = pairs(database, asked, only=only, limit=MOST)
    quotes: tuple[Cited, ...] = ()
    if only.theme:
        quotes = cited(database, asked, only.theme, only.theme_points, limit=MOST)
    called = _called(asked)
    return _Listed(
        _part(asked, only, called),
        [
            {
                "Task": row.title,
                "Overall difference": row.difference,
                "Whose verdict": KIND_NAMES[row.kind],
                PAIR: row.comparison_id,
            }
            for row in rows
        ],
        tuple((each, called.one if each.of_one else called.two) for each in quotes),
        only.first_of,
    )


def _void(asked: ResultFilter) -> _Listed:
    rows = void_pairs(session.services().database, asked, limit=MOST)
    called = _called(asked)
    return _Listed(
        f"Left out of the result, {called.one} against {called.two}:",
        [
            {
                "Task": row.title,
                "Left out": ", ".join(STATES[state] for state in row.states) or "warm-up pair",
                PAIR: row.comparison_id,
            }
            for row in rows
        ],
    )


def _called(asked: ResultFilter) -> Names:
    database = session.services().database
    if not asked.also:
        return names_of(database, asked.project_id, one=asked.one, two=asked.two)
    plain = plain_names(database, asked)
    return Names(plain[asked.one], plain[asked.two])


def _name_of(project_id: str, theme: str | None) -> str:
    if theme is None:
        return ""
    return theme_names(session.services().database, project_id).get(theme, "a theme that is gone")


def _criterion(project_id: str, path: str | None) -> str:
    if path is None:
        return ""
    return sentences.criterion(path, criterion_name(session.services().database, project_id, path))


def _of_tally(project_id: str, figure: str, key: str, without: str, of: str) -> _Listed:
    # Guesses by candidate, and what people guessed, are told of revealed pairs only; see counting.py.
    rows = behind(
        session.services().database,
        project_id,
        figure=figure,
        key=key,
        without=without,
        of=_asked(project_id, of)[0] if of else None,
        # A ranking counts pairs of all candidates in the parts that are chosen.
        within=parts_chosen() if figure == "won" else (),
        limit=MOST,
    )
    words = _figure_in_words(project_id, figure, key.split("|"), without.split("|"))
    return _Listed(
        words if of or figure == "won" else f"In the whole project. {words}",
        [{"Task": row.title, PAIR: row.comparison_id} for row in rows],
    )


def _part(asked: ResultFilter, only: Slice, called: Names) -> str:
    """What a part of a result's pairs is, in words."""
    database, project_id = session.services().database, asked.project_id
    criterion, theme = _criterion(project_id, only.criterion), _name_of(project_id, only.theme)

    def named(words: str) -> str:
        return words.format(one=called.one, two=called.two)

    parts = [
        KIND_NAMES[only.kind].capitalize() if only.kind else "Counted pairs",
        named("{one} against {two}"),
        *(
            f"{BY[each.by].lower()} “{name_of_part(database, each, project_id=project_id)}”"
            for each in asked.within
        ),
        *([named(ENDED[only.outcome])] if only.outcome else ()),
        *([f"decided by more than {only.above / 10:.1f} points"] if only.above is not None else ()),
        *([f"decided by at most {only.upto / 10:.1f} points"] if only.upto is not None else ()),
        *(["on which the judge's two orders disagreed"] if only.flipped else ()),
        *(["of the audit sample"] if only.audited else ()),
        *([f"{named(FAVOURS[only.lead])} {criterion}"] if only.criterion and only.lead else ()),
        *([f"in which {named(MEETS[only.met])}"] if only.met else ()),
        *([f"by how much more {called.one} has: {only.measure.split(':')[0]}"] if only.measure else ()),
        *([f"in which a score was changed because: {only.reason}"] if only.reason else ()),
        *([f"graded by {only.grader}"] if only.grader else ()),
        *(["behind an entry of the analysis"] if only.comparisons else ()),
        *([f"in which “{theme}” {named(SPEAKS[only.speaks]) if only.speaks else 'occurs'}"] if theme else ()),
    ]
    return f"{', '.join(parts)}:"


def _figure_in_words(project_id: str, figure: str, key: list[str], without: list[str]) -> str:
    """What a figure of the tally counts under a key, in words. Raises ValueError for what is none."""
    match figure, key:
        case "judge", [_, model, "read_twice"] if without[-1] == "flipped":
            return f"{model} named the same winner in both orders:"
        case "agree", [_, _, how, judge, person]:
            return f"The judge named {_winner(judge)}, the reviewer {_winner(person)}{_how(how)}:"
        case "agree", [_, _, how, judge, person, "or", *_]:
            same = "the same winner as" if judge == person else "another winner than"
            return f"The reviewer named {same} the judge{_how(how)}:"
        case "stated", [_, confidence, what]:
            same = "the same" if what == "same" else "another"
            return f"At a stated confidence of {confidence}%, a reviewer named {same} winner:"
        case "score_reviewed", [_, path, "assessed"]:
            return f"{_criterion(project_id, path)}: a person gave a score where the judge gave none:"
        case "score_reviewed", [_, path, what]:
            return f"{_criterion(project_id, path)}: a score of the judge was {what}:"
        case "score_reviewed_model", [_, model, what]:
            return f"A score of {model} was {what}:"
        case "reason", [_, reason]:
            return f"A score was changed because: {reason}:"
        case "cross", [_, how, path, _, _]:
            return f"{_criterion(project_id, path)}: scored by the judge and a person{_how(how)}:"
        case "judge", [_, model, "flipped"]:
            return f"{model} named another winner when the order was swapped:"
        case "judge", [_, model, what]:
            return f"{model}, {what.replace('_', ' ')}:"
        case "order", [_, model, place]:
            return f"{model} named {PLACES.get(place, place)} in one order or both:"
        case "lean", [_, who, trait, ended]:
            return f"By {who}, the {trait} output {ended}:"
        case "gold", [_, model, reading, what]:
            return f"{model}, {READINGS.get(reading, reading)}: {what} by the gold label:"
        case "gold_people", [what]:
            return f"Final reviews that are {what} by the gold label:"
        case "labelled", [_, model, author, what]:
            return f"{model} and the {author} label name the {'same' if what == 'same' else 'other'} winner:"
        case "won", _:
            return "Revealed pairs of one candidate that have a verdict:"
        case "panel", [_, about, _]:
            what = "the winner" if about == WINNER else _criterion(project_id, about)
            return f"Two or more blind reviews of {what}:"
        case "guess", [_, what]:
            return f"Guesses of who made output A: {what.replace('_', ' ')}:"
        case "minutes", _:
            return "With a final review:"
        case "spent", [model, _, _]:
            return f"Read by {model}:"
    raise ValueError(f"{figure} is not a figure on this page.")


def _winner(name: str) -> str:
    return WINNER_NAMES.get(name, "any winner")


def _how(how: str) -> str:
    return "" if how == ANY else f" ({HOW_NAMES[How(how)]})"
