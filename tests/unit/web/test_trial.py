"""The document of a page that is tried before it is shown."""

from __future__ import annotations

import pytest

from comparator.web.media.trial import TrialPage

PASSED = "<script>globalThis.comparatorDrawn = true</script>"


@pytest.mark.parametrize(
    "end", ["</style>", "</STYLE >", "</st</styleyle>", "</</stylestyle>", "<\\/style></style>"]
)
def test_no_style_sheet_ends_its_element_and_brings_a_script(end: str) -> None:
    document = (
        TrialPage(b"<html><p>words</p>", sheets=[f"p {{ color: red }}{end}{PASSED}"]).document("").lower()
    )

    assert document.count(b"</style") == document.count(b"<style>") == 1
    assert document.count(b"</script") == 1
    assert document.rpartition(b"</style>")[2] == b""
