"""The rule that no text of an output, a judge, a prompt or a name reaches a Streamlit Markdown string raw.

Streamlit renders most of what it shows as Markdown, labels and tooltips included, and Markdown loads images from the
network. The rule, for every call in `comparator/ui`, `pages` and `app.py` of a Streamlit function, on `st` or on a
container, and for each of its Markdown parameters: the argument is

- a literal, or a constant in CAPITALS (also an item of one);
- a call of a function of `comparator.ui.frame.safe`, the one module that escapes, that returns `Markdown`;
- a name annotated as `Markdown`, the type that `safe` returns; or a local name that is only ever given allowed values;
- `len(…)`, or built from allowed parts: an f-string, `+`, `… if … else …`, a list, tuple or comprehension. In an
  f-string a number may stand under a format that only numbers take: `{share:.0%}`, `{count:d}`.

`markdown`, `write` and their like are for `safe` alone (ruff bans them on `st`; here also on containers), and none of
these functions may be stored or passed on, where no one can see what is given to them.
"""

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

SAFE = Path("comparator/ui/frame/safe.py")

FOR_SAFE_ALONE = frozenset(
    {"markdown", "write", "write_stream", "html", "iframe", "latex", "mermaid_chart", "table"}
)
MARKDOWN_NAMES = frozenset({"body", "label", "help", "caption", "captions", "tabs", "text", "title"})
_CHOICES = ("menu_button", "pills", "radio", "segmented_control", "select_slider")
MARKDOWN_ONLY_HERE = {
    "metric": frozenset({"value", "delta", "delta_description"}),
    **dict.fromkeys(_CHOICES, frozenset({"options", "format_func"})),
    **dict.fromkeys(("cache_data", "cache_resource"), frozenset({"show_spinner"})),
}
PLAIN = frozenset({("code", "body"), ("json", "body"), ("text", "body"), ("Page", "title")})
NUMBERS_ONLY = ("d", "f", "%")


def _markdown_parameters() -> dict[str, dict[str, int | None]]:
    """For each Streamlit function, its Markdown parameters and their positions, read from its own signature."""
    positions: dict[str, dict[str, int | None]] = {}
    for name in dir(st):
        function = getattr(DeltaGenerator, name, None) or getattr(st, name)
        if name.startswith("_") or not callable(function):
            continue
        try:
            parameters = inspect.signature(function).parameters.values()
        except (TypeError, ValueError):
            continue
        wanted = MARKDOWN_NAMES | MARKDOWN_ONLY_HERE.get(name, frozenset())
        here: dict[str, int | None] = {}
        for position, parameter in enumerate(one for one in parameters if one.name != "self"):
            if parameter.name in wanted and (name, parameter.name) not in PLAIN:
                by_name = parameter.kind is inspect.Parameter.KEYWORD_ONLY
                here[parameter.name] = None if by_name else position
        if here:
            positions[name] = here
    return positions


def _escaping() -> frozenset[str]:
    """The functions of safe.py that return Markdown, read from its source."""
    tree = ast.parse((Path(__file__).parents[2] / SAFE).read_text(encoding="utf-8"))
    return frozenset(
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and node.returns is not None
        and ast.unparse(node.returns) == "Markdown"
    )


