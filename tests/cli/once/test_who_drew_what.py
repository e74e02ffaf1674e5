# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The results file's table of streams: the same on any number of ranks, and that of the plan."""

import h5py
import numpy

import digests
import rivulet_cli

STREAMS = 97
RANKS = (1, 3) if rivulet_cli.MPIEXEC else (1,)
IDS = numpy.arange(STREAMS, dtype=numpy.uint64)
FIRST_PAIR = 1802 * 30082 + 30050  # the pairs that follow go on in ij

# What is expected, where a document says what a stream starts from.
PUBLISHED = {
    "dcmt521": {"seed": IDS * 0x33ff},
    "ranmar48": {"ij": (FIRST_PAIR + IDS) // 30082, "kl": (FIRST_PAIR + IDS) % 30082},
    "lfsr113": {"seed": IDS * 1099087573 % 2**32},
}


class WhoDrewWhat(rivulet_cli.Case):
    def streams(self, ranks, *settings):
        """The datasets of /streams."""
        self.run_ok("pi", "pi.points=9700", f"streams.count={STREAMS}", *settings,
                    "--output", "out.h5", ranks=ranks)
        with h5py.File(self.directory / "out.h5") as file:
            return {name: item[()] for name, item in file["streams"].items()}

    def require_same(self, *settings):
        """On all numbers of ranks; the table."""
        tables = [self.streams(ranks, *settings) for ranks in RANKS]
        for table in tables:
            numpy.testing.assert_array_equal(table["id"], IDS)
            self.assertEqual(list(table), list(tables[0]))
            for name, values in table.items():
                numpy.testing.assert_array_equal(values, tables[0][name], name)
        return tables[0]

    def test_published_seeds(self):
        for generator, expected in PUBLISHED.items():
            with self.subTest(generator=generator):
                table = self.require_same(f"streams.generator={generator}", "streams.kl=30050",
                                          "streams.seeding=published")
                for name, values in expected.items():
                    numpy.testing.assert_array_equal(table[name], values, name)

    def test_the_last_published_pair(self):
        deck = ["pi", "pi.points=100", "streams.generator=ranmar48", "streams.seeding=published",
                "streams.ij=31328", "streams.kl=30080", "output.file="]
        self.run_ok(*deck, "streams.count=2")
        done = rivulet_cli.run(*deck, "streams.count=3")
        self.assertEqual((done.code, len(done.messages)), (1, 1), done)
        self.assertIn("3 streams from (ij, kl) = (31328, 30080) on do not exist", done.messages[0])

    def test_native_starts(self):
        for generator in digests.startable():
            with self.subTest(generator=generator):
                self.require_same(f"streams.generator={generator}")

    def test_sets_and_indices(self):
        """Twisters on 32 sets: stream id is number id / 32 on set id % 32."""
        table = self.require_same("streams.generator=dcmt521", "streams.parameters=published")
        numpy.testing.assert_array_equal(table["index"], IDS // 32)
        numpy.testing.assert_array_equal(table["parameter_set"],
                                         table["parameter_set"][IDS.astype(int) % 32])
        self.assertEqual(len(set(table["parameter_set"][:32])), 32)
