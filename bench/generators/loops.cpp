// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels beside loops written by hand for this machine, on one core.

#include <array>
#include <random>

#include "generators/hand_written.hpp"
#include "generators/ours.hpp"
#include "generators/parts.hpp"
#include "machine/streaming_store.hpp"
#include "rivulet/detail/rng/ranmar.hpp"
#include "rivulet/detail/rng/ranmar_seeding.hpp"
#include "rng/word.hpp"
#include "scalar_ranmar.hpp"
#include "standard_peer.hpp"

namespace rivulet::parts {
namespace {

hand::Twisters hand_twisters() {
  std::mt19937 words(1);
  std::vector<std::uint32_t> x(hand::n * hand::lanes);
  std::vector<std::uint32_t> abc(3 * hand::lanes);
  for (auto& word : x) word = static_cast<std::uint32_t>(words());
  const auto& sets = shipped_dcmt(521).sets;
  for (std::size_t l = 0; l < hand::lanes; ++l) {
    abc[l] = sets[l].a;
    abc[hand::lanes + l] = sets[l].b;
    abc[2 * hand::lanes + l] = sets[l].c;
  }
  return hand::load(x.data(), abc.data());
}

void hand_twister(benchmark::State& state) {
  hand::Twisters twisters = hand_twisters();
  constexpr std::uint64_t blocks = 1000;
  for (auto _ : state) benchmark::DoNotOptimize(hand::pi_fused(twisters, blocks));
  state.SetItemsProcessed(state.iterations() * std::int64_t{blocks * hand::n * hand::lanes});
}

/// The same through memory, `bytes` at a time.
void hand_twister_stored(benchmark::State& state, std::uint64_t bytes) {
  hand::Twisters twisters = hand_twisters();
  const std::uint64_t blocks = bytes / (4 * hand::n * hand::lanes);
  std::vector<std::uint32_t> words(blocks * hand::n * hand::lanes);
  for (auto _ : state) {
    hand::store(twisters, blocks, words.data());
    benchmark::ClobberMemory();
    benchmark::DoNotOptimize(hand::count_stored(words.data(), blocks));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(words.size()));
}

/// Bytes of its words per second into memory.
void hand_twister_bulk(benchmark::State& state) {
  struct alignas(cache_line) Line {
    std::uint32_t word[cache_line / sizeof(std::uint32_t)];
  };
  hand::Twisters twisters = hand_twisters();
  constexpr std::uint64_t block = sizeof(std::uint32_t) * hand::n * hand::lanes;
  constexpr std::uint64_t blocks = (std::uint64_t{1} << 28) / block;  // beyond any cache
  std::vector<Line> lines(blocks * block / cache_line);
  for (auto _ : state) {
    hand::stream(twisters, blocks, lines.front().word);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(blocks * block));
}

void hand_hybrid(benchmark::State& state) {
  std::mt19937 words(1);
  hand::Hybrid hybrid;
  for (auto* lanes : {&hybrid.z1, &hybrid.z2, &hybrid.z3, &hybrid.z4}) {
    for (auto& word : *lanes) word = static_cast<std::uint32_t>(words()) | 0x100u;
  }
  constexpr std::uint64_t steps = 1 << 16;
  for (auto _ : state) benchmark::DoNotOptimize(hand::pi_fused(hybrid, steps));
  state.SetItemsProcessed(state.iterations() * std::int64_t{steps * hand::Hybrid::lanes});
}

/// Rounds of 97 numbers of every lane a repetition.
constexpr std::uint64_t rounds = 10000;

template <class Variant>
using LaneWord = WordOf<typename Variant::Integer>;

template <class Variant>
[[gnu::noinline]] LaneWord<Variant> sum_of(Ranmar<Variant, LaneWord<Variant>>& engine) {
  auto local = engine;
  LaneWord<Variant> sum(0U);
  for (std::uint64_t i = 0; i < rounds; ++i) {
    local.round([&sum](auto, LaneWord<Variant> number) RIVULET_INLINE_LAMBDA { sum += number; });
  }
  engine = local;
  return sum;
}

/// Numbers a second, a sequence a lane.
template <class Variant>
void sum(benchmark::State& state) {
  using Word = LaneWord<Variant>;
  std::array<RanmarState<Variant>, static_cast<std::size_t>(lanes<Word>)> alone;
  for (std::size_t l = 0; l < alone.size(); ++l) alone[l] = native_start<Variant>(1, l);
  RanmarState<Variant, Word> start;
  for (int k = 0; k < start.words; ++k) {
    start.x[k] =
        WordTraits<Word>::generate([&](int l) { return alone[static_cast<std::size_t>(l)].x[k]; });
  }
  Ranmar<Variant, Word> engine(start);
  for (auto _ : state) {
    auto total = sum_of<Variant>(engine);
    benchmark::DoNotOptimize(total);
  }
  state.SetItemsProcessed(state.iterations() * std::int64_t{rounds} * ranmar_words * lanes<Word>);
}

void hand_sum(benchmark::State& state) {
  hand::Ranmar hand;
  for (std::size_t l = 0; l < hand.lanes; ++l) {
    const auto start = native_start<Ranmar24>(1, l);
    for (std::size_t k = 0; k < hand.words; ++k) hand.x[k][l] = start.x[k];
  }
  for (auto _ : state) {
    auto total = hand.sum(rounds / 4);
    benchmark::DoNotOptimize(total);
  }
  state.SetItemsProcessed(state.iterations() * std::int64_t{rounds / 4 * hand.words * hand.lanes});
}

}  // namespace

Ratios loops() {
  using enum PointMapping;
  using enum PointKind;
  const PiChoice fused;
  const PiChoice stored{PiKernel::stored, centred, packed, 0};
  const auto add_pi = [](const std::string& name, const ours::Pi& what) {
    add(name, [what](benchmark::State& state) { ours::pi(state, what); });
  };
  const auto lane = StreamMapping::lane;
  add("std_mt19937_pi", peer::standard_pi);
  add("scalar_double", [](benchmark::State& state) { scalar_double(state); });
  add("hand_twister", hand_twister);
  add("hand_twister_in_cache", [](benchmark::State& state) { hand_twister_stored(state, 511360); });
  add("hand_twister_in_memory",
      [](benchmark::State& state) { hand_twister_stored(state, 65280000); });
  add("hand_twister_bulk", hand_twister_bulk);
  add("hand_hybrid", hand_hybrid);
  add("hand_ranmar24", hand_sum);
  add_pi("fused_dcmt521", {"dcmt521", lane, fused});
  add_pi("stored_dcmt521", {"dcmt521", lane, stored});
  add("bulk_dcmt521_uint32", [](benchmark::State& state) {
    ours::bulk(state, {"dcmt521", StreamMapping::lane, NumberType::uint32});
  });
  add_pi("fused_dcmt521_pair", {"dcmt521", lane, {PiKernel::fused, centred, pair, 0}});
  add_pi("fused_dcmt521_published", {"dcmt521", lane, {PiKernel::fused, published, packed, 0}});
  add_pi("fused_hybrid_tausworthe", {"hybrid_tausworthe", lane, fused});
  add_pi("stored_hybrid_tausworthe", {"hybrid_tausworthe", lane, stored});
  add_pi("fused_hybrid_tausworthe_listing",
         {"hybrid_tausworthe_listing", lane, fused, Seeding::published});
  add_pi("fused_lfsr113", {"lfsr113", lane, fused});
  add("sum_ranmar24", sum<Ranmar24>);
  add("sum_ranmar48", sum<Ranmar48>);
  add("sum_ranmar48_scaled", sum<Ranmar48Scaled>);
  add("sum_ranmar48x", sum<Ranmar48x>);
  return {{"fused_dcmt521", "std_mt19937_pi"},
          {"fused_dcmt521", "hand_twister"},
          {"stored_dcmt521", "hand_twister_in_cache"},
          {"stored_dcmt521", "hand_twister_in_memory"},
          {"bulk_dcmt521_uint32", "hand_twister_bulk"},
          {"fused_hybrid_tausworthe", "hand_hybrid"},
          {"stored_hybrid_tausworthe", "hand_hybrid"},
          {"fused_lfsr113", "hand_hybrid"},
          {"sum_ranmar24", "hand_ranmar24"},
          {"sum_ranmar24", "scalar_double"},
          {"sum_ranmar48", "sum_ranmar24"},
          {"sum_ranmar48x", "sum_ranmar24"},
          {"sum_ranmar48x", "scalar_double"}};
}

Ratios one_stream() {
  Ratios ratios;
  add("std_mt19937_pi", peer::standard_pi);
  for (const std::string& name : ready_names()) {
    const Generator& generator = *find_generator(name);
    const bool team = generator.has(StreamMapping::team);
    ours::Pi what{name, team ? StreamMapping::team : generator.mappings.front()};
    what.streams = 1;
    add("pi_" + name, [what](benchmark::State& state) { ours::pi(state, what); });
    ratios.emplace_back("pi_" + name, "std_mt19937_pi");
  }
  return ratios;
}

}  // namespace rivulet::parts
