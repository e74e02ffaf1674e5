# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The files for ReFrame, Ramble and Benchpark, with stand-ins for these programs: decks are valid, digests are the
known ones, and a run with another digest fails."""

import importlib.util
import json
import math
import pathlib
import re
import sys
import types
from unittest import mock

import bench_case  # noqa: F401, it lets scripts' modules be found
import rivulet_cli
import test_digests
import yaml
from benchmarking import procurement

SCRIPTS = rivulet_cli.SOURCE_DIR.resolve() / "scripts"
DECKS = SCRIPTS.parent / "inputs" / "benchmark"
PROBLEMS = json.loads((DECKS / "problems.json").read_text(encoding="utf-8"))["problems"]
REFRAME = SCRIPTS / "reframe" / "rivulet.py"
RAMBLE = SCRIPTS / "ramble" / "applications" / "rivulet" / "application.py"
BENCHPARK = SCRIPTS / "benchpark" / "rivulet" / "experiment.py"


def module(name, **members):
    found = types.ModuleType(name)
    vars(found).update(members)
    return found


def loaded(path, **modules):
    """The module of a file, which finds these instead of those that are installed."""
    with mock.patch.dict(sys.modules, {name.replace("__", "."): one for name, one in modules.items()}):
        spec = importlib.util.spec_from_file_location(f"tested_{path.stem}", path)
        found = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(found)
        return found


def the_same(*_, **__):
    return lambda function: function


class ReframeMeta(type):
    """Gives class bodies what ReFrame's has there."""

    @classmethod
    def __prepare__(mcs, *_):
        return {"variable": lambda _, value: value, "parameter": lambda values, **_: values, "run_after": the_same,
                "run_before": the_same, "sanity_function": lambda function: function, "performance_function": the_same}


class ReframeTest(metaclass=ReframeMeta):
    """With what ReFrame gives a test on a host of its own, of two cores."""

    reference = None
    num_tasks, num_cpus_per_task = 1, None
    current_partition = types.SimpleNamespace(scheduler=types.SimpleNamespace(is_local=True),
                                              processor=types.SimpleNamespace(num_cores=2))
    skipped = ""

    def skip_if(self, condition, text):
        self.skipped = text if condition else ""


def single(pattern, path, tag, kind=str):
    return kind(re.search(pattern, pathlib.Path(path).read_text(encoding="utf-8"), re.M)[tag])


def reframe_file():
    sanity = module("reframe.utility.sanity", extractsingle=single, deferrable=lambda function: function, abs=abs,
                    assert_eq=lambda a, b: a == b, assert_lt=lambda a, b: a < b, assert_true=bool)
    utility = module("reframe.utility", sanity=sanity)
    return loaded(REFRAME, reframe=module("reframe", simple_test=lambda one: one, RunOnlyRegressionTest=ReframeTest,
                                          utility=utility),
                  reframe__utility=utility, reframe__utility__sanity=sanity)


