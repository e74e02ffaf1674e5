# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests the occlusion job: pictures that do not depend on the machine, files of triangles, and refusals."""

import hashlib

import refusal
import rivulet_cli

WIDTH, HEIGHT = 45, 31  # 43.6 tiles of 32 pixels
SMALL = [f"occlusion.width={WIDTH}", f"occlusion.height={HEIGHT}", "streams.count=20"]
SQUARE = "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3 4\n"
TABLE = SQUARE + "v 0 0 0.3\nv 1 0 0.3\nv 0 1 0.3\nf 5 6 7\n"


class OcclusionCase(rivulet_cli.Case):
    def render(self, *settings, **options):
        done = self.run_ok("occlusion", *SMALL, *settings, "--output", "out.h5", **options)
        _, data, attributes = self.results("occlusion")
        return done, data | attributes


class Pictures(OcclusionCase):
    def test_digests_do_not_depend_on_ranks_or_threads(self):
        for numbers in ("pixel", "hash"):
            for scene in ("spheres", "room"):
                deck = ["occlusion", *SMALL, "occlusion.passes=[1, 40]", f"occlusion.scene={scene}",
                        f"occlusion.numbers={numbers}", "output.file="]
                runs = [self.run_ok(*deck, ranks=ranks, threads=threads).digest
                        for ranks, threads in ((1, 1), (1, 3), *((n, 1) for n in (2, 4)
                                               if rivulet_cli.MPIEXEC))]
                self.assertEqual(len(set(runs)), 1, f"{numbers}, {scene}")

    def test_results_file(self):
        done, data = self.render("occlusion.passes=[1, 2, 8]")
        for passes in (1, 2, 8):
            picture = data[f"open_{passes}"]
            self.assertEqual(picture.shape, (HEIGHT, WIDTH))
            self.assertLessEqual(picture.max(), 4 * passes)
            mean = picture.mean() / (4 * passes)
            self.assertAlmostEqual(float(done.result(f"mean radiance after {passes}")), mean, 12)
        self.assertLessEqual(data["hits"].max(), 8)
        self.assertEqual(data["rays"], 8 * WIDTH * HEIGHT + 4 * data["hits"].sum())
        self.assertEqual(int(done.result("rays").split()[0]), data["rays"])
        # The upper rows see the sky, the lower ones the plane.
        self.assertTrue((data["hits"][-1] == 8).all())
        self.assertTrue((data["open_8"][data["hits"] == 0] == 32).all())
        self.assertEqual(data["passes"].tolist(), [1, 2, 8])
        self.assertEqual((data["width"], data["height"]), (WIDTH, HEIGHT))

    def test_digest_of_numbers_on_demand_is_of_how_many_were_used(self):
        done, data = self.render("occlusion.passes=[3]", "occlusion.numbers=on_demand")
        self.assertIn("not of the picture", done.out)
        used = data["used"]
        self.assertEqual(used.shape, (20,))
        self.assertTrue((used % 32 == 0).all())
        self.assertEqual(used.sum(), int(done.result("numbers taken")))
        # Each of the 44 tiles draws 2 to 10 blocks of 32 numbers in each of the 3 passes.
        self.assertLessEqual(used.sum(), 44 * 3 * 10 * 32)
        self.assertGreaterEqual(used.sum(), 44 * 3 * 2 * 32)
        self.assertEqual(done.digest, hashlib.sha256(used.astype("<u8").tobytes()).hexdigest())

    def test_a_hash_says_so(self):
        done, _ = self.render("occlusion.passes=[1]", "occlusion.numbers=hash")
        self.assertIn("do not trust the picture", done.out)

    def test_distance_and_view(self):
        _, near = self.render("occlusion.passes=[4]", "occlusion.distance=0.01")
        _, far = self.render("occlusion.passes=[4]", "occlusion.distance=100")
        self.assertGreater(near["mean"][0], far["mean"][0] + 0.02)
        _, up = self.render("occlusion.passes=[4]", "occlusion.eye=0 0 50",
                            "occlusion.target=0, 0, 60")
        self.assertEqual(up["mean"][0], 1)
        self.assertEqual(up["hits"].sum(), 0)
        self.assertEqual(up["eye"].tolist(), [0, 0, 50])


class Files(OcclusionCase):
    def test_a_quad_is_two_triangles(self):
        self.write("quad.obj", TABLE)
        self.write("triangles.obj", TABLE.replace("f 1 2 3 4\n", "f 1 2 3\nf 1 3 4\n"))
        runs = {name: self.render("occlusion.scene=file", f"occlusion.file={name}",
                                  "occlusion.passes=[8]", ranks=ranks)
                for name, ranks in (("quad.obj", 1), ("triangles.obj", 2 if rivulet_cli.MPIEXEC else 1))}
        self.assertEqual(len({done.digest for done, _ in runs.values()}), 1)
        data = runs["quad.obj"][1]
        self.assertGreater(data["hits"].sum(), 1000)
        self.assertLess(data["mean"][0], 1)


class Refused(refusal.Refusal):
    def refused(self, *settings, words, **options):
        self.refuse(["occlusion", *SMALL, *settings], *words, **options)

    def test_what_was_removed(self):
        self.refused("occlusion.picture=a.png", ranks=(1,),
                     words=["occlusion.picture was removed (earlier versions of Rivulet had it). "
                            "Run `scripts/plot RESULTS.h5` for a picture."])

    def test_broken_files(self):
        """MeshFile, a unit test, covers all other defects of such files."""
        for text, words, ranks in ((SQUARE.replace("1 1 0", "1 nan 0"), "is not finite", refusal.RANKS),
                                   ("v 0 0 0\nf 1 1 1\n", "would overflow or underflow", (1,))):
            self.write("a.obj", text)
            self.refused("occlusion.scene=file", "occlusion.file=a.obj", words=[words], ranks=ranks)

    def test_what_does_not_go_together(self):
        for settings, words in (
                (["occlusion.scene=file"], "without occlusion.file"),
                (["occlusion.file=a.obj"], "the file would not be read"),
                (["occlusion.passes=[8, 1]"], "do not ascend"),
                (["occlusion.passes=[8, 8]"], "do not ascend"),
                ([f"occlusion.passes={list(range(1, 18))}"], "names 17 pictures"),
                (["occlusion.eye=1 2"], "a position has three numbers"),
                (["occlusion.target=1 2 3 4"], "a position has three numbers"),
                (["occlusion.eye=1 2 3", "occlusion.target=1 2 3"], "its direction is undefined"),
                (["streams.segments=2"], "open whole streams"),
                (["streams.mapping=team"], "one thread draws each pixel"),
                (["streams.mapping=lane", "occlusion.numbers=on_demand"], "a team shares each"),
                (["streams.seeding=published", "occlusion.numbers=on_demand"], "native seeding"),
                (["streams.log2_jump=100", "occlusion.numbers=on_demand"], "have 128"),
                (["streams.generator=hybrid_tausworthe", "occlusion.numbers=on_demand"],
                 "too small for a team to share")):
            self.refused(*settings, words=[words], ranks=(1,))

    def test_numbers_reserved_for_warps_were_removed(self):
        self.refused("occlusion.numbers=reserved", ranks=(1,), words=[
            "occlusion.numbers=reserved was removed (earlier versions of Rivulet had it). Use "
            "occlusion.numbers=pixel for the same picture on any machine, or "
            "occlusion.numbers=on_demand for teams that share streams."])
