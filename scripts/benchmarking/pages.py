# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/performance.md and docs/published.md, from records."""

import re
import statistics

from benchmarking import published, scaling
from benchmarking.text import percent, rate_text, seconds_text

# Of generators, where they are not their names.
TITLES = {"hybrid_tausworthe": "hybrid Tausworthe"}
# Cases of generators: pi_NAME, bulk_NAME_TYPE, alias_NAME_CELLS, set_up_NAME and set_up_NAME_STREAMS.
CASE = re.compile(r"(?P<kind>pi|bulk|alias|set_up)_(?P<name>\w+?)"
                  r"(?:_(?P<what>uint32|float|double|\d+(?:x\d+)?))?(?:_(?P<mapping>team|block))?")
MAPPINGS = ("lane", "team", "block")
PEERS = {"philox_pi": "Philox4x32-10", "std_mt19937_pi": "std::mt19937",
         "std_mt19937_uint32": "std::mt19937, uint32", "gsl_alias": "gsl_ran_discrete"}
GENERATORS = "generators"

PERFORMANCE = """# Performance

Written by `scripts/bench --pages docs bench/records/*.json` from the records of measurements that
`scripts/bench --record FILE` made; a test checks that they agree. Rates are medians, and each ratio
comes from one run. On a CPU one core is used, except where ranks are counted; on a GPU all of it.

- *Fused pi*: points in the quarter circle, a 32-bit word per point, generated and counted in registers.
  *Issue*: executed instructions per second (those per point, counted by the profiler, times points), as a
  share of the highest measured issue rate, that of a kernel of logic and multiplications in equal parts.
  *Logic*: the same for the instructions that only the pipe of logic, shifts and comparisons executes,
  against a kernel of nothing but these. *Team* is one stream per warp (GPU) or thread, *block* one stream
  per block of threads.
- *Bulk*: numbers into memory, in the types that a generator makes without combining numbers. *Write*: the
  share of the highest measured write bandwidth, that of the fastest of four ways: 16 bytes per thread
  (each), a few threads that walk side by side (walking), the vendor's fill with zeros (zeros), and on a
  CPU stores that do not read what they overwrite (streaming).
- *Alias sampling*: a 10 x 10 correlated gaussian, with histogram: flat, and by rows (two lookups).
- *Set-up*: from parameter sets to streams ready to draw, allocation and jumps included.
- *Scaling*: pi and fill draw from dcmt521, alias from the hybrid Tausworthe generator; fill makes floats,
  in a buffer that is overwritten again and again (a CPU keeps it in cache).
"""

PUBLISHED = """# The published tables again

Written by `scripts/bench --pages docs bench/records/*.json`; `scripts/bench --only published --record
FILE` measured Rivulet's times; a test checks that page and records agree. The documents' times are theirs,
on their hardware; Rivulet's are medians of runs of the decks in
[inputs/published](../inputs/published), without writing the results file unless the text says so. Fields
are empty where a document gives no time, or Rivulet was not measured.
"""


def row(*cells):
    return f"| {' | '.join(cells)} |"


def head(*cells):
    return [row(*cells), "|---" * len(cells) + "|"]


def part_of(case, part):
    """A part (kind, name, what, mapping) of a generator's case; None of others."""
    found = CASE.fullmatch(case)
    return found and found[part]


def mapping_of(case):
    return part_of(case, "mapping") or "lane"


def behind(mapping):
    """What cases' names end with."""
    return "" if mapping == "lane" else f"_{mapping}"


def title_of(name):
    return TITLES.get(name, name)


def names_of(record):
    """The generators of a record in the order of the program's list, which is that of its ratios;
    those of which no ratio was made come last."""
    ratios = record.data["benchmarks"].get(GENERATORS, {"ratios": []})["ratios"]
    cases = [ours for ours, _ in ratios] + list(record.cases(GENERATORS))
    return list(dict.fromkeys(name for case in cases if (name := part_of(case, "name"))))


def best_write(rates):
    writes = [rate for case, rate in rates.items() if case.startswith("write_")]
    return max(writes) if writes else None


