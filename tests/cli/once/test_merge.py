# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`rivulet merge` joins the results of separate runs over ranges of one family of streams."""

import shutil

import h5py
import numpy

import refusal
import rivulet_cli
from test_occlusion import TABLE

RANKS = min(2, len(rivulet_cli.ranks_up_to(2)))
TOTAL_STREAMS = 61  # a prime, so no number of ranks or lanes divides it
PARTS = ((0, 20), (20, 1), (21, 40))  # (first, count) of each part
DECKS = {
    "pi": ("pi", "pi.points=100003", "pi.batches=3"),
    "pi, stored pairs": ("pi", "pi.points=100003", "pi.point=pair", "pi.kernel=stored"),
    "fill": ("fill", "fill.numbers=20011"),
    "fill, blocked": ("fill", "fill.numbers=20011", "fill.order=blocked", f"fill.block={3 * TOTAL_STREAMS}"),
    "fill, shares": ("fill", "fill.numbers=20011", "fill.order=blocked"),
    "correlate": ("correlate", "correlate.numbers=20011", "correlate.lags=10", "correlate.bit=16"),
    "occlusion": ("occlusion", "occlusion.width=61", "occlusion.height=1",
                  "occlusion.passes=[1, 3, 7]"),
    "alias": ("alias", "alias.samples=20011", "table.rows=7", "table.columns=5"),
    "alias, points": ("alias", "alias.samples=20011", "table.weights=file", "table.file=w.h5"),
}

# Groups that differ between a merged file and the file of a single run.
RUN_GROUPS = ("/config", "/timing")


class MergeCase(rivulet_cli.Case):
    def read(self, name):
        """Returns all datasets and attributes except those in RUN_GROUPS and the time of the alias table."""
        found = {}

        def keep(path, node):
            if f"/{path}".startswith(RUN_GROUPS):
                return
            for key, value in node.attrs.items():
                found[f"{path}@{key}"] = numpy.asarray(value).tolist()
            if isinstance(node, h5py.Dataset):
                found[path] = node[()].tolist()
        with h5py.File(self.directory / name) as file:
            file.visititems(keep)
            found["digest"] = file.attrs["digest"]
            deck = file["config/deck"][()].decode()
        found["deck"] = deck.partition("output:")[0]
        found.pop("results/alias@table_seconds", None)
        return found


class MergeRefusal(refusal.Refusal, MergeCase):
    def merge(self, names, *phrases, output="all.h5"):
        self.refuse(["merge", *names], *phrases, output=output, ranks=(1,))


class Parts(MergeCase):
    def setUp(self):
        super().setUp()
        self.table([[1, 2, 3], [4, 5, 6]], "w.h5")

    def part(self, deck, first, count, *settings, total=TOTAL_STREAMS, output=None, **options):
        output = output or f"{first}.h5"
        return self.run_ok(*deck, f"streams.first={first}", f"streams.count={count}",
                           f"streams.of={total}", *settings, "--output", output, **options)

    def single(self, deck, *settings):
        return self.run_ok(*deck, f"streams.count={TOTAL_STREAMS}", *settings, "--output", "single.h5")


