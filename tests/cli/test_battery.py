# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The battery job has the same counts as TestU01's SmallCrush, and tells bad generators from good ones."""

import hashlib
import json
import os
import subprocess

import h5py
import numpy

import refusal
import rivulet_cli

SMALL = json.loads((rivulet_cli.DATA_DIR / "battery_small.json").read_text(encoding="utf-8"))
FAILED = 3
# The numbers of words that small.3 (Gap) and small.5 (CouponCollector) read depend on the words themselves.
GENERATOR = ["streams.generator=lfsr113", "streams.count=60"]
SOME = ["battery", "battery.tests=small.3 small.8 small.5", *GENERATOR]


def hash_of(counts):
    """Returns the hash of counts, as in the table of expected results."""
    found = 0
    for count in counts.tolist():
        found = (found * 1000003 + count) % 2**64
    return found


class Battery(rivulet_cli.Case):
    def battery(self, *arguments, code=0, **options):
        """Runs the program. Returns the run, and the results' group as a dictionary."""
        done = rivulet_cli.run(*arguments, "--output", "out.h5", cwd=self.directory, **options)
        self.assertEqual(done.code, code, done)
        with h5py.File(self.directory / "out.h5") as file:
            group = file["results/battery"]
            found = {name: one[()] for name, one in group.items()} | dict(group.attrs)
            found["digest"] = file.attrs["digest"]
        return done, found

    def same_groups(self, groups, counts):
        """Compares counts with groups [last class, count]. The last group has all remaining classes."""
        ends = [last + 1 for last, _ in groups[:-1]]
        sums = [int(part.sum()) for part in numpy.split(counts, ends)]
        self.assertEqual(sums, [count for _, count in groups])

    def check(self, expected, found, index):
        """Compares counts and p-values of one test."""
        self.assertEqual(found["test"][index].decode(), expected["test"])
        self.assertEqual(found["words_of_test"][index], expected["words"])
        first = int(found["first_counter"][index])
        following = found["first_counter"][index + 1:]
        counts = found["counters"][first:int(following[0]) - 1 if len(following) else None]
        self.assertEqual(found["counters"][first - 1], expected["words"])
        rows = numpy.flatnonzero(found["test_of_p"] == index)
        results = expected["results"]
        self.assertEqual(len(rows), len(results))
        for row, part, result in zip(rows, numpy.split(counts, len(results)) if
                                     "groups" in results[0] else [counts] * len(results), results):
            self.assertEqual(found["statistic_name"][row].decode(), result["statistic"])
            if "groups" in result:
                self.same_groups(result["groups"], part)
            if "hash" in result:
                self.assertEqual(hash_of(part), result["hash"])
            if "counts" in result:
                self.assertEqual(part.tolist(), result["counts"])
            is_table = result["statistic"] == "AD"  # TestU01 has this distribution in a table
            self.assertAlmostEqual(found["p_value"][row], result["p"],
                                   delta=2e-3 if is_table else 1e-9)
            if not is_table:
                value = result["value"]
                self.assertAlmostEqual(found["statistic"][row], value, delta=1e-9 * abs(value))

    def test_small_is_testu01_s_small_crush(self):
        for sequence in SMALL["sequences"]:
            fails = sum(2 * 15 * min(one["p"], 1 - one["p"]) < 1e-10 for test in sequence["results"]
                        for one in test["results"])
            with self.subTest(generator=sequence["generator"]):
                _, found = self.battery(
                    "battery", "battery.tests=small", f"streams.generator={sequence['generator']}",
                    f"streams.seeding={sequence['seeding']}",
                    f"streams.count={sequence['streams']}", code=FAILED if fails else 0, threads=2)
                for index, expected in enumerate(sequence["results"]):
                    with self.subTest(test=expected["test"]):
                        self.check(expected, found, index)
                failed = found["failed"]
                self.assertEqual(len(failed.split(", ")) if failed != "none" else 0, fails)
                digest = hashlib.sha256(found["counters"].astype("<u8").tobytes()).hexdigest()
                self.assertEqual(found["digest"], digest)

    def test_layouts_change_nothing(self):
        _, alone = self.battery(*SOME)
        layouts = [{"threads": 3}, {"arguments": ["battery.memory=2 MiB"]},
                   {"arguments": ["streams.segments=3"]}]
        if rivulet_cli.MPIEXEC:
            layouts += [{"ranks": 2}, {"ranks": 4}]
        for layout in layouts:
            with self.subTest(**layout):
                arguments = layout.pop("arguments", [])
                _, found = self.battery(*SOME, *arguments, **layout)
                for name, values in alone.items():
                    numpy.testing.assert_array_equal(found[name], values, name)

    def test_a_sequence_can_begin_later(self):
        _, all_tests = self.battery(*SOME)
        begin = int(all_tests["first_word_of_test"][1])
        _, later = self.battery(*SOME, "battery.tests=small.8", f"battery.first_word={begin}")
        counters = all_tests["counters"]
        first, second = (int(one) - 1 for one in all_tests["first_counter"][1:])
        self.assertEqual(later["counters"].tolist(), counters[first:second].tolist())

    def test_a_checkpoint_after_each_test(self):
        _, whole = self.battery(*SOME)
        (self.directory / "out.h5").unlink()
        left = rivulet_cli.run(*SOME, "checkpoint.file=run.ckpt", "--output", "out.h5",
                               "--time-limit", "0.1 s", cwd=self.directory)
        self.assertEqual(left.code, 75, left)
        for ranks in (2, 1) if rivulet_cli.MPIEXEC else (1,):
            kept = (self.directory / "run.ckpt").read_bytes()
            _, found = self.battery("--resume", "run.ckpt", ranks=ranks)
            self.assertEqual(found["digest"], whole["digest"])
            (self.directory / "run.ckpt").write_bytes(kept)
            (self.directory / "out.h5").unlink()

    def words(self, count):
        """Writes words of GENERATOR to words.bin, and returns them."""
        words = numpy.frombuffer(rivulet_cli.streamed(*GENERATOR, "fill.type=uint32",
                                                      f"fill.numbers={count}"), "<u4")
        words.tofile(self.directory / "words.bin")
        return words

    def piped(self, count, *arguments, code=0):
        """Tests `count` words of GENERATOR from standard input."""
        with subprocess.Popen([rivulet_cli.BINARY, "stream", "fill", *GENERATOR, "fill.type=uint32",
                               f"fill.numbers={count}"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL) as words:
            return self.battery("battery", "battery.source=stdin", *arguments, code=code,
                                stdin=words.stdout)

    def test_words_from_outside(self):
        count = 12500000
        words = self.words(count)
        tests = "battery.tests=small.10 small.8"
        _, expected = self.battery(*SOME, tests)
        for ranks in (1, 2) if rivulet_cli.MPIEXEC else (1,):
            _, found = self.battery("battery", tests, "battery.source=words.bin", ranks=ranks)
            self.assertEqual(found["digest"], expected["digest"])
            self.assertEqual((found["source"], found["not_done"], found["words_lacking"]),
                             ("words.bin", "none", 0))
        words.view("<u8").astype(">u8").tofile(self.directory / "big.bin")  # the unit test RawWords has all formats
        _, found = self.battery("battery", tests, "battery.source=big.bin", "battery.byte_order=big",
                                "battery.word_bits=64")
        self.assertEqual(found["digest"], expected["digest"])

    def test_words_of_a_pipe(self):
        _, expected = self.battery(*SOME)
        _, found = self.piped(expected["words"], SOME[1])
        self.assertEqual(found["digest"], expected["digest"])
        begin = int(expected["first_word_of_test"][1])
        later = ["battery.tests=small.8", f"battery.first_word={begin}"]
        _, expected = self.battery(*SOME, *later)
        _, later = self.piped(begin + 7200000, *later)
        self.assertEqual(later["digest"], expected["digest"])

    def test_words_that_end_early(self):
        tests = "battery.tests=small.8 small.5 small.10"
        _, expected = self.battery(*SOME, "battery.tests=small.8")
        self.words(9000000)
        runs = [self.battery("battery", tests, "battery.source=words.bin", code=1, ranks=ranks)
                for ranks in ((1, 3) if rivulet_cli.MPIEXEC else (1,))]
        runs.append(self.piped(9000000, tests, code=1))
        for done, found in runs:
            self.assertEqual(found["not_done"], "small.5, small.10")
            self.assertEqual(found["digest"], runs[0][1]["digest"])
            self.assertEqual(found["words_of_test"].tolist(), [7200000, 0, 0])
            self.assertEqual(found["test_of_p"].tolist(), [0])
            self.assertEqual(found["p_value"].tolist(), expected["p_value"].tolist())
            self.assertRegex(done.err, r"warning: the words of '\S+' ended \(small.5 lacked about "
                                       r"\d+ words\); only the tests before it are judged")
        # If a test's number of words is known, the message has the exact number that is missing.
        done, found = self.battery("battery", "battery.tests=small.8 small.10", code=1,
                                   *["battery.source=words.bin"])
        self.assertIn("small.10 lacked 3200000 words", done.err)
        self.assertEqual(found["words_lacking"], 3200000)
        # The words end within the last block that is read.
        _, found = self.piped(12199999, "battery.tests=small.10 small.8", code=1)
        self.assertEqual((found["not_done"], found["words_lacking"]), ("small.8", 1))

    def test_a_resumed_run_has_its_source(self):
        self.words(38000000)
        tests = "battery.tests=small.8 small.5 small.10"
        deck = ["battery", tests, "battery.source=words.bin"]
        left = rivulet_cli.run(*deck, "checkpoint.file=run.ckpt", "--output", "out.h5",
                               "--time-limit", "0.1 s", cwd=self.directory)
        self.assertEqual(left.code, 75, left)
        with open(self.directory / "words.bin", "r+b") as file:
            first = file.read(4)
            file.seek(0)
            file.write(b"abcd")
        done = rivulet_cli.run("--resume", "run.ckpt", cwd=self.directory)
        self.assertEqual(done.code, 1, done)
        self.assertIn("'words.bin' had other words, or another length", done.messages[0])
        with open(self.directory / "words.bin", "r+b") as file:
            file.write(first)
        _, found = self.battery("--resume", "run.ckpt")
        _, whole = self.battery(*SOME, tests)
        self.assertEqual(found["digest"], whole["digest"])

    def test_tests_that_begin_at_one_word(self):
        """Each test has the counts that it has alone."""
        _, found = self.battery(*SOME, "battery.sequence=each")
        self.assertEqual(found["first_word_of_test"].tolist(), [0, 0, 0])
        ends = [*(found["first_counter"][1:] - 1), len(found["counters"])]
        for test, first, end in zip(SOME[1].split("=")[1].split(), found["first_counter"], ends):
            _, alone = self.battery("battery", f"battery.tests={test}", *GENERATOR)
            self.assertEqual(found["counters"][first:end].tolist(), alone["counters"][1:].tolist())

    def test_shared_tests_add_up_chunks(self):
        names = "long.1 long.7 small.8"
        shared = ["battery", f"battery.tests={names}", "battery.sequence=shared", *GENERATOR,
                  "battery.chunk=4000000", "battery.bytes=80000000"]
        _, whole = self.battery(*shared)
        self.assertEqual((whole["chunks"], whole["words"]), (5, 20000000))
        for ranks in (3,) if rivulet_cli.MPIEXEC else ():
            _, found = self.battery(*shared, "battery.memory=300 MiB", ranks=ranks)
            self.assertEqual(found["digest"], whole["digest"])
        (self.directory / "out.h5").unlink()
        left = rivulet_cli.run(*shared, "checkpoint.file=run.ckpt", "--output", "out.h5",
                               "--time-limit", "0.1 s", cwd=self.directory)
        self.assertEqual(left.code, 75, left)
        _, found = self.battery("--resume", "run.ckpt")
        self.assertEqual(found["digest"], whole["digest"])
        # Words from outside are tested to their end, except for an incomplete last chunk.
        outside = [*shared[:3], "battery.chunk=4000000"]
        _, found = self.piped(20000001, *outside[1:])
        self.assertEqual(found["digest"], whole["digest"])
        self.words(23999999)
        for ranks in (1, 2) if rivulet_cli.MPIEXEC else (1,):
            _, found = self.battery(*outside, "battery.source=words.bin", ranks=ranks)
            self.assertEqual((found["digest"], found["chunks"]), (whole["digest"], 5))

    def test_seeds_that_take_turns(self):
        parts = [numpy.frombuffer(rivulet_cli.streamed(
            *GENERATOR, "fill.type=uint32", "fill.numbers=2400000", f"streams.seed={seed}"), "<u4")
            for seed in (7, 8, 9)]
        numpy.stack([part.reshape(-1, 60) for part in parts], 1).tofile(self.directory / "words.bin")
        _, expected = self.battery("battery", "battery.tests=small.8",
                                   "battery.source=words.bin")
        _, found = self.battery("battery", "battery.tests=small.8", *GENERATOR, "streams.seed=7",
                                "battery.seeds=3")
        self.assertEqual(found["digest"], expected["digest"])

    def test_a_chunk_longer_than_usual(self):
        _, found = self.battery("battery", "battery.tests=small.8", *GENERATOR,
                                "battery.sequence=shared", f"battery.chunk={2**30 + 1}")
        self.assertEqual((found["chunks"], found["words"]), (1, 2**30 + 1))

    def test_short_sequences_are_not_judged(self):
        deck = ["battery", "battery.sequence=shared", "battery.tests=long.1 small.8", *GENERATOR, "battery.chunk=8192"]
        done, found = self.battery(*deck, "battery.bytes=32768", code=1)
        self.assertEqual((found["not_done"], found["failed"]), ("small.8", "none"))
        self.assertEqual([one.decode() for one in found["test"][found["test_of_p"]]], ["long.1"])
        self.assertIn("warning: not judged because the words ended: small.8 needs 32768 words", done.err)
        for chunks in (4, 40):
            _, found = self.battery(*deck, f"battery.bytes={chunks * 32768}")
            self.assertEqual((found["not_done"], found["failed"], len(found["p_value"])), ("none", "none", 2))

    def test_unread_input_is_told(self):
        says = "\nwarning: standard input was not read; set battery.source=stdin to test it\n"
        words = self.words(1000).tobytes()
        read, write = os.pipe()
        with open(read, "rb") as pipe, open(write, "wb") as writer, open(self.directory / "words.bin", "rb") as file:
            for given, tells in ((pipe, False), (subprocess.DEVNULL, False), (file, True), (pipe, True)):
                with self.subTest(given=str(given), tells=tells):
                    done, _ = self.battery(*SOME, "battery.tests=small.8", stdin=given)
                    self.assertEqual(says in done.out, tells, done)
                writer.write(words)
                writer.flush()
            self.assertEqual(pipe.read(4), words[:4])
            self.assertEqual(file.read(4), words[:4])

    def test_a_finished_run_that_failed(self):
        deck = ["battery", "battery.tests=small.3 crush.72 small.5", "streams.generator=dcmt521", "streams.count=2"]
        self.assertEqual(rivulet_cli.run(*deck, "checkpoint.file=run.ckpt", "--output", "out.h5", "--time-limit",
                                         "0.1 s", cwd=self.directory).code, 75)
        kept = (self.directory / "run.ckpt").read_bytes()
        _, found = self.battery("--resume", "run.ckpt", code=FAILED)
        self.assertNotEqual(found["failed"], "none")
        for ranks in (1, 2) if rivulet_cli.MPIEXEC else (1,):
            (self.directory / "run.ckpt").write_bytes(kept)
            done = rivulet_cli.run("--resume", "run.ckpt", cwd=self.directory, ranks=ranks)
            self.assertEqual(done.code, FAILED, done)
            self.assertIn("is done", done.err)

    def test_repeats_with_other_seeds(self):
        deck = [*SOME, "battery.tests=small.3 small.8", "streams.seed=7"]
        _, found = self.battery(*deck, "battery.repeat=3")
        self.assertEqual([one.decode() for one in found["test"][:3]],
                         ["small.3 of repeat 0", "small.8 of repeat 0", "small.3 of repeat 1"])
        p = found["p_value"].reshape(3, 2)
        for seed in range(3):
            _, alone = self.battery(*deck, f"streams.seed={7 + seed}")
            self.assertEqual(p[seed].tolist(), alone["p_value"].tolist())
        self.assertEqual([one.decode() for one in found["repeated"]],
                         ["small.3 Gap", "small.8 MatrixRank"])
        self.assertEqual(len(found["p_value_of_repeated"]), 2)
        if rivulet_cli.MPIEXEC:
            _, others = self.battery(*deck, "battery.repeat=3", ranks=2)
            self.assertEqual(others["digest"], found["digest"])

    def test_bad_generators_fail(self):
        listing = ["streams.generator=hybrid_tausworthe_listing", "streams.seeding=published"]
        done, found = self.battery("battery", "battery.tests=small.2", "streams.count=64", *listing,
                                   code=FAILED)
        self.assertEqual(done.result("failed"), "small.2")
        self.assertEqual(found["failed"], "small.2 Collision")
        self.assertRegex(done.out.splitlines()[-1], "^Digest: [0-9a-f]{64}$")


class Overlaps(Battery):
    """Tests words of 64 interleaved streams. Stream 40 repeats stream 3 from its word 1000 on."""
    COUNT = 1 << 20
    DECK = ["battery", "battery.source=words.bin", "battery.tests=default.1"]
    FOUND = "streams 3 and 40 are the same from words 1000 and 0 on"

    def setUp(self):
        super().setUp()
        words = numpy.random.default_rng(3).integers(0, 2**32, (self.COUNT // 64 + 1000, 64), "u4")
        words[:-1000, 40] = words[1000:, 3]
        words[:-1000].tofile(self.directory / "words.bin")

    def test_streams_that_overlap_are_named(self):
        runs = []
        for chunks, ranks in (1, 1), (4, 1), (4, 3):
            if ranks > 1 and not rivulet_cli.MPIEXEC:
                continue
            done, found = self.battery(*self.DECK, "battery.streams=64", f"battery.chunk={self.COUNT // chunks}",
                                       ranks=ranks, code=FAILED)
            self.assertEqual(found["found"], self.FOUND)
            self.assertIn(f"\ndefault.1 Overlaps found: {self.FOUND}\n", done.out)
            self.assertEqual(found["failed"], "default.1 Overlaps")
            runs.append((found["digest"], found["window_hash"].tolist(), found["window_place"].tolist()))
        for other in runs[2:]:
            self.assertEqual(other, runs[1])
        # Windows across the end of a chunk are not tested.
        self.assertEqual(len(runs[0][1]), self.COUNT - 3 * 64)
        self.assertEqual(len(runs[1][1]), self.COUNT - 4 * 3 * 64)

    def test_other_streams_pass(self):
        for settings in (), ("battery.streams=32",), ("battery.streams=64", "battery.word_bits=64"):
            _, found = self.battery(*self.DECK, *settings, f"battery.chunk={self.COUNT}")
            self.assertEqual((found["found"], found["failed"]), ("none", "none"))

    def test_a_checkpoint_keeps_windows(self):
        # The deck has more words than the first piece of work, so the time limit stops it before its end.
        deck = ["battery", "battery.tests=default.1", "streams.generator=philox4x32", "battery.chunk=1048576",
                "battery.bytes=256 MiB"]
        _, whole = self.battery(*deck, timeout=300)
        (self.directory / "out.h5").unlink()
        left = rivulet_cli.run(*deck, "checkpoint.file=run.ckpt", "--output", "out.h5", "--time-limit", "0.1 s",
                               cwd=self.directory, timeout=300)
        self.assertEqual(left.code, 75, left)
        _, found = self.battery("--resume", "run.ckpt", timeout=300)
        for name in "window_hash", "window_place", "counters":
            numpy.testing.assert_array_equal(found[name], whole[name])
        self.assertAlmostEqual(len(found["window_hash"]), whole["counters"][1] / 64, delta=5 * 2**10)

    def test_a_pipe_is_tested_as_a_file(self):
        """A pipe gives the digest of a file, even if the first test of the list (ValueGaps) reads a chunk in parts."""
        words = numpy.random.default_rng(5).integers(0, 2**32, 2**22, "u4")
        words.tofile(self.directory / "words.bin")
        deck = ["battery", "battery.tests=default.5 default.1 default.6 default.2", "battery.streams=16",
                f"battery.chunk={2**21}"]
        _, expected = self.battery(*deck, "battery.source=words.bin")
        with open(self.directory / "words.bin", "rb") as file, \
             subprocess.Popen(["cat"], stdin=file, stdout=subprocess.PIPE) as pipe:
            _, found = self.battery(*deck, "battery.source=stdin", stdin=pipe.stdout)
        self.assertEqual(found["digest"], expected["digest"])
        numpy.testing.assert_array_equal(found["window_hash"], expected["window_hash"])

    def test_a_pipe_s_time_can_end(self):
        with subprocess.Popen([rivulet_cli.BINARY, "stream", "fill", "streams.generator=sfc64", "fill.type=uint32",
                               "fill.numbers=1e12"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as words:
            done, found = self.battery("battery", "battery.source=stdin", "battery.tests=default.1",
                                       "battery.chunk=1048576", "--time-limit", "2 s", stdin=words.stdout)
            words.kill()
        self.assertGreater(found["chunks"], 0)
        self.assertEqual(found["failed"], "none", done)


class Refusals(refusal.Refusal):
    def test_bad_decks(self):
        shared = ["battery", "battery.sequence=shared"]
        self.refuse_each((
            (["battery", "battery.tests=big.107"], "no test 'big.107'"),
            (["battery", "battery.block=4096"], "only the blocked and stream orders have blocks"),
            (["battery", "battery.order=blocked"], "battery.block=0 for 4096 streams"),
            (["battery", "battery.order=blocked", "battery.block=4097"], "a multiple of streams.count"),
            (["battery", "battery.order=stream"], "battery.order=stream without battery.block"),
            (["battery", "battery.tests=small", "battery.bytes=1 GiB"], "without battery.sequence=shared"),
            ([*shared, "battery.tests=small"], "battery.sequence=shared with small.6",
             "counts of MaxOft from different chunks cannot be added"),
            ([*shared, "battery.tests=beyond.22", "battery.chunk=1000000"],
             "battery.chunk=1000000 is too short for beyond.22"),
            ([*shared, "battery.tests=long.6", "battery.chunk=4096"], "battery.chunk=4096 is too short for long.6"),
            ([*shared, "battery.tests=beyond.14", "battery.chunk=1048576"],
             "battery.chunk=1048576 is too short for beyond.14 (it needs 75497472 words)"),
            (["battery", "battery.first_word=1e15", "battery.step=16777216", "--validate"],
             "battery.first_word=1000000000000000 and battery.step=16777216"),
            ([*shared, "battery.tests=long.1", "battery.bytes=1 MiB"],
             "battery.bytes=1048576 with chunks of 1073741824 words"),
            ([*shared, "battery.tests=long.1", "battery.repeat=2"], "battery.repeat=2 with battery.sequence=shared"),
            (["battery", "battery.seeds=2", "battery.order=stream", "battery.block=10"],
             "battery.seeds=2 with blocks of streams"),
            (["battery", "streams.of=5000"], "streams.of=5000 with streams 0 to 4095"),
            (["battery", "battery.tests=small", "battery.memory=1 MiB"],
             "battery.memory=1048576 B is too small", "the tests need 80000000 B (small.1 the most)"),
            (["battery", "battery.streams=2"], "battery.streams with battery.source=generator"),
            (["battery", "battery.tests=default.1", "battery.chunk=4095"], "battery.chunk=4095", "at least 4096 words"),
            (["battery", "battery.tests=default.29", "battery.chunk=4096"],
             "battery.tests=default.29 leaves no test", "a short battery.chunk"),
            (["battery", "battery.tests=default.3", "battery.sequence=each", "streams.count=1"],
             "battery.tests=default.3 leaves no test", "with one stream"),
            (["battery", "battery.tests=default.1", "battery.sequence=each", "battery.repeat=513"],
             "battery.repeat=513 with Overlaps", "at most 512 repeats")), ranks=(1,))

    def test_bits_that_are_not_there(self):
        for generator, bits in (("ranmar24", "only the upper 16 bits of its 24-bit numbers"),
                                ("ranmar48", "only the upper 32 bits of its 48-bit numbers")):
            self.refuse(["battery", "battery.bits=low8", f"streams.generator={generator}"],
                        f"battery.bits=low8 with {generator}", bits)

    def test_bad_sources(self):
        one = ["battery", "battery.tests=small.8"]
        source = [*one, "battery.source=words.bin"]
        self.refuse([*one, "battery.word_bits=64"], "with battery.source=generator", ranks=(1,))
        self.refuse([*one, "battery.byte_order=big"], "with battery.source=generator", ranks=(1,))
        self.write("words.bin", "abcdefghijklm")
        self.refuse([*source, "--validate"], "(13 B is not a whole number of words of 4 B)")
        self.write("words.bin", "abcdefghijkl")
        self.refuse(source, "the words of 'words.bin' ended (small.8 lacked 7199997 words)")
        self.refuse([*source, "battery.first_word=100"], "lacked 7200097 words", ranks=(1,))
        self.refuse([*source, "battery.order=stream", "battery.block=10"],
                    "battery.order or battery.step with battery.source=words.bin", ranks=(1,))
        self.refuse([*source, "battery.repeat=2"], "battery.repeat=2 with words from outside", ranks=(1,))
        self.refuse(["battery", "battery.source=words.bin", "battery.tests=long.1",
                     "battery.sequence=shared"], "fewer than the 1073741824 words of a chunk", ranks=(1,))
        self.refuse([*one, "battery.source=/dev/zero"], "(it is a device)", ranks=(1,))
        self.refuse([*one, "battery.source=stdin"], "the words of 'stdin' ended (small.8 lacked",
                    ranks=(1,))
        self.refuse([*one, "battery.source=stdin", "battery.sequence=each"],
                    "battery.sequence=each with battery.source=stdin", ranks=(1,))
        self.refuse([*one, "battery.source=stdin", "--time-limit", "1 h"], "omit --time-limit",
                    ranks=(1,))
        self.refuse([*one, "battery.source=stdin", "checkpoint.file=a.ckpt"],
                    "a pipe can be read only once", ranks=(1,))
        if rivulet_cli.MPIEXEC:
            self.refuse([*one, "battery.source=stdin"], "battery.source=stdin on 4 MPI ranks",
                        ranks=(4,))
