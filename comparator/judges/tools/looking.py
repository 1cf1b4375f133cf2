"""The tool `look`."""

from __future__ import annotations

from comparator.domain.errors import InputError
from comparator.domain.pair.examination import SeenUnits
from comparator.domain.pair.view import PageEvidence
from comparator.judges.tools.arguments import Look
from comparator.judges.tools.material import Material, PlacedFile, place_in_words
from comparator.judges.tools.reply import ToolReply

PAGES = "pages"
PICTURES = "pictures"
"""Pages of a document, and pictures that stand in one, as parts of what was seen."""


def look(material: Material, asked: Look) -> ToolReply:
    """A picture of a page, slide or image, or of a web page in the window nearest in width. Raises InputError."""
    placed = material.file(asked.side, asked.file)
    where = f"{place_in_words(placed.place)}, {placed.file.name}"
    if placed.page is not None and placed.page.pictures:
        return _opened(placed, placed.page, asked, where)
    taken = material.picture(placed, page=asked.page, width=asked.width)
    unit = "picture in it" if taken.embedded else "page"
    page_in_words = f", {unit} {asked.page} of {taken.pages}" if taken.pages > 1 else ""
    part = PICTURES if taken.embedded else PAGES
    return ToolReply(
        f"{where}{page_in_words}, {taken.width} by {taken.height} pixels:",
        picture=taken.block,
        seen=(_seen(placed, asked.page, max(taken.pages, asked.page), part),),
    )


def _opened(placed: PlacedFile, page: PageEvidence, asked: Look, where: str) -> ToolReply:
    """A web page as it was photographed for both outputs; no other width is taken now, which would not be alike."""
    picture = min(page.pictures, key=lambda each: (abs(each.width - asked.width), each.width))
    if not picture.tiles or asked.page > len(picture.tiles):
        raise InputError(f"At this width there are {len(picture.tiles)} pictures from the top.")
    cut = f" The page goes on below {picture.shown:,} pixels." if picture.is_cut else ""
    # What is further down is in no picture, so that those there are do not show the whole page.
    total = len(picture.tiles) + picture.is_cut
    return ToolReply(
        f"{where}, in a {picture.device} window {picture.width} pixels wide, part {asked.page} of "
        f"{len(picture.tiles)} from the top; the page is {picture.height:,} pixels high.{cut}",
        picture=picture.tiles[asked.page - 1],
        seen=(_seen(placed, asked.page, total, picture.device),),
    )


def _seen(placed: PlacedFile, number: int, total: int, part: str) -> SeenUnits:
    return SeenUnits(
        place=placed.place, file=placed.file.name, first=number, last=number, total=total, part=part
    )
