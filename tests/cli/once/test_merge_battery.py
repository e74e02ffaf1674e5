# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`rivulet merge` joins the results of separate runs over the tests or the words of one battery."""

import hashlib

import h5py
import numpy

import rivulet_cli
import test_merge

RANKS = test_merge.RANKS
SHARED = ("battery", "battery.tests=default.1 long.1 long.7 small.8", "battery.sequence=shared",
          "battery.chunk=1000000", "streams.generator=lfsr113", "streams.count=60")
EACH = ("battery", "battery.sequence=each", *SHARED[-2:])


class BatteryParts(test_merge.MergeCase):
    """Parts of the battery job are tests or words, not streams."""

    def run_tests(self, names, *settings, output, **options):
        return self.run_ok(*EACH, f"battery.tests={names}", *settings, "--output", output,
                           **options)

    def run_words(self, first, chunks, output, *settings, **options):
        return self.run_ok(*SHARED, f"battery.first_word={first}",
                           f"battery.bytes={chunks * 4000000}", *settings, "--output", output,
                           **options)


class Merging(BatteryParts):
    def test_lists_of_tests(self):
        for settings in ((), ("battery.repeat=2", "battery.first_word=1000")):
            with self.subTest(settings=settings):
                single = self.run_tests("small.3 small.6 small.8 small.10 beyond.15 beyond.54", *settings,
                                    output="single.h5")
                self.run_tests("small.8 small.3", *settings, output="a.h5", ranks=RANKS)
                self.run_tests("beyond.15 small.6", *settings, "battery.memory=300 MiB",
                               output="b.h5")
                self.run_tests("beyond.54 small.10", *settings, output="c.h5", threads=2)
                merged = self.run_ok("merge", "c.h5", "b.h5", "a.h5", "--output", "all.h5")
                self.assertEqual(merged.digest, single.digest)
                self.assertIn("\ntogether: 6 tests\n", merged.out)
                self.assertEqual(merged.result("small.10 RandomWalk1 H"),
                                 single.result("small.10 RandomWalk1 H"))
                self.assertEqual(self.read("all.h5"), self.read("single.h5"))
                with h5py.File(self.directory / "all.h5") as file:
                    self.assertEqual([line.split(", digest")[0] for line in rivulet_cli.lines_of(file["config/merged"])],
                                     ["a.h5: small.8, small.3", "b.h5: beyond.15, small.6",
                                      "c.h5: beyond.54, small.10"])
                # Merges two of the parts first, and then the third.
                self.run_ok("merge", "c.h5", "a.h5", "--output", "some.h5")
                self.run_ok("merge", "b.h5", "some.h5", "--output", "all.h5")
                self.assertEqual(self.read("all.h5"), self.read("single.h5"))

    def test_windows_of_overlaps(self):
        self.run_tests("default.1 small.8", output="single.h5")
        self.run_tests("default.1", output="a.h5")
        self.run_tests("small.8", output="b.h5")
        self.run_ok("merge", "b.h5", "a.h5", "--output", "all.h5")
        merged = self.read("all.h5")
        self.assertEqual(merged, self.read("single.h5"))

    def test_stretches_of_words(self):
        single = self.run_words(1000, 20, "single.h5")
        self.run_words(1000, 5, "a.h5", ranks=RANKS)
        self.run_words(5001000, 14, "b.h5", "streams.segments=3")
        self.run_words(19001000, 1, "c.h5")
        merged = self.run_ok("merge", "c.h5", "a.h5", "b.h5", "--output", "all.h5")
        self.assertEqual(merged.digest, single.digest)
        self.assertIn("\nc.h5: words 19001000 to 20000999\n", merged.out)
        self.assertIn("\ntogether: words 1000 to 20000999\n", merged.out)
        self.assertEqual(merged.result("chunks"), "20")
        self.assertEqual(self.read("all.h5"), self.read("single.h5"))

    def test_a_test_that_fails(self):
        self.run_tests("small.8", output="a.h5")
        found = rivulet_cli.run(*EACH, "battery.tests=beyond.49", "--output", "b.h5",
                                cwd=self.directory)
        self.assertEqual(found.code, 3, found)
        merged = rivulet_cli.run("merge", "a.h5", "b.h5", "--output", "all.h5", cwd=self.directory)
        self.assertEqual(merged.code, 3, merged)
        self.assertIn("\nfailed: beyond.49 LinearComp jumps\n", merged.out)


