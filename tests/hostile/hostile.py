# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The common parts of the hostile tests: repeatable random numbers, random changes of bytes, and checks of refusals.
RIVULET_HOSTILE_SECONDS is the duration of each test (default 60), RIVULET_HOSTILE_SEED the seed (default 1)."""

import os
import pathlib
import random
import subprocess
import time

import refusal
import rivulet_cli

SECONDS = float(os.environ.get("RIVULET_HOSTILE_SECONDS", "60"))
SEED = int(os.environ.get("RIVULET_HOSTILE_SEED", "1"))
BUILD_DIR = pathlib.Path(os.environ.get("RIVULET_BUILD_DIR", "build"))
PIECES = [b"'", b'"', b"\n", b": ", b"- ", b"[", b"]", b"{", b"}", b"#", b"&a ", b"*a", b"!!str ", b"|",
          b"\0", b"\x1b", b"\xff", b"\xc2\x9b", b"\t", b"\r", b"\\", b"1e999", b"-1", b"0x", b"%", b",", b";"]
# The deck inputs/pi.yaml, and decks with other YAML features. A last line without a newline is an override
# (fuzz_decks.cpp).
DECKS = [(rivulet_cli.SOURCE_DIR / "inputs/pi.yaml").read_bytes(),
         b"""job: pi
pi:
  points: 1e10
  kernel: stored
  check: off
  memory: 1.5 GiB
  tolerance: 1e-3
  parameters: "my file.h5"
  sizes: [1, 2]
""",
         b"""{job: 'pi', pi: {"points": 77, sizes: [1,2]}}
pi.sizes=1,2""",
         b"""job: pi
pi: &a
  points: 77
  parameters: &b 'x'
output: {path: *b}
""",
         b"""job: pi
pi:
  parameters: |-
    it's
  check: yes # it's
pi.memory=3 MiB"""]


def rounds():
    """Yields (number, source of random numbers) until the time is up."""
    end = time.monotonic() + SECONDS
    number = 0
    while time.monotonic() < end:
        yield number, random.Random(f"{SEED} {number}")
        number += 1


def mutated(whole, source):
    """Returns the bytes with one to four small random changes."""
    data = bytearray(whole)
    for _ in range(source.randint(1, 4)):
        at = source.randint(0, len(data))
        kind = source.randrange(5)
        if kind == 0 and data:
            data[at % len(data)] ^= 1 << source.randrange(8)
        elif kind == 1:
            data[at:at] = source.choice(PIECES)
        elif kind == 2:
            del data[at:at + source.randint(1, 8)]
        elif kind == 3:
            data[at:at] = data[source.randint(0, len(data)):][:source.randint(1, 30)]
        else:
            del data[at:len(data) if source.random() < 0.2 else at + 1]
    return bytes(data)


class Hostile(refusal.Refusal):
    def ends_well(self, done, what):
        """Returns True for a success, False for a refusal with one message and status 1. Otherwise fails the test."""
        if done.code == 0:
            return True
        self.assertEqual(done.code, 1, f"{what!r}\n{done}")
        self.require_refusal(done, [])
        return False

    def run_here(self, *arguments, **options):
        options.setdefault("timeout", 120)
        return rivulet_cli.run(*arguments, cwd=self.directory, **options)

    def built(self, target):
        """Builds a target. Returns the path of the program."""
        subprocess.run([os.environ.get("RIVULET_CMAKE", "cmake"), "--build", BUILD_DIR, "--target", target],
                       check=True, capture_output=True)
        return next(path for path in BUILD_DIR.rglob(target) if path.is_file())
