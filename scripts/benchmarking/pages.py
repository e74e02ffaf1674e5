# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/performance.md and docs/published.md, from records."""

import statistics

from benchmarking import commands, peers, published, scaling, streams
from benchmarking.cases import GENERATORS, MAPPINGS, behind, mapping_of, part_of, title_of
from common.text import percent, rate_text, seconds_text, table_of

PERFORMANCE = """# Performance

Appendix to [how_fast.md](how_fast.md), which says what to expect of a machine and a use. Written by
`scripts/bench --pages docs bench/records/*.json` from the records of measurements that
`scripts/bench --record FILE` made; a test checks that they agree. Rates are medians, and each ratio
comes from one run. On a CPU one core is used, except where ranks are counted; on a GPU all of it.

- *Fused pi*: points in the quarter circle, a 32-bit word per point, generated and counted in registers.
  *Issue*: executed instructions per second (those per point, counted by the profiler, times points), as a
  share of the highest measured issue rate, that of a kernel of logic and multiplications in equal parts.
  *Logic*: the same for the instructions that only the pipe of logic, shifts and comparisons executes,
  against a kernel of nothing but these. The mapping `team` is by warp: one stream or a few per warp (GPU),
  or one per thread (CPU). A peer that comes in several forms (launch shapes, counters at once) is the fastest
  of them.
- *Bulk*: numbers into memory, in the types that a generator makes without combining numbers. *Write*: the
  share of the highest measured write bandwidth, that of the fastest of several ways: 16 bytes per thread
  (each), a few threads that walk side by side (walking), the vendor's fill with zeros (zeros), and lines
  written past a processor's caches (streaming). *Of the fastest peer*: the fastest mapping beside the fastest
  peer that makes the same type. cuRAND's orderings are named in its rows: default, and dynamic, which it calls
  its fastest; rows that name none are of best, which is the same as default.
- *Alias sampling*: a 10 x 10 correlated gaussian, with histogram: flat, and by rows (two lookups).
- *Set-up*: from parameter sets to streams ready to draw, allocation and jumps included.
- *Streams*: the job pi in one batch, by the mapping that it takes by default, and the share of the
  generator's highest rate here. On one GPU, or else on one core.
- *Commands*: the figure of merit of users' commands, which ran in turn with the row of *fused pi* or *bulk* that
  says the same, and their ratio, the median of these pairs.
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


def names_of(record):
    """The generators of a record in the order of the program's list, which is that of its ratios;
    those of which no ratio was made come last."""
    ratios = record.data["benchmarks"].get(GENERATORS, {"ratios": []})["ratios"]
    cases = [ours for ours, _ in ratios] + list(record.cases(GENERATORS))
    return list(dict.fromkeys(name for case in cases if (name := part_of(case, "name"))))


def best_write(rates):
    writes = [rate for case, rate in rates.items() if case.startswith("write_")]
    return max(writes) if writes else None


def peer_columns(record, rates, every):
    """The fastest cases of the peers that were measured, with the headings of their ratios."""
    found = [(one.fastest(rates), one) for one in every]
    return [(case, one, one.heading("GPUs" in record.machine)) for case, one in found if case]


def cases_by_generator(record, kind):
    """Cases of a kind (pi, bulk, set_up) in the generators' order."""
    cases = [case for case in record.rates(GENERATORS) if part_of(case, "kind") == kind]
    return [case for name in names_of(record) for case in cases if part_of(case, "name") == name]


def pi_table(record):
    rates, instructions = record.rates(GENERATORS), record.data.get("instructions", {})
    beside = peer_columns(record, rates, peers.PI)
    counted = bool(instructions) and "issue_all" in rates and "issue_logic" in rates

    def cells(case, *titles):
        rate, many = rates[case], instructions.get(case)
        issue = ([f"{many['all']:.1f}", percent(many["all"] * rate, rates["issue_all"]),
                  percent(many["logic"] * rate, rates["issue_logic"])] if counted and many else [""] * 3)
        return [*titles, rate_text(rate),
                *(f"{rate / rates[peer]:.2f} x" for peer, _, _ in beside), *(issue if counted else [])]

    lines = table_of(("generator", "mapping", "points/s", *(text for _, _, text in beside),
                      *(["instructions per point", "issue", "logic"] if counted else [])),
                     [*(cells(case, title_of(part_of(case, "name")), mapping_of(case))
                        for case in cases_by_generator(record, "pi")),
                      *(cells(case, peer.title_of(case), "") for case, peer, _ in beside)])
    if counted:
        lines += ["", f"Highest measured issue rate: {rate_text(rates['issue_all'], 'instructions/s')}, of logic "
                  f"{rate_text(rates['issue_logic'], 'instructions/s')} (counted per thread, not per warp)."]
    return lines + other_forms(rates, beside)


def other_forms(rates, beside):
    """What was tried of peers besides their fastest forms."""
    lines = []
    for fastest, peer, _ in beside:
        others = [f"{peers.form_of(case)} {rate_text(rates[case])}"
                  for case in peer.forms(rates) if case != fastest]
        if others:
            lines += ["", f"Slower forms of {peer.title}, points/s: {'; '.join(others)}."]
    return lines


