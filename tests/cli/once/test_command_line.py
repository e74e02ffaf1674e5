# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of options, decks, the report, launchers of another MPI, and ranks with different arguments."""

import pathlib
import re
import subprocess
import unittest

import rivulet_cli
from refusal import QUICK, RANKS, Refusal

JOBS = [job for job in ("pi", "fill", "alias", "correlate", "occlusion", "battery", "create")
        if rivulet_cli.is_built(job)]


class Answers(rivulet_cli.Case):
    """Options that print a text and start no run. The output appears once on any number of ranks."""

    def test_help(self):
        for ranks in RANKS:
            text = self.run_ok("--help", ranks=ranks).out
            for word in ("--output", "--validate", "--list", "--dump-default", "--describe-results", "-V,--version",
                         "-h,--help", "--count", "--kokkos-", "section.key=value"):
                self.assertIn(word, text)
            self.assertEqual(self.run_ok("-h", ranks=ranks).out, text)
            self.assertEqual(len(re.findall("(?m)^ +--validate", text)), 1)

    def test_scripts_run_knows_all_options(self):
        known = re.search('(?m)^options="(.*)"', (pathlib.Path(__file__).parents[3] / "scripts/run").read_text(encoding="utf-8"))[1].split()
        options = set(re.findall(r"(?m)^ +(?:-\w,)?(--[\w-]+)", self.run_ok("--help").out))
        self.assertEqual(options - {"--help"}, set(known))

    def test_help_as_a_word(self):
        self.assertEqual(self.run_ok("help").out, self.run_ok("--help").out)
        self.assertEqual(self.run_ok("help", "fill").out, self.run_ok("--dump-default", "fill").out)

    def test_kokkos_help(self):
        for arguments in (["--kokkos-help"], ["pi", "--kokkos-help"]):
            done = self.run_ok(*arguments)
            self.assertIn("--kokkos-", done.out + done.err)
            self.assertNotIn("Digest:", done.out)
        self.assertEqual(self.files(), [])

    def test_version(self):
        cmake = (rivulet_cli.SOURCE_DIR / "CMakeLists.txt").read_text(encoding="utf-8")
        version = re.search(r"project\(.*?VERSION\s+([0-9.]+)", cmake, re.S | re.I).group(1)
        for ranks in RANKS:
            text = self.run_ok("--version", ranks=ranks).out
            self.assertRegex(text, rf"^rivulet {re.escape(version)} \(git \S+\)\n$")
            self.assertEqual(self.run_ok("-V", ranks=ranks).out, text)

    def test_list(self):
        text = self.run_ok("--list").out
        for job in JOBS:
            self.assertRegex(text, rf"(?m)^  {job} +\S")
        self.assertIn("; by lane, team; streams disjoint by ", text)
        self.assertNotIn("disjoint by nothing", text)
        if "hybrid_tausworthe_listing" in rivulet_cli.generators():
            self.assertRegex(text, r"(?m)^  hybrid_tausworthe_listing .*; streams repeat and merge; one stream fails ")

    def test_results(self):
        """Each line has five columns. The last column says which decks have the result."""
        for job in JOBS:
            for ranks in RANKS:
                for line in self.run_ok("--describe-results", job, ranks=ranks).out.splitlines():
                    self.assertEqual(len(re.split("  +", line)), 5, line)
        self.assertRegex(self.run_ok("--describe-results", "fill").out,
                         r"(?m)^/results/fill/numbers +f64 +number +-  .*; with fill\.to=file ")
        self.assertEqual(self.files(), [])


