# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`rivulet stream` writes the fill job's raw numbers and nothing else: a given count, or an endless stream."""

import os
import pty
import subprocess

import h5py

import refusal
import rivulet_cli

STREAMS = 67
DECK = ["fill", f"streams.count={STREAMS}"]
ORDERS = {
    "interleaved": [],
    "short runs": ["fill.order=blocked", f"fill.block={STREAMS * 2}"],
    "long runs": ["fill.order=blocked", f"fill.block={STREAMS * 5000}"],
    "whole periods": ["fill.order=blocked", f"fill.block={STREAMS * 97}"],
}


class Stream(rivulet_cli.Case):
    def first_bytes(self, count, *arguments, **options):
        return rivulet_cli.first_bytes(count, *arguments, cwd=self.directory, **options)

    def test_is_what_a_file_holds(self):
        for generator in ("dcmt521", "ranmar24"):
            for name, order in ORDERS.items():
                for kind, size in (("uint32", 4), ("double", 8)):
                    with self.subTest(generator=generator, order=name, type=kind):
                        deck = [*DECK, f"streams.generator={generator}", f"fill.type={kind}",
                                *order]
                        count = 200001
                        data, status, _ = self.first_bytes(count * size, *deck, threads=2)
                        self.assertEqual(status, 0)
                        self.run_ok(*deck, f"fill.numbers={count}", "fill.to=file")
                        with h5py.File(self.directory / "fill.h5") as file:
                            self.assertTrue(file["results/fill/numbers"][:].tobytes() == data)

    def test_has_no_end_whatever_the_deck_s_numbers(self):
        self.write("one.yaml", f"job: fill\nstreams: {{count: {STREAMS}}}\nfill: {{numbers: 1}}\n")
        few = self.first_bytes(3000000, "one.yaml")
        self.assertEqual(len(few[0]), 3000000)
        self.assertEqual(few[0], self.first_bytes(3000000, *DECK, "fill.memory=1 MiB",
                                                  "streams.mapping=team")[0])

    def test_counted(self):
        """With --count, or fill.numbers on the command line, the stream equals a file of that size."""
        counts = (1, STREAMS - 1, STREAMS, 12345, 400001)
        for name, order in ORDERS.items():
            endless = self.first_bytes(8 * max(counts), *DECK, *order)[0]
            for count in counts:
                for words in (["--count", str(count)], [f"fill.numbers={count}"]):
                    with self.subTest(order=name, words=words):
                        data, status, message = self.first_bytes(-1, *DECK, *order, *words)
                        self.assertEqual((status, message), (0, ""))
                        self.assertEqual(len(data), 8 * count)
                        self.assertTrue(data == endless[:8 * count])

    def test_count_as_decks_write_numbers_and_before_other_counts(self):
        for words in (["--count", "2e3"], ["--count=2000"], ["--count", "2000", "fill.numbers=7"]):
            with self.subTest(words=words):
                data = self.first_bytes(-1, *DECK, "fill.type=float", *words)[0]
                self.assertEqual(len(data), 8000)

    def test_counted_into_a_file(self):
        path = self.directory / "numbers.raw"
        with path.open("wb") as file:
            subprocess.run([rivulet_cli.BINARY, "stream", *DECK, "--count", "1e5"],
                           env=rivulet_cli.environment(), stdout=file, check=True)
        self.assertTrue(path.read_bytes() == self.first_bytes(800000, *DECK)[0])

    def test_endless_into_a_device(self):
        """An output that is neither a file nor a terminal, such as /dev/null, accepts an endless stream."""
        with open("/dev/null", "wb") as null, self.assertRaises(subprocess.TimeoutExpired):
            subprocess.run([rivulet_cli.BINARY, "stream", *DECK], env=rivulet_cli.environment(), stdout=null,
                           timeout=2, check=False)

    def test_warnings(self):
        """The warnings of the fill job go to standard error, and the numbers are the same as without them."""
        published = ["streams.seeding=published"]
        weak = [*published, "streams.generator=ranmar24", "streams.ij=31328", "streams.kl=30000"]
        listing = [*published, "streams.generator=hybrid_tausworthe_listing"]
        for words, phrase in ((weak, "of the streams have weak seeds"),
                              (listing, "is known to be bad"),
                              (["streams.count=3"], "3 streams of dcmt521 may fail tests (one fails MatrixRank, "),
                              (["streams.generator=ranmar48", "streams.log2_jump=99"],
                               "streams.log2_jump=99 has no effect (ranmar48 does not use it). Omit it.")):
            with self.subTest(words=words):
                filled = self.run_ok(*DECK, *words, "fill.numbers=1000", "fill.to=file")
                warnings = [line.partition(": ")[2] for line in filled.out.splitlines()
                            if line.startswith("warning: ")]
                self.assertTrue(any(phrase in one for one in warnings), filled)
                data, status, message = self.first_bytes(-1, *DECK, *words, "--count", "1000")
                self.assertEqual(status, 0)
                self.assertEqual(message.splitlines(),
                                 [f"rivulet: warning: {one}" for one in warnings])
                with h5py.File(self.directory / "fill.h5") as file:
                    self.assertTrue(file["results/fill/numbers"][:].tobytes() == data)
                    self.assertEqual(list(file["streams"].attrs["warnings"]), warnings)

    def test_few_streams_that_pass_and_many_of_others_are_no_warning(self):
        for words in (["streams.generator=philox4x32", "streams.count=1"], ["streams.count=64"]):
            self.assertNotIn("warning", self.run_ok("fill", *words, "fill.numbers=1000").out)

    def test_ends_quietly_with_its_pipe(self):
        for count in (1, 1000, 10000000):
            _, status, message = self.first_bytes(count, *DECK)
            self.assertEqual((status, message), (0, ""))

    def test_warnings_of_others_stay_out_of_it(self):
        clean = self.first_bytes(1000000, *DECK)[0]
        noisy = self.first_bytes(1000000, *DECK, KOKKOS_DISABLE_WARNINGS="0",
                                 threads=2 * os.cpu_count())[0]
        self.assertEqual(clean, noisy)

    def test_validate(self):
        self.assertIn("# valid", self.run_ok("stream", *DECK, "--validate").out)


