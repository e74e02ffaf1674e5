# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/performance.md and docs/published.md, from records."""

import re
import statistics

from benchmarking import published, scaling
from benchmarking.text import percent, rate_text, seconds_text

NAMES = {"dcmt521": "dcmt521", "dcmt607": "dcmt607", "ranmar24": "ranmar24", "ranmar48": "ranmar48",
         "ranmar48x": "ranmar48x", "hybrid_tausworthe": "hybrid Tausworthe", "lfsr113": "lfsr113"}
PEERS = {"philox_pi": "Philox4x32-10", "std_mt19937_pi": "std::mt19937",
         "std_mt19937_uint32": "std::mt19937, uint32", "gsl_alias": "gsl_ran_discrete"}
GENERATORS = "generators"

PERFORMANCE = """# Performance

Written by `scripts/bench --pages docs bench/records/*.json` from the records of measurements that
`scripts/bench --record FILE` made; a test compares. Rates are medians, and what is compared was
measured in one run. On a CPU one core is used, except where ranks are counted; on a GPU all of it.

- *Fused pi*: points in the quarter circle, a 32-bit word a point, generated and counted in registers.
  *Issue*: executed instructions a second (those of a point, counted by the profiler, times points), as a
  share of the most that the GPU was measured to issue, by a kernel of logic and multiplications in equal
  parts. *Logic*: the same of the instructions that only the pipe of logic, shifts and comparisons
  executes, and of a kernel of nothing but these. *Team* is a stream to a warp (GPU) or a thread.
- *Bulk*: numbers into memory, in the types that a generator makes without putting numbers together.
  *Write*: the share of the most that memory was written with, the fastest of three ways: 16 bytes a
  thread, few threads that walk side by side, and the vendor's filling with zeros.
- *Alias sampling*: a 10 x 10 correlated gaussian, with histogram: flat, and by rows (two lookups).
- *Set-up*: from parameter sets to streams ready to draw, allocation and jumps included.
- *Scaling*: pi and fill draw from dcmt521, alias from the hybrid Tausworthe generator; fill makes floats,
  in a buffer that is written again and again (a CPU keeps it in its cache).
"""

PUBLISHED = """# The published tables again

Written by `scripts/bench --pages docs bench/records/*.json`, which also made the times of Rivulet in it
(`scripts/bench --only published --record FILE`); a test compares. The documents' times are theirs, on
their hardware; Rivulet's are medians of runs of the decks in [inputs/published](../inputs/published),
without writing the results file, unless the text says so. Fields are empty where a document says nothing of
a time, or Rivulet was not measured.
"""


def row(*cells):
    return f"| {' | '.join(cells)} |"


def head(*cells):
    return [row(*cells), "|---" * len(cells) + "|"]


def name_of(case):
    """A generator's or a peer's name from pi_NAME, bulk_NAME_TYPE or alias_NAME_CELLS."""
    return re.sub(r"^(pi|bulk|alias|set_up)_|_(team|uint32|float|double|100|10x10)(?=_|$)", "", case)


def best_write(rates):
    writes = [rate for case, rate in rates.items() if case.startswith("write_")]
    return max(writes) if writes else None


def peer_columns(record, rates, peers):
    """Which peers of a kind were measured, as headings of ratios."""
    philox = "cuRAND's Philox" if "GPUs" in record.machine else "Random123's Philox"
    return [(peer, f"of {philox if peer == 'philox_pi' else PEERS[peer]}") for peer in peers
            if peer in rates]


def cases_by_generator(rates, kind):
    """Cases of a kind (pi, bulk, set_up) in the generators' order."""
    return [case for name in NAMES for case in rates
            if case.startswith(f"{kind}_") and name_of(case) == name]


def pi_table(record):
    rates, instructions = record.rates(GENERATORS), record.data.get("instructions", {})
    peers = peer_columns(record, rates, ("std_mt19937_pi", "philox_pi"))
    counted = bool(instructions) and "issue_all" in rates and "issue_logic" in rates
    lines = head("generator", "mapping", "rate", *(text for _, text in peers),
                 *(["instructions a point", "issue", "logic"] if counted else []))
    for case in cases_by_generator(rates, "pi") + [peer for peer, _ in peers]:
        rate = rates[case]
        cells = [NAMES.get(name_of(case)) or PEERS[case],
                 "team" if case.endswith("_team") else "lane" if case.startswith("pi_") else "",
                 rate_text(rate, "points/s"), *(f"{rate / rates[peer]:.2f} x" for peer, _ in peers)]
        if counted:
            many = instructions.get(case)
            cells += [f"{many['all']:.1f}", percent(many["all"] * rate, rates["issue_all"]),
                      percent(many["logic"] * rate, rates["issue_logic"])] if many else [""] * 3
        lines.append(row(*cells))
    if counted:
        lines += ["", f"Issued at most: {rate_text(rates['issue_all'], 'instructions/s')}, of logic "
                  f"{rate_text(rates['issue_logic'], 'instructions/s')} (counted per thread, not per warp)."]
    return lines


