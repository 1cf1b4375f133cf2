"""A release says what it is made of."""

from __future__ import annotations

import json
from pathlib import Path

from tools.sbom import bill_of_materials


def test_the_bill_names_each_locked_package_with_version_hashes_and_licence(repository: Path) -> None:
    bill = json.loads(bill_of_materials(repository / "requirements" / "run.txt", version="1.2.3"))
    lines = (repository / "requirements" / "run.txt").read_text().splitlines()
    locked = {line.split("==")[0] for line in lines if "==" in line}

    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert bill["metadata"]["component"] == {
        "type": "application",
        "name": "blind-comparator",
        "version": "1.2.3",
    }
    assert {each["name"] for each in bill["components"]} == locked
    by_name = {each["name"]: each for each in bill["components"]}
    assert by_name["pydantic"]["licenses"] == [{"expression": "MIT"}]
    assert by_name["pydantic"]["purl"].startswith("pkg:pypi/pydantic@2.")
    assert all(each["properties"] for each in bill["components"])
