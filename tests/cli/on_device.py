# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The label gpu: what is to hold on a device. Where there is none, the test is skipped."""

import os
import pathlib
import subprocess
import tempfile
import unittest

import device
import refusal
import rivulet_cli
from test_digests import Digests  # noqa: F401, a case that unittest finds here
from ranmar_billions import Billions  # noqa: F401
from test_kernels import Kernels  # noqa: F401

MIB = 1 << 20

device.skip_without_device()


class Memory(refusal.Refusal):
    """A device that is nearly full; what is left holds a context, the program, and more."""

    LEFT = [size * MIB for size in (4096, 1600, 1200, 900)]
    JOBS = {
        "number buffer": ["fill", "fill.numbers=3e9", "streams.count=131072", "output.file="],
        "word buffer": ["pi", "pi.kernel=stored", "pi.points=1e8", "streams.count=131072",
                        "output.file="],
    }

    def test_jobs_take_what_there_is(self):
        for buffer, job in self.JOBS.items():
            whole = self.run_ok(*job)
            sizes = []
            for left in self.LEFT:
                with self.subTest(buffer=buffer, left=left):
                    with device.AllBut(left):
                        done = rivulet_cli.run(*job)
                    if done.code != 0:  # a context of its own may be all that has room
                        self.require_refusal(done, [])
                        continue
                    self.assertEqual(done.digest, whole.digest)
                    sizes.append(int(done.result(buffer)))
            self.assertTrue(any(size < int(whole.result(buffer)) for size in sizes), sizes)

    def test_streams_that_do_not_fit(self):
        with device.AllBut(4096 * MIB):
            self.refuse(["pi", "streams.count=1e8", "streams.generator=ranmar48", "pi.points=2e8"],
                        "no memory for 100000000 streams on one rank",
                        "B more than the device has left", "Use fewer streams", ranks=(1,))


class Examples(unittest.TestCase):
    """The programs of examples/ print on a device what they print elsewhere."""

    EXPECTED = pathlib.Path(os.environ["RIVULET_SOURCE_DIR"]) / "examples" / "expected"
    BUILT = pathlib.Path(os.environ["RIVULET_BUILD_DIR"]) / "examples"

    def test_examples(self):
        programs = {path.stem: path for path in sorted(self.EXPECTED.glob("*.txt"))}
        if not (self.BUILT / "mpi_ranks").is_file():
            programs.pop("mpi_ranks")
        if not (self.BUILT / "slab_transport").is_file():
            self.skipTest("this build has no examples (RIVULET_BUILD_EXAMPLES)")
        for program, expected in programs.items():
            with self.subTest(program), tempfile.TemporaryDirectory() as folder:
                done = subprocess.run([self.BUILT / program], cwd=folder, text=True, timeout=120,
                                      stdout=subprocess.PIPE, check=True)
                self.assertEqual(done.stdout, expected.read_text(encoding="utf-8"))
