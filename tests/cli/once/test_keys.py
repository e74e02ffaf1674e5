# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every key of every job's deck does something, and what it is said to: changed alone, it changes
the numbers, the files, the report or the kernels.

deck_keys.py has a line for each. The keys and their choices are the program's own, so that a new
one without a line fails."""

import pathlib
import re
import shutil
import tempfile
import unittest

import h5py
import numpy

import deck_keys
import rivulet_cli
from deck_keys import ALL, BASES, DATA, DIGEST, FILES, KERNELS, UNSEEN
from side_by_side import see_all
from test_correlate import have_fftw
from test_occlusion import TABLE


def jobs():
    """The names in `rivulet --list`."""
    listed = rivulet_cli.run("--list").out.partition("Jobs\n")[2].partition("\n\n")[0]
    return [line.split()[0] for line in listed.splitlines()]


def schema(job):
    """The keys of a job's deck with their defaults and, of a choice, its names."""
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
SCHEMAS["stream"] = SCHEMAS["fill"]  # `rivulet stream` reads its decks
KEYS = {job: keys for job, keys in deck_keys.KEYS.items() if rivulet_cli.is_built(job)}
IDLE = [one for one in deck_keys.IDLE if rivulet_cli.is_built(one[0])]


class Fixtures:
    """Files that decks name, by the word in braces."""

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
        cls.runs = see_all([run for *_, base, changed in cls.trials()
                            for run in (base, *changed.values())])

    @classmethod
    def deck(cls, job, *settings):
        return tuple(one.format(**cls.fixtures.paths) for one in (*BASES[job].split(), *settings))

    @classmethod
    def trials(cls):
        """job, key, where it is seen, the deck before, and by value the deck after."""
        for job, keys in KEYS.items():
            for name, lines in keys.items():
                for line in lines:
                    if name == "correlate.method" and not have_fftw():
                        continue
                    default, choices = SCHEMAS[job][name]
                    before = cls.deck(job, *line.given)
                    value = next((one.partition("=")[2] for one in reversed(before)
                                  if one.startswith(f"{name}=")), default)
                    values = [one for one in choices if one != value] if line.values == (ALL,) \
                        else line.values
                    after = {value: (cls.deck(job, *line.given, *line.needs.get(value, "").split(),
                                              f"{name}={value}"), 1) for value in values}
                    yield job, name, line.seen, (before, 1), after

    def of(self, run):
        """What a run gave."""
        seen = self.runs[run]
        if isinstance(seen, Exception):
            self.fail(str(seen))
        return seen

    def aspect(self, seen, where):
        """The part of what a run gave in which a key is to be seen."""
        if where.startswith("report: "):
            return seen.run.result(where.removeprefix("report: "))
        return {DIGEST: seen.digest, KERNELS: sorted(seen.launches.items()),
                DATA: sorted(seen.data["out.h5"].items()) if where == DATA else None,
                FILES: seen.files}[where]

    def test_every_job_has_its_keys(self):
        self.assertEqual(sorted(SCHEMAS), sorted(KEYS))
        for job, keys in SCHEMAS.items():
            told = [*KEYS[job], *UNSEEN.get(job, {})]
            self.assertEqual(sorted(told), sorted(keys), f"{job}: deck_keys.py and the program")

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
                all_seen = {"as before": self.of(before),
                            **{value: self.of(run) for value, run in after.items()}}
                found = {value: self.aspect(seen, where) for value, seen in all_seen.items()}
                for value, aspect in found.items():
                    same = [other for other in found if found[other] == aspect]
                    self.assertEqual(same, [value], f"{name}: no difference in the {where}")
                if where not in (DIGEST, DATA, FILES):
                    self.assertEqual(len({seen.digest for seen in all_seen.values()}), 1,
                                     f"{name} changes the numbers")

    def test_what_is_idle_and_why(self):
        runs = see_all([(self.deck(job, *given.split(), *more), 1)
                        for job, given, setting, _ in IDLE for more in ((), (setting,))])
        for job, given, setting, why in IDLE:
            with self.subTest(job=job, given=given, setting=setting, why=why):
                before, after = (runs[self.deck(job, *given.split(), *more), 1]
                                 for more in ((), (setting,)))
                self.assertEqual((after.digest, after.launches), (before.digest, before.launches))

    def test_the_same_deck_gives_the_same(self):
        for job in BASES:
            with self.subTest(job=job):
                one, two = (see_all([(self.deck(job), 1)])[self.deck(job), 1] for _ in range(2))
                self.assertEqual((one.digest, one.files), (two.digest, two.files))
                if job != "stream":  # which ends in the midst of its work
                    self.assertEqual(one.launches, two.launches)
