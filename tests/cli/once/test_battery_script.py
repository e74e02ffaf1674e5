# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/battery: a row for each generator, number of streams, order and bits."""

import json
import shlex
import subprocess
import sys

import rivulet_cli


class Script(rivulet_cli.Case):
    def script(self, *arguments):
        return subprocess.run([sys.executable, rivulet_cli.SOURCE_DIR.resolve() / "scripts" / "battery", "--binary",
                               rivulet_cli.BINARY, *arguments, "--generators", "philox4x32"], cwd=self.directory,
                              text=True, capture_output=True, check=False)

    def test_rows(self):
        """A row's command makes its digest."""
        done = self.script("battery.first_word=1e6", "--tests", "small.8", "--streams", "1", "64", "--record",
                           "record.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = json.loads((self.directory / "record.json").read_text(encoding="utf-8"))["rows"]
        self.assertEqual(len(rows), 2 * 4)  # one order of one stream, three of 64; two of bits
        self.assertEqual(len(done.stdout.splitlines()), 2 + len(rows))
        self.assertEqual([row["failed"] for row in rows], [[]] * 8)
        row = next(row for row in rows if row["order"] == "blocked" and row["bits"] == "reversed")
        self.assertIn("battery.first_word=1e6", row["command"])
        again = rivulet_cli.run(*shlex.split(row["command"])[1:], cwd=self.directory)
        self.assertEqual(again.digest, row["digest"])
        done = self.script("battery.first_word=1e6", f"output.expect={row['digest']}", "--tests", "small.8", "--streams",
                           "64", "--orders", "blocked", "--bits", "reversed", "--record", "record.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        again, = json.loads((self.directory / "record.json").read_text(encoding="utf-8"))["rows"]
        self.assertEqual(again["digest"], row["digest"])

    def test_refusals(self):
        done = self.script("--tests", "small.11", "--streams", "1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("scripts/battery: rivulet battery battery.tests=small.11", done.stderr)
        self.assertIn("no test 'small.11'", done.stderr)
