"""Parses one Python file from standard input in a process of its own; started by path, without site packages."""

import ast
import json
import resource
import sys
import warnings

MEMORY = 512 * 1024 * 1024
SECONDS = 10


def main() -> None:
    """Print {"problem", "functions": [[name, lines, documented]]} as JSON."""
    for what, value in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CPU, SECONDS),
        (resource.RLIMIT_CORE, 0),
    ):
        try:
            resource.setrlimit(what, (value, value))
        except (ValueError, OSError):
            continue
    warnings.simplefilter("ignore")
    text = sys.stdin.buffer.read().decode("utf-8", "replace")
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        answer: dict[str, object] = {"problem": f"line {error.lineno}: {error.msg}", "functions": []}
    except (ValueError, RecursionError, MemoryError):
        answer = {"problem": "cannot be read as Python", "functions": []}
    else:
        functions = [
            [
                node.name,
                (node.end_lineno or node.lineno) - node.lineno + 1,
                ast.get_docstring(node) is not None,
            ]
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        ]
        answer = {"problem": None, "functions": functions}
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main()
