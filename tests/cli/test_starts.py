# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Native streams start where the formulas of starts.py say."""

import re
import unittest

import numpy

import ranmar
import rivulet_cli
import starts
import starts_on_a_cycle
import twister

SEED = 1
FIRST = 3  # number of values in each example
# (i, E(i) of L = 64, h(i) of twisters, h(i) of the others)
PLACES = [
    (1, 0x2a03779b9bf4c7c1a, 296, 0x1100002004000),
    (6, 0xfb551ded8fbc1e8e0, 18, 0x400400080002),
    (600, 0x622d2159ae57b92d994, 452, 0x880000200002),
]
# (generator, stream, its first numbers). The numbers are raw for generators in RAW_BITS, and uint32 for the others.
EXAMPLES = [
    ("dcmt521", 600, "0x859cdbf5 0x4c5ee948 0x7fabf864"),
    ("dcmt607", 12345, "0x3b3f9398 0xd51aaaa1 0xcf36f5e0"),
    ("mt19937", 5, "0xd067e3e3 0x5cfb6af0 0x086e1b5a"),
    ("mtgp11213", 205, "0xe2ebb171 0x021f173a 0x91313db6"),
    ("hybrid_tausworthe", 6, "0x916bc6ec 0x6fb415fc 0x1f1dc0c3"),
    ("lfsr113", 1000000, "0x38eae9e8 0x7950323a 0x7c162e6f"),
    ("ranmar24", 6, "0xc27154 0x6c1545 0xbdc775"),
    ("ranmar48", 6, "0xbd237dd9052b 0x2633f9425fde 0x2d1511c721e1"),
    ("ranmar48_scaled", 6, "0x3d3aeb8fc8e9 0xb61608fc6cb8 0xd19e0e36e2fe"),
    ("ranmar48x", 6, "0x3254ace8b42a 0xd042fa6a988a 0xa56e00d9112d"),
    ("philox4x32", 6, "0x5642b3eb 0xc6f8b326 0x66ac855d"),
    ("philox4x32_7", 6, "0xf8d54b16 0xfde104a6 0x1cd401a4"),
    ("xoshiro256pp", 6, "0x5779c98e 0xead60ddb 0x77c325cd"),
    ("pcg64dxsm", 6, "0x73e9598a 0x04485747 0xc74b430a"),
    ("sfc64", 6, "0x56249263 0x7cd2e8e2 0x7ffc938f"),
    ("mrg32k3a", 6, "0xac78895d 0x17c06334 0xa7b661db"),
    ("ranluxpp", 6, "0xae85eecb3370 0x538701a21326 0xe90c1b48439e"),
    ("mixmax17", 6, "0x70f5fe6a427d 0xba088f8484d8 0x80426e55585b"),
]


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
    """Returns the first numbers of a stream, computed by the formulas."""
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
    """Returns the first numbers of a stream, drawn by the program."""
    bits = RAW_BITS.get(generator)
    kind = "double" if bits else "uint32"
    data = rivulet_cli.streamed(f"fill.type={kind}", f"streams.seed={SEED}", f"streams.generator={generator}",
                                f"streams.first={s}", "streams.count=1", "--count", FIRST)
    if kind == "uint32":
        return [int(word) for word in numpy.frombuffer(data, "<u4")]
    return [int(number * 2.0 ** bits) for number in numpy.frombuffer(data, "<f8")]


class Starts(unittest.TestCase):
    def test_places(self):
        for i, *places in PLACES:
            jumps = starts.jumps(i, 64)
            self.assertEqual(places, [jumps, starts.twister_start(i, 64) - jumps,
                                      starts.cycle_start(i) - jumps], i)

    def test_numbers(self):
        listed = rivulet_cli.run("--list").out
        self.assertEqual({generator for generator, _, _ in EXAMPLES},
                         {"dcmt521", "dcmt607", "mt19937", "mtgp11213", "philox4x32", "philox4x32_7",
                          *starts.TAUSWORTHE, *ranmar.VARIANTS, *starts_on_a_cycle.GENERATORS})
        for generator, stream, words in EXAMPLES:
            if not re.search(rf"\b{generator}\b", listed):
                continue  # this build lacks the generator
            with self.subTest(generator=generator, stream=stream):
                numbers = [int(number) for number in derived(generator, stream)]
                self.assertEqual(drawn(generator, stream), numbers)
                self.assertEqual([int(word, 0) for word in words.split()], numbers)
