"""The offline check as a judge: looks at the form of both outputs and scores nothing else."""

from __future__ import annotations

import asyncio
import hashlib
from decimal import Decimal
from typing import TYPE_CHECKING

from comparator.domain.labels import Label, Order, PerOutput, Winner
from comparator.domain.pair.task import TaskText
from comparator.domain.pair.view import BlindedPair, Family
from comparator.domain.scoring.judgment import Answer, ExpectationMark, Mark
from comparator.domain.scoring.rubric import Rubric
from comparator.domain.scoring.verdict import Assessment, Verdict, settle
from comparator.judges.injections import addressed_in, labelled
from comparator.judges.offline.finding import CheckInput, CheckResult
from comparator.judges.offline.named import hint
from comparator.judges.offline.rubrics import CHECKS, profile_of, rubric_for
from comparator.judges.protocol import JudgeIdentity, Owner, PassReply, RubricReply

if TYPE_CHECKING:
    from comparator.judges.tools.examination import Examination

VERSION = "2"
MODEL = f"offline-check-{VERSION}"
OPENING = "Offline check, not a judgment."
_CAVEAT = (
    "It looks at form only and does not understand what it reads, so it cannot tell right from wrong. "
    "A person has to judge the pair."
)
_NEEDS_A_READER = "Not assessed: this needs someone who understands the task."
_NOTHING_THERE = "Not assessed: there is nothing of the kind to look at in both outputs."
_MOST_POINTS = 5

Findings = dict[str, PerOutput[CheckResult]]
"""What was found, by the path of each criterion on which both outputs have something to look at."""


class OfflineJudge:
    """Scores form, without a model; the same answer in both orders, at no cost."""

    identity = JudgeIdentity(
        kind="offline", model=MODEL, digest=hashlib.sha256(f"offline:{VERSION}".encode()).hexdigest()
    )

    @property
    def prompt_digests(self) -> dict[str, str]:
        """Empty: there are no prompts."""
        return {}

    async def write_rubric(
        self,
        task: TaskText,
        *,
        families: tuple[Family, ...],
        on_behalf_of: Owner | None = None,  # noqa: ARG002  it sends no requests
    ) -> RubricReply:
        """The ready-made rubric of the kind of output that the task asks for."""
        return RubricReply(rubric=rubric_for(profile_of(task, families)))

    async def read_pair(
        self,
        pair: BlindedPair,
        rubric: Rubric,
        *,
        order: Order,  # noqa: ARG002  the protocol has it; the check reads both outputs alike
        repetition: int = 0,  # noqa: ARG002  the same
        on_behalf_of: Owner | None = None,  # noqa: ARG002  it sends no requests
        examination: Examination | None = None,  # noqa: ARG002  it reads both as they are
    ) -> PassReply:
        """What the check finds. Neither the order nor the repetition changes it."""
        return PassReply(answer=await asyncio.to_thread(check_pair, pair, rubric))

    async def check(self) -> str:
        """Always ready."""
        return "The offline check is ready; it needs no model, and cannot tell right from wrong."

    async def close(self) -> None:
        """Nothing to give back."""


def check_pair(pair: BlindedPair, rubric: Rubric) -> Answer:
    """The check's answer to a pair; criteria that it cannot look at, and all expectations, are not assessed."""
    inputs = frozenset(file.name for file in pair.inputs.files) if pair.inputs else frozenset[str]()
    seen = pair.outputs.map(lambda view: CheckInput(view, pair.task, inputs))
    found: Findings = {}
    for path in rubric.paths:
        if path in CHECKS:
            a, b = CHECKS[path](seen.A), CHECKS[path](seen.B)
            if a is not None and b is not None:
                found[path] = PerOutput[CheckResult](A=a, B=b)
    criteria = {
        path: found[path].map(lambda finding: finding.mark) if path in found else _not_assessed(path)
        for path in rubric.paths
    }
    verdict = _verdict(rubric, found)
    return Answer(
        criteria=criteria,
        expectations=tuple(
            pair.outputs.map(lambda view, text=text: ExpectationMark(passed=None, evidence=hint(text, view)))  # type: ignore[misc]
            for text in pair.task.expectations
        ),
        strengths=_points(found, strong=True),
        weaknesses=_points(found, strong=False),
        better=verdict.winner if verdict else Winner.TIE,
        reasoning=_reasoning(rubric, found, verdict),
        stated_confidence=50,
        addressed_judge=labelled(addressed_in(pair)),
    )


def _not_assessed(path: str) -> PerOutput[Mark]:
    mark = Mark(score=None, rationale=_NOTHING_THERE if path in CHECKS else _NEEDS_A_READER)
    return PerOutput[Mark](A=mark, B=mark)


def _verdict(rubric: Rubric, found: Findings) -> Verdict | None:
    def of(label: Label) -> Assessment:
        return Assessment(scores={path: Decimal(both[label].score) for path, both in found.items()})

    return settle(rubric, PerOutput[Assessment](A=of(Label.A), B=of(Label.B)))


def _points(found: Findings, *, strong: bool) -> PerOutput[tuple[str, ...]]:
    """Faults are weaknesses; what is in order is a strength only where it is not in the other output."""

    def of(label: Label) -> tuple[str, ...]:
        points: list[str] = []
        for both in found.values():
            if not strong:
                points.extend(both[label].faults)
            elif not both[label].faults and both[label.other].faults:
                points.append(both[label].praise)
        return tuple(dict.fromkeys(points))[:_MOST_POINTS]

    return PerOutput[tuple[str, ...]](A=of(Label.A), B=of(Label.B))


def _reasoning(rubric: Rubric, found: Findings, verdict: Verdict | None) -> str:
    names = {path: criterion.name.lower() for path, criterion in rubric.lines()}
    looked_at = ", ".join(names[path] for path in found) or "nothing of the rubric"
    parts = [OPENING, _CAVEAT, f"Looked at: {looked_at}."]
    apart = [
        f"{names[path]} (A {both.A.score}, B {both.B.score})"
        for path, both in found.items()
        if both.A.score != both.B.score
    ]
    if apart:
        parts.append(f"They differ in {', '.join(apart)}.")
    if verdict is None:
        parts.append("That is too little for a verdict.")
    elif verdict.winner is Winner.TIE:
        parts.append("The two do not differ in form.")
    else:
        parts.append(f"In form output {verdict.winner.value} is ahead.")
    return " ".join(parts)
