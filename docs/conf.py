# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Configures Sphinx for the site of docs/, which `scripts/docs` builds. The pages are also readable on a forge.

Doxygen reads the headers for the reference of C++ and C (docs/doxygen.conf), and autodoc imports the Python package.
"""
import logging
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))
sys.dont_write_bytecode = True

cmake = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
project = "Rivulet"
author = "The Rivulet Authors"
copyright = f"2026, {author}"
version = release = re.search(r"(?m)^  VERSION (\S+)$", cmake)[1]

extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc"]
myst_heading_anchors = 6
exclude_patterns = ["plots"]
html_theme = "furo"
html_title = f"{project} {version}"
html_copy_source = False
html_static_path = [str(ROOT / "docs/_static")]
html_css_files, html_js_files = ["site.css"], ["copy.js"]
pygments_style = "default"
smartquotes = False
default_role = "code"
breathe_default_project = project
breathe_show_include = False
autodoc_member_order = "bysource"
autodoc_typehints = "none"

TITLE = re.compile(r"\[\w+\.md\]\((\w+\.md(?:#[^)\s]*)?)\)")
OUTSIDE_LINK = re.compile(r"\[((?:[^][)\n]|\n(?!\s*\n))+)\]\((\.\./[^)#\s]+)(?:#[^)\s]*)?\)")
# These pages are not generated from C++ headers.
BY_HAND = {
    "c": "# rivulet.h (C)\n\n```{doxygenfile} rivulet.h\n```\n",
    "python": "# Package rivulet (Python)\n\n```{eval-rst}\n.. automodule:: rivulet\n   :members:\n"
              "   :inherited-members: BitGenerator\n   :imported-members:\n```\n"}
INCLUDE = ROOT / "include"
# The pages also show these entities of inner headers. The first three classes are the return types of Streams::open,
# of Streams::open_shared, and of take() on the result of open_shared.
INNER = {"streams": ("class rivulet::RingTeamStream", "class rivulet::OnDemandRing", "class rivulet::SharedNumbers",
                     "typedef rivulet::Uint128"),
         "fill": ("enum rivulet::Interval",), "discrete": ("enum rivulet::ThresholdBits",),
         "create": ("struct rivulet::DcmtSet", "struct rivulet::DcmtSets")}


def generators(text):
    """Yields the names of the library's generators, which are shown without their members."""
    listed = re.findall(r"\w+", re.search(r"AllGenerators = GeneratorTypes<([^>]*)>", text)[1])
    yield "concept rivulet::OwnGenerator"
    yield "class rivulet::Dcmt"
    yield from (f"struct rivulet::{name}" for name in listed if not re.search(rf"(struct|using) {name}\b", text))


def header_pages():
    """Yields (name of a page, Markdown) for each public header; headers of distributions come last."""
    for file in (*sorted(INCLUDE.glob("rivulet/*.hpp")), *sorted(INCLUDE.glob("rivulet/distributions/*.hpp"))):
        text, header = file.read_text(encoding="utf-8"), file.relative_to(INCLUDE)
        if "\nnamespace rivulet {" not in text:
            continue
        shown = [f"file {header}", *INNER.get(file.stem, ()), *(generators(text) if file.stem == "generators" else ())]
        comment = re.search(r"((?:^// .*\n)+)\nnamespace rivulet", text, re.M)
        intro = re.sub(r"(?m)^// ", "", comment[1]) if comment else ""
        members = dict.fromkeys(("class", "struct"), "\n:members:") if file.stem != "generators" else {}
        yield file.stem, f"# {header}\n\n`#include <{header}>`\n\n{intro}\n" + "".join(
            f"```{{doxygen{kind}}} {name}{members.get(kind, '')}\n```\n\n" for kind, name in map(str.split, shown))


REFERENCE = {**dict(header_pages()), **BY_HAND}


def outside_link(link, folder):
    """Replaces a link that leads outside docs/: a file becomes a download, and a folder becomes its name."""
    shown, target = link[1].replace("`", ""), link[2]
    if (ROOT / "docs" / target).is_file():
        return f"{{download}}`{shown} <{os.path.relpath(ROOT / 'docs' / target, folder)}>`"
    folder = target.removeprefix("../")
    return f"`{folder}`" if shown.rstrip("/") == folder else f"{shown} (`{folder}`)"


