"""A project's own commands that render files of which we know nothing: a file in, a PNG or an HTML page out."""

from __future__ import annotations

import io
import shlex
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from PIL import Image

from comparator.domain.errors import InputError, OutputRefused
from comparator.domain.pair.view import ImageBlock, PageEvidence, PagePicture
from comparator.outputs.extract.markup import rebuild
from comparator.outputs.isolated.process import Bounds, Isolated, isolated
from comparator.outputs.isolated.results import Unreadable
from comparator.outputs.isolated.system import cut_off
from comparator.outputs.limits import MB, PictureLimits
from comparator.outputs.pictures.camera import PageFile

SECONDS = 20.0
MEMORY = 1_000 * MB
ANSWER = 20 * MB
_MOST_OF_LOG = 20_000
_EXAMPLE = ".jsx .tsx: node /opt/render.mjs {in} {out}"

Open = Callable[[str, Sequence[PageFile]], PageEvidence | None]


class Made(NamedTuple):
    """What a command made; nothing where it wrote no file or went wrong."""

    data: bytes | None
    problem: str = ""
    complaints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Commands:
    """Which command renders which files, as a project sets it; the first line that fits counts."""

    lines: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = ()
    """File endings, and the command with its arguments."""
    seconds: float = SECONDS
    memory: int = MEMORY

    @classmethod
    def parse(cls, text: str | None) -> Commands:
        """The commands of a text, one per line: endings, a colon, a command with {in} and {out}. Raises InputError.

        >>> Commands.parse(".jsx .tsx: node render.mjs {in} {out}").lines
        ((('.jsx', '.tsx'), ('node', 'render.mjs', '{in}', '{out}')),)
        """
        lines = []
        for line in filter(None, (line.strip() for line in (text or "").splitlines())):
            head, _, rest = line.partition(": ")
            endings = tuple(head.lower().split())
            try:
                command = tuple(shlex.split(rest))
            except ValueError:
                command = ()
            named = endings and all(ending.startswith(".") and len(ending) > 1 for ending in endings)
            if not named or "{in}" not in " ".join(command) or "{out}" not in " ".join(command):
                raise InputError(f"The render command {line!r} is not valid. Write it as: {_EXAMPLE}")
            lines.append((endings, command))
        return cls(tuple(lines))

    def missing(self) -> tuple[str, ...]:
        """The programs that are not on this machine, in the order of the lines."""
        return tuple(command[0] for _, command in self.lines if shutil.which(command[0]) is None)

    def handles(self, name: str) -> bool:
        """Whether a command renders files of this name."""
        return self._of(name) is not None

    def evidence(self, name: str, files: Sequence[PageFile], *, open_page: Open) -> PageEvidence:
        """What a user sees of the file: the command's picture, or its page opened like any other page."""
        command = self._of(name)
        if command is None or not any(file.name == name for file in files):
            return PageEvidence(problem="There is no command, or no readable text, to render this file with.")
        program = shutil.which(command[0])
        if program is None:
            return PageEvidence(
                problem=f"The render command {PurePosixPath(command[0]).name} is not on this machine."
            )
        bounds = Bounds(self.memory, 2 * ANSWER, "The render command", programs=True)
        try:
            made = isolated(
                "render",
                Made,
                bounds=bounds,
                seconds=self.seconds,
                command=(program, *command[1:]),
                name=name,
                files=tuple(files),
            )
            if made.data is None:
                return PageEvidence(problem=made.problem, errors=made.complaints)
            if made.data.startswith(b"\x89PNG"):
                return _pictured(made.data)
        except OutputRefused as error:
            return PageEvidence(problem=str(error))
        # The page stands where the file stood, so that what lies beside it is found.
        page = PageFile(
            f"{name}.rendered.html",
            "text/html; charset=utf-8",
            rebuild(made.data.decode("utf-8", "replace")).text.encode(),
        )
        return open_page(page.name, [*files, page]) or PageEvidence(
            problem="The render command made a page, and there is no Chromium to open it."
        )

    def _of(self, name: str) -> tuple[str, ...] | None:
        return next((command for ends, command in self.lines if name.lower().endswith(ends)), None)


def ran(command: tuple[str, ...], name: str, files: tuple[PageFile, ...]) -> Made:
    """What a command makes of one of the files, in the folder of an isolated process. Raises Unreadable."""
    folder = Path.cwd()
    inside, out = folder / "in", folder / "out"
    cut_off()
    try:
        inside.mkdir()
        for file in files:
            target = (inside / file.name).resolve()
            if target.is_relative_to(inside.resolve()):
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(file.data)
    except (OSError, ValueError) as error:
        # A name that is too long, holds a NUL, or is that of another file's folder.
        raise Unreadable(
            "The command was not run: some file names of this output are not allowed in a folder."
        ) from error
    filled = [part.replace("{in}", str(inside / name)).replace("{out}", str(out)) for part in command]
    (folder / "home").mkdir()
    home = str(folder / "home")
    with (folder / "log").open("w+b") as log:
        done = subprocess.run(
            filled,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
            # No shell reads the command.
            env={"HOME": home, "TMPDIR": home, "PATH": "/usr/local/bin:/usr/bin:/bin"},
            cwd=inside,
            check=False,
        )
        log.seek(0)
        complaints = _lines(log.read(_MOST_OF_LOG), folder)
    if done.returncode:
        return Made(None, f"The render command failed (exit code {done.returncode}).", complaints)
    made = next((path for path in (out, *sorted(folder.glob("out.*"))) if path.is_file()), None)
    # A link would lead to a file of this machine.
    if made is None or made.is_symlink():
        return Made(None, "The render command wrote nothing.", complaints)
    if made.stat().st_size > ANSWER:
        return Made(None, f"The render command wrote more than {ANSWER // MB} MB.")
    return Made(made.read_bytes())


def _lines(log: bytes, folder: Path) -> tuple[str, ...]:
    """What a command complained of: its first lines, without the places where it ran and where they are kept."""
    text = log.decode("utf-8", "replace").replace(f"{folder.resolve()}/in/", "").replace(f"{folder}/in/", "")
    # A trace tells where in the tool it happened, not what is wrong with the file.
    lines = (line.strip() for line in text.splitlines() if not line.lstrip().startswith("at "))
    limits = PictureLimits()
    kept = [line[: limits.message_length] for line in lines if any(map(str.isalnum, line))]
    return tuple(f"render command: {line}" for line in kept[: limits.messages])


def _pictured(data: bytes) -> PageEvidence:
    """The evidence of a PNG, which is drawn anew. Raises OutputRefused."""
    with Isolated() as reading:
        first = reading.extract("image", data).pictures[0]
    with Image.open(io.BytesIO(first.data), formats=("PNG", "JPEG")) as image:
        width, height = image.size
    tile = ImageBlock(media_type=first.media_type, data=first.data)  # type: ignore[arg-type] # one of two literals
    picture = PagePicture(device="desktop", width=width, height=height, shown=height, tiles=(tile,))
    return PageEvidence(pictures=(picture,))
