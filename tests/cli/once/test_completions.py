# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the program, and shells that ask it, offer to complete a command line with."""

import pathlib
import shutil
import subprocess
import unittest

import rivulet_cli

SCRIPTS = rivulet_cli.SOURCE_DIR / "scripts" / "completions"
# The words before, the word itself, and what it may become.
CASES = (
    ([], "pi", []),
    ([], "occ", ["occlusion"]),
    ([], "--dump", ["--dump-default"]),
    (["--dump-default"], "al", ["alias"]),
    (["help"], "batt", ["battery"]),
    (["stream"], "fil", ["fill"]),
    (["pi"], "pi.poi", ["pi.points=", "pi.point="]),
    (["pi"], "pi.kernel", ["pi.kernel="]),
    (["pi"], "pi.kernel=", ["pi.kernel=fused", "pi.kernel=stored"]),
    (["pi", "--validate"], "pi.kernel=s", ["pi.kernel=stored"]),
    (["pi"], "fill.num", []),
    (["stream", "fill"], "fill.order=b", ["fill.order=blocked"]),
    (["mine.yaml"], "fill.order=b", ["fill.order=blocked"]),
    (["missing.yaml"], "fill.", []),
    (["broken.yaml"], "fill.", []),
    (["pi", "pi.points=1"], "--qu", ["--quiet"]),
)


class Completions(rivulet_cli.Case):
    def setUp(self):
        super().setUp()
        self.write("mine.yaml", "fill:\n  numbers: 5\njob: fill\n")
        self.write("broken.yaml", "job: [\n")

    def of_program(self, before, word):
        done = self.run_ok("--complete", *before, word)
        self.assertEqual(done.err, "")
        return done.out.splitlines()

    def test_of_the_program(self):
        for before, word, expected in CASES:
            with self.subTest(before=before, word=word):
                self.assertCountEqual(self.of_program(before, word), expected)
        self.assertEqual(self.of_program([], ""), [*self.jobs(), "stream", "merge", "help"])
        self.assertEqual(self.run_ok("--complete").out, "")

    def jobs(self):
        listed = self.run_ok("--list").out.partition("\n\n")[0].splitlines()[1:]
        return [line.split()[0] for line in listed]

    def shell(self, name, script, *arguments):
        """A line for each word that the shell would put in place of the last."""
        if shutil.which(name) is None:
            self.skipTest(f"no {name}")
        done = subprocess.run([name, *arguments, script], cwd=self.directory, text=True, capture_output=True,
                              timeout=60, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.splitlines()

    def test_of_bash(self):
        for before, word, expected in CASES:
            line = " ".join([rivulet_cli.BINARY, *before, word])
            script = (f"source {SCRIPTS / 'rivulet.bash'}\ncompopt() {{ :; }}\n"
                      f"COMP_LINE='{line}' COMP_POINT={len(line)}\n_rivulet\n"
                      'printf "%s\\n" "${COMPREPLY[@]}"')
            with self.subTest(line=line):
                offered = [one for one in self.shell("bash", script, "-uc") if one]
                # As bash itself cuts words at `=`.
                self.assertCountEqual(offered, [one.partition("=")[2] if "=" in word else one
                                                for one in expected])

    def test_of_fish(self):
        for before, word, expected in CASES:
            line = " ".join(["rivulet", *before, word])
            script = f"source {SCRIPTS / 'rivulet.fish'}\ncomplete -C '{line}'"
            with self.subTest(line=line):
                folder = pathlib.Path(rivulet_cli.BINARY).parent
                offered = self.shell("fish", f"set -x PATH {folder} $PATH\n{script}", "--no-config", "-c")
                files = {"mine.yaml", "broken.yaml"}
                self.assertLessEqual(set(expected), {one.split("\t")[0] for one in offered} - files)

    def test_of_zsh(self):
        """In a terminal, as zsh completes nowhere else: it writes the rest of the word behind the tab."""
        folder = pathlib.Path(rivulet_cli.BINARY).parent
        script = (f"zmodload zsh/zpty; zpty shell zsh -f -i; zpty -w shell \"PATH={folder}:\\$PATH; PS1=; "
                  f"fpath=({SCRIPTS} \\$fpath); autoload -U compinit; compinit -u -D; echo re''ady\"\n"
                  "zpty -r shell seen '*ready*'\n"
                  "zpty -w -n shell $'rivulet pi pi.kernel=st\\t'\n"
                  "zpty -r shell seen '*=st*ored*' && print found; zpty -d shell")
        self.assertEqual(self.shell("zsh", script, "-fc"), ["found"])


if __name__ == "__main__":
    unittest.main()