class Decks(rivulet_cli.Case):
    def test_default_decks_are_complete_and_valid(self):
        for job in JOBS:
            with self.subTest(job=job):
                default = self.run_ok("--dump-default", job).out
                self.write("deck.yaml", default)
                keys = re.findall(r"(?m)^  (\w+):", default)
                for key in keys:  # each key has a comment
                    self.assertRegex(default, rf"(?m)^  #.*\n  {key}:")
                resolved = self.run_ok("deck.yaml", "--validate").out
                self.assertEqual(re.findall(r"(?m)^  (\w+):", resolved), keys)
                self.assertEqual(resolved, self.run_ok(job, "--validate").out)
                self.assertEqual(self.files(), ["deck.yaml"])

    def test_validate_prints_a_valid_deck_and_writes_nothing(self):
        for ranks in RANKS:
            printed = self.run_ok("pi", *QUICK, "--output", "x.h5", "--validate", ranks=ranks).out
            self.assertEqual(self.files(), ["again.yaml"] if ranks > 1 else [])
            self.write("again.yaml", printed)
            self.assertEqual(self.run_ok("again.yaml", "--validate").out, printed)
            for line in ("job: pi", "  points: 100000", "  count: 64", "  file: x.h5"):
                self.assertIn(line, printed.splitlines())
            self.assertNotIn("Digest", printed)

    def test_overrides_beat_the_deck(self):
        self.write("deck.yaml", "job: pi\npi:\n  points: 5000\nstreams:\n  count: 10\n"
                                "output:\n  file: deck.h5\n")
        self.assertEqual(self.run_ok("deck.yaml").result("points"), "5000")
        done = self.run_ok("deck.yaml", "pi.points=7000", "streams.count=20", "output.file=o.h5")
        self.assertEqual(done.result("points"), "7000")
        self.assertIn("\n  count: 20\n", done.out)
        last = self.run_ok("deck.yaml", "pi.points=7000", "pi.points=8000", "output.file=o.h5",
                           "--output", "option.h5")
        self.assertEqual(last.result("points"), "8000")
        self.assertEqual(self.files(), ["deck.h5", "deck.yaml", "o.h5", "option.h5"])

    def test_output_anywhere_on_the_command_line(self):
        self.run_ok("--output", "first.h5", "pi", *QUICK)
        self.run_ok("pi", "--output=between.h5", *QUICK)
        self.assertEqual(self.files(), ["between.h5", "first.h5"])


class Report(rivulet_cli.Case):
    def check_end(self, out, unit):
        lines = out.splitlines()
        self.assertTrue(out.endswith("\n"))
        merit = rivulet_cli.FOM_LINE.fullmatch(lines[-2])
        self.assertIsNotNone(merit, lines[-2])
        self.assertGreater(float(merit.group(1)), 0)
        self.assertEqual(merit.group(2), unit)
        self.assertIsNotNone(rivulet_cli.DIGEST_LINE.fullmatch(lines[-1]), lines[-1])

    def test_pi(self):
        for ranks in RANKS:
            with self.subTest(ranks=ranks):
                done = self.run_ok("pi", *QUICK, "--output", "out.h5", ranks=ranks)
                self.check_end(done.out, "points/s")
                lines = done.out.splitlines()
                self.assertRegex(lines[0], rf"^Rivulet \S+ \(git \S+\), Kokkos \S+ \w+, "
                                           rf"{ranks} ranks? x 1 thread$")
                self.assertRegex(done.out, r"(?m)^hits: \d+$")
                self.assertRegex(done.out, r"(?m)^pi: 3\.1\d+$")
                self.assertRegex(done.out, r"(?m)^standard error: 0\.005\d+$")
                self.assertRegex(done.out, r"(?m)^deviation: -?[0-9.]+ standard errors$")
                self.assertIn("results file: out.h5", lines)
                self.only_the_report(done.out)
                for phase in ("setup", "rng", "compute", "reduction", "transfer", "io", "total"):
                    numbers = re.findall(rf"(?m)^{phase} +([0-9.]+) +([0-9.]+) +([0-9.]+)$",
                                         done.out)
                    self.assertEqual(len(numbers), 1, phase)
                    least, mean, most = map(float, numbers[0])
                    self.assertTrue(least <= mean + 1e-6 and mean <= most + 1e-6, numbers)

    def only_the_report(self, out):
        """Each line has one of the report's forms, and the report shows the deck once."""
        title = r"(Deck|Result|Streams|Seconds on \d+ ranks?)"
        forms = re.compile(rf"Rivulet .*|{title}|phase +min +avg +max|\w+( +[0-9.]+){{3}}|"
                           r"[\w ()]+: ?.*|  \w+: .*|")
        for line in out.splitlines():
            self.assertIsNotNone(forms.fullmatch(line), repr(line))
        self.assertEqual(out.count("job: "), 1)

    def test_quiet(self):
        for deck in (["pi", *QUICK], ["create", "create.count=2"]):
            with self.subTest(deck=deck):
                done = self.run_ok(*deck, "--quiet", "--output", f"{deck[0]}.out")
                self.assertTrue(done.out.startswith("\nResult\n"), done.out)
                self.assertEqual(re.findall(r"(?m)^(Rivulet .*|Deck|Streams|Seconds .*|total .*)$", done.out), [])
                self.check_end(done.out, rivulet_cli.FOM_LINE.search(done.out)[2])
                self.assertEqual(done.err, "")
        self.run_ok("pi", *QUICK, "--output", "a.h5", "streams.first=0", "streams.of=128")
        self.run_ok("pi", *QUICK, "--output", "b.h5", "streams.first=64", "streams.of=128")
        merged = self.run_ok("merge", "a.h5", "b.h5", "--output", "all.h5", "--quiet")
        self.assertTrue(merged.out.startswith("\nResult\n"), merged.out)
        weak = self.run_ok("pi", *QUICK, "streams.generator=ranmar48", "streams.seeding=published", "streams.ij=31328",
                           "streams.kl=0", "output.file=", "--quiet")
        self.assertRegex(weak.out, r"(?m)^warning: .*weak")

    def test_the_result_comes_first(self):
        titles = re.findall(r"(?m)^(Deck|Result|Streams|Seconds)", self.run_ok("pi", *QUICK, "output.file=").out)
        self.assertEqual(titles, ["Result", "Streams", "Seconds", "Deck"])


