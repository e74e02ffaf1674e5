# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/performance.md and docs/published.md, from records."""

import statistics

from benchmarking import commands, peers, published, scaling, streams
from benchmarking.cases import GENERATORS, MAPPINGS, mapping_of, part_of, title_of
from common.text import milliseconds_text, percent, rate_text, seconds_text, share, table_of

NUMBERS = ("double", "float", "uint32")

PERFORMANCE = """# Performance

This page is an appendix to [how_fast.md](how_fast.md): what limits the hardware. `scripts/bench --pages docs
bench/records/*.json` wrote it. Rates are medians on one core (except where ranks are counted) or one GPU.

- *Fused pi*: points are generated and counted in registers; two values of a field are those of
  [mapping](choosing.md#mapping) `lane` and `team`. *Issue*: executed instructions per second (those per point, counted
  by the profiler, times points), as a share of the highest measured issue rate, that of a kernel of logic and
  multiplications in equal parts. *Logic*: the same for the instructions of the pipe of logic, shifts and comparisons.
- *Write bandwidth*: 16 bytes per thread (each), a few threads side by side (walking), the vendor's fill with zeros
  (zeros), past a processor's caches (streaming).
"""

PUBLISHED = """# Published tables, reproduced

This page compares the times in four publications, on their hardware, with Rivulet's: medians of runs of the decks in
[inputs/published](../inputs/published), without the results file unless stated. `scripts/bench --only published
--record FILE` measures; `scripts/bench --pages docs bench/records/*.json` wrote this page.
"""

