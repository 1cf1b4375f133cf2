"""Takes what is loaded once out of the garbage collections, of which Streamlit forces a full one after every run."""

from __future__ import annotations

import gc
import sys
from collections.abc import Mapping
from typing import Any

_EVERYTHING = 2
_loaded = 0


def spare_modules() -> None:
    """From now on, a full collection that finds new modules loaded leaves what survived it out of later ones.

    Without it a click waits for all classes and functions of all libraries to be looked through, twice where a run
    asks for another. Modules stay until the process ends anyway, and so few other things are alive at those moments.
    """
    if _spare not in gc.callbacks:
        gc.callbacks.append(_spare)


def _spare(phase: str, info: Mapping[str, Any]) -> None:
    global _loaded
    if phase == "stop" and info["generation"] == _EVERYTHING and len(sys.modules) > _loaded:
        _loaded = len(sys.modules)
        gc.freeze()
