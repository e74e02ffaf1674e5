# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests scripts/release in a repository with only the files that it reads. Also checks the citation, the address and
the licences, and, without Spack, the Spack recipe and environment."""

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
# Git without the user's settings, which might sign commits or change archives.
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
    """Yields every call of a function or method of that name, with its literal positional arguments."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and name == getattr(node.func, "id", getattr(
                node.func, "attr", None)):
            yield node, [one.value for one in node.args if isinstance(one, ast.Constant)]


def strings(tree):
    return [one.value for one in ast.walk(tree) if isinstance(one, ast.Constant)]


def cmake_text():
    files = [ROOT / "CMakeLists.txt", *sorted((ROOT / "cmake").glob("*.cmake"))]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def text_of(file):
    return (ROOT / file).read_text(encoding="utf-8")


class Metadata(unittest.TestCase):
    def test_the_citation_has_the_version(self):
        version = re.search(r"(?m)^version: (.*)$", text_of("CITATION.cff"))[1]
        self.assertEqual(re.search(r"(?m)^  VERSION (\S+)$", text_of("CMakeLists.txt"))[1], version)

    def test_the_address_is_in_one_place(self):
        """The address is only in CITATION.cff and in the Spack recipes."""
        address = re.search(r"(?m)^url: https://(\S+)", text_of("CITATION.cff"))[1]
        files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
        if files.returncode != 0:
            self.skipTest("the sources are no clone (git ls-files)")
        having = [file for file in files.stdout.splitlines() if (ROOT / file).is_file() and
                  address.encode() in (ROOT / file).read_bytes()]
        self.assertEqual([file for file in having if not file.endswith("rivulet/package.py")],
                         ["CITATION.cff"])

    def test_licences(self):
        """The folder LICENSES has the texts of LICENSE, and each file names its licence."""
        whole = text_of("LICENSES/Apache-2.0.txt") + text_of("LICENSES/LLVM-exception.txt")
        self.assertEqual(whole, text_of("LICENSE"))
        if not shutil.which("reuse"):
            self.skipTest("reuse is not installed (Debian: reuse)")
        done = subprocess.run(["reuse", "lint"], cwd=ROOT, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class Recipe(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.text = text_of(RECIPE)
        cls.tree = ast.parse(cls.text)

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
        address = re.search(r"(?m)^url: (.*)$", text_of("CITATION.cff"))[1]
        self.assertIn('HOMEPAGE_URL "${rivulet_url}"', cmake_text())
        for name in ("homepage", "url", "git"):
            found = re.search(rf'(?m)^    {name} = "([^"]+)"$', self.text).group(1)
            self.assertTrue(found.startswith(address) and address.startswith("https://"), found)
        changes = text_of("CHANGELOG.md")
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
                if spec.startswith(f"{name}@") and name != "cmake":  # CMake's language CUDA needs a newer CMake
                    self.assertIn(bound, spec)
