# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the Python package offers, from its sources: signatures, docstrings, lines, and the tests that use a name."""
import ast
import functools
import textwrap

from sources import ROOT
from usage import MOST, Use

PACKAGE = "python/rivulet"
PROGRAMS = ("python/examples/*.py", "tests/python/test_*.py")
OBJECTS = {"Stream": {"stream", "start"}, "BitGenerator": {"bits"}, "Results": {"results", "pi"}}  # in programs
COLUMNS = 88  # that the theme shows


@functools.cache
def module(file):
    """The syntax tree of a file."""
    return ast.parse((ROOT / file).read_text(encoding="utf-8"))


def intro():
    """The package's docstring."""
    return ast.get_docstring(module(f"{PACKAGE}/__init__.py"))


def arguments(function):
    """Those that a caller gives, with defaults but without types."""
    given = ast.parse(ast.unparse(function)).body[0].args
    for one in (*given.args, *given.kwonlyargs, given.vararg, given.kwarg):
        if one:
            one.annotation = None
    given.args = [one for one in given.args if one.arg != "self"]
    return ast.unparse(given)


def is_property(function):
    """Whether a method is used without parentheses."""
    return any(ast.unparse(one) == "property" for one in function.decorator_list)


def signature(name, function):
    """A call; lines are broken between arguments."""
    if is_property(function):
        return f"{name}: {ast.unparse(function.returns)}"
    text = f"{name}({arguments(function)})".replace("=np.", "=numpy.")
    text = text.replace(" ", "\0").replace(",\0", ", ")
    return textwrap.fill(text, COLUMNS, subsequent_indent="    ", break_long_words=False,
                         break_on_hyphens=False).replace("\0", " ")


def methods(class_):
    """The public ones, once: a property's setter has its name."""
    found = {}
    for one in class_.body:
        if isinstance(one, ast.FunctionDef) and not one.name.startswith("_"):
            found.setdefault(one.name, one)
    return found


def classes():
    """{name: (file, syntax tree)} of all of the package."""
    files = [str(file.relative_to(ROOT)) for file in sorted((ROOT / PACKAGE).glob("*.py"))]
    return {one.name: (file, one) for file in files for one in module(file).body if isinstance(one, ast.ClassDef)}


def inside(tree):
    """(statement, expression) of what must not fail: nothing below pytest.raises."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.With) and "raises(" in ast.unparse(node.items[0]):
            continue
        if isinstance(node, ast.stmt):
            yield from ((node, one) for one in ast.iter_child_nodes(node) if isinstance(one, ast.expr))
        yield from inside(node)


def is_use(node, owner, name):
    """Whether an expression calls a function of the package, makes an object, or uses a member of one."""
    if owner:
        of = getattr(node, "value", None)
        made = isinstance(of, ast.Call) and ast.unparse(of.func).split(".")[-1] == owner
        return isinstance(node, ast.Attribute) and node.attr == name and (
            made or isinstance(of, ast.Name) and of.id in OBJECTS[owner])
    return ast.unparse(node) in (f"rivulet.{name}", name if name in OBJECTS else "")


def uses(owner, name):
    """A Use in each of the first MOST programs that have one: if possible the plainest statement of a call alone."""
    found = []
    for file in (file for pattern in PROGRAMS for file in sorted(ROOT.glob(pattern))):
        own, text = [], file.read_text(encoding="utf-8")
        for statement, expression in inside(module(str(file.relative_to(ROOT)))):
            for node in ast.walk(expression):
                if not isinstance(node, (ast.Attribute, ast.Name)) or not is_use(node, owner, name):
                    continue
                is_alone = isinstance(expression, ast.Call) and expression.func is node and \
                    isinstance(statement, (ast.Assign, ast.Expr))
                shown = textwrap.dedent(" " * statement.col_offset + ast.get_source_segment(text, statement))
                words = [one for one in ast.walk(expression) if isinstance(one, ast.Name) and one.id != "np"]
                own.append((not is_alone, len(words), -len(getattr(expression, "keywords", ())), node.lineno,
                            Use(str(file.relative_to(ROOT)), node.lineno, shown if is_alone else "")))
        found += sorted(own)[:1]
    return [one[-1] for one in sorted(found)[:MOST]]


def shown(text, found):
    """The uses, without statements where the docstring has an example of its own."""
    return [one._replace(statement="") for one in found] if ">>>" in text else found


def declarations():
    """(name, signature, docstring, file, line, uses, whether it is called) of all public names, Stream first."""
    init, known = module(f"{PACKAGE}/__init__.py"), classes()
    files = {name.name: f"{PACKAGE}/{one.module}.py" for one in init.body
             if isinstance(one, ast.ImportFrom) and one.level for name in one.names}
    for name in sorted(files, key=lambda name: name != "Stream"):
        tree = next(one for one in module(files[name]).body if getattr(one, "name", "") == name)
        is_class = isinstance(tree, ast.ClassDef)
        text, own, inherited = ast.get_docstring(tree), {}, {}
        head = tree
        if is_class:
            bases = [known[one.id] for one in tree.bases if isinstance(one, ast.Name) and one.id in known]
            inherited = {key: (file, one) for file, base in bases for key, one in methods(base).items()}
            own = {key: (files[name], one) for key, one in methods(tree).items()}
            head = next(one for of in (tree, *(base for _, base in bases)) for one in of.body
                        if getattr(one, "name", "") == "__init__")
        if inherited and name != "Stream":
            text += f"\n\nMembers as of `Stream`: {', '.join(f'`{key}`' for key in sorted(inherited))}."
            inherited = {}
        code = signature(f"class {name}" if is_class else name, head)
        used = shown(text, uses("", name))
        yield name, code, text, files[name], tree.lineno, used, bool(used) or not is_class
        for key, (file, one) in {**own, **inherited}.items():
            text = ast.get_docstring(one) or ""
            is_called = not is_property(one) and ast.unparse(one.returns) != "NoReturn"
            yield f"{name}.{key}", signature(key, one), text, file, one.lineno, shown(text, uses(name, key)), is_called