def bulk_table(record):
    rates = record.rates(GENERATORS)
    best, fastest = best_write(rates), peers.fastest_bulk(rates)
    ours = cases_by_generator(record, "bulk")

    def cells(title, number, cases):
        """cases: one of each mapping, or None."""
        found = []
        for rate in map(rates.get, cases):
            found += [rate_text(rate) if rate else "",
                      percent(rate, best) if rate and best else ""]
        if fastest:
            most = max(rates[case] for case in cases if case in rates)
            found.append(f"{most / fastest[number]:.2f} x" if number in fastest else "")
        return [title, number, *found]

    # A row for each generator and type, whichever mappings there are.
    pairs = dict.fromkeys((part_of(case, "name"), part_of(case, "what")) for case in ours)
    others = [case for case in rates if peers.BULK.fullmatch(case)]
    lines = table_of(
        ("generator", "numbers", *(cell for mapping in MAPPINGS for cell in (f"{mapping}, B/s", "write")),
         *(["of the fastest peer"] if fastest else [])),
        [*(cells(title_of(name), number, [f"bulk_{name}_{number}{behind(mapping)}" for mapping in MAPPINGS])
           for name, number in pairs),
         *(cells(peers.bulk_title(case), peers.BULK.fullmatch(case)["number"],
                 [case] + [None] * (len(MAPPINGS) - 1)) for case in others)])
    writes = ", ".join(f"{case.removeprefix('write_')} {rate_text(rate, 'B/s')}"
                       for case, rate in rates.items() if case.startswith("write_"))
    return [*lines, *(["", f"Highest measured write bandwidth: {writes}."] if writes else [])]


def alias_table(record):
    rates = record.rates(GENERATORS)
    beside = peer_columns(record, rates, (peers.GSL,))
    pairs = {name: (rates.get(f"alias_{name}_100"), rates.get(f"alias_{name}_10x10"))
             for name in names_of(record)}
    lines = table_of(("generator", "100 cells flat, samples/s", *(text for _, _, text in beside), "10 x 10 by rows, samples/s"),
                     [(title_of(name), rate_text(flat),
                       *(f"{flat / rates[peer]:.1f} x" for peer, _, _ in beside), rate_text(rows))
                      for name, (flat, rows) in pairs.items() if flat and rows])
    large, reads = rates.get("alias_hybrid_tausworthe_100000000"), rates.get("random_reads")
    if large and reads:
        lines += ["", f"A table of 10^8 random cells: {rate_text(large, 'samples/s')}, {large / reads:.2f} x "
                  f"the 8-byte reads at random places that memory sustains ({rate_text(reads, 'reads/s')})."]
    return lines


def set_up_table(record):
    rates, seconds = record.rates(GENERATORS), record.seconds(GENERATORS)
    return table_of(("generator", "streams", "time", "streams/s"),
                    [(title_of(part_of(case, "name")), f"{rates[case] * seconds[case]:.0f}",
                      seconds_text(seconds[case]), rate_text(rates[case]))
                     for case in cases_by_generator(record, "set_up")])


def short(case):
    """A case's name without what Google Benchmark adds behind slashes."""
    return case.split("/")[0]


def benchmark_table(record, benchmark):
    """All cases of one benchmark program, with their ratios."""
    medians = {short(case): rate for case, rate in record.rates(benchmark).items()}
    rows = []
    for case, values in record.cases(benchmark).items():
        ratios = [f"{medians[ours] / medians[theirs]:.3g} x {theirs}"
                  for ours, theirs in record.data["benchmarks"][benchmark]["ratios"]
                  if ours == short(case) and ours in medians and theirs in medians]
        spread = values["rates"] or values["seconds"]
        width = percent(max(spread) - min(spread), statistics.median(spread))
        rate = rate_text(statistics.median(values["rates"]), "1/s") if values["rates"] else ""
        rows.append((case, seconds_text(statistics.median(values["seconds"])), rate, width, ", ".join(ratios)))
    return table_of(("case", "time", "rate", "spread", "ratios"), rows)


def picture(text, path):
    return [f"![{text}]({path})", ""] if path else []


def performance_of(record, pictures):
    """One machine's section; pictures: paths of those that were drawn, by kind."""
    lines = [f"## {record.hardware}, {record.machine['date']}", "",
             *(f"- {key}: {value}" for key, value in record.machine.items()), ""]
    if GENERATORS in record.data["benchmarks"]:
        lines += picture("Rates of every generator", pictures.get(GENERATORS))
        for title, table in (("Fused pi", pi_table), ("Bulk", bulk_table),
                             ("Alias sampling", alias_table), ("Set-up", set_up_table)):
            lines += [f"### {title}", "", *table(record), ""]
    if record.data.get("streams"):
        lines += ["### Streams", "",
                  *picture("Rates by the number of streams", pictures.get("streams")),
                  *streams.table(record.data["streams"], title_of), ""]
    if record.data.get("commands"):
        lines += ["### Commands", "", *commands.table(record.data["commands"]), ""]
    if record.data.get("scaling"):
        lines += ["### Scaling", "",
                  "Strong: the same total work; the digests were equal. Weak: the same work per rank.", "",
                  *scaling.table(record.data["scaling"]), ""]
    for benchmark in record.data["benchmarks"]:
        if benchmark != GENERATORS:
            lines += [f"### {benchmark}", "", *benchmark_table(record, benchmark), ""]
    return lines


def performance(records, pictures):
    lines = PERFORMANCE.splitlines() + [""]
    for record in records:
        lines += performance_of(record, pictures.get(record.name, {}))
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
