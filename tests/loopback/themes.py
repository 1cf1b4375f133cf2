"""Answers about themes: a theme for each word that many findings have, and the findings that have it."""

import json
import re
from collections import Counter
from typing import Any

MOST = 6
_LINE = re.compile(r"^\{.*\}$", re.MULTILINE)
_WORD = re.compile(r"[a-z]{4,}")


def answer_about_themes(text: str, schema: dict[str, Any]) -> dict[str, Any] | None:
    """A codebook or an assignment, by what the schema asks for; None for anything else."""
    properties = schema.get("properties", {})
    if not {"themes", "findings"} & properties.keys():
        return None
    rows = [json.loads(line) for line in _LINE.findall(text)]
    if "themes" in properties:
        return {"themes": _themes([row["words"] for row in rows if "words" in row])}
    themes = {row["key"]: row["name"].split()[-1].lower() for row in rows if "key" in row}
    return {
        "findings": [
            {
                "number": row["number"],
                "themes": [
                    {"theme": key, "quote": quotes[0]}
                    for key, word in themes.items()
                    if (quotes := re.findall(re.escape(word), row["words"], re.IGNORECASE))
                ],
            }
            for row in rows
            if "number" in row
        ]
    }


def _themes(findings: list[str]) -> list[dict[str, str]]:
    words = Counter(word for finding in findings for word in set(_WORD.findall(finding.lower())))
    chosen = [word for word, number in sorted(words.items(), key=lambda count: (-count[1], count[0]))][:MOST]
    return [
        {"name": f"Speaks of {word}", "test": f"The finding says that {word} decides."} for word in chosen
    ]
