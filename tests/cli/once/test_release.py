# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/release, in a repository of the few files that it reads, with the bill of materials. The Spack recipe and environment, as far as
that can be seen without Spack."""

import ast
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import tempfile
import unittest
from unittest import mock

import rivulet_cli
import test_digests as digests

ROOT = rivulet_cli.SOURCE_DIR
RECIPE = pathlib.Path("scripts/spack/spack_repo/rivulet/packages/rivulet/package.py")
PYTHON_RECIPE = RECIPE.parent.parent / "py_rivulet" / "package.py"
PYTHON = "python/rivulet/__init__.py"
FILES = ("CMakeLists.txt", "CHANGELOG.md", "CITATION.cff", "codemeta.json", ".zenodo.json", "scripts/release", RECIPE,
         PYTHON_RECIPE, PYTHON, ".gitignore", ".reuse/dep5", "scripts/common/sbom.py")
DATE = "2031-02-03"
# A test of no user's settings, which might sign commits or change archives.
GIT = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "GIT_AUTHOR_NAME": "a",
       "GIT_AUTHOR_EMAIL": "a", "GIT_COMMITTER_NAME": "c", "GIT_COMMITTER_EMAIL": "c"}


@unittest.skipUnless(shutil.which("git") and (ROOT / RECIPE).exists(),
                     "it takes git, and the Spack recipe, which a release's archive has not")
class Release(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name) / "repository"
        for file in FILES:
            (self.root / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, self.root / file)
        self.version = re.search(r"(?m)^  VERSION (\S+)$", self.text("CMakeLists.txt")).group(1)
        self.change("CHANGELOG.md", r"(?m)^## \[.*$", f"## [{self.version}] - {DATE}")
        self.change("CITATION.cff", r"(?m)^date-released:.*\n", "")
        self.change("CITATION.cff", r"(?m)^(version: .*\n)", rf"\1date-released: {DATE}\n")
        self.git("init", "-q")
        self.commit()

    def git(self, *words):
        return subprocess.run(["git", *words], cwd=self.root, check=True, capture_output=True,
                              text=True, env={**os.environ, **GIT}).stdout

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "files")

    def text(self, file):
        return (self.root / file).read_text(encoding="utf-8")

    def change(self, file, pattern, to):
        text = re.sub(pattern, to, self.text(file), count=1)
        (self.root / file).write_text(text, encoding="utf-8")

    def run_release(self, *words):
        return subprocess.run([self.root / "scripts/release", *words], cwd=self.root.parent, check=False,
                              capture_output=True, text=True, env={**os.environ, **GIT})

    def archive(self, *words):
        done = self.run_release(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        path = self.root.parent / f"rivulet-{self.version}.tar.gz"
        data = path.read_bytes()
        self.assertIn(hashlib.sha256(data).hexdigest(), done.stdout)
        return path, data

    def assert_refused(self, words, *options):
        done = self.run_release(*options)
        self.assertEqual(done.returncode, 1)
        self.assertIn(words, done.stderr)
        self.assertRegex(done.stderr, r"^scripts/release: .* \(.*\)\. .*\.\n$")
        self.assertFalse(list(self.root.parent.glob("*.tar.gz")))

    def test_maintainers_are_those_of_the_citation(self):
        for names, line in ((["ada", "bob"], '    maintainers("ada", "bob")\n\n    license('),
                            (["ada"], '    maintainers("ada")\n\n    license('), ([], None)):
            self.change("CITATION.cff", r"(?m)^(    email: .*\n)(    alias: .*\n)*",
                        r"\1" + "".join(f"    alias: {name}\n" for name in names))
            self.commit()
            self.assertEqual(self.run_release("--write").returncode, 0)
            for recipe in (RECIPE, PYTHON_RECIPE):
                with self.subTest(names=names, recipe=recipe):
                    self.assertEqual(self.text(recipe).count("maintainers("), len(names[:1]))
                    self.assertIn(line or "\n\n    license(", self.text(recipe))
            self.commit()

    def test_archive(self):
        self.assert_refused("the recipe has not this archive's sha256")
        before = self.git("count-objects")
        self.assertEqual(self.run_release("--write").returncode, 0)
        self.assertEqual(before, self.git("count-objects"))
        self.assert_refused("package.py is not committed")
        self.commit()
        path, first = self.archive()
        # The same from another commit of the same files, at another time.
        self.commit()
        self.assertEqual(first, self.archive()[1])
        with tarfile.open(path) as archive:
            names = archive.getnames()
            self.assertEqual({one.mtime for one in archive}, {1927886400})  # noon of DATE
        self.assertIn(f"rivulet-{self.version}/CMakeLists.txt", names)
        self.assertNotIn(f"rivulet-{self.version}/{RECIPE}", names)
        # Writing again changes nothing.
        self.assertEqual(self.run_release("--write").returncode, 0)
        self.assertEqual(self.git("status", "--porcelain"), "")

    def test_bill_of_materials(self):
        self.run_release("--write")
        self.commit()
        build = pathlib.Path(os.environ.get("RIVULET_BUILD_DIR", "build")).resolve()
        data = self.archive("--build", build)[1]
        path = self.root.parent / f"rivulet-{self.version}.spdx.json"
        document = json.loads(path.read_text(encoding="utf-8"))
        self.assertEqual((document["spdxVersion"], document["SPDXID"], document["dataLicense"]),
                         ("SPDX-2.3", "SPDXRef-DOCUMENT", "CC0-1.0"))
        self.assertEqual(document["creationInfo"]["created"], f"{DATE}T12:00:00Z")
        own, *others = document["packages"]
        self.assertEqual(own["checksums"], [{"algorithm": "SHA256", "checksumValue": hashlib.sha256(data).hexdigest()}])
        self.assertEqual((own["versionInfo"], own["licenseDeclared"]),
                         (self.version, "Apache-2.0 WITH LLVM-exception"))
        for part in own["licenseDeclared"].split(" WITH "):
            self.assertTrue((ROOT / "LICENSES" / f"{part}.txt").exists(), part)
        for one in document["packages"]:  # what the specification requires, and the form of ids
            self.assertTrue({"name", "downloadLocation", "licenseDeclared", "copyrightText"} <= set(one), one)
            self.assertRegex(one["SPDXID"], r"^SPDXRef-[a-zA-Z0-9.-]+$")
        ids = {one["SPDXID"] for one in document["packages"]} | {document["SPDXID"]}
        self.assertEqual(len(ids), len(others) + 2)
        for one in document["relationships"]:
            self.assertLessEqual({one["spdxElementId"], one["relatedSpdxElement"]}, ids)
        self.assertEqual(len(document["relationships"]), len(others) + 1)
        versions = {one["name"]: one.get("versionInfo", "") for one in others}
        built = dict(line.split(" ", 1) for line in (build / "dependencies.txt").read_text().splitlines())
        self.assertEqual({name: versions.get(name) for name in built}, built)
        self.assertRegex(built["Kokkos"], r"^\d+\.\d+")
        # All that CMake looks for, tests and benchmarks apart.
        cmake = (ROOT / "cmake/FindDependencies.cmake").read_text(encoding="utf-8")
        self.assertEqual(set(versions), set(re.findall(r'(?:"|\\n)([\w-]+) \$\{\w\S*?VERSION', cmake)))
        # Without a build there are no versions, which is told.
        done = self.run_release("--build", "none")
        self.assertIn("none/dependencies.txt is missing, and the SPDX document has no versions", done.stderr)
        self.assertEqual([one for one in json.loads(path.read_text())["packages"][1:] if "versionInfo" in one], [])

    def test_recipe_keeps_older_versions(self):
        for recipe in (RECIPE, PYTHON_RECIPE):
            self.change(recipe, r'(    version\("main".*\n)', r'\1    version("0.0.1", sha256="12")\n')
        self.commit()
        for _ in range(2):
            self.assertEqual(self.run_release("--write").returncode, 0)
            for recipe in (RECIPE, PYTHON_RECIPE):
                versions = re.findall(r'(?m)^    version\("([^"]+)"', self.text(recipe))
                self.assertEqual(versions, ["main", self.version, "0.0.1"])
            libraries = re.findall(r'depends_on\("rivulet@(\S+) \+shared".* when="@(\S+)"', self.text(PYTHON_RECIPE))
            self.assertEqual(libraries, [("main", "main"), (self.version, self.version)])

    def test_disagreements(self):
        for file, pattern, to, words in (
                ("CHANGELOG.md", rf" - {DATE}", " - unreleased", "has no date"),
                ("CHANGELOG.md", re.escape(f"[{self.version}]"), "[9.9.9]", "CHANGELOG.md's first heading"),
                ("CITATION.cff", r"(?m)^version: .*$", "version: 9.9.9", "CITATION.cff says 9.9.9"),
                ("CITATION.cff", DATE, "2031-02-04", "CITATION.cff says date-released: 2031-02-04"),
                (".zenodo.json", r'"version": "[^"]*"', '"version": "9.9.9"', ".zenodo.json says 9.9.9")):
            with self.subTest(words=words):
                kept = self.text(file)
                self.change(file, pattern, to)
                self.assert_refused("is not committed")
                self.commit()
                self.assert_refused(words, "--write")
                (self.root / file).write_text(kept, encoding="utf-8")
                self.commit()

    def test_the_address_is_filled_in_once(self):
        self.change("CITATION.cff", r"(?m)^url: .*$", "url: https://forge.test/rivulet")
        self.commit()
        self.assert_refused("'s homepage is https://")
        self.assertEqual(self.run_release("--write").returncode, 0)
        for name, ending in (("homepage", ""), ("url", f"/releases/rivulet-{self.version}.tar.gz"),
                             ("git", "/rivulet.git")):
            self.assertIn(f'    {name} = "https://forge.test/rivulet{ending}"\n', self.text(RECIPE))
        self.assertNotIn("example.org", self.text(RECIPE) + self.text(PYTHON_RECIPE))
        self.commit()
        self.assertNotIn("is nobody's", self.run_release().stderr)

    def test_a_tag_does_not_move(self):
        self.git("tag", f"v{self.version}")
        self.change("CHANGELOG.md", r"\Z", "more\n")
        self.commit()
        self.assert_refused(f"the tag v{self.version} names other files", "--write")


try:
    import yaml
except ImportError:
    yaml = None

# What the base classes of the recipe declare.
OF_SPACK = {"cuda", "rocm"}


def calls(tree, name):
    """Every call of a function or method of that name, with its literal first words."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and name == getattr(node.func, "id", getattr(
                node.func, "attr", None)):
            yield node, [one.value for one in node.args if isinstance(one, ast.Constant)]