class Reframe(rivulet_cli.Case):
    def test_digests(self):
        """Each deck is what tests/cli/test_digests.py runs, and its digest is in the table."""
        file = reframe_file()
        built = test_digests.startable()
        for generator in file.GENERATORS:
            self.assertIn(generator, built)
            for deck, words in file.DECKS.items():
                one = file.RivuletDigests()
                one.deck, one.generator, one.ranks = deck, generator, 2
                one.set_deck()
                self.assertEqual(one.executable_opts, [*test_digests.Digests.deck_of(generator, deck), "output.file="])
                self.assertEqual(words, test_digests.OF_EACH_GENERATOR[deck])
                known = test_digests.table()[f"{generator}: {deck}"]
                one.stdout = self.directory / self.write("out", f"Digest: {known}\n")
                self.assertTrue(one.same_digest())
                self.write("out", f"Digest: {'0' * 64}\n")
                self.assertFalse(one.same_digest())

    def benchmark(self, problem, size="XS", references=""):
        one = reframe_file().RivuletBenchmark()
        one.problem, one.size, one.references = problem, size, references
        one.set_deck()
        return one

    def test_benchmark(self):
        """Known digests are compared, not only found; where none is known, the deviation decides."""
        for problem in PROBLEMS:
            with self.subTest(problem=problem):
                one = self.benchmark(problem)
                said = self.run_ok(*one.executable_opts).out
                one.stdout = self.directory / self.write("out", said)
                self.assertTrue(one.right_result())
                self.assertGreater(one.rate(), 0)
                self.assertGreater(one.whole_time(), 0)
                self.write("out", re.sub(r"Digest: (.)", lambda one: f"Digest: {'10'[one[1] == '1']}", said))
                self.assertFalse(one.right_result())
        for size, deviation, right in (("full:2", "-3.8", True), ("full:2", "4.2", False),
                                       ("full:1000", "6.8", True), ("full:1000", "-1.2", False)):
            one = self.benchmark("pi", size)
            self.assertIn(f"pi.points={size.partition(':')[2]}0000000000000", one.executable_opts)
            one.stdout = self.directory / self.write("out", f"deviation: {deviation} standard errors\nDigest: "
                                                     f"{'0' * 64}\n")
            self.assertEqual(one.right_result(), right)
        self.assertIn("correlate.numbers=10000000000000", self.benchmark("correlate", "full:200").executable_opts)
        self.assertRaises(KeyError, self.benchmark, "pi", "XXL")

    def test_threads_and_cores(self):
        """A host of its own runs no more threads than it has cores."""
        one = self.benchmark("pi")
        for tasks, threads, skipped in ((2, None, ""), (1, 2, ""), (2, 2, "2 x 2 threads, 2 cores")):
            one.num_tasks, one.num_cpus_per_task, one.env_vars = tasks, threads, {}
            one.set_threads()
            self.assertEqual((one.skipped, one.env_vars["OMP_NUM_THREADS"]), (skipped, str(threads or 1)))

    def test_references_of_sites(self):
        self.write("rates.json", json.dumps({"here:cpu": {"pi": [5e11, -0.1, None]}, "there:gpu": {"fill": [1, 0, 0]}}))
        one = self.benchmark("pi", references=self.directory / "rates.json")
        self.assertEqual(one.reference, {"here:cpu": {"rate": (5e11, -0.1, None, "1/s")}})


class Expander:
    """As Ramble's: words in braces are variables; products, and the least of two, are computed."""

    def __init__(self, known):
        self.known = known

    def expand_var(self, text):
        text = re.sub(r"{([^{}]+)}", lambda found: self.expand_var(str(self.known.get(found[1], found[1]))), text)
        text = re.sub(r"\b\d+(\*\d+)+", lambda found: str(math.prod(map(int, found[0].split("*")))), text)
        return re.sub(r"^min\((\d+), (\d+)\)$", lambda found: str(min(int(found[1]), int(found[2]))), text)


def ramble_file():
    """The application's file, and its workloads with their variables."""
    workloads, merits = {}, {}

    def workload(name, executables):
        workloads[name] = {"": executables}

    def workload_variable(name, default, description, workloads):
        assert description
        for load in workloads:
            known[load][name] = default

    def figure_of_merit(name, fom_regex, group_name, **_):
        merits[name] = fom_regex, group_name

    known = workloads
    nothing = {name: lambda *_, **__: None for name in ("tags", "executable", "success_criteria")}
    appkit = module("ramble.appkit", ExecutableApplication=object, workload=workload, figure_of_merit=figure_of_merit,
                    workload_variable=workload_variable, **nothing)
    return loaded(RAMBLE, ramble=module("ramble"), ramble__appkit=appkit), workloads, merits


