// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// For generators of each number format, rivulet_draw and rivulet_next_... return the same results
// as the C++ library's engines and distributions, and consume the same count of numbers. Both
// functions refuse invalid requests.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <rivulet/rivulet.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "check.h"

namespace {

constexpr std::uint64_t seed = 11;
constexpr std::uint64_t stream = 3;

rivulet_sequence made(const std::string& generator, const char* name = "one") {
  rivulet_options options = default_options();
  options.generator = generator.c_str();
  options.seed = seed;
  options.first_stream = static_cast<std::int64_t>(stream);
  options.type = RIVULET_OWN;
  rivulet_sequence sequence = 0;
  const int status = rivulet_create(name, &options, &sequence);
  // The build may lack the generator or its parameter sets.
  const bool is_lacking = status == RIVULET_ERROR_UNKNOWN_NAME || status == RIVULET_ERROR_OPTION;
  if (!is_lacking) CHECK(status == RIVULET_OK);
  return sequence;
}

template <class Out>
constexpr int type_of() {
  if (std::is_same_v<Out, std::uint32_t>) return RIVULET_UINT32;
  if (std::is_same_v<Out, std::uint64_t>) return RIVULET_UINT64;
  return std::is_same_v<Out, float> ? RIVULET_FLOAT : RIVULET_DOUBLE;
}

/// A type-erased engine, so that each distribution is compiled only once for all engines of one
/// number format.
template <class Number, Number most, int format_bits_>
class AnyEngine {
 public:
  using result_type = Number;
  static constexpr int format_bits = format_bits_;

  template <class Engine>
  explicit AnyEngine(Engine& engine)
      : engine_(&engine),
        next_([](void* one) -> Number { return (*static_cast<Engine*>(one))(); }) {}

  static constexpr Number min() { return 0; }
  static constexpr Number max() { return most; }
  Number operator()() { return next_(engine_); }

 private:
  void* engine_;
  Number (*next_)(void*);
};

template <class Engine>
AnyEngine(Engine&)
    -> AnyEngine<typename Engine::result_type, Engine::max(), rivulet::detail::format_bits<Engine>>;

/// A sequence of the C interface and an engine of the C++ library that draw the same numbers.
template <class Engine>
struct Pair {
  rivulet_sequence sequence;
  Engine engine;

  /// With this many numbers, the last call reads native numbers in chunks.
  static constexpr std::size_t in_chunks = 60000;

  /// Compares numbers of the distribution, drawn in calls of different sizes.
  template <class Out, class Distribution>
  void expect_same(const char* name, const std::vector<double>& parameters,
                   const Distribution& made, std::size_t count = 300) {
    using Drawn = std::conditional_t<std::is_arithmetic_v<typename Distribution::result_type>, Out,
                                     typename Distribution::result_type>;
    std::vector<Drawn> drawn(count);
    std::size_t done = 0;
    for (std::size_t call = 1; done < drawn.size(); done += call, call = 2 * call + 1) {
      call = std::min(call, drawn.size() - done);
      SUCCEEDS(rivulet_draw(sequence, name, static_cast<std::int64_t>(parameters.size()),
                            parameters.data(), type_of<Out>(), static_cast<std::int64_t>(call),
                            drawn.data() + done));
    }
    bool is_same = true;
    for (const Drawn& one : drawn) {
      const auto expected = static_cast<Drawn>(made(engine));
      is_same = is_same && std::memcmp(&one, &expected, sizeof(one)) == 0;
    }
    if (!is_same) fprintf(stderr, "%s, type %d\n", name, type_of<Out>());
    CHECK(is_same);
  }

