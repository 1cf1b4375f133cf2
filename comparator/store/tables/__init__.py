"""All tables, in one MetaData."""

from comparator.store.tables.base import metadata as metadata
from comparator.store.tables.judging import *  # noqa: F403  # every name is a table
from comparator.store.tables.pairs import *  # noqa: F403
from comparator.store.tables.people import *  # noqa: F403
