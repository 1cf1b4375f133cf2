"""The tab: what goes with winning, one measure as a histogram, and the project's own checks."""

from __future__ import annotations

import streamlit as st

from comparator.reporting.scope import By
from comparator.reporting.why.differ import CHECK, FILES, Differences, Differs, how_they_differ
from comparator.reporting.why.differ_by_part import by_part
from comparator.ui.dashboards.data import Headline
from comparator.ui.dashboards.differ.charts import measures_chart, one_chart, parts_chart
from comparator.ui.dashboards.differ.checks import checks_part, look
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts import show
from comparator.ui.frame.lists.filters import one_of, one_of_many
from comparator.ui.frame.lists.narrowing import BY
from comparator.ui.frame.words import FAMILIES, counted

NAMES = {
    "characters": "Characters",
    "words": "Words",
    "headings": "Headings",
    "list_items": "List items",
    "tables": "Tables",
    "code_blocks": "Code blocks and files",
    "links": "Links",
    "pictures": "Pictures",
    "pages": "Pages",
    "expectations": "Expectations met (share)",
    "tokens": "Tokens",
    "seconds": "Seconds",
    "cost": "Cost in USD",
}


def how_they_differ_part(top: Headline) -> None:
    """The tab."""
    project_id, names = top.asked.project_id, top.names
    if not top.result.n:
        st.info("No pair of these two is counted yet.", icon=":material/info:")
        return
    look(project_id)
    found = how_they_differ(session.services().database, top.asked)
    if found.unmeasured:
        st.info(
            safe.text(
                f"The outputs of {counted(found.unmeasured, 'pair')} were kept by an earlier version and are being "
                "measured in the background. Until then they are left out of what is counted in outputs."
            ),
            icon=":material/hourglass_top:",
        )
    if found.measures:
        called = {each.measure: name_of(each) for each in found.measures}
        show([measures_chart(top, found, called, same=same_in_all(found))])
        chosen = one_of_many("measure", called, "Measure", width=320)
        each = next(each for each in found.measures if each.measure == chosen)
        show([one_chart(top, each, called[each.measure])])
        _by_part(top, each.measure, called[each.measure])
    else:
        st.info(
            safe.text(f"The outputs of {names.one} and {names.two} differ in no measure."),
            icon=":material/info:",
        )
    checks_part(project_id)


def _by_part(top: Headline, measure: str, name: str) -> None:
    """Ask for a property, and show what it makes of the measure; nothing where no property parts the pairs."""
    found = by_part(session.services().database, top.asked, measure)
    if not found:
        return
    by = By(one_of("split", {each.value: BY[each] for each in found}, "Split by"))
    show([parts_chart(top, found[by], name, by=by)])


def name_of(each: Differs) -> str:
    """What a measure is called."""
    if each.measure.startswith(CHECK):
        return f"Check: {each.name}"
    return _called(each.measure)


def _called(measure: str) -> str:
    if measure.startswith(FILES):
        family = measure.removeprefix(FILES)
        return f"{next((words for each, words in FAMILIES.items() if each.value == family), family)} files"
    return NAMES.get(measure, measure)


def same_in_all(found: Differences) -> list[str]:
    """What the measures are called that are the same in every pair."""
    return [_called(name) for name in found.same]
