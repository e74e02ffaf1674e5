# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Spack recipe and environment, as far as that can be seen without Spack."""

import ast
import re
import unittest

import digests
import rivulet_cli

try:
    import yaml
except ImportError:
    yaml = None

ROOT = rivulet_cli.SOURCE_DIR
RECIPE = ROOT / "scripts/spack/spack_repo/rivulet/packages/rivulet/package.py"
# What the base classes of the recipe declare.
OF_SPACK = {"cuda", "rocm"}


def calls(tree, name):
    """Every call of a function or method of that name, with its literal first words."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and name == getattr(node.func, "id", getattr(
                node.func, "attr", None)):
            yield node, [one.value for one in node.args if isinstance(one, ast.Constant)]


def strings(tree):
    return [one.value for one in ast.walk(tree) if isinstance(one, ast.Constant)]


def cmake_text():
    files = [ROOT / "CMakeLists.txt", *sorted((ROOT / "cmake").glob("*.cmake"))]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


@unittest.skipUnless(RECIPE.exists(), "a release's archive has no recipe")
class Recipe(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.text = RECIPE.read_text(encoding="utf-8")
        cls.tree = ast.parse(cls.text)
        cls.variants = {words[0] for _, words in calls(cls.tree, "variant")}

    def test_options_are_cmakes(self):
        text = cmake_text()
        options = [(words[0], words[1:]) for name in ("define", "define_from_variant")
                   for _, words in calls(self.tree, name)]
        self.assertGreater(len(options), 8)
        for option, variant in options:
            with self.subTest(option=option):
                if not option.startswith("CMAKE_"):
                    declared = re.search(rf"option\({option} |set\({option}\s[^)]*CACHE", text)
                    self.assertTrue(declared or option == "BUILD_SHARED_LIBS", "not CMake's")
                if variant and not isinstance(variant[0], bool):
                    self.assertIn(variant[0], self.variants)

    def test_every_variant_is_documented_and_used(self):
        page = (ROOT / "docs/install.md").read_text(encoding="utf-8")
        for name in self.variants:
            with self.subTest(variant=name):
                self.assertTrue(f"`{name}`" in page, "docs/install.md does not name it")
                self.assertGreater(len(re.findall(rf'[+ "]{name}\b', self.text)), 1)

    def test_generators(self):
        """Of the list, which the program has when all are built."""
        source = (ROOT / "src/kernels/generators/list.hpp").read_text(encoding="utf-8")
        listed = re.findall(r"(?m)^  GENERATOR\((\w+), ", source)
        variant, = [one for one, words in calls(self.tree, "variant") if words[0] == "generators"]
        values, = [one.value for one in variant.keywords if one.arg == "values"]
        sets, = calls(values, "disjoint_sets")
        self.assertEqual(strings(sets[0].args[1]), listed)
        built = list(rivulet_cli.generators())
        self.assertEqual(built, [name for name in listed if name in built])
        for name in strings(self.tree):
            if isinstance(name, str) and re.fullmatch(r"(dcmt|mt|mtgp|ranmar|philox|lfsr)\d\w*", name):
                self.assertIn(name, listed)

    def test_pi_is_a_deck_of_the_table(self):
        test, = [one for one in ast.walk(self.tree)
                 if isinstance(one, ast.FunctionDef) and one.name == "test_pi"]
        words = [one for one in strings(test) if isinstance(one, str)]
        for word in digests.Digests.deck_of("mt19937", "pi"):
            if "generator" not in word:
                self.assertIn(word, words)
        self.assertTrue((ROOT / "tests/data/digests.json").exists())
        self.assertIn('join_path("tests", "data", "digests.json")', self.text)

    def test_addresses_and_versions(self):
        address = re.search(r'HOMEPAGE_URL "([^"]+)"', cmake_text()).group(1)
        for name in ("homepage", "url", "git"):
            found = re.search(rf'(?m)^    {name} = "([^"]+)"$', self.text).group(1)
            self.assertTrue(found.startswith(address) and address.startswith("https://"), found)
        changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
        versions = [(node, words[0]) for node, words in calls(self.tree, "version")]
        self.assertEqual(versions[0][1], "main")
        for node, name in versions[1:]:
            self.assertTrue(f"## [{name}] - " in changes, f"CHANGELOG.md has no {name}")
            sha256, = [one.value.value for one in node.keywords if one.arg == "sha256"]
            self.assertRegex(sha256, "^[0-9a-f]{64}$")

    def test_environment(self):
        if yaml is None:
            self.skipTest("python3 has no yaml (Debian: python3-yaml; Spack: py-pyyaml)")
        with open(ROOT / "spack.yaml", encoding="utf-8") as file:
            environment = yaml.safe_load(file)["spack"]
        specs = environment["specs"]
        for spec in specs:
            self.assertIsInstance(spec, str)
        named = {re.match(r"[\w-]+", spec).group() for spec in specs}
        needed = {re.match(r"[\w-]+", words[0]).group()
                  for _, words in calls(self.tree, "depends_on") if words}
        compilers = {"c", "cxx", "fortran"}
        self.assertEqual(needed - named - compilers - {"cuda"}, set())
