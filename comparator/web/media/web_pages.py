"""The routes that show pictures of web pages, as their users see them."""

from __future__ import annotations

from anyio import CapacityLimiter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from comparator.domain.errors import ComparatorError
from comparator.outputs.pictures.picture_page import picture_page
from comparator.outputs.preview.document import Preview, message
from comparator.web.media.answers import OUTPUT_HEADERS, slow, theme_of, unkept
from comparator.web.media.source import PREFIX
from comparator.workflow.page_pictures import is_pictured, seen_page
from comparator.workflow.services import Services

_NOT_JUDGED = "Opened for you now; the judge was not given this picture."
_NONE = (
    "No picture can be taken of this file: it is not a web page, or there is no Chromium on the server "
    "(comparator doctor says more)."
)


def web_routes(services: Services) -> list[BaseRoute]:
    """The routes; they have to come before those of `media_routes`."""
    pages = _Pages(services)
    return [
        Route(f"{PREFIX}/{{file_id}}/picture", slow(pages.picture, CapacityLimiter(2)), methods=["GET"]),
        Route(f"{PREFIX}/{{file_id}}/modes", pages.modes, methods=["GET"]),
    ]


class _Pages:
    def __init__(self, services: Services) -> None:
        self._services = services

    def picture(self, request: Request) -> Response:
        """The pictures of a page; they are taken now if they have not been."""
        try:
            seen = seen_page(self._services, request.path_params["file_id"])
        except ComparatorError as error:
            return _document(request, Preview(message(str(error))), status=404)
        if seen is None:
            return _document(request, Preview(message(_NONE)))
        notes = () if seen.judged else (_NOT_JUDGED,)
        return _document(request, picture_page(seen.evidence, notes=notes))

    def modes(self, request: Request) -> Response:
        """Whether there are pictures of a file: `{"picture": true}`."""
        try:
            found = is_pictured(self._services, request.path_params["file_id"])
        except ComparatorError:
            return JSONResponse({}, status_code=404, headers=OUTPUT_HEADERS)
        return JSONResponse({"picture": found}, headers={**OUTPUT_HEADERS, "cache-control": "no-store"})


def _document(request: Request, preview: Preview, *, status: int = 200) -> Response:
    return unkept(preview, theme_of(request), "Picture of the page", status=status)
