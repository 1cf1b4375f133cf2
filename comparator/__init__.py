"""Blind comparison of two outputs of one task: judge, review, decide."""

import sys

__version__ = "0.1.0"

if sys.platform == "win32":
    sys.exit(
        "Blind Comparator does not run on Windows itself: it reads outputs in processes with limits that only "
        "Linux and macOS have. Install it in WSL (wsl --install); a browser of Windows opens http://127.0.0.1:8501."
    )
