# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the project says of itself, in the files that others read: citation, metadata, licences, the paper."""

import json
import re
import shutil
import subprocess
import unittest

import rivulet_cli

ROOT = rivulet_cli.SOURCE_DIR.resolve()


def text(file):
    return (ROOT / file).read_text(encoding="utf-8")


class Metadata(unittest.TestCase):
    def test_citation_codemeta_and_zenodo_agree(self):
        cited = text("CITATION.cff")
        own, _, _ = cited.partition("\nreferences:")
        authors = re.findall(r"(?m)^  - name: (.*)$", re.search(r"(?m)^authors:\n((?:  .*\n)+)", own)[1])
        words = re.findall(r"(?m)^  - (.*)$", re.search(r"(?m)^keywords:\n((?:  .*\n?)+)", own)[1])
        title, version, licence = (re.search(rf"(?m)^{key}: (.*)$", own)[1] for key in ("title", "version", "license"))
        abstract = " ".join(re.search(r"(?m)^abstract: >-\n((?:  .*\n)+)", own)[1].split())
        meta, zenodo = json.loads(text("codemeta.json")), json.loads(text(".zenodo.json"))
        self.assertEqual((title, version, f"https://spdx.org/licenses/{licence}", authors, words, abstract),
                         (meta["name"], meta["version"], meta["license"], [one["name"] for one in meta["author"]],
                          meta["keywords"], meta["description"]))
        self.assertEqual((title, version, licence, authors, words, abstract),
                         (zenodo["title"], zenodo["version"], zenodo["license"],
                          [one["name"] for one in zenodo["creators"]], zenodo["keywords"], zenodo["description"]))
        self.assertEqual(re.search(r"(?m)^  VERSION (\S+)$", text("CMakeLists.txt"))[1], version)

    def test_codemeta_names_the_languages_of_the_interfaces(self):
        interfaces = {"C++": "include/rivulet/rivulet.hpp", "C": "src/capi/rivulet.h", "Fortran": "src/capi/rivulet.f90",
                      "Python": "python/pyproject.toml"}
        self.assertEqual(json.loads(text("codemeta.json"))["programmingLanguage"], [*interfaces])
        for file in interfaces.values():
            self.assertTrue((ROOT / file).is_file(), file)

    def test_the_address_is_in_one_place(self):
        """And in the Spack recipes, where scripts/release puts it."""
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

    def test_paper_cites_what_it_lists(self):
        paper = text("paper/paper.md")
        cited = set(re.findall(r"@([a-z]+\d{4}\w*)", paper))
        listed = re.findall(r"(?m)^@\w+\{(\w+),$", text("paper/paper.bib"))
        self.assertEqual(sorted(cited), sorted(listed))
        body = paper.split("# Summary", 1)[1].split()
        self.assertTrue(800 <= len(body) <= 1000, len(body))
