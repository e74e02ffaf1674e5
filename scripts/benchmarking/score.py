# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Figures of merit of disclosure sheets, divided by those of a reference machine."""

import json
import statistics
import sys

from benchmarking import procurement
from benchmarking.procurement import FORMAT, UNKNOWN, known_problems, size_of
from common.failure import ScriptError
from common.text import table_of

LEAST_RUNS = 5


def fault(found, problems):
    """What the run rules of docs/benchmark.md forbid in a sheet; empty if all is well."""
    rows = {row["problem"]: row for row in found["problems"]}
    unknown = [line for line, value in found["sheet"].items() if value == UNKNOWN]
    if unknown:
        return f"its disclosure does not say: {', '.join(unknown)}"
    name, _ = size_of(found["size"], problems)
    if rows.keys() != problems.keys():
        return f"it has not all problems, but {', '.join(rows)}"
    for problem, row in rows.items():
        expected = problems[problem]["sizes"][name].get("digest") if found["seed"] is None else None
        if len(row["merits"]) < LEAST_RUNS:
            return f"it has {len(row['merits'])} runs of {problem}, which needs {LEAST_RUNS}"
        if row["wrong"] or expected not in (None, row["digest"]):
            return f"its result of {problem} is wrong"
    return ""


def warn_of_changes(path, found):
    """Of a build with changes that are in no commit, and that the sheet does not name."""
    builds = [found["sheet"].get("Rivulet", ""), *(row.get("ran", "") for row in found["problems"])]
    named = found["sheet"].get("changes of the source", "none")
    if any("-dirty)" in one for one in builds) and named.startswith("none"):
        print(f"scripts/bench: warning: {path} is of a build with changes that are in no commit (-dirty), and its line "
              f"\"changes of the source\" says \"{named}\". Ask for a patch, or for the sheet of a clean build.",
              file=sys.stderr)


def opened(path, use):
    """A sheet, and what is made of it."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if found["format"] != FORMAT:
            raise ValueError
        return found, use(found)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ScriptError(f"{path} is no disclosure sheet.",
                          "Give the JSON that --benchmark --record wrote.") from error


def sheet(path, problems):
    found, wrong = opened(path, lambda one: fault(one, problems))
    if wrong:
        raise ScriptError(f"{path} cannot be compared: {wrong}.", "docs/benchmark.md has the run rules.")
    return found


def completed(path, given):
    """A finished sheet with the lines that its submitter fills in."""
    return opened(path, lambda one: one["sheet"].update(given) or procurement.page(one))[0]


def medians(found):
    return {row["problem"]: statistics.median(row["merits"]) for row in found["problems"]}


def page(reference_path, paths):
    """Lines of Markdown: a column a sheet, a row a problem, and the geometric means."""
    problems = known_problems()
    reference = sheet(reference_path, problems)
    warn_of_changes(reference_path, reference)
    ratios = {}
    for path in paths:
        found = sheet(path, problems)
        warn_of_changes(path, found)
        if found["size"].partition(":")[0] != reference["size"].partition(":")[0]:
            raise ScriptError(f"{path} is of size {found['size']}, {reference_path} of {reference['size']}.",
                              "Compare sheets of one size.")
        mine, other = medians(found), medians(reference)
        ratios[path.stem] = [mine[name] / other[name] for name in problems]
    rows = [(name, *(f"{one[i]:.3f}" for one in ratios.values())) for i, name in enumerate(problems)]
    means = ("geometric mean", *(f"{statistics.geometric_mean(one):.3f}" for one in ratios.values()))
    return table_of((f"divided by {reference_path.stem}'s", *ratios), [*rows, means])
