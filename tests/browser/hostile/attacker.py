"""Somebody with a network connection and no browser: signs in over HTTP, sends any request and any message."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from httpx2 import Client, Response
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

PATIENCE = 60.0


class Attacker:
    """One set of cookies at one server; a context manager."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.client = Client(base_url=url, follow_redirects=False, timeout=PATIENCE)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.client.close()

    def sign_in(self, subject: str) -> None:
        """Come from the provider as this subject."""
        asked = self._followed(self.client.get("/sign-in"))
        self._followed(self.client.post(asked.url, data={"sub": subject}))
        assert any(name.startswith("_streamlit_user") for name in self.cookies())

    def cookies(self) -> dict[str, str]:
        """A copy of them."""
        return {each.name: each.value or "" for each in self.client.cookies.jar}

    def asks(self, method: str, path: str, **more: object) -> Response:
        """The answer to a request."""
        return self.client.request(method, path, **more)  # type: ignore[arg-type]

    def gets_in(self) -> bool:
        """Whether the app shows more than its door."""
        return self.asks("GET", "/").status_code == 200

    @contextmanager
    def connected(self, *, origin: str = "") -> Iterator[ClientConnection | None]:
        """The pages' connection; None where it is refused."""
        place = urlsplit(self.url)
        self.asks("GET", "/_stcore/health")
        token = self.cookies().get("_streamlit_xsrf", "")
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies().items())
        headers = {"Cookie": cookie, "Origin": origin or self.url}
        try:
            with connect(
                f"ws://{place.netloc}/_stcore/stream",
                additional_headers=headers,
                subprotocols=["streamlit", token] if token else None,  # type: ignore[list-item]
                max_size=None,
                open_timeout=PATIENCE,
            ) as line:
                yield line
        except InvalidStatus as refused:
            # Its traceback holds the socket.
            refused.__traceback__ = None
            yield None

    def _followed(self, answer: Response) -> Response:
        while answer.is_redirect:
            answer = self.client.send(answer.next_request)  # type: ignore[arg-type]
        return answer


def shown(line: ClientConnection, message: BackMsg) -> bytes:
    """All frames that come until the page has run for this message."""
    line.send(message.SerializeToString())
    frames = b""
    while True:
        frame = line.recv(timeout=PATIENCE)
        assert isinstance(frame, bytes)
        frames += frame
        if ForwardMsg.FromString(frame).WhichOneof("type") == "script_finished":
            return frames


def rerun() -> BackMsg:
    """What a browser sends when a page is opened."""
    made = BackMsg()
    made.rerun_script.query_string = ""
    return made


def every_kind() -> dict[str, BackMsg]:
    """One message of each kind that Streamlit knows, but those that run a page; payloads of their own included."""
    made: dict[str, BackMsg] = {}
    for field in BackMsg.DESCRIPTOR.oneofs_by_name["type"].fields:
        if field.message_type is None:
            made[field.name] = BackMsg()
            setattr(made[field.name], field.name, True)
            continue
        for part in field.message_type.fields:
            message = BackMsg()
            inner = getattr(message, field.name)
            inner.SetInParent()
            if part.message_type is not None and not part.is_repeated:
                getattr(inner, part.name).SetInParent()
            made[f"{field.name}.{part.name}"] = message
    return {kind: each for kind, each in made.items() if not kind.startswith("rerun_script")}