class Kokkos(rivulet_cli.Case):
    def test_number_of_threads(self):
        """The option is --kokkos-threads in Kokkos 3, and --kokkos-num-threads in Kokkos 4 and later."""
        plain = self.run_ok("pi", *QUICK, "output.file=", threads=2)
        known = [option for option in ("--kokkos-threads=1", "--kokkos-num-threads=1")
                 if rivulet_cli.run("pi", option, *QUICK, "output.file=").code == 0]
        self.assertEqual(len(known), 1)
        done = self.run_ok("pi", *known, *QUICK, "output.file=", threads=2)
        self.assertIn("1 rank x 1 thread\n", done.out)
        self.assertEqual(done.digest, plain.digest)
        if " OpenMP, " in plain.out:
            self.assertIn("1 rank x 2 threads\n", plain.out)

    def test_kokkos_does_not_ask_for_a_binding(self):
        """Kokkos 3.4 prints advice about thread binding on standard output, before the report."""
        with subprocess.Popen([rivulet_cli.BINARY, "pi", "pi.points=1000", "output.file="], cwd=self.directory,
                              env=rivulet_cli.environment(OMP_PROC_BIND=None, KOKKOS_DISABLE_WARNINGS=None),
                              stdin=subprocess.DEVNULL, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT) as run:
            said = run.stdout.read()
        self.assertTrue(said.startswith("Rivulet "), said)


DECK = ["pi", "pi.points=1000", "streams.count=8"]
OF_A_STEP = {"SLURM_STEP_ID": "0", "SLURM_NTASKS": "4", "SLURM_PROCID": "0"}


