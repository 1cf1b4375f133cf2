"""Opening the next pair and switching file, until both outputs are visible, and what the server's memory grows by."""

from __future__ import annotations

import io
import os
import random
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Page

from bench.figures import Figure, at_most, below
from bench.floor import chromium, click, floor_of, load, serving, tab, wait

N = 20
PAIRS = 200
TEXT_BYTES, PDF_PAGES = 200_000, 40
NEXT = ".st-key-next button"
WORDS = (
    "invoice",
    "total",
    "amount",
    "customer",
    "cluster",
    "upgrade",
    "region",
    "policy",
    "network",
    "release",
)


def measure() -> Sequence[Figure]:
    """Medians in milliseconds beside a button's click, and megabytes."""
    with tempfile.TemporaryDirectory(prefix="bench-previews-") as name:
        folder = Path(name)
        # Texts first, then PDFs, then pairs that are only opened in turn.
        for pair in range(PAIRS + 1):
            for label in "AB":
                _fill(folder, pair, label)
        server = os.fspath(Path(__file__).with_name("previews_server.py"))
        with chromium() as browser:
            floor = floor_of(browser)
            with serving(lambda port: [server, name, str(port)]) as url:
                page = tab(browser)
                load(page, url, until=NEXT)
                wait(page, until=_both(0, "text.txt"))
                texts = [_open(page, pair, "text.txt") for pair in range(1, N + 1)]
                pdfs = [_open(page, pair, "doc.pdf") for pair in range(N + 1, 2 * N + 1)]
                switched = [_switch(page, pair) for pair in range(2 * N + 1, 3 * N + 1)]
                before = _memory(url)
                for pair in range(3 * N + 1, PAIRS + 1):
                    _open(page, pair, "text.txt")
                grown = _memory(url) - before
                page.context.close()
    of = "a button's click"
    return (
        *floor.figures(),
        at_most("next pair of two 200 KB texts until both are visible", statistics.median(texts), unit="ms",
                floor=floor.click, times=4, n=N, of=of),
        at_most("next pair of two 40-page PDFs until both are visible", statistics.median(pdfs), unit="ms",
                floor=floor.click, times=4, n=N, of=of),
        at_most("switching file until both are visible", statistics.median(switched), unit="ms",
                floor=floor.click, times=3, n=N, of=of),
        below(f"memory of the server over {PAIRS - 3 * N} pairs opened in turn", grown, unit="MB", limit=100,
              n=PAIRS - 3 * N),
    )  # fmt: skip


def _open(page: Page, pair: int, name: str) -> float:
    return click(page, NEXT, until=_both(pair, name))


def _switch(page: Page, pair: int) -> float:
    """Open a pair of two files, and then go to its second file."""
    click(page, NEXT, until=_both(pair, "one.txt"))
    return click(page, "[data-entry$='two.txt']", until=_both(pair, "two.txt"))


def _both(pair: int, name: str) -> str:
    """The condition that both panes show this file of this pair, its first picture among it."""
    seen = (
        f"(f) => f.dataset.file.endsWith({name!r}) && f.dataset.file.startsWith('p{pair:03d}-') "
        "&& f.contentDocument?.querySelector('pre.text, .sheet') && "
        "[...f.contentDocument.querySelectorAll('.sheet img[src]')].slice(0, 1)"
        ".every((i) => i.complete && i.naturalWidth)"
    )
    frames = "window.benchAll('iframe.front')"
    return f"{frames}.length === 2 && {frames}.every({seen})"


def _fill(folder: Path, pair: int, label: str) -> None:
    chance = random.Random(f"{pair}{label}")
    start = f"p{pair:03d}-{label}-"
    if N < pair <= 2 * N:
        (folder / f"{start}doc.pdf").write_bytes(_pdf(chance))
        return
    names = ["one.txt", "two.txt"] if 2 * N < pair <= 3 * N else ["text.txt"]
    for name in names:
        lines = (" ".join(chance.choices(WORDS, k=12)) for _ in range(TEXT_BYTES // 60))
        (folder / f"{start}{name}").write_text("\n".join(lines)[:TEXT_BYTES], "utf-8")


def _pdf(chance: random.Random) -> bytes:
    """A PDF of forty pages of words."""
    parts = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    kids = []
    for number in range(PDF_PAGES):
        lines = "".join(f"({number} {' '.join(chance.choices(WORDS, k=9))}) Tj T* " for _ in range(45))
        stream = f"BT /F1 11 Tf 60 780 Td 14 TL {lines}ET".encode()
        parts.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
        own = b"/MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >>"
        parts.append(b"<< /Type /Page /Parent 2 0 R %s /Contents %d 0 R >>" % (own, len(parts)))
        kids.append(b"%d 0 R" % len(parts))
    parts[1] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(kids), b" ".join(kids))
    out = io.BytesIO()
    out.write(b"%PDF-1.4\n")
    places = []
    for number, part in enumerate(parts, 1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, part))
    table = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(parts) + 1))
    out.write(b"".join(b"%010d 00000 n \n" % place for place in places))
    out.write(b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(parts) + 1, table))
    return out.getvalue()


def _memory(url: str) -> float:
    """Megabytes that the server at `url` and its children hold."""
    port = url.rsplit(":", 1)[1].encode()
    own = {
        path.parent.name
        for path in Path("/proc").glob("[0-9]*/cmdline")
        if b"previews_server" in (line := path.read_bytes()) and line.rstrip(b"\0").endswith(port)
    }
    total = 0.0
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            told = dict(line.split(":\t", 1) for line in status.read_text().splitlines() if ":\t" in line)
        except OSError:
            continue
        if status.parent.name in own or told["PPid"] in own:
            total += float(told.get("VmRSS", "0").split()[0]) / 1000
    return total
