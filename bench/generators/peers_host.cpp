// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Peers on one core of a CPU: std::mt19937 and, if CMake finds them, Random123, dSFMT and the GNU
// Scientific Library. In a build for a device, the only peer is cuRAND (peers_cuda.cpp).

#include <cstring>
#include <memory>
#include <random>

#include "generators/peers.hpp"
#include "kernels/pi/pi_point.hpp"
#if RIVULET_HAVE_RANDOM123
#include <Random123/ars.h>
#include <Random123/philox.h>
#endif
#if RIVULET_HAVE_DSFMT
#include <dSFMT.h>
#endif
#if RIVULET_HAVE_GSL
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#endif

namespace rivulet::peer {
namespace {

/// Measures points per second of std::mt19937 on one core, with the point test of Rivulet's
/// kernels.
void standard_pi(benchmark::State& state) {
  constexpr std::int64_t points = 1 << 22;
  std::mt19937 generator;
  for (auto _ : state) {
    std::uint32_t hits = 0;
    for (std::int64_t i = 0; i < points; ++i) {
      const auto word = static_cast<std::uint32_t>(generator());
      PackedCentred::count(&word, hits);
    }
    benchmark::DoNotOptimize(hits);
  }
  state.SetItemsProcessed(state.iterations() * points);
}

/// Measures bytes per second of std::mt19937's words, written to an array larger than any cache.
void standard_words(benchmark::State& state) {
  std::mt19937 generator;
  std::vector<std::uint32_t> words(std::size_t{1} << 26);
  for (auto _ : state) {
    for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(generator());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(4 * words.size()));
}

#if RIVULET_HAVE_GSL
/// Measures samples per second of gsl_ran_discrete with GSL's mt19937 on one core, including the
/// time to count them in a histogram.
void gsl_sample(benchmark::State& state, const std::vector<double>& weights) {
  constexpr std::int64_t samples = 1 << 20;
  const std::unique_ptr<gsl_ran_discrete_t, decltype(&gsl_ran_discrete_free)> table(
      gsl_ran_discrete_preproc(weights.size(), weights.data()), gsl_ran_discrete_free);
  const std::unique_ptr<gsl_rng, decltype(&gsl_rng_free)> generator(gsl_rng_alloc(gsl_rng_mt19937),
                                                                    gsl_rng_free);
  std::vector<std::uint64_t> histogram(weights.size());
  for (auto _ : state) {
    for (std::int64_t i = 0; i < samples; ++i) {
      ++histogram[gsl_ran_discrete(generator.get(), table.get())];
    }
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * samples);
}
#endif

template <class Number, std::size_t count>
struct alignas(cache_line) AlignedNumbers {
  Number number[count];
};

#if RIVULET_HAVE_RANDOM123
// Random123's generators compute four words per counter. With many counters per call, compilers can
// vectorise the loop, or keep several counters in flight.

/// Computes Philox4x32-10 for `count` counters. The words are stored as a structure of arrays,
/// which compilers vectorise.
template <std::uint32_t count>
struct PhiloxBlock {
  static constexpr std::uint32_t counters = count;

  static void make(std::uint64_t first, std::uint32_t* words) {
    constexpr r123::Philox4x32 generator;
    constexpr r123::Philox4x32::key_type key = {{1234, 0}};
    const auto low = static_cast<std::uint32_t>(first);  // a multiple of count, so no carry
    const auto high = static_cast<std::uint32_t>(first >> 32);
    for (std::uint32_t i = 0; i < count; ++i) {
      const r123::Philox4x32::ctr_type made = generator({{low + i, high, 0, 0}}, key);
      words[i] = made.v[0];
      words[count + i] = made.v[1];
      words[2 * count + i] = made.v[2];
      words[3 * count + i] = made.v[3];
    }
  }
};

#if R123_USE_AES_NI
/// Computes ARS with its default of seven rounds. ARS uses AES instructions with a simpler key
/// schedule than AES.
template <std::uint32_t count>
struct ArsBlock {
  static constexpr std::uint32_t counters = count;

