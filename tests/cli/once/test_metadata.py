# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the project says of itself, in the files that others read: citation, address, licences."""

import re
import shutil
import subprocess
import unittest

import rivulet_cli

ROOT = rivulet_cli.SOURCE_DIR.resolve()


def text(file):
    return (ROOT / file).read_text(encoding="utf-8")


class Metadata(unittest.TestCase):
    def test_the_citation_has_the_version(self):
        version = re.search(r"(?m)^version: (.*)$", text("CITATION.cff"))[1]
        self.assertEqual(re.search(r"(?m)^  VERSION (\S+)$", text("CMakeLists.txt"))[1], version)

    def test_the_address_is_in_one_place(self):
        """And in the Spack recipes."""
        address = re.search(r"(?m)^url: https://(\S+)", text("CITATION.cff"))[1]
        files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
        if files.returncode != 0:
            self.skipTest("the sources are no clone (git ls-files)")
        having = [file for file in files.stdout.splitlines() if (ROOT / file).is_file() and
                  address.encode() in (ROOT / file).read_bytes()]
        self.assertEqual([file for file in having if not file.endswith("rivulet/package.py")],
                         ["CITATION.cff"])

    def test_licences(self):
        """The folder has the texts of LICENSE; each file says which it is under."""
        whole = text("LICENSES/Apache-2.0.txt") + text("LICENSES/LLVM-exception.txt")
        self.assertEqual(whole, text("LICENSE"))
        if not shutil.which("reuse"):
            self.skipTest("reuse is not installed (Debian: reuse)")
        done = subprocess.run(["reuse", "lint"], cwd=ROOT, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