SCALING = """\
Strong scaling keeps the total work (digests were equal), weak scaling the work per rank; the parallel efficiency is in
brackets. pi and fill draw from dcmt521, alias from the hybrid Tausworthe generator; fill writes floats.
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


def by_mapping(record, kind):
    """(generator's title, its cases of a kind), a case for each mapping; the title says if there is only team."""
    found = {}
    for case in cases_by_generator(record, kind):
        found.setdefault(part_of(case, "name"), []).append(case)
    for name, cases in found.items():
        cases = sorted(cases, key=lambda case: MAPPINGS.index(mapping_of(case)))
        yield title_of(name) + (", team" if mapping_of(cases[0]) == "team" else ""), cases


def joined(texts):
    """Of several mappings."""
    return "; ".join(text for text in texts if text)


def pi_table(record, forms=True):
    rates, instructions = record.rates(GENERATORS), record.data.get("instructions", {})
    beside = peer_columns(record, rates, peers.PI)
    counted = bool(instructions) and "issue_all" in rates and "issue_logic" in rates

    def cells(case):
        rate, many = rates[case], instructions.get(case)
        issue = ([f"{many['all']:.1f}", share(many["all"] * rate, rates["issue_all"]),
                  share(many["logic"] * rate, rates["issue_logic"])] if counted and many else [""] * 3)
        return [rate_text(rate), *(f"{rate / rates[peer]:.2f}" for peer, _, _ in beside), *(issue if counted else [])]

    lines = table_of(("generator", "points/s", *(text for _, _, text in beside),
                      *(["instructions per point", "issue, %", "logic, %"] if counted else [])),
                     [*((title, *map(joined, zip(*map(cells, cases), strict=True)))
                        for title, cases in by_mapping(record, "pi")),
                      *((peer.title_of(case), *cells(case)) for case, peer, _ in beside)])
    if counted:
        lines += ["", f"Highest measured issue rate: {rate_text(rates['issue_all'], 'instructions/s')}, of logic "
                  f"{rate_text(rates['issue_logic'], 'instructions/s')} (counted per thread, not per warp)."]
    return lines + (other_forms(rates, beside) if forms else [])


def other_forms(rates, beside):
    """What was tried of peers besides their fastest forms."""
    lines = []
    for fastest, peer, _ in beside:
        others = [f"{case.rpartition('_')[2]} {rate_text(rates[case])}" for case in peer.forms(rates)
                  if case != fastest]
        if others:
            form = "threads a block x sequences a thread" if "x" in others[0].split()[0] else "counters at once"
            lines += ["", f"Slower forms of {peer.title} ({form}), points/s: {'; '.join(others)}."]
    return lines


def bulk_table(record):
    """A row for each generator, with its rates in each type of number; then the peers."""
    rates = record.rates(GENERATORS)
    best = best_write(rates)

    def cells(found):
        """found: by mapping, rates by type."""
        return (*(joined(rate_text(one[number]) for one in found if number in one) for number in NUMBERS),
                joined(share(max(one.values()), best) for one in found) if best else "")

    rows = []
    for title, cases in by_mapping(record, "bulk"):
        found = [{part_of(case, "what"): rates[case] for case in cases if mapping_of(case) == mapping}
                 for mapping in MAPPINGS]
        rows.append((title, *cells([one for one in found if one])))
    rows += [(", ".join(filter(None, names)), *cells([one])) for names, one in peers.bulk_rows(rates).items()]
    return table_of(("generator", *NUMBERS, "write, %"), rows)


def write_bandwidth(record):
    writes = ", ".join(f"{case.removeprefix('write_')} {rate_text(rate, 'B/s')}"
                       for case, rate in record.rates(GENERATORS).items() if case.startswith("write_"))
    return [f"Highest measured write bandwidth: {writes}."]


def alias_table(record):
    rates = record.rates(GENERATORS)
    pairs = {name: (rates.get(f"alias_{name}_100"), rates.get(f"alias_{name}_10x10"))
             for name in names_of(record)}
    return table_of(("generator", "100 cells flat, samples/s", "10 x 10 by rows, samples/s"),
                    [(title_of(name), rate_text(flat), rate_text(rows))
                     for name, (flat, rows) in pairs.items() if flat and rows])


def alias_limits(record, every):
    """A peer's rate, flat, and a table that memory limits."""
    rates, lines = record.rates(GENERATORS), []
    if every and (peer := peers.GSL.fastest(rates)):
        lines += [f"{peers.GSL.title}, flat: {rate_text(rates[peer], 'samples/s')}.", ""]
    large, reads = rates.get("alias_hybrid_tausworthe_100000000"), rates.get("random_reads")
    if large and reads:
        lines += [f"Alias sampling from a table of 10^8 random cells: {rate_text(large, 'samples/s')}, "
                  f"{large / reads:.2f} x the 8-byte reads at random places that memory sustains "
                  f"({rate_text(reads, 'reads/s')}).", ""]
    return lines


def set_up_table(record):
    rates, seconds = record.rates(GENERATORS), record.seconds(GENERATORS)
    return table_of(("generator", "streams", "ms"),
                    [(title_of(part_of(case, "name")), f"{rates[case] * seconds[case]:.0f}",
                      milliseconds_text(seconds[case])) for case in cases_by_generator(record, "set_up")])


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


def brief(machine):
    """A record's machine in one sentence."""
    named = {"cores": "{} cores", "Kokkos": "Kokkos {}", "Rivulet": "Rivulet {}"}
    return "; ".join(named.get(key, "{}").format(value) for key, value in machine.items()) + "."


def performance_of(record, every=True):
    """One machine's section; every: with what how_fast.md shows, too."""
    told = {key: value for key, value in record.machine.items() if key != "date"}
    lines = [f"## {record.hardware}, {record.machine['date']}", "",
             *([f"- {key}: {value}" for key, value in told.items()] if every else [brief(told)]),
             ""]
    if GENERATORS in record.data["benchmarks"]:
        counted = record.data.get("instructions")
        lines += ["### Fused pi", "", *pi_table(record, forms=every), ""] if every or counted else []
        lines += ["### Bulk", "", *bulk_table(record), ""] if every else []
        lines += [*write_bandwidth(record), ""] if best_write(record.rates(GENERATORS)) else []
        lines += ["### Alias sampling", "", *alias_table(record), ""] if every else []
        lines += alias_limits(record, every)
        lines += ["### Set-up", "", *set_up_table(record), ""] if every else []
    if record.data.get("streams") and every:
        lines += ["### Streams", "", "Points/s of the job pi in one batch; ms of set-up.", "",
                  *streams.table(record.data["streams"], title_of), ""]
    if record.data.get("commands"):
        lines += ["### Commands", "", "Figures of merit beside the rows that say the same.", "",
                  *commands.table(record.data["commands"]), ""]
    if record.data.get("scaling"):
        lines += ["### Scaling", "", *SCALING.splitlines(), "", *scaling.table(record.data["scaling"]), ""]
    for benchmark in record.data["benchmarks"]:
        if benchmark != GENERATORS:
            lines += [f"### {benchmark}", "", *benchmark_table(record, benchmark), ""]
    return lines


def performance(records):
    lines = PERFORMANCE.splitlines() + [""]
    for record in records:
        if any(record.data.get(part) for part in ("benchmarks", "commands", "scaling")):
            lines += performance_of(record, every=False)
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
