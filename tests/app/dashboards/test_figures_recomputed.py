"""Figures of trust, ranking and cost as the page shows them, computed again from planted pairs by other libraries."""

from __future__ import annotations

import re
import shutil
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import evalica
import numpy as np
import pandas as pd
import pytest
import sqlalchemy as sa
from streamlit.testing.v1 import AppTest

from comparator.domain.labels import Order
from comparator.domain.pair.notes import SAME_IN_BOTH_ORDERS
from comparator.domain.usage import Usage
from comparator.store import tables
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.ui.frame.estimates import percent
from comparator.workflow.services import Services
from tests.app.conftest import figures, open_numbers, open_page
from tests.app.dashboards.test_dashboards import table, words
from tests.worlds.histories.history import NEW, OLD, History
from tests.worlds.histories.pairs import START, World, answer

THIRD = "third-prompt"
MET = {(NEW, OLD): 30, (NEW, THIRD): 15, (OLD, THIRD): 15}
"""How often each two met."""


class Irregular(World):
    """A world in which as much as three minutes may go by between two acts."""

    def __init__(self, database: Database, blobs: BlobStore, rng: np.random.Generator) -> None:
        self._rng, self._clock = rng, START
        super().__init__(database, blobs)

    def now(self) -> datetime:
        self._clock += timedelta(seconds=int(self._rng.integers(1, 180)))
        return self._clock


class Seen(NamedTuple):
    """What was planted: a row a pair, and a row a reading."""

    project: str
    pairs: pd.DataFrame
    """Points of the first of two by the judge and by the reviewer, who may be missing; whether both orders agree."""
    readings: pd.DataFrame


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Seen]:
    """A database in which three candidates met; some verdicts are a person's, and some readings disagree."""
    folder, rng = tmp_path_factory.mktemp("planted"), np.random.default_rng(31)
    file, readings = folder / "comparator.db", []
    pairs: list[dict[str, object]] = []
    database = Database.open(f"sqlite:///{file}")
    history = History(Irregular(database, BlobStore.at(str(folder / "blobs")), rng))
    for (one, two), number in MET.items():
        for task in range(number):
            history.task(f"Task {task}")
            pair = history.unjudged(names=(one, two))
            steady, reviewed = rng.random() < 0.8, rng.random() < 0.6
            judged, said = (int(points) for points in rng.choice([2, 2, 0], 2))
            for order in Order:
                points = judged if steady or order is Order.A_FIRST else 2 - judged
                tokens, tenths, cost = (
                    rng.integers(50, 9_000, 2),
                    rng.integers(10, 900),
                    rng.integers(100, 90_000),
                )
                usage = Usage(
                    input_tokens=int(tokens[0]), output_tokens=int(tokens[1]), seconds=int(tenths) / 10
                )
                given = answer(*history.sides(pair, 2 + points, 4 - points))
                took = (usage, Decimal(int(cost)).scaleb(-6))
                history.world.attempt(pair, order, given, took=took)
                readings.append({**usage.model_dump(), "cost": took[1], "pair": len(pairs)})
            if reviewed:
                history.review(pair, 2 + said, 4 - said)
            pairs.append(
                {
                    "one": one,
                    "two": two,
                    "steady": steady,
                    # Whom the judge names in one order alone has not won.
                    "judge": judged if steady else 1,
                    "person": said if reviewed else np.nan,
                }
            )
    history.reveal()
    database.close()
    told = pd.DataFrame(pairs)
    told["points"] = told.person.fillna(told.judge)
    return file, Seen(history.project, told, pd.DataFrame(readings))


@pytest.fixture
def seen(planted: tuple[Path, Seen], home: Path) -> Seen:
    """The app has this database."""
    shutil.copyfile(planted[0], home / "comparator.db")
    return planted[1]


def part(app: AppTest, seen: Seen, name: str, *charts: str) -> AppTest:
    """A part of the dashboards with the tables under these charts open."""
    return open_numbers(
        open_page(app, "dashboards", project=seen.project, verdicts="either", part=name), *charts
    )


def test_three_figures_say_how_far_to_trust_the_result(app: AppTest, seen: Seen) -> None:
    shown = {label: value.replace("\\", "") for label, value in figures(part(app, seen, "why")).items()}

    first = seen.pairs[(seen.pairs.one == NEW) & (seen.pairs.two == OLD)]
    reviewed = first.dropna(subset="person")
    trusted = {
        "Reviewed": f"{first.person.notna().mean():.0%}",
        # A share of fewer than twenty is no percentage.
        "Judge agrees": f"{(reviewed.person == reviewed.judge).sum()} of {len(reviewed)}",
        SAME_IN_BOTH_ORDERS: f"{first.steady.mean():.0%}",
    }
    assert {label: shown[label] for label in trusted} == trusted
    assert len(set(trusted.values())) == 3


