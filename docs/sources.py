# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pages of source files in the site, with a place for each line, to which the reference leads."""
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
LANGUAGES = {".hpp": "cpp", ".cpp": "cpp", ".h": "c", ".c": "c", ".f90": "fortran", ".py": "python"}


def link(file, line, shown):
    """HTML, for a page in a folder of the site, that leads to a line of a file."""
    return f'<a href="../source/{file}.html#line-{line}">{shown}</a>'


def pages(files):
    """For Sphinx' event html-collect-pages."""
    from pygments import formatters, highlight, lexers
    form = formatters.HtmlFormatter(linenos="inline", lineanchors="line", anchorlinenos=True)
    for file in sorted(files):
        language = LANGUAGES[pathlib.Path(file).suffix]
        code = highlight((ROOT / file).read_text(encoding="utf-8"), lexers.get_lexer_by_name(language), form)
        body = f'<h1>{file}</h1>\n<div class="highlight-{language} notranslate">{code}</div>'
        yield f"source/{file}", {"title": file, "body": body, "parents": []}, "page.html"