class Launchers(Refusal):
    def test_single_processes_of_a_launcher_are_refused(self):
        for variables, named in ((OF_A_STEP, "SLURM_NTASKS=4"),
                                 ({"PMI_SIZE": "4", "PMI_RANK": "0"}, "PMI_SIZE=4"),
                                 ({"FLUX_JOB_SIZE": "4", "FLUX_TASK_RANK": "2"}, "FLUX_JOB_SIZE=4")):
            with self.subTest(named=named):
                self.refuse(DECK, named, "each process would do all the work",
                            "`srun --mpi=list`" if rivulet_cli.MPIEXEC else "build with MPI",
                            f"unset {named.partition('=')[0]}", ranks=(1,), variables=variables)
        self.refuse(["merge", "a.h5", "b.h5"], "SLURM_NTASKS=4", ranks=(1,), variables=OF_A_STEP)

    def test_answers_and_batch_scripts_are_not(self):
        script = {"SLURM_JOB_ID": "7", "SLURM_NTASKS": "4", "SLURM_PROCID": "0"}
        self.run_ok(*DECK, "output.file=", variables=script)
        for answer in (["--help"], ["--list"], ["--dump-default", "pi"], ["--describe-results", "pi"], [*DECK, "--validate"]):
            self.run_ok(*answer, variables=OF_A_STEP)

    def test_ranks_of_a_launcher_whose_mpi_is_the_same(self):
        self.run_ok(*DECK, "output.file=", ranks=2, variables={**OF_A_STEP, "SLURM_NTASKS": "2"})

    @unittest.skipUnless(pathlib.Path("/proc/self/environ").exists(), "no /proc")
    def test_threads_wait_shortly_unless_the_user_says_how(self):
        """GCC's OpenMP reads the variables once, at the start of the process."""
        if "OpenMP" not in rivulet_cli.backends():
            self.skipTest("a build without OpenMP")
        def environment_of_a_run(**variables):
            environment = rivulet_cli.environment(**{"OMP_WAIT_POLICY": None, "GOMP_SPINCOUNT": None,
                                                     "OMP_NUM_THREADS": "1", **variables})
            with subprocess.Popen([rivulet_cli.BINARY, "pi", "pi.points=3e8", "output.file="], env=environment,
                                  cwd=self.directory, stdin=subprocess.DEVNULL, text=True,
                                  stdout=subprocess.PIPE) as run:
                first = run.stdout.readline()
                seen = pathlib.Path(f"/proc/{run.pid}/environ").read_bytes().split(b"\0")
                name = pathlib.Path(f"/proc/{run.pid}/comm").read_text(encoding="utf-8").strip()
                rest = run.stdout.read()
            self.assertEqual(run.returncode, 0)
            self.assertIn("Digest", first + rest)
            self.assertEqual(name, pathlib.Path(rivulet_cli.BINARY).name)
            return seen
        self.assertIn(b"GOMP_SPINCOUNT=1000", environment_of_a_run())
        for name, value in (("OMP_WAIT_POLICY", "active"), ("GOMP_SPINCOUNT", "77")):
            seen = environment_of_a_run(**{name: value})
            self.assertIn(f"{name}={value}".encode(), seen)
            self.assertNotIn(b"GOMP_SPINCOUNT=1000", seen)

    def children(self, variables):
        """Returns the names of the child processes that a run of one process had."""
        environment = rivulet_cli.environment(**{"OMP_NUM_THREADS": "1", **variables})
        seen = set()
        with subprocess.Popen([rivulet_cli.BINARY, "pi", "pi.points=3e8", "output.file="],
                              env=environment, cwd=self.directory, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL) as run:
            listed = pathlib.Path(f"/proc/{run.pid}/task/{run.pid}/children")
            while run.poll() is None:
                try:
                    seen.update(pathlib.Path(f"/proc/{child}/comm").read_text(encoding="utf-8").strip()
                                for child in listed.read_text(encoding="utf-8").split())
                except OSError:
                    continue  # a process has just ended
        self.assertEqual(run.returncode, 0)
        return seen

    @unittest.skipUnless(pathlib.Path("/proc/self/task").exists(), "no /proc")
    def test_a_process_alone_starts_no_daemon(self):
        self.assertEqual(self.children({}), set())

    def test_a_process_alone_makes_no_folder_for_mpi(self):
        """Open MPI 4 would make folders. Processes that start and end at the same time would remove each other's."""
        no_folder = self.directory / "file"
        no_folder.touch()
        self.children({"OMPI_MCA_orte_tmpdir_base": str(no_folder)})

    @unittest.skipUnless(rivulet_cli.MPIEXEC, "built without MPI")
    def test_users_of_mpi_have_the_last_word(self):
        version = subprocess.run([rivulet_cli.MPIEXEC, "--version"], text=True, check=True,
                                 stdout=subprocess.PIPE).stdout
        if not re.search(r"(OpenRTE|Open MPI)\)? 4\.", version):
            self.skipTest("of Open MPI 4")
        self.assertIn("orted", self.children({"OMPI_MCA_ess_singleton_isolated": "0"}))

    @unittest.skipUnless(rivulet_cli.MPIEXEC, "built without MPI")
    def test_ranks_that_differ_are_told_apart(self):
        two_programs = [rivulet_cli.MPIEXEC, "-n", "1", "true", ":", "-n", "1", "true"]
        if subprocess.run(two_programs, env=rivulet_cli.environment(), timeout=60,
                          check=False).returncode < 0:
            self.skipTest("this mpiexec crashes when it starts two programs, as Debian 13's does")

        def start(*others):
            command = [rivulet_cli.MPIEXEC, "-n", "1", rivulet_cli.BINARY, *DECK, "output.file="]
            for other in others:
                command += [":", "-n", "1", rivulet_cli.BINARY, *other]
            return subprocess.run(
                command, env=rivulet_cli.environment(OMP_NUM_THREADS="1"),
                text=True, timeout=60, cwd=self.directory, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        alike = [*DECK, "output.file="]
        self.assertEqual(start(alike).returncode, 0)
        done = start(alike, [*DECK, "pi.points=2000", "output.file="])
        told = [line for line in done.stderr.splitlines() if line.startswith("rivulet: ")]
        self.assertEqual(len(told), 1, done)
        self.assertRegex(told[0], r"^rivulet: rank 2 on \S+: arguments differ from rank 0's \('pi .*' here, "
                         r"'pi .*' on rank 0\)\. Give")
        self.assertNotEqual(done.returncode, 0)
        self.assertNotIn("Digest", done.stdout)
