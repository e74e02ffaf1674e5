// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/alias/alias_sampler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "kernels/alias/alias_team.hpp"
#include "kernels/generators/with_generator.hpp"
#include "kernels/numbers/number_source.hpp"
#include "machine/out_of_memory.hpp"

namespace rivulet {
namespace detail {

/// Looks up the cells of samples whose words are in memory: the first words of all streams, then
/// the second ones, and so on.
struct WideAliasLookup {
  /// Streams, and samples of each, that a thread looks up at a time; on a GPU single ones.
  static constexpr int at_once = device_build ? 1 : 64;
  static constexpr std::uint64_t samples_each = device_build ? 1 : 32;
  using Draws = AliasDraws<WideAliasEntry, 1, at_once>;

  WideAliasTable::Levels table;
  AliasHistogram histogram;
  StreamBatch batch;      ///< the words' batch
  std::uint64_t streams;  ///< number of streams
  std::uint64_t first;    ///< the first stream's local number
  std::uint64_t global;   ///< its number among all streams
  const std::uint32_t* words;
  AliasSamples samples;
  std::uint64_t before;  ///< samples of the caller's batch before this one
  AliasToken token;
  bool beyond_cache;  ///< the table is too large for the nearest caches

  KOKKOS_FUNCTION std::uint64_t groups() const { return (streams + at_once - 1) / at_once; }
  std::uint64_t threads() const {
    return groups() * ((batch.end - batch.begin + samples_each - 1) / samples_each);
  }

