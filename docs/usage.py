# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where programs that the tests compile and run use a function: examples first, then tests of C and Fortran."""
import functools
import pathlib
import re
import textwrap

import headers

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = {"cpp": ("examples/*.cpp", "tests/install/consumer/*/*.cpp"),
            "c": ("tests/install/consumer/c/*.c", "tests/capi/test_sequences.c", "tests/capi/test_*.c"),
            "fortran": ("tests/install/consumer/fortran/*.f90", "tests/fortran/test_rivulet*.f90")}
STATEMENT = 8  # lines
COMMENT = {"cpp": r"//.*|#include.*", "c": r"/\*.*?\*/|#include.*", "fortran": r"!.*"}


@functools.cache
def programs(language):
    """(file, text without comments) of each program, in the order of PROGRAMS."""
    files = dict.fromkeys(file for pattern in PROGRAMS[language] for file in sorted(ROOT.glob(pattern)))
    return [(str(file.relative_to(ROOT)), re.sub(COMMENT[language], "", file.read_text(encoding="utf-8")))
            for file in files]


def split(text):
    """The parts of a list between commas outside brackets, up to the list's end."""
    depth, parts, begin = 0, [], 0
    for place, letter in enumerate(text):
        closes = letter in ")]}" or letter == ">" and text[place - 1] != "-" and depth > 0
        if closes and depth == 0:
            return [one.strip() for one in [*parts, text[begin:place]] if one.strip()]
        depth += (letter in "([{<") - closes
        if letter == "," and depth == 0:
            parts.append(text[begin:place])
            begin = place + 1
    return []


def takes(code, name, given):
    """Whether a signature can be called with such arguments; a team is told by its name."""
    code = headers.bare(code)
    asked = split(code[code.index(name + "(") + len(name) + 1:])
    by_team = bool(asked) and asked[0].endswith("Team& team")
    return (sum(" = " not in one for one in asked) <= len(given) <= len(asked) and
            by_team == (given[:1] == ["team"]))


def named(scope, text):
    """Patterns of a class' names in a program, and of its objects (`auto` ones, of a class that functions return)."""
    owner = headers.OWNERS.get(scope[-1], scope[-1])
    types = "|".join([f"rivulet::{owner}", *re.findall(rf"using (\w+) = rivulet::{owner}\b", text)])
    declared = rf"\b(?:{types})\b(?:<[^;()]*>)?(?: const)?&?" if owner == scope[-1] else r"\bauto&?"
    objects = "|".join(set(re.findall(rf"{declared} (\w+)", text)))
    return rf"\b(?:{types})\b(?:<[^;()]*>)?", rf"\b(?:{objects or '-'})"


def uses(scope, name, code, text):
    """Places of the calls of a C++ function."""
    if not scope:
        pattern = rf"\brivulet::{name}(?:<[^;()]*>)?\("
    else:
        types, objects = named(scope, text)
        if name == scope[-1]:
            yield from (found.start() for found in re.finditer(rf"{types}(?: \w+)?[({{]|{types} \w+;", text))
            return
        if name.startswith("operator"):  # called by the object's name, or at once, or by what gets the object
            is_call = name == "operator()"
            ways = [rf"(?<![\w>] ){objects}\(", rf"{types}\([^;]*\)\("] if is_call else [rf"float\({types}\("]
            found = ([one.start() for one in re.finditer(way, text)] for way in (*ways, types))
            yield from next(filter(None, found), [])
            return
        pattern = rf"(?:{objects}\.|{types}::){name}(?:<[^;()]*>)?\("
    for found in re.finditer(pattern, text):
        if takes(code, name, split(text[found.end():])):
            yield found.start()


def of_cpp(scope, name, code):
    """(file, line) of the first use in each program."""
    for file, text in programs("cpp"):
        for place in uses(scope, name, code, text):
            yield file, text.count("\n", 0, place) + 1
            break


def of_type(name):
    """The same of a class or another type."""
    for file, text in programs("cpp"):
        if found := re.search(rf"\brivulet::{name}\b", text):
            yield file, text.count("\n", 0, found.start()) + 1


def of_procedure(language, name):
    """The same of a C function or a Fortran procedure."""
    for file, text in programs(language):
        if found := re.search(rf"\b{name}\s*\(", text, re.IGNORECASE):
            yield file, text.count("\n", 0, found.start()) + 1


def statement(file, line):
    """The lines of a program that are the statement of a line, up to its end or to a block."""
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    end = r"^[^&]*$" if file.endswith(".f90") else r"[;{}]\s*(?://.*)?$|^\s*$|^ *(?://|#)|\*/$"
    first = last = line - 1
    while not re.search(end, lines[first - 1]) and line - first < STATEMENT:
        first -= 1
    while not re.search(end, lines[last]) and last - first < STATEMENT:
        last += 1
    return textwrap.dedent("\n".join(lines[first:last + 1]))
