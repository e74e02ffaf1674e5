// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "error.hpp"
#include "kernels/launching/for_each_stream.hpp"
#include "rng/word.hpp"
#include "streams/generator.hpp"
#include "streams/stream_plan.hpp"
#include "uint128.hpp"

#if RIVULET_VECTOR_WORD && defined(__SSE2__)
#include <immintrin.h>
#endif

// Philox4x32-10: Salmon, Moraes, Dror & Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11
// (2011), as in their library Random123 and in cuRAND: four words at a time are a function of a
// key, the seed, and of a counter of 128 bits, whose upper half is the stream's id. No state, no
// set-up. See docs/philox.md.

namespace rivulet {

/// The keys of the ten rounds: the first is the seed, each next one adds the step of a Weyl
/// sequence.
struct PhiloxKeys {
  static constexpr int rounds = 10;
  std::uint32_t of_round[rounds][2];

  KOKKOS_FUNCTION constexpr explicit PhiloxKeys(std::uint64_t seed) : of_round{} {
    auto low = static_cast<std::uint32_t>(seed);
    auto high = static_cast<std::uint32_t>(seed >> 32);
    for (auto& key : of_round) {
      key[0] = low;
      key[1] = high;
      low += 0x9e3779b9u;   // the golden ratio
      high += 0xbb67ae85u;  // sqrt(3) - 1
    }
  }
};

namespace impl {

inline constexpr std::uint32_t philox_m0 = 0xd2511f53u;
inline constexpr std::uint32_t philox_m1 = 0xcd9e8d57u;

/// Words of type W in the form in which the rounds have them.
template <class W>
struct PhiloxForm {
  using type = W;

  KOKKOS_FORCEINLINE_FUNCTION static W of(const W& word) { return word; }
  KOKKOS_FORCEINLINE_FUNCTION static W word(const W& form) { return form; }
  /// The halves of the 64-bit products of all lanes.
  KOKKOS_FORCEINLINE_FUNCTION static void multiply(const W& a, std::uint32_t m, W& high, W& low) {
    std::uint64_t product[lanes<W>];
    for (int l = 0; l < lanes<W>; ++l) {
      product[l] = static_cast<std::uint64_t>(WordTraits<W>::lane(a, l)) * m;
    }
    high = WordTraits<W>::generate(
        [&product](int l) { return static_cast<std::uint32_t>(product[l] >> 32); });
    low = WordTraits<W>::generate(
        [&product](int l) { return static_cast<std::uint32_t>(product[l]); });
  }
};

#if RIVULET_VECTOR_WORD
/// A vector's lanes of even and of odd number apart, each in the lower half of 64 bits; the upper
/// halves may hold anything. So vector units multiply them, and so they stay from round to round.
template <class Wide>
struct EvenAndOdd {
  Wide even;
  Wide odd;

  EvenAndOdd() = default;
  KOKKOS_FORCEINLINE_FUNCTION EvenAndOdd(const Wide& e, const Wide& o) : even(e), odd(o) {}
  /// The same in all lanes.
  KOKKOS_FORCEINLINE_FUNCTION explicit EvenAndOdd(std::uint32_t all)
      : even(std::uint64_t{all}), odd(even) {}
};
template <class Wide>
KOKKOS_FORCEINLINE_FUNCTION EvenAndOdd<Wide> operator^(const EvenAndOdd<Wide>& a,
                                                       const EvenAndOdd<Wide>& b) {
  return {a.even ^ b.even, a.odd ^ b.odd};
}

/// The products of lower halves: one operation of x86's vector units. GCC 12 does not find it and
/// multiplies all 64 bits, in three operations.
template <class Wide>
KOKKOS_FORCEINLINE_FUNCTION Wide multiply_lower(const Wide& a, const Wide& b) {
#if defined(__AVX512F__)
  if constexpr (sizeof(Wide) == sizeof(__m512i)) {
    // Of _mm512_mul_epu32 GCC 12 says that it reads what is not there (GCC bug 105593).
    return Wide(_mm512_maskz_mul_epu32(0xff, static_cast<__m512i>(a), static_cast<__m512i>(b)));
  }
#endif
#if defined(__AVX2__)
  if constexpr (sizeof(Wide) == sizeof(__m256i)) {
    return Wide(_mm256_mul_epu32(static_cast<__m256i>(a), static_cast<__m256i>(b)));
  }
#endif
#if defined(__SSE2__)
  if constexpr (sizeof(Wide) == sizeof(__m128i)) {
    return Wide(_mm_mul_epu32(static_cast<__m128i>(a), static_cast<__m128i>(b)));
  }
#endif
  return (a & 0xffffffffu) * (b & 0xffffffffu);
}

template <class Abi>
concept HasTwoHalves = 2 * std::experimental::simd<std::uint64_t, Abi>::size() ==
                       std::experimental::simd<std::uint32_t, Abi>::size();

template <HasTwoHalves Abi>
struct PhiloxForm<std::experimental::simd<std::uint32_t, Abi>> {
  using W = std::experimental::simd<std::uint32_t, Abi>;
  using Wide = std::experimental::simd<std::uint64_t, Abi>;
  using type = EvenAndOdd<Wide>;