def peer_columns(record, rates, peers):
    """Which peers of a kind were measured, as headings of ratios."""
    philox = "cuRAND's Philox" if "GPUs" in record.machine else "Random123's Philox"
    return [(peer, f"of {philox if peer == 'philox_pi' else PEERS[peer]}") for peer in peers
            if peer in rates]


def cases_by_generator(record, kind):
    """Cases of a kind (pi, bulk, set_up) in the generators' order."""
    cases = [case for case in record.rates(GENERATORS) if part_of(case, "kind") == kind]
    return [case for name in names_of(record) for case in cases if part_of(case, "name") == name]


def pi_table(record):
    rates, instructions = record.rates(GENERATORS), record.data.get("instructions", {})
    peers = peer_columns(record, rates, ("std_mt19937_pi", "philox_pi"))
    counted = bool(instructions) and "issue_all" in rates and "issue_logic" in rates
    lines = head("generator", "mapping", "rate", *(text for _, text in peers),
                 *(["instructions per point", "issue", "logic"] if counted else []))
    for case in cases_by_generator(record, "pi") + [peer for peer, _ in peers]:
        rate = rates[case]
        cells = [*([PEERS[case], ""] if case in PEERS else
                   [title_of(part_of(case, "name")), mapping_of(case)]),
                 rate_text(rate, "points/s"), *(f"{rate / rates[peer]:.2f} x" for peer, _ in peers)]
        if counted:
            many = instructions.get(case)
            cells += [f"{many['all']:.1f}", percent(many["all"] * rate, rates["issue_all"]),
                      percent(many["logic"] * rate, rates["issue_logic"])] if many else [""] * 3
        lines.append(row(*cells))
    if counted:
        lines += ["", f"Highest measured issue rate: {rate_text(rates['issue_all'], 'instructions/s')}, of logic "
                  f"{rate_text(rates['issue_logic'], 'instructions/s')} (counted per thread, not per warp)."]
    return lines


def bulk_table(record):
    rates = record.rates(GENERATORS)
    best = best_write(rates)
    ours = cases_by_generator(record, "bulk")
    mappings = [mapping for mapping in MAPPINGS
                if mapping != "block" or mapping in map(mapping_of, ours)]
    lines = head("generator", "numbers",
                 *(cell for mapping in mappings for cell in (mapping, "write")))

    def cells_of(case):
        rate = rates.get(case)
        share = percent(rate, best) if rate and best else ""
        return [rate_text(rate, "B/s"), share] if rate else ["", ""]

    # A row for each generator and type, whichever mappings there are.
    for name, number in dict.fromkeys((part_of(case, "name"), part_of(case, "what"))
                                      for case in ours):
        lines.append(row(title_of(name), number,
                         *(cell for mapping in mappings
                           for cell in cells_of(f"bulk_{name}_{number}{behind(mapping)}"))))
    for case in rates:
        if case.startswith("curand_") or case == "std_mt19937_uint32":
            library, number = case.rsplit("_", 1)
            name = library.replace("curand_", "cuRAND ").replace("std_mt19937", "std::mt19937")
            lines.append(row(name, number, *cells_of(case), *[""] * 2 * (len(mappings) - 1)))
    writes = ", ".join(f"{case.removeprefix('write_')} {rate_text(rate, 'B/s')}"
                       for case, rate in rates.items() if case.startswith("write_"))
    return [*lines, *(["", f"Highest measured write bandwidth: {writes}."] if writes else [])]


def alias_table(record):
    rates = record.rates(GENERATORS)
    peers = peer_columns(record, rates, ("gsl_alias",))
    lines = head("generator", "100 cells flat", *(text for _, text in peers), "10 x 10 by rows")
    for name in names_of(record):
        flat, rows = rates.get(f"alias_{name}_100"), rates.get(f"alias_{name}_10x10")
        if flat and rows:
            lines.append(row(title_of(name), rate_text(flat, "samples/s"),
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
    for case in cases_by_generator(record, "set_up"):
        lines.append(row(title_of(part_of(case, "name")), f"{rates[case] * seconds[case]:.0f}",
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
                  "Strong: the same total work; the digests were equal. Weak: the same work per rank.", "",
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