  KOKKOS_FUNCTION void operator()(std::uint64_t thread) const {
    const std::uint64_t stream = thread % groups() * at_once;
    const int group = streams - stream < at_once ? static_cast<int>(streams - stream) : at_once;
    const AliasCopy copy(token, histogram);
    std::uint64_t* const counts =
        histogram.copy(device_build ? thread % histogram.copies() : copy.number());
    const auto sample_words = static_cast<std::uint64_t>(alias_words<WideAliasEntry> * table.count);
    const std::uint64_t from = thread / groups() * samples_each;
    // Later streams may have one sample less.
    const std::uint64_t all_have = batch.points(global + stream + last_of(group));
    const std::uint64_t any_has = batch.points(global + stream);
    for (std::uint64_t i = from; i < from + samples_each && i < any_has; ++i) {
      const std::uint32_t* const at = words + i * sample_words * streams + stream;
      int some = group;
      while (i >= all_have && batch.points(global + stream + last_of(some)) <= i) --some;
      Draws draws;
      if (some == at_once) {  // a constant, so that compilers vectorise
        draws.draw(table, at_once, at, streams, beyond_cache);
        count(draws, at_once, counts);
      } else {
        draws.draw(table, some, at, streams, beyond_cache);
        count(draws, some, counts);
      }
      if (samples.stride != 0) keep(draws, some, stream, i);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION static std::uint64_t last_of(int streams) {
    return static_cast<std::uint64_t>(streams - 1);
  }

  /// Counts the cells that are kept here. (Members might alias the counts.)
  KOKKOS_FORCEINLINE_FUNCTION void count(const Draws& draws, int some,
                                         std::uint64_t* counts) const {
    const std::uint64_t before_own = histogram.first();
    const std::uint64_t cells = histogram.cells();
    const auto last_way = static_cast<std::uint64_t>(histogram.spread()) - 1;  // 3 or 0
    const bool shared = histogram.shared();
    for (int d = 0; d < some; ++d) {
      const std::uint64_t own = draws.cell[d] - before_own;
      if (own >= cells) continue;
      if (shared) {
        Kokkos::atomic_add(counts + own, std::uint64_t{1});
      } else {
        ++counts[(static_cast<std::uint64_t>(d) & last_way) * cells + own];
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void keep(const Draws& draws, int some, std::uint64_t stream,
                                        std::uint64_t i) const {
    for (int d = 0; d < some; ++d) {
      samples.of(first + stream + static_cast<std::uint64_t>(d))[before + i] = draws.cell[d];
    }
  }
};

}  // namespace detail

namespace {

/// Multiples of usual_words() that a buffer takes at most where whole periods of many streams need
/// more.
constexpr std::uint64_t most_buffers = 4;

/// Words at a time: on a CPU they stay in its cores' caches, on a GPU they keep it busy.
std::uint64_t usual_words(const Space& space) {
  if (device_build) return std::uint64_t{1} << 26;
  return static_cast<std::uint64_t>(space.concurrency()) << 19;
}

class WideAliasSampler final : public AliasSampler {
 public:
  WideAliasSampler(const Space& space, const StreamPlan& plan, StreamRange range,
                   const WideAliasTable& table, const AliasMapping& mapping)
      : space_(space),
        table_(table.levels()),
        histogram_(space, table.first_cell(), table.own_cells()),
        source_(make_number_source(space, plan, range,
                                   {NumberType::uint32, Interval::closed_open, mapping.streams,
                                    std::max(mapping.streams_per_team, 1), mapping.segments})),
        sample_words_(static_cast<std::uint64_t>(alias_words<WideAliasEntry> * table_.count)) {
    const std::uint64_t round_words = round_samples() * sample_words_;
    const std::uint64_t most_words = usual_words(space);
    const auto least_streams = std::min(  // to have work for all threads
        static_cast<std::uint64_t>(space.concurrency() * (device_build ? 1 : 4 * tile_streams)),
        most_buffers * most_words / round_words);
    streams_ = padded_streams(std::max(most_words / round_words, least_streams));
    streams_ = std::clamp<std::uint64_t>(range.count, 1, streams_);
    rounds_ = std::max<std::uint64_t>(most_words / (streams_ * round_words), 1);
    words_ = WordView(Kokkos::view_alloc("rivulet::alias_words", Kokkos::WithoutInitializing),
                      streams_ * rounds_ * round_words);
  }

  void restart() override {
    source_->restart();
    put_at_ = 0;
    histogram_.clear(space_);
    space_.fence();
  }

  void resume(std::uint64_t samples) override {
    source_->advance(samples * sample_words_ / source_->period());
    put_at_ = samples;
    space_.fence();
  }

  void sample(const StreamBatch& batch, const AliasSamples& samples) override {
    const std::uint64_t end = std::min(batch.end, batch.share.most());
    for (std::uint64_t first = 0; first < source_->count(); first += streams_) {
      for (std::uint64_t begin = batch.begin; begin < end; begin += rounds_ * round_samples()) {
        const StreamBatch piece{batch.share, begin,
                                std::min(begin + rounds_ * round_samples(), end)};
        sample_piece(first, piece, samples, begin - batch.begin);
      }
    }
    space_.fence();
  }

  CountView histogram() const override { return histogram_.sum(space_); }
  /// Whole periods of the generator, so that no word is drawn twice.
  std::uint64_t round_samples() const override {
    return source_->period() / std::gcd(source_->period(), sample_words_);
  }
  std::uint64_t state_bytes() const override { return source_->state_bytes(); }

 private:
  using WordView = Kokkos::View<std::uint32_t*, Space>;

  void sample_piece(std::uint64_t first, const StreamBatch& piece, const AliasSamples& samples,
                    std::uint64_t before) {
    const std::uint64_t streams = std::min(streams_, source_->count() - first);
    const std::uint64_t words = (piece.end - piece.begin) * sample_words_;
    source_->draw({first, streams, (piece.begin - put_at_) * sample_words_, words}, {1, streams},
                  words_.data());
    const detail::WideAliasLookup look_up{table_,        histogram_,
                                          piece,         streams,
                                          first,         source_->range().first + first,
                                          words_.data(), samples,
                                          before,        detail::AliasToken(space_),
                                          beyond_cache()};
    Kokkos::parallel_for(
        "rivulet::alias_wide",
        Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>(space_, 0, look_up.threads()),
        look_up);
  }

  /// 2^14 entries are 256 KiB, a part of a core's second cache.
  bool beyond_cache() const { return table_.rows * table_.row_cells > std::uint64_t{1} << 14; }

  Space space_;
  WideAliasTable::Levels table_;
  AliasHistogram histogram_;
  std::unique_ptr<NumberSource> source_;
  std::uint64_t sample_words_;
  std::uint64_t put_at_ = 0;   ///< samples drawn before the streams' last start
  std::uint64_t streams_ = 1;  ///< streams whose words are drawn at a time
  std::uint64_t rounds_ = 1;   ///< rounds of round_samples() samples of each
  WordView words_;
};

/// Calls make(); throws Error if there is no memory for the streams, the counts and `bytes` more.
template <class Make>
std::unique_ptr<AliasSampler> with_room(const StreamPlan& plan, StreamRange range,
                                        std::uint64_t cells, std::uint64_t more, const Make& make) {
  return require_memory_for(
      fmt::format("{} streams and {} counts on one rank", range.count, cells),
      range.count * plan.generator().state_bytes + cells * sizeof(std::uint64_t) + more,
      "Use fewer streams, or more ranks on more nodes.", make);
}

}  // namespace

template <GeneratorType G>
std::unique_ptr<AliasSampler> make_alias_sampler_of(const Space&, const typename G::Plan&,
                                                    StreamRange, const AliasTable&,
                                                    const AliasMapping&);

std::unique_ptr<AliasSampler> make_alias_sampler(const Space& space, const StreamPlan& plan,
                                                 StreamRange range, const AliasTable& table,
                                                 const AliasMapping& mapping) {
  require_mapping(plan.generator(), mapping.streams);
  return with_room(plan, range, table.own_cells(), 0, [&] {
    return with_generator(plan, [&](auto type, const auto& own) {
      return make_alias_sampler_of<typename decltype(type)::type>(space, own, range, table,
                                                                  mapping);
    });
  });
}

std::unique_ptr<AliasSampler> make_alias_sampler(const Space& space, const StreamPlan& plan,
                                                 StreamRange range, const WideAliasTable& table,
                                                 const AliasMapping& mapping) {
  const std::uint64_t words = most_buffers * usual_words(space) * sizeof(std::uint32_t);
  return with_room(plan, range, table.own_cells(), words, [&]() -> std::unique_ptr<AliasSampler> {
    return std::make_unique<WideAliasSampler>(space, plan, range, table, mapping);
  });
}

}  // namespace rivulet
