"""A project's guidance: drafted from corrections, tried by a batch on held-out pairs, adopted by a lead."""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from comparator.domain.blinding.name_search import NameSearch, is_common
from comparator.domain.errors import InputError
from comparator.domain.labels import Frozen, Winner
from comparator.domain.project import FEWEST_LEARNT, LONGEST_GUIDANCE, is_held_out
from comparator.domain.rights import Act
from comparator.domain.scoring.judgment import MergedJudgment, first_passes, merge
from comparator.domain.usage import CHARACTERS_A_TOKEN, Usage
from comparator.judges.model.sender import ANSWER_TOKENS
from comparator.judges.prices import cost_of
from comparator.judges.protocol import Judge, Model, Question, QuestionResult
from comparator.judges.questions import guidance_question
from comparator.reporting.facts import facts_of
from comparator.reporting.trust.labelled import Labelled, held_out
from comparator.reporting.trust.measured import readings_by
from comparator.stats.intervals import TooFew
from comparator.stats.proof import JudgedTwice, ProofFigures, figures
from comparator.store.bulk import batches
from comparator.store.bulk.batches import Batch, BatchState, GuidanceTrial
from comparator.store.core.sql import Connection
from comparator.store.pairs import runs
from comparator.store.people import projects
from comparator.store.reviewing import reviews
from comparator.workflow.judging.paying import ask_and_pay
from comparator.workflow.judging.registry import Membership
from comparator.workflow.people.people import authorise, require
from comparator.workflow.services import Services


class Trial(Frozen):
    """One version on the held-out pairs; `figures` are None while a judge reads: nobody stops at a lucky moment."""

    tries: GuidanceTrial
    figures: ProofFigures | TooFew | None

    @property
    def passes(self) -> bool:
        """Whether the version may be adopted."""
        return isinstance(self.figures, ProofFigures) and self.figures.passes


class ProjectGuidance(Frozen):
    """All that a project has of guidance, the newest version first; a version has a trial for each judge."""

    corrections: tuple[reviews.Correction, ...]
    """Of the tasks that are learnt from."""
    held_out: int
    """Pairs reviewed blind of the other tasks."""
    versions: tuple[projects.GuidanceVersion, ...]
    trials: Mapping[int, tuple[Trial, ...]]
    """By the number of the version."""
    adopted: int | None

    def may_be_adopted(self, number: int) -> bool:
        """Whether it passed a trial."""
        return any(trial.passes for trial in self.trials.get(number, ()))


def project_guidance(services: Services, project_id: str) -> ProjectGuidance:
    """What the project has of guidance. Raises RightsError: it tells what people said of pairs."""
    with services.read() as unit:
        require(unit, Act.CHANGE_SETTINGS, project_id)
    with facts_of(services.database, project_id) as facts:
        connection = facts.connection
        pairs = held_out(facts)
        orders = batches.trials_of_guidance(connection, project_id)
        by_trial: dict[GuidanceTrial, list[Batch]] = {}
        for batch in orders:
            if batch.tries is not None:
                by_trial.setdefault(batch.tries, []).append(batch)
        trials: dict[int, tuple[Trial, ...]] = {}
        tasks = facts.pairs.task_id.to_dict()
        for tries, own in by_trial.items():
            # Each further look at the same pairs has to clear a higher bar.
            looks = len({order.created_at for order in orders if order.created_at <= own[-1].created_at})
            reads = any(batch.state in (BatchState.RUNNING, BatchState.PAUSED) for batch in own)
            trial = Trial(
                tries=tries, figures=None if reads else _figures(connection, tries, pairs, tasks, looks=looks)
            )
            trials[tries.number] = (trial, *trials.get(tries.number, ()))
        return ProjectGuidance(
            corrections=tuple(
                correction
                for correction in reviews.corrections_of(connection, project_id)
                if not is_held_out(correction.task_id)
            ),
            held_out=len(pairs),
            versions=projects.guidance_versions(connection, project_id),
            trials=trials,
            adopted=projects.get(connection, project_id).settings.guidance,
        )


