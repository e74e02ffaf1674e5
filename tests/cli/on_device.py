# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests with the label gpu: kernels on a device. Without a device they are skipped."""

import ctypes
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import refusal
import rivulet_cli
from test_digests import Digests  # noqa: F401, unittest finds the imported cases
from ranmar_billions import Billions  # noqa: F401
from test_kernels import Kernels  # noqa: F401

MIB = 1 << 20

rivulet_cli.skip_without_device()


class Battery(unittest.TestCase):
    """SmallCrush and the tests for long sequences find only the known failures, for all generators with one stream and
    with many."""

    SCRIPT = pathlib.Path(os.environ["RIVULET_SOURCE_DIR"]) / "scripts" / "battery"
    # Ranks of 256 x 256 matrices from whole words, from 8 bits and from the lowest bit. The rows are linear functions
    # of the state of one stream, which has 113 bits for lfsr113, and 90 bits for the lowest bits of hybrid_tausworthe.
    # With 64 streams, all rows obey one recurrence.
    WORDS, BYTES, LOWEST = (f"long.{id} MatrixRank" for id in (10, 11, 12))
    MUST_FAIL = {
        ("lfsr113", "one"): [WORDS, BYTES, LOWEST], ("hybrid_tausworthe", "one"): [BYTES, LOWEST],
        ("lfsr113", "stream"): [WORDS, BYTES, LOWEST], ("hybrid_tausworthe", "stream"): [BYTES, LOWEST],
        ("lfsr113", "blocked"): [WORDS],
        ("lfsr113", "blocked 64"): [WORDS, LOWEST], ("hybrid_tausworthe", "blocked 64"): [LOWEST],
        ("lfsr113", "interleaved 64"): [BYTES, LOWEST], ("hybrid_tausworthe", "interleaved 64"): [LOWEST]}

    def test_streams_in_all_orders(self):
        with tempfile.TemporaryDirectory() as folder:
            record = pathlib.Path(folder) / "record.json"
            subprocess.run([self.SCRIPT, "battery.sequence=each", "--tests", "small long", "--jobs", "4",
                            "--streams", "1", "64", "4096", "65536", "--bits", "all", "--record", record,
                            "--binary", rivulet_cli.BINARY], check=True, stdout=subprocess.DEVNULL)
            rows = json.loads(record.read_text(encoding="utf-8"))["rows"]
        self.assertGreater(len(rows), 100)
        for row in rows:
            order = "one" if row["streams"] == 1 else row["order"]
            keys = (row["generator"], f"{order} {row['streams']}"), (row["generator"], order)
            must = next((self.MUST_FAIL[key] for key in keys if key in self.MUST_FAIL), [])
            self.assertEqual(row["failed"], must, row["command"])


class Cuda:
    """CUDA's driver interface, which needs no toolkit."""

    def __init__(self):
        self.driver = ctypes.CDLL("libcuda.so.1")
        self.context = ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(self.context), 0)
        self.call("cuCtxSetCurrent", self.context)

    def call(self, name, *arguments):
        status = getattr(self.driver, name)(*arguments)
        if status != 0:
            raise OSError(f"{name} returned {status}")

    def free_bytes(self):
        free, all_of_it = ctypes.c_size_t(), ctypes.c_size_t()
        self.call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(all_of_it))
        return free.value

    def take(self, size):
        pointer = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(size))
        return pointer

    def give_back(self, pointer):
        self.call("cuMemFree_v2", pointer)


class Hip(Cuda):
    NAMES = {"cuMemGetInfo_v2": "hipMemGetInfo", "cuMemAlloc_v2": "hipMalloc",
             "cuMemFree_v2": "hipFree"}

    def __init__(self):
        self.driver = ctypes.CDLL("libamdhip64.so")

    def call(self, name, *arguments):
        super().call(self.NAMES[name], *arguments)


class LeaveFree:
    """A context manager that allocates all memory of the first device except `free` bytes."""

    def __init__(self, free):
        self.device = Hip() if rivulet_cli.backends()[0] == "HIP" else Cuda()
        self.free = free

    def __enter__(self):
        self.taken = self.device.take(self.device.free_bytes() - self.free)

    def __exit__(self, *failure):
        self.device.give_back(self.taken)


class Memory(refusal.Refusal):
    """Runs jobs on a device whose free memory has room for a context, the program, and little more."""

    FREE_BYTES = [size * MIB for size in (4096, 1600, 1200, 900)]
    JOBS = {
        "number buffer": ["fill", "fill.numbers=3e9", "streams.count=131072", "output.file="],
        "word buffer": ["pi", "pi.kernel=stored", "pi.points=1e8", "streams.count=131072",
                        "output.file="],
    }

    def test_jobs_take_what_there_is(self):
        for buffer, job in self.JOBS.items():
            whole = self.run_ok(*job)
            sizes = []
            for left in self.FREE_BYTES:
                with self.subTest(buffer=buffer, left=left):
                    with LeaveFree(left):
                        done = rivulet_cli.run(*job)
                    if done.code != 0:  # there may be room only for a context
                        self.require_refusal(done, [])
                        continue
                    self.assertEqual(done.digest, whole.digest)
                    sizes.append(int(done.result(buffer)))
            self.assertTrue(any(size < int(whole.result(buffer)) for size in sizes), sizes)

    def test_streams_that_do_not_fit(self):
        with LeaveFree(4096 * MIB):
            self.refuse(["pi", "streams.count=1e8", "streams.generator=ranmar48", "pi.points=2e8"],
                        "no memory for 100000000 streams on one rank",
                        "B more than the device has left", "Lower streams.count", ranks=(1,))


class Examples(unittest.TestCase):
    """The programs of examples/ print the same on a device as on a CPU."""

    EXPECTED = pathlib.Path(os.environ["RIVULET_SOURCE_DIR"]) / "examples" / "expected.txt"
    BUILT = pathlib.Path(os.environ["RIVULET_BUILD_DIR"]) / "examples"

    def test_examples(self):
        if not (self.BUILT / "slab_transport").is_file():
            self.skipTest("this build has no examples (RIVULET_BUILD_EXAMPLES)")
        text = self.EXPECTED.read_text(encoding="utf-8")
        sections = re.findall(r"^# (\w+)\n((?:(?!# ).*\n)*)", text, re.MULTILINE)
        self.assertGreater(len(sections), 10)
        for program, expected in sections:
            if program == "mpi_ranks" and not (self.BUILT / program).is_file():
                continue
            with self.subTest(program), tempfile.TemporaryDirectory() as folder:
                done = subprocess.run([self.BUILT / program], cwd=folder, text=True, timeout=120,
                                      stdout=subprocess.PIPE, check=True)
                self.assertEqual(done.stdout, expected)
