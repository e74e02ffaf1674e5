// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <rivulet.h>

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <rivulet/battery.hpp>
#include <rivulet/create.hpp>
#include <rivulet/rivulet.hpp>
#include <string>
#include <vector>

namespace {

constexpr std::uint64_t seed = 42;
constexpr int numbers = 100;

/// Returns the sum of the first `numbers` numbers of each of `count` streams, drawn in a kernel
/// with these parameter sets (the shipped ones if empty).
std::uint64_t tally(std::uint64_t count, const rivulet::DcmtSets& sets) {
  const Kokkos::DefaultExecutionSpace exec;
  const rivulet::Streams<rivulet::Dcmt521> streams(exec,
                                                   {.count = count, .seed = seed, .sets = sets});
  std::uint64_t sum = 0;
  Kokkos::parallel_reduce(
      "tally", Kokkos::RangePolicy<Kokkos::IndexType<std::uint64_t>>(exec, 0, count),
      KOKKOS_LAMBDA(const std::uint64_t s, std::uint64_t& partial) {
        auto rng = streams.open(s);
        for (int i = 0; i < numbers; ++i) partial += rng();
        streams.close(s, rng);
      },
      sum);
  return sum;
}

/// Returns the same sum of numbers that the compiled library draws. It may be built for another
/// processor. `parameters` is as in rivulet_options.
std::uint64_t library_tally(std::int64_t count, const std::string& parameters) {
  rivulet_options options;
  rivulet_sequence sequence = 0;
  std::vector<std::uint32_t> words(static_cast<std::size_t>(count) * numbers);
  rivulet_options_default(&options);
  options.generator = "dcmt521";
  options.parameters = parameters.c_str();
  options.seed = seed;
  options.instances = count;
  options.type = RIVULET_UINT32;
  const std::string name = "sequence " + std::to_string(count);
  if (rivulet_create(name.c_str(), &options, &sequence) != RIVULET_OK ||
      rivulet_get_uint32(sequence, static_cast<std::int64_t>(words.size()), words.data()) !=
          RIVULET_OK) {
    std::printf("%s\n", rivulet_message());
  }
  std::uint64_t sum = 0;
  for (const std::uint32_t word : words) sum += word;
  return sum;
}

bool is_the_same(const char* what, std::uint64_t ours, std::uint64_t librarys) {
  std::printf("%s: %llu, the library's %llu\n", what, static_cast<unsigned long long>(ours),
              static_cast<unsigned long long>(librarys));
  return ours == librarys;
}

bool is_refused(const std::string& file) {
  try {
    rivulet::read_dcmt_sets(file);
  } catch (const rivulet::Error& error) {
    std::printf("%s\n", error.what());
    return true;
  }
  return false;
}

bool passes_a_test() {
  const rivulet::Streams<rivulet::Philox4x32> streams({.count = 100});
  try {
    const std::vector<rivulet::BatteryPValue> found = rivulet::battery(streams, "small.8");
    return found.size() == 1 && found[0].name == "small.8 MatrixRank" && !found[0].fails;
  } catch (const rivulet::Error& error) {
    return std::string(error.what()).find("RIVULET_BATTERY=OFF") != std::string::npos;
  }
}

bool run(const std::string& file) {
  const rivulet::DcmtSets created = rivulet::create_dcmt_sets(521, 600, 4, 7);
  const rivulet::DcmtSets read = rivulet::read_dcmt_sets(file);
  const rivulet::DcmtSets& published = rivulet::published_dcmt521();

  return is_the_same("shipped sets", tally(1000, {}), 215096228565822u) &&  // as in tallies.cpp
         is_the_same("shipped sets", tally(512, {}), library_tally(512, "shipped")) &&
         is_the_same("published sets", tally(32, published), library_tally(32, "published")) &&
         is_the_same("created sets", tally(4, created), library_tally(4, file)) &&
         created.sets == read.sets && is_refused("nowhere.h5") && passes_a_test();
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  try {
    return argc == 2 && run(argv[1]) ? 0 : 1;
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
}
