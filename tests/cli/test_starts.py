# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Native streams start where the formulas of docs/starts.md say."""

import re
import unittest

import numpy

import ranmar
import rivulet_cli
import starts
import starts_on_a_cycle
import twister

PAGE = (rivulet_cli.SOURCE_DIR / "docs" / "starts.md").read_text(encoding="utf-8")
SEED = 1
FIRST = 3  # number of values in each example


def rows(heading):
    """Returns the cells of the page's table under a row of headings."""
    table = PAGE[PAGE.index(heading):].split("\n\n")[0]
    return [[cell.strip(" `") for cell in line.strip("|").split("|")]
            for line in table.splitlines()[2:]]


def mtgp_sets():
    sets = []
    text = (rivulet_cli.SOURCE_DIR / "include/rivulet/detail/rng/mtgp_11213.inc").read_text(encoding="utf-8")
    for pos, sh1, sh2, table, temper in re.findall(
            r"\{(\d+), (\d+), (\d+),\s*\{([^}]*)\},\s*\{([^}]*)\}\}", text):
        words = lambda text: [int(word.strip().rstrip("u"), 0) for word in text.split(",")]
        sets.append({"pos": int(pos), "sh1": int(sh1), "sh2": int(sh2), "tbl": words(table),
                     "tmp_tbl": words(temper)})
    return sets


def derived(generator, s):
    """Returns the first numbers of a stream, by the page's formulas."""
    if generator.startswith("dcmt"):
        p = int(generator[4:])
        return starts.dcmt(p, twister.shipped_sets(p), SEED, s, FIRST)
    if generator == "mt19937":
        return starts.mt19937(SEED, s, FIRST)
    if generator == "mtgp11213":
        return starts.mtgp(mtgp_sets(), SEED, s, FIRST)
    if generator in starts.TAUSWORTHE:
        return starts.tausworthe(generator, SEED, s, FIRST)
    if generator in ranmar.VARIANTS:
        return starts.raw_ranmar(generator, SEED, s, FIRST)
    if generator in starts_on_a_cycle.GENERATORS:
        return starts_on_a_cycle.GENERATORS[generator](SEED, s, FIRST)
    return starts.philox(SEED, s, FIRST, rounds=7 if generator == "philox4x32_7" else 10)


# The bits of generators whose raw numbers are drawn as doubles.
RAW_BITS = {"ranluxpp": 48, "mixmax17": 48,
            **{variant: constants[0] for variant, constants in ranmar.VARIANTS.items()}}


def drawn(generator, s):
    """Returns the first numbers of a stream, by the program."""
    bits = RAW_BITS.get(generator)
    kind = "double" if bits else "uint32"
    data = rivulet_cli.streamed(f"fill.type={kind}", f"streams.seed={SEED}", f"streams.generator={generator}",
                                f"streams.first={s}", "streams.count=1", "--count", FIRST)
    if kind == "uint32":
        return [int(word) for word in numpy.frombuffer(data, "<u4")]
    return [int(number * 2.0 ** bits) for number in numpy.frombuffer(data, "<f8")]


class Starts(unittest.TestCase):
    def test_places(self):
        table = rows("| i | E(i), L = 64 |")
        self.assertGreater(len(table), 2)
        for row in table:
            i, *places = (int(cell, 0) for cell in row)
            jumps = starts.jumps(i, 64)
            self.assertEqual(places, [jumps, starts.twister_start(i, 64) - jumps,
                                      starts.tausworthe_start(i) - jumps], row)

    def test_numbers(self):
        listed = rivulet_cli.run("--list").out
        table = rows("| generator | stream | first numbers |")
        self.assertEqual({row[0] for row in table},
                         {"dcmt521", "dcmt607", "mt19937", "mtgp11213", "hybrid_tausworthe",
                          "lfsr113", *ranmar.VARIANTS, "philox4x32", "philox4x32_7",
                          "xoshiro256pp", "pcg64dxsm", "sfc64", "mrg32k3a",
                          "ranluxpp", "mixmax17"})
        for generator, stream, words in table:
            if not re.search(rf"\b{generator}\b", listed):
                continue  # this build lacks the generator
            with self.subTest(generator=generator, stream=stream):
                numbers = [int(number) for number in derived(generator, int(stream))]
                self.assertEqual(drawn(generator, int(stream)), numbers)
                self.assertEqual([int(word, 0) for word in words.split()], numbers)
