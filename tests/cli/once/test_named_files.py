# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files that documents and comments name are there."""

import pathlib
import re
import unittest

import rivulet_cli

ROOT = rivulet_cli.SOURCE_DIR.resolve()
FOLDERS = "backends|bench|cmake|docs|inputs|scripts|src|tests"
# From the root, or a source file from src or beside the one that names it. A bare file's name is
# not looked for: many are other projects', or a user's.
FROM_ROOT = rf"(?:{FOLDERS})/[\w./*-]*[\w*]"
SOURCE = r"\w[\w./-]*/[\w.-]+\.[ch]pp"
NAMED = re.compile(rf"(?<![\w./:<-])(?:{FROM_ROOT}|{SOURCE})")
COMMENT = re.compile(r"(?://|/\*|^ \*)(.*)")
PLACEHOLDERS = {"inputs/JOB.yaml": "inputs/*.yaml"}


def current(changelog):
    """What is about this version: earlier ones had other files."""
    return re.split(r"(?m)^## ", changelog)[1]


def comments(text):
    """Line by line, with empty lines for those without; includes are the compiler's to check."""
    found = (COMMENT.search(line) for line in text.splitlines())
    return "\n".join(one.group(1) if one else "" for one in found)


def texts():
    """(path, what is read of it) of every document and source file."""
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        yield path, path.read_text(encoding="utf-8")
    yield ROOT / "CHANGELOG.md", current((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    for folder in ("src", "backends", "bench", "tests"):
        for path in sorted((ROOT / folder).rglob("*.[ch]*")):
            if path.suffix in (".c", ".h", ".cpp", ".hpp"):
                yield path, comments(path.read_text(encoding="utf-8"))


def exists(name, beside):
    name = PLACEHOLDERS.get(name, name)
    return any(next(folder.glob(name), None) for folder in (ROOT, ROOT / "src", beside))


def missing(path, text):
    """'FILE:LINE names NAME' of each that is not there."""
    for number, line in enumerate(text.splitlines(), 1):
        for name in NAMED.findall(line):
            if not exists(name, path.parent):
                yield f"{path.relative_to(ROOT)}:{number} names {name}"


class NamedFiles(unittest.TestCase):
    def test_all_are_there(self):
        found = [one for path, text in texts() for one in missing(path, text)]
        self.assertEqual(found, [], "\n" + "\n".join(found))

    def test_what_is_looked_at(self):
        page = ROOT / "docs" / "page.md"
        for text in ("src/none.hpp", "(src/io/none.hpp),", "`scripts/none --now`", "io/none.hpp.",
                     "inputs/none/*.yaml", "one\ntests/none/x"):
            with self.subTest(text=text):
                self.assertEqual(len(list(missing(page, text))), 1)
        for text in ("src/io/deck/deck.hpp", "io/deck/deck.hpp", "inputs/*.yaml,", "https://a.b/src/none.hpp",
                     "#include <none/none.hpp>", "tests/cli", "/usr/src/none",
                     "inputs/JOB.yaml"):
            with self.subTest(text=text):
                self.assertEqual(list(missing(page, text)), [])
        self.assertEqual(list(missing(ROOT / "src/io/deck/deck.cpp", comments(
            "int a;  // as in io/none.hpp\n#include \"io/nothing.hpp\"\n/* src/io/deck/deck.hpp */"))),
            ["src/io/deck/deck.cpp:1 names io/none.hpp"])
