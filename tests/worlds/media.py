"""Blinded copies in memory, for the routes that show outputs."""

import hashlib
from collections.abc import Mapping

from comparator.domain.pair.view import Family
from comparator.web.media.files import MediaFile, StoredMedia


class Media(StoredMedia):
    """Files by their ids, with name, family, media type and bytes; `read` counts how often bytes were asked for."""

    def __init__(self, files: Mapping[str, tuple[str, Family, str, bytes]], *, why_still: str = "") -> None:
        self.still, self.read = why_still, 0
        self._files = {
            id: MediaFile(name, family, media_type, hashlib.sha256(id.encode()).hexdigest(), len(data))
            for id, (name, family, media_type, data) in files.items()
        }
        self._blobs = {self._files[id].blob: data for id, (*_, data) in files.items()}

    def file(self, file_id: str) -> MediaFile | None:
        return self._files.get(file_id)

    def handed_in(self, file_id: str) -> MediaFile | None:
        return None

    def uncopied(self, file_id: str) -> str | None:
        return None

    def blob(self, digest: str) -> bytes:
        self.read += 1
        return self._blobs[digest]

    def why_still(self, file_id: str) -> str:
        return self.still

    def written(self, file_id: str, text: str, person_id: str | None) -> None:
        pass

    def pictures(self, file_id: str) -> dict[str, str]:
        return {}

    def sibling(self, file_id: str, path: str) -> str | None:
        return None
