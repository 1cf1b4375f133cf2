"""What a comparison adds to the record of each version of a judge: its readings, its agreement, and what it took."""

from __future__ import annotations

from collections.abc import Iterator

from comparator.reporting.tally.facts import Facts

FIGURE = "version"
"""Keys: the judge's kind, model and digest, and what is counted."""
STATED = "version_stated"
"""Keys: the judge's kind, model and digest, the confidence that it stated, and whether a blind review agreed."""


def part(text: str | None) -> str:
    """A name as part of a key."""
    return (text or "").replace("|", "¦")


def took(facts: Facts) -> Iterator[tuple[str, str, int]]:
    """Every try of every version, failed ones among them; costs in the smallest units, by currency."""
    for each in facts.tries:
        start = _start(each.kind, each.model, each.digest)
        yield FIGURE, f"{start}tries", 1
        yield FIGURE, f"{start}failed", int(not each.succeeded)
        yield FIGURE, f"{start}cost:{each.currency}", each.cost or 0
        yield (
            FIGURE,
            f"{start}unpriced",
            int(each.cost is None and each.input_tokens + each.output_tokens > 0),
        )


def read(facts: Facts) -> Iterator[tuple[str, str, int]]:
    """What the readings that count were like."""
    start = _start(facts.judge_kind, facts.judge_model, facts.judge_digest)
    marks = (
        ("judged", True),
        ("read_twice", facts.position_consistent is not None),
        ("flipped", facts.position_consistent is False),
        ("contradicted", facts.self_consistent is False),
        ("again", facts.all_readings > len(facts.readings)),
        ("panel", bool(facts.judges)),
        ("tools", any(used.calls for each in facts.readings if (used := each.answer.examined))),
    )
    for name, there in marks:
        if there:
            yield FIGURE, f"{start}{name}", 1
    yield FIGURE, f"{start}readings", facts.all_readings


def agreed(facts: Facts, *, how: str, same: str) -> tuple[str, str, int]:
    """A final review, made in this way, that named the version's winner (`same`) or another one (`other`)."""
    return FIGURE, f"{_start(facts.judge_kind, facts.judge_model, facts.judge_digest)}{how}:{same}", 1


def stated(facts: Facts, *, same: str) -> tuple[str, str, int]:
    """A blind review that named the version's winner or another one, by the confidence that it had stated."""
    start = _start(facts.judge_kind, facts.judge_model, facts.judge_digest)
    return STATED, f"{start}{facts.stated_confidence}|{same}", 1


def _start(kind: str | None, model: str | None, digest: str | None) -> str:
    return f"{kind}|{part(model)}|{digest}|"
