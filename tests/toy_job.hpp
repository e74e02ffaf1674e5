// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/terminal/progress.hpp"
#include "jobs/common/drawing_job.hpp"
#include "kernels/numbers/number_source.hpp"
#include "rivulet/error.hpp"

// A whole job in one file, from outside the library: how many 32-bit words of every stream are
// below a limit. To be started by name it would take no more than a line in the list of jobs
// (src/jobs/common/job.cpp). A job consists of
//
//   its deck      a struct with StreamOptions, what is its own, and a schema of both;
//   its kernel    here a sum over words that the library's number source has drawn;
//   the job       what DrawingJob asks for, in the order of a run: set_up() what draws, restart()
//   it,
//                 draw(), collect() the digest, write and report results, and what it counts as
//                 work.
//
// Plan and ranges of the streams, the check that they can be kept apart, the order of a run, times,
// repeated iterations, the results file's config and streams, the report's first and last lines and
// agreement between ranks are the skeleton's.

namespace rivulet::test {

/// The deck.
struct ToyOptions {
  StreamOptions streams;
  std::uint64_t words = 1000;  ///< per stream
  std::uint64_t limit = 1000000000;
  std::uint64_t iterations = 1;
  OutputOptions output{"toy.h5"};

  io::Schema schema() {
    const auto bind = [this](io::Binder& binder) {
      binder.integer("words", words, {1, 1000000000}, "words that every stream draws", "words");
      binder.integer("limit", limit, {0, 0xffffffff}, "words below it are counted");
      binder.integer("iterations", iterations, {1, 1000}, "repeats, for timing");
    };
    return {"toy",
            "Counts words below a limit.",
            {streams.schema(), {"toy", "The count.", bind}, output.schema()}};
  }
};

using ToyWords = Kokkos::View<std::uint32_t*, Space>;
using ToyCounts = Kokkos::View<std::uint64_t*, Space>;

/// The kernel: word i of stream s is words(i * streams + s).
inline void count_below(const Space& space, const ToyWords& words, std::uint64_t each,
                        std::uint64_t limit, const ToyCounts& counts) {
  const std::uint64_t streams = counts.extent(0);
  const Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>> policy(space, 0, streams);
  Kokkos::parallel_for(
      "rivulet::toy", policy, KOKKOS_LAMBDA(std::uint64_t s) {
        std::uint64_t count = 0;
        for (std::uint64_t i = 0; i < each; ++i) count += words(i * streams + s) < limit ? 1 : 0;
        counts(s) += count;
      });
}

/// The job.
class ToyJob : public DrawingJob {
 public:
  const io::Schema& schema() override { return schema_; }
  const OutputOptions& output() const override { return options_.output; }

 protected:
  const StreamOptions& streams() const override { return options_.streams; }
  std::uint64_t iterations() const override { return options_.iterations; }
  std::optional<std::uint64_t> numbers_per_stream() const override {
    return options_.words * streams().numbers_per_word();
  }
  void check_options() const override {
    if (options_.limit == 0) throw Error("toy.limit=0", "no word is below 0", "Raise toy.limit.");
  }

  void set_up(RunContext&) override {
    const NumberRequest request{NumberType::uint32, Interval::closed_open, streams().mapping()};
    source_ = make_number_source(Space(), plan(), range(), request);
    words_ = ToyWords("rivulet::toy_words", range().count * piece);
    counts_ = ToyCounts("rivulet::toy_counts", range().count);
  }

  void restart() override {
    source_->restart();
    Kokkos::deep_copy(Space(), counts_, std::uint64_t{0});
  }

  void draw(RunContext& context) override {
    io::Progress progress(context.communicator, options_.words * streams().count, "words");
    const auto scope = context.timer.scope(io::Phase::compute);
    const std::uint64_t mine = range().count;
    for (std::uint64_t begin = 0; begin < options_.words; begin += piece) {
      const std::uint64_t each = std::min(piece, options_.words - begin);
      source_->draw({0, mine, begin, each}, {1, mine}, words_.data());
      count_below(Space(), words_, each, options_.limit, counts_);
      progress.advance(each * streams().count);
    }
    Space().fence();
  }

  std::string collect(RunContext& context) override {
    const auto scope = context.timer.scope(io::Phase::transfer);
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counts_);
    below_.assign(host.data(), host.data() + host.extent(0));
    return digest_in_rank_order(context.communicator, below_);
  }

  void write_results(io::ResultsFile& file) override {
    file.group("/results/toy", "Words below a limit");
    file.attribute("/results/toy", "limit", options_.limit);
    file.dataset("/results/toy/below", below_, range().first, streams().count,
                 "words below the limit, stream by stream", "words");
  }

  void report_results(RunContext& context) override {
    std::uint64_t sum = 0;
    for (const std::uint64_t one : below_) sum += one;
    context.report.result("below", context.communicator.sum(sum), "words");
  }

  void report_memory(RunContext& context) override {
    context.report.result("state", context.communicator.sum(source_->state_bytes()), "B");
  }

  Work work() const override {
    return {static_cast<double>(options_.words * streams().count), "words", "counted other words"};
  }

  NumberSource& source() { return *source_; }

 private:
  static constexpr std::uint64_t piece = 512;  ///< words of a stream in memory

  ToyOptions options_;
  io::Schema schema_ = options_.schema();
  std::unique_ptr<NumberSource> source_;
  ToyWords words_;
  ToyCounts counts_;
  std::vector<std::uint64_t> below_;
};

}  // namespace rivulet::test