  KOKKOS_FORCEINLINE_FUNCTION static type of(const W& word) {
    Wide both;
    std::memcpy(static_cast<void*>(&both), &word, sizeof both);
    return {both, both >> 32};
  }
  KOKKOS_FORCEINLINE_FUNCTION static W word(const type& form) {
    const Wide both = (form.even & 0xffffffffu) | (form.odd << 32);
    W word;
    std::memcpy(static_cast<void*>(&word), &both, sizeof word);
    return word;
  }
  KOKKOS_FORCEINLINE_FUNCTION static void multiply(const type& a, std::uint32_t m, type& high,
                                                   type& low) {
    const Wide factor(std::uint64_t{m});
    low = {multiply_lower(a.even, factor), multiply_lower(a.odd, factor)};
    high = {low.even >> 32, low.odd >> 32};
  }
};
#endif

}  // namespace impl

/// Quadruples of words of lanes<W> streams of one seed, all at the same place. What the first
/// two rounds make of the id and of the upper half of the quadruple's number is kept: of the twenty
/// products that a quadruple takes, two; and one is the same for all lanes.
template <class W>
class PhiloxQuadruples {
 public:
  /// From quadruple number `next` of the streams on, whose ids have these halves.
  KOKKOS_FORCEINLINE_FUNCTION PhiloxQuadruples(const PhiloxKeys& keys, const W& id_low,
                                               const W& id_high, std::uint64_t next)
      : keys_(keys), id_low_(Form::of(id_low)), first2_(Form::of(id_high) ^ Lanes(key<0, 1>())) {
    move_to(next);
  }

  /// The next quadruple's number.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t next() const {
    return static_cast<std::uint64_t>(high_) << 32 | low_;
  }
  KOKKOS_FORCEINLINE_FUNCTION void move_to(std::uint64_t next) {
    low_ = static_cast<std::uint32_t>(next);
    high_ = static_cast<std::uint32_t>(next >> 32);
    start_rounds();
  }

  /// So many quadruples, word by word to use(index, word), where index is a std::integral_constant.
  /// `count` divides the number of the first.
  template <int count, class Use>
  KOKKOS_FORCEINLINE_FUNCTION void draw(Use&& use) {
    unrolled(use, std::make_integer_sequence<int, count>{});
    low_ += static_cast<std::uint32_t>(count);
    if (low_ == 0) {
      ++high_;
      start_rounds();
    }
  }

 private:
  using Form = impl::PhiloxForm<W>;
  using Lanes = typename Form::type;

  template <int round, int half>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t key() const {
    return keys_.of_round[round][half];
  }

  /// What does not depend on the lower half of a quadruple's number.
  KOKKOS_FORCEINLINE_FUNCTION void start_rounds() {
    Lanes high;
    Lanes low;
    Form::multiply(id_low_, impl::philox_m1, high, low);
    second0_ = low ^ Lanes(key<1, 0>());
    Form::multiply(high ^ Lanes(high_) ^ Lanes(key<0, 0>()), impl::philox_m0, high, low);
    second2_ = high ^ Lanes(key<1, 1>());
    third2_ = low ^ Lanes(key<2, 1>());
  }

