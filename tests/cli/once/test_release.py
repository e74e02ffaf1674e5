# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/release, in a repository of the few files that it reads."""

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

ROOT = rivulet_cli.SOURCE_DIR
RECIPE = pathlib.Path("scripts/spack/spack_repo/rivulet/packages/rivulet/package.py")
FILES = ("CMakeLists.txt", "CHANGELOG.md", "CITATION.cff", "scripts/release", RECIPE)
DATE = "2031-02-03"
# A test of no user's settings, which might sign commits or change archives.
GIT = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "GIT_AUTHOR_NAME": "a",
       "GIT_AUTHOR_EMAIL": "a", "GIT_COMMITTER_NAME": "c", "GIT_COMMITTER_EMAIL": "c"}


@unittest.skipUnless(shutil.which("git") and (ROOT / RECIPE).exists(),
                     "it takes git, and the Spack recipe, which a release's archive has not")
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
        self.change("CITATION.cff", r"(?m)^date-released:.*\n", "")
        self.change("CITATION.cff", r"(?m)^(version: .*\n)", rf"\1date-released: {DATE}\n")
        self.git("init", "-q")
        self.commit()

    def git(self, *words):
        return subprocess.run(["git", *words], cwd=self.root, check=True, capture_output=True,
                              text=True, env={**os.environ, **GIT}).stdout

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "files")

    def text(self, file):
        return (self.root / file).read_text(encoding="utf-8")

    def change(self, file, pattern, to):
        text = re.sub(pattern, to, self.text(file), count=1)
        (self.root / file).write_text(text, encoding="utf-8")

    def run_release(self, *words):
        return subprocess.run([self.root / "scripts/release", *words], cwd=self.root.parent, check=False,
                              capture_output=True, text=True, env={**os.environ, **GIT})

    def archive(self, *words):
        done = self.run_release(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        path = self.root.parent / f"rivulet-{self.version}.tar.gz"
        data = path.read_bytes()
        self.assertIn(hashlib.sha256(data).hexdigest(), done.stdout)
        return path, data

    def assert_refused(self, words, *options):
        done = self.run_release(*options)
        self.assertEqual(done.returncode, 1)
        self.assertIn(words, done.stderr)
        self.assertRegex(done.stderr, r"^scripts/release: .* \(.*\)\. .*\.\n$")
        self.assertFalse(list(self.root.parent.glob("*.tar.gz")))

    def test_archive(self):
        self.assert_refused("the recipe has not this archive's sha256")
        before = self.git("count-objects")
        self.assertEqual(self.run_release("--write").returncode, 0)
        self.assertEqual(before, self.git("count-objects"))
        self.assert_refused("package.py is not committed")
        self.commit()
        path, first = self.archive()
        # The same from another commit of the same files, at another time.
        self.commit()
        self.assertEqual(first, self.archive()[1])
        with tarfile.open(path) as archive:
            names = archive.getnames()
            self.assertEqual({one.mtime for one in archive}, {1927886400})  # noon of DATE
        self.assertIn(f"rivulet-{self.version}/CMakeLists.txt", names)
        self.assertNotIn(f"rivulet-{self.version}/{RECIPE}", names)
        # Writing again changes nothing.
        self.assertEqual(self.run_release("--write").returncode, 0)
        self.assertEqual(self.git("status", "--porcelain"), "")

    def test_recipe_keeps_older_versions(self):
        self.change(RECIPE, r'(    version\("main".*\n)', r'\1    version("0.0.1", sha256="12")\n')
        self.commit()
        self.assertEqual(self.run_release("--write").returncode, 0)
        versions = re.findall(r'(?m)^    version\("([^"]+)"', self.text(RECIPE))
        self.assertEqual(versions[:3], ["main", self.version, "0.0.1"])

    def test_disagreements(self):
        for file, pattern, to, words in (
                ("CHANGELOG.md", rf" - {DATE}", " - unreleased", "has no date"),
                ("CHANGELOG.md", re.escape(f"[{self.version}]"), "[9.9.9]", "CHANGELOG.md's first heading"),
                ("CITATION.cff", r"(?m)^version: .*$", "version: 9.9.9", "CITATION.cff says 9.9.9"),
                ("CITATION.cff", DATE, "2031-02-04", "CITATION.cff says date-released: 2031-02-04"),
                (RECIPE, "https://", "file://", "the recipe's homepage is file://")):
            with self.subTest(words=words):
                kept = self.text(file)
                self.change(file, pattern, to)
                self.assert_refused("is not committed")
                self.commit()
                self.assert_refused(words, "--write")
                (self.root / file).write_text(kept, encoding="utf-8")
                self.commit()

    def test_a_tag_does_not_move(self):
        self.git("tag", f"v{self.version}")
        self.change("CHANGELOG.md", r"\Z", "more\n")
        self.commit()
        self.assert_refused(f"the tag v{self.version} names other files", "--write")
