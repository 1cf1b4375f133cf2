"""Makes a page of charts and tables fit for paper when it is printed."""

from __future__ import annotations

from collections.abc import Mapping

from comparator.ui.components import component


def fit_to_paper(*, key: str, colours: Mapping[str, str]) -> None:
    """Have the page printed whole and on white; `colours` says which colour (#rrggbb) of a chart becomes which."""
    drawn = {_as_drawn(own): _as_drawn(light) for own, light in colours.items()}
    component("paper", "components/paper.js", "components/paper.css", isolated=False)(
        key=key, data={"colours": drawn}
    )


def _as_drawn(colour: str) -> str:
    """The colour as the browser writes it in a drawn chart.

    >>> _as_drawn("#10151c")
    'rgb(16, 21, 28)'
    """
    return f"rgb({', '.join(str(part) for part in bytes.fromhex(colour[1:]))})"