ESCAPING = _escaping()
MARKDOWN_PARAMETERS = _markdown_parameters()
COLUMN_PARAMETERS: dict[str, int | None] = {"label": 0, "help": None}

Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Check(ast.NodeVisitor):
    """Collects the violations of one module as lines `file:line: what`."""

    def __init__(self, tree: ast.Module, *, name: str) -> None:
        self.name = name
        self.violations: list[str] = []
        self.safe_modules: set[str] = set()
        self.safe_functions: set[str] = set()
        self.imported: set[str] = set()
        self.scopes: list[Scope] = [tree]
        self.called: set[int] = set()
        self.looking_at: set[str] = set()
        self._imports(tree)
        self.visit(tree)

    def _imports(self, tree: ast.Module) -> None:
        for node in ast.walk(tree):
            if isinstance(node, ast.Import | ast.ImportFrom):
                module = node.module if isinstance(node, ast.ImportFrom) else None
                for alias in node.names:
                    bound = alias.asname or alias.name.partition(".")[0]
                    self.imported.add(bound)
                    if (module, alias.name) == ("comparator.ui.frame", "safe"):
                        self.safe_modules.add(bound)
                    if module == "comparator.ui.frame.safe" and alias.name in ESCAPING:
                        self.safe_functions.add(bound)
        self.imported.discard("st")

    def _scoped(self, node: Scope) -> None:
        self.scopes.append(node)
        self.generic_visit(node)
        self.scopes.pop()

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = _scoped  # noqa: N815  # ast's names

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Attribute):
            self.called.add(id(node.func))
            if self._may_be_streamlit(node.func.value):
                self._check_call(node, node.func.attr)
        elif isinstance(node.func, ast.Name) and node.func.id == "getattr" and _is_st(node.args[0]):
            self._report(node, "getattr hides which Streamlit function is called")
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        hidden = node.attr in MARKDOWN_PARAMETERS and _is_st(node.value) and isinstance(node.ctx, ast.Load)
        if hidden and id(node) not in self.called and not node.attr[0].isupper():
            self._report(node, f"st.{node.attr} is passed on, so nobody sees what it is given")
        self.generic_visit(node)

    def _may_be_streamlit(self, receiver: ast.expr) -> bool:
        """st itself or a container; not another module, not ourselves, not a text."""
        if isinstance(receiver, ast.Name):
            return receiver.id not in self.imported | {"self", "cls", "log", "logger"}
        return not isinstance(receiver, ast.Constant | ast.JoinedStr)

    def _check_call(self, node: ast.Call, function: str) -> None:
        if function in FOR_SAFE_ALONE:
            self._report(node, f"{function} is for comparator.ui.frame.safe alone")
            return
        parameters = (
            COLUMN_PARAMETERS if function.endswith("Column") else MARKDOWN_PARAMETERS.get(function, {})
        )
        if not parameters:
            return
        if any(isinstance(argument, ast.Starred) for argument in node.args):
            self._report(node, f"{function} gets arguments that cannot be seen here")
        given = {keyword.arg: keyword.value for keyword in node.keywords}
        if None in given:
            self._report(node, f"{function} gets arguments that cannot be seen here")
        for parameter, position in parameters.items():
            argument = given.get(parameter)
            if argument is None and position is not None and position < len(node.args):
                argument = node.args[position]
            if parameter == "options" and "format_func" in given:
                continue  # what is shown is what format_func makes of them
            allowed = self._makes_markdown if parameter == "format_func" else self._allowed
            if argument is not None and not allowed(argument):
                source = ast.unparse(argument)
                self._report(
                    argument, f"{function}({parameter}={source}): wrap what is foreign in safe.text(…)"
                )

    def _allowed(self, node: ast.expr) -> bool:
        match node:
            case ast.Constant():
                return True
            case ast.Name(id=name):
                return name.isupper() or self._local_is_allowed(name)
            case ast.Attribute(attr=name):
                return name.isupper()
            case ast.Subscript(value=value):
                return isinstance(value, ast.Name | ast.Attribute) and self._is_constant(value)
            case ast.Call(func=function) if _names_markdown(function):
                return False  # the type alone escapes nothing
            case ast.Call(func=function):
                return self._from_safe(function) or (isinstance(function, ast.Name) and function.id == "len")
            case ast.JoinedStr(values=parts):
                return all(self._allowed(part) for part in parts)
            case ast.FormattedValue(value=value, format_spec=form):
                return self._allowed(value) or _is_number_format(form)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self._allowed(left) and self._allowed(right)
            case ast.IfExp(body=body, orelse=orelse):
                return self._allowed(body) and self._allowed(orelse)
            case ast.List(elts=elements) | ast.Tuple(elts=elements):
                return all(self._allowed(element) for element in elements)
            case ast.ListComp(elt=element) | ast.GeneratorExp(elt=element):
                return self._allowed(element)
            case ast.BoolOp(values=values):
                return all(self._allowed(value) for value in values)
            case _:
                return False

    def _makes_markdown(self, node: ast.expr) -> bool:
        """A format_func: something of safe's, a lambda that makes an allowed text, or a lookup in a constant."""
        if isinstance(node, ast.Lambda):
            return self._allowed(node.body)
        if isinstance(node, ast.Attribute) and node.attr in ("get", "__getitem__"):
            return isinstance(node.value, ast.Name | ast.Attribute) and self._is_constant(node.value)
        return self._from_safe(node)

    def _is_constant(self, node: ast.Name | ast.Attribute) -> bool:
        return (node.id if isinstance(node, ast.Name) else node.attr).isupper()

    def _from_safe(self, node: ast.expr) -> bool:
        """safe.text and its like; not what safe offers besides, which returns text as it came."""
        match node:
            case ast.Attribute(value=ast.Name(id=module), attr=function):
                return module in self.safe_modules and function in ESCAPING
            case ast.Name(id=name):
                return name in self.safe_functions
            case _:
                return False

    def _local_is_allowed(self, name: str) -> bool:
        """Whether the innermost scope that binds the name only ever binds it to allowed values."""
        if name in self.looking_at:
            return True  # label = f"{label}…": as good as its other values
        for scope in reversed(self.scopes):
            if not isinstance(scope, ast.Module):
                arguments = scope.args
                for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
                    if argument.arg == name:
                        return argument.annotation is not None and _names_markdown(argument.annotation)
            values = list(_bindings(scope, name))
            if values:
                self.looking_at.add(name)
                allowed = all(value is not None and self._allowed(value) for value in values)
                self.looking_at.discard(name)
                return allowed
        return False

    def _report(self, node: ast.expr, what: str) -> None:
        self.violations.append(f"{self.name}:{node.lineno}: {what}")


