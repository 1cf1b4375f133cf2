"""The passes of a comparison's judgment, as tests look at them."""

import sqlalchemy as sa

from comparator.domain.scoring.judgment import Pass
from comparator.store.judging import judgments


def current_passes(connection: sa.Connection, comparison_id: str) -> tuple[Pass, ...]:
    """The successful passes of the set that counts, in the order in which they were stored."""
    chosen = judgments.current(judgments.sets(connection, comparison_id))
    return judgments.successful(connection, chosen.digest) if chosen else ()
