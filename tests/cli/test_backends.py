# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the build runs on, and what is asked for that it has not."""

import os
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
        for option in ("--kokkos-device-id=0", "--kokkos-num-devices=2",
                       "--kokkos-map-device-id-by=mpi_rank"):
            self.refuse(["pi", *QUICK, option], f"{option} asks for a device",
                        f"with {BACKENDS[0]}", "+cuda", "+rocm", "docs/install.md")
            self.refuse(["pi", *QUICK, option, "--validate"], "asks for a device", ranks=(1,))
        self.refuse(["stream", "fill", "--kokkos-device-id=0"], "asks for a device", ranks=(1,),
                    output=None)

    @unittest.skipIf(ON_DEVICE, "this build has a device backend")
    def test_variables_for_devices_are_left_to_other_programs(self):
        with mock.patch.dict(os.environ, {"KOKKOS_DEVICE_ID": "7", "CUDA_VISIBLE_DEVICES": ""}):
            self.run_ok("pi", *QUICK, "output.file=")

    @unittest.skipUnless(BACKENDS[-1] == "Serial", "this build has threads")
    def test_threads(self):
        for option in ("--kokkos-threads=2", "--kokkos-num-threads=2"):
            self.refuse(["pi", *QUICK, option], f"{option} asks for threads", "Serial", "+openmp")

    @unittest.skipUnless(BACKENDS[-1] == "OpenMP", "this build has no threads of OpenMP")
    def test_more_threads_than_kokkos_has_room_for(self):
        self.refuse(["pi", *QUICK], "513 threads are too many", "at most 512", threads=513, ranks=(1,))

    def test_numbers_that_are_none(self):
        for option in ("--kokkos-threads=many", "--kokkos-num-threads="):
            self.refuse(["pi", *QUICK, option], f"{option} is invalid", "whole number",
                        ranks=RANKS[-1:])


@unittest.skipUnless(ON_DEVICE, "kernels run on the host")
class Devices(Refusal):
    """No MPI here: what ranks do about devices is in the unit tests."""

    HIDDEN = {"CUDA_VISIBLE_DEVICES": "", "HIP_VISIBLE_DEVICES": "", "ROCR_VISIBLE_DEVICES": ""}

    def test_none(self):
        with mock.patch.dict(os.environ, self.HIDDEN):
            self.refuse(["pi", *QUICK], "there is no device to run on", BACKENDS[0],
                        "where there is a GPU")

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
