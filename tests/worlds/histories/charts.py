"""The charts of Trust and People by name, as the page has them."""

from comparator.reporting.facts import facts_of
from comparator.store.core.database import Database
from comparator.ui.dashboards.tabs.reviewers import people_charts
from comparator.ui.dashboards.tabs.trust import trust_charts
from comparator.ui.frame.charts import Row


def trust_rows(database: Database, project_id: str) -> dict[str, list[Row]]:
    """The rows of each chart. Raises BlindnessError."""
    with facts_of(database, project_id) as facts:
        return {
            chart.name: list(chart.rows)
            for chart in (*trust_charts(facts, None), *people_charts(facts, None))
        }
