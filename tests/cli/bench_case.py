# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs scripts/bench and scripts/benchmark in a directory of the test's own."""

import os
import subprocess
import sys

import rivulet_cli

SOURCE = rivulet_cli.SOURCE_DIR.resolve()
sys.path.insert(0, str(SOURCE / "scripts"))


class BenchCase(rivulet_cli.Case):
    """A build in the directory, of stand-ins."""

    script = "bench"

    def setUp(self):
        super().setUp()
        (self.directory / "bench").mkdir()

    def add(self, name, text):
        path = self.directory / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def run_script(self, *arguments):
        return subprocess.run([sys.executable, SOURCE / "scripts" / self.script, *arguments], cwd=self.directory,
                              text=True, capture_output=True, check=False,
                              env={**os.environ, **rivulet_cli.ENVIRONMENT})

    def measure(self, *arguments):
        return self.run_script("--build", self.directory, *arguments)

    def refuse(self, phrase, *arguments):
        done = self.measure(*arguments)
        self.assertNotEqual(done.returncode, 0, done)
        self.assertIn(phrase, done.stderr)
        self.assertNotIn("Traceback", done.stderr)
