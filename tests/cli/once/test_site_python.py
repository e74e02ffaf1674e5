# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python package's page of the reference, from its sources: NumPy and the library are not needed."""

import ast
import re
import sys
import unittest

import rivulet_cli

ROOT = rivulet_cli.SOURCE_DIR.resolve()
sys.path.insert(0, str(ROOT / "docs"))
import package  # noqa: E402
import reference  # noqa: E402


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.page = next(page for page in reference.pages() if page.name == "python")
        cls.parts = {name: group[0] for name, [(group, _)] in cls.page.parts.items()}
        cls.text = reference.markdown(cls.page)

    def test_every_public_name(self):
        text = (ROOT / "python/rivulet/__init__.py").read_text(encoding="utf-8")
        names = ast.literal_eval(re.search(r"(?s)__all__ = (\[.*?\])", text)[1])
        self.assertEqual(sorted(name for name in self.parts if "." not in name), sorted(names))
        for file, class_, shown in (("_stream", "Stream", "Stream"), ("_numbers", "Numbers", "Stream"),
                                    ("_bitgen", "BitGenerator", "BitGenerator"), ("_results", "Results", "Results")):
            text = (ROOT / f"python/rivulet/{file}.py").read_text(encoding="utf-8")
            methods = re.findall(r"(?m)^    def ([a-z]\w*)", re.split(rf"(?m)^class {class_}\b", text)[1])
            self.assertTrue(methods)
            for name in methods:
                with self.subTest(file=file, name=name):
                    self.assertIn(f"{shown}.{name}", self.parts)

    def test_all_is_explained(self):
        for name, [(_, said)] in self.page.parts.items():
            with self.subTest(name=name):
                self.assertTrue("\n".join(said).strip(), "it has no docstring")
        for text in ("Members as of `Stream`: `child`, `generator`,", "- `units`, `descriptions`: those of",
                     "```pycon\n>>> generators()[", "[](../python.md) is the manual."):
            with self.subTest(text=text):
                self.assertIn(text, self.text)

    def test_signatures(self):
        for name, code in (("Stream", "class Stream(generator=None, seed=None, id=0, *, seeding='native', "
                                      "parameters=None,\n    **options)"),
                           ("Stream.random", "random(size=None, dtype=numpy.float64, interval='[)')"),
                           ("Stream.state", "state: bytes"), ("Results", "class Results(path)"),
                           ("run", "run(deck, output=None, *, launcher=(), **overrides)")):
            with self.subTest(name=name):
                self.assertEqual(self.parts[name].code, code)

    def test_examples(self):
        """Tested statements that succeed; where a docstring has an example, that one alone is shown."""
        for name, statement in (
                ("Stream.gamma", "rates = stream.gamma(shape=3, scale=2, size=5)"),
                ("Stream.random", "numbers = stream.random(size=5, dtype=np.float32)"),
                ("Results.to_xarray", "data = pi.to_xarray()"), ("generators", "")):
            with self.subTest(name=name):
                self.assertEqual(self.parts[name].used[0].statement, statement)
        refused = ast.parse("with pytest.raises(ValueError):\n  stream.f(1)\nwith g():\n  stream.f(2)")
        self.assertEqual([ast.unparse(one) for _, one in package.inside(refused)], ["stream.f(2)"])
