"""Build hook: puts the app, its pages, examples and configuration into the wheel as comparator/_app."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SHIPPED = ("app.py", "pages", "examples", ".streamlit/config.toml")


class WheelAppHook(BuildHookInterface[Any]):
    """Adds what `comparator serve` needs to a real wheel; an editable install reads the repository."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Extend build_data; hatchling itself stops the build where another of the sources is missing."""
        if version == "editable":
            return
        pages = [f"docs/{page.name}" for page in Path(self.root, "docs").glob("*.md")]
        if not pages:
            self.app.abort(
                f"There is no help page in {self.root}/docs. Build from a whole copy of the sources."
            )
        for source in (*SHIPPED, *pages):
            build_data["force_include"][str(Path(self.root, source))] = f"comparator/_app/{source}"
