# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs small decks under compute-sanitizer on an NVIDIA GPU, and with the program of the preset `debug`, which has
AddressSanitizer and UndefinedBehaviorSanitizer. A sanitizer that is not there is skipped. The sanitizers must find
nothing, and the digests must be those of normal runs."""

import shutil
import subprocess
import unittest

import rivulet_cli

DECKS = {
    "pi": ["pi", "pi.points=100003", "streams.count=300", "streams.generator=hybrid_tausworthe"],
    "pi, by team": ["pi", "pi.points=100003", "streams.count=37", "streams.mapping=team"],
    "pi, stored": ["pi", "pi.points=50021", "pi.kernel=stored", "streams.count=37"],
    "fill, mt19937": ["fill", "fill.numbers=100003", "fill.type=double", "streams.count=11",
                      "streams.generator=mt19937", "streams.mapping=team"],
    "fill, mtgp11213": ["fill", "fill.numbers=100003", "streams.count=11",
                        "streams.generator=mtgp11213", "streams.mapping=team"],
    "fill, published RANMAR": ["fill", "fill.numbers=100003", "fill.type=double",
                               "streams.count=37", "streams.generator=ranmar48",
                               "streams.seeding=published"],
    "alias": ["alias", "alias.samples=50021", "streams.count=300", "table.bits=32"],
    "alias, by team": ["alias", "alias.samples=50021", "streams.count=37", "table.bits=32",
                       "streams.mapping=team"],
    "alias, 64 bits": ["alias", "alias.samples=50021", "streams.count=37", "table.bits=64"],
    "correlate": ["correlate", "correlate.numbers=50021", "correlate.lags=40", "streams.count=7",
                  "correlate.method=direct"],
    "occlusion": ["occlusion", "occlusion.width=60", "occlusion.height=35", "occlusion.passes=[5]"],
}
# The warps of these decks synchronise by release and acquire, which racecheck reports as hazards (docs/library.md).
SHARED = {
    f"occlusion, on_demand, {generator}": [
        "occlusion", "occlusion.width=60", "occlusion.height=35", "occlusion.passes=[5]",
        "occlusion.numbers=on_demand", "streams.count=7", f"streams.generator={generator}"]
    for generator in ("dcmt521", "mt19937", "mtgp11213", "ranmar48x")}
FOUND = 99  # exit status if a sanitizer found an error


class Sanitizers(rivulet_cli.Case):
    TIMEOUT = 600

    def require_clean(self, command, decks, variables=None):
        environment = rivulet_cli.environment(OMP_NUM_THREADS="2", **(variables or {}))
        for name, deck in decks.items():
            with self.subTest(name):
                expected = self.run_ok(*deck, "output.file=").digest
                done = subprocess.run([*command, *deck, "output.file="], cwd=self.directory,
                                      env=environment, text=True, timeout=self.TIMEOUT,
                                      errors="replace", check=False, stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                self.assertEqual(done.returncode, 0, done.stdout[-5000:])
                # With numbers on demand, the digest depends on the order of the warps' requests.
                if "on_demand" not in name:
                    self.assertIn(f"Digest: {expected}", done.stdout)


class OnDevice(Sanitizers):
    """Runs the program under compute-sanitizer."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        rivulet_cli.skip_without_device()
        cls.tool = shutil.which("compute-sanitizer")
        if rivulet_cli.backends()[0] != "CUDA":
            raise unittest.SkipTest("compute-sanitizer is for NVIDIA's GPUs")
        if cls.tool is None:
            raise unittest.SkipTest("compute-sanitizer, of the CUDA Toolkit, is not in the path")

    def check(self, tool, decks):
        self.require_clean([self.tool, "--tool", tool, "--error-exitcode", str(FOUND),
                            rivulet_cli.BINARY], decks)

    def test_memcheck(self):
        self.check("memcheck", {**DECKS, **SHARED})

    def test_initcheck(self):
        self.check("initcheck", {**DECKS, **SHARED})

    def test_racecheck(self):
        self.check("racecheck", DECKS)


class OnTheHost(Sanitizers):
    """Runs the program of the preset `debug`, which stops at the first error."""

    PROGRAM = rivulet_cli.SOURCE_DIR / "build-debug" / "rivulet"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not cls.PROGRAM.is_file():
            raise unittest.SkipTest(f"there is no {cls.PROGRAM} (cmake --preset debug builds it)")

    def test_address_and_undefined(self):
        self.require_clean([self.PROGRAM], {**DECKS, **SHARED}, {
            "ASAN_OPTIONS": f"detect_leaks=0:exitcode={FOUND}",  # MPI does not free all its memory
            "UBSAN_OPTIONS": f"halt_on_error=1:exitcode={FOUND}:print_stacktrace=1"})
