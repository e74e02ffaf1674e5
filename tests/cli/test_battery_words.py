# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The battery job tests words from files and pipes, and finds streams that overlap."""

import os
import subprocess

import numpy

import refusal
import rivulet_cli
from battery_case import CHECKPOINTED, FAILED, GENERATOR, SOME, BatteryCase


class Words(BatteryCase):
    def test_words_from_outside(self):
        count = 12500000
        words = self.words(count)
        tests = "battery.tests=small.10 small.8"
        _, expected = self.battery(*SOME, tests)
        for ranks in rivulet_cli.ONE_AND_TWO:
            _, found = self.battery("battery", tests, "battery.source=words.bin", ranks=ranks)
            self.assertEqual(found["digest"], expected["digest"])
            self.assertEqual((found["source"], found["not_done"], found["words_lacking"]),
                             ("words.bin", "none", 0))
        words.view("<u8").astype(">u8").tofile(self.directory / "big.bin")  # the unit test RawWords checks all formats
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
        # If a test's number of words is known, the message states exactly how many are missing.
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
        self.stop_early(*deck, *CHECKPOINTED)
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


class Overlaps(BatteryCase):
    """Tests words of 64 interleaved streams. Stream 40 repeats stream 3 from word 1000 of stream 3 on."""
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
        # The deck needs more words than the first piece of work, so the time limit stops the run early.
        deck = ["battery", "battery.tests=default.1", "streams.generator=philox4x32", "battery.chunk=1048576",
                "battery.bytes=256 MiB"]
        _, whole = self.battery(*deck, timeout=300)
        (self.directory / "out.h5").unlink()
        self.stop_early(*deck, *CHECKPOINTED, timeout=300)
        _, found = self.battery("--resume", "run.ckpt", timeout=300)
        for name in "window_hash", "window_place", "counters":
            numpy.testing.assert_array_equal(found[name], whole[name])
        self.assertAlmostEqual(len(found["window_hash"]), whole["counters"][1] / 64, delta=5 * 2**10)

    def test_a_pipe_is_tested_as_a_file(self):
        """A pipe and a file yield the same digest, even if the first test of the list (ValueGaps) reads a chunk in
        parts."""
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
    def test_bad_sources(self):
        one = ["battery", "battery.tests=small.8"]
        source = [*one, "battery.source=words.bin"]
        stdin = [*one, "battery.source=stdin"]
        self.write("words.bin", "abcdefghijklm")
        self.refuse([*source, "--validate"], "(13 B is not a whole number of words of 4 B)")
        self.write("words.bin", "abcdefghijkl")
        self.refuse(source, "the words of 'words.bin' ended (small.8 lacked 7199997 words)")
        self.refuse_each((
            ([*one, "battery.word_bits=64"], "with battery.source=generator"),
            ([*one, "battery.byte_order=big"], "with battery.source=generator"),
            ([*source, "battery.first_word=100"], "lacked 7200097 words"),
            ([*source, "battery.order=stream", "battery.block=10"],
             "battery.order or battery.step with battery.source=words.bin"),
            ([*source, "battery.repeat=2"], "battery.repeat=2 with words from outside"),
            ([*source, "battery.tests=long.1", "battery.sequence=shared"],
             "fewer than the 1073741824 words of a chunk"),
            ([*one, "battery.source=/dev/zero"], "(it is a device)"),
            (stdin, "the words of 'stdin' ended (small.8 lacked"),
            ([*stdin, "battery.sequence=each"], "battery.sequence=each with battery.source=stdin"),
            ([*stdin, "--time-limit", "1 h"], "omit --time-limit"),
            ([*stdin, "checkpoint.file=a.ckpt"], "a pipe can be read only once")), ranks=(1,))
        if rivulet_cli.MPIEXEC:
            self.refuse(stdin, "battery.source=stdin on 4 MPI ranks", ranks=(4,))
