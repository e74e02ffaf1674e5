# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The program refuses bad decks, command lines and parameter files."""

import os
import shutil
import subprocess

import h5py

import rivulet_cli
from refusal import QUICK, RANKS, Refusal

REMOVED = ("job 'sweep' was removed (earlier versions of Rivulet had it). Use `scripts/bench --only sweep` in a clone, "
           "which builds a benchmark and runs its grid.")

# Decks that are tested on several ranks; one rank is enough for the others.
ON_RANKS = ("unknown key", "syntax error", "dc062 with a long seed")
# Texts of decks, and phrases of the message.
DECKS = {
    "unknown key": ("job: pi\npi:\n  pionts: 1000\n", "deck.yaml:3: ", "unknown key 'pionts'", "section 'pi'",
                    "Did you mean 'points'?"),
    "generator not offered": ("job: pi\nstreams:\n  generator: dcmt19937\n", "deck.yaml:3: ",
                              "'dcmt19937' is not one of", "dcmt521, dcmt607, dcmt1279, dcmt2203"),
    "ids out of range": ("job: create\ncreate:\n  first_id: 65530\n  count: 7\n", "65530 to 65536",
                         "16 bits"),
    "dc062 with a long seed": ("job: create\ncreate:\n  candidates: dc062\n  seed: 4294967296\n",
                               "create.seed=4294967296", "32 bits"),
    "unknown job": ("job: pie\n", "deck.yaml:1: ", "unknown job 'pie'", "(jobs: pi, ", "Did you mean 'pi'?"),
    "removed job": ("# the deck of an earlier version\njob: sweep\nsweep:\n  numbers: 1e9\n", "deck.yaml:2: ", REMOVED),
    "removed mapping": ("job: pi\nstreams:\n  mapping: block\n", "deck.yaml:3: ", "streams.mapping=block was removed",
                        "Use streams.mapping=team, which draws the same numbers."),
    "syntax error": ("job: pi\npi:\n  points: [1, 2\n", "deck.yaml:", "cannot read the deck"),
    "tabs": ("job: pi\npi:\n\tpoints: 7\n", "deck.yaml:3: ", "tabs are not allowed"),
    "key of another section": ("job: pi\nstreams:\n  points: 1000\n", "deck.yaml:3: ", "unknown key 'points'",
                               "section 'streams'", "Did you mean 'pi.points'?"),
}


class Decks(Refusal):
    def test_on_all_ranks_and_on_one(self):
        for name, (text, *phrases) in DECKS.items():
            with self.subTest(name):
                self.write("deck.yaml", text)
                self.refuse(["deck.yaml"], *phrases, ranks=RANKS if name in ON_RANKS else RANKS[:1])

    def test_files_that_are_no_decks(self):
        (self.directory / "long.yaml").write_bytes(b"#" * (1 << 20) + b"\n")
        for name, why in (("long.yaml", "it is longer than 1 MiB"), ("/proc/self/mem", "Input/output error")):
            self.refuse([name], "cannot read the deck", why, ranks=RANKS[:1])

    def test_a_deck_from_a_pipe(self):
        command = f"printf 'job: pi\\n' | {os.path.abspath(rivulet_cli.BINARY)} /dev/stdin --validate"
        done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True,
                              env=rivulet_cli.environment())
        self.assertEqual((done.returncode, done.stdout[-8:]), (0, "# valid\n"), done.stderr)

    def test_a_results_file(self):
        self.run_ok("pi", "pi.points=1000", "streams.count=8", "--output", "pi.h5")
        self.refuse(["pi.h5"], "pi.h5: not a deck", "it is an HDF5 file", "docs/results_file.md", ranks=RANKS[:1])