class Refusals(test_merge.MergeRefusal, BatteryParts):
    def test_parts_of_batteries(self):
        self.run_tests("small.3 small.8", output="a.h5")
        self.run_tests("small.8", output="b.h5")
        self.run_tests("small.10", "battery.first_word=1", output="c.h5")
        self.merge(["a.h5", "b.h5"], "'a.h5' and 'b.h5' both have small.8", "twice",
                   "different tests")
        self.merge(["a.h5", "a.h5"], "'a.h5' and 'a.h5' both have small.3")
        self.merge(["a.h5", "c.h5"], "battery.first_word: 0 in the first, 1 in the second",
                   "differ in battery.tests, streams.mapping, streams.segments, battery.memory, output and "
                   "checkpoint only")
        self.run_tests("small.10", "streams.count=61", output="c.h5")
        self.merge(["a.h5", "c.h5"], "streams.count: 60 in the first, 61 in the second")
        self.run_tests("small.10", "streams.first=60", output="c.h5")
        self.merge(["a.h5", "c.h5"], "streams.first: 0 in the first, 60 in the second")
        self.run_words(0, 2, "c.h5")
        self.merge(["a.h5", "c.h5"], "battery.sequence: each in the first, shared in the second")
        self.run_ok(*EACH, "battery.tests=small.10", "battery.sequence=testu01", "--output", "c.h5")
        self.merge(["a.h5", "c.h5"], "'c.h5' was run with battery.sequence=testu01",
                   "begins where the one before it ended", "battery.sequence=each or shared")
        numpy.random.default_rng(1).integers(0, 2**32, 7200000, "u4").tofile(
            self.directory / "words.bin")
        self.run_tests("small.8", "battery.source=words.bin", output="c.h5")
        self.merge(["a.h5", "c.h5"], "'c.h5' does not say which streams it has",
                   "its run drew no streams")

    def test_stretches_of_words_with_holes_or_twice(self):
        for first, chunks in ((0, 2), (1999999, 1), (2000001, 1), (4000001, 1)):
            self.run_words(first, chunks, f"{first}.h5")
        self.merge(["0.h5", "1999999.h5"], "'0.h5' and '1999999.h5' both have word 1999999 (they")
        self.merge(["2000001.h5", "1999999.h5"],
                   "'1999999.h5' and '2000001.h5' both have words 2000001 to 2999998", "twice",
                   "different words")
        self.merge(["4000001.h5", "2000001.h5", "0.h5"],
                   "word 2000000, words 3000001 to 4000000 missing from the files",
                   "a range of words without gaps")
        self.run_words(2000000, 1, "more.h5", "battery.chunk=500000")
        self.merge(["0.h5", "more.h5"], "battery.chunk: 1000000 in the first, 500000 in the second")

    def test_batteries_that_were_not_run_to_their_end(self):
        self.run_tests("small.3", output="a.h5")
        self.run_tests("small.8", output="b.h5")
        self.run_words(0, 2, "c.h5")
        self.run_words(2000000, 1, "d.h5")
        for good, name, place, phrase in (
                ("a.h5", "b.h5", 0, "small.8 read no words"),
                ("c.h5", "d.h5", -1, "it counted 0 chunks, which are not its words 2000000 to 2999999")):
            with h5py.File(self.directory / name, "r+") as file:
                counters = file["results/battery/counters"]
                counters[place] = 0
                file.attrs["digest"] = hashlib.sha256(counters[()].tobytes()).hexdigest()
            rivulet_cli.reseal(self.directory / name, "results")
            self.merge([good, name], f"'{name}' is damaged", phrase)
