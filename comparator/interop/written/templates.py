"""The templates of what people read; every value in them is made harmless before it is put in."""

from collections.abc import Callable

from jinja2 import Environment, PackageLoader, StrictUndefined, Template


def template(name: str, *, harmless: Callable[[object], str]) -> Template:
    """The template of this name beside this module; `harmless` makes a value words of the format, and nothing else."""
    loader = PackageLoader("comparator.interop", "written")
    environment = Environment(  # noqa: S701  # `harmless` escapes, in Markdown as in HTML
        loader=loader,
        finalize=harmless,
        undefined=StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template(name)
