# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which Kokkos tests/nightly/each_kokkos builds with: its programs are stood in for."""

import os
import pathlib
import re
import shutil
import subprocess

import rivulet_cli

SCRIPT = "tests/nightly/each_kokkos"
# Configures as CMake does that finds what it is told; builds nothing.
CMAKE = """#!/bin/bash
while (($#)); do
  case $1 in -B) mkdir -p "$2"; build=$2 ;; -DKokkos_ROOT=*) root=${1#*=} ;; esac
  shift
done
if [[ -n ${build:-} ]]; then echo "Kokkos_DIR:PATH=$root/lib/cmake/Kokkos" > "$build/CMakeCache.txt"; fi
"""


class EachKokkos(rivulet_cli.Case):
    def built(self, own, **variables):
        """The prefixes, in turn."""
        for name, text in (("cmake", CMAKE), ("ctest", "#!/bin/bash\n")):
            (self.directory / "bin" / name).write_text(text)
            (self.directory / "bin" / name).chmod(0o755)
        kept = {key: value for key, value in os.environ.items() if not key.startswith("RIVULET_TEST_")}
        done = subprocess.run(["bash", SCRIPT, "builds", own], cwd=self.directory, text=True, check=True,
                              stdout=subprocess.PIPE, env={**kept, "PATH": f"{self.directory}/bin:{os.environ['PATH']}",
                                                           **variables})
        return re.findall("(?m)^== Kokkos in (.*)$", done.stdout)

    def test_all_at_hand_or_those_that_are_named(self):
        (self.directory / "bin").mkdir()
        (self.directory / SCRIPT).parent.mkdir(parents=True)
        shutil.copy(rivulet_cli.SOURCE_DIR / SCRIPT, self.directory / SCRIPT)
        root = self.directory.resolve()
        own, deps = str(root / "own"), [str(root / ".deps" / f"kokkos-{name}") for name in ("a", "b")]
        for prefix in (own, *deps):
            (pathlib.Path(prefix) / "lib" / "cmake" / "Kokkos").mkdir(parents=True)
        (root / ".deps" / "kokkos-unfinished").mkdir()
        usr = pathlib.Path("/usr")
        system = ["/usr"] if [*usr.glob("lib*/cmake/Kokkos"), *usr.glob("lib/*/cmake/Kokkos")] else []
        self.assertCountEqual(self.built(own), [own, *deps, *system])
        self.assertCountEqual(self.built(deps[0]), [*deps, *system])
        self.assertEqual(self.built(own, RIVULET_TEST_KOKKOS=f"{deps[1]}:{own}"), [deps[1], own])
