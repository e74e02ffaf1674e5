# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/release, in a repository of the few files that it reads. The Spack recipe and environment, as far as that can
be seen without Spack."""

import ast
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import tempfile
import unittest

import rivulet_cli
import test_digests as digests

ROOT = rivulet_cli.SOURCE_DIR
RECIPE = pathlib.Path("scripts/spack/spack_repo/rivulet/packages/rivulet/package.py")
FILES = ("CMakeLists.txt", "CHANGELOG.md", "CITATION.cff", "scripts/release", "python/rivulet/__init__.py")
DATE = "2031-02-03"
# A test of no user's settings, which might sign commits or change archives.
GIT = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "GIT_AUTHOR_NAME": "a",
       "GIT_AUTHOR_EMAIL": "a", "GIT_COMMITTER_NAME": "c", "GIT_COMMITTER_EMAIL": "c"}


@unittest.skipUnless(shutil.which("git"), "it takes git")
class Release(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name) / "repository"
        for file in FILES:
            (self.root / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, self.root / file)
        self.version = re.search(r"(?m)^  VERSION (\S+)$", self.text("CMakeLists.txt")).group(1)
        self.change("CHANGELOG.md", r"(?m)^## \[.*$", f"## [{self.version}] - {DATE}")
        self.git("init", "-q")
        self.commit()

    def git(self, *words):
        subprocess.run(["git", *words], cwd=self.root, check=True, capture_output=True, env={**os.environ, **GIT})

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "files")

    def text(self, file):
        return (self.root / file).read_text(encoding="utf-8")

    def change(self, file, pattern, to):
        text = re.sub(pattern, to, self.text(file), count=1)
        (self.root / file).write_text(text, encoding="utf-8")

    def run_release(self):
        return subprocess.run([self.root / "scripts/release"], cwd=self.root.parent, check=False,
                              capture_output=True, text=True, env={**os.environ, **GIT})

    def test_archive(self):
        done = self.run_release()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        path = self.root.parent / f"rivulet-{self.version}.tar.gz"
        first = path.read_bytes()
        self.assertIn(f"sha256 {hashlib.sha256(first).hexdigest()}\n", done.stdout)
        with tarfile.open(path) as archive:
            self.assertLessEqual({f"rivulet-{self.version}/{file}" for file in FILES}, set(archive.getnames()))
        self.run_release()
        self.assertEqual(path.read_bytes(), first)

    def test_refusals(self):
        for file, pattern, to, words in (
                ("CHANGELOG.md", rf" - {DATE}", " - unreleased", "has no date"),
                ("CHANGELOG.md", re.escape(f"[{self.version}]"), "[9.9.9]", "CHANGELOG.md says 9.9.9"),
                ("CITATION.cff", r"(?m)^version: .*$", "version: 9.9.9", "CITATION.cff says 9.9.9"),
                ("CITATION.cff", r"(?m)^version: .*\n", "", "CITATION.cff has no version")):
            with self.subTest(words=words):
                kept = self.text(file)
                self.change(file, pattern, to)
                for expected in (f"{file} is not committed", words):
                    done = self.run_release()
                    self.assertEqual(done.returncode, 1)
                    self.assertIn(expected, done.stderr)
                    self.assertRegex(done.stderr, r"^scripts/release: .* \(.*\)\. .*\.\n$")
                    self.commit()
                self.assertFalse(list(self.root.parent.glob("*.tar.gz")))
                (self.root / file).write_text(kept, encoding="utf-8")
                self.commit()


try:
    import yaml
except ImportError:
    yaml = None

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


class Recipe(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.text = (ROOT / RECIPE).read_text(encoding="utf-8")
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
        source = (ROOT / "src/generators/list.hpp").read_text(encoding="utf-8")
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
        address = re.search(r"(?m)^url: (.*)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"))[1]
        self.assertIn('HOMEPAGE_URL "${rivulet_url}"', cmake_text())
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
        depended = [words[0] for _, words in calls(self.tree, "depends_on") if words]
        needed = {re.match(r"[\w-]+", spec).group() for spec in depended}
        compilers = {"c", "cxx", "fortran"}
        self.assertEqual(needed - named - compilers - {"cuda", "hipfft"}, set())
        for name, bound in re.findall(r"(?m)^([\w-]+)(@[\d.]+:)(?!\d)", "\n".join(depended)):
            for spec in specs:
                if spec.startswith(f"{name}@") and name != "cmake":  # of which CUDA's language needs a newer one
                    self.assertIn(bound, spec)
