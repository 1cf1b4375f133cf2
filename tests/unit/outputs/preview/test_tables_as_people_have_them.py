"""The viewer shows delimited text as people have it."""

from __future__ import annotations

import re

import pytest

from comparator.domain.pair.view import Family
from comparator.outputs.families import family_of
from comparator.outputs.preview.render import render

WRENS = [["name", "kg"], ["wren", "1"], ["whale", "2"]]
TABLES = [
    pytest.param("a.csv", b"name,kg\nwren,1\nwhale,2\n", id="plain"),
    pytest.param("a.csv", b"name,kg\r\nwren,1\r\nwhale,2\r\n", id="line ends of Windows"),
    pytest.param("a.csv", b"name;kg\nwren;1\nwhale;2\n", id="semicolons"),
    pytest.param("a.tsv", b"name\tkg\nwren\t1\nwhale\t2\n", id="tabs"),
    pytest.param("a.csv", b"name,kg\nwren,1,\nwhale,2,,\n", id="empty cells too many"),
    pytest.param("a.csv", b"\xef\xbb\xbfname,kg\nwren,1\nwhale,2\n", id="a byte-order mark"),
    pytest.param("a.csv", b"name,kg\rwren,1\rwhale,2\r", id="lone carriage returns"),
    pytest.param("a.csv", b"sep=;\nname;kg\nwren;1\nwhale;2\n", id="a line that names the sign"),
]


def rows(name: str, data: bytes) -> list[list[str]]:
    body = render(name, family=family_of(name, data), media_type="text/plain", data=data).body
    found = [
        re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)
        for row in re.findall(r"<tr.*?</tr>", body, re.DOTALL)
    ]
    cells = [
        [re.sub(r"<span.*|<[^>]+>", "", cell, flags=re.DOTALL).strip("↕ \n") for cell in row] for row in found
    ]
    return [[cell for cell in row[1:3] if cell] for row in cells]


@pytest.mark.parametrize(("name", "data"), TABLES)
def test_a_table_is_shown_row_by_row(name: str, data: bytes) -> None:
    assert rows(name, data) == WRENS


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"a,b\n" + b"," * 200_000, "It has 200,001 columns, more than 100,000."),
        (b"," * 33_000_000, "One of its rows is larger than 32 MB."),
    ],
)
def test_a_table_that_nobody_can_read_across_is_shown_as_text(data: bytes, reason: str) -> None:
    assert render("a.csv", family=Family.CSV, media_type="text/plain", data=data).notes[0] == reason
