"""Marks every cookie as one for https only; Streamlit leaves that mark off its own."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_SECURE = b"secure"


class SecureCookies:
    """Adds `Secure` to each cookie of an answer that has it not; for an app that people reach over https."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and complete the cookies of the answer."""

        async def send_with_marks(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [(name, _marked(name, value)) for name, value in message.get("headers", ())]
                message = {**message, "headers": headers}
            await send(message)

        await self._app(scope, receive, send_with_marks)


def _marked(name: bytes, value: bytes) -> bytes:
    if name.lower() != b"set-cookie":
        return value
    _, *attributes = value.split(b";")
    return value if _SECURE in {each.strip().lower() for each in attributes} else value + b"; Secure"
