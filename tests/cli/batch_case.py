# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of scripts/batch share."""

import os
import pathlib
import re
import subprocess
import sys

import rivulet_cli

ROOT = rivulet_cli.SOURCE_DIR.resolve()
sys.path.insert(0, str(ROOT / "scripts"))

SCRIPT = ROOT / "scripts" / "batch"
MESSAGE = re.compile(r"scripts/batch: .+ \(.+\)\. \S.*[.?]\n", re.DOTALL)
SLURM = "scheduler: slurm\ncores: 8\nnuma: 2\ntime: 01:00:00\n"

# Runs its arguments after launchers' options: a rank is enough.
LAUNCHER = """#!/bin/bash
echo "$0 $*" >> launched
while [[ $1 != */rivulet ]]; do shift; done
exec "$@"
"""
# Stops twice with a checkpoint, whose lines say how often, and ends well the third time.
RIVULET = """#!/bin/bash
if [[ ${@: -1} == --validate ]]; then exit 0; fi
echo "$*" >> said
for word in "$@"; do
  case $word in checkpoint.file=*) file=${word#*=} ;; *.checkpoint) file=$word ;; *.h5) result=$word ;; esac
done
if [[ $1 == --resume && $(wc -l < "$file") -ge 2 ]]; then touch "$result"; exit 0; fi
echo stopped >> "$file"
exit ${STATUS-75}
"""


class BatchCase(rivulet_cli.Case):
    def batch(self, *arguments):
        """With the built program on the PATH."""
        path = f"{pathlib.Path(rivulet_cli.BINARY).resolve().parent}:{os.environ['PATH']}"
        return subprocess.run([sys.executable, SCRIPT, *map(str, arguments)], cwd=self.directory, text=True,
                              capture_output=True, check=False, env={**os.environ, "PATH": path})

    def script(self, *arguments):
        done = self.batch(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def add(self, name, text):
        path = self.directory / self.write(name, text)
        path.chmod(0o755)
        return path

    def bash(self, script, **variables):
        environment = {**os.environ, "PATH": f"{self.directory}/bin:{os.environ['PATH']}", **variables}
        return subprocess.run(["bash", f"./{script}"], cwd=self.directory, env=environment, text=True,
                              capture_output=True, check=False)

    def real(self, *arguments, machine=""):
        """Writes job.sh for the built program, which a launcher in bin starts on one rank."""
        (self.directory / "bin").mkdir(exist_ok=True)
        self.add("bin/srun", LAUNCHER)
        self.write("m.yaml", SLURM + machine + f"program: {pathlib.Path(rivulet_cli.BINARY).resolve()}\n")
        return self.script(*arguments, "--machine", "m.yaml", "--output", "job.sh")

    def refuse(self, phrase, *arguments):
        before = self.files()
        done = self.batch(*(arguments or ("pi", "--machine", "m.yaml", "--output", "x.sh")))
        self.assertEqual(done.returncode, 1, done)
        self.assertRegex(done.stderr, MESSAGE)
        self.assertIn(phrase, done.stderr)
        self.assertEqual((done.stdout, self.files()), ("", before))
