# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A refusal prints one message, ends all ranks within seconds with a nonzero status, and makes no file."""

import re

import rivulet_cli

SECONDS = 20
RANKS = (1, 4) if rivulet_cli.MPIEXEC else (1,)
# "PROBLEM (REASON). REMEDY."
MESSAGE = re.compile(r"rivulet: (.+?) \((.+)\)\. (\S.*[.?])", re.DOTALL)
QUICK = ["pi.points=100000", "streams.count=64"]


class Refusal(rivulet_cli.Case):
    def refuse(self, arguments, *phrases, ranks=RANKS, output="out.h5", **options):
        """Runs the program. Requires a refusal that contains the phrases, and no new file."""
        before = set(self.files())
        for one in ranks:
            with self.subTest(ranks=one):
                command = [*arguments, *(["--output", output] if output is not None else [])]
                done = rivulet_cli.run(*command, ranks=one, cwd=self.directory, **options)
                self.require_refusal(done, phrases)
                self.assertEqual(set(self.files()), before, done)

    def refuse_each(self, rows, **options):
        """Requires a refusal for each row of arguments and phrases."""
        for arguments, *phrases in rows:
            with self.subTest(" ".join(map(str, arguments))):
                self.refuse(arguments, *phrases, **options)

    def minimum_memory(self, job, key, *phrases, ranks=(1,)):
        """Returns the smallest value of a memory key, as a refusal names it. Requires that one byte less is refused."""
        done = rivulet_cli.run(*job, f"{key}=64 B", "--output", "out.h5", cwd=self.directory)
        self.require_refusal(done, [f"{key}=64 B is too small", *phrases])
        minimum = int(re.search(r"memory=(\d+)B or more, or auto", done.messages[0])[1])
        self.refuse([*job, f"{key}={minimum - 1}"], "is too small", f"{key}={minimum}B or more", ranks=ranks)
        return minimum

    def require_refusal(self, done, phrases):
        self.assertNotEqual(done.code, 0, done)
        self.assertTrue(0 < done.code < 128, f"ended by a signal\n{done}")
        self.assertLess(done.seconds, SECONDS, done)
        self.assertEqual(len(done.messages), 1, done)
        self.assertNotRegex(done.err, r"(?i)HDF5-DIAG|terminate called|segmentation fault")
        message = self.message_of(done)
        self.assertRegex(message, MESSAGE, done)
        for phrase in phrases:
            self.assertIn(phrase, message, done)
        self.assertNotIn("Digest:", done.out, done)
        self.assertNotIn("Figure of Merit", done.out, done)

    @staticmethod
    def message_of(done):
        """Returns the message, including its continuation lines but not the output of mpiexec."""
        text = done.err[done.err.index(done.messages[0]):]
        return re.split(r"\n-{20,}|\nKokkos", text)[0].strip()
