// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/alias/alias_options.hpp"

#include <fmt/format.h>

#include "io/words/scalar_text.hpp"
#include "rivulet/error.hpp"
#include "sampling/alias_table.hpp"

namespace rivulet {
namespace {

constexpr std::uint64_t max_samples = 1000000000000000000;  // 10^18
constexpr std::uint64_t max_cells = 4294967295;             // cell indices have 32 bits

template <class E>
using Choices = io::Binder::Choices<E>;

const Choices<TableLayout>& layouts() {
  static const Choices<TableLayout> all{
      {"conditional", TableLayout::conditional,
       "a table per axis, given the indices on earlier axes; two or three words per axis"},
      {"flat", TableLayout::flat, "one table of all cells; two or three words per sample"}};
  return all;
}

const Choices<ThresholdBits>& precisions() {
  static const Choices<ThresholdBits> all{
      {"auto", ThresholdBits::automatic,
       "64 if allowed, and if 32 would change a probability by more than 1e-6 of it"},
      {"32", ThresholdBits::narrow, "the fastest; two words per axis"},
      {"64", ThresholdBits::wide, "three words per axis; for tables of up to 4194304 cells"}};
  return all;
}

const Choices<WithinCell>& within_choices() {
  static const Choices<WithinCell> all{
      {"discrete", WithinCell::discrete, "the axes' point, or the middle"},
      {"uniform", WithinCell::uniform, "anywhere in the cell"}};
  return all;
}

const Choices<KeepSamples>& keep_choices() {
  static const Choices<KeepSamples> all{
      {"none", KeepSamples::none, "the histogram alone"},
      {"indices", KeepSamples::indices, "every sample's cell"},
      {"coordinates", KeepSamples::coordinates, "every sample's cell and coordinates"}};
  return all;
}

}  // namespace

std::string name_of(TableLayout layout) { return io::Binder::name_in(layouts(), layout); }
std::string name_of(WithinCell within) { return io::Binder::name_in(within_choices(), within); }
std::string name_of(KeepSamples keep) { return io::Binder::name_in(keep_choices(), keep); }

io::SectionSchema TableOptions::schema() {
  return {
      "table", "The distribution to sample: one weight per cell.", [this](io::Binder& binder) {
        binder.choice<WeightsKind>(
            "weights", weights,
            {{"gaussian", WeightsKind::gaussian,
              "exp(-(x^2 + y^2 + alpha x y)), x = (column - x0) / width, y = (row - y0) / width"},
             {"exponential", WeightsKind::exponential, "exp(-rate i), i = 0, 1, ..."},
             {"power", WeightsKind::power, "(i + 1/2)^-exponent"},
             {"zipf", WeightsKind::zipf, "(i + 1)^-exponent"},
             {"file", WeightsKind::file, "numbers from `file`"}},
            "the weights; any sum");
        binder.integer("rows", gaussian.rows, {1, max_cells}, "gaussian: cells along y", "cells");
        binder.integer("columns", gaussian.columns, {1, max_cells}, "gaussian: cells along x",
                       "cells");
        binder.real("x0", gaussian.x0, {-1e9, 1e9}, "gaussian: centre", "cells");
        binder.real("y0", gaussian.y0, {-1e9, 1e9}, "gaussian: centre", "cells");
        binder.real("alpha", gaussian.alpha, {-1e9, 1e9},
                    "gaussian: correlation; a peak between -2 and 2, a ridge at -2 and 2");
        binder.real("width", gaussian.width, {1e-9, 1e9}, "gaussian: unit of length", "cells");
        binder.integer("cells", cells, {1, max_cells}, "exponential, power, zipf: cells", "cells");
        binder.real("rate", rate, {-1e9, 1e9}, "exponential: rate per cell");
        binder.real("exponent", exponent, {-1e3, 1e3}, "power, zipf: exponent");
        binder.file("file", file, io::FileUse::read, "HDF5 file of weights");
        binder.text("dataset", dataset, "path of the weights in the file, of any dimensions");
        binder.text("axes", axes,
                    "paths of each dimension's coordinates, separated by commas: a point per cell, "
                    "or the cells' edges; \"\": 0, 1, 2, ...");
        binder.choice("layout", layout, layouts(), "how a cell is drawn");
        binder.choice("bits", bits, precisions(), "bits of the alias method's thresholds");
        binder.bytes("memory", memory, {0, std::uint64_t{1} << 50},
                     "limit per rank on the table and its counts; auto: three quarters of the free "
                     "memory",
                     io::Effect::speed, io::Zero::means_auto);
      }};
}

std::vector<std::string> TableOptions::axis_names() const {
  std::vector<std::string> names;
  if (axes.find_first_not_of(" ,") == std::string::npos) return names;
  std::string::size_type begin = 0;
  while (begin <= axes.size()) {
    const auto end = std::min(axes.find(',', begin), axes.size());
    names.emplace_back(io::trimmed(std::string_view(axes).substr(begin, end - begin)));
    begin = end + 1;
  }
  return names;
}

bool TableOptions::may_be_wide(std::uint64_t table_cells) const {
  return bits != ThresholdBits::narrow && table_cells <= detail::most_wide_cells;
}

io::Schema AliasOptions::schema() {
  const auto bind_alias = [this](io::Binder& binder) {
    binder.integer("samples", samples, {1, max_samples}, "samples to draw", "samples");
    binder.choice("within", within, within_choices(), "place of a kept sample in its cell");
    binder.choice("keep", keep, keep_choices(), "what is written of each sample to output.file");
    binder.bytes("memory", memory, {0, std::uint64_t{1} << 50},
                 "limit per rank on buffered samples; auto: 64 MiB, or more with many streams",
                 io::Effect::speed, io::Zero::means_auto);
    binder.integer("iterations", iterations, {1, 1000000}, "repeats, for timing; all must agree",
                   "", io::Effect::speed);
  };
  return {"alias",
          "Samples of a table of weights in any number of dimensions, by Walker's alias method.",
          {streams.schema(),
           table.schema(),
           {"alias", "The samples.", bind_alias},
           checkpoint.schema(),
           output.schema()}};
}

void AliasOptions::check() const {
  if (keep != KeepSamples::none) {
    streams.require_whole(fmt::format("alias.keep={}", name_of(keep)),
                          "the samples kept are those of all streams, in one order");
  }
  if (samples < streams.family()) {
    throw Error(fmt::format("alias.samples={} on {} streams", samples, streams.family()),
                "each stream draws an equal share, which would be less than one sample",
                "Raise alias.samples, or lower streams.count.");
  }
  if (keep != KeepSamples::none && output.file.empty()) {
    throw Error(fmt::format("alias.keep={} without output.file", name_of(keep)),
                "no file is named for the samples", "Add --output FILE, or set alias.keep=none.");
  }
  if (within == WithinCell::uniform && keep != KeepSamples::coordinates) {
    throw Error(fmt::format("alias.within=uniform with alias.keep={}", name_of(keep)),
                "histograms and moments depend on cells only, so it would have no effect",
                "Set alias.keep=coordinates, or omit alias.within.");
  }
  if (table.weights != WeightsKind::file) {
    if (!table.file.empty() || !table.axes.empty()) {
      throw Error(
          fmt::format("table.{} without table.weights=file", table.file.empty() ? "axes" : "file"),
          "the named distributions read no file",
          table.file.empty() ? "Set table.weights=file, or omit table.axes."
                             : "Set table.weights=file, or omit table.file.");
    }
  } else if (table.file.empty()) {
    throw Error("table.weights=file without table.file", "the weights are read from an HDF5 file",
                "Set table.file=FILE.");
  }
}

StreamOptions AliasOptions::all_streams() const {
  StreamOptions all = streams;
  if (draws_positions()) {
    all.count *= 2;
    all.family_streams = 0;
  }
  return all;
}

}  // namespace rivulet
