# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every refusal of a deck, a command line, a plan or a parameter file."""

import os
import shutil
import subprocess

import h5py

import rivulet_cli
from refusal import QUICK, RANKS, Refusal


class Decks(Refusal):
    def deck(self, text, *phrases, **options):
        self.write("deck.yaml", text)
        self.refuse(["deck.yaml"], *phrases, **options)

    def test_unknown_key(self):
        self.deck("job: pi\npi:\n  pionts: 1000\n", "deck.yaml:3: ", "unknown key 'pionts'",
                  "section 'pi'", "Did you mean 'points'?")

    def test_key_of_another_section(self):
        self.deck("job: pi\nstreams:\n  points: 1000\n", "deck.yaml:3: ", "unknown key 'points'",
                  "section 'streams'", "Did you mean 'pi.points'?", ranks=RANKS[:1])

    def test_unknown_section(self):
        self.deck("job: pi\n\nstream:\n  count: 8\n", "deck.yaml:3: ",
                  "unknown section 'stream'", "Did you mean 'streams'?")

    def test_wrong_types(self):
        for value in ("many", "1.5", "[1, 2]", "{a: 1}", '"1000"', "-5", "true", ""):
            with self.subTest(value=value):
                self.deck(f"job: pi\npi:\n  points: {value}\n", "deck.yaml:3: ", "points",
                          ranks=RANKS[:1])
        self.deck("job: pi\npi:\n  points: many\n", "deck.yaml:3: ", "wrong value for 'points'",
                  "'many' is not a whole number", "from 2 to 1000000000000000")

    def test_out_of_range(self):
        for value in ("1", "1e16", "0", "1e30", "99999999999999999999999"):
            with self.subTest(value=value):
                self.deck(f"job: pi\npi:\n  points: {value}\n", "deck.yaml:3: ",
                          "from 2 to 1000000000000000", ranks=RANKS[:1])
        self.deck("job: pi\npi:\n  batches: 0\n", "deck.yaml:3: ", "0 is out of range",
                  "from 1 to 100000")

    def test_zero_streams(self):
        self.deck("job: pi\nstreams:\n  count: 0\n", "deck.yaml:3: ", "count",
                  "0 is out of range", "streams")

    def test_generator_not_offered(self):
        self.deck("job: pi\nstreams:\n  generator: dcmt19937\n", "deck.yaml:3: ",
                  "'dcmt19937' is not one of", "dcmt521, dcmt607, dcmt1279, dcmt2203")

    def test_exponent_not_offered(self):
        self.deck("job: create\ncreate:\n  exponent: 523\n", "deck.yaml:3: ",
                  "'523' is not one of", "521, 607, 1279, 2203", "Did you mean '521'?")

    def test_ids_out_of_range(self):
        self.deck("job: create\ncreate:\n  first_id: 65530\n  count: 7\n", "65530 to 65536",
                  "16 bits")

    def test_dc062_with_a_long_seed(self):
        self.deck("job: create\ncreate:\n  candidates: dc062\n  seed: 4294967296\n",
                  "create.seed=4294967296", "32 bits")

    def test_unknown_job(self):
        self.deck("job: pie\n", "deck.yaml:1: ", "unknown job 'pie'", "(jobs: pi, ",
                  "Did you mean 'pi'?")

    def test_no_job(self):
        self.deck("pi:\n  points: 1000\n", "deck.yaml", "names no job")

    def test_syntax_error(self):
        self.deck("job: pi\npi:\n  points: [1, 2\n", "deck.yaml:", "cannot read the deck")
        self.deck("job: pi\npi:\n\tpoints: 7\n", "deck.yaml:3: ", "tabs are not allowed", ranks=RANKS[:1])

    def test_quotes_without_an_end(self):
        """yaml-cpp 0.7 gives them all that follows."""
        self.deck("job: pi\npi:\n  kernel: 'fused\n  points: 1000\n", "deck.yaml:3: ",
                  "a quote without its end", "'fused does not end on this line")

    def test_control_characters(self):
        (self.directory / "deck.yaml").write_bytes(b"job: pi\noutput:\n  file: a\0b.h5\n")
        self.refuse(["deck.yaml"], "deck.yaml:3: ", "control character \\x00", ranks=RANKS[:1])
        self.deck('job: "p\\e[2Ji"\n', "unknown job 'p\\x1b[2Ji'", ranks=RANKS[:1])
        self.refuse(["pi", "pi.points=\x1b[2J"], "'\\x1b[2J'", ranks=RANKS[:1])

    def test_files_that_are_no_decks(self):
        (self.directory / "loop.yaml").symlink_to("loop.yaml")
        (self.directory / "long.yaml").write_bytes(b"#" * (1 << 20) + b"\n")
        for name, why in (("loop.yaml", "Too many levels of symbolic links"),
                          ("/dev/zero", "it is a device"), ("x" * 300, "File name too long"),
                          ("long.yaml", "it is longer than 1 MiB"),
                          ("/proc/self/mem", "Input/output error")):
            self.refuse([name], "cannot read the deck", why, ranks=RANKS[:1])

    def test_a_deck_from_a_pipe(self):
        command = f"printf 'job: pi\\n' | {os.path.abspath(rivulet_cli.BINARY)} /dev/stdin --validate"
        done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True,
                              env={**os.environ, **rivulet_cli.ENVIRONMENT})
        self.assertEqual((done.returncode, done.stdout[-8:]), (0, "# valid\n"), done.stderr)

    def test_duplicates(self):
        self.deck("job: pi\npi:\n  points: 1000\n  points: 2000\n", "deck.yaml:4: ", "'points'",
                  "twice", "deck.yaml:3")
        self.deck("job: pi\npi:\n  points: 1000\npi:\n  batches: 7\n", "deck.yaml:4: ",
                  "section 'pi'", "deck.yaml:2", ranks=RANKS[:1])

    def test_not_a_deck(self):
        for text in ("", "- 1\n- 2\n", "pi\n", "job: pi\n---\njob: pi\n", "\0\1\2"):
            with self.subTest(text=text):
                self.deck(text, "deck.yaml", ranks=RANKS[:1])
        (self.directory / "deck.yaml").write_bytes(os.urandom(4096))
        self.refuse(["deck.yaml"], "deck.yaml", ranks=RANKS[:1])

    def test_missing_deck(self):
        self.refuse(["nowhere.yaml"], "nowhere.yaml", "cannot read the deck", "no such file")
        self.refuse(["."], ".", "directory", ranks=RANKS[:1])


