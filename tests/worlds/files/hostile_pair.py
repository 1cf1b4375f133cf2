"""Ninety-one hostile files as people upload them: scripts, bombs, damage, and what takes long to read or draw."""

from collections.abc import Mapping

from tests.browser.hostile.hostile import corpus
from tests.browser.hostile.test_page_locks import BOMB, SLY, SPANS
from tests.worlds.files.outputs_office import docx, xlsx

COUNT = 91
GOOD = {"zz-good.md": b"# Fine\n\nThese words are fine.\n", "zz-table.csv": b"field,kg\nNorth,300\n"}
_REBUILT = (".docx", ".xlsx")
_ENTITIES = '<!DOCTYPE d [<!ENTITY a "lol">' + "".join(
    f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9)
)


def hostile_files() -> Mapping[str, bytes]:
    """The files by name."""
    files = {file.name: file.data for file in corpus() if not file.name.endswith(_REBUILT)}
    files |= {f"endless-{number}.html": b"<a " * 150_000 + b"%d" % number for number in range(2)}
    columns = ",".join(f"c{number}" for number in range(50_000))
    files |= {
        "sly.html": SLY.encode(),
        "spans.html": SPANS.encode(),
        "nested.html": f'<p>words</p>{BOMB}</defs><use href="#a8"/></svg>'.encode(),
        "columns.csv": f"{columns}\n{columns}\n".encode(),
        "entities.docx": docx("x", prologue=f"{_ENTITIES}]>"),
        "damaged.docx": docx("words")[:-60],
        "damaged.xlsx": xlsx([["x"]])[:-100],
    }
    assert len(files) == COUNT, len(files)
    return files
