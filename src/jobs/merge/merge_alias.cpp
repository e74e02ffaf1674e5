// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <numeric>
#include <span>

#include "io/results/sha256.hpp"
#include "jobs/alias/alias_layout.hpp"
#include "jobs/alias/alias_options.hpp"
#include "jobs/alias/alias_report.hpp"
#include "jobs/alias/alias_result.hpp"
#include "jobs/merge/merged_file.hpp"
#include "jobs/merge/merging.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

const std::string where = alias_group;

/// What statistics are made of, and so has to be the same in all parts.
struct Table {
  AliasShape shape;
  std::vector<double> asked;
  std::vector<double> drawn;
};

std::vector<double> numbers_if_there(const io::ReadFile& file, const std::string& path) {
  return file.has(path) ? file.dataset<double>(path) : std::vector<double>{};
}

Table table_of(const io::ReadFile& file) {
  Table table;
  table.shape.extents = file.attribute<std::vector<std::uint64_t>>(where, "shape");
  const auto names = file.attribute<std::vector<std::string>>(where, "axes");
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string points = fmt::format("{}/points{}", where, i);
    AliasAxis axis{names[i]};
    axis.unit_cells = !file.has(points);
    axis.points = numbers_if_there(file, points);
    axis.edges = numbers_if_there(file, fmt::format("{}/edges{}", where, i));
    if (file.has_attribute(points, "unit")) axis.unit = file.attribute<std::string>(points, "unit");
    table.shape.axes.push_back(std::move(axis));
  }
  table.asked = file.dataset<double>(where + "/asked");
  table.drawn = file.dataset<double>(where + "/table");
  return table;
}

/// Files of weights may have changed from one run to the next.
bool is_same(const Table& one, const Table& other) {
  const auto same_axis = [](const AliasAxis& a, const AliasAxis& b) {
    return a.name == b.name && a.points == b.points && a.edges == b.edges;
  };
  return one.shape.extents == other.shape.extents && one.asked == other.asked &&
         one.drawn == other.drawn &&
         std::ranges::equal(one.shape.axes, other.shape.axes, same_axis);
}

class AliasMerging final : public Merging {
 public:
  explicit AliasMerging(const io::Deck& deck) { deck.read_into(options_.schema()); }

  void add(const ResultsPart& part, const io::ReadFile& file) override {
    const auto counts = file.dataset<std::uint64_t>(where + "/histogram");
    if (digest_of(counts) != part.digest) {
      part.fail_damaged("its histogram does not give its digest");
    }
    Table table = table_of(file);
    const bool is_complete = table.asked.size() == counts.size() &&
                             table.drawn.size() == counts.size() &&
                             table.shape.axes.size() == table.shape.extents.size() &&
                             cells_of(table.shape.extents) == counts.size();
    if (!is_complete) part.fail_damaged("its histogram is not of its table's cells");
    if (counts_.empty()) {
      first_ = part.path;
      table_ = std::move(table);
      counts_.assign(counts.size(), 0);
    } else if (!is_same(table_, table)) {
      throw Error(fmt::format("'{}' and '{}' are not of the same table", first_, part.path),
                  "the weights that the deck names were others",
                  "Repeat the run with the weights of the others.");
    }
    for (std::size_t cell = 0; cell < counts.size(); ++cell) counts_[cell] += counts[cell];
  }

  std::string digest() const override { return digest_of(counts_); }

  void write(io::ResultsFile& file, const std::vector<ResultsPart>& parts) const override {
    file.group(where);
    copy_attributes(
        file, parts.front(), where,
        {"samples", "samples_unit", "shape", "shape_unit", "layout", "within", "keep", "axes",
         "chi_square", "degrees_of_freedom", "p_value", "pooled_cells", "pooled_cells_unit",
         "zero_cells", "zero_cells_unit", "zero_cell_samples", "zero_cell_samples_unit"});
    file.attribute(where, "samples", samples(), "samples");
    write_alias(file, options_, table_.shape, layout(), result());
    write_cells(file, {0, counts_.size()}, counts_, table_.asked, table_.drawn);
  }

  void report(io::Report& report) const override {
    report.result("samples", samples());
    report.result("cells", counts_.size());
    report_alias(report, table_.shape, result());
  }

 private:
  static std::string digest_of(const std::vector<std::uint64_t>& counts) {
    io::Sha256 sha;
    sha.update(std::span<const std::uint64_t>(counts));
    return sha.hex();
  }
  std::uint64_t samples() const {
    return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
  }
  AliasLayout layout() const { return whole_alias_layout(table_.shape.extents); }
  AliasResult result() const {
    return alias_result(io::Communicator::self(), layout(), table_.shape,
                        {samples(), counts_, table_.asked, table_.drawn});
  }

  AliasOptions options_;
  std::string first_;  ///< path of the first part
  Table table_;
  std::vector<std::uint64_t> counts_;
};

}  // namespace

std::unique_ptr<Merging> make_alias_merging(const io::Deck& deck) {
  return std::make_unique<AliasMerging>(deck);
}

}  // namespace rivulet