class CommandLine(Refusal):
    def test_no_deck(self):
        self.refuse([], "nothing to do", "no deck", "rivulet --help", output=None)
        self.refuse(["pi.points=7"], "no deck was named", "'pi.points=7' is an assignment")

    def test_a_job_misspelt(self):
        self.refuse(["fil"], "unknown job 'fil'", "Did you mean 'fill'?")

    def test_two_answers_at_once(self):
        for rest in (["pi"], ["--validate"], ["--dump-default", "pi"]):
            self.refuse(["--list", *rest], "--list with other arguments", output=None)
        self.refuse(["--dump-default", "pi", "fill"], "--dump-default with other arguments", output=None)

    def test_bad_overrides(self):
        for override in ("points=7", "pi.points", "pi.=7", ".points=7", "pi..points=7", "=", ""):
            with self.subTest(override=override):
                self.refuse(["pi", override], "command line", ranks=RANKS[:1])
        self.refuse(["pi", "points=7"], "command line: points=7", "names no section",
                    "SECTION.KEY=VALUE")
        self.refuse(["pi", "pi.points"], "command line: pi.points", "not an assignment")
        self.refuse(["pi", "pi.=7"], "command line: pi.=7", "names no key", ranks=RANKS[:1])
        self.refuse(["pi", "pi.pionts=7"], "command line: pi.pionts=7", "unknown key",
                    "Did you mean 'points'?", ranks=RANKS[:1])
        self.refuse(["pi", "pi.points=few"], "command line: pi.points=few", "not a whole number",
                    ranks=RANKS[:1])

    def test_a_number_for_a_key_that_takes_words(self):
        self.refuse(["pi", "pi.point=1e9"], "command line: pi.point=1e9",
                    "'1e9' is not one of: packed, pair", "Did you mean 'pi.points'?")
        self.refuse(["pi", "pi.kernel=7"], "'7' is not one of: fused, stored", "Give one of these.",
                    ranks=RANKS[:1])
        self.refuse(["pi", "pi.point=triple"], "'triple' is not one of", "Give one of these.",
                    ranks=RANKS[:1])

    def test_a_mapping_that_was_removed(self):
        """Old decks have it; the numbers are those of `team`."""
        self.refuse(["pi", "streams.generator=mt19937", "streams.mapping=block"],
                    "command line: streams.mapping=block",
                    "'block' is not one of: auto, lane, team", "Give one of these.")

    def test_unknown_option(self):
        self.refuse(["pi", "--frobnicate"], "unknown option '--frobnicate'", "section.key=value",
                    "rivulet --help")
        self.refuse(["pi", "--output"], "invalid command line", "--output",
                    ranks=RANKS[:1], output=None)
        self.refuse(["pi", "--outptu", "x.h5"], "unknown option '--outptu'",
                    "Did you mean '--output'?", output=None)
        self.refuse(["pi", "--seed=7", "--output", "x.h5"], "unknown option '--seed'",
                    "section.key=value", output=None, ranks=RANKS[:1])

    def test_options_of_other_programs(self):
        for words, option, advice in (
                (["-o", "x.h5"], "-o", "Use --output FILE."),
                (["-ox.h5"], "-o", "Use --output FILE."),
                (["-o=x.h5"], "-o", "Use --output FILE."),
                (["--quiet"], "--quiet", "> /dev/null"),
                (["--silent"], "--silent", "> /dev/null"),
                (["-q"], "-q", "> /dev/null"),
                (["-v"], "-v", "Use --version, or -V."),
                (["-n", "4"], "-n", "mpiexec -n N"),
                (["-c", "4"], "-c", "Use --count N."),
                (["-x"], "-x", "section.key=value")):
            with self.subTest(words=words):
                self.refuse(["pi", *words], f"unknown option '{option}'", advice, output=None,
                            ranks=RANKS[:1])

    def test_unknown_kokkos_option(self):
        # Kokkos itself says nothing, or goes on after a warning on its own
        self.refuse(["pi", *QUICK, "--kokkos-threds=1"], "unknown option --kokkos-threds=1",
                    "--kokkos-help")
        self.refuse(["pi", *QUICK, "--kokkos-threads=0"], "--kokkos-threads=0", "Give 1 or more")

    def test_dump_default_of_an_unknown_job(self):
        self.refuse(["--dump-default", "pie"], "unknown job 'pie'", "(jobs: pi, ", output=None)

    def test_validate_refuses_the_same(self):
        self.refuse(["pi", "pi.points=1", "--validate"], "from 2 to", ranks=RANKS[:1])
        self.refuse(["pi", "streams.log2_jump=519", "streams.count=513", "--validate"],
                    "more than can be made disjoint", ranks=RANKS[:1])


