// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "capi/distributions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "capi/block_draws.hpp"
#include "capi/calls.hpp"
#include "io/words/messages.hpp"
#include "rivulet/distributions.hpp"
#include "sampling/law.hpp"
#include "sequences/sequence_error.hpp"

namespace rivulet::capi {
namespace {

constexpr std::size_t most_parameters = 4;
using Parameters = std::array<double, most_parameters>;

/// A distribution by name. `limits` describes in words the conditions of `is_valid`.
template <class Rng>
struct Named {
  std::string_view name;
  std::string_view parameters;  ///< names, separated by commas
  std::string_view limits;
  bool makes_reals;
  bool (*is_valid)(const Parameters&);
  void (*draw)(Rng&, const Parameters&, const Drawing&);
};

template <class Out, class Rng, class Distribution>
void fill(Rng& rng, const Distribution& distribution, const Drawing& drawing) {
  auto* const to = static_cast<Out*>(drawing.to);
  for (std::uint64_t i = 0; i < drawing.count; ++i) to[i] = static_cast<Out>(distribution(rng));
}

/// Calls use(Real{}), where Real is the type of a draw's real numbers.
template <class Use>
void with_real(const Drawing& drawing, const Use& use) {
  if (drawing.type == NumberType::float32) {
    use(float{});
  } else {
    use(double{});
  }
}

/// Draws reals; make(Real{}, parameters) returns the distribution.
template <auto make, class Rng>
void draw_reals(Rng& rng, const Parameters& p, const Drawing& drawing) {
  with_real(drawing, [&](auto real) {
    const auto distribution = make(real, p);
    fill<typename decltype(distribution)::result_type>(rng, distribution, drawing);
  });
}

template <auto make, class Rng>
void draw_counts(Rng& rng, const Parameters& p, const Drawing& drawing) {
  fill<std::uint64_t>(rng, make(p), drawing);
}

template <class Out, Interval interval, class Rng>
void draw_plain(Rng& rng, const Drawing& drawing) {
  draw_blocks<Out, interval>(rng, drawing, [](Out*, std::uint64_t) {});
}

template <Law::Kind kind, class Rng>
void draw_law(Rng& rng, const Parameters& p, const Drawing& drawing) {
  constexpr Interval interval = Law{kind}.interval();
  const auto change = [law = Law{kind, p[0], p[1]}](auto* numbers, std::uint64_t count) {
    apply(law, numbers, count);
  };
  with_real(drawing,
            [&](auto real) { draw_blocks<decltype(real), interval>(rng, drawing, change); });
}

template <class Rng>
void draw_poisson(Rng& rng, const Parameters& p, const Drawing& drawing) {
  draw_blocks<double, Interval::open>(
      rng, drawing, [counts = Poisson(p[0])](double* numbers, std::uint64_t count) {
        apply(counts, numbers, count);
      });
}

/// Returns the count of native numbers per number of this type.
template <int bits>
int raw_numbers(NumberType type) {
  constexpr Interval any = Interval::closed_open;
  switch (type) {
    case NumberType::uint32:
      return NumberFormat<bits, std::uint32_t, any>::raw;
    case NumberType::uint64:
      return NumberFormat<bits, std::uint64_t, any>::raw;
    case NumberType::float32:
      return NumberFormat<bits, float, any>::raw;
    case NumberType::float64:
      break;
  }
  return NumberFormat<bits, double, any>::raw;
}

/// Throws SequenceError (option) unless high - low is finite and at least two representable numbers
/// lie between `low` and `high`. Bounds that are valid as doubles may not be valid as floats.
template <class Real>
void require_between(Real low, Real high) {
  if (std::isfinite(high - low) && std::nextafter(std::nextafter(low, high), high) < high) return;
  throw SequenceError(Fault::option, fmt::format("uniform({}, {})", low, high),
                      "high - low overflows, or the type has fewer than two numbers between them",
                      "Choose bounds closer to 0 or further apart, or draw doubles.");
}

template <Interval interval>
constexpr bool has_low = interval == Interval::closed_open || interval == Interval::closed;
template <Interval interval>
constexpr bool has_high = interval == Interval::open_closed || interval == Interval::closed;

template <Interval interval, class Rng>
void draw_uniform_in(Rng& rng, const Parameters& p, const Drawing& drawing) {
  with_real(drawing, [&](auto real) {
    using Real = decltype(real);
    const auto low = static_cast<Real>(p[0]);
    const auto high = static_cast<Real>(p[1]);
    require_between(low, high);
    if (low == 0 && high == 1) return draw_plain<Real, interval>(rng, drawing);
    // Round-off may put a number outside the interval. Such a number is replaced by the nearest
    // number inside.
    const Real first = has_low<interval> ? low : std::nextafter(low, high);
    const Real last = has_high<interval> ? high : std::nextafter(high, low);
    draw_blocks<Real, interval>(rng, drawing, [&](Real* numbers, std::uint64_t count) {
      apply({Law::Kind::uniform, p[0], p[1]}, numbers, count);
      for (std::uint64_t i = 0; i < count; ++i) {
        const Real not_below = numbers[i] < first ? first : numbers[i];
        numbers[i] = not_below > last ? last : not_below;
      }
    });
  });
}

template <class Rng>
void draw_uniform(Rng& rng, const Parameters& p, const Drawing& drawing) {
  switch (static_cast<Interval>(p[2])) {
    case Interval::closed_open:
      return draw_uniform_in<Interval::closed_open>(rng, p, drawing);
    case Interval::open:
      return draw_uniform_in<Interval::open>(rng, p, drawing);
    case Interval::open_closed:
      return draw_uniform_in<Interval::open_closed>(rng, p, drawing);
    case Interval::closed:
      return draw_uniform_in<Interval::closed>(rng, p, drawing);
    case Interval::zero_replaced:
      return draw_uniform_in<Interval::zero_replaced>(rng, p, drawing);
  }
}

template <class Rng>
void draw_bits(Rng& rng, const Parameters&, const Drawing& drawing) {
  if (drawing.type == NumberType::uint32) {
    draw_plain<std::uint32_t, Interval::closed_open>(rng, drawing);
  } else {
    draw_plain<std::uint64_t, Interval::closed_open>(rng, drawing);
  }
}

bool is_whole(double x, double least, double most) {
  return x >= least && x <= most && std::floor(x) == x;
}
bool is_shape(double x) { return x >= 0x1p-50 && x <= 0x1p50; }
bool is_degrees(double x) { return is_shape(x / 2); }
bool is_probability(double x) { return x >= 0 && x <= 1; }
bool is_any(const Parameters&) { return true; }

// These are functions, because nvcc 13 rejects non-generic lambdas as template arguments within a
// template.
Below below_of(const Parameters& p) { return Below(static_cast<std::uint64_t>(p[0])); }
Bernoulli bernoulli_of(const Parameters& p) { return Bernoulli(p[0]); }
Binomial binomial_of(const Parameters& p) {
  return Binomial(static_cast<std::uint64_t>(p[0]), p[1]);
}
Geometric geometric_of(const Parameters& p) { return Geometric(p[0]); }

/// All distributions of rivulet_draw. Parameters are already rounded to the type of the numbers.
template <class Rng>
constexpr auto named_distributions() {
  // NOLINTBEGIN(readability-identifier-length)
  using P = Parameters;
  return std::to_array<Named<Rng>>({
      {"bits", "", "", false, is_any, draw_bits<Rng>},
      {"uniform", "low, high, interval",
       "low < high, high - low finite; interval 0 .. 4, as rivulet_interval", true,
       [](const P& p) { return p[0] < p[1] && is_whole(p[2], 0, 4); }, draw_uniform<Rng>},
      {"below", "n", "n whole, 1 .. 2^64 - 1, and exact as a double", false,
       [](const P& p) { return is_whole(p[0], 1, 0x1.fffffffffffffp63); },
       draw_counts<below_of, Rng>},
      {"bernoulli", "p", "0 <= p <= 1", false, [](const P& p) { return is_probability(p[0]); },
       draw_counts<bernoulli_of, Rng>},
      {"exponential", "mean", "mean positive, finite", true,
       [](const P& p) { return p[0] > 0 && p[0] < HUGE_VAL; },
       draw_law<Law::Kind::exponential, Rng>},
      {"normal", "mean, sigma", "sigma >= 0, both finite", true,
       [](const P& p) { return std::isfinite(p[0]) && p[1] >= 0 && p[1] < HUGE_VAL; },
       draw_law<Law::Kind::normal, Rng>},
      {"unit_vector", "", "", true, is_any,
       draw_reals<[]<class R>(R, const P&) { return UnitVector<R>(); }, Rng>},
      {"on_disk", "", "", true, is_any,
       draw_reals<[]<class R>(R, const P&) { return OnDisk<R>(); }, Rng>},
      {"poisson", "mean", "0 <= mean <= 2^40", false,
       [](const P& p) { return p[0] >= 0 && p[0] <= 0x1p40; }, draw_poisson<Rng>},
      {"binomial", "n, p", "n whole, 0 .. 2^50; 0 <= p <= 1", false,
       [](const P& p) { return is_whole(p[0], 0, 0x1p50) && is_probability(p[1]); },
       draw_counts<binomial_of, Rng>},
      {"geometric", "p", "2^-58 <= p <= 1", false,
       [](const P& p) { return p[0] >= 0x1p-58 && p[0] <= 1; }, draw_counts<geometric_of, Rng>},
      {"gamma", "shape, scale", "shape 2^-50 .. 2^50; scale positive, finite", true,
       [](const P& p) { return is_shape(p[0]) && p[1] > 0 && p[1] < HUGE_VAL; },
       draw_reals<[]<class R>(R, const P& p) { return Gamma<R>(R(p[0]), R(p[1])); }, Rng>},
      {"chi_square", "degrees", "degrees 2^-49 .. 2^51", true,
       [](const P& p) { return is_degrees(p[0]); },
       draw_reals<[]<class R>(R, const P& p) { return ChiSquare<R>(R(p[0])); }, Rng>},
      {"beta", "a, b", "a and b 2^-50 .. 2^50", true,
       [](const P& p) { return is_shape(p[0]) && is_shape(p[1]); },
       draw_reals<[]<class R>(R, const P& p) { return Beta<R>(R(p[0]), R(p[1])); }, Rng>},
      {"student", "degrees", "degrees 2^-49 .. 2^51", true,
       [](const P& p) { return is_degrees(p[0]); },
       draw_reals<[]<class R>(R, const P& p) { return Student<R>(R(p[0])); }, Rng>},
      {"log_normal", "mu, sigma", "sigma >= 0, both finite", true,
       [](const P& p) { return std::isfinite(p[0]) && p[1] >= 0 && p[1] < HUGE_VAL; },
       draw_law<Law::Kind::log_normal, Rng>},
      {"truncated_normal", "mean, sigma, low, high",
       "sigma > 0, low < high, all within 2^500 sigma of the mean but for infinite bounds", true,
       [](const P& p) {
         const double from = (p[2] - p[0]) / p[1];
         const double upto = (p[3] - p[0]) / p[1];
         return std::isfinite(p[0]) && p[1] > 0 && p[1] < HUGE_VAL && p[2] < p[3] &&
                from < 0x1p500 && upto > -0x1p500;
       },
       draw_reals<[]<class R>(R, const P& p) {
         return TruncatedNormal<R>(R(p[0]), R(p[1]), R(p[2]), R(p[3]));
       },
                  Rng>},
      {"cauchy", "location, scale", "scale > 0, both finite", true,
       [](const P& p) { return std::isfinite(p[0]) && p[1] > 0 && p[1] < HUGE_VAL; },
       draw_reals<[]<class R>(R, const P& p) { return Cauchy<R>(R(p[0]), R(p[1])); }, Rng>},
      {"von_mises", "mean, concentration", "0 <= concentration <= 2^100, mean finite", true,
       [](const P& p) { return std::isfinite(p[0]) && p[1] >= 0 && p[1] <= 0x1p100; },
       draw_reals<[]<class R>(R, const P& p) { return VonMises<R>(R(p[0]), R(p[1])); }, Rng>},
  });
  // NOLINTEND(readability-identifier-length)
}

template <class Rng>
const Named<Rng>& distribution_called(std::string_view name) {
  static constexpr auto all = named_distributions<Rng>();
  std::vector<std::string> names;
  for (const Named<Rng>& one : all) {
    if (one.name == name) return one;
    names.emplace_back(one.name);
  }
  throw SequenceError(
      Fault::unknown_name, fmt::format("no distribution \"{}\"", name),
      fmt::format("known distributions: {}", fmt::join(names, ", ")),
      io::did_you_mean(std::string(name), names, "Pass one of these, such as \"normal\"."));
}

template <class Rng>
void require_type(const Named<Rng>& named, NumberType type) {
  const bool is_real = type == NumberType::float32 || type == NumberType::float64;
  const bool is_narrow = type == NumberType::uint32;
  if (is_real == named.makes_reals && (!is_narrow || named.name == "bits")) return;
  throw SequenceError(Fault::wrong_type, fmt::format("{} drawn as {}", named.name, type_word(type)),
                      named.makes_reals ? "it draws real numbers" : "it draws integers",
                      named.makes_reals      ? "Draw with type RIVULET_FLOAT or RIVULET_DOUBLE."
                      : named.name == "bits" ? "Draw with type RIVULET_UINT32 or RIVULET_UINT64."
                                             : "Draw with type RIVULET_UINT64.");
}

/// Returns the call's parameters, rounded to the type of the numbers. Throws SequenceError
/// (option).
template <class Rng>
Parameters checked(const Named<Rng>& named, const Drawing& drawing) {
  const auto commas = std::ranges::count(named.parameters, ',');
  const std::size_t wanted = named.parameters.empty() ? 0 : static_cast<std::size_t>(commas) + 1;
  if (drawing.parameters.size() != wanted) {
    throw SequenceError(
        Fault::option,
        fmt::format("wrong number of parameters for {}: {}", named.name, drawing.parameters.size()),
        wanted == 0 ? std::string("it has none")
                    : fmt::format("it has {}: {}", wanted, named.parameters),
        wanted == 0 ? std::string("Pass no parameters.")
                    : fmt::format("Pass {}.", named.parameters));
  }
  Parameters p{};
  std::ranges::copy(drawing.parameters, p.begin());
  if (drawing.type == NumberType::float32) {
    for (double& x : p) x = static_cast<float>(x);
  }
  if (named.is_valid(p)) return p;
  std::string given;
  for (const double x : drawing.parameters)
    given += fmt::format("{}{}", given.empty() ? "" : ", ", x);
  throw SequenceError(Fault::option, fmt::format("{}({})", named.name, given),
                      fmt::format("{}({}) needs {}", named.name, named.parameters, named.limits),
                      "Choose parameters in this range.");
}

}  // namespace

template <int format>
void SequenceEngine<format>::make_normals() {
  using Format = NumberFormat<format, double, Interval::open>;
  const auto left = static_cast<std::size_t>(end_ - next_) / (raw_of_double * sizeof(Stored));
  const std::size_t count = std::min(left, normals_.size());
  normals_begin_ = next_;
  normals_made_ = count * raw_of_double * sizeof(Stored);
  const auto* const stored = reinterpret_cast<const Stored*>(next_);
  make_plain<Format, double, Interval::open, SequenceEngine>(stored, count, normals_.data());
  apply(Law{Law::Kind::normal, 0, 1}, normals_.data(), count);
}

void refuse_other_numbers() {
  throw SequenceError(Fault::wrong_type, "this sequence cannot draw distributions",
                      "they need the generator's own numbers, in [0, 1) if they are doubles",
                      "Create the sequence with type=RIVULET_OWN.");
}

std::uint64_t draw_ahead(Sequence& sequence, Drawing drawing, std::uint64_t& own) {
  constexpr std::array fixed{"bits", "uniform", "normal", "exponential", "log_normal"};
  if (std::ranges::find(fixed, drawing.distribution) == fixed.end()) {
    throw SequenceError(
        Fault::option, fmt::format("{} cannot be drawn ahead", drawing.distribution),
        "one draw takes a varying count of the generator's numbers", "Draw it with rivulet_draw.");
  }
  own = with_engine_type(sequence, [&drawing]<class Rng>() {
    return static_cast<std::uint64_t>(raw_numbers<Rng::format_bits>(drawing.type));
  });
  drawing.count = std::clamp<std::uint64_t>(sequence.ready() / own, 1, drawing.count);
  const Uint128 start = sequence.position();
  draw(sequence, drawing);
  sequence.go_back(start);
  return drawing.count;
}

void draw(Sequence& sequence, const Drawing& drawing) {
  const Uint128 start = sequence.position();
  try {
    with_engine(sequence, drawing.count, [&drawing]<class Rng>(Rng& rng) {
      const Named<Rng>& named = distribution_called<Rng>(drawing.distribution);
      require_type(named, drawing.type);
      named.draw(rng, checked(named, drawing), drawing);
    });
  } catch (...) {
    if (sequence.position() != start) sequence.go_back(start);
    throw;
  }
}

}  // namespace rivulet::capi
