"""The charts of how far the judge can be trusted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from comparator.domain.labels import Winner
from comparator.domain.scoring.review import How
from comparator.reporting.scope import HOW_NAMES, HOW_SHORT, ResultFilter
from comparator.reporting.trust.judge import (
    WINNERS,
    AgreementCounts,
    ChangedScores,
    Scored,
    StatedConfidence,
    Trust,
)
from comparator.reporting.why.pairs_behind import ANY, OR
from comparator.stats.figures import Estimate, TooFew, Undefined
from comparator.stats.raters.several_raters import PanelAgreement
from comparator.ui.dashboards import readings as readings
from comparator.ui.dashboards import sentences
from comparator.ui.dashboards.pairs_behind import tally_link
from comparator.ui.frame import charts, estimates
from comparator.ui.frame.charts.box import PAIRS, Box, Cell, Link, linked
from comparator.ui.frame.charts.theme import PALETTES, ColourTheme
from comparator.ui.frame.words import counted

SAME, OTHER = "same winner", "another winner"
LABELS = ("A", "B", "tie")
CHANGED = "The judge's scores that reviewers confirmed or changed, by criterion"


def trust_boxes(
    found: Trust, *, ceiling: PanelAgreement | None, of: ResultFilter | str, theme: ColourTheme
) -> Iterator[Box]:
    """All charts of the judge, in the order in which they are read; `ceiling` is how far reviewers agree."""
    if found.models:
        yield from agreement_boxes(found, ceiling=ceiling, of=of, theme=theme)
        yield from bias_boxes(found, of=of, theme=theme)
        yield from correction_boxes(found, of=of, theme=theme)


def agreement_boxes(
    found: Trust, *, ceiling: PanelAgreement | None, of: ResultFilter | str, theme: ColourTheme
) -> Iterator[Box]:
    """How far the judge agrees with reviewers, gold labels and imported labels."""
    yield _agreement(found.agreement, ceiling, of, theme)
    if found.scored:
        yield _kappas(found.scored, of, theme)
        yield _lenient(found.scored, of, theme)
    if found.gold:
        yield readings.gold(found.gold, of, theme)
    if found.labelled:
        yield readings.labels(found.labelled, of, theme)


def bias_boxes(found: Trust, *, of: ResultFilter | str, theme: ColourTheme) -> Iterator[Box]:
    """What may sway the judge besides quality: order, length and formatting; and how many quotes were not found."""
    yield readings.flips(found, of, theme)
    yield readings.places(found, of, theme)
    if found.lean:
        yield readings.lean(found.lean, of, theme)


def correction_boxes(found: Trust, *, of: ResultFilter | str, theme: ColourTheme) -> Iterator[Box]:
    """What reviewers changed, and what the judge's stated confidence is worth."""
    if not (found.criteria or found.stated):
        silent = f" {_silent(found.agreement)}" if found.agreement.no_opinion else ""
        yield Box(
            "criteria",
            title=CHANGED,
            counts=f"No final review of these pairs has confirmed or changed a score of the judge.{silent}",
            figure=None,
            rows=[],
        )
    if found.criteria:
        yield _changed(found, of, theme)
    if found.stated:
        yield _stated(found.stated, of, theme)


def _silent(found: AgreementCounts) -> str:
    return (
        f"{counted(found.no_opinion, 'review')} in which nothing was confirmed or changed "
        f"{'is' if found.no_opinion == 1 else 'are'} left out."
    )


def _agreement(
    found: AgreementCounts, ceiling: PanelAgreement | None, of: ResultFilter | str, theme: ColourTheme
) -> Box:
    silent = f" {_silent(found)}" if found.no_opinion else ""
    if not found.by_how:
        counts = f"{sentences.NOT_COMPARED}{silent}"
    else:
        counts = " ".join(
            f"{sentences.agreement(each)} Beyond chance (AC1): {estimates.figure(each.beyond_chance)}."
            for each in found.by_how
        )
        if ceiling is not None:
            counts += (
                " The ceiling is how often two reviewers of one pair agree: "
                f"{estimates.interval(ceiling.raw)} ({counted(ceiling.cases, 'pair')})."
            )
        counts += silent
    rows: list[dict[str, Cell]] = [
        {
            "Reviews by": HOW_NAMES[each.how],
            "Judge said": LABELS[at],
            **{f"Reviewer said {LABELS[place]}": n for place, n in enumerate(row)},
            **{
                f"Pairs: {LABELS[place]}": _pairs_named(of, each.how, ((winner, WINNERS[place]),))
                if n
                else None
                for place, n in enumerate(row)
            },
        }
        for each in found.by_how
        for at, (row, winner) in enumerate(zip(each.counts, WINNERS, strict=True))
    ]
    same = tuple((winner, winner) for winner in WINNERS)
    other = tuple((judge, person) for judge in WINNERS for person in WINNERS if judge != person)
    return Box(
        "agreement",
        title="Agreement of judge and reviewers on the winner",
        counts=counts,
        figure=_same_or_not(
            [HOW_NAMES[each.how].capitalize() for each in found.by_how],
            [(each.same, each.n) for each in found.by_how],
            theme,
        )
        if found.by_how
        else None,
        rows=rows,
        marks=[[_pairs_named(of, each.how, winners) for each in found.by_how] for winners in (same, other)],
    )