def strings(tree):
    return [one.value for one in ast.walk(tree) if isinstance(one, ast.Constant)]


def cmake_text():
    files = [ROOT / "CMakeLists.txt", *sorted((ROOT / "cmake").glob("*.cmake"))]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


@unittest.skipUnless((ROOT / RECIPE).exists(), "a release's archive has no recipe")
class Recipe(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.text = (ROOT / RECIPE).read_text(encoding="utf-8")
        cls.tree = ast.parse(cls.text)
        cls.variants = {words[0] for _, words in calls(cls.tree, "variant")}

    def test_options_are_cmakes(self):
        text = cmake_text()
        options = [(words[0], words[1:]) for name in ("define", "define_from_variant")
                   for _, words in calls(self.tree, name)]
        self.assertGreater(len(options), 8)
        for option, variant in options:
            with self.subTest(option=option):
                if not option.startswith("CMAKE_"):
                    declared = re.search(rf"option\({option} |set\({option}\s[^)]*CACHE", text)
                    self.assertTrue(declared or option == "BUILD_SHARED_LIBS", "not CMake's")
                if variant and not isinstance(variant[0], bool):
                    self.assertIn(variant[0], self.variants)

    def test_every_variant_is_documented_and_used(self):
        page = (ROOT / "docs/install.md").read_text(encoding="utf-8")
        for name in self.variants:
            with self.subTest(variant=name):
                self.assertTrue(f"`{name}`" in page, "docs/install.md does not name it")
                self.assertGreater(len(re.findall(rf'[+ "]{name}\b', self.text)), 1)

    def test_generators(self):
        """Of the list, which the program has when all are built."""
        source = (ROOT / "src/kernels/generators/list.hpp").read_text(encoding="utf-8")
        listed = re.findall(r"(?m)^  GENERATOR\((\w+), ", source)
        variant, = [one for one, words in calls(self.tree, "variant") if words[0] == "generators"]
        values, = [one.value for one in variant.keywords if one.arg == "values"]
        sets, = calls(values, "disjoint_sets")
        self.assertEqual(strings(sets[0].args[1]), listed)
        built = list(rivulet_cli.generators())
        self.assertEqual(built, [name for name in listed if name in built])
        for name in strings(self.tree):
            if isinstance(name, str) and re.fullmatch(r"(dcmt|mt|mtgp|ranmar|philox|lfsr)\d\w*", name):
                self.assertIn(name, listed)

    def test_pi_is_a_deck_of_the_table(self):
        test, = [one for one in ast.walk(self.tree)
                 if isinstance(one, ast.FunctionDef) and one.name == "test_pi"]
        words = [one for one in strings(test) if isinstance(one, str)]
        for word in digests.Digests.deck_of("mt19937", "pi"):
            if "generator" not in word:
                self.assertIn(word, words)
        self.assertTrue((ROOT / "tests/data/digests.json").exists())
        self.assertIn('join_path("tests", "data", "digests.json")', self.text)

    def test_addresses_and_versions(self):
        address = re.search(r"(?m)^url: (.*)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"))[1]
        self.assertIn('HOMEPAGE_URL "${rivulet_url}"', cmake_text())
        for name in ("homepage", "url", "git"):
            found = re.search(rf'(?m)^    {name} = "([^"]+)"$', self.text).group(1)
            self.assertTrue(found.startswith(address) and address.startswith("https://"), found)
        changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
        versions = [(node, words[0]) for node, words in calls(self.tree, "version")]
        self.assertEqual(versions[0][1], "main")
        for node, name in versions[1:]:
            self.assertTrue(f"## [{name}] - " in changes, f"CHANGELOG.md has no {name}")
            sha256, = [one.value.value for one in node.keywords if one.arg == "sha256"]
            self.assertRegex(sha256, "^[0-9a-f]{64}$")

    def test_environment(self):
        if yaml is None:
            self.skipTest("python3 has no yaml (Debian: python3-yaml; Spack: py-pyyaml)")
        with open(ROOT / "spack.yaml", encoding="utf-8") as file:
            environment = yaml.safe_load(file)["spack"]
        specs = environment["specs"]
        for spec in specs:
            self.assertIsInstance(spec, str)
        named = {re.match(r"[\w-]+", spec).group() for spec in specs}
        depended = [words[0] for _, words in calls(self.tree, "depends_on") if words]
        needed = {re.match(r"[\w-]+", spec).group() for spec in depended}
        compilers = {"c", "cxx", "fortran"}
        self.assertEqual(needed - named - compilers - {"cuda", "hipfft"}, set())
        for name, bound in re.findall(r"(?m)^([\w-]+)(@[\d.]+:)(?!\d)", "\n".join(depended)):
            for spec in specs:
                if spec.startswith(f"{name}@") and name != "cmake":  # of which CUDA's language needs a newer one
                    self.assertIn(bound, spec)

    def test_the_headers_alone_need_kokkos_alone(self):
        def always(body):
            """The dependencies that no variant but components=rng changes."""
            for node in body:
                if isinstance(node, (ast.Expr, ast.For)):
                    yield from (words[0] for call, words in calls(node, "depends_on")
                                if words and "when" not in [one.arg for one in call.keywords])
                elif isinstance(node, ast.With) and "when" not in ast.unparse(node.items[0]):
                    yield from always(node.body)
        recipe, = [node for node in self.tree.body if isinstance(node, ast.ClassDef)]
        self.assertEqual({re.match(r"[\w-]+", one).group() for one in always(recipe.body)}, {"cxx", "cmake", "kokkos"})

    def of_recipe(self, mark, values, kokkos):
        """The conflicts that the statement with `mark` makes, over these architectures and this recipe of Kokkos."""
        statement, = [node for node in ast.walk(self.tree)
                      if isinstance(node, (ast.For, ast.If)) and mark in ast.unparse(node).partition("\n")[0]]
        made = []
        exec(compile(ast.Module([statement], []), "recipe", "exec"), {  # pylint: disable=exec-used
            "CudaPackage": mock.Mock(cuda_arch_values=values), "Kokkos": kokkos, "depends_on": mock.Mock(),
            "inspect": mock.Mock(getmodule=lambda one: one, getsource=lambda one: one.source),
            "conflicts": lambda spec, **_: made.append(spec)})
        return made

    def test_architectures_without_a_name_in_kokkos_are_refused(self):
        values = ("80", "90", "90a", "100a")
        known = mock.Mock(spec_set=("spack_cuda_arch_map",), spack_cuda_arch_map={"80": "ampere80", "90": "hopper90"})
        self.assertEqual(self.of_recipe("for arch in Cuda", values, known), ["cuda_arch=90a", "cuda_arch=100a"])
        self.assertEqual(self.of_recipe("for arch in Cuda", values, mock.Mock(spec_set=())), [])

    def test_kokkos_default_compiler_is_taken_where_its_recipe_takes_it(self):
        refuses, takes = mock.Mock(source='"Kokkos requires +wrapper when"'), mock.Mock(source="")
        self.assertEqual(self.of_recipe("getsource", (), refuses), ["^kokkos ~wrapper ~cmake_lang"])
        self.assertEqual(self.of_recipe("getsource", (), takes), [])

    def test_kokkos_has_rivulets_backends(self):
        """A site's Kokkos for GPUs is not taken for an installation without."""
        needs = {(words[0], *[one.value.value for one in node.keywords if one.arg == "when" and
                              isinstance(one.value, ast.Constant)])
                 for node, words in calls(self.tree, "depends_on") if words}
        for need in (("kokkos ~cuda", "~cuda"), ("kokkos-kernels ~cuda", "~cuda"), ("kokkos ~rocm", "~rocm"),
                     ("kokkos ~openmp +serial", "~openmp"), ("kokkos-kernels ~shared", "^kokkos ~shared")):
            self.assertIn(need, needs)

    def test_loading_sets_what_the_module_file_sets(self):
        module = (ROOT / "cmake/rivulet.module.in").read_text(encoding="utf-8") + (
            ROOT / "cmake/InstallRivulet.cmake").read_text(encoding="utf-8")
        run, = [one for one in ast.walk(self.tree)
                if isinstance(one, ast.FunctionDef) and one.name == "setup_run_environment"]
        for name in ("RIVULET_SHARE", "PYTHONPATH"):
            self.assertIn(name, module)
            self.assertIn(name, strings(run))
