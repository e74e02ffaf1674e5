# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where programs that the tests compile and run use a name: examples first, then tests of C and Fortran."""
import collections
import functools
import re
import textwrap

from sources import ROOT

PROGRAMS = {"cpp": ("examples/*.cpp", "tests/install/consumer/*/*.cpp"),
            "c": ("tests/install/consumer/c/*.c", "tests/capi/test_sequences.c", "tests/capi/test_*.c"),
            "fortran": ("tests/install/consumer/fortran/*.f90", "tests/fortran/test_rivulet*.f90")}
COMMENT = {"cpp": r"//.*|#include.*", "c": r"/\*.*?\*/|#include.*", "fortran": r"!.*"}
END = {"cpp": r"[;{}]\s*$|^\s*$", "c": r"[;{}]\s*$|^\s*$", "fortran": r"^[^&]*$"}  # of a statement
# What may stand before a call in a statement that shows it.
BEFORE = r"(?:return |throw |const |call |[^()]*? [-+]?= (?:static_cast<\w+>\()?)?"
# What programs name objects of a class; of others, as the class.
OBJECTS = {"Stream": "parent|rng|Rng", "TeamStream": "rng", "OnDemandStream": "shared", "Numbers": "numbers",
           "DiscreteTable": "table", "StandardUniform": "standard", "Below": "die", "Bernoulli": "coin",
           "Exponential": "waiting"}
# Calls of functions with several signatures, by a part of the signature.
CALLS = {"Streams()": r"rivulet::Streams<[^;()]*> \w+;", "Uniform()": r"rivulet::Uniform<[^;()]*> \w+;",
         "fill(const Exec&": r"rivulet::fill\(exec,", "fill(const Team&": r"rivulet::fill\(team,",
         "Stream(std::uint64_t seed, std::uint64_t id": r"rivulet::Stream<[^;()]*> \w+\(\w+, \w+\);",
         "Stream(std::uint64_t seed, const Key&": r"rivulet::Stream<[^;()]*> \w+\(seed, \w+Key\{",
         "Stream(std::uint64_t seed, const StreamKey&": r"rivulet::Stream<[^;()]*>\s\w+\(seed, (?:key\)|\{\.)",
         "Streams(const Exec&": r"rivulet::Streams<[^;()]*>\s\w+\(exec, ",
         "Streams(const StreamsOptions&": r"rivulet::Streams<[^;()]*>\s\w+\(\{",
         "DiscreteTable(const Exec&": r"rivulet::DiscreteTable<> \w+\(Kokkos",
         "DiscreteTable(const Weights&": r"rivulet::DiscreteTable<> \w+\(weights",
         "open(std::uint64_t": r"streams\.open\((?!team)", "open(const Team& team) ": r"streams\.open\(team\)",
         "open(const Team& team, std": r"streams\.open\(team, ",
         "close(std::uint64_t": r"streams\.close\((?!team)", "close(const Team& team, const detail":
         r"streams\.close\(team, rng", "close(const Team& team, const Stream&": r"streams\.close\(team, shared",
         "with(std::uint64_t": r"streams\.with\((?!team)", "with(const Team&": r"streams\.with\(team, ",
         "shared_policy(const Exec& exec, int": r"streams\.shared_policy\(exec, warps",
         "open_shared(const Team& team, on": r"streams\.open_shared\(team\)",
         "open_shared(const Team& team, std": r"streams\.open_shared\(team, s\b",
         "take()": r"shared\.(?:template )?take<\d>\(\)",
         "operator()(int lane": r"\bnumbers\(lane"}
MOST = 3
Use = collections.namedtuple("Use", "file line statement")  # statement: empty unless it shows the call alone


@functools.cache
def programs(language):
    """(file, text without comments) of each program, in the order of PROGRAMS."""
    files = dict.fromkeys(file for pattern in PROGRAMS[language] for file in sorted(ROOT.glob(pattern)))
    return [(str(file.relative_to(ROOT)), re.sub(COMMENT[language], "", file.read_text(encoding="utf-8")))
            for file in files]


def call(scope, name, code):
    """A pattern of the calls of a C++ function."""
    known = next((known for part, known in CALLS.items() if part in code.replace("( ", "(")), None)
    if known or not scope:
        return known or rf"rivulet::{name}(?:<[^;()]*>)?\("
    made = rf"rivulet::{scope[-1]}\b(?:<[^;()]*>)?"
    objects = rf"\b(?:{OBJECTS.get(scope[-1], scope[-1].lower())}|{scope[-1]})"
    if name == scope[-1]:
        return rf"{made}(?: \w+)?[({{](?![)}}])"
    if name == "operator()":
        return rf"{made}\([^;]*\)\(|(?<![\w>] )(?<!\.){objects}\("
    if name.startswith("operator "):
        return rf"\b{name.removeprefix('operator ')}\((?:{made}|{objects}\b)"
    return rf"(?:rivulet::)?{objects}(?:<[^;()]*>)?(?:\.|::){name}(?:<[^;()]*>)?\("


def statement(text, line, language):
    """The statement of a line, counted from 0; without what tests wrap around a call."""
    lines = text.splitlines()
    first = last = line
    while not re.search(END[language], lines[first - 1]):
        first -= 1
    while not re.search(END[language], lines[last]):
        last += 1
    shown = textwrap.dedent("\n".join(map(str.rstrip, lines[first:last + 1])))
    return re.sub(r"(?s)^(?:require|SUCCEEDS)\((.*)\);$", r"\1;", shown)


def shows(text, pattern, language):
    """Whether a statement begins with a call, assigns or returns it; of Fortran, one that must succeed."""
    whole = text.endswith(";") if language != "fortran" else not text.endswith("status)")
    return whole and re.match(BEFORE + f"(?:{pattern})", " ".join(text.split()), re.IGNORECASE)


def uses(language, pattern):
    """A Use in each of the first MOST programs that have one: if possible with a statement that keeps the result."""
    found = []
    for file, text in programs(language):
        own = []
        for place in re.finditer(pattern, text, re.IGNORECASE if language == "fortran" else 0):
            line = text.count("\n", 0, place.start())
            whole = statement(text, line, language)
            own.append(Use(file, line + 1, whole if shows(whole, pattern, language) else ""))
        found += sorted(own, key=lambda use: (not use.statement, bool(re.match(pattern, use.statement))))[:1]
    return sorted(found, key=lambda use: not use.statement)[:MOST]
