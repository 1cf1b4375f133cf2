"""The rule that pages ask reporting, workflow and jobs, never the store itself.

For every module of `comparator/ui`, `pages` and `app.py`:

- of `comparator.store` it imports types, enums and constants only, by name: no module, no function;
- it opens no transaction: nothing called `read` or `write` stands in a `with`;
- it opens no blob.
"""

import ast
from collections.abc import Iterator


def violations(source: str, *, name: str) -> list[str]:
    """What a module's source does against the rule, as lines `file:line: what`."""
    tree = ast.parse(source)
    return [f"{name}:{node.lineno}: {what}" for node, what in (*_imports(tree), *_reads(tree))]


def _imports(tree: ast.Module) -> Iterator[tuple[ast.stmt | ast.expr, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if _is_store(alias.name):
                    yield node, f"{alias.name} is imported whole: import its types by name"
        elif isinstance(node, ast.ImportFrom) and (_is_store(node.module) or node.module == "comparator"):
            for alias in node.names:
                if _is_store(node.module) and not alias.name[0].isupper():
                    yield node, f"{alias.name} is no type: ask reporting or workflow for what it tells"
                elif alias.name == "store":
                    yield node, "the store is imported whole: import its types by name"


def _reads(tree: ast.Module) -> Iterator[tuple[ast.stmt | ast.expr, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.With | ast.AsyncWith):
            for item in node.items:
                called = item.context_expr.func if isinstance(item.context_expr, ast.Call) else None
                if isinstance(called, ast.Attribute) and called.attr in ("read", "write"):
                    yield (
                        called,
                        f"{ast.unparse(called)} opens a transaction: reporting or workflow does that",
                    )
        elif isinstance(node, ast.Attribute) and ast.unparse(node).endswith(".blobs.open"):
            yield node, f"{ast.unparse(node)} opens a blob: reporting or workflow does that"


def _is_store(module: str | None) -> bool:
    return module == "comparator.store" or (module or "").startswith("comparator.store.")
