"""The keys of the session's state, and of the ids that stand in addresses, in one place."""

from enum import StrEnum


class SessionKey(StrEnum):
    """What the pages remember within a session, besides the widgets' own values."""

    PROJECT_NAME = "project_name"
    """Name of the project that is looked at, by which addresses call it; empty for all."""
    DRAFT = "new_draft"
    """The draft on the page New."""
    OPENED_PREFIX = "review_opened"
    """When a comparison (its id follows) was first shown to be reviewed."""
    SIGNED_IN = "signed_in"
    """Whom the provider's sign-in of this session was found to be."""
    NOTICE = "notice"
    """One sentence that the next page shows once."""
    FROM_QUEUE = "from_queue"
    """Whether the page before the review was the queue."""
    BATCH = "batch_reviewed"
    """The batch whose pairs follow each other in the review; nothing where all of a project do."""
    LEFT = "left_for_pair"
    """The parts of the address from which a pair was opened."""
    LEFT_PROJECT = "left_project_for_pair"
    """The choice on the left when a pair was opened."""
    PROJECT_CHOSEN = "project_chosen"
    """Whether this run follows a choice of another project."""
    CHART_SOURCE = "chart_source"
    """Project, date and number of pairs, which stand under each picture of the page."""
    TO_WRITE = "to_write"
    """What writes the file that was asked for, its name and its project, until it is saved."""
    CARDS = "dashboards_cards"
    """How many cards of projects are shown."""
    LISTED_PREFIX = "listed"
    """With which filter a list (the key of its page number follows) was shown last."""
    TAB_CHOSEN = "queue_tab_chosen"
    """Whether somebody chose the tab of the queue; it is the first with pairs in it until then."""


class Param(StrEnum):
    """Names in the address: ids and filters, so that any page can be linked and reloaded."""

    COMPARISON = "c"
    PROJECT = "project"
    """The choice on the left: by name in the address, by id in the session's state; empty for all."""
    WITHIN = "within"
    """The parts to which the dashboards are narrowed."""
    ITERATION = "iteration"
    """The iterations to which the history is narrowed."""
    PAGE = "page"
    """Of the help."""


class PageScript(StrEnum):
    """The scripts of the pages, for links between them."""

    QUEUE = "pages/queue.py"
    NEW = "pages/new.py"
    IMPORT = "pages/import.py"
    BATCHES = "pages/batches.py"
    REVIEW = "pages/review.py"
    PANEL = "pages/panel.py"
    HISTORY = "pages/history.py"
    DASHBOARDS = "pages/dashboards.py"
    JUDGE = "pages/judge.py"
    SETTINGS = "pages/settings.py"
    HELP = "pages/help.py"
