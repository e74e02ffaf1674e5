# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""As all tests of this project, these list what skipped itself, "SKIPPED: TEST: REASON", and end
with 77 if everything did."""

import pytest

SKIPPED = 77


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
