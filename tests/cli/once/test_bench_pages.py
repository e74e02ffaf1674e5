# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/bench makes pages and pictures of records."""

import json
import re

from bench_case import RECORD, SOURCE, BenchCase
from plot_case import needs_matplotlib


@needs_matplotlib
class Pages(BenchCase):
    def test_pages_of_records(self):
        (self.directory / "x9.json").write_text(json.dumps(RECORD), encoding="utf-8")
        done = self.bench("--pages", "pages", "x9.json")
        self.assertEqual(done.returncode, 0, done)
        performance = (self.directory / "pages" / "performance.md").read_text()
        self.assertIn("# Performance\n", performance)
        self.assertIn("## 2 x NVIDIA X9, ", performance)
        self.assertIn("![Rates of every generator](plots/x9.png)", performance)
        self.assertIn("![Rates by the number of streams](plots/x9_streams.png)", performance)
        for name in ("x9.png", "x9_streams.png"):
            picture = (self.directory / "pages" / "plots" / name).read_bytes()
            self.assertEqual(picture[:8], b"\x89PNG\r\n\x1a\n")
        published = (self.directory / "pages" / "published.md").read_text()
        self.assertIn("|  |  | Tesla C2050 | Core i7-2600 | Rivulet, 2 x NVIDIA X9 |", published)

    def test_our_pages_are_those_of_our_records(self):
        records = sorted((SOURCE / "bench" / "records").glob("*.json"))
        self.assertNotEqual(records, [])
        done = self.bench("--pages", "pages", *records)
        self.assertEqual(done.returncode, 0, done)
        for name in ("performance.md", "published.md"):
            self.assertEqual((self.directory / "pages" / name).read_text(),
                             (SOURCE / "docs" / name).read_text(),
                             "make it again: scripts/bench --pages docs bench/records/*.json")
        for name in re.findall(r"\]\((plots/\S+)\)", (SOURCE / "docs/performance.md").read_text()):
            self.assertTrue((SOURCE / "docs" / name).is_file(), name)

    def test_bad_records(self):
        self.refuse("cannot be read", "--pages", "pages", "none.json")
        for text, phrase in (("text", "cannot be read"), ('{"format": "other"}', "is not a record"),
                             ('{"format": "rivulet benchmarks", "format_version": 99}',
                              "has version 99")):
            (self.directory / "bad.json").write_text(text)
            self.refuse(phrase, "--pages", "pages", "bad.json")
        self.assertFalse((self.directory / "pages").exists())
