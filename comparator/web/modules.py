"""The components' own JavaScript, served as it lies in the package: browsers resolve what one module imports."""

import hashlib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

PATH = "/modules"
_FOLDER = files("comparator").joinpath("ui")
_AGENT = "review/src/panes/agent.js"
_READER = "review/src/panes/reader.js"


def address_of(path: str) -> str:
    """Where the module at this path below the folder `ui` is served, for as long as nothing in it changes."""
    return f"{PATH}/{_version()}/{path}"


def agent_script() -> str:
    """What stands in an output's own page before everything else: one classic script of two modules."""
    reader = _modules()[_READER].rpartition("export {")[0]
    agent = _modules()[_AGENT].partition('from "./reader.js";')[2]
    return f"(() => {{\n{reader}{agent}}})();"


def module_routes() -> list[BaseRoute]:
    """The route, which is open: the modules are the same for everybody who installs the app."""

    async def module(request: Request) -> Response:
        text = _modules().get(request.path_params["path"])
        if text is None or request.path_params["version"] != _version():
            return PlainTextResponse("The app was updated. Reload the page.", 404)
        kept = {"cache-control": "public, max-age=31536000, immutable"}
        return Response(text, headers=kept, media_type="text/javascript")

    return [Route(f"{PATH}/{{version}}/{{path:path}}", module, methods=["GET"])]


@cache
def _modules() -> dict[str, str]:
    """The text of each module by its path."""
    texts: dict[str, str] = {}

    def walk(folder: Traversable, prefix: str) -> None:
        for item in sorted(folder.iterdir(), key=lambda item: item.name):
            if item.is_dir():
                walk(item, f"{prefix}{item.name}/")
            elif item.name.endswith(".js"):
                texts[prefix + item.name] = item.read_text(encoding="utf-8")

    walk(_FOLDER, "")
    return texts


@cache
def _version() -> str:
    return hashlib.sha256(
        "".join(f"{path}\0{text}\0" for path, text in _modules().items()).encode()
    ).hexdigest()[:16]
