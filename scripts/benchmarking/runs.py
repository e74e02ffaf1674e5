# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the report of a run of rivulet."""

import re

PHASES = ("setup", "rng", "compute", "reduction", "transfer", "io", "total")


class Report:
    """What a run printed."""

    def __init__(self, text):
        self.heading = re.search(r"^Rivulet .*", text, re.M)[0]
        self.merit, self.unit = re.search(r"^Figure of Merit \(FOM\): (\S+) (\S+)$", text, re.M).groups()
        self.merit = float(self.merit)
        self.digest, said = re.search(r"^Digest: ([0-9a-f]{64})(.*)$", text, re.M).groups()
        self.is_expected = said == " (as expected)"  # by output.expect
        # Of the slowest rank: the last of minimum, average and maximum.
        self.seconds = {phase: float(re.search(rf"^{phase} +\S+ +\S+ +(\S+)$", text, re.M).group(1))
                        for phase in PHASES}
