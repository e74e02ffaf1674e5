// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "jobs/common/counting_job.hpp"
#include "kernels/numbers/number_source.hpp"
#include "rivulet/error.hpp"

// A whole job in one file, from outside the library: how many 32-bit words of every stream are
// below a limit. To be started by name it would take no more than a function that makes it,
// declared in src/jobs/common/job.hpp, and a line in the list of jobs (job.cpp there). For
// checkpoints its deck would have CheckpointOptions and their schema. A job consists of
//
//   its deck      a struct with StreamOptions, what it asks for, and a schema of both;
//   its kernel    here a sum over words that the library's number source has drawn;
//   its counts    a value that can be saved, added and digested (src/jobs/common/counts.hpp);
//   the job       what CountingJob asks for, in the order of a run: demand() of the deck, set_up()
//                 what draws, its extent(), restart(), draw() a range, count(), and the results,
//                 declared once.
//
// Plan and ranges of the streams, the check that they can be kept apart, the order of a run, times,
// repeated iterations, checkpoints, the digest, merging, the results file's config and streams, the
// report's first and last lines and agreement between ranks are the skeleton's.

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
using ToyCountView = Kokkos::View<std::uint64_t*, Space>;

/// The kernel: word i of stream s is words(i * streams + s).
inline void count_below(const Space& space, const ToyWords& words, std::uint64_t each,
                        std::uint64_t limit, const ToyCountView& counts) {
  const std::uint64_t streams = counts.extent(0);
  const Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>> policy(space, 0, streams);
  Kokkos::parallel_for(
      "rivulet::toy", policy, KOKKOS_LAMBDA(std::uint64_t s) {
        std::uint64_t count = 0;
        for (std::uint64_t i = 0; i < each; ++i) count += words(i * streams + s) < limit ? 1 : 0;
        counts(s) += count;
      });
}

/// The job's counts: words below the limit, of each stream.
struct ToyCounts {
  static constexpr const char* made_of = "counts";
  static constexpr bool is_in_rows = true;

  NumbersById<std::uint64_t> below;

  template <class Io>
  void fields(Io& io) {
    io.rows("below", below, {"words below the limit, stream by stream", "words"});
  }
  ToyCounts& operator+=(const ToyCounts& other) {
    below += other.below;
    return *this;
  }
  const std::vector<std::uint64_t>& words() const { return below.values; }
};

/// The job. Positions are words of each stream.
class ToyJob : public CountingJob<ToyOptions, ToyCounts> {
 protected:
  Demand demand() const override {
    const StreamOptions& streams = options_.streams;
    return {.streams = streams,
            .numbers = options_.words * streams.numbers_per_word(),
            .iterations = options_.iterations,
            .unit = "words",
            .differs = "counted other words"};
  }
  void check_options() const override {
    if (options_.limit == 0) throw Error("toy.limit=0", "no word is below 0", "Raise toy.limit.");
  }

  void set_up(JobContext&) override {
    const NumberRequest request{NumberType::uint32, Interval::closed_open,
                                options_.streams.mapping()};
    source_ = make_number_source(Space(), plan(), range(), request);
    words_ = ToyWords("rivulet::toy_words", range().count * piece);
    counted_ = ToyCountView("rivulet::toy_counts", range().count);
  }

  Extent extent() const override {
    return {options_.words, source_->period(), source_->period() * options_.streams.count,
            options_.words * options_.streams.count, "words"};
  }

  void restart() override {
    forget_counts();
    source_->restart();
    Kokkos::deep_copy(Space(), counted_, std::uint64_t{0});
  }

  void draw(JobContext& context, std::uint64_t from, std::uint64_t upto) override {
    const auto scope = context.timer.scope(io::Phase::compute);
    const std::uint64_t mine = range().count;
    for (std::uint64_t begin = from; begin < upto; begin += piece) {
      const std::uint64_t each = std::min(piece, upto - begin);
      source_->draw({0, mine, begin, each}, {1, mine}, words_.data());
      count_below(Space(), words_, each, options_.limit, counted_);
      progress().advance(each * options_.streams.count);
    }
    Space().fence();
  }

  ToyCounts none(StreamRange ids) const override { return {NumbersById<std::uint64_t>(ids)}; }

  ToyCounts count(io::PhaseTimer& timer) override {
    const auto scope = timer.scope(io::Phase::transfer);
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counted_);
    ToyCounts now{{range().first, {host.data(), host.data() + host.extent(0)}}};
    return now += before();
  }

  void results(Results& out) override {
    out.group("Words below a limit");
    out.stored("limit", options_.limit, "", "as in the deck");
    std::uint64_t sum = 0;
    for (const std::uint64_t one : counts().below.values) sum += one;
    out.told("below", ranks().sum(sum), "words");
    declare_counts(out);
    if (source_) out.memory("state", source_->state_bytes());
  }

  NumberSource& source() { return *source_; }

 private:
  static constexpr std::uint64_t piece = 512;  ///< words of a stream in memory

  std::unique_ptr<NumberSource> source_;
  ToyWords words_;
  ToyCountView counted_;
};

}  // namespace rivulet::test