  template <class Use, int... Q>
  KOKKOS_FORCEINLINE_FUNCTION void unrolled(Use& use, std::integer_sequence<int, Q...>) const {
    (quadruple<Q>(use), ...);
  }

  template <int Q, class Use>
  KOKKOS_FORCEINLINE_FUNCTION void quadruple(Use& use) const {
    const std::uint64_t product =
        (static_cast<std::uint64_t>(low_) + Q) * std::uint64_t{impl::philox_m0};
    const Lanes first2 = first2_ ^ Lanes(static_cast<std::uint32_t>(product >> 32));
    Lanes c[4];
    Form::multiply(first2, impl::philox_m1, c[0], c[1]);
    c[0] = c[0] ^ second0_;
    c[2] = second2_ ^ Lanes(static_cast<std::uint32_t>(product));
    third_round(c);
    further_rounds(c, std::make_integer_sequence<int, PhiloxKeys::rounds - 3>{});
    use(std::integral_constant<int, 4 * Q>{}, Form::word(c[0]));
    use(std::integral_constant<int, 4 * Q + 1>{}, Form::word(c[1]));
    use(std::integral_constant<int, 4 * Q + 2>{}, Form::word(c[2]));
    use(std::integral_constant<int, 4 * Q + 3>{}, Form::word(c[3]));
  }

  /// Has its word 3 and its second key in third2_.
  KOKKOS_FORCEINLINE_FUNCTION void third_round(Lanes (&c)[4]) const {
    Lanes high;
    const Lanes word0 = c[0];
    const Lanes word1 = c[1];
    Form::multiply(c[2], impl::philox_m1, high, c[1]);
    c[0] = high ^ word1 ^ Lanes(key<2, 0>());
    Form::multiply(word0, impl::philox_m0, high, c[3]);
    c[2] = high ^ third2_;
  }

  template <int... R>
  KOKKOS_FORCEINLINE_FUNCTION void further_rounds(Lanes (&c)[4],
                                                  std::integer_sequence<int, R...>) const {
    (round<R + 3>(c), ...);
  }
  template <int r>
  KOKKOS_FORCEINLINE_FUNCTION void round(Lanes (&c)[4]) const {
    Lanes high0;
    Lanes low0;
    Lanes high1;
    Lanes low1;
    Form::multiply(c[0], impl::philox_m0, high0, low0);
    Form::multiply(c[2], impl::philox_m1, high1, low1);
    c[0] = high1 ^ c[1] ^ Lanes(key<r, 0>());
    c[1] = low1;
    c[2] = high0 ^ c[3] ^ Lanes(key<r, 1>());
    c[3] = low0;
  }

  PhiloxKeys keys_;
  std::uint32_t low_ = 0;
  std::uint32_t high_ = 0;
  Lanes id_low_;
  Lanes first2_;   ///< what the rest of the first round's word 2 is added to,
  Lanes second0_;  ///< of the second's word 0
  Lanes second2_;  ///< and 2,
  Lanes third2_;   ///< and of the third's word 2
};

/// One stream of a seed, or lanes<W> of them, in the shape of the standard library's engines.
template <class W = std::uint32_t>
class Philox4x32 {
 public:
  using result_type = W;

  /// The streams whose ids have these halves, at their start.
  KOKKOS_FUNCTION Philox4x32(std::uint64_t seed, const W& id_low, const W& id_high)
      : quadruples_(PhiloxKeys(seed), id_low, id_high, 0) {}
  KOKKOS_FUNCTION explicit Philox4x32(std::uint64_t seed, std::uint64_t stream = 0)
      : Philox4x32(seed, W(static_cast<std::uint32_t>(stream)),
                   W(static_cast<std::uint32_t>(stream >> 32))) {
    static_assert(lanes<W> == 1);
  }

  static constexpr std::uint32_t min() { return 0; }
  static constexpr std::uint32_t max() { return 0xffffffffu; }

  /// The next number, uniform in 0 .. 2^32 - 1.
  KOKKOS_FUNCTION W operator()() {
    if (left_ == 0) draw();
    return words_[4 - left_--];
  }

