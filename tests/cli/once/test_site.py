# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The site that scripts/docs makes: no warning, no dead link, a search that finds; and what its pages are made of."""

import html.parser
import json
import os
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
import conf  # noqa: E402
import headers  # noqa: E402
import reference  # noqa: E402
import usage  # noqa: E402


class Page(html.parser.HTMLParser):
    """Links, places and text of a page."""

    def __init__(self, file):
        super().__init__()
        self.links, self.places, self.text = [], set(), ""
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.places.update(value for key, value in attrs.items() if key in ("id", "name"))
        self.links += [value for key, value in attrs.items() if key in ("href", "src") and value]

    def handle_data(self, data):
        self.text += data


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

    def test_links_of_the_sources_become_links(self):
        """Those to files outside docs/ are downloads; none begins at a bracket before it."""
        way = os.path.relpath(ROOT, self.folder / ".source") + "/"
        for file, page in self.pages.items():
            with self.subTest(page=file.name):
                self.assertNotIn("{download}", page.text)
                self.assertNotIn(way, page.text)
        text = conf.OUTSIDE.sub("LINK", "in [0, 1), by [x\n[y](../a), ([a\nb](../c.cpp#d)); [x\n\ny](../e)")
        self.assertEqual(text, "in [0, 1), by [x\nLINK, (LINK); [x\n\ny](../e)")

    def test_search_finds(self):
        text = (self.folder / "searchindex.js").read_text(encoding="utf-8")
        index = json.loads(text[text.index("{"):text.rindex("}") + 1])
        for word, page in (("checkpoint", "checkpoint"), ("philox4x32", "reference/generators"),
                           ("philox4x32", "philox"), ("rivulet_skip_pow", "reference/c"), ("glossari", "glossary"),
                           ("rivulet_skip_pow", "reference/fortran"), ("occlus", "occlusion")):
            with self.subTest(word=word, page=page):
                found = [index[terms].get(word, []) for terms in ("terms", "titleterms")]
                found = [one for all_ in found for one in (all_ if isinstance(all_, list) else [all_])]
                self.assertIn(page, [index["docnames"][one] for one in found])

    def test_links_show_titles(self):
        for file in self.folder.rglob("*.html"):
            with self.subTest(page=file.name):
                shown = re.findall(r">(\w+\.md)<", file.read_text(encoding="utf-8"))
                self.assertEqual([name for name in shown if (DOCS / name).exists()], [])

    def test_the_reference_leads_to_lines(self):
        page = self.pages[self.folder / "reference/streams.html"]
        links = [link for link in page.links if link.startswith("../source/include/rivulet/streams.hpp.html#line-")]
        self.assertGreater(len(links), 20)


