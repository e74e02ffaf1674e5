# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the public headers of the C++ library declare: signatures, `///` comments, and lines."""
import re
import textwrap

from sources import ROOT

INCLUDE = ROOT / "include"
MACROS = re.compile(r"\bKOKKOS_\w*FUNCTION\b ?|\[\[nodiscard\]\] ?")
VALUE = re.compile(r"\w$|\brequires\s+requires\s*\([^()]*\)\s*$")  # what a brace follows that is no body's
# What Streams::open and Streams::open_shared return for teams, and take() of that, under names of this reference.
NO_NAME = "Not a name in the code: take it by `auto`, or as a template parameter."
RETURNED = {("rivulet/team_stream.hpp", "RingTeamStream"): "class TeamStream",
            ("rivulet/detail/on_demand.hpp", "OnDemandRing"): "class OnDemandStream",
            ("rivulet/detail/shared_numbers.hpp", "SharedNumbers"): "template <int K> class Numbers"}
TYPE = re.compile(r"(?:class|struct|concept|using|enum class|enum) (\w+)")


class Piece(str):
    """A doc comment or code, and the line where it begins."""

    def __new__(cls, text, line):
        made = super().__new__(cls, text)
        made.line = line
        return made


def pieces(text):
    """Doc comments, and the code between them, cut after each brace and semicolon outside parentheses."""
    text = re.sub(r"(?m)^#.*(?:\\\n.*)*$", lambda lines: "\n" * lines[0].count("\n"), text)
    inner, code = [], ""  # parentheses, and braces of values and requirements: n_{1}, requires requires() {}
    line = begin = 1
    for token in re.findall(r"///[^\n]*|//[^\n]*|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])'|[^\W\d]\w*|\s+|.", text):
        if token.startswith("///"):
            yield Piece(token, line)
        elif not token.startswith("//"):
            begin = begin if code.strip() else line
            opens = token == "(" or token == "{" and (inner or VALUE.search(code))
            code += token
            if opens:
                inner.append(token)
            elif inner and token in ")}":
                inner.pop()
            elif not inner and token in "{};" or token == ":" and re.fullmatch(r"\s*(public|private):", code):
                yield Piece(" ".join(code.split()), begin)
                code = ""
        line += token.count("\n")


def skip(parts):
    """What follows an opening brace, up to its own closing one."""
    depth = 1
    while depth > 0:
        part = next(parts)
        if not part.startswith("///"):
            depth += part.endswith("{") - part.endswith("}")
    return ()


def signature(code):
    """Without what the body needs: macros of Kokkos, initialisers of members."""
    code = MACROS.sub("", code.rstrip("{; ")).removesuffix(" =").removesuffix(" = default").strip()
    code = code.removeprefix("__extension__ ")
    if re.match(r"(?:template ?<.*> )?(?:class|struct|enum)\b", code):
        return code
    depth = 0
    for place, letter in enumerate(code):
        depth += (letter in "(<") - (letter in ")>" and code[place - 1] not in "-=")
        if code[place:place + 2] == ": " and depth == 0:
            return code[:place].strip()
    return code


def bare(code):
    """A declaration without templates' parameters and requirements."""
    code = re.sub(r"^(template ?<(?:[^<>]|<[^<>]*>)*> ?)+", "", code)
    return re.sub(r"requires requires ?\(.*?\) ?\{.*?\} |requires ?\(.*?\) |decltype\(auto\)", "", code)


def name_of(code):
    """The name that a declaration declares."""
    code = bare(code)
    name = TYPE.match(code) or re.search(r"(operator ?(?:\(\)|\[\]|[^\s\w(]+|\w+)|~?\w+) ?\(", code)
    return name[1] if name else re.sub(r" ?(=|\[|\{).*", "", code).split(" ")[-1]


def is_function(code):
    """Not a type, a concept or a variable."""
    code = bare(code)
    return "(" in code.partition(" = ")[0] and not TYPE.match(code)