class Streams(Refusal):
    def test_more_ranks_than_streams(self):
        if not rivulet_cli.MPIEXEC:
            self.skipTest("built without MPI")
        self.refuse(["pi", "streams.count=3"], "streams.count=3 on 4 MPI ranks",
                    "no more ranks than streams, or raise streams.count", ranks=(4,))

    def test_published_seeding_with_too_many_streams(self):
        published = ["streams.parameters=published", "streams.seeding=published"]
        self.refuse(["pi", *published, "streams.count=33"], "33 streams", "32 parameter sets",
                    "at most 32 streams, or set streams.seeding=native")

    def test_more_streams_than_memory(self):
        self.refuse(["pi", "streams.count=1e12"], "no memory for", "streams on one rank",
                    "it takes", "has left", "Use fewer streams, or more ranks on more nodes")

    def test_jumps_that_do_not_fit(self):
        # Each stream takes up to 2^(519 + 2) of the period: one per set.
        self.refuse(["pi", "streams.log2_jump=519", "streams.count=513"],
                    "513 streams are more than can be made disjoint", "512 parameter sets",
                    "Lower streams.log2_jump, or create more parameter sets")
        self.run_ok("pi", *QUICK, "streams.log2_jump=519", "streams.count=512", "output.file=")
        # Two per set at 2^518.
        self.refuse(["pi", "streams.log2_jump=518", "streams.count=1025"], "1025 streams",
                    ranks=RANKS[:1])
        self.run_ok("pi", *QUICK, "streams.log2_jump=518", "streams.count=1024", "output.file=")

    def test_log2_jump_beyond_the_period(self):
        self.refuse(["pi", "streams.log2_jump=520"], "streams.log2_jump=520 does not fit",
                    "2^521 - 1", "from 64 to 519")
        self.refuse(["pi", "streams.log2_jump=63"], "63 is out of range", ranks=RANKS[:1])

    def test_sets_that_are_not_shipped(self):
        self.refuse(["pi", "streams.generator=dcmt1279"], "1279", "are shipped",
                    "rivulet create")
        self.refuse(["pi", "streams.generator=dcmt607", "streams.parameters=published"],
                    "no published sets of exponent 607", ranks=RANKS[:1])

    def test_too_little_memory(self):
        self.refuse(["pi", *QUICK, "pi.kernel=stored", "pi.memory=100 B"],
                    "pi.memory=100 B is too small", "Give at least")


