"""What one comparison adds to the tally of its project."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from comparator.domain.labels import Label, Order, Winner
from comparator.domain.scoring.judgment import winner_of_order
from comparator.domain.scoring.review import OPINIONS, Part
from comparator.reporting.tally import versions
from comparator.reporting.tally.facts import Facts, LastChange, Reviewed
from comparator.reporting.tally.first_record import SPOKEN, first_record
from comparator.reporting.tally.outcome import halves, kind_of, points
from comparator.reporting.tally.pace import worked
from comparator.reporting.tally.scope import How
from comparator.reporting.tally.several_judges import EACH, TOGETHER, WRONG, together
from comparator.reporting.tally.truth import how_of
from comparator.reporting.tally.versions import part

EVERY = "*"
"""All criteria taken together."""
VOID = "void "
"""How the name of a figure begins for pairs with an invalid run, and for warm-ups."""
OF_VALID_PAIRS = (versions.FIGURE, versions.STATED, TOGETHER, EACH, WRONG)
"""Judges' records, to which only valid pairs add."""
_CLEARLY_MORE = 1.1
"""An output counts as the longer, or the more formatted, one from a tenth more on."""

Adds = Counter[tuple[str, str]]


def adds(facts: Facts) -> Adds:
    """What the comparison adds to its project's tally."""
    found: Adds = Counter()
    for figure, key, number in (*_state(facts), *_result(facts), *_spent(facts), *versions.took(facts)):
        found[figure, key] += number
    for figure, key, number in chain(_judge(facts), together(facts), _people(facts), _guesses(facts)):
        # Void runs and warm-ups count only when asked for, as in a result, and never in a judge's record.
        if facts.valid:
            found[figure, key] += number
        elif figure not in OF_VALID_PAIRS:
            found[VOID + figure, key] += number
    return found


def agreement(added: Adds) -> dict[str, int]:
    """How many final reviews can be compared with the model's winner, and how many name the same."""
    compared = [(key.split("|")[3:], number) for (figure, key), number in added.items() if figure == "agree"]
    return {
        "compared": sum(number for _, number in compared),
        "agreed": sum(number for (judge, person), number in compared if judge == person),
    }


def _state(facts: Facts) -> Iterator[tuple[str, str, int]]:
    marks = (
        ("all", True),
        ("judged", facts.judge_winner is not None),
        ("reviewed", facts.final_reviews > 0),
        ("open", facts.open_reviews > 0),
        ("unrevealed", not facts.revealed),
    )
    one, two = sorted((facts.candidate_a, facts.candidate_b))
    for name, there in marks:
        if there:
            yield "state", name, 1
            yield "met", f"{one}|{two}|{name}", 1
    if facts.judge_winner is not None or facts.final_reviews:
        yield "state", "decided", 1
    if facts.audited:
        yield "state", "audited", 1
        if facts.final_reviews:
            yield "state", "audited_reviewed", 1


def _result(facts: Facts) -> Iterator[tuple[str, str, int]]:
    kind = kind_of(facts)
    if kind is None:
        return
    one, two = sorted((facts.candidate_a, facts.candidate_b))
    valid = "valid" if facts.valid else "other"
    if one == two:
        # Two runs of one candidate show what chance gives; who made which of them tells nothing.
        lead = abs(facts.overall[0] - facts.overall[1]) if facts.overall else 0
        yield "noise", f"{kind.value}|{valid}|{lead}", 1
        yield "noise_decided", f"{kind.value}|{valid}", int(facts.winner != "TIE")
    elif facts.revealed:
        won = points(facts.winner, facts.candidate_a > facts.candidate_b)
        yield "won", f"{one}|{two}|{kind.value}|{valid}|{won}", 1


def _spent(facts: Facts) -> Iterator[tuple[str, str, int]]:
    for name in {(each.model, each.currency) for each in facts.tries}:
        yield "spent", f"{part(name[0])}|{name[1]}|pairs", 1
    for each in facts.tries:
        start = f"{part(each.model)}|{each.currency}|"
        yield "spent", f"{start}tries", 1
        yield "spent", f"{start}failed", int(not each.succeeded)
        yield "spent", f"{start}input_tokens", each.input_tokens
        yield "spent", f"{start}output_tokens", each.output_tokens
        yield "spent", f"{start}microseconds", round(each.seconds * 1_000_000)
        yield "spent", f"{start}cost", each.cost or 0
        yield (
            "spent",
            f"{start}unpriced",
            int(each.cost is None and each.input_tokens + each.output_tokens > 0),
        )


