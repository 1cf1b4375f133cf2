"""Topics of tasks: groups by the words of their titles and prompts; no model is asked."""

from __future__ import annotations

from collections import Counter

import sqlalchemy as sa

from comparator.stats.grouping import group
from comparator.store import tables
from comparator.store.core.database import Database

MOST = 8
"""Topics of a project."""
LEAST_TASKS = 5
"""A project has at most one topic for so many tasks."""
MOST_TASKS = 1_000
"""Tasks beyond this have no topic."""
MOST_READ = 2_000
"""Characters of a prompt that are read."""


def find_topics(database: Database, project_id: str) -> None:
    """Group the tasks of a project anew if one of them has not been grouped since its last wording."""
    task, task_version = tables.task.c, tables.task_version.c
    last = (
        sa.select(task_version.prompt)
        .where(task_version.task_id == task.id)
        .order_by(task_version.number.desc())
        .limit(1)
        .scalar_subquery()
    )
    with database.read() as connection:
        missing = sa.select(task.id).where(task.project_id == project_id, task.topic.is_(None)).limit(1)
        if connection.execute(missing).first() is None:
            return
        prompt = sa.func.substr(last, 1, MOST_READ).label("prompt")
        query = sa.select(task.id, task.title, prompt).where(task.project_id == project_id).order_by(task.key)
        rows = connection.execute(query).all()
    topics = dict.fromkeys((row.id for row in rows), "")
    read = rows[:MOST_TASKS]
    groups = min(MOST, len(read) // LEAST_TASKS)
    if groups > 1:
        found = group([f"{row.title} {row.prompt or ''}" for row in read], groups=groups)
        shared = Counter(word for each in found for word in each.words)
        for each in found:
            own = [word for word in each.words if shared[word] == 1]
            for place in each.members:
                topics[read[place].id] = ", ".join(own or each.words)
    with database.write() as connection:
        connection.execute(
            tables.task.update().where(task.id == sa.bindparam("task")).values(topic=sa.bindparam("words")),
            [{"task": id, "words": words} for id, words in topics.items()],
        )
