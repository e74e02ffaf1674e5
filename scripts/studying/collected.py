# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Collects a study's measurements from the results files of its runs."""

import csv
import json
import math

from common.failure import ScriptError
from common.files import reader

COLLECTED = "collected.json"
PHASES = ("setup", "rng", "compute", "reduction", "transfer", "io", "total")
TEXTS = ("name", "digest", "unit")
NUMBERS = ("nodes", "repetition", "ranks", "amount", "threads", "merit",
           *(f"{phase}{end}" for phase in PHASES for end in ("", "_avg")))


def collect(folder, study, partial=False):
    """Writes collected.json and collected.csv, and returns their rows, one per run. A row has the plan, figure of
    merit, digest and phases (seconds of the slowest rank, and the average over ranks). Raises ScriptError if a run has
    no results and `partial` is false, or if digests of the same work differ."""
    missing = [run["name"] for run in study["runs"] if not (folder / run["results"]).is_file()]
    if missing and not partial:
        raise ScriptError(f"{len(missing)} of {len(study['runs'])} runs have no results",
                         f"{', '.join(missing[:4])}{' ...' if len(missing) > 4 else ''}",
                         f"Wait for them, run `scripts/scaling submit {folder}` again, or collect the others with "
                         "--partial.")
    rows = [row_of(folder / run["results"], run) for run in study["runs"] if run["name"] not in missing]
    if not rows:
        raise ScriptError("nothing to collect", "no run has results", f"Run `scripts/scaling submit {folder}` first.")
    require_same_digests(study, rows)
    (folder / COLLECTED).write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    with open(folder / "collected.csv", "w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, fieldnames=list(rows[0]))
        table.writeheader()
        table.writerows(rows)
    return rows


def row_of(path, run):
    try:
        with reader.opened(path) as file:
            timing = file["timing"]
            row = {"name": run["name"], "nodes": run["nodes"], "repetition": run["repetition"],
                   "ranks": int(file["config"].attrs["ranks"]), "amount": run["amount"],
                   "threads": int(file["config"].attrs["threads"]),
                   "digest": str(file.attrs["digest"]), "merit": float(timing.attrs["figure_of_merit"]),
                   "unit": str(timing.attrs["figure_of_merit_unit"])}
            for phase in PHASES:
                seconds = timing[phase][()]
                row[phase], row[f"{phase}_avg"] = float(seconds.max()), float(seconds.mean())
    except (OSError, KeyError, ValueError) as failure:
        raise ScriptError(f"cannot read '{path}'", f"it is not a complete results file: {failure}",
                         "Remove it, and submit that run again.") from failure
    if row["ranks"] != run["ranks"]:
        raise ScriptError(f"'{path}' is from {row['ranks']} ranks", f"{run['ranks']} were planned",
                         "Start the ranks with the launcher of the program's own MPI.")
    return row


def require_same_digests(study, rows):
    """Raises ScriptError if runs of the same work have different digests."""
    known = {}
    for row in rows:
        first = known.setdefault(row["amount"], row)
        if row["digest"] != first["digest"]:
            raise ScriptError(f"the runs {first['name']} and {row['name']} have different digests",
                             f"{first['digest'][:16]}... and {row['digest'][:16]}... of the same work",
                             "One of the nodes or builds gives wrong results: use nothing from this study.")


def load(folder):
    try:
        rows = json.loads((folder / COLLECTED).read_text(encoding="utf-8"))
    except (OSError, ValueError) as failure:
        raise ScriptError(f"'{folder}' has nothing collected", str(failure),
                         f"Run `scripts/scaling collect {folder}` first.") from failure
    if not isinstance(rows, list) or not rows or not all(map(is_row, rows)):
        raise ScriptError(f"cannot read '{folder / COLLECTED}'", "it does not have the format that collect writes",
                         f"Run `scripts/scaling collect {folder}` again.")
    return rows


def is_row(row):
    """True if the row has the keys and types of a row from row_of()."""
    return (isinstance(row, dict) and all(isinstance(row.get(key), str) for key in TEXTS)
            and all(is_number(row.get(key)) for key in NUMBERS))


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
