// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/alias/count_on_device.hpp"

#if RIVULET_DEVICE_BUILD

#include <algorithm>
#include <exception>
#include <limits>
#include <type_traits>
#include <utility>

#include "draw/by_shared_team.hpp"
#include "draw/draw.hpp"
#include "kernels/alias/alias_sampler.hpp"
#include "kernels/alias/alias_sorter.hpp"
#include "kernels/store_words.hpp"

namespace rivulet {
namespace {

/// Looks up and counts samples whose words are in a buffer. Each thread processes one stream or
/// segment of the work. The kernel is for tables of more than two levels, and is compiled once for
/// all generators. `Counts`: AliasScratch or CountInMemory.
template <class Counts>
struct CountStored {
  Counts counts;
  WordBuffer buffer;
  Work work;
  int levels;
  int level_words;

  KOKKOS_FUNCTION void operator()(const StreamTeam& team, std::uint64_t first,
                                  char* scratch) const {
    const std::uint64_t i = first + static_cast<std::uint64_t>(team.team_rank());
    if constexpr (SharesScratch<Counts>) {
      counts.load(team, scratch);
      if (i < work.size) count(i, counts.begin(scratch, team.team_rank() % team_lanes));
      counts.flush(team, scratch);
    } else {
      if (i < work.size) count(i, counts.begin(i));
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void count(std::uint64_t i,
                                         const typename Counts::Local& local) const {
    const auto words = static_cast<std::uint64_t>(levels * level_words);
    const std::uint64_t items = work.count(i);
    for (std::uint64_t k = 0; k < items; ++k) {
      counts.take(local, k, levels, level_words,
                  SampleWords<tile_streams>{buffer.at(i, k * words)});
    }
  }
};

/// Launches CountStored. Asynchronous.
template <class Counts>
void count_words(const Space& space, const CountStored<Counts>& body, std::size_t scratch) {
  const int threads = std::max(size_of_team(space, body.work.size, max_team_streams), team_lanes);
  for_each_shared_team(space, "rivulet::alias_stored",
                       {body.work.size, threads, threads, 1, scratch}, body);
}

/// Converts a work of samples to a work of words, with the same number of words for every index.
Work words_of(const Work& samples, std::uint64_t sample_words) {
  Work words = samples;
  words.share = StreamShare::each(std::numeric_limits<std::uint64_t>::max());
  words.end = words.share.total;
  for (std::uint64_t* const part :
       {&words.begin, &words.length, &words.first_item, &words.end_item}) {
    *part *= sample_words;
  }
  return words;
}

/// Calls use(levels, words per level) with compile-time constants if the table has one or two
/// levels. Returns false for more levels, because kernels for more levels are not compiled for each
/// generator.
template <class Use>
bool with_levels(const AliasTable::Levels& table, const Use& use) {
  const bool is_wide = table.level_words() == 3;
  const auto with = [&](auto levels) {
    is_wide ? use(levels, std::integral_constant<int, 3>())
            : use(levels, std::integral_constant<int, 2>());
  };
  if (table.count == 1) with(std::integral_constant<int, 1>());
  if (table.count == 2) with(std::integral_constant<int, 2>());
  return table.count <= 2;
}

}  // namespace

void AliasSampler::count(const Work& work, const AliasSamples& samples) {
  if (samples.stride == 0 && count_sorted(work)) return;
  const bool by_lanes = source_->mapping_of(work) == StreamMapping::lane;
  const detail::AliasScratch scratch(table_, histogram_,
                                     device_scratch - (by_lanes ? 0 : max_warp_scratch));
  const bool fits_scratch = scratch.fits() && samples.stride == 0;
  const bool is_counted = with_levels(table_, [&](auto levels, auto level_words) {
    if (!fits_scratch) {
      return draw(*source_, work,
                  CountSamplesInMemory<levels(), level_words()>{{{table_, histogram_, samples}}});
    }
    in_countable_parts(work, round_samples(), max_team_streams, [&](const Work& part) {
      draw(*source_, part, CountSamplesInScratch<levels(), level_words()>{{scratch}});
    });
  });
  if (!is_counted) count_stored(work, samples);
}

/// If sorting pays off and memory suffices, sorts and counts the draws, and returns true. Otherwise
/// returns false and draws nothing.
bool AliasSampler::count_sorted(const Work& work) {
  if (shape_.numbers != AliasSort::shape.numbers || table_.count > 1 || lacks_memory_to_sort_ ||
      source_->mapping_of(work) != StreamMapping::lane) {
    return false;
  }
  const std::uint64_t cells = table_.cells[0];
  const AliasSectionSizes shape = mapping_.sections.value_or(AliasSectionSizes::of(cells));
  const bool is_worthwhile =
      mapping_.sections || AliasSectionSizes::is_worthwhile(cells, work.count(0) * work.size);
  const std::uint64_t period = round_samples();
  if (!is_worthwhile || period > AliasSorter::max_items || work.size * period > shape.draws)
    return false;
  try {
    if (!sorter_) sorter_ = std::make_unique<AliasSorter>(space_, table_, shape);
  } catch (const std::exception&) {  // Kokkos has exception types of its own
    lacks_memory_to_sort_ = true;
    return false;
  }
  sorter_->draw(*source_, work, histogram_);
  return true;
}

/// Stores the words in memory, then looks up and counts the samples.
void AliasSampler::count_stored(const Work& work, const AliasSamples& samples) {
  const auto words = static_cast<std::uint64_t>(shape_.numbers);
  if (!buffer_ || buffer_streams_ != work.size) {
    constexpr std::uint64_t preferred_bytes = std::uint64_t{1} << 30;
    const std::uint64_t period = round_samples() * words;
    buffer_.reset();
    buffer_ =
        make_word_buffer("the words of samples", padded_streams(work.size) / tile_streams, period,
                         std::max(preferred_bytes, WordBuffer::bytes(tile_streams, period)));
    buffer_streams_ = work.size;
  }
  const detail::AliasScratch scratch(table_, histogram_, device_scratch);
  const bool fits_scratch = scratch.fits() && samples.stride == 0;
  const int level_words = table_.level_words();
  const auto count_piece = [&](const Work& piece) {
    draw(*source_, words_of(piece, words), StoreWords<1>{*buffer_});
    if (fits_scratch) {
      return count_words(
          space_,
          CountStored<detail::AliasScratch>{scratch, *buffer_, piece, table_.count, level_words},
          scratch.scratch_bytes());
    }
    AliasSamples piece_samples = samples;
    if (samples.stride != 0) {
      const std::uint64_t first =
          (piece.first - work.first) * samples.stride + piece.first_item - work.first_item;
      piece_samples.cells =
          Kokkos::subview(samples.cells, std::pair(first, samples.cells.extent(0)));
    }
    count_words(
        space_,
        CountStored<CountInMemory>{
            {table_, histogram_, piece_samples}, *buffer_, piece, table_.count, level_words},
        0);
  };
  in_countable_parts(work, round_samples(), max_team_streams, [&](const Work& part) {
    buffer_->each_piece(part, shape_.numbers, count_piece);
  });
}

}  // namespace rivulet

#endif
