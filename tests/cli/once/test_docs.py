# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The commands in README.md and docs/ work, and the files that pages and comments name exist. The decks of inputs/ do
what their comments say."""

import importlib.util
import os
import pathlib
import re
import shlex
import subprocess
import sys
import textwrap
import unittest

import rivulet_cli

ROOT = rivulet_cli.SOURCE_DIR.resolve()
INPUTS = ROOT / "inputs"
# The pages for users. The changelog may name removed files.
PAGES = [*sorted(set(ROOT.glob("*.md")) - {ROOT / "CHANGELOG.md"}), *sorted((ROOT / "docs").glob("*.md"))]
ANSWERS_ITSELF = {"--list", "--help", "--version", "--dump-default", "--describe-results", "--validate"}


def blocks(language):
    """Yields (page, text) of every fenced block of a language."""
    fence = re.compile(rf"^```{language}\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    for page in PAGES:
        for found in fence.finditer(page.read_text(encoding="utf-8")):
            yield page.name, found.group(1)


def typed():
    """Yields (page, line) of every command: the lines of shell blocks, and the lines with a prompt in other blocks."""
    for page, text in blocks("sh"):
        for line in text.replace("\\\n", " ").splitlines():
            yield page, line
    for page, text in blocks("console"):
        for line in text.splitlines():
            if line.startswith("$ "):
                yield page, line[2:]


def commands():
    """Yields (page, words) of every command, and of every srun in a script."""
    for page, line in typed():
        yield page, shlex.split(line, comments=True)
    for page, text in blocks("bash"):
        for line in text.replace("\\\n", " ").splitlines():
            if line.startswith("srun "):
                yield page, shlex.split(line)


def choosing_rows():
    """Returns the cells after each generator's name in choosing.md's table."""
    page = (ROOT / "docs" / "choosing.md").read_text(encoding="utf-8")
    return {name: cells.split(" | ") for name, cells in re.findall(r"(?m)^\| `(\w+)` \| (\d+ \| .*) \|$", page)}


def in_short(fails):
    """Returns the failed tests that --list names, in the table's abbreviations."""
    short = {"MatrixRank": "R", "LinearComp": "C"}
    return {short.get(one, one) for one in re.findall(r"MatrixRank|LinearComp|\d+ [MG]B|3 of SmallCrush", fails)}


def anchor(heading):
    words = re.sub(r"[^\w\- ]", "", heading.strip().lower())
    return words.replace(" ", "-")