  template <class Real>
  void expect_same_reals() {
    using namespace rivulet;
    constexpr auto real = [](double x) { return static_cast<Real>(x); };
    constexpr double infinite = HUGE_VAL;
    expect_same<Real>("uniform", {0, 1, 0}, Uniform<Real>());
    expect_same<Real>("uniform", {0, 1, 1}, Uniform<Real, Interval::open>());
    expect_same<Real>("uniform", {0, 1, 2}, Uniform<Real, Interval::open_closed>());
    expect_same<Real>("uniform", {0, 1, 3}, Uniform<Real, Interval::closed>());
    expect_same<Real>("uniform", {0, 1, 4}, Uniform<Real, Interval::zero_replaced>());
    expect_same<Real>("uniform", {-1.1, 7, 3}, Uniform<Real, Interval::closed>(real(-1.1), 7));
    expect_same<Real>("exponential", {2.3}, Exponential<Real>(real(2.3)));
    expect_same<Real>("normal", {-1, 0.3}, Normal<Real>(-1, real(0.3)));
    expect_same<Real>("unit_vector", {}, UnitVector<Real>());
    expect_same<Real>("on_disk", {}, OnDisk<Real>());
    expect_same<Real>("gamma", {0.4, 3}, Gamma<Real>(real(0.4), 3), in_chunks);
    expect_same<Real>("chi_square", {5}, ChiSquare<Real>(5), in_chunks);
    expect_same<Real>("beta", {0.2, 7}, Beta<Real>(real(0.2), 7));
    expect_same<Real>("student", {3.5}, Student<Real>(real(3.5)));
    expect_same<Real>("log_normal", {1, 2}, LogNormal<Real>(1, 2));
    expect_same<Real>("truncated_normal", {0, 1, 4, infinite},
                      TruncatedNormal<Real>(0, 1, 4, real(infinite)));
    expect_same<Real>("cauchy", {1, 2}, Cauchy<Real>(1, 2));
    expect_same<Real>("von_mises", {1, 2.5}, VonMises<Real>(1, real(2.5)));
  }

  void expect_same_counts() {
    using namespace rivulet;
    expect_same<std::uint64_t>("below", {6}, Below(6));
    expect_same<std::uint64_t>("below", {0x1p63}, Below(std::uint64_t{1} << 63));
    expect_same<std::uint64_t>("bernoulli", {0.3}, Bernoulli(0.3));
    expect_same<std::uint64_t>("poisson", {3}, Poisson(3));
    expect_same<std::uint64_t>("poisson", {300}, Poisson(300), in_chunks);
    expect_same<std::uint64_t>("binomial", {100, 0.6}, Binomial(100, 0.6));
    expect_same<std::uint64_t>("geometric", {0.01}, Geometric(0.01));
  }

  template <class Out>
  void expect_same_bits(std::int64_t count) {
    std::vector<Out> drawn(static_cast<std::size_t>(count));
    SUCCEEDS(rivulet_draw(sequence, "bits", 0, nullptr, type_of<Out>(), count, drawn.data()));
    for (const Out one : drawn) {
      if (one == rivulet::detail::draw_number<Out>(engine)) continue;
      CHECK(false && "bits");
      return;
    }
  }

