# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The site that scripts/docs makes has no warnings and no dead links, shows every public name, and has a working
search."""

import ast
import html.parser
import json
import pathlib
import re
import subprocess
import tempfile
import textwrap
import unittest
import urllib.parse
import zlib

import rivulet_cli

ROOT = rivulet_cli.SOURCE_DIR.resolve()
DOCS = ROOT / "docs"


def text(file):
    return (ROOT / file).read_text(encoding="utf-8")


class Page(html.parser.HTMLParser):
    """The links of a page, and its link targets."""

    def __init__(self, file):
        super().__init__()
        self.links, self.places = [], set()
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.places.update(value for key, value in attrs.items() if key in ("id", "name"))
        self.links += [value for key, value in attrs.items() if key in ("href", "src") and value]


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.done = subprocess.run([ROOT / "scripts/docs", cls.folder], text=True, capture_output=True, check=False)
        if cls.done.returncode == 77:
            raise unittest.SkipTest(cls.done.stderr.strip())
        cls.pages = {file: Page(file) for file in cls.folder.rglob("*.html")}

    def test_no_warning(self):
        self.assertEqual((self.done.returncode, self.done.stdout, self.done.stderr), (0, "", ""))

    def test_links_lead_somewhere(self):
        self.assertGreater(len(self.pages), 30)
        for file, page in self.pages.items():
            for link in page.links:
                target = urllib.parse.urlsplit(link)
                if target.scheme in ("http", "https", "mailto"):
                    continue
                with self.subTest(page=file.name, link=link):
                    path = urllib.parse.unquote(target.path)
                    to = (file.parent / path).resolve() if path else file
                    self.assertTrue(to.is_file())
                    place = urllib.parse.unquote(target.fragment)
                    if to in self.pages and place:
                        self.assertIn(place, self.pages[to].places)

    def test_search_finds(self):
        found = (self.folder / "searchindex.js").read_text(encoding="utf-8")
        index = json.loads(found[found.index("{"):found.rindex("}") + 1])
        for word, page in (("checkpoint", "checkpoint"), ("philox4x32", "reference/generators"),
                           ("philox4x32", "philox"), ("rivulet_skip_pow", "reference/c"), ("certif", "guarantees"),
                           ("rivulet_skip_pow", "reference"), ("occlus", "occlusion")):
            with self.subTest(word=word, page=page):
                pages = [index[terms].get(word, []) for terms in ("terms", "titleterms")]
                pages = [one for all_ in pages for one in (all_ if isinstance(all_, list) else [all_])]
                self.assertIn(page, [index["docnames"][one] for one in pages])

    def assert_shown(self, page, names):
        """Requires that Sphinx' inventory has a link target on the page for each name."""
        inventory = (self.folder / "objects.inv").read_bytes()
        listed = zlib.decompress(inventory[inventory.index(b"zlib.\n") + 6:]).decode()
        line = rf"(?m)^(?:\w+::|rivulet\.)*([\w.]+) (?:cpp|c|py):\w+ .* reference/{page}\.html"
        shown = set(re.findall(line, listed))
        self.assertTrue(names)
        self.assertEqual(set(names) - shown, set())

    def test_every_public_name_of_the_headers(self):
        for file in (ROOT / "include/rivulet").rglob("*.hpp"):
            header = text(file)
            if "/detail/" in str(file) or "namespace rivulet {" not in header:
                continue
            public = re.sub(r"(?s)\nnamespace ((?:rivulet::)?detail) \{.*?\n\}  // namespace \1", "", header)
            types = re.findall(r"(?m)^(?:class|struct|enum class|concept|using) (\w+)", public)
            functions = re.findall(r"(?m)^(?!requires|.*(?:\breturn|operator))\w[\w:<> ]*[ &](\w+)\(", public)
            with self.subTest(header=file.name):
                self.assert_shown(file.stem, types + functions)
        listed = re.search(r"AllGenerators = GeneratorTypes<([^>]*)>", text("include/rivulet/generators.hpp"))[1]
        self.assert_shown("generators", re.findall(r"\w+", listed))
        self.assert_shown("streams", ["with", "open_shared", "each", "take", "Uint128"])
        self.assert_shown("c", re.findall(r"(?m)^RIVULET_API[^;]*?\b(rivulet_\w+)\(", text("src/capi/rivulet.h")))

    def test_every_public_name_of_the_package(self):
        names = ast.literal_eval(re.search(r"(?s)__all__ = (\[.*?\])", text("python/rivulet/__init__.py"))[1])
        self.assert_shown("python", names)
        for file, class_, shown in (("_stream", "Stream", "Stream"), ("_numbers", "Numbers", "Stream"),
                                    ("_bitgen", "BitGenerator", "BitGenerator"), ("_results", "Results", "Results")):
            body = re.split(rf"(?m)^class {class_}\b", text(f"python/rivulet/{file}.py"))[1]
            methods = re.findall(r"(?m)^    def ([a-z]\w*)", body)
            self.assert_shown("python", [f"{shown}.{name}" for name in methods])


class Sources(unittest.TestCase):
    """Tests that do not need Sphinx."""

    def test_every_page_is_in_the_contents_once(self):
        listed = re.findall(r"\((\w+)\.md\)", text("docs/index.md").partition("# All pages")[2])
        self.assertEqual(sorted(listed), sorted(file.stem for file in DOCS.glob("*.md") if file.stem != "index"))

    def test_fortran_has_every_procedure(self):
        """The page lists every procedure with its arguments in order."""
        module = text("src/capi/rivulet.f90")
        declared = {name: re.findall(r"\w+", arguments) for name, arguments in re.findall(
            r"(?m)^  (?:subroutine|.*function) (rivulet_\w+)\(((?:.*&\n)*[^)]*)\)", module)}
        shown = {name: re.findall(r"\w+", arguments) for name, arguments in re.findall(
            r"(?m)^(?:call|\w+ =) (rivulet_\w+)\(([^)]*)\)", text("docs/reference.md"))}
        public = "".join(re.findall(r"(?m)^  public :: (?:.*&\n)*.*", module))
        self.assertEqual(set(shown), set(re.findall(r"\brivulet_\w+", public)))
        self.assertEqual({name: arguments for name, arguments in shown.items() if name in declared}, declared)

    def test_code_begins_at_column_0(self):
        for page in (*ROOT.glob("*.md"), *DOCS.glob("*.md")):
            for code in re.findall(r"(?ms)^```\w*\n(.*?)^```$", page.read_text(encoding="utf-8")):
                with self.subTest(page=page.name, begins=code.splitlines()[:1]):
                    self.assertEqual(code, textwrap.dedent(code))
