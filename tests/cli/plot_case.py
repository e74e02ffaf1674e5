# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of scripts/plot share. Those that need matplotlib are in files of their own, so
that ctest calls a file skipped where there is none."""

import importlib.machinery
import importlib.util
import subprocess
import sys
import unittest

import rivulet_cli

SCRIPTS = rivulet_cli.SOURCE_DIR.resolve() / "scripts"
SCRIPT = SCRIPTS / "plot"
sys.path.insert(0, str(SCRIPTS))

from common.failure import ScriptError  # noqa: E402
from plotting import results  # noqa: E402, found through the path above

needs_matplotlib = unittest.skipUnless(importlib.util.find_spec("matplotlib"),
                                       "matplotlib is not installed")
# "PROBLEM (WHY). WHAT TO DO."
MESSAGE = r"^cannot [^\n]+ \(.+\)\. [A-Z][^\n]+\.$"


def jobs():
    """The modules that scripts/plot has for jobs."""
    loader = importlib.machinery.SourceFileLoader("rivulet_plot", str(SCRIPT))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module.JOBS


class PlotCase(rivulet_cli.Case):
    """A test in an empty directory, to which names of files are relative."""

    def path(self, name):
        return str(self.directory / name)

    def read(self, job, name):
        return results.read_file(self.path(name), [job])[1]

    def made(self, job, *deck, name="out"):
        """What a run of a job's module wrote, as scripts/plot reads it."""
        self.run_ok(job.JOB, *deck, "--output", f"{name}.h5")
        return self.read(job, f"{name}.h5")

    def refuses(self, words, *names):
        """Reading files must fail with one message that has the words."""
        with self.assertRaises(ScriptError) as caught:
            results.read_files([self.path(name) for name in names], jobs())
        message = str(caught.exception)
        self.assertRegex(message, MESSAGE)
        for word in words:
            self.assertIn(word, message)

    def plot(self, *arguments):
        """Runs scripts/plot; the names of the pictures that it says it wrote."""
        done = subprocess.run([sys.executable, str(SCRIPT), *arguments], cwd=self.directory,
                              capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()

    def plots(self, arguments, *names):
        """The pictures must be those, and be written."""
        self.assertEqual(self.plot(*arguments), list(names))
        for name in names:
            magic = {"png": b"\x89PNG", "pdf": b"%PDF"}[name.rpartition(".")[2]]
            written = (self.directory / name).read_bytes()
            self.assertTrue(written.startswith(magic), name)
            self.assertGreater(len(written), 5000, name)


def heights(patch):
    """Of a patch's corners: a rectangle's or, before Matplotlib 3.9, a polygon's."""
    return patch.get_patch_transform().transform(patch.get_path().vertices)[:, 1]


def texts(axes):
    """What a part of a picture says: title, texts and legend."""
    legend = axes.get_legend()
    return "\n".join([axes.get_title(loc="left"), *(text.get_text() for text in axes.texts),
                      *(text.get_text() for text in (legend.get_texts() if legend else []))])


def figures(job, *found):
    """The pictures of what was read, by the ends of their names; laid out, as overlapping
    decorations may warn only then."""
    drawn = dict(job.draw(list(found)))
    for figure in drawn.values():
        figure.draw_without_rendering()
    return drawn


def text_boxes(figure):
    """Each text of a picture, numbered, and its place in parts of the picture."""
    from matplotlib.text import Text  # pylint: disable=import-outside-toplevel

    shown = [one for one in figure.findobj(Text) if one.get_visible() and one.get_text()]
    # Text's own: an annotation's place has its line in it, too.
    return {(one.get_text(), number): Text.get_window_extent(one).transformed(
        figure.transFigure.inverted()) for number, one in enumerate(shown)}
