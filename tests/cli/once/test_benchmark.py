# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/bench --benchmark: the problems of docs/benchmark.md, their digests, and the disclosure sheet."""

import json
import math
import pathlib
import re
import shutil
import subprocess
import sys

import rivulet_cli
from bench_case import SCRIPT, SOURCE, BenchCase
from benchmarking import procurement, score
from common.text import rate_text

PROBLEMS = ["pi", "fill", "alias", "correlate", "occlusion"]
# Prints what it is told to, of a run of pi.
STAND_IN = """#!/bin/sh
echo run >> runs
number=$(wc -l < runs)
cat <<END
Kokkos::OpenMP::initialize WARNING: OMP_PROC_BIND environment variable not set
Rivulet 0.1.0, Kokkos 3.4.1 OpenMP, 1 rank x 1 thread
deviation: ${{DEVIATION:-0.5}} standard errors
{phases}
Figure of Merit (FOM): $number points/s
Digest: {digest}
END
"""
PHASES = "\n".join(f"{name} 1 1 1" for name in ("setup", "rng", "compute", "reduction", "transfer", "io", "total"))


class Benchmark(BenchCase):
    def setUp(self):
        super().setUp()
        self.folder = pathlib.Path(rivulet_cli.BINARY).resolve().parent

    def run_benchmark(self, *arguments, build=None):
        return self.bench("--build", build or self.folder, "--repetitions", "2", *arguments)

    def test_all_problems(self):
        """Their digests are the known ones, also on two ranks; the sheet says what ran and on what."""
        launch = ("--launch", f"{rivulet_cli.MPIEXEC} -n 2") if rivulet_cli.MPIEXEC else ()
        done = self.run_benchmark("--benchmark", "XS", "--record", "sheet.json", "--disclose", "price=1 = 2",
                                  "--disclose", "cooling=water", *launch)
        self.assertEqual(done.returncode, 0, done)
        found = json.loads((self.directory / "sheet.json").read_text(encoding="utf-8"))
        self.assertEqual((found["format"], found["size"], found["complete"], found["verified"]),
                         ("rivulet benchmark", "XS", True, True))
        self.assertEqual([row["problem"] for row in found["problems"]], PROBLEMS)
        for row in found["problems"]:
            self.assertEqual((row["verified_by"], row["digest"], len(row["merits"])), ("digest", row["expected"], 2))
            self.assertLessEqual(row["min"], row["median"])
            self.assertIn("2 ranks" if launch else "1 rank", row["ran"])
        sheet = found["sheet"]
        for what in ("date", "host", "processor", "compiler", "flags", "build type", "Rivulet", "threads", "clocks"):
            self.assertTrue(sheet[what], what)
        if (self.folder / "CMakeCache.txt").exists():
            self.assertNotIn(procurement.UNKNOWN, (sheet["compiler"], sheet["build type"]))
        self.assertEqual((sheet["price"], sheet["cooling"], sheet["nodes"]), ("1 = 2", "water", procurement.UNKNOWN))
        self.assertRegex(sheet["Rivulet"], r"^rivulet \d")
        page = (self.directory / "sheet.md").read_text(encoding="utf-8")
        self.assertEqual(page, done.stdout)
        self.assertIn("Verified: yes. Runs of each problem: 2.\n", page)
        for name in PROBLEMS:
            rates = r" \S+ \S+/s \|" * 3
            self.assertRegex(page, rf"(?m)^\| {name} \|{rates} \S+ m?s \| \d+ MiB \| digest \|$")

    def test_lines_of_a_finished_sheet(self):
        """They are filled in or added, in the JSON and in the Markdown, and nothing else changes."""
        folder = self.stand_in(procurement.known_problems()["pi"]["sizes"]["XS"]["digest"])
        done = self.run_benchmark("--benchmark", "XS", "--only", "pi", "--record", "s.json", build=folder)
        self.assertEqual(done.returncode, 0, done)
        path = self.directory / "s.json"
        before = json.loads(path.read_text(encoding="utf-8"))
        self.assertEqual((before["sheet"]["price"], "memory" in before["sheet"]), (procurement.UNKNOWN, False))
        for _ in range(2):
            done = self.bench("--disclose", "price=1 = 2", "--disclose", "memory=3 GiB (sacct)", "s.json")
            self.assertEqual(done.returncode, 0, done)
            found = json.loads(path.read_text(encoding="utf-8"))
            self.assertEqual((found["sheet"].pop("price"), found["sheet"].pop("memory")), ("1 = 2", "3 GiB (sacct)"))
            self.assertEqual(found, {**before, "sheet": {key: value for key, value in before["sheet"].items()
                                                         if key != "price"}})
            page = (self.directory / "s.md").read_text(encoding="utf-8")
            self.assertEqual(page, done.stdout)
            self.assertIn("| price | 1 = 2 |\n", page)
            self.assertIn("| memory | 3 GiB (sacct) |\n", page)

    def test_sheets_that_cannot_be_filled_in(self):
        """None of the sheets changes then."""
        text = (SOURCE / "bench" / "records" / "benchmark" / "core.json").read_text(encoding="utf-8")
        one = "one.json"
        self.add(one, text)
        for name, change in (("format", "rivulet"), ("sheet", []), ("problems", [{}])):
            self.add(f"{name}.json", json.dumps({**json.loads(text), name: change}))
        before = self.files()
        for name in ("format.json", "sheet.json", "problems.json", "none.json"):
            self.refuse(f"{name} is no disclosure sheet", "--disclose", "price=2", one, name)
        self.refuse("--disclose price has no value", "--disclose", "price", one)
        for words in ([], ["--benchmark", "XS", one], ["--against", one, one], ["--pages", ".", one],
                      ["--check", one], ["--record", "two.json", one]):
            self.refuse("--disclose is of no use", "--disclose", "price=2", *words)
        self.assertEqual((self.directory / one).read_text(encoding="utf-8"), text)
        self.assertEqual(self.files(), before)

    def test_settings_of_an_installation(self):
        """Its CMakeCache.txt is with its scripts; a compiler that is not on this node is named as CMake knew it."""
        folder = self.stand_in(procurement.known_problems()["pi"]["sizes"]["XS"]["digest"])
        (folder / "bin").mkdir()
        (folder / "rivulet").rename(folder / "bin" / "rivulet")
        words = ("--benchmark", "XS", "--only", "pi", "--repetitions", "1")
        done = self.run_benchmark(*words, build=folder)
        for line in ("compiler", "flags", "build type"):
            self.assertIn(f"| {line} | {procurement.UNKNOWN} |\n", done.stdout)
        (folder / "share" / "rivulet").mkdir(parents=True)
        self.add("share/rivulet/CMakeCache.txt", "CMAKE_BUILD_TYPE:STRING=Release\nRIVULET_ARCH:STRING=znver4\n"
                 "CMAKE_CXX_FLAGS_RELEASE:STRING=-O3\nCMAKE_CXX_COMPILER:FILEPATH=/nowhere/c++\n"
                 "RIVULET_COMPILER:INTERNAL=GNU 12.2.0\n")
        done = self.run_benchmark(*words, build=folder)
        for line in ("compiler | GNU 12.2.0", "flags | -O3 -march=znver4", "build type | Release"):
            self.assertIn(f"| {line} |\n", done.stdout)

    def stand_in(self, digest):
        shutil.rmtree(self.directory / "bench")
        self.add("rivulet", STAND_IN.format(digest=digest, phases=PHASES))
        return self.directory

    def test_figures_are_medians(self):
        digest = procurement.known_problems()["pi"]["sizes"]["XS"]["digest"]
        done = self.run_benchmark("--benchmark", "XS", "--only", "pi", "--repetitions", "3",
                                  build=self.stand_in(digest))
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("| pi | 2.00e0 points/s | 1.00e0 points/s | 3.00e0 points/s | 1 s | ", done.stdout)
        self.assertIn("| threads | 1 rank x 1 thread", done.stdout)
        self.assertIn("\n- Rivulet 0.1.0, Kokkos 3.4.1 OpenMP, 1 rank x 1 thread\n", done.stdout)
        self.assertIn("Some of the problems were left out.", done.stdout)

    def test_wrong_digest(self):
        """Status 3, and a sheet that says so."""
        done = self.run_benchmark("--benchmark", "XS", "--only", "pi", "--record", "s.json",
                                  build=self.stand_in("0" * 64))
        self.assertEqual(done.returncode, 3, done)
        self.assertIn("Verified: NO.", done.stdout)
        self.assertIn("FAILED: the digest is not 88e28316", done.stdout)
        self.assertFalse(json.loads((self.directory / "s.json").read_text(encoding="utf-8"))["verified"])

    def test_a_job_that_is_cut_off(self):
        """What was measured until then is written, and is no sheet to compare."""
        known = procurement.known_problems()["pi"]["sizes"]["XS"]["digest"]
        folder = self.stand_in(known)
        text = (folder / "rivulet").read_text(encoding="utf-8")
        self.add("rivulet", text.replace("echo run", "case $1 in */fill.yaml) exit 9 ;; esac\necho run", 1))
        done = self.run_benchmark("--benchmark", "XS", "--record", "s.json", build=folder)
        self.assertEqual(done.returncode, 1, done)
        found = json.loads((self.directory / "s.json").read_text(encoding="utf-8"))
        self.assertEqual(([row["problem"] for row in found["problems"]], found["complete"]), (["pi"], False))
        self.assertIn("Some of the problems were left out.", (self.directory / "s.md").read_text(encoding="utf-8"))
        found["sheet"] = {}
        self.add("s.json", json.dumps(found))
        self.refuse("has not all problems, but pi", "--against", self.sheet("one.json"), "s.json")

    def test_values_that_are_free(self):
        """They leave the digest as it is, and are in the sheet's command; others are refused."""
        free = {"pi": ["streams.mapping=team", "streams.segments=2", "pi.batches=3"], "fill": ["fill.memory=1MiB"],
                "correlate": ["correlate.memory=1MiB", "correlate.method=direct"]}
        self.assertEqual({one.partition("=")[0] for words in free.values() for one in words}, set(procurement.FREE))
        words = [f"--with={name}:{one}" for name, changes in free.items() for one in changes]
        done = self.run_benchmark("--benchmark", "XS", "--only", ",".join(free), "--record", "s.json", *words)
        self.assertEqual(done.returncode, 0, done)
        for row in json.loads((self.directory / "s.json").read_text(encoding="utf-8"))["problems"]:
            self.assertTrue(row["command"].endswith(" " + " ".join(free[row["problem"]])), row["command"])
            self.assertEqual(row["verified_by"], "digest")
        for pair in ("pi:pi.points=1", "fill.memory=1MiB", "sweep:streams.segments=2", "pi:pi.batches=", "pi", ""):
            self.refuse("is not one of the changes", "--benchmark", "XS", "--with", pair)

    def test_other_seeds(self):
        """Their digests are not known; what can be is judged by its deviation."""
        done = self.run_benchmark("--benchmark", "XS", "--seed", "7", "--record", "seven.json")
        self.assertEqual(done.returncode, 0, done)
        rows = json.loads((self.directory / "seven.json").read_text(encoding="utf-8"))["problems"]
        self.assertEqual([row["verified_by"] for row in rows],
                         ["deviation", "equal digests alone", "deviation", "deviation", "equal digests alone"])
        for row in rows:
            known = procurement.known_problems()[row["problem"]]["sizes"]["XS"]["digest"]
            self.assertNotEqual(row["digest"], known)
            self.assertIn("streams.seed=7", row["command"])
        self.assertIn("Seed: 7.", done.stdout)
        again = self.sheet("again.json", size="S", seed=7)
        self.assertEqual(self.bench("--against", again, again).returncode, 0)

    def test_what_the_lattice_adds_is_no_fault(self):
        """docs/pi.md: 4.7376e-8, of which a standard error is pi (4 - pi) / N under a root."""
        pi = procurement.known_problems()["pi"]
        self.assertAlmostEqual(pi["bias"], 4.7376e-8 / math.sqrt(math.pi * (4 - math.pi)), delta=1e-12)
        reports = [type("Report", (), {"text": "a\ndeviation: 2.0 standard errors\n"})]
        self.assertEqual(procurement.deviations_of(reports, pi, 1e16), [-0.885])
        self.assertEqual(procurement.deviations_of(reports, {"deviation": "deviation"}, 1e16), [2])
        self.assertEqual(procurement.deviations_of(reports, {"deviation": ""}, 1e16), [])

    def test_where_no_digest_is_known(self):
        """Digests that differ among the runs are wrong, and so are four standard errors."""
        for expected, digests, deviations, how, wrong in (
                ("a", "aa", [], "digest", 0), ("a", "ab", [], "digest", 2), ("a", "bb", [], "digest", 1),
                (None, "aa", [3.9], "deviation", 0), (None, "aa", [-4.1], "deviation", 1),
                (None, "aa", [float("nan")], "deviation", 1), (None, "ab", [0], "deviation", 1),
                (None, "aa", [], "equal digests alone", 0)):
            with self.subTest(expected=expected, digests=digests, deviations=deviations):
                reports = [type("Report", (), {"digest": one}) for one in digests]
                found = procurement.verified(reports, expected, deviations)
                self.assertEqual((found[0], len(found[1])), (how, wrong))

    def test_sizes(self):
        problems = procurement.known_problems()
        self.assertEqual(list(problems), PROBLEMS)
        for name, problem in problems.items():
            self.assertEqual(list(problem["sizes"]), ["XS", "S", "M", "L", "full"])
            amounts = [problem["sizes"][size]["amount"] for size in ("XS", "S", "M", "L")]
            self.assertEqual(amounts, sorted(amounts))
            self.assertNotIn("digest", problem["sizes"]["full"])
            for size, units in (("L", 1), ("full", 64), ("full", 10000)):
                deck = self.run_ok(*procurement.words_of(name, problem, size, units), "--validate").out
                self.assertIn("# valid", deck)
        self.assertIn("\n  points: 640000000000000\n", self.run_ok(
            *procurement.words_of("pi", problems["pi"], "full", 64), "--validate").out)
        self.assertEqual(procurement.size_of("full:12", problems), ("full", 12))

    def test_decks_are_of_size_s(self):
        for name, problem in procurement.known_problems().items():
            deck = self.run_ok(SOURCE / "inputs" / "benchmark" / f"{name}.yaml", "--validate").out
            self.assertEqual(deck, self.run_ok(*procurement.words_of(name, problem, "S", 1), "--validate").out)

    def test_page_has_the_digests_and_no_others(self):
        page = (SOURCE / "docs" / "benchmark.md").read_text(encoding="utf-8")
        known = {f"{name} {size}": one["digest"] for name, problem in procurement.known_problems().items()
                 for size, one in problem["sizes"].items() if size != "full"}
        shown = {f"{name} {size}": digest
                 for name, size, digest in re.findall(r"(?m)^    (\w+) +(\w+) +([0-9a-f]{64})$", page)}
        self.assertEqual(shown, known)

    def test_reference_results(self):
        """The page has a row of each sheet, with its medians, and least and greatest figures."""
        page = (SOURCE / "docs" / "benchmark.md").read_text(encoding="utf-8")
        shown = re.findall(r"(?m)^\| (\w+\.json): [^|]* \| (\S+) \| (.*) \|$", page)
        known = []
        for path in sorted((SOURCE / "bench" / "records" / "benchmark").glob("*.json")):
            found = score.sheet(path, procurement.known_problems())
            figures = [[rate_text(one) for one in (median, min(row["merits"]), max(row["merits"]))]
                       for row, median in zip(found["problems"], score.medians(found).values(), strict=True)]
            known.append((path.name, found["size"], " | ".join(f"{median} ({least}-{greatest})"
                                                              for median, least, greatest in figures)))
        self.assertEqual(sorted(shown), known)

    def test_sheet_that_cannot_be_printed(self):
        """It has been written by then."""
        digest = procurement.known_problems()["pi"]["sizes"]["XS"]["digest"]
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([sys.executable, SCRIPT, "--build", self.stand_in(digest), "--benchmark", "XS",
                                   "--only", "pi", "--record", "s.json"], cwd=self.directory, stdout=full, text=True,
                                  stderr=subprocess.PIPE, check=False)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1), done)
        self.assertIn("cannot write to standard output (No space left on device)", done.stderr)
        self.assertIn("s.md", self.files())

    def sheet(self, name, factor=1, size="full:4", runs=5, **changes):
        """A disclosure sheet of a machine that is as fast as another in pi, and with each problem some times faster."""
        rows = [{"problem": problem, "merits": [(i + 1) * factor**i] * (runs - 1) + [1e9], "digest": "a", "wrong": []}
                for i, problem in enumerate(PROBLEMS)]
        self.add(name, json.dumps({"format": "rivulet benchmark", "size": size, "seed": None, "problems": rows,
                                   "sheet": {"price": "1 EUR"},
                                   **changes}))
        return name

    def test_sheets_are_compared(self):
        one, two, three = self.sheet("one.json"), self.sheet("two.json", 2), self.sheet("three.json", 3, size="full:9")
        done = self.bench("--against", one, two, three)
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("| divided by one's | two | three |\n", done.stdout)
        for name, power in (*zip(PROBLEMS, range(5), strict=True), ("geometric mean", 2)):
            self.assertIn(f"| {name} | {2**power}.000 | {3**power}.000 |\n", done.stdout)

    def test_sheets_of_builds_with_changes(self):
        """One that names no patch is warned of."""
        clean, dirty = "rivulet 0.1.0 (git a1b2)", "rivulet 0.1.0 (git a1b2-dirty)"
        one = self.sheet("one.json")
        for build, ran, changes, warns in ((clean, clean, "none", False), (dirty, clean, "none", True),
                                           (clean, dirty, "none that these runs reach", True),
                                           (dirty, dirty, "fast.patch, sent with this", False)):
            with self.subTest(build=build, ran=ran, changes=changes):
                rows = [{"problem": problem, "merits": [1] * 5, "digest": "a", "wrong": [], "ran": f"{ran}, Kokkos"}
                        for problem in PROBLEMS]
                two = self.sheet("two.json", problems=rows, sheet={"Rivulet": build, "changes of the source": changes})
                done = self.bench("--against", one, two)
                self.assertEqual((done.returncode, done.stderr.count("\n")), (0, int(warns)), done)
                self.assertEqual(done.stderr.startswith("scripts/bench: warning: two.json is of a build"), warns, done)

    def test_sheets_against_the_rules(self):
        one = self.sheet("one.json")
        known = procurement.known_problems()
        row = {"problem": "pi", "merits": [1] * 5, "digest": "a", "wrong": []}
        right = [{**row, "problem": name, "digest": known[name]["sizes"]["S"]["digest"]} for name in PROBLEMS]
        for why, sheet in (("is of size S", self.sheet("s.json", size="S", problems=right)),
                           ("result of pi is wrong", self.sheet("digest.json", size="S")),
                           ("does not say: price, nodes", self.sheet("lines.json", sheet={
                               "price": procurement.UNKNOWN, "host": "a", "nodes": procurement.UNKNOWN})),
                           ("has 4 runs of pi", self.sheet("few.json", runs=4)),
                           ("has not all problems, but pi", self.sheet("pi.json", problems=[row])),
                           ("is no disclosure sheet", self.sheet("format.json", format="rivulet benchmarks")),
                           ("is no disclosure sheet", "none.json")):
            self.refuse(why, "--against", one, sheet)
        self.refuse("nothing to compare", "--against", one)

    def test_memory_of_ranks(self):
        """Of those that the script, or a launcher on this host, started; Slurm's are not its own."""
        self.add("big", f"#!{sys.executable}\nx = b'1' * 2**28\n"
                 f"print('''{PHASES}\nFigure of Merit (FOM): 1 a/s\nDigest: {'a' * 64}''')\n")
        for launch in ([], ["/bin/sh", "-c", '"$@"; true', "sh"]):
            self.assertGreater(procurement.ran([*launch, str(self.directory / "big")])[1], 2**28)
        self.add("srun", '#!/bin/sh\nexec "$@"\n')
        done = self.run_benchmark("--benchmark", "XS", "--only", "pi", "--launch", str(self.directory / "srun"),
                                  "--record", "srun.json")
        self.assertIn(f"| {procurement.UNKNOWN} | digest |", done.stdout)
        self.assertIn(f"| memory | {procurement.UNKNOWN} |", done.stdout)
        self.assertEqual(self.bench("--disclose", "memory=3 GiB (sacct)", "srun.json").returncode, 0)
        self.assertIn("| 3 GiB (sacct) | digest |", (self.directory / "srun.md").read_text(encoding="utf-8"))

    def test_refusals(self):
        self.refuse("there is no benchmark of size 'XXL'", "--benchmark", "XXL")
        self.refuse("there is no benchmark of size 'full'", "--benchmark", "full")
        self.refuse("there is no benchmark of size 'S:4'", "--benchmark", "S:4")
        self.refuse("there is no program rivulet", "--benchmark", "XS")
        self.add("rivulet", "#!/bin/sh\necho broken >&2\nexit 1\n")
        self.refuse("It reported: broken", "--benchmark", "XS")
        self.refuse("there is no problem 'sweep'", "--benchmark", "XS", "--only", "sweep")
        for words in (["--launch", "mpiexec -n 2"], ["--seed", "0"], ["--with", "a"]):
            self.refuse(f"{words[0]} is of no use", *words)
        self.refuse("--disclose price has no value", "--benchmark", "XS", "--disclose", "price")
        self.refuse("would name the JSON as the Markdown", "--benchmark", "XS", "--record", "s.md")
