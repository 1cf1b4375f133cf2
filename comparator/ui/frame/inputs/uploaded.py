"""What was uploaded to a page, from where the server has put it."""

from __future__ import annotations

import os
from typing import Any

from streamlit.runtime.scriptrunner import get_script_run_ctx

from comparator.domain.errors import InputError
from comparator.outputs.snapshot.take import Given, OnDisk, Upload
from comparator.ui.frame import session
from comparator.web.uploads import folder_of


def given(file: Any) -> Given:
    """The file that Streamlit's uploader returned. Raises InputError where it is not kept any more.

    Behind our server Streamlit holds an empty file of the name; without it (`streamlit run`) it holds the bytes.
    """
    settings, context = session.services().settings, get_script_run_ctx()
    place = folder_of(settings) / (context.session_id if context else "") / file.file_id
    if place.is_file():
        # Read again now: it is kept for longer.
        os.utime(place)
        return OnDisk(file.name, place, place.stat().st_size)
    if not file.size:
        raise InputError(
            f"{file.name} is empty, or was uploaded more than {settings.upload_minutes} minutes ago and is not kept "
            "any more. Upload it again."
        )
    return Upload(file.name, file.getvalue())
