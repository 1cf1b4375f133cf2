"""What a view says of its files, and what its digest stands for."""

from __future__ import annotations

from comparator.domain.pair.view import Family, OutputView, PageEvidence, TextBlock, ViewedFile


def a_file(*texts: TextBlock, page: PageEvidence | None = None) -> ViewedFile:
    return ViewedFile(id="x", name="a.html", family=Family.HTML, size=3, blocks=texts, page=page)


def digest_of(page: PageEvidence | None) -> str:
    return OutputView(files=(a_file(page=page),)).digest


def test_a_file_is_cut_where_any_of_its_texts_lacks_characters() -> None:
    whole, part = TextBlock(text="all"), TextBlock(text="some", omitted=7)

    assert not a_file().is_cut
    assert not a_file(whole).is_cut
    assert a_file(whole, part).is_cut


def test_that_there_was_no_browser_is_kept_and_alters_no_digest() -> None:
    told = PageEvidence(problem="There is no picture of it.")
    unopened = told.model_copy(update={"no_browser": True})

    assert digest_of(unopened) == digest_of(told) != digest_of(None)
    assert PageEvidence.model_validate_json(unopened.model_dump_json()).no_browser
    assert "no_browser" not in told.model_dump()
