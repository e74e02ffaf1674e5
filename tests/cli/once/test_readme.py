# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""README.md's commands work when pasted into a bare shell in a clone, by this user and by another one. Its first report
is right."""

import os
import pathlib
import pwd
import re
import shutil
import subprocess
import textwrap

import rivulet_cli
import test_docs

ROOT = rivulet_cli.SOURCE_DIR.resolve()
BUILD = pathlib.Path(os.environ.get("RIVULET_BUILD_DIR", "build")).resolve()
README = (ROOT / "README.md").read_text(encoding="utf-8")
PATH = "/usr/bin:/bin"

# The beginnings of commands that are not run, and the reasons.
EXCUSED = {"scripts/run": "it builds for minutes, and may install packages",
           "spack ": "Spack may be missing, and builds for an hour", "sbatch ": "it takes a cluster"}
# Arguments that would take too long, and their replacements.
SHORTER = {"pi.points=1e11": "pi.points=1e9", "pi.points=1e12": "pi.points=3e9",
           "-n 2 rivulet inputs/pi.yaml": "-n 2 rivulet inputs/pi.yaml pi.points=1e9",
           "--time-limit '5 s'": "--time-limit '0.001 s'"}
# Commands with a status other than 0: a run that stops at its time limit ends with 75 (docs/checkpoint.md).
STATUS = {"--time-limit": 75}


def pasted():
    """Yields the commands of README.md that are pasted."""
    for page, line in test_docs.typed():
        if page == "README.md" and not line.startswith(tuple(EXCUSED)):
            for long, short in SHORTER.items():
                line = line.replace(long, short)
            yield line


def slow_here():
    """Returns why 10^10 points take too long in this build, or an empty text if they do not."""
    optimised = "CMAKE_BUILD_TYPE:STRING=Release" in (BUILD / "CMakeCache.txt").read_text(encoding="utf-8")
    return "" if optimised else "10^10 points take long without optimisation"


def excused_here():
    """Returns why the commands cannot be pasted on this machine, or an empty text if they can."""
    if slow_here():
        return slow_here()
    if not rivulet_cli.MPIEXEC or shutil.which("mpiexec", path=PATH) != rivulet_cli.MPIEXEC:
        return f"the build's mpiexec is not the one in {PATH}"
    h5py = ["python3", "-c", "import h5py, matplotlib"]
    if subprocess.run(h5py, env={"PATH": PATH}, capture_output=True, check=False).returncode != 0:
        return f"the python3 in {PATH} has no h5py or matplotlib"
    return ""


class Readme(rivulet_cli.Case):
    def paste_as(self, user):
        """Pastes all commands as the named user, or as this user if it is None, and checks the status of each
        command."""
        if excused_here():
            self.skipTest(excused_here())
        identity = {}
        if user:
            entry = pwd.getpwnam(user)
            identity = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
            if subprocess.run(["test", "-x", BUILD / "rivulet"], check=False, **identity).returncode != 0:
                self.skipTest(f"{user} may not read {BUILD}")
        clone = self.directory / "rivulet"
        # --shared avoids hard links; with these, chown of the clone would change the owner of the originals.
        if not shutil.which("git") or subprocess.run(["git", "clone", "-q", "--shared", ROOT, clone],
                                                     check=False).returncode != 0:
            self.skipTest("it takes git, and a clone that may be cloned")
        (clone / "build").symlink_to(BUILD)
        lines = list(pasted())
        (clone / "pasted.sh").write_text("".join(f"{line}\necho $? >> statuses\n" for line in lines))
        if user:
            self.directory.chmod(0o755)
            for path in (clone, *clone.rglob("*")):
                os.chown(path, identity["user"], identity["group"], follow_symlinks=False)
        done = subprocess.run(["/bin/bash", "--noprofile", "--norc", "pasted.sh"], cwd=clone, text=True, check=False,
                              env={"HOME": str(clone), "PATH": PATH}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300, **identity)
        statuses = (clone / "statuses").read_text(encoding="utf-8").split()
        self.assertEqual(len(statuses), len(lines), done.stdout)
        if os.cpu_count() > 1:
            self.assertNotIn("WARNING", done.stdout)
        for line, status in zip(lines, statuses):
            with self.subTest(command=line):
                expected = next((value for word, value in STATUS.items() if word in line), 0)
                self.assertEqual(int(status), expected, done.stdout)
        left = subprocess.run(["git", "-c", "safe.directory=*", "status", "--porcelain", "-uall"], cwd=clone, text=True,
                              stdout=subprocess.PIPE, check=True).stdout.splitlines()
        ours = {"?? build", "?? pasted.sh", "?? statuses"}
        # The clone is also HOME, which gets hidden files.
        self.assertEqual([line for line in left if line not in ours and not line.startswith("?? .")], [])

    def test_every_command_can_be_pasted(self):
        self.paste_as(None)

    def test_every_command_can_be_pasted_by_another_user(self):
        if os.geteuid() != 0:
            self.skipTest("only root can be another user")
        self.paste_as("nobody")

    def test_excuses_are_needed(self):
        text = "\n".join(line for page, line in test_docs.typed() if page == "README.md")
        for words in (*SHORTER, *STATUS, *EXCUSED):
            self.assertIn(words, text)
        self.assertGreaterEqual(len(list(pasted())), 10)

    def test_the_first_run_s_report_is_shown(self):
        if slow_here():
            self.skipTest(slow_here())
        report = self.run_ok(ROOT / "inputs/pi.yaml", threads=2, timeout=600).out
        shown = re.search(r"```sh\nscripts/run\n```\n\n((?:    .*\n)+)", README)[1].splitlines()
        lines = [line.strip() for line in shown if not line.startswith(("    ...", "    Figure of Merit (FOM): "))]
        self.assertEqual([line for line in lines if line not in report.splitlines()], [])
        self.assertEqual(lines[-1], report.splitlines()[-1])

    def test_the_first_code_prints_what_is_said(self):
        """The code is in examples/first.cpp, and examples/expected.txt has its output."""
        code, said = re.search(r"(?s)```cpp\n(.*?)```\n.*?\(examples/first\.cpp\) prints `(.*?)`", README).groups()
        self.assertEqual(len(code.splitlines()), 6)
        self.assertIn(textwrap.indent(code, "  "), (ROOT / "examples/first.cpp").read_text(encoding="utf-8"))
        self.assertIn(f"# first\n{said}\n# ", (ROOT / "examples/expected.txt").read_text(encoding="utf-8"))

    def test_the_first_screen(self):
        """The first screen has code, a command, its output and a picture. The site begins with the same text."""
        screen = "\n".join(README.splitlines()[:35])
        for one in ("```cpp\n", "```sh\nscripts/run\n", "    Digest: ", "![", "## Why trust it"):
            self.assertIn(one, screen)
        self.assertIn("\n## Using the library\n", README)  # docs/conf.py takes the text above for the site

    def test_it_is_short(self):
        self.assertLess(len(README.splitlines()), 150)
