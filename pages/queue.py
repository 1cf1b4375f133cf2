"""Queue: how much waits, one button to begin, and the list of what waits."""

from comparator.ui.queue import queue

queue()