def _pairs_named(of: ResultFilter | str, how: How, winners: Sequence[tuple[Winner, Winner]]) -> Link:
    """The pairs of which judge and reviewer named one of these two winners."""
    keys = (f"{ANY}|{ANY}|{how.value}|{judge.value}|{person.value}" for judge, person in winners)
    return tally_link(of, "agree", OR.join(keys))


def _kappas(found: Sequence[Scored], of: ResultFilter | str, theme: ColourTheme) -> Box:
    return Box(
        "kappa",
        title="Agreement of scores with people's, corrected for chance",
        counts=f"Quadratic-weighted kappa over {counted(_all(found), 'score')} that somebody confirmed, changed or "
        "gave first: 1 is perfect, 0 is chance. Reviewers who saw the judge's scores are pulled towards them; those "
        "who scored first are not. By criterion where the rubric is the project's own.",
        figure=_dots(
            found,
            [each.kappa for each in found],
            words=estimates.figure,
            even=0.0,
            low="as chance",
            high="agree",
            between=(-0.25, 1.05),
            theme=theme,
        ),
        rows=[
            {
                "Criterion": sentences.criterion(each.path, each.called),
                "Reviews by": HOW_NAMES[each.how],
                "Scores": each.n,
                "Kappa": estimates.figure(each.kappa),
                PAIRS: _scores(each, of),
            }
            for each in found
        ],
        marks=[[_scores(each, of) for each in found if isinstance(each.kappa, Estimate)]],
    )


def _lenient(found: Sequence[Scored], of: ResultFilter | str, theme: ColourTheme) -> Box:
    return Box(
        "lenient",
        title="Mean score of the judge minus mean score of people",
        counts=f"Points of 1 to 5 over {counted(_all(found), 'score')}, clustered by pair.",
        figure=_dots(
            found,
            [each.lenient for each in found],
            words=estimates.points,
            even=0.0,
            low="judge too harsh",
            high="judge too lenient",
            between=None,
            theme=theme,
        ),
        rows=[
            {
                "Criterion": sentences.criterion(each.path, each.called),
                "Reviews by": HOW_NAMES[each.how],
                "Scores": each.n,
                "Judge minus people": estimates.points(each.lenient),
                PAIRS: _scores(each, of),
            }
            for each in found
        ],
        marks=[[_scores(each, of) for each in found if isinstance(each.lenient, Estimate)]],
    )


def _scores(each: Scored, of: ResultFilter | str) -> Link:
    return tally_link(of, "cross", ANY, each.how.value, each.path, ANY, ANY)


def _all(found: Sequence[Scored]) -> int:
    return sum(each.n for each in found if each.path == found[0].path)


def _dots(
    found: Sequence[Scored],
    figures: Sequence[Estimate | TooFew | Undefined],
    *,
    words: Callable[[Estimate], str],
    even: float,
    low: str,
    high: str,
    between: tuple[float, float] | None,
    theme: ColourTheme,
) -> charts.Figure | None:
    shown = PALETTES[theme]
    drawn = [
        charts.Point(
            f"{sentences.criterion(each.path, each.called)}, {HOW_SHORT[each.how]}",
            estimate.value,
            estimate.interval,
            f"{words(estimate)}, n = {each.n:,}",
        )
        for each, estimate in zip(found, figures, strict=True)
        if isinstance(estimate, Estimate)
    ]
    if not drawn:
        return None
    return charts.points(
        drawn, colour=shown.ink, even=even, low=low, high=high, palette=shown, between=between
    )


