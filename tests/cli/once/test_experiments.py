# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests the files for ReFrame, Ramble, Benchpark and Spack, with stand-ins for these programs. Their decks run, and an
output with another digest fails."""

import importlib.util
import pathlib
import re
import sys
import types
import unittest
from unittest import mock

import rivulet_cli

SCRIPTS = rivulet_cli.SOURCE_DIR.resolve() / "scripts"
OTHER_DIGEST = "Digest: " + "0" * 64
RECIPE = SCRIPTS / "spack" / "spack_repo" / "rivulet" / "packages" / "rivulet" / "package.py"
PROBLEMS = ("pi", "fill", "alias", "correlate", "occlusion")


def module(name, **members):
    found = types.ModuleType(name)
    vars(found).update(members)
    return found


def loaded(path, *modules):
    """Loads a file as a module; its imports find `modules` instead of installed modules."""
    with mock.patch.dict(sys.modules, {one.__name__: one for one in modules}):
        spec = importlib.util.spec_from_file_location(f"tested_{path.stem}", path)
        found = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(found)
        return found


def marked(name):
    """Returns a decorator that only marks a function."""
    def mark(function):
        function.mark = name
        return function
    return mark


class ReframeMeta(type):
    """A stand-in for ReFrame's metaclass: provides the names that class bodies use."""

    @classmethod
    def __prepare__(mcs, *_):
        return {"variable": lambda _, value: value, "parameter": lambda values, **_: values,
                "run_after": lambda *_: marked("hook"), "run_before": lambda *_: marked("hook"),
                "sanity_function": marked("sanity"), "performance_function": lambda *_: marked("performance")}


class ReframeTest(metaclass=ReframeMeta):
    """A stand-in for ReFrame's base class, on a host of two cores."""

    num_tasks, num_cpus_per_task = 1, None
    current_partition = types.SimpleNamespace(scheduler=types.SimpleNamespace(is_local=True),
                                              processor=types.SimpleNamespace(num_cores=2))

    def skip_if(self, condition, text):
        self.skipped = text if condition else ""


def extracted(pattern, path, tag, kind=str):
    found = re.search(pattern, pathlib.Path(path).read_text(encoding="utf-8"), re.M)
    return kind(found[tag]) if found else None


def reframe_file():
    sanity = module("reframe.utility.sanity", extractsingle=extracted,
                    assert_found=lambda pattern, path: extracted(pattern, path, 0) is not None)
    utility = module("reframe.utility", sanity=sanity)
    return loaded(SCRIPTS / "reframe" / "rivulet.py", utility, sanity,
                  module("reframe", simple_test=lambda one: one, RunOnlyRegressionTest=ReframeTest, utility=utility))


class Reframe(rivulet_cli.Case):
    def functions(self, test, mark):
        return [getattr(test, name) for name in dir(type(test)) if getattr(getattr(type(test), name), "mark", "") == mark]

    def require_sanity(self, test):
        """Requires that the sanity check accepts the run's output, and rejects an output with another digest."""
        said = self.run_ok(*test.executable_opts).out
        check, = self.functions(test, "sanity")
        test.stdout = self.directory / self.write("out", said)
        self.assertTrue(check())
        self.write("out", re.sub("(?m)^Digest: .*", OTHER_DIGEST, said))
        self.assertFalse(check())
        self.write("out", said)

    def test_small_decks(self):
        file = reframe_file()
        for deck in file.DECKS:
            with self.subTest(deck=deck):
                one = file.RivuletDigests()
                one.deck, one.generator, one.ranks = deck, "philox4x32", 2
                one.set_deck()
                self.require_sanity(one)

    def test_problems(self):
        for problem in PROBLEMS:
            with self.subTest(problem=problem):
                one = reframe_file().RivuletBenchmark()
                one.problem, one.size = problem, "XS"
                one.set_deck()
                if problem != "pi":  # the test cli_bench runs all problems
                    self.run_ok(*one.executable_opts, "--validate")
                    continue
                self.require_sanity(one)
                for figure in self.functions(one, "performance"):
                    self.assertGreaterEqual(figure(), 0)
                one.env_vars = {}
                for tasks, skipped in ((1, ""), (3, "3 x 1 threads, 2 cores")):
                    one.num_tasks = tasks
                    one.set_threads()
                    self.assertEqual((one.skipped, one.env_vars["OMP_NUM_THREADS"]), (skipped, "1"))


def expanded(text, known):
    """Expands the variables in braces, as Ramble does."""
    return re.sub(r"{([^{}]+)}", lambda found: expanded(known.get(found[1], found[1]), known), text)