  static void make(std::uint64_t first, std::uint32_t* words) {
    const r123::ARS1xm128i generator;
    r123::ARS1xm128i::key_type key;
    key.v[0].m = _mm_set_epi64x(0, 1234);
    for (std::uint32_t i = 0; i < count; ++i) {
      r123::ARS1xm128i::ctr_type counter;
      counter.v[0].m = _mm_set_epi64x(0, static_cast<long long>(first + i));
      _mm_store_si128(reinterpret_cast<__m128i*>(words + 4 * i), generator(counter, key).v[0].m);
    }
  }
};
#endif

template <class Block>
void random123_pi(benchmark::State& state) {
  constexpr std::uint32_t size = 4 * Block::counters;
  constexpr std::int64_t points = 1 << 22;
  alignas(cache_line) std::uint32_t words[size];
  std::uint64_t counter = 0;
  for (auto _ : state) {
    std::uint32_t hits = 0;
    for (std::int64_t done = 0; done < points; done += size) {
      Block::make(counter, words);
      counter += Block::counters;
      for (const std::uint32_t word : words) PackedCentred::count(&word, hits);
    }
    benchmark::DoNotOptimize(hits);
  }
  state.SetItemsProcessed(state.iterations() * points);
}

/// Non-temporal stores, if the processor has them, write memory fastest, because they do not read
/// the cache lines that they overwrite.
template <class Block>
void random123_bulk(benchmark::State& state) {
  constexpr std::uint32_t size = 4 * Block::counters;
  constexpr std::size_t count = std::size_t{1} << 26;
  constexpr std::size_t line = cache_line / sizeof(std::uint32_t);
  const auto to = std::make_unique<AlignedNumbers<std::uint32_t, count>>();
  std::uint64_t counter = 0;
  for (auto _ : state) {
    for (std::size_t done = 0; done < count; done += size) {
      alignas(cache_line) std::uint32_t words[size];
      Block::make(counter, words);
      counter += Block::counters;
      for (std::size_t i = 0; i < size; i += line) {
        copy_cache_line<true>(words + i, to->number + done + i);
      }
    }
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(4 * count));
}
#endif

#if RIVULET_HAVE_DSFMT
// dSFMT is a Mersenne Twister for doubles with 52 random bits. Its fastest functions fill arrays.

/// Aligned for SSE2: the library may use vector instructions even if its header does not show this.
struct alignas(16) Dsfmt {
  Dsfmt() { dsfmt_init_gen_rand(&state, 1234); }
  dsfmt_t state;
};

/// Measures points per second. Each point uses the 32 highest random bits of a number. The array
/// fits in the L1 cache.
[[maybe_unused]] void dsfmt_pi(benchmark::State& state) {
  constexpr std::int64_t points = 1 << 22;
  constexpr int size = 1024;
  static_assert(size >= DSFMT_N64);  // the smallest array that dSFMT fills
  Dsfmt generator;
  AlignedNumbers<double, size> some;
  for (auto _ : state) {
    std::uint32_t hits = 0;
    for (std::int64_t done = 0; done < points; done += size) {
      dsfmt_fill_array_close1_open2(&generator.state, some.number, size);
      for (const double& number : some.number) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &number, sizeof bits);
        const auto word = static_cast<std::uint32_t>(bits >> 20);
        PackedCentred::count(&word, hits);
      }
    }
    benchmark::DoNotOptimize(hits);
  }
  state.SetItemsProcessed(state.iterations() * points);
}

/// Measures bytes per second of doubles in [0, 1).
[[maybe_unused]] void dsfmt_bulk(benchmark::State& state) {
  constexpr int count = 1 << 25;
  const auto all = std::make_unique<AlignedNumbers<double, count>>();
  Dsfmt generator;
  for (auto _ : state) {
    dsfmt_fill_array_close_open(&generator.state, all->number, count);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * std::int64_t{8} * count);
}
#endif

}  // namespace

std::vector<Peer> pi() {
  if (device_build) return {};
  std::vector<Peer> peers{{"std_mt19937_pi", standard_pi}};
#if RIVULET_HAVE_RANDOM123
  // Variants with one counter per call, and with enough counters for a vectorised loop.
  peers.push_back({"philox_pi_1", random123_pi<PhiloxBlock<1>>, "philox_pi*"});
  peers.push_back({"philox_pi_256", random123_pi<PhiloxBlock<256>>, "philox_pi*"});
#if R123_USE_AES_NI
  peers.push_back({"ars_pi", random123_pi<ArsBlock<256>>});
#endif
#endif
#if RIVULET_HAVE_DSFMT
  peers.push_back({"dsfmt_pi", dsfmt_pi});
#endif
  return peers;
}

std::vector<Peer> bulk() {
  if (device_build) return {};
  std::vector<Peer> peers{{"std_mt19937_uint32", standard_words}};
#if RIVULET_HAVE_RANDOM123
  peers.push_back({"random123_philox_uint32", random123_bulk<PhiloxBlock<64>>});
#if R123_USE_AES_NI
  // Eight counters fit in registers.
  peers.push_back({"random123_ars_uint32", random123_bulk<ArsBlock<8>>});
#endif
#endif
#if RIVULET_HAVE_DSFMT
  peers.push_back({"dsfmt_double", dsfmt_bulk});
#endif
  return peers;
}

std::vector<Peer> alias([[maybe_unused]] const std::vector<double>& weights) {
#if RIVULET_HAVE_GSL
  if (!device_build) {
    return {{"gsl_alias", [weights](benchmark::State& state) { gsl_sample(state, weights); }}};
  }
#endif
  return {};
}

std::vector<Peer> issue_rate_peers() { return {}; }

}  // namespace rivulet::peer
