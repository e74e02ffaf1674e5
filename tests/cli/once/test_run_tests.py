# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The exit status of run_tests.py tells ctest whether a file passed, failed or was skipped. tests/list_skipped lists
the skipped tests and the reasons."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

RUNNER = pathlib.Path(__file__).resolve().parents[1] / "run_tests.py"
CTEST = os.environ.get("RIVULET_CTEST", "ctest")
HEAD = "import unittest\n\n\nclass Some(unittest.TestCase):\n"
PASSES = "    def test_that_passes(self):\n        pass\n"
FAILS = "    def test_that_fails(self):\n        self.fail('on purpose')\n"
SKIPS = "    def test_that_skips(self):\n        self.skipTest('nothing to run it on')\n"
FILES = {"passes": HEAD + PASSES, "both": HEAD + PASSES + SKIPS, "skips": HEAD + SKIPS, "fails": HEAD + FAILS + SKIPS,
         "nothing": "import unittest\n\nraise unittest.SkipTest('no module')\n", "broken": "import no_such_module\n",
         "empty": "import unittest\n"}


class Statuses(unittest.TestCase):
    def test_ctest_counts_and_lists_them(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            lines = []
            for test, text in FILES.items():
                (folder / f"test_{test}.py").write_text(text, encoding="utf-8")
                lines.append(f'add_test({test} "{sys.executable}" "{RUNNER}" "test_{test}.py")')
            lines += ['add_test(Suite.Case "sh" "-c" "echo SKIPPED: Suite.Case: no luck; exit 77")',
                      f'set_tests_properties({" ".join(FILES)} Suite.Case PROPERTIES SKIP_RETURN_CODE 77)']
            (folder / "CTestTestfile.cmake").write_text("\n".join(lines) + "\n", encoding="utf-8")
            ran = subprocess.run([CTEST], cwd=folder, capture_output=True, text=True, check=False)
            listed = subprocess.run([RUNNER.parents[1] / "list_skipped", folder], capture_output=True, text=True,
                                    check=True)
        for test in ("fails", "broken", "empty"):
            self.assertRegex(ran.stdout, rf"\d+ - {test} \(Failed\)")
        for test in ("skips", "nothing", "Suite.Case"):
            self.assertRegex(ran.stdout, rf"\d+ - {test} \(Skipped\)")
        for test in ("passes", "both"):
            self.assertRegex(ran.stdout, rf"Test +#\d+: {test} \.+ +Passed")
        self.assertEqual(listed.stdout.splitlines(), [
            "both: Some.test_that_skips: nothing to run it on", "skips: Some.test_that_skips: nothing to run it on",
            "fails: Some.test_that_skips: nothing to run it on", "nothing: all: no module", "Suite.Case: no luck"])


if __name__ == "__main__":
    unittest.main()
