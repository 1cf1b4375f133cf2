"""Components with their own JavaScript, one folder each."""

from functools import cache
from importlib.resources import files
from typing import Any

import streamlit as st

from comparator.web.modules import address_of

TOKENS = "components/tokens.css"
"""The colours and sizes that components share."""

_MOUNT = """
const loaded = import(new URL("%s", location.origin).href);
export default (component) => {
  let left = false, leave = loaded.then((module) => (left ? null : module.default(component)));
  return () => { left = true; leave.then((act) => act?.()); };
};
"""
"""Streamlit imports a script from a blob, from which no relative import resolves: it only calls the module."""


@cache
def component(name: str, module: str, *styles: str) -> Any:
    """What puts the component of this name on the page; the paths of its module and styles begin below `ui`."""
    texts = [files("comparator.ui").joinpath(path).read_text(encoding="utf-8") for path in styles]
    return st.components.v2.component(
        f"comparator_{name}",
        js=_MOUNT % address_of(module),
        css="\n".join(texts) or None,
    )
