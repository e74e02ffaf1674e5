// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <numeric>
#include <span>

#include "io/results/sha256.hpp"
#include "jobs/merge/merged_file.hpp"
#include "jobs/merge/merging.hpp"

namespace rivulet {
namespace {

const std::string where = "/results/fill";

/// Parts hold checksums of streams, and no numbers: only the whole family is written to a file.
class FillMerging final : public Merging {
 public:
  void add(const ResultsPart& part, const io::ReadFile& file) override {
    const auto counts = file.dataset<std::uint64_t>(where + "/counts");
    const auto sums = file.dataset<std::uint64_t>(where + "/checksum1");
    const auto weighted = file.dataset<std::uint64_t>(where + "/checksum2");
    if (counts.size() != part.count || sums.size() != part.count || weighted.size() != part.count) {
      part.fail_damaged("its checksums are not those of its streams");
    }
    std::vector<std::uint64_t> rows;
    rows.reserve(3 * part.count);
    for (std::uint64_t i = 0; i < part.count; ++i) {
      rows.insert(rows.end(), {counts[i], sums[i], weighted[i]});
    }
    io::Sha256 own;
    own.update(std::span<const std::uint64_t>(rows));
    if (own.hex() != part.digest) part.fail_damaged("its checksums do not give its digest");
    all_.update(std::span<const std::uint64_t>(rows));
    numbers_ += std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    checksum_ = std::accumulate(sums.begin(), sums.end(), checksum_);
  }

  std::string digest() const override { return all_.hex(); }

  void write(io::ResultsFile& file, const std::vector<ResultsPart>& parts) const override {
    file.group(where);
    copy_attributes(file, parts.front(), where, {"numbers", "numbers_unit"});
    file.attribute(where, "numbers", numbers_, "numbers");
    for (const char* name : {"/counts", "/checksum1", "/checksum2"}) {
      join_rows(file, parts, where + name);
    }
  }

  void report(io::Report& report) const override {
    report.result("numbers", numbers_);
    report.result("checksum", checksum_);
  }

 private:
  io::Sha256 all_;
  std::uint64_t numbers_ = 0;
  std::uint64_t checksum_ = 0;
};

}  // namespace

std::unique_ptr<Merging> make_fill_merging(const io::Deck&) {
  return std::make_unique<FillMerging>();
}

}  // namespace rivulet