  void expect_same_single_numbers() {
    void* const id = reinterpret_cast<void*>(sequence);
    for (int i = 0; i < 3000; ++i) {
      const std::array expected{rivulet::detail::draw_number<double>(engine),
                                double(rivulet::detail::draw_number<std::uint32_t>(engine)),
                                double(rivulet::detail::draw_number<std::uint64_t>(engine)),
                                double(engine())};
      const std::array drawn{rivulet_next_double(id), double(rivulet_next_uint32(id)),
                             double(rivulet_next_uint64(id)), double(rivulet_next_raw(id))};
      if (drawn == expected) continue;
      CHECK(false && "next_");
      return;
    }
  }
};

template <class G>
void compare_generator() {
  using Host = Kokkos::DefaultHostExecutionSpace;
  using Streams = rivulet::Streams<G, Host>;
  const std::string name(Streams::name());
  const rivulet_sequence sequence = made(name);
  if (sequence == 0) return;
  const int before = failures;
  const Streams streams(Host(), {.count = stream + 1, .seed = seed});
  Host().fence();
  streams.with(stream, [sequence](auto& engine) {
    Pair pair{sequence, AnyEngine(engine)};
    pair.template expect_same_bits<std::uint32_t>(7);
    pair.template expect_same_reals<double>();
    pair.expect_same_single_numbers();
    pair.template expect_same_reals<float>();
    pair.expect_same_counts();
    pair.template expect_same_bits<std::uint64_t>(300'001);  // more than one piece of 2^17 numbers
    pair.expect_same_single_numbers();
  });
  SUCCEEDS(rivulet_destroy(sequence));
  if (failures > before) fprintf(stderr, "with %s\n", name.c_str());
}

template <class G>
void check_children(const char* generator) {
  const rivulet_sequence parent = made(generator);
  if (parent == 0) return;
  rivulet_sequence child = 0;
  rivulet_sequence grandchild = 0;
  SUCCEEDS(rivulet_skip(parent, 17));
  SUCCEEDS(rivulet_create_child("child", parent, 5, &child));
  SUCCEEDS(rivulet_skip(child, 17));
  SUCCEEDS(rivulet_create_child("grandchild", child, ~UINT64_C(0), &grandchild));
  // A grandchild can be saved, too.
  std::int64_t size = 0;
  SUCCEEDS(rivulet_save_size(grandchild, &size));
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(size));
  SUCCEEDS(rivulet_save(grandchild, size, bytes.data()));
  SUCCEEDS(rivulet_destroy(grandchild));
  SUCCEEDS(rivulet_create_from("saved", size, bytes.data(), &grandchild));
  auto engine = rivulet::Stream<G>(seed, stream).child(5).child(~UINT64_C(0));
  Pair pair{grandchild, AnyEngine(engine)};
  pair.expect_same_single_numbers();
  pair.template expect_same_bits<std::uint64_t>(300'001);
  SUCCEEDS(rivulet_destroy(grandchild));
  SUCCEEDS(rivulet_destroy(child));
  SUCCEEDS(rivulet_destroy(parent));
}

/// Checks that rivulet_draw_ahead returns the next numbers and does not advance the sequence.
void check_draw_ahead(const std::string& generator) {
  const rivulet_sequence one = made(generator);
  if (one == 0) return;
  const double parameters[3] = {0.5, 2, 0};
  const std::vector<std::pair<const char*, std::int64_t>> laws = {
      {"uniform", 3}, {"normal", 2}, {"exponential", 1}, {"log_normal", 2}, {"bits", 0}};
  for (int turn = 0; turn < 20; ++turn) {
    for (const auto& [name, count] : laws) {
      const bool is_bits = count == 0;
      const int type = is_bits ? RIVULET_UINT64 : turn % 2 == 0 ? RIVULET_DOUBLE : RIVULET_FLOAT;
      std::uint64_t first[400] = {};
      std::uint64_t then[400] = {};
      std::int64_t drawn = 0;
      std::int64_t own = 0;
      SUCCEEDS(rivulet_draw_ahead(one, name, count, parameters, type, 400, first, &drawn, &own));
      CHECK(drawn > 0 && drawn <= 400 && own > 0 && own <= 3);
      SUCCEEDS(rivulet_draw(one, name, count, parameters, type, drawn, then));
      CHECK(std::memcmp(first, then, sizeof(first)) == 0);
      SUCCEEDS(rivulet_draw_ahead(one, name, count, parameters, type, 2, first, &drawn, &own));
      SUCCEEDS(rivulet_skip(one, own));
      SUCCEEDS(rivulet_draw(one, name, count, parameters, type, 1, then));
      const std::size_t bytes = type == RIVULET_FLOAT ? sizeof(float) : sizeof(double);
      if (drawn == 2)
        CHECK(std::memcmp(reinterpret_cast<std::byte*>(first) + bytes, then, bytes) == 0);
    }
  }
  double number = -1;
  std::int64_t drawn = 0;
  std::int64_t own = 0;
  const auto draw = [&](const char* name, std::int64_t count, int type) {
    return rivulet_draw_ahead(one, name, count, parameters, type, 1, &number, &drawn, &own);
  };
  FAILS(RIVULET_ERROR_OPTION, draw("poisson", 1, RIVULET_UINT64));
  FAILS(RIVULET_ERROR_OPTION, draw("gaussian", 2, RIVULET_DOUBLE));
  FAILS(RIVULET_ERROR_WRONG_TYPE, draw("normal", 2, RIVULET_UINT64));
  FAILS(RIVULET_ERROR_OPTION, draw("normal", 1, RIVULET_DOUBLE));
  FAILS(RIVULET_ERROR_NULL_POINTER,
        rivulet_draw_ahead(one, "bits", 0, nullptr, 1, 1, &number, nullptr, &own));
  FAILS(RIVULET_ERROR_COUNT,
        rivulet_draw_ahead(one, "bits", 0, nullptr, 1, 0, &number, &drawn, &own));
  CHECK(number == -1);
  SUCCEEDS(rivulet_destroy(one));
}

void refusals() {
  const std::string generator = rivulet_generator_name(0);
  const rivulet_sequence one = made(generator);
  double numbers[3] = {-1, -1, -1};
  const auto draw = [&](const char* name, const std::vector<double>& parameters,
                        int type = RIVULET_DOUBLE) {
    return rivulet_draw(one, name, static_cast<std::int64_t>(parameters.size()), parameters.data(),
                        type, 3, numbers);
  };
  FAILS(RIVULET_ERROR_UNKNOWN_NAME, draw("gaussian", {0, 1}));
  FAILS(RIVULET_ERROR_WRONG_TYPE, draw("normal", {0, 1}, RIVULET_UINT64));
  FAILS(RIVULET_ERROR_WRONG_TYPE, draw("poisson", {1}, RIVULET_DOUBLE));
  FAILS(RIVULET_ERROR_WRONG_TYPE, draw("poisson", {1}, RIVULET_UINT32));
  FAILS(RIVULET_ERROR_WRONG_TYPE, draw("bits", {}, RIVULET_DOUBLE));
  FAILS(RIVULET_ERROR_OPTION, draw("normal", {0, 1}, RIVULET_OWN));
  FAILS(RIVULET_ERROR_OPTION, draw("normal", {0}));
  FAILS(RIVULET_ERROR_OPTION, draw("on_disk", {1}));
  const std::vector<std::pair<const char*, std::vector<double>>> impossible = {
      {"uniform", {1, 1, 0}},
      {"uniform", {0, 1, 5}},
      {"uniform", {0, HUGE_VAL, 0}},
      {"uniform", {NAN, 1, 0}},
      {"normal", {0, -1}},
      {"normal", {NAN, 1}},
      {"exponential", {0}},
      {"gamma", {0, 1}},
      {"gamma", {1, 0}},
      {"chi_square", {0}},
      {"beta", {1, 0}},
      {"student", {-1}},
      {"log_normal", {0, -1}},
      {"cauchy", {0, 0}},
      {"von_mises", {0, -1}},
      {"truncated_normal", {0, 1, 1, 1}}};
  for (const auto& [name, parameters] : impossible) {
    FAILS(RIVULET_ERROR_OPTION, draw(name, parameters));
  }
  // In single precision, no number lies between 1 and 1 + 2^-23, and a sigma of 1e300 becomes
  // infinity.
  FAILS(RIVULET_ERROR_OPTION, draw("uniform", {1, 1 + 1e-12, 0}, RIVULET_FLOAT));
  FAILS(RIVULET_ERROR_OPTION, draw("uniform", {1, 1 + 0x1p-23, 1}, RIVULET_FLOAT));
  FAILS(RIVULET_ERROR_OPTION, draw("uniform", {-3e38, 3e38, 0}, RIVULET_FLOAT));
  FAILS(RIVULET_ERROR_OPTION, draw("uniform", {-1e308, 1e308, 0}));
  FAILS(RIVULET_ERROR_OPTION, draw("normal", {0, 1e300}, RIVULET_FLOAT));
  for (const double n : {0.0, -1.0, 1.5, 0x1p64, double(NAN)}) {
    FAILS(RIVULET_ERROR_OPTION, draw("below", {n}, RIVULET_UINT64));
  }
  FAILS(RIVULET_ERROR_OPTION, draw("bernoulli", {1.1}, RIVULET_UINT64));
  FAILS(RIVULET_ERROR_OPTION, draw("poisson", {0x1p41}, RIVULET_UINT64));
  FAILS(RIVULET_ERROR_OPTION, draw("binomial", {0x1p51, 0.5}, RIVULET_UINT64));
  FAILS(RIVULET_ERROR_OPTION, draw("geometric", {0}, RIVULET_UINT64));
  FAILS(RIVULET_ERROR_NULL_POINTER, rivulet_draw(one, nullptr, 0, nullptr, 3, 1, numbers));
  FAILS(RIVULET_ERROR_NULL_POINTER, rivulet_draw(one, "normal", 2, nullptr, 3, 1, numbers));
  FAILS(RIVULET_ERROR_NULL_POINTER, rivulet_draw(one, "bits", 0, nullptr, 1, 1, nullptr));
  FAILS(RIVULET_ERROR_COUNT, rivulet_draw(one, "bits", 0, nullptr, 1, 0, numbers));
  FAILS(RIVULET_ERROR_OPTION, rivulet_draw(one, "normal", -1, numbers, 3, 1, numbers));
  CHECK(numbers[0] == -1 && numbers[2] == -1);
  std::uint64_t high = 1;
  std::uint64_t low = 1;
  SUCCEEDS(rivulet_position(one, &high, &low));
  CHECK(high == 0 && low == 0);

  rivulet_sequence child = 1;
  if (generator.find("philox") != 0 && generator.find("threefry") != 0) {
    FAILS(RIVULET_ERROR_OPTION, rivulet_create_child("child", one, 0, &child));
    CHECK(child == 0);
  }
  SUCCEEDS(rivulet_destroy(one));
  FAILS(RIVULET_ERROR_DESTROYED, rivulet_create_child("child", one, 0, &child));
  rivulet_options options = default_options();
  rivulet_sequence doubles = 0;
  options.generator = generator.c_str();
  options.type = RIVULET_OWN;
  options.interval = RIVULET_OPEN;
  FAILS(RIVULET_ERROR_OPTION, rivulet_create("own", &options, &doubles));
  options = default_options();
  options.generator = generator.c_str();
  options.instances = 2;
  SUCCEEDS(rivulet_create("two", &options, &doubles));
  FAILS(RIVULET_ERROR_OPTION, rivulet_create_child("child", doubles, 0, &child));
  SUCCEEDS(rivulet_destroy(doubles));
  options.instances = 1;
  SUCCEEDS(rivulet_create("doubles", &options, &doubles));
  FAILS(RIVULET_ERROR_WRONG_TYPE, rivulet_draw(doubles, "bits", 0, nullptr, 1, 1, numbers));
  SUCCEEDS(rivulet_destroy(doubles));
}

/// Checks that a draw beyond the sequence's end fails and does not advance the sequence.
void end_of_range() {
  const rivulet_sequence one = made("philox4x32");
  if (one == 0) return;
  SUCCEEDS(rivulet_skip_power(one, 1, 64));
  SUCCEEDS(rivulet_skip_power(one, (INT64_C(1) << 62) - 250, 2));  // 1000 numbers remain
  std::vector<double> numbers(100'000, -1);
  const std::array parameters{2.0, 1.0};
  for (const char* name : {"gamma", "beta"}) {
    FAILS(RIVULET_ERROR_OUT_OF_RANGE,
          rivulet_draw(one, name, 2, parameters.data(), RIVULET_DOUBLE, 100'000, numbers.data()));
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    SUCCEEDS(rivulet_position(one, &high, &low));
    CHECK(high == 1 && low == 0 - UINT64_C(1000));
  }
  const double first = numbers[0];
  SUCCEEDS(rivulet_draw(one, "beta", 2, parameters.data(), RIVULET_DOUBLE, 1, numbers.data()));
  CHECK(first >= 0 && numbers[0] == first);
  SUCCEEDS(rivulet_destroy(one));
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  compare_generator<rivulet::Ranmar24>();
  compare_generator<rivulet::Ranmar48>();
  compare_generator<rivulet::Philox4x32>();
  compare_generator<rivulet::Philox4x64>();
  compare_generator<rivulet::Ranluxpp>();
  check_children<rivulet::Philox4x32>("philox4x32");
  check_children<rivulet::Philox4x32x7>("philox4x32_7");
  check_children<rivulet::Philox4x64>("philox4x64");
  check_children<rivulet::Threefry4x64>("threefry4x64");
  for (const char* generator : {"dcmt521", "ranmar24", "ranmar48", "philox4x64"})
    check_draw_ahead(generator);
  refusals();
  end_of_range();
  SUCCEEDS(rivulet_finalize());
  return failures == 0 ? 0 : 1;
}