def _figures(
    connection: Connection,
    tries: GuidanceTrial,
    pairs: Mapping[str, Labelled],
    tasks: Mapping[str, str],
    *,
    looks: int,
) -> ProofFigures | TooFew:
    before, after = (readings_by(connection, list(pairs), judge) for judge in (tries.before, tries.after))
    return figures(
        [
            JudgedTwice(tasks[id], pair.winner, _winner(before.get(id)), _winner(after.get(id)))
            for id, pair in pairs.items()
        ],
        proofs=looks,
    )


def _winner(judgment: MergedJudgment | None) -> Winner | None:
    """By the first reading of each order: pairs that are read again are the close ones."""
    verdict = judgment and merge(judgment.rubric, first_passes(judgment.passes)).verdict
    return verdict.winner if verdict else None


def adopt(services: Services, project_id: str, number: int | None) -> None:
    """Have the project's judges go by this version from now on, or (None) by none.

    What is judged already stays as it is. Raises RightsError, NotFound, and InputError for a version that has passed no
    trial.
    """
    state = project_guidance(services, project_id)
    if number is not None and not state.may_be_adopted(number):
        raise InputError(f"Guidance version {number} has not passed a trial on held-out pairs. Try it first.")
    with services.write() as unit:
        settings = projects.get(unit, project_id).settings.copy_with(guidance=number)
        projects.save_settings(unit, project_id, settings)
        authorise(unit, Act.CHANGE_SETTINGS, "guidance_adopted", project_id, number=number)


def keep(
    services: Services, project_id: str, text: str, *, author: str, cost: Decimal | None = None
) -> projects.GuidanceVersion:
    """Keep a text as the project's next version; it holds only once it is adopted.

    Raises RightsError, and InputError where it is empty, too long, or names a candidate.
    """
    text = text.strip()
    if not 0 < len(text) <= LONGEST_GUIDANCE:
        raise InputError(f"The guidance has {len(text):,} characters; 1 to {LONGEST_GUIDANCE:,} are allowed.")
    with services.write() as unit:
        candidates = runs.candidates(unit, project_id)
        names = NameSearch([candidate.name for candidate in candidates if not is_common(candidate.name)])
        if any(not hit.glued for hit in names.hits(text)):
            raise InputError(
                "A note names one of the candidates, so the judge would know whom it judges. Say what is meant "
                "without the name."
            )
        stored = projects.add_guidance(unit, project_id, text, author=author, cost=cost)
        written = {"number": stored.number, "author": author}
        authorise(unit, Act.CHANGE_SETTINGS, "guidance_written", project_id, **written)
    return stored


def draft_cost(judge: Judge, question: Question[str]) -> tuple[int, Decimal | None]:
    """The tokens that a draft sends, and about what it costs in US dollars; None where no price is known."""
    tokens = (len(question.system) + len(question.content)) // CHARACTERS_A_TOKEN
    return tokens, cost_of(judge.identity.model, Usage(input_tokens=tokens, output_tokens=ANSWER_TOKENS))


def draft_question(
    learnt: Sequence[reviews.Correction], present: projects.GuidanceVersion | None
) -> Question[str]:
    """What a model drafts from: the corrections, and the notes that hold. Raises InputError for fewer than ten."""
    if len(learnt) < FEWEST_LEARNT:
        raise InputError(
            f"There are {len(learnt)} corrections of the judge's values to learn from; {FEWEST_LEARNT} are needed. "
            "Review more pairs first."
        )
    return guidance_question(
        [f"Task “{fix.task}”: {fix.said}" for fix in learnt], present.text if present else ""
    )


async def draft(me: Membership, judge: Judge, question: Question[str]) -> QuestionResult[str]:
    """Guidance by the judge's model, not stored yet; its cost counts in the budget at once, and so does a failed try's.

    Raises JudgeError, and InputError for a judge that writes none and corrections that have nothing in common.
    """
    if not isinstance(judge, Model):
        raise InputError("The offline check drafts no guidance. Write it by hand, or choose a model.")
    model = judge
    reply = await ask_and_pay(me, model, lambda owner: model.ask(question, on_behalf_of=owner))
    if not reply.value:
        raise InputError(
            "The model found nothing that the corrections have in common. Write guidance by hand, or review more "
            "pairs."
        )
    return reply
