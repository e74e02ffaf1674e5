# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Jobs that work in pieces take what memory there is; others say what they lack.

A limit on addresses (`ulimit -v`) stands for a full machine. Devices take far more addresses than
memory: what they do is in on_device.py.
"""

import functools
import unittest

import rivulet_cli
from refusal import Refusal

MIB = 1 << 20
RANKS = (1, 2) if rivulet_cli.MPIEXEC else (1,)


@functools.cache
def enough(ranks):
    """Addresses for a rank that makes a few numbers; libraries take most of them."""
    few = ["fill", "fill.numbers=1e5", "streams.count=64", "output.file="]
    limit = 320 * MIB
    while rivulet_cli.run(*few, memory_limit=limit, ranks=ranks).code != 0:
        limit = limit * 5 // 4
        assert limit < 1 << 40, "no limit lets the program run"
    return limit + 64 * MIB


@unittest.skipIf(rivulet_cli.on_device(rivulet_cli.backends()), "kernels run on a device")
class Memory(Refusal):
    def shrinks(self, job, buffer):
        """With less memory than the deck allows, the job says the same."""
        for ranks in RANKS:
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
        """The deck says that there is room, so it is not spread over ranks before."""
        table = ["alias", "table.rows=6000", "table.columns=6000", "table.memory=1 TiB"]
        for ranks in RANKS:
            self.refuse(table, "no memory for the weights of 36000000 cells (it takes",
                        "has left). Start more ranks", ranks=(ranks,),
                        memory_limit=enough(ranks))

    def test_a_buffer_that_cannot_be_smaller(self):
        """A stream's block, which all streams fill together, takes 3.2 GB."""
        self.refuse(["stream", "fill", "fill.order=blocked", "fill.block=4e8", "streams.count=8"],
                    "no memory for the buffer of numbers (it takes 3200000000 B, ",
                    "B more than the host has left", "Use fewer streams, or more ranks",
                    memory_limit=enough(1), ranks=(1,), output=None)
