"""A slide as it is laid out: its boxes where they stand, with their words, tables and pictures, in hundredths."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from pptx.enum.shapes import MSO_SHAPE_TYPE, PP_PLACEHOLDER

from comparator.outputs.extract.office.ooxml import html_text

_POINT = 12_700
_DEEPEST_GROUP = 20
_MOST_SHAPES = 2_000
_ALIGNED = {1: "left", 2: "center", 3: "right", 4: "justify"}
_ANCHORS = {1: "flex-start", 3: "center", 4: "flex-end"}
_SIZES = {
    PP_PLACEHOLDER.TITLE: 40.0,
    PP_PLACEHOLDER.CENTER_TITLE: 44.0,
    PP_PLACEHOLDER.SUBTITLE: 28.0,
    PP_PLACEHOLDER.BODY: 26.0,
    PP_PLACEHOLDER.OBJECT: 26.0,
}
_CENTRED = frozenset({PP_PLACEHOLDER.TITLE, PP_PLACEHOLDER.CENTER_TITLE, PP_PLACEHOLDER.SUBTITLE})
_USUAL_SIZE = 18.0
_SMALLEST_SIZE = 6.0


class SlideFrame(NamedTuple):
    """Where the coordinates of shapes lie on the slide: an offset and a factor each way, and the slide's size."""

    left: float
    top: float
    across: float
    down: float
    width: float
    height: float


def laid_out(slide: Any, *, width: int, height: int, inner: Callable[[Any], str | None]) -> str:
    """The slide as HTML; `inner` gives what a shape other than words holds, or None for words."""
    frame = SlideFrame(0, 0, 1, 1, float(width or 1), float(height or 1))
    left = [_MOST_SHAPES]
    boxes = "".join(_shapes(slide.shapes, frame, inner, 0, left))
    ground = _colour(lambda: slide.background.fill.fore_color.rgb)
    style = f"aspect-ratio:{frame.width / frame.height:.4f}" + (f";background:#{ground}" if ground else "")
    return f'<div class="slide" style="{style}">{boxes}</div>'


def _shapes(
    shapes: Any, frame: SlideFrame, inner: Callable[[Any], str | None], depth: int, left: list[int]
) -> Iterator[str]:
    for shape in shapes:
        left[0] -= 1
        if left[0] < 0:
            return
        if shape.shape_type == MSO_SHAPE_TYPE.GROUP and depth < _DEEPEST_GROUP:
            yield from _shapes(shape.shapes, _within(shape, frame), inner, depth + 1, left)
            continue
        content = inner(shape)
        if content is None:
            content = _words(shape, frame) if shape.has_text_frame else ""
        style = _place(shape, frame) + _look(shape) + _anchor(shape)
        if content or "background" in style:
            yield f'<div class="box" style="{style}">{content}</div>'


def _within(group: Any, frame: SlideFrame) -> SlideFrame:
    """The frame of a group's own shapes, which have coordinates of their own."""
    xfrm = group.element.grpSpPr.find("{http://schemas.openxmlformats.org/drawingml/2006/main}xfrm")
    try:
        start, size = xfrm.chOff, xfrm.chExt
        across = frame.across * group.width / max(size.cx, 1)
        down = frame.down * group.height / max(size.cy, 1)
        return frame._replace(
            left=frame.left + group.left * frame.across - start.x * across,
            top=frame.top + group.top * frame.down - start.y * down,
            across=across,
            down=down,
        )
    except (AttributeError, TypeError):
        return frame


def _place(shape: Any, frame: SlideFrame) -> str:
    if shape.left is None or shape.width is None:
        return "left:5%;top:5%;width:90%;height:auto"
    parts = {
        "left": (frame.left + shape.left * frame.across) / frame.width,
        "top": (frame.top + (shape.top or 0) * frame.down) / frame.height,
        "width": shape.width * frame.across / frame.width,
        "height": (shape.height or 0) * frame.down / frame.height,
    }
    style = ";".join(f"{name}:{min(max(part, -3.0), 4.0) * 100:.2f}%" for name, part in parts.items())
    turn = getattr(shape, "rotation", 0) or 0
    return style + (f";transform:rotate({float(turn):.1f}deg)" if turn else "")


def _anchor(shape: Any) -> str:
    """Where words stand in their box: as it says, or in the middle for titles and at the top for all else."""
    if not shape.has_text_frame:
        return ""
    kind = shape.placeholder_format.type if shape.is_placeholder else None
    usual = 3 if kind in _CENTRED and kind is not PP_PLACEHOLDER.SUBTITLE else 1
    placed = _ANCHORS.get(int(shape.text_frame.vertical_anchor or usual), "flex-start")
    return f";justify-content:{placed}"


def _look(shape: Any) -> str:
    ground = _colour(lambda: shape.fill.fore_color.rgb)
    edge = _colour(lambda: shape.line.color.rgb)
    return (f";background:#{ground}" if ground else "") + (f";border:1px solid #{edge}" if edge else "")


def _words(shape: Any, frame: SlideFrame) -> str:
    kind = shape.placeholder_format.type if shape.is_placeholder else None
    usual = _USUAL_SIZE if kind is None else _SIZES.get(kind, _USUAL_SIZE)
    bulleted = kind in (PP_PLACEHOLDER.BODY, PP_PLACEHOLDER.OBJECT)
    out = []
    for paragraph in shape.text_frame.paragraphs:
        runs = "".join(_run(run) for run in paragraph.runs)
        if not runs.strip():
            continue
        sizes = [run.font.size.pt for run in paragraph.runs if run.font.size is not None]
        size = max(max(sizes) if sizes else usual - 3.0 * paragraph.level, _SMALLEST_SIZE)
        aligned = _ALIGNED.get(int(paragraph.alignment or 0), "center" if kind in _CENTRED else "left")
        share = size * _POINT / frame.width * 100
        level = min(int(paragraph.level), 9)
        style = (
            f"font-size:{share:.2f}cqw;text-align:{aligned};padding-left:{level * 1.4 + bulleted * 1.0:.1f}em"
        )
        sign = "<span>\N{BULLET} </span>" if bulleted else ""
        out.append(f'<p style="{style}">{sign}{runs}</p>')
    return "".join(out)


def _run(run: Any) -> str:
    text = html_text(run.text).replace("\x0b", "<br>")
    colour = _colour(lambda: run.font.color.rgb)
    if run.font.bold:
        text = f"<b>{text}</b>"
    if run.font.italic:
        text = f"<i>{text}</i>"
    return f'<span style="color:#{colour}">{text}</span>' if colour else text


def _colour(ask: Callable[[], Any]) -> str | None:
    """A colour of six digits, where there is a plain one."""
    try:
        found = str(ask())
    except (AttributeError, TypeError, ValueError, KeyError, NotImplementedError):
        # No fill, a colour of the theme, a gradient: drawn plainly.
        return None
    return found if len(found) == 6 and found.isalnum() else None