def _is_st(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "st"


def _is_number_format(form: ast.expr | None) -> bool:
    match form:
        case ast.JoinedStr(values=[ast.Constant(value=str(text))]):
            return text.endswith(NUMBERS_ONLY)
        case _:
            return False


def _names_markdown(annotation: ast.expr) -> bool:
    """Markdown, safe.Markdown, or one of them or None."""
    parts = annotation
    if isinstance(parts, ast.BinOp):
        return _names_markdown(parts.left) and ast.unparse(parts.right) == "None"
    return ast.unparse(parts) in ("Markdown", "safe.Markdown")


def _bindings(scope: Scope, name: str) -> Iterator[ast.expr | None]:
    """What the scope gives to the name: the value, or None where this rule does not follow it."""
    inner = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
    pending: list[ast.AST] = [scope.body] if isinstance(scope, ast.Lambda) else list(scope.body)
    while pending:
        node = pending.pop()
        match node:
            case ast.Assign(targets=[ast.Name(id=bound)], value=value) if bound == name:
                yield value
                continue
            case ast.AnnAssign(target=ast.Name(id=bound), value=value) if bound == name:
                yield ast.Constant("") if _names_markdown(node.annotation) else value
                continue
            case ast.AugAssign(target=ast.Name(id=bound), op=ast.Add(), value=value) if bound == name:
                yield value
                continue
            case ast.For(target=ast.Name(id=bound), iter=values) if bound == name:
                yield values
                pending.extend(node.body)
                continue
            case ast.Name(id=bound, ctx=ast.Store()) if bound == name:
                yield None
        if not isinstance(node, inner):
            pending.extend(ast.iter_child_nodes(node))


def violations(source: str, *, name: str) -> list[str]:
    """What a module's source does against the rule. One that does not import Streamlit has no container to call."""
    imports = re.search(r"^\s*(?:import|from) streamlit\b", source, re.MULTILINE)
    return Check(ast.parse(source), name=name).violations if imports else []
