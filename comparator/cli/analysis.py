"""`analysis`: what to do next about two candidates, for people and scripts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from comparator.cli.frame import app, me, opened, project_named, say
from comparator.cli.paths import STANDARD, read_text, write_text
from comparator.cli.projects import Name
from comparator.cli.theme import Yes, agreed, ask_model
from comparator.domain.counted import counted
from comparator.domain.errors import InputError
from comparator.reporting.tally.scope import Verdicts

if TYPE_CHECKING:
    from comparator.interop.write.analysis import Suggestion
    from comparator.interop.write.evidence import FromTranscripts
    from comparator.jobs.drafting import Saved
    from comparator.judges.protocol import Judge
    from comparator.reporting.results.candidates import Names
    from comparator.reporting.tally.scope import ResultFilter
    from comparator.workflow.services import Services

analysis_commands = typer.Typer(
    help="What to do next: why one candidate won, and what to fix in the other.", no_args_is_help=True
)
app.add_typer(analysis_commands, name="analysis")
Candidate = Annotated[str, typer.Option(help="One candidate, by its name on the dashboards")]
Baseline = Annotated[str, typer.Option(help="The other one")]
Counted = Annotated[Verdicts, typer.Option(help="Whose verdicts count")]
Out = Annotated[Path, typer.Option(help="File to write; - is standard output")]


@analysis_commands.command("show")
def show_analysis(
    project: Name,
    candidate: Candidate,
    baseline: Baseline,
    verdicts: Counted = Verdicts.EITHER,
    out: Out = STANDARD,
) -> None:
    """Write analysis.json of two candidates; of one pair, `comparator export analysis --comparison ID` does."""
    with opened() as services:
        from comparator.api.analysing import analysis_text

        _write(analysis_text(services, _asked(services, project, candidate, baseline, verdicts)), out)


@analysis_commands.command("suggest")
def suggest_changes(
    project: Name,
    candidate: Candidate,
    baseline: Baseline,
    verdicts: Counted = Verdicts.EITHER,
    yes: Yes = False,
) -> None:
    """Have a model suggest what to fix, each from evidence; `analysis show` then holds its suggestions."""
    with opened() as services:
        from comparator.api.analysing import analysis
        from comparator.workflow.themes import inquire
        from comparator.workflow.themes.model_questions import chosen_model
        from comparator.workflow.themes.suggest import cost_of_suggestions, suggest

        asked = _asked(services, project, candidate, baseline, verdicts)
        found, person_id = analysis(services, asked), me(services)
        if not agreed(cost_of_suggestions(found, model=chosen_model(services)), yes):
            return

        async def write(judge: Judge, worker: str, saved: Saved) -> tuple[Suggestion, ...]:
            return await suggest(
                services,
                inquire.as_model(judge),
                asked.project_id,
                found,
                of=(asked.one, asked.two),
                person_id=person_id,
                worker=worker,
                saved=saved,
            )

        for each in ask_model(services, write):
            print(f"{each.priority.value}: {each.suggestion}")


@analysis_commands.command("transcripts")
def read_transcripts(
    project: Name,
    candidate: Annotated[str, typer.Option(help="One candidate, by its name on the dashboards")] = "",
    baseline: Annotated[str, typer.Option(help="The other one")] = "",
    comparison: Annotated[str, typer.Option(help="Instead of two candidates: one pair, by its id")] = "",
    verdicts: Counted = Verdicts.EITHER,
    yes: Yes = False,
) -> None:
    """Have a model read the transcripts of up to three pairs: how each side followed its skill, and how it worked.

    `analysis show` then holds it; of one pair, `export analysis --comparison ID`.
    """
    with opened() as services:
        from comparator.api.analysing import analysis, analysis_of_pair
        from comparator.interop.write.analysis import Analysis
        from comparator.workflow.themes import inquire, transcripts
        from comparator.workflow.themes.model_questions import chosen_model

        if bool(comparison) == bool(candidate and baseline):
            raise InputError("Give either --candidate and --baseline, or --comparison.")
        project_id, person_id = project_named(services, project), me(services)
        found: Analysis
        of: tuple[str, ...]
        if comparison:
            found, of = analysis_of_pair(services, project_id, comparison), (comparison,)
        else:
            asked = _asked(services, project, candidate, baseline, verdicts)
            found, of = analysis(services, asked), (asked.one, asked.two)
        given = transcripts.material(services, found)
        if given is None:
            raise InputError(transcripts.NONE_THERE)
        for line in given.cut:
            say.print(f"{line}.")
        if not agreed(transcripts.cost_of_reading(given, model=chosen_model(services)), yes):
            return

        async def write(judge: Judge, worker: str, saved: Saved) -> FromTranscripts:
            return await transcripts.read_transcripts(
                services,
                inquire.as_model(judge),
                project_id,
                found,
                of=of,
                person_id=person_id,
                worker=worker,
                saved=saved,
            )

        read: FromTranscripts = ask_model(services, write)
    for side, followed in read.followed.items():
        print(f"{side}: followed its instructions {followed.score} of 10")
    for side, pattern in read.patterns.items():
        print(f"{side}: {pattern.text}")
    if read.dropped:
        say.print(f"Left out: {counted(read.dropped, 'statement')} whose quotes are in no transcript.")


@analysis_commands.command("notes")
def write_notes(
    project: Name,
    candidate: Candidate,
    baseline: Baseline,
    verdicts: Counted = Verdicts.EITHER,
    out: Out = STANDARD,
) -> None:
    """Write benchmark notes as a JSON array of strings: what always passes, varies, or costs more."""
    with opened() as services:
        from comparator.api.analysing import notes_text

        asked = _asked(services, project, candidate, baseline, verdicts)
        _write(notes_text(services, asked, _names(candidate, baseline)), out)


@analysis_commands.command("fix-list")
def write_fixes(
    project: Name,
    candidate: Annotated[
        str, typer.Option(help="Candidate whose losses to list, by its name on the dashboards")
    ],
    baseline: Baseline,
    verdicts: Counted = Verdicts.EITHER,
    out: Out = STANDARD,
) -> None:
    """Write what would flip most pairs that the candidate lost, as Markdown for an issue."""
    with opened() as services:
        from comparator.api.analysing import fix_list_text

        asked = _asked(services, project, candidate, baseline, verdicts)
        _write(fix_list_text(services, asked, candidate=candidate), out)


@analysis_commands.command("import")
def import_foreign(
    project: Name,
    file: Annotated[Path, typer.Argument(help="analysis.json that somebody else wrote; - is standard input")],
    comparison: Annotated[str, typer.Option(help="Id of the comparison that it belongs to")] = "",
) -> None:
    """Keep an analysis that somebody else wrote, to stand beside ours on the dashboards."""
    with opened() as services:
        from comparator.workflow.importing.analyses import import_analysis

        text = read_text(file, "analysis")

        import_analysis(
            services,
            project_named(services, project),
            text,
            name=file.name,
            comparison_id=comparison or None,
            person_id=me(services),
        )
    say.print("Imported.")


def _asked(
    services: Services, project: str, candidate: str, baseline: str, verdicts: Verdicts
) -> ResultFilter:
    from comparator.api.deciding import result_filter

    return result_filter(
        services.database, candidate, baseline, project_id=project_named(services, project), verdicts=verdicts
    )


def _names(candidate: str, baseline: str) -> Names:
    from comparator.reporting.results.candidates import Names

    return Names(candidate, baseline)


def _write(text: str, out: Path) -> None:
    if write_text(text, out):
        say.print(f"Written: {out}")
