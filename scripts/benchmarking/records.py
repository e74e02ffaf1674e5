# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Medians of what was measured on one machine: as a table, and as a file of bench/records (CSV, whose first lines say
on what and by which command)."""

import csv
import re
import statistics

from common.text import percent, rate_text, seconds_text, table_of

COLUMNS = ("part", "case", "median", "least", "greatest", "runs", "unit")


def in_order(case):
    """Names with numbers in them as people sort them."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", case)]


def rows_of(part, cases):
    """A row of COLUMNS a case: its rates or, where it counts nothing, its seconds."""
    for case in sorted(cases, key=in_order):
        values, unit = (cases[case]["rates"], "1/s") if cases[case]["rates"] else (cases[case]["seconds"], "s")
        numbers = [f"{number:.5g}" for number in (statistics.median(values), min(values), max(values))]
        yield (part, case, *numbers, len(values), unit)


def table(cases, ratios):
    """A benchmark's cases, with their ratios to others."""
    rates = {case.partition("/")[0]: statistics.median(one["rates"]) for case, one in cases.items() if one["rates"]}
    rows = []
    for case in sorted(cases, key=in_order):
        found, name = cases[case], case.partition("/")[0]
        beside = [f"{rates[ours] / rates[theirs]:.3g} x {theirs}" for ours, theirs in ratios
                  if ours == name and ours in rates and theirs in rates]
        spread = found["rates"] or found["seconds"]
        rows.append((case, seconds_text(statistics.median(found["seconds"])),
                     rate_text(statistics.median(found["rates"]), "1/s") if found["rates"] else "",
                     percent(max(spread) - min(spread), statistics.median(spread)), ", ".join(beside)))
    return table_of(("case", "time", "rate", "spread", "ratios"), rows)


def save(path, described, rows):
    """described: what was measured, and on what, by key."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.writelines(f"# {key}: {value}\n" for key, value in described.items())
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows)
