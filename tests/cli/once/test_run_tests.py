# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run_tests.py and the programs of GoogleTest tell ctest whether tests ran, failed or all skipped
themselves, and what did and why; tests/list_skipped lists that."""

import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

RUNNER = pathlib.Path(__file__).resolve().parents[1] / "run_tests.py"
LIST = RUNNER.parents[1] / "list_skipped"
CTEST = os.environ.get("RIVULET_CTEST", "ctest")
UNIT_TESTS = os.environ.get("RIVULET_UNIT_TESTS", "build/tests/rivulet_unit_tests")
HEAD = "import unittest\n\n\nclass Some(unittest.TestCase):\n"
PASSES = "    def test_that_passes(self):\n        pass\n"
FAILS = "    def test_that_fails(self):\n        self.fail('on purpose')\n"
SKIPS = "    def test_that_skips(self):\n        self.skipTest('nothing to run it on')\n"
DECORATED = "    @unittest.skip('not here')\n    def test_decorated(self):\n        self.fail()\n"
WHOLE_CLASS = textwrap.indent(textwrap.dedent("""\
    @classmethod
    def setUpClass(cls):
        raise unittest.SkipTest('nothing at all')
"""), "    ")
A_PART = textwrap.indent(textwrap.dedent("""\
    def test_in_parts(self):
        for part in (1, 2):
            with self.subTest(part=part):
                if part == 2:
                    self.skipTest('that part')
"""), "    ")


class Statuses(unittest.TestCase):
    def status(self, text, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "test_some.py"
            path.write_text(text, encoding="utf-8")
            done = subprocess.run([sys.executable, RUNNER, path, *arguments], capture_output=True,
                                  text=True, check=False)
        self.said = done.stderr
        return done.returncode

    def test_some_ran(self):
        for tests in (PASSES, PASSES + SKIPS, SKIPS + PASSES + DECORATED, A_PART):
            self.assertEqual(self.status(HEAD + tests), 0, self.said)

    def test_all_skipped(self):
        for tests in (SKIPS, DECORATED, SKIPS + DECORATED, WHOLE_CLASS + PASSES):
            self.assertEqual(self.status(HEAD + tests), 77, self.said)
        self.assertIn("skipped=1", self.said)
        self.assertEqual(self.status("import unittest\n\nraise unittest.SkipTest('no module')\n"), 77)
        self.assertEqual(self.said, "SKIPPED: all: no module\n")
        other = HEAD.replace("import unittest\n", "").replace("Some", "Other")
        self.assertEqual(self.status(HEAD + WHOLE_CLASS + PASSES + other + PASSES), 0, self.said)

    def test_each_is_listed_with_its_reason(self):
        self.status(HEAD + PASSES + SKIPS + DECORATED + A_PART)
        self.assertEqual(self.listed(), ["Some.test_decorated: not here",
                                         "Some.test_in_parts (part=2): that part",
                                         "Some.test_that_skips: nothing to run it on"])
        self.status(HEAD + WHOLE_CLASS + PASSES)
        self.assertEqual(self.listed(), ["setUpClass (Some): nothing at all"])
        self.status(HEAD + PASSES)
        self.assertEqual(self.listed(), [])

    def listed(self):
        return sorted(line.removeprefix("SKIPPED: ") for line in self.said.splitlines()
                      if line.startswith("SKIPPED: "))

    def test_failures(self):
        for tests in (FAILS, SKIPS + FAILS, PASSES + FAILS):
            self.assertEqual(self.status(HEAD + tests), 1, self.said)
            self.assertIn("on purpose", self.said)
        self.assertNotIn(self.status("import no_such_module\n"), (0, 77))
        self.assertIn("no_such_module", self.said)

    def test_none_found(self):
        self.assertEqual(self.status("import unittest\n"), 5, self.said)

    def test_arguments(self):
        self.assertEqual(self.status(HEAD + PASSES + FAILS, "Some.test_that_passes"), 0, self.said)


class GoogleTest(unittest.TestCase):
    # One of them skips itself in every build.
    CASES = {"IsRefusedWithoutFftw": "built with FFTW",
             "IsExactForTheLargestNumbers": "built without FFTW"}

    def run_cases(self, *names):
        filters = ":".join(f"CorrelationByFft.{name}" for name in names)
        done = subprocess.run([UNIT_TESTS, f"--gtest_filter={filters}"], capture_output=True,
                              text=True, check=False)
        return done.returncode, [line for line in done.stdout.splitlines()
                                 if line.startswith("SKIPPED: ")]

    def test_statuses_and_reasons(self):
        outcomes = []
        for name, reason in self.CASES.items():
            status, said = self.run_cases(name)
            outcomes.append(status)
            self.assertEqual(
                said, [f"SKIPPED: CorrelationByFft.{name}: {reason}"] if status == 77 else [])
        self.assertEqual(sorted(outcomes), [0, 77])
        status, said = self.run_cases(*self.CASES)
        self.assertEqual((status, len(said)), (0, 1))


class Ctest(unittest.TestCase):
    """What ctest makes of it, and list_skipped of ctest's log."""

    TESTS = {"passes": HEAD + PASSES, "skips": HEAD + SKIPS + DECORATED,
             "both": HEAD + PASSES + SKIPS, "fails": HEAD + FAILS + SKIPS}

    def test_it_counts_and_lists_them(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            lines = []
            for test, text in self.TESTS.items():
                (folder / f"test_{test}.py").write_text(text, encoding="utf-8")
                lines.append(f'add_test({test} "{sys.executable}" "{RUNNER}" "test_{test}.py")')
            lines += ['add_test(Suite.Case "sh" "-c" '
                      '"echo SKIPPED: Suite.Case: no luck; exit 77")',
                      f'set_tests_properties({" ".join(self.TESTS)} Suite.Case PROPERTIES '
                      'SKIP_RETURN_CODE 77)']
            (folder / "CTestTestfile.cmake").write_text("\n".join(lines) + "\n", encoding="utf-8")
            ran = subprocess.run([CTEST], cwd=folder, capture_output=True, text=True, check=False)
            listed = subprocess.run([LIST, folder], capture_output=True, text=True, check=True)
        self.assertRegex(ran.stdout, r"\d+ - fails \(Failed\)")
        for test in ("skips", "Suite.Case"):
            self.assertRegex(ran.stdout, rf"\d+ - {test} \(Skipped\)")
        for test in ("passes", "both"):
            self.assertRegex(ran.stdout, rf"Test +#\d+: {test} \.+ +Passed")
        self.assertEqual(listed.stdout.splitlines(), [
            "skips: Some.test_decorated: not here",
            "skips: Some.test_that_skips: nothing to run it on",
            "both: Some.test_that_skips: nothing to run it on",
            "fails: Some.test_that_skips: nothing to run it on",
            "Suite.Case: no luck"])


if __name__ == "__main__":
    unittest.main()
