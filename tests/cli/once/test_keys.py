# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every key of every job's deck has its documented effect: a change of the key alone changes the numbers, the files,
the report or the kernels. The effect in docs/deck.md decides which keys may change in a resumed run, between merged
parts, and in a run with an expected digest.

deck_keys.py has a line for each key. The keys and their choices come from the program, so the test fails for a new key
without a line."""

import collections
import pathlib
import re
import shutil
import tempfile
import unittest

import h5py
import numpy

import deck_keys
import rivulet_cli
from deck_keys import ALL, BASES, DATA, DIGEST, FILES, KERNELS, NOT_OBSERVABLE
from side_by_side import observe_all
from test_correlate import HAS_FFTW
from test_occlusion import TABLE


def jobs():
    """Returns the names of the jobs in `rivulet --list`."""
    listed = rivulet_cli.run("--list").out.partition("Jobs\n")[2].partition("\n\n")[0]
    return [line.split()[0] for line in listed.splitlines()]


def schema(job):
    """Returns the keys of a job's deck with their defaults and the names of their choices, if any."""
    keys, section, choices = {}, "", []
    for line in rivulet_cli.run("--dump-default", job).out.splitlines():
        if found := re.match(r"(\w+):$", line):
            section = found.group(1)
        elif found := re.match(r"  #   (\w+): ", line):
            choices.append(found.group(1))
        elif found := re.match(r"  (\w+): (.*)$", line):
            keys[f"{section}.{found.group(1)}"] = (found.group(2), choices)
            choices = []
    return keys


SCHEMAS = {job: schema(job) for job in jobs()}
SCHEMAS["stream"] = SCHEMAS["fill"]  # `rivulet stream` reads decks of the fill job
KEYS = {job: keys for job, keys in deck_keys.KEYS.items() if rivulet_cli.is_built(job)}
WITHOUT_EFFECT = [one for one in deck_keys.WITHOUT_EFFECT if rivulet_cli.is_built(one[0])]


def documented_effects():
    """Returns the documented effect of each key of each job's deck. The battery's effects are those with
    battery.sequence=each."""
    page = (rivulet_cli.SOURCE_DIR / "docs/deck.md").read_text(encoding="utf-8")
    shared = {}
    found = collections.defaultdict(lambda: dict(shared))
    keys = shared
    for line in page.partition("## Sections that jobs share")[2].splitlines():
        if job := re.match(r"## `job: (\w+)`$", line):
            keys = found[job[1]]
        elif section := re.match(r"### `(\w+)`$", line):
            name = section[1]
        elif key := re.match(r"- `(\w+)(?:: [^`]*)?`(?: \((\w+)\))?: ", line):
            keys[f"{name}.{key[1]}"] = key[2] or "result"
    found["battery"] |= {"streams.first": "result", "streams.count": "result",
                         "battery.tests": "id", "battery.first_word": "result", "battery.bytes": "result"}
    return found


EFFECTS = documented_effects()
# Keys of these sections have the same meaning in every job.
SHARED = ("streams.", "checkpoint.", "output.")


class Fixtures:
    """Files that decks name by a word in braces."""

    def __init__(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="rivulet-"))
        self.paths = {name: str(self.directory / name.replace("_", ".")) for name in (
            "weights_h5", "other_h5", "table_obj", "other_obj", "words_bin")}
        for exponent, count in ((521, 3), (1279, 1), (2203, 1)):
            path = self.directory / f"sets{exponent}.h5"
            done = rivulet_cli.run("create", f"create.exponent={exponent}", f"create.count={count}",
                                   "create.seed=1", "--output", path, threads=2)
            assert done.code == 0, str(done)
            self.paths[f"sets{exponent}"] = str(path)
        pathlib.Path(self.paths["table_obj"]).write_text(TABLE, encoding="utf-8")
        pathlib.Path(self.paths["other_obj"]).write_text(TABLE.replace("1 1 0", "1 2 0"),
                                                         encoding="utf-8")
        numpy.random.default_rng(1).integers(0, 2**32, 7200000, numpy.uint32).tofile(
            self.paths["words_bin"])
        with h5py.File(self.paths["weights_h5"], "w") as file:
            file["weights"] = numpy.arange(1.0, 6.0)
            file["others"] = numpy.arange(5.0, 0.0, -1.0)
            file["x"] = numpy.arange(10.0, 15.0)
        with h5py.File(self.paths["other_h5"], "w") as file:
            file["weights"] = [[1, 2, 3], [4, 5, 7]]

    def remove(self):
        shutil.rmtree(self.directory)


