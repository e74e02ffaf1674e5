# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reference: in Markdown, a page per public header and one each of C, Fortran and Python, a part per name.

A part has the signatures, the comment, where it stands in the source, and which tested programs use it.
"""
import collections
import pathlib
import re
import textwrap

import headers
import interfaces
import package
import sources
import usage
from sources import ROOT

COLUMNS = 88  # that the theme shows
BEFORE = re.compile(r"(?:template <(?:[^<>]|<[^<>]*>)*>|requires requires ?\(.*?\) ?\{.*?\}|requires ?\(.*?\)|"
                    r"requires [\w:]+(?:<[^<>]*>)?) ")
Declared = collections.namedtuple("Declared", "code file line used is_function")
# parts: {name: [([Declared], comment)]}; types: where the types of all pages stand, {name: link}
Page = collections.namedtuple("Page", "name title language intro parts types", defaults=({},))
PAGE = re.compile(r"\bdocs/((?:\w|\\_)+\.md(?:#[\w-]+)?)")
IN_C = {"rivulet_get": "rivulet_get_double", "Constants": "rivulet_status"}  # of a name of Fortran that C has not


def broken(line):
    """A line of at most COLUMNS, or such lines, broken between arguments."""
    depth, kept = 0, ""
    for place, letter in enumerate(line):
        depth += (letter in "(<") - (letter == ")" or letter == ">" and line[place - 1] not in "-=")
        is_place = letter == " " and depth == 1 and line[place - 1] == ","
        kept += "\0" if letter == " " and not is_place else letter
    text = textwrap.fill(kept, COLUMNS, subsequent_indent="    ", break_long_words=False,
                         break_on_hyphens=False).replace("\0", " ")
    return text if text.find("\n") <= COLUMNS else text.replace("(", "(\n    ", 1)


def wrapped(code):
    """A signature of C or C++; templates and requirements have lines of their own where one line is too long."""
    if "\n" in code or len(code) <= COLUMNS:
        return code
    code, lines = code.replace("( ", "("), []
    while found := BEFORE.match(code):
        lines.append(found[0].strip())
        code = code[found.end():]
    code, *after = re.split(r" (?=requires [\w:<>]+$)", code)
    return "\n".join([*map(broken, [*lines, code]), *("    " + one for one in after)])


def prose(lines):
    """A comment as Markdown; what it indents is as it stands, and pages of docs/ are links."""
    def words(text):
        links = PAGE.split(text)
        text = [f"[](../{one})" if k % 2 else re.sub(r"([*_<>\[\]|#])", r"\\\1", one) for k, one in enumerate(links)]
        return "".join(text)

    def paragraph(text):
        return "`".join(one if k % 2 else words(one) for k, one in enumerate(text.split("`")))
    return "\n\n".join(one if one.startswith("    ") else paragraph(one) for one in "\n".join(lines).split("\n\n"))


def docstring(lines):
    """A docstring as Markdown: examples are code, and lines `name: what it is` a list."""
    def paragraph(text):
        if text.startswith(">>> "):
            return f"```pycon\n{text}\n```"
        is_list = all(re.match(r"    |[a-z][\w, ]*: ", line) for line in text.splitlines())
        return prose([re.sub(r"(?m)^(?=\w)(.*?): ", lambda one: f"- `{one[1].replace(', ', '`, `')}`: ", text)
                      if is_list else text])
    return "\n\n".join(map(paragraph, "\n".join(lines).split("\n\n")))


def of_header(header):
    """The page of a C++ header."""
    parts = {}
    for file, (scope, name, code, said, line) in headers.of_header(header):
        is_function = headers.is_function(code)
        pattern = usage.call(scope, name, code) if is_function else rf"\brivulet::{name}\b"
        used = usage.uses("cpp", pattern) if is_function or not scope else []
        declared = Declared(wrapped(code), f"include/{file}", line, used, is_function)
        known = parts.setdefault("::".join((*scope, name)), [])
        if known and not said:  # an overload that the comment before it is about, too
            known[-1][0].append(declared)
        else:
            known.append(([declared], said))
    intro = [f"`#include <{header}>`", "", *headers.intro(header)]
    return Page(pathlib.Path(header).stem, header, "cpp", intro, parts)


def of_interface(name, title, language, file, declarations):
    """The page of the C header or of the Fortran module."""
    text, parts = (ROOT / file).read_text(encoding="utf-8"), {}
    for one, code, said, line in declarations(text):
        is_function = "typedef" not in code and one != "Constants"
        used = usage.uses(language, rf"\b{one}\s*\(") if is_function else []
        parts[one] = [([Declared(wrapped(code) if language == "c" else code, file, line, used, is_function)], said)]
    return Page(name, title, language, interfaces.intro(text), parts)


def of_package():
    """The page of the Python package."""
    parts = {name: [([Declared(code, file, line, used, is_called)], text.split("\n"))]
             for name, code, text, file, line, used, is_called in package.declarations()}
    return Page("python", "Package rivulet (Python)", "python", package.intro().split("\n"), parts)


def pages():
    """All, without a name twice among those of C++; of Fortran with C's first sentence where the module says none."""
    seen, found = set(), []
    for header in headers.public_headers():
        page = of_header(header)
        for name in seen.intersection(page.parts):
            del page.parts[name]
        seen.update(page.parts)
        if page.parts:
            found.append(page)
    types = {name: f"{page.name}.md#{name.lower()}" for page in found for name, [(group, _), *_] in page.parts.items()
             if "::" not in name and not group[0].is_function}
    c = of_interface("c", "rivulet.h (C)", "c", "src/capi/rivulet.h", interfaces.of_c)
    fortran = of_interface("fortran", "Module rivulet (Fortran)", "fortran", "src/capi/rivulet.f90",
                           interfaces.of_fortran)
    for name, [(group, said)] in fortran.parts.items():
        if not said:
            first = re.match(r"(?s).*?\.(?=\s|$)", "\n".join(c.parts[name][0][1]))[0]
            fortran.parts[name] = [(group, first.split("\n"))]
    return [*(page._replace(types=types) for page in found), c, fortran, of_package()]


