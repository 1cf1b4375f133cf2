"""`serve` and `doctor`: the app and its set-up."""

import asyncio
from contextlib import nullcontext, suppress
from typing import Annotated

import typer

from comparator.cli.frame import BAD_INPUT, AsJson, app, json_text, say
from comparator.domain.errors import SettingsError
from comparator.settings import JudgeKind


@app.command()
def serve(
    *,
    port: int = 8501,
    host: str = "127.0.0.1",
    allow_network: bool = False,
    token: bool = False,
    examples: bool = True,
    browser: bool = True,
    with_parent: Annotated[
        bool,
        typer.Option("--with-parent", hidden=True, help="Exit when the parent process exits"),
    ] = False,
) -> None:
    """Start the app and open it in the browser, with the examples loaded on the first start.

    Args:
        port: Port on this machine
        host: Address to listen on
        allow_network: Listen on an address that other machines reach, without sign-in
        token: Require a token in the address on this machine, too, since other accounts can reach it
        examples: Load the example pairs on the first start
        browser: Open the app in the browser; never in CI, over SSH or without a desktop
    """
    from comparator.bootstrap import ENVIRONMENT, load_settings

    settings = load_settings()
    if host not in ("127.0.0.1", "localhost", "::1") and not (settings.signs_in or allow_network):
        raise SettingsError(
            f"Other machines can reach {host}, and nobody has to sign in. Set up sign-in "
            "(COMPARATOR_OIDC_*), or add --allow-network: anyone with the address and its token may do everything."
        )
    if token:
        settings = settings.model_copy(update={"start_token": True})
    from comparator.web.monitoring import set_up
    from comparator.web.start import end_with_parent, has_browser, run_app

    set_up(settings.log, environment=ENVIRONMENT)
    if with_parent:
        end_with_parent()
    opens = browser and has_browser(ENVIRONMENT)
    # Who runs the app through make stops it by Ctrl+C; that is no failure.
    with suppress(KeyboardInterrupt) if with_parent else nullcontext():
        run_app(settings, host=host, port=port, examples=examples, say=say.print, browser=opens)


@app.command(epilog="Exit codes: 0 every check passed; 2 a check failed, and its line says why.")
def doctor(
    kind: Annotated[
        JudgeKind | None, typer.Option("--judge", help="Which judge; by default the settings say")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check the set-up: settings, database, blobs, judge."""
    from comparator.bootstrap import ENVIRONMENT, load_settings
    from comparator.workflow.doctor import check_up

    findings = asyncio.run(check_up(load_settings(), environment=ENVIRONMENT, kind=kind))
    if as_json:
        print(json_text(findings, indent=2))
    else:
        for finding in findings:
            print(f"{'ok  ' if finding.ok else 'FAIL'}  {finding.name}: {finding.text}")
    if not all(finding.ok for finding in findings):
        raise typer.Exit(BAD_INPUT)
