# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/battery: a row for each generator, number of streams, order and bits."""

import json
import os
import pathlib
import shlex
import subprocess
import sys
import unittest

import rivulet_cli

SOURCE = pathlib.Path(os.environ["RIVULET_SOURCE_DIR"])


class Script(rivulet_cli.Case):
    def script(self, *arguments):
        return subprocess.run([sys.executable, SOURCE / "scripts" / "battery", "--binary",
                               rivulet_cli.BINARY, *arguments], cwd=self.directory, text=True,
                              capture_output=True)

    def test_rows(self):
        done = self.script("battery.first_word=1e6", "--tests", "small.8 long.12", "--generators",
                           "philox4x32", "lfsr113", "--streams", "1", "64", "--jobs", "2",
                           "--record", "record.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        record = json.loads((self.directory / "record.json").read_text(encoding="utf-8"))
        self.assertIn("date", record["machine"])
        rows = record["rows"]
        # One order of one stream, three of 64; twice.
        self.assertEqual(len(rows), 2 * 2 * 4)
        self.assertEqual(len(done.stdout.splitlines()), 2 + len(rows))
        failed = {(row["generator"], row["streams"]): row["failed"] for row in rows
                  if row["order"] == "interleaved" and row["bits"] == "all"}
        self.assertEqual(failed, {("philox4x32", 1): [], ("philox4x32", 64): [],
                                  ("lfsr113", 1): ["long.12 MatrixRank"],
                                  ("lfsr113", 64): ["long.12 MatrixRank"]})
        self.assertIn("| lfsr113 | 1 | interleaved | all | ", done.stdout)
        self.assertIn(" | long.12 MatrixRank | - |", done.stdout)
        # A row's command makes its digest.
        row = next(row for row in rows if row["order"] == "blocked" and row["bits"] == "reversed")
        again = rivulet_cli.run(*shlex.split(row["command"])[1:], cwd=self.directory)
        self.assertEqual(again.digest, row["digest"])
        self.assertIn("battery.first_word=1e6", row["command"])

    def test_generators_that_can_be_drawn(self):
        """Those of the list without a parameter file, and not the one that is known to be bad."""
        done = self.script("--tests", "windows.1", "--streams", "64", "--orders", "interleaved",
                           "--bits", "all")
        self.assertEqual(done.returncode, 0, done.stderr)
        names = [line.split(" | ")[0].lstrip("| ") for line in done.stdout.splitlines()[2:]]
        self.assertIn("dcmt521", names)
        self.assertNotIn("dcmt1279", names)
        self.assertNotIn("hybrid_tausworthe_listing", names)

    def test_refusals(self):
        done = self.script("--tests", "small.11", "--generators", "philox4x32", "--streams", "1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("scripts/battery: rivulet battery battery.tests=small.11", done.stderr)
        self.assertIn("no test 'small.11'", done.stderr)


if __name__ == "__main__":
    unittest.main()
