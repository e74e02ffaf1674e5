# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A file that two runs would write at a time, and what runs that were killed left of one."""

import os
import signal
import socket

import h5py

import rivulet_cli
from output_case import LONG, SECONDS, OutputCase
from refusal import QUICK

RANKS = 2 if rivulet_cli.MPIEXEC else 1
FILL = ["fill", "fill.numbers=5e6", "fill.to=file", "streams.count=64"]


class TwoRuns(OutputCase):
    def numbers(self, name):
        with h5py.File(self.directory / name) as file:
            return file.attrs["digest"], file["results/fill/numbers"][:].tobytes()

    def test_the_second_is_told_of_the_first(self):
        """As it was reported, but with the first held until the second is done."""
        self.run_ok(*FILL, "streams.seed=1", "--output", "alone.h5", ranks=RANKS)
        first = self.start(*FILL, "streams.seed=1", "--output", "x.h5", ranks=RANKS)
        number = self.writer("x.h5")
        os.kill(number, signal.SIGSTOP)
        done = rivulet_cli.run(*FILL, "streams.seed=2", "--output", "x.h5", ranks=RANKS,
                               cwd=self.directory)
        self.require_refusal(done, ["cannot write 'x.h5'", "another run is writing it: process "
                                    f"{number} on {socket.gethostname()}, since 2",
                                    "Wait for it to end, or choose another path."])
        os.kill(number, signal.SIGCONT)
        out, err = first.communicate(timeout=SECONDS)
        self.assertEqual(first.returncode, 0, err)
        self.assertEqual(self.files(), ["alone.h5", "x.h5"])
        self.assertTrue(self.numbers("x.h5") == self.numbers("alone.h5"))
        self.assertIn(f"Digest: {self.numbers('x.h5')[0]}", out)

    def test_both_at_once(self):
        runs = [self.start(*FILL, f"streams.seed={seed}", "--output", "x.h5", ranks=RANKS)
                for seed in (1, 2)]
        ended = [(*run.communicate(timeout=SECONDS), run.returncode) for run in runs]
        written = [out for out, _, code in ended if code == 0]
        self.assertTrue(written, ended)
        self.assertTrue(any(f"Digest: {self.numbers('x.h5')[0]}" in out for out in written))
        for _, err, code in ended:
            self.assertTrue(code == 0 or "another run is writing it: process" in err, err)
        self.assertEqual(self.files(), ["x.h5"])

    def test_before_the_work_of_every_job(self):
        self.start("create", "create.count=50000", "create.exponent=2203", "--output", "sets.h5")
        self.writer("sets.h5")
        self.refuse(["create", "create.count=1"], "another run is writing it", output="sets.h5",
                    ranks=[RANKS])
        self.refuse(["sweep"], "another run is writing it", output="sets.h5")

    def test_a_file_that_is_not_there_yet(self):
        self.start("create", "create.count=50000", "create.exponent=2203", "--output", "sets.h5")
        self.writer("sets.h5")
        self.refuse(["pi", "streams.parameters=sets.h5"],
                    "cannot read 'sets.h5' (it is still being written: process")

    def test_where_the_system_has_no_locks(self):
        hostile = self.hostile(HOSTILE_NO_LOCKS="1")
        self.start(*LONG, "--output", "x.h5", **hostile)
        number = self.writer("x.h5")
        self.refuse(["pi", *QUICK], "another run is writing it: process ", output="x.h5",
                    variables=hostile)
        self.kill(number)
        self.run_ok("pi", *QUICK, "--output", "x.h5", variables=hostile)
        self.run_ok("pi", *QUICK, "streams.seed=2", "--output", "x.h5", variables=hostile)
        self.assertEqual(self.files(), ["x.h5"])


class Left(OutputCase):
    """What a run leaves that is killed is replaced; what looks like it and is a user's stays."""

    def test_by_a_run_that_was_killed(self):
        for ranks in sorted({1, RANKS}):
            run = self.start(*LONG, "--output", "x.h5", ranks=ranks)
            self.kill(self.writer("x.h5"))
            run.communicate(timeout=SECONDS)
            self.assertEqual(len(self.files()), 2, "a lock and what it had written")
            done = self.run_ok("pi", *QUICK, "--output", "x.h5", ranks=3 - ranks)
            self.assertEqual(self.files(), ["x.h5"])
            with h5py.File(self.directory / "x.h5") as file:
                self.assertEqual(file.attrs["digest"], done.digest)
            (self.directory / "x.h5").unlink()

    def test_a_user_s_own(self):
        self.write("x.h5.part", "a user's")
        self.write("elsewhere", "another's")
        (self.directory / "y.h5.part").symlink_to("elsewhere")
        os.mkfifo(self.directory / "z.h5.part")
        before = self.files()
        for name in ("x.h5", "y.h5", "z.h5"):
            self.run_ok("pi", *QUICK, "--output", name, ranks=RANKS)
        self.assertEqual(self.files(), sorted([*before, "x.h5", "y.h5", "z.h5"]))
        self.assertEqual((self.directory / "x.h5.part").read_text(), "a user's")
        self.assertEqual((self.directory / "elsewhere").read_text(), "another's")
        self.assertTrue((self.directory / "z.h5.part").is_fifo())

    def test_pictures(self):
        picture = ["occlusion", "occlusion.width=8", "occlusion.height=8", "occlusion.passes=[1]",
                   "output.file=", "occlusion.picture=x.png"]
        if "without libpng" in rivulet_cli.run(*picture, cwd=self.directory).err:
            self.skipTest("built without libpng")
        (self.directory / "x.png").unlink()
        long = [*picture[:3], "occlusion.passes=[100000000]", *picture[4:]]
        self.start(*long)
        number = self.writer("x.png")
        self.refuse(picture, "another run is writing it: process", output=None, ranks=[RANKS])
        self.kill(number)
        self.run_ok(*picture, ranks=RANKS)
        self.assertEqual(self.files(), ["x.png"])