def _judge(facts: Facts) -> Iterator[tuple[str, str, int]]:
    if facts.judge_winner is None:
        return
    yield from versions.read(facts)
    who = f"{facts.judge_kind}|{part(facts.judge_model)}"
    found, total = facts.quotes or (0, 0)
    yield "judge", f"{who}|judged", 1
    yield "judge", f"{who}|read_twice", int(facts.position_consistent is not None)
    yield "judge", f"{who}|flipped", int(facts.position_consistent is False)
    yield "judge", f"{who}|quotes", total
    yield "judge", f"{who}|missing", total - found
    gold = [winner for kind, winner in facts.labels if kind == "gold"]
    orders = _by_order(facts, needed=bool(gold))
    for order, winner in orders.items():
        first = "A" if order is Order.A_FIRST else "B"
        place = "tied" if winner == "TIE" else "first" if winner == first else "second"
        yield "order", f"{who}|{place}", 1
    for truth in gold:
        for order, winner in orders.items():
            yield "gold", f"{who}|{order.value}|{'right' if winner == truth else 'wrong'}", 1
        yield "gold", f"{who}|merged|{'right' if facts.judge_winner == truth else 'wrong'}", 1
        if orders:
            both = all(winner == truth for winner in orders.values())
            yield "gold", f"{who}|both|{'right' if both else 'wrong'}", 1
    for kind, winner in facts.labels:
        if kind != "gold":
            yield "labelled", f"{who}|{kind}|{'same' if winner == facts.judge_winner else 'other'}", 1
    yield from _lean(facts, who, facts.judge_winner)


def side_with_more(a: int | None, b: int | None) -> Winner | None:
    """The output that has more, from a tenth more on; None where neither has, or one is unknown.

    >>> side_with_more(100, 111), side_with_more(100, 109), side_with_more(3, 0)
    (<Winner.B: 'B'>, None, <Winner.A: 'A'>)
    """
    if a is None or b is None or max(a, b) < max(min(a, b), 1) * _CLEARLY_MORE:
        return None
    return Winner.A if a > b else Winner.B


def _by_order(facts: Facts, *, needed: bool) -> dict[Order, str]:
    """The winner in each order. Where both agree and no gold label asks whom, either may be named."""
    if facts.position_consistent is None:
        return {}
    if facts.position_consistent and (not needed or facts.rubric is None):
        tied = facts.judge_winner == "TIE"
        return dict.fromkeys(Order, "TIE" if tied else "A")
    if facts.rubric is None:
        return {}
    answers = {order: [r.answer for r in facts.readings if r.order is order] for order in Order}
    winners = {order: winner_of_order(facts.rubric, given) for order, given in answers.items() if given}
    return {order: winner.value for order, winner in winners.items() if winner is not None}


def _lean(facts: Facts, who: str, winner: str) -> Iterator[tuple[str, str, int]]:
    """Whether the winner is the longer, or the more formatted, output."""
    for name, both in (("longer", facts.characters), ("formatted", facts.marks)):
        if both is None or (more := side_with_more(*both)) is None:
            continue
        yield "lean", f"{who}|{name}|{'tied' if winner == 'TIE' else 'won' if winner == more else 'lost'}", 1


def _people(facts: Facts) -> Iterator[tuple[str, str, int]]:
    finals = [each for each in facts.reviews if each.last_event == "final" and each.winner is not None]
    # What nobody touched is the judge's: it is no agreement between people, and no winner that they named.
    spoken = [each for each in finals if _opinions(each)]
    if len(spoken) > 1:
        told = any(how_of(facts, each) not in (How.BLIND_FIRST, How.JUDGE_FIRST) for each in spoken)
        blind = "told" if told else "blind"
        yield "panel", f"{blind}|winner|{','.join(sorted(str(each.winner) for each in spoken))}", 1
        if facts.shared_rubric:
            yield from _panel_scores(spoken, blind)
    for review in finals:
        yield "minutes", str(round(worked(review.times) / 6)), 1
        if facts.judge_winner is not None:
            yield from _against(facts, review, "model")
    for review in spoken:
        if review.winner:
            yield from _lean(facts, "people|reviewers", review.winner)
        for kind, truth in facts.labels:
            if kind == "gold":
                yield "gold_people", "right" if review.winner == truth else "wrong", 1


