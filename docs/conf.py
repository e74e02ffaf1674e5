# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The site of these pages, for Sphinx: `scripts/docs` builds it. The pages are written for a forge as well."""
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
import reference  # noqa: E402
import sources  # noqa: E402
from sources import ROOT  # noqa: E402

cmake = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
project = "Rivulet"
author = "The Rivulet Authors"
copyright = f"2026, {author}"
version = release = re.search(r"(?m)^  VERSION (\S+)$", cmake)[1]

extensions = ["myst_parser"]
myst_heading_anchors = 6
exclude_patterns = ["plots"]
html_theme = "furo"
html_title = f"{project} {version}"
html_copy_source = False
pygments_style = "default"
smartquotes = False

TITLE = re.compile(r"\[\w+\.md\]\((\w+\.md(?:#[^)\s]*)?)\)")
OUTSIDE = re.compile(r"\[((?:[^][)\n]|\n(?!\s*\n))+)\]\((\.\./[^)#\s]+)(?:#[^)\s]*)?\)")
REFERENCE = list(reference.pages())


def from_outside(link, folder):
    """Files that are no pages are downloads; a folder is its name."""
    shown, target = link[1].replace("`", ""), link[2]
    if (ROOT / "docs" / target).is_file():
        return f"{{download}}`{shown} <{os.path.relpath(ROOT / 'docs' / target, folder)}>`"
    folder = target.removeprefix("../")
    return f"`{folder}`" if shown.rstrip("/") == folder else f"{shown} (`{folder}`)"


def contents(text):
    """Directives that put the pages of each line of the start page's last list into the sidebar."""
    for caption, links in re.findall(r"(?m)^- ([A-Z][a-z]+): (.*(?:\n  .*)*)$", text):
        pages = "\n".join(re.findall(r"\((\w+)\.md\)", links))
        yield f"\n```{{toctree}}\n:caption: {caption}\n:hidden:\n{pages}\n```\n"


def change_source(app, page, source):
    """What a forge shows otherwise, or not at all: a link whose text is a file's name shows the page's title."""
    source[0] = OUTSIDE.sub(lambda link: from_outside(link, app.srcdir), TITLE.sub(r"[](\1)", source[0]))
    if page == "index":
        source[0] = "---\nhide-toc: true\n---\n" + source[0] + "".join(contents(source[0]))
    if page == "reference":
        source[0] += "\n" + reference.contents(REFERENCE)


def collect_pages(app):
    """Fills Sphinx' folder of sources: the pages of docs/ by links, and those of the reference."""
    folder = pathlib.Path(app.srcdir)
    for file in (ROOT / "docs").iterdir():
        if file.suffix in ("", ".md") and not (folder / file.name).exists():
            (folder / file.name).symlink_to(file)
    (folder / "reference").mkdir(exist_ok=True)
    for page in REFERENCE:
        (folder / "reference" / f"{page.name}.md").write_text(reference.markdown(page), encoding="utf-8")


def setup(app):
    app.connect("builder-inited", collect_pages)
    app.connect("html-collect-pages", lambda _: sources.pages(reference.files(REFERENCE)))
    app.connect("source-read", change_source)