# Arguments, and phrases of the message.
ARGUMENTS = (
    (["pi", "streams.parameters=published", "streams.seeding=published", "streams.count=33"], "33 streams",
     "32 parameter sets", "at or below 32, or set streams.seeding=native"),
    (["pi", "streams.count=1e12"], "no memory for", "streams on one rank", "it takes", "has left",
     "Lower streams.count, or start more ranks on more nodes"),
)
# Arguments for which one rank is enough.
MORE_ARGUMENTS = (
    # Each stream uses up to 2^(519 + 2) numbers of the period, so a set has only one stream.
    (["pi", "streams.log2_jump=519", "streams.count=513"], "513 streams are more than can be made disjoint",
     "512 parameter sets", "Lower streams.log2_jump, or make more parameter sets"),
    (["pi", "streams.log2_jump=520"], "streams.log2_jump=520 does not fit", "2^521 - 1", "from 64 to 519"),
    (["pi", "streams.generator=dcmt1279"], "1279", "are shipped", "rivulet create"),
    (["pi.points=7"], "no deck was named", "'pi.points=7' is an assignment"),
    (["fil"], "unknown job 'fil'", "Did you mean 'fill'?"),
    (["sweep"], "command line: " + REMOVED),
    (["pi", "pi.point=1e9"], "command line: pi.point=1e9", "'1e9' is not one of: packed, pair",
     "Did you mean 'pi.points'?"),
    (["pi", "streams.generator=philox"], "'philox' is not one of", "Did you mean 'philox4x32'?"),
    # Old decks may have `warp`, which drew the same numbers as `team`.
    (["pi", "streams.generator=mt19937", "streams.mapping=warp"], "command line: streams.mapping=warp",
     "'warp' is not one of: auto, lane, team", "Give one of these."),
    (["pi", "--frobnicate"], "unknown option '--frobnicate'", "section.key=value", "rivulet --help"),
    # Kokkos itself ignores these options, or continues after a warning.
    (["pi", *QUICK, "--kokkos-threds=1"], "unknown option --kokkos-threds=1", "--kokkos-help"),
    (["pi", *QUICK, "--kokkos-threads=0"], "--kokkos-threads=0", "Give 1 or more"),
    (["pi", "pi.=7"], "command line: pi.=7", "lacks a section or a key"),
    # File names that imitate a message of the program.
    (["a\nrivulet: b (c). d.yaml"], "a\\x0arivulet: b (c). d.yaml: cannot read the deck"),
    (["pi", "streams.parameters=a\nrivulet: b (c). d.h5"], "cannot read 'a\\x0arivulet: b (c). d.h5'"),
    # Jumps of 2^518 allow two streams per set.
    (["pi", "streams.log2_jump=518", "streams.count=1025"], "1025 streams"),
    (["pi", "streams.generator=dcmt607", "streams.parameters=published"],
     "no published sets of exponent 607"),
    (["pi", "streams.log2_jump=519", "streams.count=513", "--validate"], "more than can be made disjoint"),
)
# Arguments for runs without an output.
OPTIONS = (
    (["help", "sweep"], REMOVED),
    ([], "nothing to do", "no deck", "rivulet --help"),
    (["--list", "pi"], "--list with other arguments"),
    (["--describe-results", "pie"], "command line: --describe-results: unknown job 'pie'", "(jobs: pi, "),
    (["--describe-results", "pi", "pi.points=9"], "--describe-results with other arguments", "Omit the other arguments."),
    (["--describe-results", "pi", "--dump-default", "pi"], "--dump-default with other arguments"),
    (["merge", "a.h5", "b.h5", "--describe-results", "pi"], "--describe-results with other arguments"),
)
MORE_OPTIONS = (
    (["--dump-default", "pi", "fill"], "--dump-default with other arguments"),
    (["pi", "--outptu", "x.h5"], "unknown option '--outptu'", "Did you mean '--output'?"),
    (["pi", "--output"], "--output without a value", "Write `--output FILE`."),
    (["pi", "--out", "x.h5"], "Did you mean '--output'?"),
    (["pi", "--streams.seed=5"], "Omit the dashes: streams.seed=VALUE."),
    (["pi", "--seed=7", "--output", "x.h5"], "unknown option '--seed'", "section.key=value"),
    # Options of other programs.
    (["pi", "-o", "x.h5"], "unknown option '-o'", "Use --output FILE."),
    (["pi", "-ox.h5"], "unknown option '-o'", "Use --output FILE."),
    (["pi", "-o=x.h5"], "unknown option '-o'", "Use --output FILE."),
    (["pi", "-q"], "unknown option '-q'", "Use --quiet."),
    (["pi", "--silent"], "unknown option '--silent'", "Use --quiet."),
    (["help", "pi", "pi.points=1"], "--dump-default with other arguments", "Omit the other arguments."),
    (["help", "pie"], "unknown job 'pie'", "(jobs: pi, "),
    (["pi", "-v"], "unknown option '-v'", "Use --version, or -V."),
    (["pi", "-n", "4"], "unknown option '-n'", "mpiexec -n N"),
    (["pi", "--threads=4"], "unknown option '--threads'", "Set OMP_NUM_THREADS=N before the command."),
    (["pi", "-c", "4"], "unknown option '-c'", "Use --count N."),
    (["pi", "-x"], "unknown option '-x'", "section.key=value"),
)
if not rivulet_cli.has_battery():
    MORE_OPTIONS += ((["battery"], "this build has no job 'battery'", "RIVULET_BATTERY=OFF"),)


