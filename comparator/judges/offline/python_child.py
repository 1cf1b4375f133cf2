"""Parses one Python file from standard input in a process of its own; started by path, without site packages."""

import ast
import resource
import sys
import warnings

MEMORY = 512 * 1024 * 1024
SECONDS = 10


def main() -> None:
    """Print why the file does not parse, or nothing."""
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
    problem = ""
    try:
        ast.parse(sys.stdin.buffer.read().decode("utf-8", "replace"))
    except SyntaxError as error:
        problem = f"line {error.lineno}: {error.msg}"
    except (ValueError, RecursionError, MemoryError):
        problem = "it cannot be read as Python"
    sys.stdout.buffer.write(problem.encode("utf-8", "replace"))


if __name__ == "__main__":
    main()