def _changed(found: Trust, of: ResultFilter | str, theme: ColourTheme) -> Box:
    shown = PALETTES[theme]
    confirmed = sum(each.confirmed for each in found.criteria)
    changed = sum(each.changed for each in found.criteria)
    assessed = sum(each.assessed for each in found.criteria)
    why = ", ".join(f"{name} {n:,}" for name, n in found.reasons)
    models = " ".join(
        f"{each.name}: {each.changed:,} of {each.confirmed + each.changed:,} ({estimates.interval(each.share)})."
        for each in found.by_model
        if each.confirmed + each.changed
    )
    return Box(
        "criteria",
        title=CHANGED,
        counts=f"{counted(confirmed + changed, 'score')} in final reviews that somebody confirmed or changed with the "
        f"judge's score in view; {changed:,} changed. Others are left out."
        + (f" Changed, by model: {models}" if models else "")
        + (f" {assessed:,} more were scored by a person only: the judge gave no score." if assessed else "")
        + (f" Reasons given: {why}." if why else ""),
        figure=charts.stacked(
            [sentences.criterion(each.name, each.called) for each in found.criteria],
            (
                charts.Segment(
                    "confirmed", shown.muted, shown.page, tuple(e.confirmed for e in found.criteria)
                ),
                charts.Segment("changed", shown.line, shown.ink, tuple(e.changed for e in found.criteria)),
                charts.Segment(
                    "assessed by a person only",
                    shown.tie,
                    shown.page,
                    tuple(e.assessed for e in found.criteria),
                    charts.HATCHED,
                ),
            ),
            palette=shown,
        ),
        rows=[
            *(
                _changed_row(each, sentences.criterion(each.name, each.called), "score_reviewed", of)
                for each in found.criteria
            ),
            *(
                _changed_row(each, f"all, by {each.name}", "score_reviewed_model", of)
                for each in found.by_model
            ),
            *(_reason_row(name, n, of) for name, n in found.reasons),
        ],
        marks=[
            [tally_link(of, "score_reviewed", ANY, each.name, what) for each in found.criteria]
            for what in ("confirmed", "changed", "assessed")
        ],
    )


def _reason_row(name: str, n: int, of: ResultFilter | str) -> dict[str, Cell]:
    return {
        "Criterion": f"changed because: {name}",
        "Changed": n,
        "Pairs: changed": tally_link(of, "reason", ANY, name),
    }


def _changed_row(each: ChangedScores, name: str, figure: str, of: ResultFilter | str) -> dict[str, Cell]:
    return {
        "Criterion": name,
        "Confirmed": each.confirmed,
        "Changed": each.changed,
        "Changed (share)": estimates.interval(each.share),
        "Pairs: confirmed": tally_link(of, figure, ANY, each.name, "confirmed"),
        "Assessed by a person only": each.assessed,
        "Pairs: changed": tally_link(of, figure, ANY, each.name, "changed"),
    }


def _stated(found: Sequence[StatedConfidence], of: ResultFilter | str, theme: ColourTheme) -> Box:
    shares = " ".join(
        f"At {each.confidence}%: {each.same:,} of {each.n:,} ({estimates.interval(each.share)})."
        for each in found
    )
    marks = {
        name: [tally_link(of, "stated", ANY, str(each.confidence), what) for each in found]
        for name, what in ((SAME, "same"), (OTHER, "other"))
    }
    return Box(
        "stated",
        title="Calibration: agreement with reviewers by the judge's stated confidence",
        counts=f"{counted(sum(each.n for each in found), 'final review')}. For a calibrated judge, the share "
        f"matches the confidence. {shares}",
        figure=_same_or_not(
            [f"stated {each.confidence}%" for each in found], [(each.same, each.n) for each in found], theme
        ),
        rows=linked(
            [
                {
                    "Stated confidence (%)": each.confidence,
                    "Same winner": each.same,
                    "Reviews": each.n,
                    "Share": estimates.interval(each.share),
                }
                for each in found
            ],
            marks,
        ),
        marks=tuple(marks.values()),
    )


def _same_or_not(rows: list[str], counts: list[tuple[int, int]], theme: ColourTheme) -> charts.Figure:
    shown = PALETTES[theme]
    return charts.stacked(
        rows,
        (
            charts.Segment(SAME, shown.muted, shown.page, tuple(same for same, _ in counts)),
            charts.Segment(OTHER, shown.line, shown.ink, tuple(n - same for same, n in counts)),
        ),
        palette=shown,
    )
