# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Figures of the occlusion job: its pictures side by side, and their errors against the number of passes."""

import dataclasses

from common.failure import ScriptError
from plotting.results import Unreadable, require_equal_lengths, filled
from plotting.style import BLUE, DPI, INK, PANEL, SILVER, count, name_figure, new_axes, plain_ticks, pyplot

JOB = "occlusion"

MOST_PICTURES = 4
DOTS = 1440  # maximum number of dots across the pictures of a row
GREYS = 64  # more would double the picture file, and readers cannot tell them apart


@dataclasses.dataclass
class Occlusion:
    """The content of a results file."""

    scene: str
    numbers: str
    generator: str
    passes: list  # number of passes of each picture, ascending
    pictures: list  # numpy arrays of radiances, 0 .. 1
    errors: list  # standard error of each picture; empty if the file has none


def read(file, path):
    """Reads an Occlusion."""
    require_all_pixels(file, path)
    result = file["results/occlusion"]
    passes = [int(one) for one in filled(result, "passes")]
    rays = int(result.attrs["occlusion_rays"])
    shape = int(result.attrs["height"]), int(result.attrs["width"])
    pictures = []
    for one in passes:
        name = f"open_{one}"
        counts = filled(result, name)
        if counts.shape not in (shape, shape[:1]) or counts.size != shape[0] * shape[1]:
            raise Unreadable(f"its dataset {name} is not of {shape[1]} x {shape[0]} pixels")
        if one < 1 or counts.max() > rays * one:
            raise Unreadable(f"its dataset {name} counts more rays than there were")
        pictures.append(counts.reshape(shape) / (rays * one))  # a picture of one column is stored with shape [H]
    errors = [float(one) for one in result["error"][()]]
    if errors:
        require_equal_lengths(passes=passes, error=errors)
    return Occlusion(scene=str(result.attrs["scene"]), numbers=str(result.attrs["numbers"]),
                     generator=str(file["streams"].attrs["generator"]), passes=passes,
                     pictures=pictures, errors=errors)


def require_all_pixels(file, path):
    """Raises ScriptError if the file has only some of the pixels."""
    streams = file["streams"].attrs
    first, count = int(streams.get("first", 0)), int(streams["count"])
    total = int(streams.get("of", count))
    if count < total:
        raise ScriptError(f"cannot plot '{path}' (it has pixels {first} to "
                        f"{first + count - 1} of {total}, and a picture needs all). Merge the "
                        "parts: `rivulet merge a.h5 b.h5 --output all.h5`.")


def draw(results):
    occlusion, = results
    figures = [("", draw_pictures(occlusion))]
    # Two pictures get no curve, because both errors come from the same difference. Zeros have no logarithm.
    if len(occlusion.errors) > 2 and any(occlusion.errors):
        figures.append(("error", draw_errors(occlusion)))
    return figures


def pictures_to_draw(occlusion):
    """Returns the indices of at most MOST_PICTURES pictures to draw, including the first and the last."""
    last = len(occlusion.passes) - 1
    if last < MOST_PICTURES:
        return list(range(last + 1))
    return [round(i * last / (MOST_PICTURES - 1)) for i in range(MOST_PICTURES)]


def draw_pictures(occlusion):
    """Draws the pictures side by side: up to three in one row, four in two rows. If there is room, a pixel is a square
    with a whole number of dots per side, because a fractional scale would add a pattern to the noise."""
    chosen = pictures_to_draw(occlusion)
    columns = 2 if len(chosen) == MOST_PICTURES else len(chosen)
    rows = len(chosen) // columns
    height, width = occlusion.pictures[0].shape
    scale = DOTS / columns / max(height, width)
    down, across = (size * (int(scale) or scale) for size in (height, width))
    across = max(across, 1200 / columns, 440)  # room for the titles
    wide, high = columns * (across + 20) + 160, rows * (down + 60) + 100  # in dots, like all sizes here
    figure, axes = pyplot().subplots(
        rows, columns, squeeze=False, figsize=(wide / DPI, high / DPI),
        gridspec_kw={"left": 20 / wide, "right": 1 - 160 / wide, "bottom": 20 / high, "top": 1 - 140 / high,
                     "wspace": 20 / across, "hspace": 60 / down})
    for panel, number in zip(axes.flat, chosen):
        image = panel.imshow(occlusion.pictures[number], cmap=pyplot().get_cmap("gray", GREYS), vmin=0, vmax=1,
                             interpolation="nearest")
        error = f", standard error {occlusion.errors[number]:.2g}" if occlusion.errors else ""
        passes = occlusion.passes[number]
        panel.set_title(f"{passes:,} pass{'es' if passes != 1 else ''}{error}", loc="left", fontsize=PANEL)
        panel.set(xticks=[], yticks=[], anchor="W")
        for edge in panel.spines.values():
            edge.set(visible=True, color=SILVER)
    name_figure(figure, f"Ambient occlusion of the scene {occlusion.scene}")
    figure.text(0.01, 1 - 55 / high, numbers_text(occlusion), fontsize=10, va="top")
    bar = figure.colorbar(image, cax=figure.add_axes([1 - 140 / wide, 20 / high, 24 / wide, 1 - 160 / high]))
    bar.set_label("open share of the rays")
    return figure


def numbers_text(occlusion):
    if occlusion.numbers == "hash":
        return "numbers of a hash"
    descriptions = {"pixel": "a stream for each pixel", "on_demand": "numbers on demand"}
    # Files of earlier versions may have other values of `numbers`.
    return f"{occlusion.generator}, {descriptions.get(occlusion.numbers, f'numbers {occlusion.numbers}')}"


def draw_errors(occlusion):
    figure, axes = new_axes(
        f"Error of the picture by number of passes: {occlusion.scene}",
        f"{count(occlusion.pictures[0].size, 'pixel')}, {numbers_text(occlusion)}; "
        "root mean square over pixels")
    first = occlusion.passes[0]
    axes.loglog(occlusion.passes, [occlusion.errors[0] * (first / one) ** 0.5 for one in occlusion.passes],
                color=INK, linewidth=1, linestyle="--", label="1 / sqrt(passes), from the first")
    axes.loglog(occlusion.passes, occlusion.errors, color=BLUE, marker="o", linewidth=0, markersize=7,
                label="measured")
    axes.set_xlabel("passes")
    axes.set_ylabel("standard error (radiance 0 to 1)")
    plain_ticks(axes.xaxis)
    plain_ticks(axes.yaxis)
    axes.legend(frameon=False)
    return figure
