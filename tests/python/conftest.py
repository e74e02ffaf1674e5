# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints "SKIPPED: TEST: REASON" for each skipped test, as all tests of this project do. The exit status is 77 if
all tests were skipped."""

import threading

import numpy as np
import pytest

SKIPPED = 77


@pytest.fixture
def sorted_of_two_threads():
    """Returns a function that draws 300 times in each of two threads, and returns all results sorted."""
    def sorted_of(draw):
        drawn = [[], []]
        threads = [threading.Thread(target=lambda mine=mine: mine.extend(draw() for _ in range(300))) for mine in drawn]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        return np.sort(np.concatenate(drawn[0] + drawn[1]))

    return sorted_of


def pytest_sessionfinish(session, exitstatus):
    stats = session.config.pluginmanager.get_plugin("terminalreporter").stats
    if exitstatus in (0, pytest.ExitCode.NO_TESTS_COLLECTED) and stats.get("skipped") \
            and not stats.get("passed"):
        session.exitstatus = SKIPPED


def pytest_terminal_summary(terminalreporter):
    for report in terminalreporter.stats.get("skipped", ()):
        name = report.nodeid.split("::")[-1] if "::" in report.nodeid else "all"
        reason = report.longrepr[2].replace("Skipped: ", "")
        terminalreporter.write_line(f"SKIPPED: {name}: {reason}")