def declarations(parts, scope=(), public=True):
    """(scope, name, signature, comment, line) of what a piece of a header declares, and within its public classes."""
    comment, after = [], None  # after: what a comment `///<` is about
    for part in parts:
        if part.startswith("///"):
            about = comment if not part.startswith("///<") else after[3] if after else []
            about.append(part.lstrip("/<").strip())
            continue
        if part == "}":
            return
        if re.fullmatch(r"(public|private):|;", part):
            public = public if part == ";" else part == "public:"
            continue
        said, comment = comment, []
        if space := re.match(r"namespace (\S+) \{", part):
            yield from skip(parts) if "detail" in space[1] else declarations(parts, scope)
            continue
        code = signature(part)
        kind = re.match(r"(?:template ?<.*?> ?(?:requires ?\(.*?\) )?)?(class|struct|enum)\b(?!.*\()", code)
        hidden = not public or re.match(r"static_assert|friend|template class|extern|RIVULET_", code)
        if code.startswith("using ") and not said and after and after[2].startswith("using "):
            after[2] += ";\n" + code
            continue
        after = None
        if not hidden and not re.search(r"= delete;$" if said else r"= (default|delete);$", part):
            after = [scope, name_of(code), code, said, part.line]
            yield after
        opens = part.endswith("{")
        if opens and kind and not hidden and kind[1] != "enum":
            yield from declarations(parts, (*scope, name_of(code)), kind[1] != "class")
        elif opens:
            skip(parts)


def declared(text):
    """The declarations of a header; those of enumerations and concepts as they stand, with comments."""
    lines = text.splitlines(keepends=True)
    for scope, name, code, said, line in list(declarations(pieces(text))):
        if code.startswith("enum "):
            code = textwrap.dedent("".join(lines[line - 1:]).partition("}")[0]) + "}"
        elif bare(code).startswith("concept "):
            code = "".join(lines[line - 1:]).partition("\n};")[0] + "\n}"
        yield [scope, name, code, said, line]


def words(text):
    """The words of code."""
    return set(re.findall(r"\w+", re.sub(r"//.*|#include.*", "", text)))


def is_data(code):
    """Whether it is an object's data."""
    return not is_function(code) and not TYPE.match(bare(code)) and "static" not in code


def intro(header):
    """What a header says of itself, before its namespace."""
    found = re.search(r"((?:^// .*\n)+)\nnamespace rivulet", (INCLUDE / header).read_text(encoding="utf-8"), re.M)
    return [line.removeprefix("// ") for line in found[1].splitlines()] if found else []


def inner_headers(text, seen):
    """The headers of detail/ that a header includes, directly or not."""
    for header in re.findall(r'#include "(rivulet/detail/[^"]+\.hpp)"', text):
        if header not in seen:
            seen.add(header)
            inner = (INCLUDE / header).read_text(encoding="utf-8")
            yield from ((header, inner), *inner_headers(inner, seen))


def returned():
    """The classes of RETURNED, and the functions that are theirs; their fill and close are fill and Streams::close."""
    for (file, own_name), shown in RETURNED.items():
        text = (INCLUDE / file).read_text(encoding="utf-8").replace("namespace rivulet::detail", "namespace rivulet")
        for scope, name, code, said, line in declared(text):
            if scope == (own_name,) and name in ("each", "take", "operator()", "index", "engine"):
                yield file, [(shown.split()[-1],), name, code, said, line]
            elif said and not scope and name == own_name:
                yield file, [scope, shown.split()[-1], shown, [NO_NAME, *said], line]


def of_header(header):
    """What a header declares, and of the headers of detail/ the documented types that it names, with their data."""
    text = (INCLUDE / header).read_text(encoding="utf-8")
    inner = [(file, one) for file, text_ in inner_headers(text, set()) for one in declared(text_)]
    named = words(text)
    for _, (scope, name, code, _, _) in inner:
        if is_data(code) and scope and scope[-1] in named:
            named |= words(code)
    for file, (scope, name, code, said, line) in inner:
        is_type = not scope and name in named and said and TYPE.match(bare(code))
        if is_type or is_data(code) and len(scope) == 1 and scope[0] in named:
            yield file, [scope, name, code, said, line]
    yield from ((header, one) for one in declared(text)
                if one[3] or not re.search(r"\b(using|static constexpr \w+ \w+ =)|\(const detail::", one[2]))
    if header == "rivulet/streams.hpp":
        yield from returned()


def public_headers():
    """Their names as programs include them, distributions last."""
    files = [*INCLUDE.glob("rivulet/*.hpp"), *INCLUDE.glob("rivulet/distributions/*.hpp")]
    return sorted((str(file.relative_to(INCLUDE)) for file in files),
                  key=lambda name: ("/distributions/" in name, "/uniform" not in name, name))