def ramble_file():
    """Loads the application. Returns it with its workloads, variables, figures of merit and success criteria."""
    workloads, merits, criteria = {}, {}, []

    def workload(name, executables):
        workloads[name] = {"": executables}

    def workload_variable(name, default, description, workloads):
        assert description
        for load in workloads:
            known[load][name] = default

    def figure_of_merit(name, fom_regex, group_name, **_):
        merits[name] = fom_regex, group_name

    known = workloads
    appkit = module("ramble.appkit", ExecutableApplication=object, workload=workload, figure_of_merit=figure_of_merit,
                    workload_variable=workload_variable, tags=lambda *_: None, executable=lambda *_, **__: None,
                    success_criteria=lambda _, mode, match: criteria.append(match))
    file = loaded(SCRIPTS / "ramble" / "applications" / "rivulet" / "application.py", module("ramble"), appkit)
    return file.Rivulet(), workloads, merits, criteria


class Ramble(rivulet_cli.Case):
    def succeeds(self, text):
        *_, criteria = ramble_file()
        return all(re.search(f"(?m){expanded(match, {})}", text) for match in criteria)

    def test_problems(self):
        _, workloads, merits, criteria = ramble_file()
        self.assertTrue(criteria)
        for name, load in workloads.items():
            words = [f"{load['decks']}/{load['problem']}.yaml", *expanded("{words}", load).split()]
            self.run_ok(*words, "--validate")
            if name == "pi_XS":  # the test cli_bench runs all problems
                said = self.run_ok(*words).out
                self.assertTrue(self.succeeds(said))
                self.assertFalse(self.succeeds(re.sub("(?m)^Digest: .*", OTHER_DIGEST, said)))
                self.assertFalse(self.succeeds(""))
                for pattern, group in merits.values():  # Ramble expands braces in patterns too
                    self.assertRegex(said, f"(?m){expanded(pattern, {})}")
                    self.assertIn(f"?P<{group}>", pattern)
        self.assertEqual({load["problem"] for load in workloads.values()}, set(PROBLEMS))


class BenchparkExperiment:
    """A stand-in for Benchpark's base class. `spec` has the choices of the command line."""

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
        return {}

    def add_package_spec(self, name, spec):
        self.packages[name] = spec[0]


class Spack(unittest.TestCase):
    def test_recipe(self):
        """The recipe's options exist in CMake, its generators are those of src/generators/list.hpp, and docs/install.md
        names its variants."""
        recipe, root = RECIPE.read_text(encoding="utf-8"), SCRIPTS.parent
        compile(recipe, "package.py", "exec")
        cmake = "".join(path.read_text(encoding="utf-8")
                        for path in (root / "CMakeLists.txt", *sorted((root / "cmake").glob("*.cmake"))))
        variants = re.findall(r'(?m)^ +variant\(\s*"(\w+)"', recipe)
        options = re.findall(r'define(?:_from_variant)?\("(RIVULET_\w+)", (?:"(\w+)")?', recipe)
        self.assertGreater(len(options), 6)
        for option, variant in options:
            self.assertRegex(cmake, rf"option\({option} |set\({option}\s[^)]*CACHE")
            self.assertIn(variant, ["", *variants])
        page = (root / "docs" / "install.md").read_text(encoding="utf-8")
        for variant in variants:
            self.assertIn(f"`{variant}`", page)
        listed = re.findall(r"(?m)^  GENERATOR\((\w+), ",
                            (root / "src" / "generators" / "list.hpp").read_text(encoding="utf-8"))
        values = re.search(r'disjoint_sets\(\s*\("all",\),\s*\(([^)]*)\)', recipe)[1]
        self.assertEqual(re.findall(r'"(\w+)"', values), listed)


class Benchpark(unittest.TestCase):
    def test_experiments(self):
        """Each problem and size is a workload of Ramble's application, and each backend a variant of Spack's recipe."""
        variants, models = {}, []
        kinds = types.SimpleNamespace(Mpionly="mpi", Openmp="openmp", Cuda="cuda", Rocm="rocm")
        file = loaded(SCRIPTS / "benchpark" / "rivulet" / "experiment.py", module("benchpark"),
                      module("benchpark.directives", variant=lambda name, values, **_: variants.update({name: values})),
                      module("benchpark.experiment", Experiment=BenchparkExperiment),
                      module("benchpark.programming_model", ProgrammingModelType=kinds,
                             ProgrammingModel=lambda *found: models.extend(found) or type("Model", (), {})))
        self.assertLessEqual(set(variants["workload"]), set(ramble_file()[1]))
        for model in models:
            self.assertRegex(RECIPE.read_text(encoding="utf-8"), rf'variant\("{model}"|satisfies\("\+{model}"\)')
        for model, unit in (("openmp", "n_ranks"), ("cuda", "n_gpus"), ("rocm", "n_gpus")):
            one = file.Rivulet(model, ranks="4", threads="8", version="main")
            one.compute_applications_section()
            one.compute_package_section()
            self.assertEqual(one.variables, {unit: "4", "n_threads_per_proc": "8"})
            self.assertEqual(one.packages, {"rivulet": "rivulet@main "})
            self.assertEqual(one.compute_config_section(), {"n_repeats": "5"})
