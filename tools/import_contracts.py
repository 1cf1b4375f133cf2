"""Three kinds of import contract that import-linter does not bring: reserved packages, pure rooms, faces."""

import abc
import sys
from collections.abc import Iterator

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output

ROOT = "comparator"


def _inside(module: str, *, packages: list[str]) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def _outside_imports(graph: ImportGraph) -> Iterator[tuple[str, str]]:
    """Each pair of one of our modules and the top-level name of a foreign package that it imports itself."""
    for module in sorted(graph.modules):
        if not _inside(module, packages=[ROOT]):
            continue
        imported = graph.find_modules_directly_imported_by(module)
        foreign = {name.partition(".")[0] for name in imported} - {ROOT}
        yield from ((module, package) for package in sorted(foreign))


class _DirectImports(Contract):
    """A contract on direct imports. A room that does not exist yet breaks nothing."""

    @abc.abstractmethod
    def violations(self, graph: ImportGraph) -> list[tuple[str, str]]:
        """The pairs of importing module and imported package that the contract forbids."""

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: ARG002  # import-linter's signature
        """Kept where there is no violation."""
        found = self.violations(graph)
        return ContractCheck(kept=not found, metadata={"found": found})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print one line a violation."""
        for importer, package in check.metadata["found"]:
            output.print_error(f"- {importer} imports {package}", bold=False)
        output.new_line()


class ReservedPackages(_DirectImports):
    """Only `importers` may import `packages`."""

    type_name = "reserved_packages"
    packages = fields.ListField(subfield=fields.StringField())
    importers = fields.ListField(subfield=fields.StringField())

    def violations(self, graph: ImportGraph) -> list[tuple[str, str]]:
        """Imports of a reserved package from anywhere else."""
        packages: list[str] = self.packages  # type: ignore[assignment]  # a Field until it is populated
        importers: list[str] = self.importers  # type: ignore[assignment]
        return [
            (module, package)
            for module, package in _outside_imports(graph)
            if package in packages and not _inside(module, packages=importers)
        ]


class PureRooms(_DirectImports):
    """The `rooms` import nothing foreign but the standard library and `packages`."""

    type_name = "pure_rooms"
    rooms = fields.ListField(subfield=fields.StringField())
    packages = fields.ListField(subfield=fields.StringField())

    def violations(self, graph: ImportGraph) -> list[tuple[str, str]]:
        """Imports of anything else from one of the rooms."""
        rooms: list[str] = self.rooms  # type: ignore[assignment]
        packages: list[str] = self.packages  # type: ignore[assignment]
        known = sys.stdlib_module_names | set(packages)
        return [
            (module, package)
            for module, package in _outside_imports(graph)
            if _inside(module, packages=rooms) and package not in known
        ]


class Face(_DirectImports):
    """Modules outside of the `room` import only these `modules` of it."""

    type_name = "face"
    room = fields.StringField()
    modules = fields.ListField(subfield=fields.StringField())

    def violations(self, graph: ImportGraph) -> list[tuple[str, str]]:
        """Imports that reach past the face."""
        room: str = self.room  # type: ignore[assignment]  # a Field until it is populated
        modules: list[str] = self.modules  # type: ignore[assignment]
        return [
            (module, imported)
            for module in sorted(graph.modules)
            if _inside(module, packages=[ROOT]) and not _inside(module, packages=[room])
            for imported in sorted(graph.find_modules_directly_imported_by(module))
            if _inside(imported, packages=[room]) and imported not in modules
        ]
