# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs of the battery job, on words of a generator and on words from outside."""

import subprocess

import numpy

import rivulet_cli

FAILED = 3  # status of a run with failed tests
GENERATOR = ["streams.generator=lfsr113", "streams.count=60"]
# The numbers of words that small.3 (Gap) and small.5 (CouponCollector) read depend on the words themselves.
SOME = ["battery", "battery.tests=small.3 small.8 small.5", *GENERATOR]
CHECKPOINTED = ["checkpoint.file=run.ckpt", "--output", "out.h5"]


class BatteryCase(rivulet_cli.Case):
    def battery(self, *arguments, code=0, **options):
        """Runs the program, which must end with the status `code`, or with one of them if it is a tuple. Returns the
        run, and the results'
        group as a dictionary."""
        done = rivulet_cli.run(*arguments, "--output", "out.h5", cwd=self.directory, **options)
        self.assertIn(done.code, code if isinstance(code, tuple) else (code,), done)
        digest, data, attributes = self.results("battery")
        return done, {**data, **attributes, "digest": digest}

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