class Docs(rivulet_cli.Case):
    def setUp(self):
        super().setUp()
        (self.directory / "inputs").symlink_to(INPUTS)

    def check_rivulet(self, words):
        """Runs commands that only print, and validates the others. Writes `> FILE`, but ignores `| ...`."""
        target = None
        if "|" in words:  # other programs are not tested
            words = words[:words.index("|")]
        if ">" in words:
            target = words[words.index(">") + 1]
            words = words[:words.index(">")]
        if not ANSWERS_ITSELF.intersection(words):
            words = [*words, "--validate"]
        answer = self.run_ok(*words).out
        if target:
            (self.directory / target).write_text(answer, encoding="utf-8")

    def test_commands(self):
        seen = 0
        # docs/results_file.md makes this deck from a results file; here any deck will do.
        (self.directory / "again.yaml").write_text("job: pi\n", encoding="utf-8")
        # docs/twisters.md makes these sets; here any sets will do.
        self.run_ok("create", "create.count=1", "--output", "p1279.h5")
        # docs/checkpoint.md interrupts a run with this checkpoint.
        self.run_ok("pi", "pi.points=1e5", "checkpoint.file=pi.ckpt", "checkpoint.keep=true",
                     "output.file=")
        # docs/battery.md tests these words.
        (self.directory / "words.bin").write_bytes(bytes(8))
        for page, words in commands():
            with self.subTest(page=page, command=" ".join(words)):
                if words[0].startswith("scripts/"):
                    self.assertTrue(os.access(ROOT / words[0], os.X_OK), words[0])
                for path in words:
                    if path.startswith(("scripts/", "inputs/", "tests/")):
                        self.assertTrue((ROOT / path).exists(), path)
                if "--preset" in words:
                    preset = words[words.index("--preset") + 1]
                    presets = (ROOT / "CMakePresets.json").read_text(encoding="utf-8")
                    self.assertIn(f'"name": "{preset}"', presets)
                if "rivulet" in words and words[0] in ("rivulet", "mpiexec", "srun", "OMP_NUM_THREADS=1"):
                    arguments = words[words.index("rivulet") + 1:]
                    if rivulet_cli.is_built(arguments):
                        self.check_rivulet(arguments)
                    seen += 1
        self.assertGreater(seen, 10)

    def test_decks(self):
        decks = [(page, text) for page, text in blocks("yaml") if text.startswith("job:")]
        self.assertTrue(decks)
        for page, text in decks:
            with self.subTest(page=page):
                (self.directory / "deck.yaml").write_text(text, encoding="utf-8")
                self.run_ok("deck.yaml", "--validate")

    def test_batch_scripts_are_bash(self):
        for page, text in blocks("bash"):
            with self.subTest(page=page):
                done = subprocess.run(["bash", "-n"], input=text, text=True, capture_output=True,
                                      check=False)
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_python_examples_run(self):
        deck = "pi.points=100003", "streams.count=7"
        first = self.run_ok("pi", *deck, "--output", "pi.h5")
        self.write("mine.csv", "1,2,3\n4,5,6\n")
        self.run_ok("occlusion", "occlusion.width=8", "occlusion.height=4", "--output", "occlusion.h5")
        # The examples of python.md depend on each other; tests/python tests them.
        examples = [(page, text) for page, text in blocks("python") if page != "python.md"]
        self.assertGreaterEqual(len(examples), 2)
        examples.append(("battery.py", (ROOT / "python/examples/battery.py").read_text(encoding="utf-8")))
        libraries = pathlib.Path(rivulet_cli.BINARY).resolve().parent / "lib"
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "python"),
                       "RIVULET_LIBRARY": str(libraries / "librivulet.so")}
        for page, text in examples:
            if "CDLL" in text and not (libraries / "librivulet.so").exists():
                continue  # a static build
            if "rivulet_battery" in text and not rivulet_cli.has_battery():
                continue
            if "matplotlib" in text and not importlib.util.find_spec("matplotlib"):
                continue
            with self.subTest(page=page):
                subprocess.run([sys.executable, "-c", text], cwd=self.directory, check=True,
                               env=environment, capture_output=True, text=True)
        self.assertEqual(self.run_ok("again.yaml", "--output", "again.h5").digest, first.digest)

    def test_library_examples_are_the_ones_that_are_built(self):
        folders = [ROOT / name for name in ("examples", "tests/install/consumer", "tests/capi",
                                            "tests/fortran")]
        files = [file for folder in folders for file in folder.rglob("*") if file.is_file()]
        for language, ending in (("cmake", ".txt"), ("cpp", ".cpp"), ("c", ".c"),
                                 ("fortran", ".f90")):
            built = [file.read_text(encoding="utf-8") for file in files if file.suffix == ending]
            for page, text in blocks(language):
                with self.subTest(page=page, language=language, begins=text.splitlines()[0]):
                    # The page's code begins at column 0, but the source's code may be indented.
                    indented = [textwrap.indent(text, " " * width) for width in range(17)]
                    self.assertTrue(any(code in one for code in indented for one in built))

    def test_choosing_has_the_generators_of_the_list(self):
        """The table agrees with --list, and each generator has a verdict of external tests."""
        rows = choosing_rows()
        facts = {name: one for name, *one in re.findall(
            r"(?m)^  (\w+) +\S.*; (state \d+ B, period [^;]+);[^;]*; streams (?:disjoint by|repeat) .*?"
            r"(?:; one stream fails (.*))?$",
            self.run_ok("--list").out)}
        self.assertEqual(list(rows), list(facts))
        for name, (bits, state, period, fails, of) in rows.items():
            with self.subTest(generator=name):
                self.assertEqual(f"state {state}, period {period}", facts[name][0])
                self.assertIn(bits, ("24", "32", "48"))
                self.assertTrue(fails.strip() and of.strip())
                self.assertEqual(in_short(facts[name][1]), set() if fails.startswith("-") else
                                 {re.sub(r"R\d+", "R", one) for one in re.findall(r"R\d+|C|\d+ [MG]B|3 of SmallCrush",
                                                                             fails.partition(" -")[0].rstrip(","))})

    def test_defaults_pass(self):
        """The default generator of host codes and the generators in the pages' code fail no test in choosing.md's
        table. Decks by default have at least 64 streams, so the table's results for one stream do not apply."""
        rows = choosing_rows()
        bad = [name for name, (_, _, _, fails, _) in rows.items() if not fails.startswith("-")]
        said = self.run_ok("--list").out
        in_decks, in_codes = re.search(r"Default: (\w+) in decks, (\w+) in C, Fortran and Python", said).groups()
        self.assertIn(in_decks, rows)
        self.assertNotIn(in_codes, bad)
        for job in re.findall(r"(?m)^  (\w+) ", said.partition("Generators")[0]):
            deck = self.run_ok("--dump-default", job).out
            generator, count = (re.search(rf"(?m)^  {key}: (\w+)", deck) for key in ("generator", "count"))
            if generator:
                with self.subTest(job=job):
                    self.assertGreaterEqual(int(count[1]), 64)
                    self.assertEqual(generator[1], in_decks)
        notebook = (ROOT / "python/examples/pi.ipynb").read_text(encoding="utf-8").replace('\\"', '"')
        for page, text in [*blocks("python"), *blocks("c"), *blocks("fortran"), *blocks("cpp"), ("pi.ipynb", notebook)]:
            for name in re.findall(r"""(?:Stream|BitGenerator)\("(\w+)"|\bgenerator ?= ?["'](\w+)["']|Stream<rivulet::(\w+)>""",
                                   text):
                with self.subTest(page=page, generator="".join(name)):
                    self.assertNotIn("".join(name).lower(), bad)

    def test_every_generator_of_the_library_is_in_its_table(self):
        page = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
        table = re.search(r"(?m)^\| generator \| numbers \|.*(?:\n\|.*)*", page)[0]
        source = (ROOT / "include/rivulet/generators.hpp").read_text(encoding="utf-8")
        listed = re.search(r"GeneratorTypes<\s([^>]*)>;", source)[1]
        self.assertEqual(set(re.findall(r"`(\w+)`", re.sub(r"(?m)( \|[^|]*){4} \|$", "", table))),
                         set(re.findall(r"\w+", listed)))

    def test_links(self):
        for page in PAGES:
            for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
                if re.match(r"[a-z]+:", target):
                    continue
                with self.subTest(page=page.name, link=target):
                    path, _, name = target.partition("#")
                    file = page.parent / path if path else page
                    self.assertTrue(file.exists())
                    if name:
                        headings = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"),
                                              re.MULTILINE)
                        self.assertIn(name, [anchor(heading) for heading in headings])

    def test_cited_tests_exist(self):
        """The tests that CONTRIBUTING.md cites for each claim of docs/streams.md exist."""
        text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
        sources = "".join(file.read_text(encoding="utf-8")
                          for file in (ROOT / "tests" / "unit").rglob("*.cpp"))
        known = {f"{suite}.{name}" for suite, name in
                 re.findall(r"(?:TYPED_)?TEST(?:_F|_P)?\((\w+), (\w+)\)", sources)}
        rows = re.findall(r"^\|.*\| unit (.*) \|$", text, re.MULTILINE)
        self.assertTrue(rows)
        for cited in re.findall(r"`([^`]+)`", " ".join(rows)):
            with self.subTest(cited=cited):
                start = cited.removesuffix("...")
                matches = [one for one in known if one.startswith(start)]
                self.assertTrue(matches if cited.endswith("...") else start in known)


