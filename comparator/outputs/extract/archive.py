"""An archive inside an output: its members' names and sizes; never owner, time, comment or content."""

from __future__ import annotations

from comparator.domain.pair.notes import NoteKind
from comparator.outputs.extract.unpack import NotUnpacked, TooLarge, entries
from comparator.outputs.isolated.results import Extraction, ReadLimits, Unreadable
from comparator.outputs.member_names import in_words, tidy

_SHOWN = 2_000


def read(data: bytes, limits: ReadLimits) -> Extraction:
    """The list of members in the archive's order."""
    lines: list[str] = []
    notes = [NoteKind.MEMBERS_NOT_READ.text()]
    total = count = 0
    try:
        for member, _ in entries(data, limits):
            count, total = count + 1, total + member.size
            if count <= _SHOWN:
                remark = f", {member.refusal}" if member.refusal else ""
                lines.append(f"{tidy(member.name)} ({in_words(member.size)}{remark})")
    except NotUnpacked:
        return Extraction(
            text=f"[packed file, {in_words(len(data))}]",
            notes=("It is packed in a way that is not read; only its size is known.",),
        )
    except TooLarge as error:
        raise Unreadable(str(error)) from error
    omitted = max(0, count - _SHOWN)
    if omitted:
        lines.append(f"[… {omitted:,} members left out here …]")
    lines.insert(0, f"Archive with {count:,} member{'' if count == 1 else 's'}, {in_words(total)} unpacked:")
    return Extraction(text="\n".join(lines) + "\n", notes=tuple(notes))
