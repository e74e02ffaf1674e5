# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The site that scripts/docs makes: no warning, no dead link, a search that finds; and what its pages are made of."""

import html.parser
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

import rivulet_cli

ROOT = rivulet_cli.SOURCE_DIR.resolve()
DOCS = ROOT / "docs"
sys.path.insert(0, str(DOCS))
import headers  # noqa: E402


class Page(html.parser.HTMLParser):
    """Links and places of a page."""

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

    def test_no_warning(self):
        self.assertEqual((self.done.returncode, self.done.stdout, self.done.stderr), (0, "", ""))

    def test_links_lead_somewhere(self):
        pages = {file: Page(file) for file in self.folder.rglob("*.html")}
        self.assertGreater(len(pages), 30)
        for file, page in pages.items():
            for link in page.links:
                target = urllib.parse.urlsplit(link)
                if target.scheme or target.netloc:
                    continue
                with self.subTest(page=file.name, link=link):
                    path = urllib.parse.unquote(target.path)
                    to = (file.parent / path).resolve() if path else file
                    self.assertTrue(to.is_file())
                    place = urllib.parse.unquote(target.fragment)
                    if to in pages and place:
                        self.assertIn(place, pages[to].places)

    def test_search_finds(self):
        text = (self.folder / "searchindex.js").read_text(encoding="utf-8")
        index = json.loads(text[text.index("{"):text.rindex("}") + 1])
        for word, page in (("checkpoint", "checkpoint"), ("philox4x32", "reference"), ("philox4x32", "philox"),
                           ("glossari", "glossary"), ("occlus", "occlusion")):
            with self.subTest(word=word, page=page):
                found = [index[terms].get(word, []) for terms in ("terms", "titleterms")]
                found = [one for all_ in found for one in (all_ if isinstance(all_, list) else [all_])]
                self.assertIn(page, [index["docnames"][one] for one in found])


class Sources(unittest.TestCase):
    """Without Sphinx."""

    def test_every_page_is_in_the_contents_once(self):
        index = (DOCS / "index.md").read_text(encoding="utf-8")
        listed = re.findall(r"\((\w+)\.md\)", index.partition("## All pages")[2])
        self.assertEqual(sorted(listed), sorted(file.stem for file in DOCS.glob("*.md") if file.stem != "index"))

    def test_the_reference_has_every_public_name(self):
        page = headers.reference()
        parts = set(re.findall(r"(?m)^###+ (.*)$", page))
        for file in (ROOT / "include/rivulet").rglob("*.hpp"):
            name = str(file.relative_to(ROOT / "include"))
            if "/detail/" in name or "namespace rivulet {" not in file.read_text(encoding="utf-8"):
                continue
            public = re.sub(r"(?s)\nnamespace detail \{.*?\n\}  // namespace detail", "",
                            file.read_text(encoding="utf-8"))
            for declared in re.findall(r"(?m)^(?:class|struct|enum class|concept|using) (\w+)", public):
                with self.subTest(header=name, name=declared):
                    self.assertTrue(declared in parts or f"using {declared} =" in page)
        self.assertLessEqual({"Streams::with", "Streams::open_shared", "Stream::child", "fill", "shuffle",
                              "Uniform::operator()", "Ranmar48x", "Interval"}, parts)
        self.assertIn("Stream child(std::uint64_t n) const requires", page)
        self.assertNotIn("MadeInPlace\n", page)

    def test_a_header(self):
        """Of the shapes that headers have."""
        text = ('namespace rivulet {\nnamespace detail {\n/// Hidden.\nstruct A { int b; };\n}\n'
                '/// Is shown.\n/// Twice.\ntemplate <class T>\nclass B : public detail::A {\n public:\n'
                '  /// n > 0.\n  KOKKOS_FUNCTION explicit B(int n) : n_{n} { f("}"); }\n'
                '  int n() const { return n_; }\n private:\n  int n_ = 0;  ///< hidden\n};\n'
                'enum class C { one, two };\nstruct D {\n  double e = {};  ///< in m\n};\n}\n')
        shown = [("::".join((*scope, name)), code, said)
                 for scope, name, code, said in list(headers.declarations(headers.pieces(text)))]
        self.assertEqual(shown, [
            ("B", "template <class T> class B : public detail::A", ["Is shown.", "Twice."]),
            ("B::B", "explicit B(int n)", ["n > 0."]), ("B::n", "int n() const", []),
            ("C", "enum class C { one, two }", []), ("D", "struct D", []), ("D::e", "double e", ["in m"])])