FOLDERS = "backends|bench|cmake|docs|inputs|scripts|src|tests"
# Names are relative to the root or, for source files, to src or to the folder of the file that names them. Bare file
# names are not checked: many belong to other projects or to users.
FROM_ROOT = rf"(?:{FOLDERS})/[\w./*-]*[\w*]"
SOURCE = r"\w[\w./-]*/[\w.-]+\.[ch]pp"
NAMED = re.compile(rf"(?<![\w./:<-])(?:{FROM_ROOT}|{SOURCE})")
COMMENT = re.compile(r"(?://|/\*|^ \*)(.*)")
PLACEHOLDERS = {"inputs/JOB.yaml": "inputs/*.yaml"}


def current(changelog):
    """Returns the changelog's section of this version; earlier versions had other files."""
    return re.split(r"(?m)^## ", changelog)[1]


def comments(text):
    """Returns the comments line by line, with empty lines for lines without a comment. The compiler checks the
    includes."""
    found = (COMMENT.search(line) for line in text.splitlines())
    return "\n".join(one.group(1) if one else "" for one in found)


def texts():
    """Yields (path, text to check) of every document and source file."""
    for path in PAGES:
        yield path, path.read_text(encoding="utf-8")
    yield ROOT / "CHANGELOG.md", current((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    for folder in ("src", "battery", "backends", "bench", "tests"):
        for path in sorted((ROOT / folder).rglob("*.[ch]*")):
            if path.suffix in (".c", ".h", ".cpp", ".hpp"):
                yield path, comments(path.read_text(encoding="utf-8"))


def exists(name, beside):
    name = PLACEHOLDERS.get(name, name)
    return any(next(folder.glob(name), None) for folder in (ROOT, ROOT / "src", beside))


def missing(path, text):
    """Yields 'FILE:LINE names NAME' for each name that does not exist."""
    for number, line in enumerate(text.splitlines(), 1):
        for name in NAMED.findall(line):
            if not exists(name, path.parent):
                yield f"{path.relative_to(ROOT)}:{number} names {name}"


class NamedFiles(unittest.TestCase):
    def test_all_are_there(self):
        self.assertGreater(sum(len(NAMED.findall(text)) for _, text in texts()), 100)
        found = [one for path, text in texts() for one in missing(path, text)]
        self.assertEqual(found, [], "\n" + "\n".join(found))


class Inputs(rivulet_cli.Case):
    def run_deck(self, deck, *overrides):
        return self.run_ok(INPUTS / deck, *overrides)

    def test_all_decks_are_valid(self):
        decks = [path for path in sorted(INPUTS.rglob("*.yaml")) if path.parent.name != "machines"]
        self.assertGreaterEqual(len(decks), 4)
        (self.directory / "neutron.h5").touch()  # scripts/make_neutron_table makes it
        for deck in decks:
            if not rivulet_cli.is_built(deck.stem):
                continue
            with self.subTest(deck=deck.name):
                self.assertIn("# valid", self.run_deck(deck, "--validate").out)

    def test_a_job_s_name_is_its_deck(self):
        """`rivulet JOB` and `rivulet inputs/JOB.yaml` are the same run, with the same choice of streams."""
        jobs = re.findall(r"(?m)^  (\w+) ", self.run_ok("--list").out.partition("\nGenerators\n")[0])
        decks = [job for job in jobs if (INPUTS / f"{job}.yaml").exists()]
        self.assertEqual(decks, jobs)
        for job in decks:
            with self.subTest(job=job):
                resolved = self.run_ok(job, "--validate").out
                self.assertEqual(self.run_deck(f"{job}.yaml", "output.expect=", "--validate").out, resolved)
                streams = {"generator": "dcmt521", "seeding": "native", "mapping": "auto",
                           "count": "64" if job == "correlate" else "4096"}
                for key, value in streams.items() if job != "create" else ():
                    self.assertIn(f"\n  {key}: {value}\n", resolved)
                self.assertIn("\n  seed: 20261120\n", resolved)

    def test_published_decks_say_how_long_they_take(self):
        for deck in sorted((INPUTS / "published").glob("*.yaml")):
            with self.subTest(deck=deck.name):
                self.assertRegex(deck.read_text(encoding="utf-8"),
                                 r"(?m)^# Takes .*(second|minute).* on two cores")

    def test_pgi_monte_carlo(self):
        report = self.run_deck("published/pgi_monte_carlo.yaml", "pi.iterations=2")
        self.assertEqual(report.result("points"), "67108860")
        # The result is exact; it changes only with the definition of the streams.
        self.assertEqual(report.result("hits"), "52706340")
        self.assertLess(abs(float(report.result("deviation"))), 4)
        # The article prints the standard deviation of the mean, 5.01e-5; pi's error is 4 times as large.
        self.assertAlmostEqual(float(report.result("variance")) ** 0.5, 5.01e-5, delta=5e-8)
