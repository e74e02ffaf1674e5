// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>

#include "jobs/common/counting_job.hpp"
#include "kernels/numbers/number_source.hpp"
#include "rivulet/error.hpp"

// A whole job in one file. For each stream, it counts the 32-bit words below a limit.
// src/jobs/common/counting_job.hpp explains the functions. To add checkpoints, add
// CheckpointOptions to the deck and resume() to the work.

namespace rivulet::test {

/// Holds one count per stream. The digest covers the counts.
struct ToyCounts : CountedRows<ToyCounts> {
  static constexpr const char* message_name = "counts";
  static constexpr const char* name = "below";
  static constexpr const char* text = "words below the limit, stream by stream";
  static constexpr const char* unit = "words";
};

struct ToyDeck {
  StreamOptions streams;
  std::uint64_t words = 1000;  ///< per stream
  std::uint64_t limit = 1000000000;
  std::uint64_t iterations = 1;
  OutputOptions output{"toy.h5"};

  io::Schema schema() {
    const auto bind = [this](io::Binder& binder) {
      binder.integer("words", words, {1, 1000000000}, "words that every stream draws", "words");
      binder.integer("limit", limit, {0, 0xffffffff}, "words below it are counted");
      binder.integer("iterations", iterations, {1, 1000}, "repeats, for timing", "",
                     io::Effect::speed);
    };
    return {"toy",
            "Counts words below a limit.",
            {streams.schema(), {"toy", "The count.", bind}, output.schema()}};
  }
  RunRequirements requirements() const {
    return {.streams = streams,
            .numbers = words * streams.numbers_per_word(),
            .iterations = iterations,
            .unit = "words",
            .mismatch_text = "counted other words"};
  }
  void check() const {
    if (limit == 0) throw Error("toy.limit=0", "no word is below 0", "Raise toy.limit.");
  }
  ToyCounts zero_counts(StreamRange ids) const { return {{NumbersById<std::uint64_t>(ids)}}; }
  void results(Results& out, const ToyCounts& counts, const RunMemory* facts) const {
    out.group("Words below a limit");
    out.stored("limit", limit, "", "as in the deck");
    const auto& below = counts.words();
    out.report_line("below", out.ranks().sum(std::reduce(below.begin(), below.end())), "words");
    declare_counts(out, counts);
    out.memory(facts, "words");
  }
};

using ToyWords = Kokkos::View<std::uint32_t*, Space>;
using ToyCountView = Kokkos::View<std::uint64_t*, Space>;

/// Counts each stream's words below the limit. Word i of stream s is words(i * streams + s).
inline void count_below(const Space& space, const ToyWords& words, std::uint64_t rows,
                        std::uint64_t limit, const ToyCountView& counts) {
  const std::size_t streams = counts.extent(0);
  Kokkos::parallel_for(
      "rivulet::toy", Kokkos::RangePolicy<Space>(space, 0, streams), KOKKOS_LAMBDA(std::size_t s) {
        for (std::size_t i = 0; i < rows; ++i) counts(s) += words(i * streams + s) < limit ? 1 : 0;
      });
}

/// Draws and counts. A position is the number of words drawn from each stream.
struct ToyWork {
  static constexpr std::uint64_t piece = 512;  ///< words that memory holds per stream

  const ToyDeck& deck;
  RunContext& run;
  std::unique_ptr<NumberSource> source =
      make_number_source(Space(), *run.plan, run.range,
                         {NumberType::uint32, Interval::closed_open, deck.streams.mapping()});
  ToyWords words{"rivulet::toy_words", run.range.count* piece};
  ToyCountView counted{"rivulet::toy_counts", run.range.count};

  IterationExtent extent() const {
    return {deck.words, source->period(), source->period() * deck.streams.count,
            deck.words * deck.streams.count, "words"};
  }
  void restart() {
    source->restart();
    Kokkos::deep_copy(Space(), counted, std::uint64_t{0});
  }
  void draw(std::uint64_t from, std::uint64_t end) {
    const auto scope = run.timer.scope(io::Phase::compute);
    for (std::uint64_t begin = from; begin < end; begin += piece) {
      const std::uint64_t rows = std::min(piece, end - begin);
      source->draw({0, run.range.count, begin, rows}, {1, run.range.count}, words.data());
      count_below(Space(), words, rows, deck.limit, counted);
      run.progress->advance(rows * deck.streams.count);
    }
    Space().fence();
  }
  ToyCounts count(io::PhaseTimer& timer) const {
    const auto scope = timer.scope(io::Phase::transfer);
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counted);
    return {{{run.range.first, {host.data(), host.data() + host.extent(0)}}}};
  }
  RunMemory facts() const { return {source->state_bytes(), words.size() * sizeof(words(0))}; }
};

using ToyJob = JobOf<ToyDeck, ToyWork>;

}  // namespace rivulet::test