class Merging(Parts):
    def test_the_digest_and_all_results_are_the_single_runs(self):
        for name, deck in DECKS.items():
            other = {"occlusion": "streams.mapping=lane", "correlate": "correlate.memory=1 MiB"}
            ways = ((), (other.get(name, "streams.segments=3"),),
                    ("output.chunk=64 KiB",))
            with self.subTest(deck=name):
                single = self.single(deck)
                for (first, count), way in zip(PARTS, ways):
                    self.part(deck, first, count, *way, threads=2 if first else 1)
                merged = self.run_ok("merge", "21.h5", "0.h5", "20.h5", "--output", "all.h5")
                self.assertEqual(merged.digest, single.digest, merged)
                self.assertEqual(self.read("all.h5"), self.read("single.h5"))
                with h5py.File(self.directory / "all.h5") as file:
                    self.assertEqual([line.split(",")[0] for line in rivulet_cli.lines_of(file["config/merged"])],
                                     [f"0.h5: streams 0 to 19 of {TOTAL_STREAMS}",
                                      f"20.h5: stream 20 of {TOTAL_STREAMS}",
                                      f"21.h5: streams 21 to 60 of {TOTAL_STREAMS}"])

    def test_a_picture_in_parts(self):
        deck = ("occlusion", "occlusion.width=20", "occlusion.height=12", "occlusion.scene=file",
                "occlusion.file=table.obj", "occlusion.passes=[1, 3, 7]", "occlusion.zoom=2")
        self.write("table.obj", TABLE)
        single = self.run_ok(*deck, "streams.count=240", "--output", "single.h5")
        for first, count in ((0, 33), (33, 107), (140, 100)):  # the parts are not whole rows
            done = self.part(deck, first, count, total=240, ranks=RANKS if first else 1)
            self.assertIn(f"\nstreams: {first} to {first + count - 1} of 240\n", done.out)
            self.assertEqual(done.result("pixels"), str(count))
        merged = self.run_ok("merge", "140.h5", "0.h5", "33.h5", "--output", "all.h5")
        self.assertEqual(merged.digest, single.digest, merged)
        self.assertEqual(merged.result("slope of the error"), single.result("slope of the error"))
        self.assertEqual(self.read("all.h5"), self.read("single.h5"))
        with h5py.File(self.directory / "all.h5") as file:
            self.assertEqual(file["results/occlusion/open_7"].shape, (12, 20))
        some = self.run_ok("merge", "33.h5", "0.h5", "--output", "some.h5")
        self.assertEqual(self.part(deck, 0, 140, total=240, output="again.h5").digest, some.digest)
        self.assertEqual(self.read("some.h5"), self.read("again.h5"))

    def test_a_part_of_a_picture_that_was_left_and_continued(self):
        deck = ("occlusion", "occlusion.width=320", "occlusion.height=240", "occlusion.passes=[48]",
                "checkpoint.every=0.01", "checkpoint.file=a.ckpt", "streams.first=1234",
                "streams.count=75000", "streams.of=76800", "--output", "out.h5")
        self.stop_early(*deck)
        again = self.run_ok("--resume", "a.ckpt", ranks=RANKS)
        self.assertEqual(again.digest, self.run_ok(*deck[:4], *deck[6:]).digest)

    def test_some_of_the_family_and_then_the_rest(self):
        deck = DECKS["pi"]
        single = self.single(deck)
        for first, count in PARTS:
            self.part(deck, first, count)
        self.run_ok("merge", "20.h5", "21.h5", "--output", "some.h5")
        again = self.part(deck, 20, 41, output="again.h5")
        with h5py.File(self.directory / "some.h5") as file:
            self.assertEqual(file.attrs["digest"], again.digest)
            self.assertIn("first: 20", file["config/deck"][()].decode())
        self.assertEqual(
            self.run_ok("merge", "some.h5", "0.h5", "--output", "all.h5").digest, single.digest)

    def test_parts_that_were_left_and_continued(self):
        deck = ("pi", "pi.points=1000000007", "pi.batches=3", "checkpoint.every=0.01")
        single = self.single(deck)
        for first, count in ((0, 30), (30, 31)):
            checkpoint, output = f"{first}.ckpt", f"{first}.h5"
            self.stop_early(*deck, f"streams.first={first}", f"streams.count={count}", f"streams.of={TOTAL_STREAMS}",
                            f"checkpoint.file={checkpoint}", "--output", output)
            self.run_ok("--resume", checkpoint, ranks=RANKS)
        merged = self.run_ok("merge", "0.h5", "30.h5", "--output", "all.h5")
        self.assertEqual(merged.digest, single.digest)
        self.assertEqual(self.read("all.h5")["results/pi/running_hits"],
                         self.read("single.h5")["results/pi/running_hits"])

    def test_running_estimates_of_other_mappings_and_kernels(self):
        deck = (*DECKS["pi"], "pi.batches=1000", "streams.generator=ranmar48")
        single = self.single(deck)
        for (first, count), more in zip(PARTS, ("streams.mapping=lane", "streams.mapping=team", "pi.kernel=stored")):
            self.part(deck, first, count, more)
        merged = self.run_ok("merge", *(f"{first}.h5" for first, _ in PARTS), "--output", "all.h5")
        self.assertEqual(merged.digest, single.digest)
        for name in ("running_hits", "running_points"):
            self.assertEqual(len(self.read("all.h5")[f"results/pi/{name}"]), TOTAL_STREAMS)  # one batch for each stream
            self.assertEqual(self.read("all.h5")[f"results/pi/{name}"],
                             self.read("single.h5")[f"results/pi/{name}"])

    def test_a_merged_deck_repeats_the_result(self):
        for first, count in PARTS[:2]:
            self.part(DECKS["pi"], first, count)
        merged = self.run_ok("merge", "0.h5", "20.h5", "--output", "all.h5")
        self.require_repeated(merged, "all.h5")

    def test_a_stream_of_numbers_begins_where_it_is_told_to(self):
        def numbers(*arguments):
            return numpy.frombuffer(rivulet_cli.streamed("fill.type=uint32", *arguments), "u4")
        whole = numbers("streams.count=5", "--count", "50").reshape(10, 5)
        some = numbers("streams.first=2", "streams.count=2", "--count", "20").reshape(10, 2)
        self.assertEqual(some.tolist(), whole[:, 2:4].tolist())


