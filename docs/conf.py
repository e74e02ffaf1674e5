# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The site of these pages, for Sphinx: `scripts/docs` builds it. The pages are written for a forge as well."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "docs"))
sys.dont_write_bytecode = True
import headers  # noqa: E402

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

OUTSIDE = re.compile(r"\[([^\]]+)\]\(((?:\.\./)[^)#\s]+)(?:#[^)\s]*)?\)")


def from_outside(link):
    """Files that are no pages are downloads; a folder is its name."""
    shown, target = link[1].replace("`", ""), link[2]
    if (ROOT / "docs" / target).is_file():
        return f"{{download}}`{shown} <{target}>`"
    folder = target.removeprefix("../")
    return f"`{folder}`" if shown.rstrip("/") == folder else f"{shown} (`{folder}`)"


def contents(text):
    """Directives that put the pages of each line of the start page's last list into the sidebar."""
    for caption, links in re.findall(r"(?m)^- ([A-Z][a-z]+): (.*(?:\n  .*)*)$", text):
        pages = "\n".join(re.findall(r"\((\w+)\.md\)", links))
        yield f"\n```{{toctree}}\n:caption: {caption}\n:hidden:\n{pages}\n```\n"


def change_source(_, page, source):
    """What a forge shows otherwise, or not at all."""
    source[0] = OUTSIDE.sub(from_outside, source[0])
    if page == "index":
        source[0] = "---\nhide-toc: true\n---\n" + source[0] + "".join(contents(source[0]))
    if page == "reference":
        source[0] += "\n" + headers.reference()


def setup(app):
    app.connect("source-read", change_source)
