// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <numeric>
#include <span>

#include "io/results/sha256.hpp"
#include "jobs/common/stream_amount.hpp"
#include "jobs/merge/merged_file.hpp"
#include "jobs/merge/merging.hpp"
#include "jobs/pi/pi_options.hpp"
#include "jobs/pi/pi_report.hpp"

namespace rivulet {
namespace {

const std::string where = pi_group;

/// Element by element; values has the first part's size.
void add_each(std::vector<std::uint64_t>& sums, const std::vector<std::uint64_t>& values) {
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += values[i];
}

class PiMerging final : public Merging {
 public:
  explicit PiMerging(const io::Deck& deck) { deck.read_into(options_.schema()); }

  void add(const ResultsPart& part, const io::ReadFile& file) override {
    const auto hits = file.dataset<std::uint64_t>(where + "/hits");
    if (hits.size() != part.count) part.fail_damaged("its hits are not those of its streams");
    const StreamShare share{options_.points, part.of};
    std::vector<std::uint64_t> rows;
    rows.reserve(2 * hits.size());
    for (std::uint64_t i = 0; i < hits.size(); ++i) {
      rows.push_back(share.of(part.first + i));
      rows.push_back(hits[i]);
    }
    io::Sha256 own;
    own.update(std::span<const std::uint64_t>(rows));
    if (own.hex() != part.digest) part.fail_damaged("its hits do not give its digest");
    all_.update(std::span<const std::uint64_t>(rows));
    points_ += amount_of(share, {part.first, part.count});
    hits_ = std::accumulate(hits.begin(), hits.end(), hits_);
    add_running(file);
  }

  std::string digest() const override { return all_.hex(); }

  void write(io::ResultsFile& file, const std::vector<ResultsPart>& parts) const override {
    file.group(where);
    copy_attributes(file, parts.front(), where,
                    {"points", "points_unit", "hits", "hits_unit", "pi", "pi_unit", "mean",
                     "mean_unit", "variance", "variance_unit", "standard_error",
                     "standard_error_unit", "deviation", "deviation_unit"});
    write_pi_estimate(file, hits_, points_);
    join_rows(file, parts, where + "/hits");
    if (has_running_) write_pi_running(file, running_, true);
  }

  void report(io::Report& report) const override {
    report_pi_estimate(report, hits_, points_);
    if (!has_running_) {
      report.result("running estimate",
                    "none: the parts' batches end at other points, as other machines or kernels "
                    "made them");
    }
  }

 private:
  /// Batches are of whole rounds of a kernel's, so parts that differ in kernel, mapping or machine
  /// may have others.
  void add_running(const io::ReadFile& file) {
    const PiRunning part{file.dataset<std::uint64_t>(where + "/running_points"),
                         file.dataset<std::uint64_t>(where + "/running_hits")};
    if (running_.points.empty()) {
      running_ = part;
      return;
    }
    has_running_ = has_running_ && part.points.size() == running_.points.size() &&
                   part.hits.size() == running_.hits.size();
    if (!has_running_) return;
    add_each(running_.points, part.points);
    add_each(running_.hits, part.hits);
  }

  PiOptions options_;
  io::Sha256 all_;
  std::uint64_t points_ = 0;
  std::uint64_t hits_ = 0;
  PiRunning running_;
  bool has_running_ = true;
};

}  // namespace

std::unique_ptr<Merging> make_pi_merging(const io::Deck& deck) {
  return std::make_unique<PiMerging>(deck);
}

}  // namespace rivulet
