"""Step three of the page New: which judge reads first, and what that will cost about."""

from __future__ import annotations

import streamlit as st

from comparator.domain.errors import ComparatorError
from comparator.domain.pair.task import TaskText
from comparator.judges.protocol import JudgeIdentity
from comparator.settings import JudgeKind
from comparator.ui.frame import safe
from comparator.ui.frame.words import JUDGE_KINDS
from comparator.ui.new.draft import OpenDraft, start_with
from comparator.workflow.estimate import CostEstimate, estimate
from comparator.workflow.services import Services

KINDS: dict[JudgeKind, str] = {
    "auto": "Automatic",
    "anthropic": JUDGE_KINDS["anthropic"],
    "offline": JUDGE_KINDS["offline"],
}
OFFLINE = (
    "The offline check looks at form only: whether an output is empty, does not open, or lacks a file that the task "
    "names. It gives no scores, cannot tell right from wrong, and is free."
)

NO_MODEL = "No key is set, so “Automatic” uses the offline check."


def judge_step(services: Services, page: OpenDraft, task: TaskText | None) -> str | None:
    """Ask for the judge; why it cannot be used, as a plain sentence, or None."""
    # The model's box goes below the choice where there is no room beside it.
    row = st.container(horizontal=True, gap="medium")
    kind = row.segmented_control(
        "Judge",
        list(KINDS),
        format_func=lambda each: safe.inked(KINDS[each]),
        key=start_with("judge", page.draft.judge),
        required=True,
        help="Automatic uses a model if one is configured, otherwise the offline check.",
    )
    page.keep(judge=kind or "auto")
    try:
        identity = services.judge_identity(page.draft.judge, page.draft.model or None)
    except ComparatorError as error:
        st.error(safe.message(error), icon=":material/error:")
        return "Choose a judge that can be used."
    if identity.kind == "offline":
        st.caption(f"{NO_MODEL} {OFFLINE}" if page.draft.judge == "auto" else OFFLINE)
        return None
    model = row.text_input(
        "Model",
        key=start_with("model", page.draft.model),
        placeholder=services.settings.model or identity.model,
        max_chars=200,
        width=320,
    )
    page.keep(model=(model or "").strip())
    _cost(services, page, task, services.judge_identity(page.draft.judge, page.draft.model or None))
    return None


def _cost(services: Services, page: OpenDraft, task: TaskText | None, identity: JudgeIdentity) -> None:
    if page.draft.scan is None or task is None:
        st.caption(f"{safe.text(identity.model)} reads the pair in both orders.")
        return
    about = estimate(services, identity, task=task, characters=page.draft.scan.characters)
    if about is not None:
        st.caption(safe.text(_in_words(identity.model, about)))


def _in_words(model: str, about: CostEstimate) -> str:
    tokens = f"about {about.input_tokens:,} tokens in and {about.output_tokens:,} out"
    price = "no price is known for this model" if about.cost is None else f"about {about.cost:.2f} USD"
    return f"{model} reads the pair {about.readings} times, half of them in each order: {tokens}, {price}."