class Keys(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.fixtures = Fixtures()
        cls.addClassCleanup(cls.fixtures.remove)
        cls.runs = observe_all([run for *_, base, changed in cls.trials()
                                for run in (base, *changed.values())])

    @classmethod
    def deck(cls, job, *settings):
        return tuple(one.format(**cls.fixtures.paths) for one in (*BASES[job].split(), *settings))

    @classmethod
    def trials(cls):
        """Yields the job, the key, the place of the effect, the original deck, and the changed decks by value."""
        for job, keys in KEYS.items():
            for name, lines in keys.items():
                for line in lines:
                    if name == "correlate.method" and not HAS_FFTW:
                        continue
                    default, choices = SCHEMAS[job][name]
                    before = cls.deck(job, *line.context)
                    value = next((one.partition("=")[2] for one in reversed(before)
                                  if one.startswith(f"{name}=")), default)
                    values = [one for one in choices if one != value] if line.values == (ALL,) \
                        else line.values
                    after = {value: (cls.deck(job, *line.context, *line.needs.get(value, "").split(),
                                              f"{name}={value}"), 1) for value in values}
                    yield job, name, line.shown_in, (before, 1), after

    def observation(self, run):
        """Returns the observation of a run; fails the test if the run failed."""
        seen = self.runs[run]
        if isinstance(seen, Exception):
            self.fail(str(seen))
        return seen

    def aspect(self, seen, where):
        """Returns the part of an observation that must show the key's effect."""
        if where.startswith("report: "):
            return seen.run.result(where.removeprefix("report: "))
        return {DIGEST: seen.digest, KERNELS: sorted(seen.launches.items()),
                DATA: sorted(seen.data["out.h5"].items()) if where == DATA else None,
                FILES: seen.files}[where]

    def test_every_job_has_its_keys(self):
        self.assertEqual(sorted(SCHEMAS), sorted(KEYS))
        for job, keys in SCHEMAS.items():
            listed = [*KEYS[job], *NOT_OBSERVABLE.get(job, {})]
            self.assertEqual(sorted(listed), sorted(keys), f"{job}: deck_keys.py and the program")

    def test_every_choice_is_tried(self):
        for job, keys in KEYS.items():
            for name, lines in keys.items():
                default, choices = SCHEMAS[job][name]
                tried = {value for line in lines for value in line.values}
                if choices and tried != {ALL}:
                    with self.subTest(job=job, key=name):
                        self.assertEqual(tried | {default}, set(choices))

    def test_every_value_is_seen(self):
        for job, name, where, before, after in self.trials():
            with self.subTest(job=job, key=name, seen=where):
                all_seen = {"as before": self.observation(before),
                            **{value: self.observation(run) for value, run in after.items()}}
                found = {value: self.aspect(seen, where) for value, seen in all_seen.items()}
                for value, aspect in found.items():
                    same = [other for other in found if found[other] == aspect]
                    self.assertEqual(same, [value], f"{name}: no difference in the {where}")
                if where not in (DIGEST, DATA, FILES):
                    self.assertEqual(len({seen.digest for seen in all_seen.values()}), 1,
                                     f"{name} changes the numbers")

    def test_effects_are_what_is_seen(self):
        effects = {DIGEST: ("result", "amount", "id"), DATA: ("result",), FILES: ("place",)}
        for job, keys in KEYS.items():
            for name, lines in keys.items():
                for line in lines if job in EFFECTS else ():
                    with self.subTest(job=job, key=name, seen=line.shown_in):
                        self.assertIn(EFFECTS[job][name],
                                      effects.get(line.shown_in, ("speed", "place")))

    def test_what_is_idle_and_why(self):
        runs = observe_all([(self.deck(job, *given.split(), *more), 1)
                            for job, given, setting, _ in WITHOUT_EFFECT for more in ((), (setting,))])
        for job, given, setting, why in WITHOUT_EFFECT:
            with self.subTest(job=job, given=given, setting=setting, why=why):
                before, after = (runs[self.deck(job, *given.split(), *more), 1]
                                 for more in ((), (setting,)))
                self.assertEqual((after.digest, after.launches), (before.digest, before.launches))

    def test_the_same_deck_gives_the_same(self):
        for job in BASES:
            with self.subTest(job=job):
                one, two = (observe_all([(self.deck(job), 1)])[self.deck(job), 1] for _ in range(2))
                self.assertEqual((one.digest, one.files), (two.digest, two.files))
                if job != "stream":  # a stream ends in the middle of its work
                    self.assertEqual(one.launches, two.launches)


class Effects(rivulet_cli.Case):
    """Decks with one key for each effect in each section. Giving the key counts as a change, even with its default
    value."""
    NO_DIGEST = "0" * 64

    def keys(self):
        for job, keys in SCHEMAS.items():
            seen = set()
            for name, (default, _) in keys.items() if job in EFFECTS else ():
                kind = (name.partition(".")[0], EFFECTS[job][name])
                if kind not in seen and (job == "pi" or not name.startswith(SHARED)):
                    yield job, name, name + "=" + default.strip('"')
                seen.add(kind)

    def run_in(self, *words):
        return rivulet_cli.run(*words, cwd=self.directory)

    def test_the_expected_digest(self):
        for job, name, given in self.keys():
            self.write("deck.yaml", f"job: {job}\noutput: {{expect: \"{self.NO_DIGEST}\"}}\n")
            shown = self.run_in("deck.yaml", given, "--validate").out
            with self.subTest(job=job, key=name):
                self.assertEqual(f"expect: {self.NO_DIGEST}\n" in shown.replace('"', ""),
                                 EFFECTS[job][name] in ("speed", "place"), shown)

    def test_a_resumed_run(self):
        for job in KEYS:
            if job in ("create", "fill", "stream"):
                continue  # these keep no checkpoint
            self.run_ok(*BASES[job].split(), "checkpoint.keep=true", f"checkpoint.file={job}.ckpt")
        for job, name, given in self.keys():
            if job in ("create", "fill"):
                continue
            done = self.run_in("--resume", f"{job}.ckpt", given, "--validate")
            with self.subTest(job=job, key=name):
                self.assertEqual("this key is fixed when a run starts" in done.err,
                                 EFFECTS[job][name] not in ("amount", "place"), str(done))

    def test_merged_parts(self):
        for job in KEYS:
            if job in ("create", "stream"):
                continue
            for seed in (1, 2):
                more = ["battery.sequence=each"] if job == "battery" else []
                self.run_in(*BASES[job].split(), *more, f"streams.seed={seed}", f"output.file={seed}.h5")
            refused = self.run_in("merge", "1.h5", "2.h5", "--output", "all.h5").err
            with self.subTest(job=job):
                listed = re.search(r"decks differ in (.*), output and checkpoint only", refused)[1]
                self.assertEqual(
                    sorted(listed.split(", ")),
                    sorted(name for name in SCHEMAS[job] if not name.startswith(SHARED[1:])
                           and EFFECTS[job][name] in ("id", "speed", "place")))
