# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of the label gpu need: a device, and ways to take its memory away."""

import ctypes
import unittest

import rivulet_cli


def skip_without_device():
    """Skips tests where kernels run on the host, or there is no device."""
    backend = rivulet_cli.backends()[0]
    if not rivulet_cli.on_device([backend]):
        raise unittest.SkipTest(f"this build's kernels run on the host, with {backend}")
    if not rivulet_cli.has_device():
        raise unittest.SkipTest(f"there is no device for this build's {backend}")


class Cuda:
    """The driver's own interface, which is there wherever a device is."""

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


class AllBut:
    """Holds all of the first device's memory but `left` bytes, for the life of a with statement."""

    def __init__(self, left):
        self.device = Hip() if rivulet_cli.backends()[0] == "HIP" else Cuda()
        self.left = left

    def __enter__(self):
        self.taken = self.device.take(self.device.free_bytes() - self.left)

    def __exit__(self, *failure):
        self.device.give_back(self.taken)
