# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Correlations are the same to the last bit on any number of ranks, not only the sums of products
that the digest is of: their means and ends are sums over ranks too."""

import unittest

import h5py
import numpy

import rivulet_cli

DECK = ["correlate", "correlate.numbers=30000", "correlate.lags=20", "streams.count=30"]


@unittest.skipUnless(rivulet_cli.MPIEXEC, "built without MPI")
class CorrelateOnRanks(rivulet_cli.Case):
    def correlate(self, ranks, *settings):
        """The datasets and attributes of a run's results."""
        self.run_ok(*DECK, *settings, "--output", "out.h5", ranks=ranks)
        with h5py.File(self.directory / "out.h5") as file:
            group = file["results/correlate"]
            return {**{name: group[name][()] for name in group}, **dict(group.attrs)}

    def test_same_on_all_ranks(self):
        for across in ("none", "next"):
            alone = self.correlate(1, f"correlate.across={across}")
            for ranks in (2, 3):
                with self.subTest(across=across, ranks=ranks):
                    found = self.correlate(ranks, f"correlate.across={across}")
                    self.assertEqual(list(found), list(alone))
                    for name, value in found.items():
                        numpy.testing.assert_array_equal(value, alone[name], name)
