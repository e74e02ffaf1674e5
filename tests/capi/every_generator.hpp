// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RIVULET_TESTS_CAPI_EVERY_GENERATOR_HPP
#define RIVULET_TESTS_CAPI_EVERY_GENERATOR_HPP

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "rivulet.h"

/// The options of a sequence to test, and their description for messages.
struct Trial {
  std::string what;
  rivulet_options options;
};

/// True if the library refuses sequences with these options, because the generator lacks the
/// seeding or has too few parameter sets for the streams.
inline bool is_refused(const rivulet_options& options) {
  rivulet_sequence sequence = 0;
  const int status = rivulet_create("tried", &options, &sequence);
  if (status == RIVULET_OK) rivulet_destroy(sequence);
  return status == RIVULET_ERROR_OPTION;
}

/// Returns trials of a generator for each seeding, for few and many streams, with and without
/// buffers.
inline std::vector<Trial> trials_of(const char* generator) {
  const std::string name = generator;
  // Kokkos uses threads to copy and fill the states of 300 streams. Streams 500 to 539 exceed the
  // 512 shipped parameter sets: from stream 512 on, dcmt twisters share sets and jump.
  struct Streams {
    std::int64_t first, count;
  };
  std::vector<Trial> trials;
  for (const std::int32_t seeding : {RIVULET_SEEDING_NATIVE, RIVULET_SEEDING_PUBLISHED}) {
    const bool published = seeding == RIVULET_SEEDING_PUBLISHED;
    rivulet_options one;
    rivulet_options_default(&one);
    one.generator = generator;
    one.seeding = seeding;
    if (is_refused(one)) continue;
    for (const Streams streams : {Streams{0, 1}, Streams{0, 300}, Streams{500, 40}}) {
      // With published seeding, a twister has only one stream per parameter set.
      one.first_stream = streams.first;
      one.instances = streams.count;
      if (published && streams.count > 1 && is_refused(one)) continue;
      for (const std::int64_t buffer : {0, 500}) {
        Trial trial;
        rivulet_options_default(&trial.options);
        trial.options.generator = generator;
        trial.options.seeding = seeding;
        trial.options.first_stream = streams.first;
        trial.options.instances = streams.count;
        trial.options.buffer_numbers = buffer;
        trial.options.asynchronous = buffer > 0 ? 1 : 0;
        trial.what = name + (published ? ", published seeding, " : ", native seeding, ") +
                     std::to_string(streams.count) + " streams from " +
                     std::to_string(streams.first) + ", buffer " + std::to_string(buffer);
        trials.push_back(trial);
      }
    }
  }
  return trials;
}

/// All numbers that a sequence delivered, and its first failure.
struct Life {
  std::vector<double> numbers;
  std::string failure;

  /// Returns true if the call succeeded. Otherwise, records the failure if it is the first.
  bool went(int status, const char* step) {
    if (status == RIVULET_OK) return true;
    if (failure.empty()) {
      failure = std::string(step) + ": " + rivulet_status_name(status) + ": " + rivulet_message();
    }
    return false;
  }
  std::vector<double> draw(rivulet_sequence sequence, std::size_t count, const char* step) {
    std::vector<double> some(count);
    went(rivulet_get_double(sequence, static_cast<std::int64_t>(count), some.data()), step);
    numbers.insert(numbers.end(), some.begin(), some.end());
    return some;
  }
  void same(bool is_same, const char* step) {
    if (!is_same && failure.empty()) failure = std::string(step) + ": other numbers";
  }
};

/// Creates a sequence, draws and skips numbers, and saves and restores the sequence.
inline Life life_of(const std::string& name, const rivulet_options& options) {
  Life life;
  rivulet_sequence sequence = 0;
  if (!life.went(rivulet_create(name.c_str(), &options, &sequence), "create")) return life;
  life.draw(sequence, 700, "draw");
  life.went(rivulet_skip(sequence, 12345), "skip");
  life.draw(sequence, 50, "draw after a skip");

  std::int64_t size = 0;
  life.went(rivulet_save_size(sequence, &size), "save_size");
  std::vector<unsigned char> bytes(static_cast<std::size_t>(size));
  life.went(rivulet_save(sequence, size, bytes.data()), "save");
  const std::vector<double> next = life.draw(sequence, 100, "draw after saving");

  life.went(rivulet_restore(sequence, size, bytes.data()), "restore");
  life.same(life.draw(sequence, 100, "draw after restoring") == next, "restore");
  // This draw is large enough for Kokkos' threads, if the caller may use them.
  life.draw(sequence, 70000, "a large draw");
  life.went(rivulet_destroy(sequence), "destroy");

  if (life.went(rivulet_create_from(name.c_str(), size, bytes.data(), &sequence), "create_from")) {
    life.same(life.draw(sequence, 100, "draw") == next, "create_from");
    life.went(rivulet_destroy(sequence), "destroy");
  }
  return life;
}

/// Returns 0 if the life had no failure and delivered the expected numbers. Otherwise, reports the
/// failure or difference to stderr and returns 1.
inline int failures_of(const Life& life, const Life& expected, const std::string& where) {
  if (!life.failure.empty()) {
    std::fprintf(stderr, "%s: %s\n", where.c_str(), life.failure.c_str());
    return 1;
  }
  if (life.numbers == expected.numbers && !life.numbers.empty()) return 0;
  std::fprintf(stderr, "%s: other numbers than expected\n", where.c_str());
  return 1;
}

#endif