class Refusals(MergeRefusal, Parts):
    def test_ranges_that_overlap_or_leave_holes(self):
        deck = DECKS["pi"]
        for first, count in ((0, 10), (5, 10), (9, 1), (15, 2), (20, 5)):
            self.part(deck, first, count)
        self.merge(["0.h5", "5.h5"], "'0.h5' and '5.h5' both have streams 5 to 9", "twice")
        self.merge(["0.h5", "0.h5"], "'0.h5' and '0.h5' both have streams 0 to 9")
        self.merge(["9.h5", "0.h5"], "'0.h5' and '9.h5' both have stream 9 (they")
        self.merge(["20.h5", "0.h5", "15.h5"],
                   "streams 10 to 14, streams 17 to 19 missing from the files")

    def test_other_decks(self):
        deck = DECKS["pi"]
        self.part(deck, 0, 10)
        self.part(deck, 10, 10, "pi.points=100004")
        self.merge(["0.h5", "10.h5"], "are results of different decks",
                   "pi.points: 100003 in the first, 100004 in the second")
        self.part(deck, 10, 10, total=60)
        self.merge(["0.h5", "10.h5"], "streams.of: 61 in the first, 60 in the second")
        self.part(deck, 10, 10, "streams.seed=3")
        self.merge(["0.h5", "10.h5"], "streams.seed: ")
        self.part(DECKS["fill"], 10, 10)
        self.merge(["0.h5", "10.h5"], "job: pi in the first, fill in the second")
        deck = DECKS["correlate"]
        self.part(deck, 0, 10)
        self.part(deck, 10, 10, "correlate.lags=11")
        self.merge(["0.h5", "10.h5"], "correlate.lags: 10 in the first, 11 in the second")
        self.part(DECKS["occlusion"], 0, 10)
        self.part(DECKS["occlusion"], 10, 10, "occlusion.zoom=2")
        self.merge(["0.h5", "10.h5"], "occlusion.zoom: ")
        self.part(DECKS["occlusion"], 9, 10)
        self.merge(["0.h5", "9.h5"], "'0.h5' and '9.h5' both have stream 9")

    def test_other_contents_of_the_same_names(self):
        self.run_ok("create", "create.count=3", "--output", "sets.h5")
        deck = (*DECKS["pi"], "streams.parameters=sets.h5")
        self.part(deck, 0, 10)
        self.run_ok("create", "create.count=3", "create.seed=1", "--output", "sets.h5")
        self.part(deck, 10, 10)
        self.merge(["0.h5", "10.h5"], "are results of different decks", "their streams differ in")
        self.part(DECKS["alias, points"], 0, 10)
        self.table([[1, 2, 3], [4, 5, 7]], "w.h5")
        self.part(DECKS["alias, points"], 10, 10)
        self.merge(["0.h5", "10.h5"], "not of the same table")
        deck = (*DECKS["occlusion"], "occlusion.scene=file", "occlusion.file=table.obj")
        self.write("table.obj", TABLE)
        self.part(deck, 0, 10)
        self.write("table.obj", TABLE.replace("1 1 0", "1 1 0.5"))
        self.part(deck, 10, 10)
        self.merge(["0.h5", "10.h5"], "not of the same scene")

    def damaged(self, change, first="0.h5", second="10.h5"):
        shutil.copy(self.directory / second, self.directory / "bad.h5")
        with h5py.File(self.directory / "bad.h5", "r+") as file:
            change(file)
        rivulet_cli.reseal(self.directory / "bad.h5", "results")
        return [first, "bad.h5"]

    def test_damaged_and_other_files(self):
        self.part(DECKS["pi"], 0, 10)
        self.part(DECKS["pi"], 10, 10)

        def attribute(group, name, value):
            return lambda file: file[group].attrs.__setitem__(name, value)

        def element(name, value=None):
            def change(file):
                file[name][3] = file[name][3] + 1 if value is None else value
            return change

        def drop_hits(file):
            del file["results/pi/hits"]

        def drop_of(file):
            del file["streams"].attrs["of"]
        for change, *phrases in (
                (element("results/pi/hits"), "'bad.h5' is damaged", "do not give its digest"),
                (attribute("streams", "count", numpy.uint64(62)), "'bad.h5' is damaged",
                 "62 streams from 10 on exceed the family of 61"),
                (element("streams/id", 3), "'bad.h5' is damaged", "/streams/id"),
                (attribute("/", "version", "0.0.1"), "'bad.h5' was written by Rivulet 0.0.1"),
                (attribute("/", "format_version", numpy.uint64(99)), "'bad.h5' is too new", "99"),
                (drop_hits, "bad.h5", "/results/pi/hits"),
                (drop_of, "'bad.h5' does not say which streams it has")):
            self.merge(self.damaged(change), *phrases)
        for name, dataset in (("fill", "results/fill/checksum2"), ("alias", "results/alias/histogram")):
            for first in (0, 10):
                self.part(DECKS[name], first, 10, output=f"{name}_{first}.h5")
            self.merge(self.damaged(element(dataset), f"{name}_0.h5", f"{name}_10.h5"), "'bad.h5' is damaged",
                       "not give its digest")
        whole = (self.directory / "10.h5").read_bytes()
        (self.directory / "cut.h5").write_bytes(whole[:len(whole) // 2])
        self.merge(["0.h5", "cut.h5"], "cut.h5")
        self.run_ok("create", "create.count=1", "--output", "sets.h5")
        self.merge(["0.h5", "sets.h5"], "'sets.h5' is of the wrong kind")
        self.write("a.txt", "no")
        self.merge(["0.h5", "a.txt"], "a.txt", "not an HDF5 file")

    def test_damaged_sums_and_pixels(self):
        for name, changes in {
                "correlate": (("product_lower", 3, "do not give its digest"),
                              ("ends", 4, "do not give its correlations"),
                              ("@squares_lower", None, "do not give its correlations")),
                "occlusion": (("open_3", 5, "its pixels do not give its digest"),
                              ("hits", 0, "its pixels do not give its digest"))}.items():
            self.part(DECKS[name], 0, 10)
            self.part(DECKS[name], 10, 10)
            for what, row, phrase in changes:
                def change(file, group=f"results/{name}", what=what, row=row):
                    if row is None:
                        file[group].attrs.modify(what[1:], file[group].attrs[what[1:]] + 1)
                    else:
                        file[group][what][row] += 1
                self.merge(self.damaged(change), "'bad.h5' is damaged", phrase)

    def test_outputs_and_command_lines(self):
        self.part(DECKS["pi"], 0, 10)
        self.part(DECKS["pi"], 10, 10)
        before = (self.directory / "0.h5").read_bytes()
        self.merge(["0.h5", "10.h5"], "--output 0.h5 is one of the files", output="0.h5")
        (self.directory / "link.h5").symlink_to("0.h5")
        self.merge(["0.h5", "10.h5"], "one of the files to merge", output="link.h5")
        self.assertEqual((self.directory / "0.h5").read_bytes(), before)
        self.merge(["0.h5", "10.h5"], "no/all.h5", output="no/all.h5")
        self.merge(["0.h5", "10.h5"], "without --output", output=None)
        self.merge(["0.h5"], "'0.h5' is a single file")
        self.merge([], "no results files")
        self.merge(["0.h5", "10.h5", "--validate"], "--validate does not apply")
        self.merge(["0.h5", "10.h5", "--count", "3"], "--count without `rivulet stream`")
        if rivulet_cli.MPIEXEC:
            self.refuse(["merge", "0.h5", "10.h5"], "`rivulet merge` on 2 MPI ranks", ranks=(2,),
                        output="all.h5")

    def test_what_cannot_be_a_part(self):
        part = ["streams.first=3", "streams.count=4", "streams.of=10"]
        self.refuse_each((
            (["pi", "streams.first=7", "streams.count=4", "streams.of=10"],
             "the last would be stream 10, and all runs together have 10 streams", "streams.of"),
            (["pi", "streams.first=1099511627775", "streams.count=2"],
             "the last would be stream 1099511627776"),
            (["pi", "pi.points=4", *part], "fewer than 2 points"),
            (["fill", "fill.numbers=2", *part], "would draw none"),
            (["fill", "fill.to=file", *part], "fill.to=file with streams 3 to 6 of 10"),
            (["alias", "alias.keep=indices", *part], "alias.keep=indices with streams 3 to 6"),
            (["correlate", "correlate.across=next", *part], "correlate.across=next with")), ranks=(1,))
        picture = ["occlusion", "occlusion.width=5", "occlusion.height=2", *part]
        self.refuse_each((
            ([*picture, "occlusion.numbers=on_demand"],
             "occlusion.numbers=on_demand with streams 3 to 6 of 10", "the order of threads decides"),
            ([*picture, "occlusion.width=6"], "each pixel has a stream, 12 in all", "Set streams.of=12"),
            (picture[:-1], "in a picture of 5 x 2", "each pixel")), ranks=(1,))