def test_the_ranking_of_all_candidates_is_that_of_evalica(app: AppTest, seen: Seen) -> None:
    part(app, seen, "where", "ranking", "matrix")

    expected = ranked(seen.pairs)
    rng = np.random.default_rng(1)
    again = pd.DataFrame(
        ranked(seen.pairs.iloc[rng.integers(0, len(seen.pairs), len(seen.pairs))]) for _ in range(400)
    )
    shown = table(app, "Share won").set_index("Candidate")
    assert list(shown.index) == list(expected.sort_values(ascending=False).index)
    assert shown["Share won"].to_dict() == pytest.approx(expected.to_dict(), abs=0.0015)
    for name, share in (("Interval from", 0.025), ("Interval to", 0.975)):
        # Resamples of their own differ a little.
        assert shown[name].to_dict() == pytest.approx(again.quantile(share).to_dict(), abs=0.04)
    cells = table(app, NEW).set_index("Candidate")
    for one, two in MET:
        points = seen.pairs[(seen.pairs.one == one) & (seen.pairs.two == two)].points
        assert cells.loc[one, two] == f"{percent(points.mean() / 2)} of {len(points)}"


def ranked(pairs: pd.DataFrame) -> pd.Series[float]:
    """The share of pairs that each would win against the others, by evalica's Bradley and Terry."""
    outcomes = {2: evalica.Winner.X, 1: evalica.Winner.Draw, 0: evalica.Winner.Y}
    found = evalica.bradley_terry(pairs.one, pairs.two, pairs.points.map(outcomes)).scores
    chance = np.divide.outer(found.to_numpy(), found.to_numpy())
    chance = chance / (1 + chance)
    return pd.Series((chance.sum(1) - 0.5) / (len(found) - 1), index=found.index)


def test_what_judging_and_reviewing_took_is_as_pandas_and_numpy_add_it_up(
    app: AppTest, seen: Seen, services: Services
) -> None:
    part(app, seen, "cost", "cost", "minutes")

    (spent,) = table(app, "Tokens in").to_dict("records")
    pairs = seen.pairs[(seen.pairs.one == NEW) & (seen.pairs.two == OLD)]
    readings = seen.readings[seen.readings.pair.isin(pairs.index)]
    assert len(pairs) < len(seen.pairs)
    total = sum(readings.cost, Decimal())
    everything = sum(seen.readings.cost, Decimal())
    assert f"judging took {len(seen.readings)} attempts with 1 model: {everything:.2f} USD." in words(app)
    assert {name: spent[name] for name in ("Pairs", "Attempts", "Failed", "Tokens in", "Tokens out")} == {
        "Pairs": len(pairs),
        "Attempts": len(readings),
        "Failed": 0,
        "Tokens in": readings.input_tokens.sum(),
        "Tokens out": readings.output_tokens.sum(),
    }
    assert spent["Seconds"] == pytest.approx(readings.seconds.sum())
    assert spent["Cost (USD)"] == pytest.approx(float(total))
    told = re.search(r"(\d+\.\d+) USD a pair with a verdict \((\d+)\)", words(app))
    assert told is not None
    assert float(told[1]) == pytest.approx(float(total) / len(pairs), abs=0.00006)
    assert int(told[2]) == len(pairs)
    assert spent["Seconds a pair"] == pytest.approx(readings.seconds.sum() / len(pairs), abs=0.051)
    # A pause counts five minutes at most.
    of_both = seen.pairs.dropna(subset="person").index.isin(pairs.index)
    gaps = worked(services.database)[of_both]
    assert (gaps > 300).any()
    minutes = np.minimum(gaps, 300).sum(axis=1) / 60
    (took,) = table(app, "Median (minutes)").to_dict("records")
    assert took["Reviews"] == len(minutes)
    for name, share in (("Median (minutes)", 0.5), ("90th percentile (minutes)", 0.9)):
        assert took[name] == pytest.approx(np.quantile(minutes, share, method="inverted_cdf"), abs=0.051)


def worked(database: Database) -> np.ndarray[Any, Any]:
    """Of each review the seconds from opening it to its one change, and from there to its end."""
    review, change, final = tables.review, tables.change, tables.finalisation
    query = (
        sa.select(review.c.opened_at, change.c.at.label("changed"), final.c.at.label("ended"))
        .join_from(review, change, change.c.review_id == review.c.id)
        .join(final, final.c.review_id == review.c.id)
        .order_by(review.c.opened_at)
    )
    with database.read() as connection:
        rows = connection.execute(query).all()
    return np.array([[(b - a).total_seconds() for a, b in pairwise(row)] for row in rows])
