# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reference of the C++ library, made of the public headers' signatures and `///` comments.

In Markdown: a section per header, a part per name of namespace rivulet, and one per public member.
"""
import pathlib
import re

INCLUDE = pathlib.Path(__file__).resolve().parent.parent / "include"
MACROS = re.compile(r"\bKOKKOS_\w*FUNCTION\b ?|\[\[nodiscard\]\] ?")


def pieces(text):
    """Doc comments, and the code between them, cut after each brace and semicolon outside parentheses."""
    text = re.sub(r"(?m)^#.*(?:\\\n.*)*$", "", text)
    inner, code = [], ""  # parentheses, and braces of values: n_{1}
    for token in re.findall(r"///[^\n]*|//[^\n]*|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])'|[^\W\d]\w*|\s+|.", text):
        if token.startswith("///"):
            yield token
        elif not token.startswith("//"):
            opens = token == "(" or token == "{" and (inner or re.search(r"\w$", code))
            code += token
            if opens:
                inner.append(token)
            elif inner and token in ")}":
                inner.pop()
            elif not inner and token in "{};" or token == ":" and re.fullmatch(r"\s*(public|private):", code):
                yield " ".join(code.split())
                code = ""


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
    code = MACROS.sub("", code.rstrip("{; ")).removesuffix(" =").strip()
    if re.match(r"(?:template ?<.*> )?(?:class|struct|enum)\b", code):
        return code
    depth = 0
    for place, letter in enumerate(code):
        depth += (letter in "(<") - (letter in ")>" and code[place - 1] not in "-=")
        if code[place:place + 2] == ": " and depth == 0:
            return code[:place].strip()
    return code


def name_of(code):
    """The name that a declaration declares."""
    code = re.sub(r"^(template ?<(?:[^<>]|<[^<>]*>)*> ?)+", "", code)
    code = re.sub(r"requires ?\(.*?\) |decltype\(auto\)", "", code)
    name = (re.match(r"(?:class|struct|concept|using|enum class|enum) (\w+)", code) or
            re.search(r"(operator ?(?:\(\)|\[\]|[^\s\w(]+)|~?\w+) ?\(", code))
    return name[1] if name else re.sub(r" ?(=|\[|\{).*", "", code).split(" ")[-1]


def declarations(parts, scope=(), public=True):
    """(scope, name, signature, comment) of what a piece of a header declares, and within its public classes."""
    comment, after = [], None  # after: what a comment `///<` is about
    for part in parts:
        if part.startswith("///"):
            about = (after or [[]])[-1] if part.startswith("///<") else comment
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
        if not hidden and not re.search(r"= (default|delete)$", code):
            after = [scope, name_of(code), code, said]
            yield after
        opens = part.endswith("{")
        if opens and kind and not hidden:
            if kind[1] == "enum":
                after[2] += " { " + next(one for one in parts if one.endswith("}"))
            else:
                yield from declarations(parts, (*scope, name_of(code)), kind[1] != "class")
        elif opens:
            skip(parts)


def prose(lines):
    """A comment as Markdown."""
    odd = "\n".join(lines).split("`")
    return "`".join(one if k % 2 else re.sub(r"([*_<>\[\]|#])", r"\\\1", one) for k, one in enumerate(odd))


def inner_headers(text, seen):
    """The headers of detail/ that a header includes, directly or not."""
    for header in re.findall(r'#include "(rivulet/detail/[^"]+\.hpp)"', text):
        if header not in seen:
            seen.add(header)
            inner = (INCLUDE / header).read_text(encoding="utf-8")
            yield from (inner, *inner_headers(inner, seen))


def of_header(header):
    """What a header declares, and of the headers of detail/ the documented types that it names."""
    text = (INCLUDE / header).read_text(encoding="utf-8")
    named = set(re.findall(r"\w+", re.sub(r"//.*|#include.*", "", text)))
    for inner in inner_headers(text, set()):
        for scope, name, code, said in list(declarations(pieces(inner))):
            if not scope and name in named and said and re.search(r"\b(class|struct|enum|using)\b", code):
                yield scope, name, code, said
    yield from (one for one in declarations(pieces(text))
                if one[3] or not re.search(r"\b(using|static constexpr \w+ \w+ =)", one[2]))


def reference():
    """The sections of all public headers, in Markdown."""
    page, seen = [], set()
    files = [*INCLUDE.glob("rivulet/*.hpp"), *INCLUDE.glob("rivulet/distributions/*.hpp")]
    headers = [str(file.relative_to(INCLUDE)) for file in files]
    for header in sorted(headers, key=lambda name: ("/distributions/" in name, "/uniform" not in name, name)):
        parts = {}
        for scope, name, code, said in list(of_header(header)):
            known = parts.setdefault("::".join((*scope, name)), [])
            if known and not said:  # an overload that the comment before it is about, too
                known[-1][0] += f";\n{code}"
            else:
                known.append([code, said])
        parts = {name: all_ for name, all_ in parts.items() if name not in seen}
        seen.update(parts)
        page += [f"## {header}\n"] if parts else []
        for name, all_ in parts.items():
            page.append(f"{'####' if '::' in name else '###'} {name}\n")
            for code, said in all_:
                page.append(f"```cpp\n{code};\n```\n\n{prose(said)}\n")
    return "\n".join(page)
