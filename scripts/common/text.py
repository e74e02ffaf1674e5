# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Formats numbers and tables for readers."""


def seconds_text(seconds):
    """Returns seconds as text with up to three digits and a unit, such as "2.93 s", "47.8 ms" or "53 us"."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{float(f'{seconds / size:.3g}'):g} {unit}"
    return "0 s" if seconds == 0 else f"{float(f'{seconds * 1e6:.2g}'):g} us"


def rate_text(rate, unit=""):
    """Returns a rate as text with three digits and a power of ten, such as "1.20e12 points/s"."""
    mantissa, exponent = f"{rate:.2e}".split("e")
    return f"{mantissa}e{int(exponent)} {unit}".rstrip()


def percent(part, whole):
    return f"{100 * part / whole:.0f} %"


def row(*cells):
    return f"| {' | '.join(map(str, cells))} |"


def table_of(heading, rows):
    """Returns the lines of a Markdown table."""
    return [row(*heading), "|---" * len(heading) + "|", *(row(*cells) for cells in rows)]


def shortened(text, max_length):
    """Returns a text shortened to `max_length` characters. Removes the middle, so a file name at the end remains:
    "/long/p…cks/pi.yaml"."""
    if len(text) <= max_length:
        return text
    begin = (max_length - 1) // 3
    return f"{text[:begin]}\N{HORIZONTAL ELLIPSIS}{text[begin + 1 - max_length:]}"
