"""What an address behind a mark of a chart says of the list that it leads to."""

from urllib.parse import parse_qs, urlsplit

import pytest

from comparator.ui.frame.charts import Chart
from comparator.ui.frame.charts.chart import BEHIND, PAIRS, SAYS, Link


@pytest.mark.parametrize(
    ("row", "says"), [({"Iteration": "25", "Pairs": 40}, "Iteration 25"), ({"Tag": "stock"}, "stock")]
)
def test_a_list_behind_a_number_says_what_the_number_counts(row: dict[str, str | int], says: str) -> None:
    chart = Chart("rates", "Rates", [row])

    link = chart.link(0, Link(f"/dashboards?{BEHIND}=all"), PAIRS)

    assert link is not None
    assert parse_qs(urlsplit(link).query)[SAYS] == [says]
