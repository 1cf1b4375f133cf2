"""Comparisons as one HTML file that a person can mail: no script, no network, and it prints well."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from html import escape
from importlib.resources import files
from typing import TextIO

from comparator.domain.counted import counted
from comparator.domain.labels import Dimension, Label, Winner
from comparator.domain.pair.notes import SCORES_DISAGREE
from comparator.interop.exported import Exported, Remark, Written


def write_report(pairs: Iterable[Exported], out: TextIO, *, title: str, at: datetime) -> Written:
    """All comparisons with their verdicts, scores and reasons; whose verdict it is stands at each."""
    every = tuple(pairs)
    style = (files("comparator.interop.written") / "report.css").read_text("utf-8")
    out.write(
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{style}</style></head><body>\n"
        f"<h1>{escape(title)}</h1>\n"
    )
    out.writelines(_summary(every, at))
    for number, pair in enumerate(every, start=1):
        out.writelines(_section(number, pair))
    out.write("</body></html>\n")
    return Written(Counter(pair.source for pair in every), {})


def _summary(pairs: tuple[Exported, ...], at: datetime) -> Iterator[str]:
    sources = Counter(pair.source.value for pair in pairs)
    counts = ", ".join(f"{count} by {source}" for source, count in sorted(sources.items())) or "none"
    yield f"<p>{counted(len(pairs), 'comparison')}; verdicts: {escape(counts)}. Written {at:%Y-%m-%d %H:%M} UTC.</p>\n"
    if not pairs:
        return
    yield "<table><thead><tr><th>No.<th>Task<th>Winner<th>A : B<th>Verdict by<th>How decided</tr></thead><tbody>\n"
    for number, pair in enumerate(pairs, start=1):
        both = pair.result.rubric.map(lambda of: str(of.overall_score)) if pair.result else None
        scores = f"{both.A} : {both.B}" if both else "–"
        yield (
            f'<tr><td class="n">{number}<td><a href="#c{number}">{escape(pair.title)}</a>'
            f"<td>{escape(_winner(pair))}<td>{scores}"
            f"<td>{escape(pair.source.value)}<td>{escape(pair.decided)}</tr>\n"
        )
    yield "</tbody></table>\n"


def _winner(pair: Exported) -> str:
    winner = pair.winner
    if winner is None:
        return "No winner"
    if winner is Winner.TIE:
        return winner.in_words
    return f"{winner.value}: {pair.candidates[Label(winner.value)]}" if pair.candidates else winner.value


def _section(number: int, pair: Exported) -> Iterator[str]:
    yield f'<section id="c{number}"><h2>{number}. {escape(pair.title)}</h2>\n'
    who = (
        f"A was made by {pair.candidates.A}, B by {pair.candidates.B}."
        if pair.candidates
        else "Not revealed yet."
    )
    model = f" Judge: {pair.judge_model}." if pair.judge_model else ""
    knew = " (not blind)" if pair.knew else ""
    disputed = f" The judge's {SCORES_DISAGREE}." if pair.scores_and_verdict_disagree else ""
    yield (
        f"<p><b>{escape(_winner(pair))}</b>, {escape(pair.decided)}; "
        f"verdict by {escape(pair.source.value)}{knew}. {escape(who)}{escape(model)}{disputed}"
        f"{escape(_states(pair))}</p>\n"
        # Not folded: what is folded on the screen would be missing on paper.
        f'<h3>Task</h3>\n<pre tabindex="0">{escape(pair.prompt)}</pre>\n'
        f"<p>{escape(pair.prose.reasoning)}</p>\n"
    )
    yield "<table><thead><tr><th>Criterion<th>A<th>B<th>judge A<th>judge B<th>Why changed</tr></thead><tbody>\n"
    yield from _rows(pair)
    yield "</tbody></table>\n"
    for label in Label:
        for head, lines in (
            ("Strengths", pair.prose.strengths[label]),
            ("Weaknesses", pair.prose.weaknesses[label]),
        ):
            if lines:
                points = "".join(f"<li>{escape(each)}</li>" for each in lines)
                yield f"<h3>{head} of {label.value}</h3><ul>{points}</ul>\n"
    yield "</section>\n"


def _states(pair: Exported) -> str:
    """Which of the runs do not count in full, in sentences."""
    words = {
        "void": "left no usable output",
        "cut_off": "was probably cut off",
        "superseded": "was replaced by a later one",
    }
    sentences = [
        f" The run of {label.value} {words[m.state]}." for label, m in pair.marks.items() if m.state in words
    ]
    sentences += [
        f" The run of {label.value} had access to the evaluation file."
        for label, m in pair.marks.items()
        if m.contaminated
    ]
    return "".join(sentences)


def _rows(pair: Exported) -> Iterator[str]:
    of_b = {(remark.dimension, remark.key): remark for remark in pair.of(Label.B)}
    for remark in pair.of(Label.A):
        other = of_b.get((remark.dimension, remark.key), remark)
        name = (
            f"{remark.dimension.value}: {remark.name}" if remark.dimension else f"expectation: {remark.name}"
        )
        why = "; ".join(f"{each.label.value}: {each.reason}" for each in (remark, other) if each.reason)
        cells = ((remark, remark.final), (other, other.final), (remark, remark.judge), (other, other.judge))
        figures = "".join(f'<td class="n">{_figure(each, value)}' for each, value in cells)
        yield f"<tr><td>{escape(name)}{figures}<td>{escape(why)}</tr>\n"
    if pair.result is None:
        return
    a, b = (pair.result.rubric[label] for label in Label)
    by_judge = pair.judge.rubric if pair.judge else None
    for name in (*(f"{dimension.value}_score" for dimension in Dimension), "overall_score"):
        judged = [str(getattr(by_judge[label], name)) if by_judge else "" for label in Label]
        values = (getattr(a, name), getattr(b, name), *judged)
        figures = "".join(f'<td class="n">{value}' for value in values)
        yield f'<tr class="total"><td>{name.replace("_", " ")}{figures}<td></tr>\n'


def _figure(remark: Remark, value: object) -> str:
    if value is None:
        return "–"
    if remark.is_expectation:
        return "met" if value else "not met"
    return str(value)