class Refusals(refusal.Refusal):
    def test_arguments(self):
        self.refuse(["stream", "fill"], "--output does not apply here")
        self.refuse_each((
            (["stream"], "nothing to stream"),
            (["stream", "fill.type=float"], "nothing to stream"),
            (["stream", "pi"], "`rivulet stream` with job 'pi'", "only fill decks"),
            (["fill", "--count", "5"], "--count without `rivulet stream`", "fill.numbers=5"),
            *((["stream", "fill", f"--count={count}"], "'numbers'", "from 1 to 1000000000000000000")
              for count in ("0", "-1", "many", "1.5")),
            (["stream", "fill", "--count"], "--count"),
            (["stream", "fill", "fill.order=blocked"], "no fill.block"),  # the first stream's numbers would never end
            (["stream", "fill", "fill.memory=1 KiB"], "fill.memory=1024 B is too small",
             "the numbers that all streams")), ranks=(1,), output=None)
        if rivulet_cli.MPIEXEC:
            self.refuse(["stream", "fill"], "`rivulet stream` on 2 MPI ranks", ranks=(2,), output=None)

    def test_a_file_without_a_count(self):
        """A deck's fill.numbers does not limit a stream, so a file needs a count."""
        self.write("deck.yaml", "job: fill\nfill: {numbers: 10}\n")
        path = self.directory / "numbers.raw"
        for arrow in (">", ">>"):  # ulimit bounds the file if the refusal fails
            done = subprocess.run(
                ["/bin/sh", "-c", f'ulimit -f 2048; exec "$0" stream deck.yaml {arrow} numbers.raw',
                 rivulet_cli.BINARY], env=rivulet_cli.environment(**rivulet_cli.WITHOUT_SHARED_MEMORY),
                stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=self.directory, text=True,
                timeout=60, check=False)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertRegex(done.stderr, refusal.MESSAGE)
            for phrase in ("cannot write endless numbers to a file", "--count N", "pipe them"):
                self.assertIn(phrase, done.stderr)
            self.assertEqual(path.stat().st_size, 0)

    def stream_into(self, output):
        return subprocess.run([rivulet_cli.BINARY, "stream", "fill"], env=rivulet_cli.environment(),
                              stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE,
                              text=True, timeout=60, check=False)

    def test_a_terminal(self):
        primary, terminal = pty.openpty()
        done = self.stream_into(terminal)
        os.close(terminal)
        os.close(primary)
        self.assertEqual(done.returncode, 1)
        self.assertIn("rivulet: cannot write raw numbers to a terminal", done.stderr)
