"""Material for the tools, built from files as the app builds it: read, blinded, cut."""

from collections.abc import Mapping, Sequence

from comparator.domain.labels import Label, PerOutput
from comparator.domain.pair.examination import ToolCall, ToolLimits
from comparator.domain.pair.task import TaskText
from comparator.domain.pair.view import BlindedPair, OutputView, PageEvidence
from comparator.judges.tools.examination import Examination
from comparator.judges.tools.material import Material
from comparator.outputs.examine.opened import Opener
from comparator.outputs.limits import OutputBudget
from comparator.outputs.pictures.evidence import fit_pictures
from comparator.outputs.preview.child_process import Renderer
from comparator.outputs.view.built import BlindedCopy, BuiltView
from tests.worlds.files.outputs import World

Files = Mapping[str, bytes | str]


class Bench:
    """Builds material in one blob folder; files are opened in child processes where the app does so."""

    def __init__(self, world: World, renderer: Renderer) -> None:
        self.world, self._renderer = world, renderer

    def material(
        self,
        a: Files,
        b: Files,
        *redacted: str,
        inputs: Files | None = None,
        reference: Files | None = None,
        pages: Mapping[tuple[Label, str], PageEvidence] | None = None,
        budget: OutputBudget | None = None,
        prompt: str = "Do the task.",
    ) -> Material:
        """The pair as a judge is given it, with the copies behind it; `pages` are those for which there is no room."""
        built = self.world.pair(a, b, *redacted, budget=budget)
        pictures = {
            file.id: pages[label, file.name]
            for label, side in built.items()
            for file in side.view.files
            if pages and (label, file.name) in pages
        }
        if pictures:
            built = fit_pictures(built, pictures, budget=OutputBudget(images=1))
        given, known = (
            self.world.single(self.world.uploads(files), *redacted, budget=budget) if files else None
            for files in (inputs, reference)
        )
        pair = BlindedPair(
            task=TaskText(prompt=prompt),
            inputs=given.view if given else None,
            reference=known.view if known else None,
            outputs=PerOutput[OutputView](A=built.A.view, B=built.B.view),
        )
        sides = [built.A, built.B, *(side for side in (given, known) if side)]
        return Material(pair, held(*sides), Opener(self.world.blobs, self._renderer), pages=pictures)


def held(*sides: BuiltView) -> dict[str, BlindedCopy]:
    """The copies of the files of these views."""
    return {copy.file_id: copy for side in sides for copy in side.copies}


def same_again(material: Material, calls: Sequence[ToolCall]) -> bool:
    """Whether the calls, made again on the same material, get the same bytes."""
    again = Examination(material, limits=ToolLimits())
    answered = [call for call in calls if not call.refused]
    for call in answered:
        again.call(call.tool, call.arguments)
    return [call.digest for call in again.calls] == [call.digest for call in answered]
