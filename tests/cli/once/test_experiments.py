# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The files for ReFrame, Ramble and Benchpark, with stand-ins for these programs: decks are valid, digests are the
known ones, and a run with another digest fails."""

import importlib.util
import json
import pathlib
import re
import sys
import types
from unittest import mock

import rivulet_cli
import test_digests
import yaml

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
    reference = None


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
        unknown = [size for size, known in PROBLEMS["pi"]["sizes"].items() if not known.get("digest")]
        one = self.benchmark("pi", unknown[0])
        one.stdout = self.directory / "out"
        for deviation, right in (("-3.9", True), ("4.1", False)):
            self.write("out", f"deviation: {deviation} standard errors\nDigest: {'0' * 64}\n")
            self.assertEqual(one.right_result(), right)

    def test_references_of_sites(self):
        self.write("rates.json", json.dumps({"here:cpu": {"pi": [5e11, -0.1, None]}, "there:gpu": {"fill": [1, 0, 0]}}))
        one = self.benchmark("pi", references=self.directory / "rates.json")
        self.assertEqual(one.reference, {"here:cpu": {"rate": (5e11, -0.1, None, "1/s")}})


class Expander:
    def __init__(self, known):
        self.known = known

    def expand_var(self, text):
        return self.known[text.strip("{}")]


def ramble_file():
    """The application's file, and its workloads with their variables."""
    workloads = {}

    def workload(name, executables):
        workloads[name] = {"": executables}

    def workload_variable(name, default, description, workloads):
        assert description
        for load in workloads:
            known[load][name] = default

    known = workloads
    nothing = {name: lambda *_, **__: None for name in
               ("tags", "software_spec", "executable", "figure_of_merit", "success_criteria")}
    appkit = module("ramble.appkit", ExecutableApplication=object, workload=workload,
                    workload_variable=workload_variable, **nothing)
    return loaded(RAMBLE, ramble=module("ramble"), ramble__appkit=appkit), workloads


class Ramble(rivulet_cli.Case):
    def succeeds(self, text, digest="", deviation=""):
        one = ramble_file()[0].Rivulet()
        log = self.directory / "log"
        log.unlink(missing_ok=True)
        if text is not None:
            self.write("log", text)
        one.expander = Expander({"digest": digest, "deviation": deviation, "log_file": str(log)})
        return one.evaluate_success()

    def test_values_of_digests_decide(self):
        one, other = "1" * 64, "2" * 64
        for text, expected, deviation, right in (
                (f"a\nDigest: {one}\n", one, "", True), (f"Digest: {other}\n", one, "", False), ("", one, "", False),
                (None, one, "", False), (f"Digest: {one}\n", "", "", True), ("", "", "", False),
                (f"deviation: 3.9 standard errors\nDigest: {one}\n", "", "deviation", True),
                (f"deviation: -4.1 standard errors\nDigest: {one}\n", "", "deviation", False),
                (f"deviation: nan standard errors\nDigest: {one}\n", "", "deviation", False),
                (f"Digest: {one}\n", "", "deviation", False)):
            with self.subTest(text=text, expected=expected, deviation=deviation):
                self.assertEqual(self.succeeds(text, expected, deviation), right)

    def test_workloads(self):
        """Those of the benchmark have its decks and digests, and the workspace has workloads that are there."""
        _, workloads = ramble_file()
        for problem, known in PROBLEMS.items():
            for size in ("XS", "S", "M", "L"):
                one = workloads[f"{problem}_{size}"]
                self.assertEqual(one["digest"], known["sizes"][size]["digest"] or "")
                self.run_ok(f"{one['decks']}/{one['problem']}.yaml", *one["words"].split(), "--validate")
        said = self.run_ok(f"{workloads['pi_XS']['decks']}/pi.yaml", *workloads["pi_XS"]["words"].split()).out
        self.assertTrue(self.succeeds(said, workloads["pi_XS"]["digest"]))
        space = yaml.safe_load((SCRIPTS / "ramble" / "ramble.yaml").read_text(encoding="utf-8"))
        self.assertLessEqual(set(space["ramble"]["applications"]["rivulet"]["workloads"]), set(workloads))


class Benchpark(rivulet_cli.Case):
    def test_experiments(self):
        """Each problem and size is a workload of Ramble's application; each backend a variant of Spack's recipe."""
        variants = {}

        def variant(name, default, values, description):
            assert default in values and description
            variants[name] = values

        file = loaded(BENCHPARK, benchpark=module("benchpark"),
                      benchpark__directives=module("benchpark.directives", variant=variant),
                      benchpark__experiment=module("benchpark.experiment", Experiment=object))
        self.assertEqual(variants["problem"], tuple(PROBLEMS))
        workloads = ramble_file()[1]
        recipe = next(SCRIPTS.glob("spack/**/packages/rivulet/package.py")).read_text(encoding="utf-8")
        for model in variants["programming_model"]:
            for problem in variants["problem"]:
                for size in variants["size"]:
                    one = file.Rivulet()
                    chosen = {"programming_model": [model], "problem": [problem], "size": [size]}
                    one.spec = types.SimpleNamespace(
                        variants=chosen, satisfies=lambda text, model=model: text == f"programming_model={model}")
                    loads = one.compute_applications_section()["rivulet"]["workloads"]
                    self.assertLessEqual(set(loads), set(workloads))
                    backend = re.search(r"\+(\w+)", one.compute_spack_section()["packages"]["rivulet"]["pkg_spec"])[1]
                    self.assertTrue(backend in recipe, backend)
