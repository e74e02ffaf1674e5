# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run_tests.py tells ctest whether tests ran, failed or all skipped themselves."""

import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

RUNNER = pathlib.Path(__file__).resolve().with_name("run_tests.py")
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
        other = HEAD.replace("import unittest\n", "").replace("Some", "Other")
        self.assertEqual(self.status(HEAD + WHOLE_CLASS + PASSES + other + PASSES), 0, self.said)

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


if __name__ == "__main__":
    unittest.main()
