# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the C header and the Fortran module declare: signatures, comments, and lines."""
import re
import textwrap

C_DECLARATION = re.compile(
    r"(?:^/\*(?P<said>(?:(?!\*/).)*?)\*/\n)?"
    r"^(?P<code>(?:RIVULET_API|typedef)\b[^;{]*(?:\{[^}]*\} \w+)?;)", re.MULTILINE | re.DOTALL)
F_PROCEDURE = re.compile(
    r"(?P<said>(?:^  !>.*\n)*)"
    r"(?P<code>^  (?:subroutine|(?:[\w()]+ )?function) (?P<name>\w+)\((?:.*&\n)*.*\n"
    r"(?:^    (?!type\(options_t\))[^!\n]*::(?:.*&\n)*.*\n)*)", re.MULTILINE)
F_GENERIC = re.compile(
    r"(?P<said>(?:^  !>.*\n)+)^  interface (?P<name>\w+)\n    module procedure (?P<specific>.*)\n", re.MULTILINE)
F_CONSTANTS = re.compile(r"^  integer\(\w+\), parameter, public ::(?:.*&\n)*.*\n", re.MULTILINE)


def line_of(text, place):
    """The number of the line at a place."""
    return text.count("\n", 0, place) + 1


def intro(text):
    """What the file says of itself."""
    if found := re.search(r"(?s)\n#define \w+\n\n/\*(.*?)\n? \*/", text):
        return [re.sub(r"^ ?\* ?", "", line) for line in found[1].strip().split("\n")]
    return [line.removeprefix("!>").removeprefix(" ") for line in re.findall(r"(?m)^!>.*", text)]


def of_c(text):
    """(name, signature, lines of comment, line) of functions and types; a comment is of all up to the next one."""
    said = []
    for found in C_DECLARATION.finditer(text):
        code = found["code"].removeprefix("RIVULET_API ").rstrip(";")
        if "{" not in code:
            code = " ".join(code.split())
        name = re.search(r"(\w+)\(", code) if "{" not in code and "(" in code else re.search(r"(\w+)$", code)
        if found["said"]:
            said = [re.sub(r"^ ?\* ?", "", line) for line in found["said"].strip().split("\n")]
        yield name[1], code, said, line_of(text, found.start("code"))


def arguments(code):
    """A procedure's head and the declarations of its arguments, without what it has for itself."""
    heads = re.match(r"(?:.*&\n)*.*\n", code)[0]
    kept = [one for one in re.findall(r"(?:.*&\n)*.*\n", code[len(heads):])
            if "intent(" in one or "procedure(" in one or re.search(r"result\((\w+)\)", heads) and
            re.search(r":: " + re.search(r"result\((\w+)\)", heads)[1] + r"\b", one)]
    lines = [re.sub(r" *&\n *", " ", one).removeprefix("  ").rstrip() for one in [heads, *kept]]
    return "\n".join(" &\n".join(textwrap.wrap(one, 86, subsequent_indent="      ")) if len(one) > 88 else
                     "  " * (one[0] == " ") + one.strip() for one in lines)


def of_fortran(text):
    """The same of the constants together, and of public procedures; of a generic one all signatures it stands for."""
    constants = list(F_CONSTANTS.finditer(text))
    said = re.findall(r"(?m)^  !> ?(.*)", text[:constants[0].start()])
    yield ("Constants", "\n\n".join(textwrap.dedent(found[0]).strip() for found in constants), said,
           line_of(text, constants[0].start()))
    public = set(re.findall(r"\w+", "".join(re.findall(r"(?m)^  public :: (rivulet_(?:.*&\n)*.*)", text))))
    procedures = {found["name"]: found for found in F_PROCEDURE.finditer(text)}
    for found in [*F_GENERIC.finditer(text), *procedures.values()]:
        if found["name"] in public:
            specific = found.groupdict().get("specific")
            shown = [procedures[one] for one in specific.split(", ")] if specific else [found]
            code = "\n\n".join(arguments(one["code"]) for one in shown)
            said = [line.strip().removeprefix("!>").strip() for line in found["said"].splitlines()]
            yield found["name"], code, said, line_of(text, found.end("said"))