def is_member(name):
    """Whether a part is about what a class of the same page contains."""
    return "::" in name or "." in name


def elsewhere(group, page):
    """Links to the types of other pages that signatures name."""
    codes = "\n".join(one.code for one in group)
    own = {*page.parts, *re.findall(r"\bclass (\w+)", codes)}
    shown = [f"[{one}]({page.types[one]})" for one in dict.fromkeys(re.findall(r"(?<!::)\b\w+", codes))
             if one in page.types and one not in own]
    if shown:
        yield f"See {', '.join(shown)}."


def places(group):
    """Where a part stands, and where it is used."""
    lines = [sources.link(one.file, one.line, f"line {one.line}") for one in group]
    shown = group[0].file.removeprefix("include/").removeprefix("src/capi/")
    yield f"Source: {shown}, {', '.join(lines)}."
    used = dict.fromkeys((use.file, use.line) for one in group for use in one.used)
    if used:
        yield "Used in: " + ", ".join(sources.link(file, line, f"{file}, line {line}") for file, line in used) + "."


def example(group, language):
    """The statements that show calls of a group's functions, one of each."""
    shown = dict.fromkeys(one.used[0].statement for one in group if one.is_function and one.used)
    if any(shown):
        yield f"Example:\n\n```{language}\n" + "\n".join(filter(None, shown)) + "\n```"


def files(all_pages):
    """The files that pages lead to."""
    declared = [one for page in all_pages for groups in page.parts.values() for group, _ in groups for one in group]
    return {one.file for one in declared}.union(use.file for one in declared for use in one.used)


def markdown(page):
    """The text of a page."""
    end = "" if page.language in ("fortran", "python") else ";"
    described = docstring if page.language == "python" else prose
    text = [f"# {page.title}", described(page.intro)]
    for name, groups in page.parts.items():
        text.append(f"{'###' if is_member(name) else '##'} {name}")
        for group, said in groups:
            shown = "\n".join(one.code + end for one in group)
            owner = name.rpartition("::")[0]
            about = described(said) or owner and f"See [{owner}](#{owner.lower()})."
            text += [f"```{page.language}\n{shown}\n```", about, *elsewhere(group, page)]
            text += [*example(group, page.language), "\n".join(places(group))]
            if page.language == "fortran":
                in_c = IN_C.get(name, name)
                text.append(f"In C: [{in_c}](c.md#{in_c}).")
    return "\n\n".join(text) + "\n"


def contents(all_pages):
    """The list of pages and of what each declares."""
    lines, tree = [], []
    for page in all_pages:
        path = f"reference/{page.name}"
        names = [f"[{name}]({path}.md#{name.lower()})" for name in page.parts if not is_member(name)]
        lines.append(f"- [{page.title}]({path}.md): {', '.join(names)}")
        tree.append(path)
    return "\n".join(lines) + "\n\n```{toctree}\n:hidden:\n" + "\n".join(tree) + "\n```\n"