class Sources(unittest.TestCase):
    """Without Sphinx."""

    def test_every_page_is_in_the_contents_once(self):
        index = (DOCS / "index.md").read_text(encoding="utf-8")
        listed = re.findall(r"\((\w+)\.md\)", index.partition("## All pages")[2])
        self.assertEqual(sorted(listed), sorted(file.stem for file in DOCS.glob("*.md") if file.stem != "index"))

    def test_the_reference_has_every_public_name(self):
        pages = {one.name: one for one in reference.pages()}
        page = "\n".join(map(reference.markdown, pages.values()))
        parts = {name for one in pages.values() for name in one.parts}
        for file in (ROOT / "include/rivulet").rglob("*.hpp"):
            name = str(file.relative_to(ROOT / "include"))
            if "/detail/" in name or "namespace rivulet {" not in file.read_text(encoding="utf-8"):
                continue
            public = re.sub(r"(?s)\nnamespace detail \{.*?\n\}  // namespace detail", "",
                            file.read_text(encoding="utf-8"))
            for declared in re.findall(r"(?m)^(?:class|struct|enum class|concept|using) (\w+)", public):
                with self.subTest(header=name, name=declared):
                    self.assertTrue(declared in parts or f"using {declared} =" in page)
        self.assertLessEqual({"Streams::with", "Streams::open_shared", "Stream::child", "fill", "shuffle", "Interval",
                              "Uniform::operator()", "Ranmar48x", "TeamStream::each", "Half::operator float"}, parts)
        listed = (ROOT / "tests/capi/abi.txt").read_text(encoding="utf-8").partition("[librivulet.so]\n")[2]
        self.assertLessEqual(set(re.findall(r"(?m)^rivulet_\w+$", listed.partition("[")[0])), set(pages["c"].parts))
        module = (ROOT / "src/capi/rivulet.f90").read_text(encoding="utf-8")
        public = "".join(re.findall(r"(?m)^  public :: (?:.*&\n)*.*", module))
        self.assertEqual(set(pages["fortran"].parts), {"Constants", *re.findall(r"\brivulet_\w+", public)})
        self.assertLessEqual(set(pages["fortran"].parts), {"Constants", "rivulet_get", *pages["c"].parts})
        for name, [(_, said)] in [*pages["c"].parts.items(), *pages["fortran"].parts.items()]:
            with self.subTest(name=name):
                self.assertTrue(said)
        constants = pages["fortran"].parts["Constants"][0][0][0].code
        values = re.findall(r"\b(rivulet_\w+) = \d", module)
        self.assertEqual(re.findall(r"\b(rivulet_\w+) = \d", constants), values)
        self.assertEqual(set(map(str.upper, values)), set(re.findall(r"\bRIVULET_\w+(?= = \d)", "\n".join(
            groups[0][0][0].code for groups in pages["c"].parts.values()))))
        self.assertIn("Stream child(std::uint64_t n) const requires", page)
        self.assertIn("{ G::name } -> std::convertible_to<std::string_view>;", page)
        self.assertLessEqual({"Uint128", "DcmtSets::sets", "DcmtSet::a"}, parts)
        for name in ("battery", "create", "sobol"):
            self.assertIn("Rivulet::rivulet", " ".join(pages[name].intro))
        self.assertEqual([name for name in pages["generators"].parts if "::" in name], [])
        self.assertIn("See [Interval](fill.md#interval).", reference.markdown(pages["uniform"]))
        self.assertNotIn("MadeInPlace\n", page)

    def test_a_header(self):
        """Of the shapes that headers have."""
        text = ('namespace rivulet {\nnamespace detail {\n/// Hidden.\nstruct A { int b; };\n}\n'
                '/// Is shown.\n/// Twice.\ntemplate <class T>\nclass B : public detail::A {\n public:\n'
                '  /// n > 0.\n  KOKKOS_FUNCTION explicit B(int n) : n_{n} { f("}"); }\n'
                '  int n() const { return n_; }\n private:\n  int n_ = 0;  ///< hidden\n};\n'
                'enum class C {\n  one,  ///< 1\n  two   ///< 2\n};\n'
                'struct D {\n  /// 0.\n  D() = default;\n  D(const D&) = default;\n'
                '  double e = {};  ///< in m\n};\n'
                '/// Adds.\ntemplate <class T>\nconcept F = requires(T a) {\n  { a + a };\n};\n}\n')
        shown = [("::".join((*scope, name)), code, said, line)
                 for scope, name, code, said, line in headers.declared(text)]
        self.assertEqual(shown, [
            ("B", "template <class T> class B : public detail::A", ["Is shown.", "Twice."], 8),
            ("B::B", "explicit B(int n)", ["n > 0."], 12), ("B::n", "int n() const", [], 13),
            ("C", "enum class C {\n  one,  ///< 1\n  two   ///< 2\n}", [], 17), ("D", "struct D", [], 21),
            ("D::D", "D()", ["0."], 23), ("D::e", "double e", ["in m"], 25),
            ("F", "template <class T>\nconcept F = requires(T a) {\n  { a + a };\n}", ["Adds."], 28)])
        self.assertEqual(reference.prose(["in docs/how_fast.md#a-b, `docs/x.md` [0]."]),
                         "in [](../how_fast.md#a-b), `docs/x.md` \\[0\\].")

    def test_every_function_has_a_source_and_an_example(self):
        count = 0
        for page in reference.pages():
            for name, groups in page.parts.items():
                for one in (one for group, _ in groups for one in group):
                    with self.subTest(page=page.name, name=name, line=one.line):
                        lines = (ROOT / one.file).read_text(encoding="utf-8").splitlines()
                        word = re.search(r"\w+", one.code.partition("\n")[0].removeprefix("template "))[0]
                        self.assertTrue(word in lines[one.line - 1] or name in lines[one.line - 1])
                        if one.is_function:
                            count += 1
                            self.assertTrue(one.used, "no program of examples/ or of the tests uses it")
                            if page.language == "fortran":
                                self.assertTrue(one.used[0].statement, "no program shows a call of it")
        self.assertGreater(count, 150)

    def test_signatures_are_narrow(self):
        for page in reference.pages():
            for name, groups in page.parts.items():
                for one in (one for group, _ in groups for one in group if one.is_function):
                    with self.subTest(page=page.name, name=name):
                        self.assertLessEqual(max(map(len, one.code.splitlines())), 88)

    def test_examples(self):
        """The statement of each signature; none has what tests wrap around a call."""
        shown = {name: [one.used[0].statement for group, _ in groups for one in group if one.used]
                 for page in reversed(list(reference.pages())) for name, groups in page.parts.items()}
        for name, statements in {
                "Stream::Stream": [
                    "rivulet::Stream<rivulet::Philox4x32> rng(seed, id);",
                    "rivulet::Stream<rivulet::Philox4x64> salted(seed, SaltedKey{Purpose::langevin, 7, i, 0});",
                    "rivulet::Stream<rivulet::Philox4x32> keyed(seed, key);"],
                "Streams::open_shared": ["auto shared = streams.open_shared(team);",
                                         "auto shared = streams.open_shared(team, s, rivulet::on_demand{});"],
                "Streams::close": ["streams.close(stream, rng);", "streams.close(team, rng);",
                                   "streams.close(team, shared);"],
                "StandardUniform::operator()": ["const double u = standard(rng);"],
                "Streams::Streams": ["rivulet::Streams<rivulet::Dcmt521> later;",
                                     "const rivulet::Streams<rivulet::Dcmt521> streams(exec, options);",
                                     "const rivulet::Streams<rivulet::Philox4x64> streams"
                                     "({.count = 3, .seed = 42, .first = 10});"],
                "read_dcmt_sets": ["const rivulet::DcmtSets read = rivulet::read_dcmt_sets(file);"],
                "rivulet_message": ["const char* message = rivulet_message();"],
                "published_dcmt521": ["const rivulet::DcmtSets& published = rivulet::published_dcmt521();"],
                "rivulet_restore": ["rivulet_restore(one, size, bytes);"]}.items():
            with self.subTest(name=name):
                self.assertEqual(shown[name], statements)
        fortran = next(page for page in reference.pages() if page.name == "fortran")
        self.assertEqual(fortran.parts["rivulet_skip"][0][0][0].used[0].statement,
                         "call rivulet_skip(other, 1000_c_int64_t)")
        self.assertNotRegex("\n".join(one for all_ in shown.values() for one in all_),
                            r"(?i)\b(?:succeeds|check|require|refused)\(")

    def test_calls_of_overloads(self):
        """Each is of a signature that is there."""
        codes = "\n".join(declared[2] for header in headers.public_headers()
                          for _, declared in headers.of_header(header)).replace("( ", "(")
        for part in usage.CALLS:
            with self.subTest(part=part):
                self.assertIn(part, codes)

    def test_a_statement(self):
        """It shows a call that it begins with, assigns, returns or throws."""
        for text, language, is_shown in (
                ("f(1);", "cpp", True), ("const int i = f(1);", "cpp", True), ("return f(\n  1);", "cpp", True),
                ("print(f(1));", "cpp", False), ("if (f(1)) {", "cpp", False), ("return g() + f(1);", "cpp", False),
                ("call f(1)", "fortran", True), ("call f(1, status)", "fortran", False)):
            with self.subTest(text=text):
                self.assertEqual(bool(usage.shows(text, r"\bf\(", language)), is_shown)
        self.assertEqual(usage.statement("\n  SUCCEEDS(f(1,\n             2));\n", 1, "c"), "f(1,\n           2);")