def bulk_table(record):
    rates = record.rates(GENERATORS)
    best = best_write(rates)
    lines = head("generator", "numbers", "lane", "write", "team", "write")

    def cells_of(case):
        rate = rates.get(case)
        share = percent(rate, best) if rate and best else ""
        return [rate_text(rate, "B/s"), share] if rate else ["", ""]

    for case in cases_by_generator(rates, "bulk"):
        if not case.endswith("_team"):
            lines.append(row(NAMES[name_of(case)], case.rsplit("_", 1)[1], *cells_of(case),
                             *cells_of(case + "_team")))
    for case in rates:
        if case.startswith("curand_") or case == "std_mt19937_uint32":
            library, number = case.rsplit("_", 1)
            name = library.replace("curand_", "cuRAND ").replace("std_mt19937", "std::mt19937")
            lines.append(row(name, number, *cells_of(case), "", ""))
    writes = ", ".join(f"{case.removeprefix('write_')} {rate_text(rate, 'B/s')}"
                       for case, rate in rates.items() if case.startswith("write_"))
    return [*lines, *(["", f"Written at most: {writes}."] if writes else [])]


def alias_table(record):
    rates = record.rates(GENERATORS)
    peers = peer_columns(record, rates, ("gsl_alias",))
    lines = head("generator", "100 cells flat", *(text for _, text in peers), "10 x 10 by rows")
    for name, text in NAMES.items():
        flat, rows = rates.get(f"alias_{name}_100"), rates.get(f"alias_{name}_10x10")
        if flat and rows:
            lines.append(row(text, rate_text(flat, "samples/s"),
                             *(f"{flat / rates[peer]:.1f} x" for peer, _ in peers),
                             rate_text(rows, "samples/s")))
    large, reads = rates.get("alias_hybrid_tausworthe_100000000"), rates.get("random_reads")
    if large and reads:
        lines += ["", f"A table of 10^8 random cells: {rate_text(large, 'samples/s')}, {large / reads:.2f} x "
                  f"the 8-byte reads at random places that memory sustains ({rate_text(reads, 'reads/s')})."]
    return lines


def set_up_table(record):
    rates, seconds = record.rates(GENERATORS), record.seconds(GENERATORS)
    lines = head("generator", "streams", "time", "rate")
    for case in cases_by_generator(rates, "set_up"):
        lines.append(row(NAMES[name_of(case)], f"{rates[case] * seconds[case]:.0f}",
                         seconds_text(seconds[case]), rate_text(rates[case], "streams/s")))
    return lines


def short(case):
    """A case's name without what Google Benchmark adds behind slashes."""
    return case.split("/")[0]


def benchmark_table(record, benchmark):
    """All cases of one benchmark program, with their ratios."""
    medians = {short(case): rate for case, rate in record.rates(benchmark).items()}
    lines = head("case", "time", "rate", "spread", "ratios")
    for case, values in record.cases(benchmark).items():
        ratios = [f"{medians[ours] / medians[theirs]:.3g} x {theirs}"
                  for ours, theirs in record.data["benchmarks"][benchmark]["ratios"]
                  if ours == short(case) and ours in medians and theirs in medians]
        spread = values["rates"] or values["seconds"]
        width = percent(max(spread) - min(spread), statistics.median(spread))
        rate = rate_text(statistics.median(values["rates"]), "1/s") if values["rates"] else ""
        lines.append(row(case, seconds_text(statistics.median(values["seconds"])), rate, width,
                         ", ".join(ratios)))
    return lines


def performance_of(record, picture):
    """One machine's section; picture: its path, or None."""
    lines = [f"## {record.hardware}, {record.machine['date']}", "",
             *(f"- {key}: {value}" for key, value in record.machine.items()), ""]
    if GENERATORS in record.data["benchmarks"]:
        if picture:
            lines += [f"![Rates of every generator]({picture})", ""]
        for title, table in (("Fused pi", pi_table), ("Bulk", bulk_table),
                             ("Alias sampling", alias_table), ("Set-up", set_up_table)):
            lines += [f"### {title}", "", *table(record), ""]
    if record.data.get("scaling"):
        lines += ["### Scaling", "",
                  "Strong: the same work on all; the digests were equal. Weak: as much for each.", "",
                  *scaling.table(record.data["scaling"]), ""]
    for benchmark in record.data["benchmarks"]:
        if benchmark != GENERATORS:
            lines += [f"### bench_{benchmark}", "", *benchmark_table(record, benchmark), ""]
    return lines


def performance(records, pictures):
    lines = PERFORMANCE.splitlines() + [""]
    for record in records:
        lines += performance_of(record, pictures.get(record.name))
    return "\n".join(lines)


def described(machine):
    """When, and with what if a benchmark told it."""
    kokkos = f", Kokkos {machine['Kokkos']}" if "Kokkos" in machine else ""
    return machine["date"] + kokkos


def published_page(records):
    known = {record.hardware: record.data["published"] for record in records
             if record.data.get("published")}
    machines = [f"- {record.hardware}: {described(record.machine)}"
                for record in records if record.data.get("published")]
    lines = [*PUBLISHED.splitlines(), "", *machines, ""]
    for document in published.DOCUMENTS:
        lines += [f"## {document.title}", "", document.about, "",
                  *published.table(document, known), ""]
    return "\n".join(lines)
