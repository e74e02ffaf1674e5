# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the tests of a file: `run_tests.py test_NAME.py [arguments of unittest]`. If every test skipped itself, the exit
status tells ctest that the file was skipped. At the end, prints "SKIPPED: TEST: REASON" for each test that was skipped
wholly or in part."""

import importlib
import pathlib
import sys
import unittest

SKIPPED = 77  # ctest's SKIP_RETURN_CODE
NO_TESTS = 5  # unittest's status if no test ran, from Python 3.12 on


class Result(unittest.TextTestResult):
    """Counts tests that skipped themselves. A test with a skipped part counts as run."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.running = None
        self.skipped_tests = 0

    def startTest(self, test):
        super().startTest(test)
        self.running = test

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.skipped_tests += test is self.running


def status_of(result):
    if not result.wasSuccessful():
        return 1
    if result.testsRun > result.skipped_tests:
        return 0
    return SKIPPED if result.skipped else NO_TESTS


def list_skipped(result, module):
    for test, reason in result.skipped:
        name = test.id().replace(f"{module}.", "")
        print(f"SKIPPED: {name}: {reason}", file=sys.stderr)


def main():
    path = pathlib.Path(sys.argv[1]).resolve()
    sys.path.insert(0, str(path.parent))
    try:
        importlib.import_module(path.stem)  # unittest would report a failed import less clearly
    except unittest.SkipTest as reason:
        print(f"SKIPPED: all: {reason}", file=sys.stderr)
        sys.exit(SKIPPED)
    runner = unittest.TextTestRunner(resultclass=Result)
    program = unittest.main(path.stem, argv=sys.argv[1:], testRunner=runner, exit=False)
    list_skipped(program.result, path.stem)
    sys.exit(status_of(program.result))


if __name__ == "__main__":
    main()