class ParameterFiles(Refusal):
    @classmethod
    def setUpClass(cls):
        cls.original = rivulet_cli.pathlib.Path(rivulet_cli.tempfile.mkdtemp(prefix="rivulet-"))
        cls.addClassCleanup(shutil.rmtree, cls.original)
        done = rivulet_cli.run("create", "create.first_id=0", "create.count=3", "--output",
                               cls.original / "sets.h5")
        assert done.code == 0, done
        sealed = (cls.original / "sets.h5").read_bytes()
        (cls.original / "unsealed.h5").write_bytes(sealed[512:])

    def setUp(self):
        super().setUp()
        self.sets = self.directory / "sets.h5"  # without the seal, which any change would break
        shutil.copy(self.original / "unsealed.h5", self.sets)

    def test_sealed(self):
        """As they are written: whole, or refused before HDF5 sees them."""
        whole = (self.original / "sets.h5").read_bytes()
        self.sets.write_bytes(whole)
        self.run_ok("pi", "streams.parameters=sets.h5", *QUICK, "output.file=")
        damaged = "is damaged", "its SHA-256 is not the one that its seal has"
        for number, place in enumerate((30, len(whole) // 2, len(whole) - 1)):
            changed = bytearray(whole)
            changed[place] ^= 1
            self.sets.write_bytes(changed)
            self.refuse_sets(*damaged, ranks=RANKS if number == 0 else RANKS[:1])
        self.sets.write_bytes(whole[:-1])
        self.refuse_sets(*damaged, ranks=RANKS[:1])

    def test_data_elsewhere(self):
        """HDF5 reads zeros where the files are missing that hold them."""
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

    def rewrite(self, change, right_digest):
        """Changes the rows [id, a, b, c]; gives them the digest that fits, or keeps the old."""
        with h5py.File(self.sets, "r+") as file:
            rows = [list(map(int, row)) for row in zip(*(file[name] for name in "abc"))]
            rows = [[int(id), *row] for id, row in zip(file["id"], rows)]
            change(rows)
            for column, name in enumerate(("id", "a", "b", "c")):
                file[name][:] = [row[column] for row in rows]
            if right_digest:
                file.attrs["digest"] = rivulet_cli.sets_digest(521, rows)

    def test_the_untouched_file_is_accepted(self):
        self.rewrite(lambda rows: None, right_digest=True)
        self.run_ok("pi", "streams.parameters=sets.h5", *QUICK, "output.file=")

    def test_missing(self):
        self.sets.unlink()
        self.refuse_sets("no such file")

    def test_a_directory(self):
        self.sets.unlink()
        self.sets.mkdir()
        self.refuse_sets("directory", ranks=RANKS[:1])

    def test_names_that_lead_nowhere(self):
        (self.directory / "loop").symlink_to("loop")
        for name, why in (("loop", "Too many levels of symbolic links"),
                          ("x" * 300, "File name too long"), ("/dev/zero", "it is a device")):
            self.refuse(["pi", f"streams.parameters={name}", *QUICK], why, ranks=RANKS[:1])

    def test_not_hdf5(self):
        self.sets.write_text("id, a, b, c\n" * 100)
        self.refuse_sets("not an HDF5 file")
        self.sets.write_bytes(b"")
        self.refuse_sets("not an HDF5 file", ranks=RANKS[:1])

    def test_cut_short(self):
        self.sets.write_bytes(self.sets.read_bytes()[:3000])
        self.refuse_sets()

    def test_hdf5_of_others(self):
        with h5py.File(self.sets, "w") as file:
            file["data"] = [1, 2, 3]
        self.refuse_sets("is not a Rivulet file")

    def test_a_results_file(self):
        self.sets.unlink()
        self.run_ok("pi", *QUICK, "--output", "sets.h5")
        self.refuse_sets("of the wrong kind", "'rivulet results'", "'rivulet parameters'")

    def test_wrong_digest(self):
        with h5py.File(self.sets, "r+") as file:
            file.attrs["digest"] = "0" * 64
        self.refuse_sets("is damaged", "digest", "0" * 64, "rivulet create")

    def test_a_flipped_bit(self):
        def flip(rows):
            rows[1][2] ^= 1 << 20
        self.rewrite(flip, right_digest=False)
        self.refuse_sets("is damaged", "digest", ranks=RANKS[:1])

    def test_reducible_set(self):
        def spoil(rows):  # the same id; one in 90 is irreducible
            rows[2][1] ^= 1 << 16
        self.rewrite(spoil, right_digest=True)
        self.refuse_sets("id 2", "reducible")

    def test_id_that_is_not_in_the_twist_coefficient(self):
        def rename(rows):
            rows[1][0] = 77
        self.rewrite(rename, right_digest=True)
        self.refuse_sets("77")

    def test_duplicate_ids(self):
        def repeat(rows):
            rows[2] = list(rows[0])
        self.rewrite(repeat, right_digest=True)
        self.refuse_sets("id 0 occurs twice")

    def test_missing_dataset(self):
        with h5py.File(self.sets, "r+") as file:
            del file["c"]
        self.refuse_sets("no such dataset")

    def test_columns_of_different_lengths(self):
        with h5py.File(self.sets, "r+") as file:
            short = file["b"][:2]
            del file["b"]
            file["b"] = short
        self.refuse_sets("is damaged", "differ in length", ranks=RANKS[:1])

    def test_exponent_not_offered(self):
        with h5py.File(self.sets, "r+") as file:
            file.attrs["p"] = 1000
        self.refuse_sets("1000", ranks=RANKS[:1])

    def test_another_exponent(self):
        self.refuse(["pi", "streams.generator=dcmt607", "streams.parameters=sets.h5", *QUICK],
                    "sets.h5", "does not fit", "exponent 521, not 607")

    def test_published_seeding_with_more_streams_than_sets(self):
        self.refuse(["pi", "streams.parameters=sets.h5", "streams.seeding=published",
                     "streams.count=4"], "4 streams", "3 parameter sets", ranks=RANKS[:1])
