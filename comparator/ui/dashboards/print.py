"""HTML printed to PDF by the machine's Chromium, cut off from the network."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

from comparator.domain.errors import SettingsError
from comparator.outputs.pictures.finder import NOTHING_KNOWN, Machine, find_chromium

SECONDS = 60


def to_pdf(page: str, *, named: str = "", machine: Machine = NOTHING_KNOWN) -> bytes:
    """The page as PDF, by the Chromium at this path or, where none is named, the machine's.

    Raises SettingsError where no Chromium is at hand, or it does not answer.
    """
    chromium = find_chromium(named, machine)
    if chromium is None:
        raise SettingsError(
            "No Chromium was found on the server, so no PDF can be made. Save the HTML and print it instead."
        )
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "memo.html", Path(folder) / "memo.pdf"
        source.write_text(page, encoding="utf-8")
        try:
            subprocess.run(
                [
                    chromium,
                    "--headless",
                    # Root cannot use Chromium's sandbox; everybody else does.
                    *(["--no-sandbox"] if os.geteuid() == 0 else []),
                    "--disable-gpu",
                    "--host-resolver-rules=MAP * ~NOTFOUND",
                    f"--user-data-dir={folder}/profile",
                    "--no-pdf-header-footer",
                    f"--print-to-pdf={target}",
                    source.as_uri(),
                ],
                check=True,
                capture_output=True,
                timeout=SECONDS,
            )
            return target.read_bytes()
        except (subprocess.SubprocessError, OSError) as error:
            raise SettingsError(
                "Chromium made no PDF. Save the HTML and print it instead; `comparator doctor` checks the browser."
            ) from error