class CommandLine(Refusal):
    def test_on_all_ranks_and_on_one(self):
        self.refuse_each(ARGUMENTS)
        self.refuse_each(MORE_ARGUMENTS, ranks=RANKS[:1])
        self.refuse_each(OPTIONS, output=None)
        self.refuse_each(MORE_OPTIONS, output=None, ranks=RANKS[:1])

    def test_more_ranks_than_streams(self):
        if not rivulet_cli.MPIEXEC:
            self.skipTest("built without MPI")
        self.refuse(["pi", "streams.count=3"], "streams.count=3 on 4 MPI ranks",
                    "Start at most 3 ranks, or raise streams.count", ranks=(4,))

    def test_jumps_that_just_fit(self):
        for log2_jump, streams in ((519, 512), (518, 1024)):
            self.run_ok("pi", *QUICK, f"streams.log2_jump={log2_jump}", f"streams.count={streams}",
                        "output.file=")


class ParameterFiles(Refusal):
    @classmethod
    def setUpClass(cls):
        cls.original = rivulet_cli.pathlib.Path(rivulet_cli.tempfile.mkdtemp(prefix="rivulet-"))
        cls.addClassCleanup(shutil.rmtree, cls.original)
        done = rivulet_cli.run("create", "create.first_id=0", "create.count=3", "--output",
                               cls.original / "sets.h5")
        assert done.code == 0, done
        sealed = (cls.original / "sets.h5").read_bytes()
        (cls.original / "unsealed.h5").write_bytes(b" " * 512 + sealed[512:])

    def setUp(self):
        super().setUp()
        self.sets = self.directory / "sets.h5"  # without the seal, which would not match after a change
        shutil.copy(self.original / "unsealed.h5", self.sets)

    def test_sealed(self):
        """A damaged file with a seal is refused before HDF5 opens it."""
        whole = (self.original / "sets.h5").read_bytes()
        self.sets.write_bytes(whole)
        self.run_ok("pi", "streams.parameters=sets.h5", *QUICK, "output.file=")
        self.sets.write_bytes(whole[:-1])
        self.refuse_sets("is damaged", "its SHA-256 does not match its seal")

    def test_data_elsewhere(self):
        """HDF5 reads zeros if the files with external data are missing."""
        layout = h5py.VirtualLayout(shape=(3,), dtype="u4")
        layout[:] = h5py.VirtualSource("gone.h5", "a", shape=(3,))
        for make in (lambda file: file.create_virtual_dataset("a", layout),
                     lambda file: file.create_dataset("a", (3,), "u4", external=[("gone", 0, 12)])):
            with h5py.File(self.sets, "r+") as file:
                del file["a"]
                make(file)
            self.refuse_sets("'/a'", "its data are in other files", ranks=RANKS[:1])

    def refuse_sets(self, *phrases, **options):
        self.refuse(["pi", "streams.parameters=sets.h5", *QUICK], "sets.h5", *phrases, **options)

    def test_other_contents(self):
        whole = self.sets.read_bytes()
        for content, phrase, ranks in ((b"id, a, b, c\n" * 100, "not an HDF5 file", RANKS),
                                       (b"", "not an HDF5 file", RANKS[:1]), (whole[:3000], "", RANKS)):
            self.sets.write_bytes(content)
            self.refuse_sets(phrase, ranks=ranks)

    def test_a_results_file(self):
        self.sets.unlink()
        self.run_ok("pi", *QUICK, "--output", "sets.h5")
        self.refuse_sets("of the wrong kind", "'rivulet results'", "'rivulet parameters'")

    def test_changed_contents(self):
        def other_digest(file):
            file.attrs["digest"] = "0" * 64

        def without_a_column(file):
            del file["c"]

        def short_column(file):
            short = file["b"][:2]
            del file["b"]
            file["b"] = short

        def exponent_not_offered(file):
            file.attrs["p"] = 1000
        for change, ranks, *phrases in (
                (other_digest, RANKS, "is damaged", "digest", "0" * 64, "rivulet create"),
                (without_a_column, RANKS, "no such dataset"),
                (short_column, RANKS[:1], "is damaged", "differ in length"),
                (exponent_not_offered, RANKS[:1], "1000")):
            with self.subTest(change.__name__):
                shutil.copy(self.original / "unsealed.h5", self.sets)
                with h5py.File(self.sets, "r+") as file:
                    change(file)
                self.refuse_sets(*phrases, ranks=ranks)

    def test_another_exponent(self):
        self.refuse(["pi", "streams.generator=dcmt607", "streams.parameters=sets.h5", *QUICK],
                    "sets.h5", "does not fit", "exponent 521, not 607")

    def test_published_seeding_with_more_streams_than_sets(self):
        self.refuse(["pi", "streams.parameters=sets.h5", "streams.seeding=published",
                     "streams.count=4"], "4 streams", "3 parameter sets", ranks=RANKS[:1])