def contents(text):
    """Yields directives for the sidebar: one toctree for each line of the last list on the start page."""
    for caption, links in re.findall(r"(?m)^- ([A-Z][a-z]+): (.*(?:\n  .*)*)$", text):
        pages = "\n".join(re.findall(r"\((\w+)\.md\)", links))
        yield f"\n```{{toctree}}\n:caption: {caption}\n:hidden:\n{pages}\n```\n"


def change_source(app, page, source):
    """Adapts a page to Sphinx: a link whose text is a file's name shows the page's title, and the start page gets the
    sidebar."""
    if page == "index":
        front = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Using the library")[0]
        front = front.replace("](docs/", "](").replace("](examples/", "](../examples/")
        source[0] = front + source[0].replace("# All pages", "## All pages")
    source[0] = OUTSIDE_LINK.sub(lambda link: outside_link(link, app.srcdir), TITLE.sub(r"[](\1)", source[0]))
    if page == "index":
        source[0] = "---\nhide-toc: true\n---\n" + source[0] + "".join(contents(source[0]))
    if page == "reference":
        source[0] += "\n```{toctree}\n" + "\n".join(f"reference/{name}" for name in REFERENCE) + "\n```\n"


def collect_pages(app):
    """Fills Sphinx' folder of sources with links to the pages of docs/, and with the pages of the C++ headers."""
    folder = pathlib.Path(app.srcdir)
    for file in (ROOT / "docs").iterdir():
        if file.suffix in ("", ".md") and not (folder / file.name).exists():
            (folder / file.name).symlink_to(file)
    (folder / "reference").mkdir(exist_ok=True)
    for name, text in REFERENCE.items():
        (folder / "reference" / f"{name}.md").write_text(text, encoding="utf-8")


def read_headers(app, config):
    """Runs Doxygen. Its warnings are errors."""
    folder = pathlib.Path(app.outdir) / ".doxygen"
    folder.mkdir(parents=True, exist_ok=True)
    text = (ROOT / "docs/doxygen.conf").read_text(encoding="utf-8") + f"OUTPUT_DIRECTORY = {folder}\n"
    done = subprocess.run(["doxygen", "-"], cwd=ROOT, input=text, text=True, capture_output=True, check=False)
    if done.returncode or done.stderr:
        raise RuntimeError(f"Doxygen failed:\n{done.stderr}")
    # Removes private members and bases in rivulet::detail, which Breathe would show. Names of files in docs/ become
    # links.
    private = re.compile(r'(?s) *<sectiondef kind="private-.*?</sectiondef>\n|'
                         r'<basecompoundref[^>]*>rivulet::detail.*?ref>')
    for file in (folder / "xml").glob("*.xml"):
        text = private.sub("", file.read_text(encoding="utf-8"))
        text = re.sub(r"\bdocs/(\w+)\.md(#[\w-]+)?", r'<ulink url="../\1.html\2">\g<0></ulink>', text)
        file.write_text(text, encoding="utf-8")
    config.breathe_projects = {project: str(folder / "xml")}


def as_list(app, what, name, obj, options, lines):
    """Turns paragraphs of docstrings into lists if all their lines are `name: description`."""
    def paragraph(text):
        is_list = all(re.match(r"    |[a-z][\w, ]*: ", line) for line in text.splitlines())
        return re.sub(r"(?m)^(\w.*?): ", r"``\1``\n    ", text) if is_list else text
    lines[:] = "\n\n".join(map(paragraph, "\n".join(lines).split("\n\n"))).split("\n")


def is_of_interest(record):
    """Returns False for Breathe's warning of a repeated namespace, which Breathe declares on each header's page."""
    return not re.search(r"Declaration is '.. cpp:type:: rivulet'", record.getMessage())


def setup(app):
    logging.getLogger("sphinx.sphinx.domains.cpp").addFilter(is_of_interest)
    app.connect("config-inited", read_headers)
    app.connect("builder-inited", collect_pages)
    app.connect("source-read", change_source)
    app.connect("autodoc-process-docstring", as_list)
