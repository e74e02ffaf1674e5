// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Numbers do not depend on the floating-point environment of the host or of OpenMP's threads. The
// library preserves the host's environment, also in the functions that rivulet_battery calls.

#include <cfenv>
#include <cstdint>
#include <cstring>
#include <vector>

#include "check.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace {

constexpr int flush_and_zero = -1;  // FTZ and DAZ
const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, flush_and_zero};

void set_mode(int mode) {
  std::fesetenv(FE_DFL_ENV);
#if defined(__x86_64__)
  _mm_setcsr(mode == flush_and_zero ? 0x9fc0 : 0x1f80);
#endif
  if (mode != flush_and_zero) std::fesetround(mode);
}

bool has_mode(int mode) {
#if defined(__x86_64__)
  const unsigned rounding = mode == FE_UPWARD       ? 0x4000
                            : mode == FE_DOWNWARD   ? 0x2000
                            : mode == FE_TOWARDZERO ? 0x6000
                                                    : 0;
  const unsigned expected = mode == flush_and_zero ? 0x9fc0 : 0x1f80 | rounding;
  if ((_mm_getcsr() & ~0x3fU) != expected) return false;
#endif
  return std::fegetround() == (mode == flush_and_zero ? FE_TONEAREST : mode);
}

/// Sets the mode of all OpenMP threads, which Kokkos may share.
void set_mode_everywhere(int mode) {
#pragma omp parallel
  set_mode(mode);
}
bool has_mode_everywhere(int mode) {
  int mismatches = 0;
#pragma omp parallel reduction(+ : mismatches)
  if (!has_mode(mode)) ++mismatches;
  return mismatches == 0;
}

struct Law {
  const char* name;
  std::vector<double> parameters;
  bool is_real = true;
};
const std::vector<Law> laws{{"uniform", {-3, 7, 1}},
                            {"uniform", {0, 1, 3}},
                            {"exponential", {0.1}},
                            {"normal", {0.1, 0.7}},
                            {"unit_vector", {}},
                            {"on_disk", {}},
                            {"gamma", {0.01, 0.1}},
                            {"gamma", {3.3, 0.1}},
                            {"chi_square", {0.05}},
                            {"beta", {0.01, 0.02}},
                            {"beta", {1e-3, 5}},
                            {"student", {0.7}},
                            {"log_normal", {-700, 9}},
                            {"truncated_normal", {0.1, 0.3, 1, 2}},
                            {"truncated_normal", {-1e8, 1, 0, 1}},
                            {"cauchy", {0.1, 0.3}},
                            {"von_mises", {0.1, 0.7}},
                            {"bernoulli", {0.1}, false},
                            {"poisson", {0.3}, false},
                            {"poisson", {1e5}, false},
                            {"binomial", {30, 0.1}, false},
                            {"binomial", {1e9, 0.3}, false},
                            {"geometric", {0.01}, false},
                            {"below", {1e15}, false}};

using Bytes = std::vector<unsigned char>;

/// Draws from all distributions, and then numbers of all types from few and many streams, with and
/// without a buffer.
Bytes numbers() {
  constexpr std::int64_t count = 3000;
  Bytes all;
  std::vector<double> room(3 * count);  // a unit vector has three components
  const auto append_room = [&] {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(room.data());
    all.insert(all.end(), bytes, bytes + room.size() * sizeof(double));
    room.assign(room.size(), 0);
  };
  rivulet_options options = default_options();
  options.generator = "philox4x32";
  options.type = RIVULET_OWN;
  rivulet_sequence sequence = created("laws", &options);
  for (const Law& law : laws) {
    for (const int type : {RIVULET_DOUBLE, RIVULET_FLOAT}) {
      SUCCEEDS(rivulet_draw(sequence, law.name, static_cast<std::int64_t>(law.parameters.size()),
                            law.parameters.data(), law.is_real ? type : RIVULET_UINT64, count,
                            room.data()));
      append_room();
    }
  }
  auto* const state = reinterpret_cast<void*>(static_cast<std::intptr_t>(sequence));
  for (double& number : room) number = rivulet_next_double(state);
  append_room();
  SUCCEEDS(rivulet_destroy(sequence));
  for (const std::int64_t instances : {1, 4096}) {
    for (const int interval : {RIVULET_CLOSED_OPEN, RIVULET_OPEN, RIVULET_CLOSED}) {
      options.type = RIVULET_DOUBLE;
      options.interval = interval;
      options.instances = instances;
      options.asynchronous = interval == RIVULET_OPEN ? 1 : 0;
      SUCCEEDS(rivulet_create("numbers", &options, &sequence));
      std::vector<double> many(1 << 18);
      for (int i = 0; i < 3; ++i) {
        SUCCEEDS(rivulet_get_double(sequence, static_cast<std::int64_t>(many.size()), many.data()));
      }
      const auto* const bytes = reinterpret_cast<const unsigned char*>(many.data());
      all.insert(all.end(), bytes, bytes + many.size() * sizeof(double));
      SUCCEEDS(rivulet_destroy(sequence));
    }
  }
  return all;
}

struct Host {
  std::uint64_t state = 42;
  int mode;
  Bytes results = {};
};

std::int64_t draw(void* user, std::int64_t count, std::uint32_t* words) {
  Host& host = *static_cast<Host*>(user);
  CHECK(has_mode(host.mode));
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint64_t z = host.state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    words[i] = static_cast<std::uint32_t>(z >> 32);
  }
  return count;
}

void record(void* user, const char*, double statistic, double p, int) {
  Host& host = *static_cast<Host*>(user);
  CHECK(has_mode(host.mode));
  for (const double number : {statistic, p}) {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(&number);
    host.results.insert(host.results.end(), bytes, bytes + sizeof(number));
  }
}

Bytes p_values(int mode) {
  Host host{.mode = mode};
  if (!RIVULET_TEST_BATTERY) return {};
  set_mode_everywhere(FE_TONEAREST);
  set_mode(mode);
  SUCCEEDS(rivulet_battery("small.6", draw, record, &host));
  return host.results;
}

}  // namespace

int main() {
  const int initial_mode = FE_UPWARD;  // the initial mode of OpenMP's threads
  set_mode_everywhere(initial_mode);
  const Bytes expected_numbers = numbers();
  CHECK(has_mode_everywhere(initial_mode));
  const Bytes expected_p_values = p_values(initial_mode);
  for (const int mode : modes) {
    set_mode_everywhere(mode);
    const Bytes mode_numbers = numbers();
    CHECK(has_mode_everywhere(mode));
    const Bytes mode_p_values = p_values(mode);
    if (RIVULET_TEST_BATTERY) CHECK(has_mode(mode));
    set_mode_everywhere(FE_TONEAREST);
    CHECK(mode_numbers == expected_numbers);
    CHECK(mode_p_values == expected_p_values);
  }
  return failures == 0 ? 0 : 1;
}
