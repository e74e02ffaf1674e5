# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records: all that was measured on one machine, with its description (JSON)."""

import json
import re
import statistics

from common.failure import ScriptError

FORMAT, VERSION = "rivulet benchmarks", 1


def in_order(case):
    """Names with numbers in them as people sort them."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", case)]


class Record:
    """Medians of one record by benchmark and case, sorted by name: they were measured in random order."""

    def __init__(self, name, data):
        self.name = name
        self.data = data
        self.machine = data["machine"]

    def cases(self, benchmark):
        found = self.data["benchmarks"].get(benchmark, {"cases": {}})["cases"]
        return {case: found[case] for case in sorted(found, key=in_order)}

    def rates(self, benchmark):
        return {case: statistics.median(values["rates"])
                for case, values in self.cases(benchmark).items() if values["rates"]}

    def seconds(self, benchmark):
        return {case: statistics.median(values["seconds"])
                for case, values in self.cases(benchmark).items()}

    def is_on(self, page):
        """Whether a page shows it: where two records are of machines alike, each may name its own pages."""
        return page in self.data.get("pages", [page])

    @property
    def hardware(self):
        """The GPUs' name, or the processor's, as a heading."""
        if "GPUs" in self.machine:
            return self.machine["GPUs"].split(",")[0].removeprefix("1 x ")
        return self.machine["processor"]


def save(path, data):
    text = json.dumps({"format": FORMAT, "format_version": VERSION, **data}, indent=1)
    path.write_text(text + "\n", encoding="utf-8")


def load(path):
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as failure:
        raise ScriptError(f"'{path}' cannot be read as a record ({failure}).", "Make one with --record FILE.")
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ScriptError(f"'{path}' is not a record of benchmarks.", "Make one with --record FILE.")
    if data["format_version"] > VERSION:
        raise ScriptError(f"'{path}' has version {data['format_version']}, and the newest supported is {VERSION}.",
             "Read it with the version of Rivulet that wrote it.")
    return Record(path.stem, data)
