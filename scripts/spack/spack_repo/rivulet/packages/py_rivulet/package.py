# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from spack_repo.builtin.build_systems.python import PythonPackage

from spack.package import *


class PyRivulet(PythonPackage):
    """Rivulet's parallel streams of random numbers for NumPy, and the results of its program."""

    # A placeholder, as in CITATION.cff.
    homepage = "https://rivulet.example.org"
    url = "https://rivulet.example.org/releases/rivulet-0.1.0.tar.gz"
    git = "https://rivulet.example.org/rivulet.git"

    license("Apache-2.0 WITH LLVM-exception")

    version("main", branch="main")
    # Add each release here, with the sha256 that scripts/release prints. Add its dependency on rivulet below.

    variant("results", default=True, description="Read results files with h5py")

    build_directory = "python"
    import_modules = ["rivulet"]

    depends_on("python@3.9:", type=("build", "run"))
    depends_on("py-setuptools@61:", type="build")
    depends_on("py-numpy@1.21:", type=("build", "run"))
    depends_on("py-h5py", type=("build", "run"), when="+results")
    # The package loads librivulet of the same release at run time, and does not link it. For @main, Spack may reuse an
    # older commit of rivulet unless `^rivulet commit=...` names one (docs/python.md).
    depends_on("rivulet@main +shared", type=("build", "run"), when="@main")

    def setup_run_environment(self, env: EnvironmentModifications) -> None:
        env.set(
            "RIVULET_LIBRARY",
            find_libraries("librivulet", self.spec["rivulet"].prefix, recursive=True)[0],
        )
        env.set("RIVULET_PROGRAM", self.spec["rivulet"].prefix.bin.rivulet)

    def test_numbers(self):
        """mt19937 with published seeding draws its published 10000th number"""
        built = self.spec["rivulet"].satisfies
        if not (built("generators=all") or built("generators=mt19937")):
            raise SkipTest("rivulet was built without mt19937")
        python = self.spec["python"].command
        code = "import rivulet; print(rivulet.Stream('mt19937', 5489, seeding='published')"
        out = python("-c", code + ".bits(10000, 'u4')[-1])", output=str.split, error=str.split)
        check_outputs("4123659995", out)
