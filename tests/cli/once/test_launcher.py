# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A launcher whose MPI is another, and ranks that were not started alike."""

import os
import subprocess
import unittest

import refusal
import rivulet_cli

DECK = ["pi", "pi.points=1000", "streams.count=8"]
OF_A_STEP = {"SLURM_STEP_ID": "0", "SLURM_NTASKS": "4", "SLURM_PROCID": "0"}


class Launchers(refusal.Refusal):
    def test_single_processes_of_a_launcher_are_refused(self):
        for variables, named in ((OF_A_STEP, "SLURM_NTASKS=4"),
                                 ({"PMI_SIZE": "4", "PMI_RANK": "0"}, "PMI_SIZE=4")):
            with self.subTest(named=named):
                self.refuse(DECK, named, "each of the processes would do all of the work",
                            "srun --mpi=pmix" if rivulet_cli.MPIEXEC else "build with MPI",
                            f"unset {named.partition('=')[0]}", ranks=(1,), variables=variables)
        self.refuse(["merge", "a.h5", "b.h5"], "SLURM_NTASKS=4", ranks=(1,), variables=OF_A_STEP)

    def test_answers_and_batch_scripts_are_not(self):
        script = {"SLURM_JOB_ID": "7", "SLURM_NTASKS": "4", "SLURM_PROCID": "0"}
        self.run_ok(*DECK, "output.file=", variables=script)
        for answer in (["--help"], ["--list"], ["--dump-default", "pi"], [*DECK, "--validate"]):
            self.run_ok(*answer, variables=OF_A_STEP)

    def test_ranks_of_a_launcher_whose_mpi_is_the_same(self):
        self.run_ok(*DECK, "output.file=", ranks=2, variables={**OF_A_STEP, "SLURM_NTASKS": "2"})

    @unittest.skipUnless(rivulet_cli.MPIEXEC, "built without MPI")
    def test_ranks_that_differ_are_told_apart(self):
        def start(*others):
            command = [rivulet_cli.MPIEXEC, "-n", "1", rivulet_cli.BINARY, *DECK, "output.file="]
            for other in others:
                command += [":", "-n", "1", rivulet_cli.BINARY, *other]
            return subprocess.run(
                command, env={**os.environ, **rivulet_cli.ENVIRONMENT, "OMP_NUM_THREADS": "1"},
                text=True, timeout=60, cwd=self.directory, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        alike = [*DECK, "output.file="]
        self.assertEqual(start(alike).returncode, 0)
        done = start(alike, [*DECK, "pi.points=2000", "output.file="])
        told = [line for line in done.stderr.splitlines() if line.startswith("rivulet: ")]
        self.assertEqual(len(told), 1, done)
        self.assertRegex(told[0], r"^rivulet: rank 2: arguments other than rank 0's \('pi .*' here, "
                         r"'pi .*' there\)\. Give")
        self.assertNotEqual(done.returncode, 0)
        self.assertNotIn("Digest", done.stdout)
