# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests the build's backends, and the refusal of missing ones. Jobs that work in pieces use the free memory; other jobs
report how much memory they lack.

A limit on address space (`ulimit -v`) simulates a full machine. Devices reserve far more address space than memory, so
on_device.py tests them.
"""

import functools
import os
import tempfile
import unittest
from unittest import mock

import rivulet_cli
from refusal import QUICK, RANKS, Refusal

BACKENDS = rivulet_cli.backends()
ON_DEVICE = rivulet_cli.on_device(BACKENDS)


class Listed(rivulet_cli.Case):
    def test_kernels_run_on_the_first(self):
        self.assertIn(len(BACKENDS), (1, 2))
        if ON_DEVICE and not rivulet_cli.has_device():
            self.skipTest("no device")
        heading = self.run_ok("pi", *QUICK, "output.file=").out.splitlines()[0]
        self.assertRegex(heading, rf", Kokkos \S+ {BACKENDS[0]}, ")


class NotInTheBuild(Refusal):
    @unittest.skipIf(ON_DEVICE, "this build has a device backend")
    def test_a_device(self):
        """The unit tests KokkosStart test the other options."""
        option = "--kokkos-device-id=0"
        self.refuse(["pi", *QUICK, option], f"{option} asks for a device", f"with {BACKENDS[0]}", "docs/install.md")
        self.refuse(["pi", *QUICK, option, "--validate"], "asks for a device", ranks=(1,))
        self.refuse(["stream", "fill", option], "asks for a device", ranks=(1,), output=None)

    @unittest.skipIf(ON_DEVICE, "this build has a device backend")
    def test_variables_for_devices_are_left_to_other_programs(self):
        with mock.patch.dict(os.environ, {"KOKKOS_DEVICE_ID": "7", "CUDA_VISIBLE_DEVICES": ""}):
            self.run_ok("pi", *QUICK, "output.file=")

    @unittest.skipUnless(BACKENDS[-1] == "OpenMP", "this build has no threads of OpenMP")
    def test_more_threads_than_kokkos_has_room_for(self):
        self.refuse(["pi", *QUICK], "513 threads are too many", "at most 512", threads=513, ranks=(1,))

    @unittest.skipUnless(BACKENDS[-1] == "OpenMP" and len(RANKS) > 1, "no ranks with threads of OpenMP")
    def test_ranks_on_one_core_are_warned_of(self):
        with mock.patch.dict(rivulet_cli.ENVIRONMENT, {"OMP_PROC_BIND": "true"}):
            self.assertIn("2 ranks share 1 core (on ", self.run_ok("pi", *QUICK, "output.file=", ranks=2).err)
        self.assertNotIn("share", self.run_ok("pi", *QUICK, "output.file=", ranks=2).err)


@unittest.skipUnless(ON_DEVICE, "kernels run on the host")
class Devices(Refusal):
    """Tests on one rank. The unit tests cover the assignment of devices to ranks."""

    HIDDEN = {"CUDA_VISIBLE_DEVICES": "", "HIP_VISIBLE_DEVICES": "", "ROCR_VISIBLE_DEVICES": ""}

    def test_none(self):
        with mock.patch.dict(os.environ, self.HIDDEN):
            self.refuse(["pi", *QUICK], "there is no device to run on", BACKENDS[0],
                        "on a node with a GPU")

    def test_none_is_needed_to_check_a_deck(self):
        with mock.patch.dict(os.environ, self.HIDDEN):
            self.assertIn("# valid", self.run_ok("pi", *QUICK, "--validate").out)
            self.assertIn(BACKENDS[0], self.run_ok("--list").out)

    def test_one_that_is_not_there(self):
        if not rivulet_cli.has_device():
            self.skipTest("no device")
        self.refuse(["pi", *QUICK, "--kokkos-device-id=999"],
                    "--kokkos-device-id=999 names no device", "number 0")
        with mock.patch.dict(os.environ, {"KOKKOS_DEVICE_ID": "999"}):
            self.refuse(["pi", *QUICK], "KOKKOS_DEVICE_ID=999 names no device")
        self.refuse(["pi", *QUICK, "--kokkos-map-device-id-by=rank"],
                    "--kokkos-map-device-id-by=rank is invalid")


MIB = 1 << 20


@functools.cache
def enough(ranks):
    """Returns an address-space limit that suffices for a rank that writes a few numbers; libraries need most of it. A
    larger limit may fail again, because a library then reserves 64 MiB at once, so four limits in a row must pass."""
    limit, passed = 64 * MIB, 0
    with tempfile.TemporaryDirectory() as folder:
        while passed < 4:
            few = ["fill", "fill.numbers=1e5", "streams.count=64", "fill.to=file", "--output", f"{limit}.h5"]
            done = rivulet_cli.run(*few, memory_limit=limit, ranks=ranks, cwd=folder)
            passed = passed + 1 if done.code == 0 else 0
            limit += 32 * MIB
            assert limit < 4096 * MIB, "no limit lets the program run"
    return limit


@unittest.skipIf(ON_DEVICE, "kernels run on a device")
class Memory(Refusal):
    def shrinks(self, job, buffer):
        """With less memory than the deck allows, the job has a smaller buffer and the same digest."""
        for ranks in rivulet_cli.ONE_AND_TWO:
            with self.subTest(ranks=ranks):
                whole = self.run_ok(*job, ranks=ranks)
                done = self.run_ok(*job, ranks=ranks, memory_limit=enough(ranks))
                self.assertEqual(done.digest, whole.digest)
                self.assertLess(int(done.result(buffer)), int(whole.result(buffer)))

    def test_fill(self):
        for order in ("interleaved", "blocked"):
            self.shrinks(["fill", "fill.numbers=1e6", "fill.memory=2 GiB", "fill.to=file",
                          f"fill.order={order}", "--output", "out.h5"], "number buffer")

    def test_samples(self):
        self.shrinks(["alias", "alias.samples=8e6", "alias.keep=coordinates",
                      "alias.within=uniform", "alias.memory=1 GiB", "--output", "out.h5"],
                     "sample buffer")

    def test_a_table(self):
        """The deck allows the memory, but the machine does not have it."""
        table = ["alias", "table.rows=6000", "table.columns=6000", "table.memory=1 TiB"]
        for ranks in rivulet_cli.ONE_AND_TWO:
            self.refuse(table, "no memory for the weights of 36000000 cells (it takes",
                        "has left). Start fewer ranks on" if ranks > 1 else "has left). Join neighbouring",
                        ranks=(ranks,),
                        memory_limit=enough(ranks))
        self.refuse(table[:-1], "no memory for a table of 36000000 cells (each rank needs 48 B per cell, 1.61 GiB, and "
                    "three quarters of its free memory are ", ". Join neighbouring cells.",
                    ranks=(1,), memory_limit=enough(1))

    def test_a_buffer_that_cannot_be_smaller(self):
        """The buffer must hold a block, which takes 3.2 GB."""
        self.refuse(["stream", "fill", "fill.order=blocked", "fill.block=4e8", "streams.count=8"],
                    "no memory for the buffer of numbers (it takes 3200000000 B, ",
                    "B more than the host has left", "Lower streams.count or fill.block",
                    memory_limit=enough(1), ranks=(1,), output=None)