class Ramble(rivulet_cli.Case):
    def succeeds(self, text, load, **variables):
        file, workloads, _ = ramble_file()
        log = self.directory / "log"
        log.unlink(missing_ok=True)
        if text is not None:
            self.write("log", text)
        one = file.Rivulet()
        one.expander = Expander({**workloads[load], "log_file": str(log), **variables})
        return one.evaluate_success()

    def test_values_of_digests_decide(self):
        one, other = "1" * 64, "2" * 64
        for text, right in ((f"a\nDigest: {one}\n", True), (f"Digest: {other}\n", False), ("", False), (None, False)):
            with self.subTest(text=text):
                self.assertEqual(self.succeeds(text, "pi_M", digest=one), right)

    def test_deviations_decide_where_no_digest_is_known(self):
        for deviation, nodes, right in (("3.9", 4, True), ("-4.1", 4, False), ("nan", 4, False),
                                        ("6.8", 1000, True), ("-1.2", 1000, False)):
            with self.subTest(deviation=deviation, nodes=nodes):
                text = f"deviation: {deviation} standard errors\nDigest: {'1' * 64}\n"
                self.assertEqual(self.succeeds(text, "pi_full", n_nodes=nodes), right)
        self.assertFalse(self.succeeds(f"Digest: {'1' * 64}\n", "pi_full", n_nodes=1))
        self.assertTrue(self.succeeds(f"Digest: {'1' * 64}\n", "fill_full", n_nodes=1))
        self.assertFalse(self.succeeds("", "fill_full", n_nodes=1))

    def test_workloads(self):
        """Those of the benchmark have its decks and digests, and the workspace has workloads that are there."""
        _, workloads, merits = ramble_file()
        for problem, known in PROBLEMS.items():
            for size, one in known["sizes"].items():
                load = workloads[f"{problem}_{size}"]
                self.assertEqual(load["digest"], one.get("digest") or "")
                for nodes in (3, 200):
                    words = Expander({**load, "n_nodes": nodes}).expand_var("{words}").split()
                    expected = procurement.words_of(problem, known, size, nodes if size == "full" else 1)
                    self.assertEqual(words, expected[1:])
                    self.run_ok(f"{load['decks']}/{problem}.yaml", *words, "--validate")
            words = Expander(workloads[f"{problem}_XS"]).expand_var("{words}").split()
            said = self.run_ok(f"{DECKS}/{problem}.yaml", *words)
            self.assertTrue(self.succeeds(said.out, f"{problem}_XS"))
            for name, (pattern, group) in merits.items():
                # Ramble expands patterns, too.
                self.assertRegex(said.out, f"(?m){Expander({}).expand_var(pattern)}")
                self.assertIn(f"?P<{group}>", pattern, name)
        space = yaml.safe_load((SCRIPTS / "ramble" / "ramble.yaml").read_text(encoding="utf-8"))
        self.assertLessEqual(set(space["ramble"]["applications"]["rivulet"]["workloads"]), set(workloads))


class BenchparkExperiment:
    """What today's Benchpark gives an experiment; `spec` has what the command line chose."""

    name = "rivulet"

    def __init__(self, *models, **chosen):
        self.spec = types.SimpleNamespace(satisfies=lambda text: text[1:] in models,
                                          variants={name: [value] for name, value in chosen.items()})
        self.variables, self.packages = {}, {}

    def add_experiment_variable(self, name, value, named=False):
        self.variables[name] = value

    def set_required_variables(self, **values):
        self.required = values

    def compute_config_section(self):
        return {"deprecated": True}

    def add_package_spec(self, name, spec):
        self.packages[name] = spec[0]


class Benchpark(rivulet_cli.Case):
    def test_experiments(self):
        """Each problem and size is a workload of Ramble's application; each backend a variant of Spack's recipe."""
        variants, models = {}, []

        def variant(name, default, values, description, multi=False):
            assert values is int or default in values and description
            variants[name] = values, default

        kinds = types.SimpleNamespace(Mpionly="mpi", Openmp="openmp", Cuda="cuda", Rocm="rocm")
        file = loaded(BENCHPARK, benchpark=module("benchpark"),
                      benchpark__directives=module("benchpark.directives", variant=variant),
                      benchpark__experiment=module("benchpark.experiment", Experiment=BenchparkExperiment),
                      benchpark__programming_model=module(
                          "benchpark.programming_model", ProgrammingModelType=kinds,
                          ProgrammingModel=lambda *found: models.extend(found) or type("Model", (), {})))
        sized = {name for name in ramble_file()[1] if not name.endswith("_full")}
        self.assertEqual(set(variants["workload"][0]), sized)
        recipe = next(SCRIPTS.glob("spack/**/packages/rivulet/package.py")).read_text(encoding="utf-8")
        for model in models:
            self.assertRegex(recipe, rf'variant\("{model}"|satisfies\("\+{model}"\)')
        for chosen, unit in ((["openmp"], "n_ranks"), (["cuda"], "n_gpus"), (["rocm"], "n_gpus")):
            one = file.Rivulet(*chosen, ranks="4", threads="8", version="main")
            one.compute_applications_section()
            self.assertEqual(one.variables, {unit: "4", "n_threads_per_proc": "8"})
            self.assertEqual(one.required, {"n_resources": "4", "process_problem_size": "{amount}/{n_resources}",
                                            "total_problem_size": "{amount}"})
            one.compute_package_section()
            self.assertEqual(one.packages, {"rivulet": "rivulet@main "})
            self.assertEqual(one.compute_config_section(), {"deprecated": True, "n_repeats": "5"})