  /// Skips n numbers, at once.
  KOKKOS_FUNCTION void discard(std::uint64_t n) {
    if (n <= left_) {
      left_ -= static_cast<std::uint32_t>(n);
      return;
    }
    n -= left_;
    left_ = 0;
    quadruples_.move_to(quadruples_.next() + n / 4);
    if (n % 4 == 0) return;
    draw();
    left_ -= static_cast<std::uint32_t>(n % 4);
  }

 private:
  KOKKOS_FUNCTION void draw() {
    auto& words = words_;
    quadruples_.template draw<1>([&words](auto k, const W& word)
                                     RIVULET_INLINE_LAMBDA { words[k.value] = word; });
    left_ = 4;
  }

  PhiloxQuadruples<W> quadruples_;
  W words_[4];
  std::uint32_t left_ = 0;  ///< of those
};

/// Every stream is a part of its own of the seed's one table: nothing to find out.
class PhiloxPlan final : public StreamPlan {
 public:
  explicit PhiloxPlan(const StreamRequest& request) : StreamPlan(request) {
    if (request.seeding == Seeding::native) return;
    throw Error("philox4x32 has no published seeding",
                "its native seeding is the published one: the seed is the key, the stream's id the "
                "upper half of the counter",
                "Leave out streams.seeding, or set streams.seeding=native.");
  }

  std::vector<std::pair<std::string, std::string>> certificate() const override {
    return {{"method", "a counter's upper 64 bits are the stream's id, the key is the seed"},
            {"period", "2^66 numbers a stream, 2^64 streams"},
            {"proved",
             fmt::format("for one key the generator maps the 2^128 counters one to one, and no two "
                         "streams have a counter in common; each has 2^66 numbers, and draws {} at "
                         "most",
                         request().numbers_per_stream)}};
  }
  std::vector<StreamFact> facts() const override { return {{"run_seed", request().seed}}; }
  /// The id says it all.
  std::vector<StreamColumn> columns(StreamRange) const override { return {}; }
};

/// The streams of one rank: a key, ids and a place, the same for all. Streams have local indices
/// 0 .. count-1.
class PhiloxStreams {
 public:
  using Plan = PhiloxPlan;
  using Integer = std::uint32_t;
  /// Numbers are uniform in 0 .. 2^bits - 1.
  static constexpr int bits = 32;
  /// Numbers, and 32-bit words made of them, that a round draws of each stream.
  static constexpr int round_numbers = 16;
  static constexpr int round_words = 16;
  static constexpr int numbers_per_word = 1;
  using Bounds = Kokkos::LaunchBounds<>;
  /// Streams that a device's thread may draw side by side.
  static constexpr int most_side_by_side = 4;
  using SideBySideBounds = Bounds;

  /// At their starts.
  PhiloxStreams(const PhiloxPlan& plan, StreamRange range)
      : keys_(plan.request().seed), range_(range) {}

  KOKKOS_FUNCTION std::uint64_t count() const { return range_.count; }
  KOKKOS_FUNCTION StreamRange range() const { return range_; }

  /// The same streams so many rounds on; what a kernel draws from.
  PhiloxStreams at(Uint128 rounds) const {
    PhiloxStreams moved = *this;
    moved.quadruple_ += static_cast<std::uint64_t>(rounds * round_quadruples);
    return moved;
  }

  /// An engine of one stream.
  KOKKOS_FUNCTION Philox4x32<> scalar(std::uint64_t stream) const {
    const auto& key = keys_.of_round[0];
    Philox4x32<> engine(std::uint64_t{key[1]} << 32 | key[0], range_.first + stream);
    for (int part = 0; part < 4; ++part) engine.discard(quadruple_);  // words; four may not fit
    return engine;
  }

  /// Draws from the streams of a group of lanes<W>.
  template <class W>
  class EngineOf {
   public:
    KOKKOS_FORCEINLINE_FUNCTION explicit EngineOf(const PhiloxQuadruples<W>& quadruples)
        : quadruples_(quadruples) {}