def _opinions(review: Reviewed) -> tuple[LastChange, ...]:
    """The values that the reviewer gave or confirmed."""
    return tuple(each for each in review.changes if each.kind in OPINIONS and each.target.startswith(SPOKEN))


def _panel_scores(reviews: Sequence[Reviewed], blind: str) -> Iterator[tuple[str, str, int]]:
    """For each criterion of an output the scores of those who gave or confirmed one."""
    given: dict[tuple[Label, str], list[int]] = {}
    for review in reviews:
        own = {each.target for each in _opinions(review)}
        for label in Label:
            own_scores = halves(review.verdict.assessments[label]) if review.verdict is not None else {}
            for path, score in own_scores.items():
                if f"{Part.SCORE}:{label}:{path}" in own:
                    given.setdefault((label, path), []).append(score)
    for (_, path), scores in given.items():
        if len(scores) > 1:
            yield "panel", f"{blind}|{path}|{','.join(map(str, sorted(scores)))}", 1


def _against(facts: Facts, review: Reviewed, judge: str) -> Iterator[tuple[str, str, int]]:
    """A final review against the judge."""
    spoken = _opinions(review)
    if not spoken:
        yield "silent", judge, 1
        return
    how = how_of(facts, review).value
    for each in spoken:
        if each.target.startswith("score:") and not each.blind:
            # A score given before the judge's was seen is no change of it.
            _, label, path = each.target.split(":")
            # Where the judge gave no score there was none to change.
            scored = facts.judged is None or path in facts.judged[Label(label)].scores
            changed = each.kind == "set" and scored
            outcome = "changed" if changed else "confirmed" if each.kind != "set" else "assessed"
            yield "score_reviewed", f"{judge}|{path}|{outcome}", 1
            yield "score_reviewed_model", f"{judge}|{part(facts.judge_model)}|{outcome}", 1
            if changed:
                yield "reason", f"{judge}|{part(each.code) or 'no reason'}", 1
    counted = first_record(facts, review) if how == How.BLIND_FIRST else review
    if counted is None:
        yield "silent", judge, 1
        return
    yield "agree", f"{judge}|{part(facts.judge_model)}|{how}|{facts.first_winner}|{counted.winner}", 1
    same = "same" if counted.winner == facts.first_winner else "other"
    yield versions.agreed(facts, how=how, same=same)
    if facts.stated_confidence is not None:
        yield "stated", f"{judge}|{facts.stated_confidence}|{same}", 1
        if how == How.BLIND_FIRST:
            yield versions.stated(facts, same=same)
    yield from _scores_against(facts, counted, f"{judge}|{how}")


def _scores_against(facts: Facts, review: Reviewed, start: str) -> Iterator[tuple[str, str, int]]:
    """What the reviewer said of scores against the judge's, in half points."""
    if facts.judged is None or review.verdict is None:
        return
    judged, own = facts.judged.map(halves), review.verdict.assessments.map(halves)
    leads: dict[str, list[int]] = {}
    for each in review.changes:
        about, _, address = each.target.partition(":")
        label, _, path = address.partition(":")
        if about != "score" or each.kind not in OPINIONS:
            continue
        person, other = own[Label(label)].get(path), judged[Label(label)].get(path)
        if person is None or other is None:
            continue
        for name in (EVERY, *((path,) if facts.shared_rubric else ())):
            yield "cross", f"{start}|{name}|{other}|{person}", 1
            leads.setdefault(name, []).append(other - person)
    for name, values in leads.items():
        n, total = len(values), sum(values)
        for field, number in (
            ("tasks", 1),
            ("n", n),
            ("total", total),
            ("squares", total * total),
            ("products", total * n),
            ("sizes", n * n),
        ):
            yield "lenient", f"{start}|{name}|{field}", number


def _guesses(facts: Facts) -> Iterator[tuple[str, str, int]]:
    if not facts.revealed or facts.candidate_a == facts.candidate_b:
        # Of two runs of one candidate nobody can tell who made which.
        return
    for number in facts.guesses:
        outcome = "no_idea" if number is None else "right" if number == facts.number_a else "wrong"
        yield "guess", f"{facts.candidate_a}|{outcome}", 1
