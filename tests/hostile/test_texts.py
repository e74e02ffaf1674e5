# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decks and overrides with random changes. PyYAML reads the decks too: if both accept a deck, keys and values must be
equal."""

import os
import unittest

try:
    import yaml
except ImportError:
    yaml = None

import hostile


def plain(value):
    """Returns a value as a resolved deck prints it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


class Texts(hostile.Hostile):
    def test_decks(self):
        accepted = 0
        for number, source in hostile.rounds():
            deck = hostile.mutated(source.choice(hostile.DECKS), source)
            (self.directory / "deck.yaml").write_bytes(deck)
            with self.subTest(number=number):
                done = self.run_here("deck.yaml", "--validate")
                if self.ends_well(done, deck):
                    accepted += 1
                    self.compare(deck, done)
        print(f"decks: {number + 1}, of which {accepted} accepted")

    def compare(self, deck, done):
        """Requires that the resolved deck has the values that PyYAML reads from the deck."""
        if yaml is None:
            return
        try:
            given = yaml.load(deck.decode("utf-8"), Loader=yaml.BaseLoader)
        except (yaml.YAMLError, UnicodeDecodeError):
            return  # PyYAML follows YAML 1.1 strictly; yaml-cpp accepts more, such as tabs
        resolved = yaml.load(done.out, Loader=yaml.BaseLoader)
        self.assertEqual(given.pop("job"), resolved.pop("job"), deck)
        for section, keys in given.items():
            for key, value in (keys or {}).items():
                self.assertIn(key, resolved[section], deck)
                if resolved[section][key] != value and not self.is_number(value):
                    self.assertIn(value, ("on", "off", "yes", "no", "true", "false"), deck)

    @staticmethod
    def is_number(value):
        return isinstance(value, list) or any(c.isdigit() for c in value) or value in ("auto", "")

    @unittest.skipUnless(yaml, "PyYAML is not installed")
    def test_quotes(self):
        """Inserts a quote into a deck. If PyYAML refuses the result, the program must too."""
        for deck in hostile.DECKS:
            for at in range(len(deck)):
                for quote in (b"'", b'"'):
                    changed = deck[:at] + quote + deck[at:]
                    if at % 7 or b"\n" not in deck[at:]:
                        continue
                    (self.directory / "deck.yaml").write_bytes(changed)
                    done = self.run_here("deck.yaml", "--validate")
                    if self.ends_well(done, changed):
                        yaml.load(changed.decode(), Loader=yaml.BaseLoader)

    def test_overrides(self):
        known = [b"pi.points=1e5", b"streams.count=64", b"streams.generator=dcmt521", b"output.file=x.h5",
                 b"pi.kernel=fused", b"streams.seed=0x7", b"job=pi"]
        for number, source in hostile.rounds():
            words = [hostile.mutated(source.choice(known), source).replace(b"\0", b"") for _ in range(2)]
            words = [os.fsdecode(word) for word in words]
            if any(word.startswith("-") for word in words):
                continue
            with self.subTest(number=number):
                self.ends_well(self.run_here("pi", *words, "--validate"), words)