    /// The next round_words words of 32 bits, each to sink(int index, W word); the index is a
    /// constant once all is inlined.
    template <class Sink>
    KOKKOS_FORCEINLINE_FUNCTION void draw_words(Sink&& sink) {
      quadruples_.template draw<round_quadruples>(
          [&sink](auto k, const W& word) RIVULET_INLINE_LAMBDA { sink(k.value, word); });
    }
    /// The next round_numbers numbers; number k of lane l goes to to[k * lanes<W> + l].
    KOKKOS_FORCEINLINE_FUNCTION void draw_numbers(Integer* to) {
      draw_words([to](int k, const W& word)
                     RIVULET_INLINE_LAMBDA { WordTraits<W>::store(word, to + k * lanes<W>); });
    }
    /// The same without memory between.
    template <class Sink>
    KOKKOS_FORCEINLINE_FUNCTION void draw_each(Sink&& sink) {
      draw_words(sink);
    }

   private:
    PhiloxQuadruples<W> quadruples_;
  };
  using Engine = EngineOf<Word>;

  /// The engine of streams first .. first + lanes<W> - 1.
  template <class W = Word>
  KOKKOS_FUNCTION EngineOf<W> load(std::uint64_t first) const {
    const std::uint64_t id = range_.first + first;
    const auto half = [id](int l, int shift) {
      return static_cast<std::uint32_t>((id + static_cast<std::uint64_t>(l)) >> shift);
    };
    return EngineOf<W>(PhiloxQuadruples<W>(
        keys_, WordTraits<W>::generate([&half](int l) { return half(l, 0); }),
        WordTraits<W>::generate([&half](int l) { return half(l, 32); }), quadruple_));
  }

  /// There is nothing to put back: whoever launches a kernel knows where it leaves the streams.
  template <class W = Word>
  KOKKOS_FUNCTION void store(std::uint64_t, const EngineOf<W>&) const {}

  /// Of device memory.
  static constexpr std::uint64_t state_bytes() { return 0; }

  /// The streams' place, the number of the next word of each, in 16 bytes.
  std::vector<std::byte> save() const {
    const Uint128 word = Uint128{quadruple_} * 4;
    std::vector<std::byte> saved(sizeof word);
    std::memcpy(saved.data(), &word, sizeof word);
    return saved;
  }
  /// The inverse. Throws Error where that is not a place between rounds.
  void restore(std::span<const std::byte> saved) {
    Uint128 word = 0;
    if (saved.size() == sizeof word) std::memcpy(&word, saved.data(), sizeof word);
    if (saved.size() != sizeof word || word % round_words != 0 || word >> 66 != 0) {
      throw Error("saved streams do not fit",
                  fmt::format("{} B that are no place of philox4x32's streams", saved.size()),
                  "Restore what was saved of the same generator.");
    }
    quadruple_ = static_cast<std::uint64_t>(word / 4);
  }

 private:
  friend class PhiloxStarter;
  static constexpr int round_quadruples = round_words / 4;

  PhiloxKeys keys_;
  StreamRange range_;
  std::uint64_t quadruple_ = 0;  ///< the next one of every stream; a multiple of a round's
};

/// Puts the streams of a rank where they belong.
class PhiloxStarter {
 public:
  PhiloxStarter(const PhiloxPlan&, StreamRange) {}

  /// Every stream to its start.
  void seed(const Space&, PhiloxStreams& streams) const { streams.quadruple_ = 0; }

  /// Every stream so many rounds on.
  void advance(const Space&, PhiloxStreams& streams, Uint128 rounds) const {
    streams = streams.at(rounds);
  }
};

/// Philox4x32-10 in the list of generators.
struct Philox4x32Generator {
  using Plan = PhiloxPlan;
  using Streams = PhiloxStreams;
  using Starter = PhiloxStarter;

  static Generator facts() {
    Generator facts;
    facts.name = "philox4x32";
    facts.doc = "Philox4x32-10, Random123's and cuRAND's, a function of a counter";
    facts.period = "2^66";
    facts.disjoint = "counters: 2^64 streams of 2^66 numbers each";
    facts.state_bytes = PhiloxStreams::state_bytes();
    facts.log2_distance = [](const StreamRequest&) -> std::optional<unsigned> { return 66; };
    return facts;
  }

  static std::unique_ptr<Plan> plan(const StreamRequest& request, const io::Communicator&) {
    return std::make_unique<Plan>(request);
  }
};

}  // namespace rivulet
