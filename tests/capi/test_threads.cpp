// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Threads of the program that Kokkos does not know draw from a sequence for each thread, and from a
// shared sequence. Threads also make and destroy sequences, even while another thread finalizes the
// library.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "check.h"

namespace {

constexpr int threads = 4;
constexpr std::int64_t numbers_each = 20000;

/// The statistics that the battery reported.
std::vector<double>& reported_statistics() {
  static std::vector<double> found;
  return found;
}

rivulet_options options_of(std::uint64_t seed, std::int64_t buffer, bool asynchronous) {
  rivulet_options options = default_options();
  options.seed = seed;
  options.buffer_numbers = buffer;
  options.asynchronous = asynchronous ? 1 : 0;
  return options;
}

rivulet_sequence created(const std::string& name, const rivulet_options& options) {
  return created(name.c_str(), &options);
}

std::vector<double> first_numbers(const rivulet_options& options, std::int64_t count) {
  std::vector<double> numbers(static_cast<std::size_t>(count));
  const rivulet_sequence sequence = created("all of", options);
  SUCCEEDS(rivulet_get_double(sequence, count, numbers.data()));
  SUCCEEDS(rivulet_destroy(sequence));
  return numbers;
}

template <class Body>
void in_threads(const Body& body) {
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t) running.emplace_back([&body, t] { body(t); });
  for (std::thread& one : running) one.join();
}

/// Returns false at the first failure. The main thread reports it, because CHECK is not
/// thread-safe.
bool draw(rivulet_sequence sequence, std::vector<double>& numbers, std::int64_t batch) {
  const auto count = static_cast<std::int64_t>(numbers.size());
  for (std::int64_t done = 0; done < count; done += batch) {
    const std::int64_t chunk = std::min(batch, count - done);
    if (rivulet_get_double(sequence, chunk, numbers.data() + done) != RIVULET_OK) return false;
  }
  return true;
}

void sequence_per_thread(std::int64_t buffer, bool asynchronous, std::int64_t instances) {
  std::vector<std::vector<double>> numbers(threads, std::vector<double>(numbers_each));
  std::vector<char> good(threads);
  std::vector<std::string> messages(threads);
  auto options_of_thread = [&](int t) {
    rivulet_options options = options_of(static_cast<std::uint64_t>(t), buffer, asynchronous);
    options.instances = instances;
    return options;
  };
  in_threads([&](int t) {
    const rivulet_options options = options_of_thread(t);
    rivulet_sequence sequence = 0;
    const std::string name = "thread " + std::to_string(t);
    const auto i = static_cast<std::size_t>(t);
    good[i] = rivulet_create(name.c_str(), &options, &sequence) == RIVULET_OK &&
              draw(sequence, numbers[i], 7 + t) && rivulet_destroy(sequence) == RIVULET_OK;
    if (!good[i]) messages[i] = rivulet_message();
  });
  for (int t = 0; t < threads; ++t) {
    const auto i = static_cast<std::size_t>(t);
    if (!good[i]) fprintf(stderr, "thread %d: %s\n", t, messages[i].c_str());
    CHECK(good[i]);
    CHECK(numbers[i] == first_numbers(options_of_thread(t), numbers_each));
  }
}

/// Draws from one sequence in all threads. Each number goes to exactly one thread; the order is
/// arbitrary.
void one_sequence(std::int64_t buffer, bool asynchronous) {
  const rivulet_options options = options_of(1, buffer, asynchronous);
  const rivulet_sequence sequence = created("shared", options);
  std::vector<std::vector<double>> numbers(threads, std::vector<double>(numbers_each));
  std::vector<char> good(threads);
  in_threads([&](int t) {
    const auto i = static_cast<std::size_t>(t);
    good[i] = draw(sequence, numbers[i], 10);
  });
  std::vector<double> merged;
  for (int t = 0; t < threads; ++t) {
    const auto i = static_cast<std::size_t>(t);
    CHECK(good[i]);
    merged.insert(merged.end(), numbers[i].begin(), numbers[i].end());
  }
  std::vector<double> expected = first_numbers(options, threads * numbers_each);
  std::sort(merged.begin(), merged.end());
  std::sort(expected.begin(), expected.end());
  CHECK(merged == expected);
  SUCCEEDS(rivulet_destroy(sequence));
}

/// One thread destroys a sequence that the other threads use. Their calls succeed or return
/// RIVULET_ERROR_DESTROYED.
void destroyed_in_use() {
  for (int round = 0; round < 20; ++round) {
    const rivulet_sequence sequence = created("doomed", options_of(1, 1000, round % 2 == 1));
    std::vector<char> good(threads);
    in_threads([&](int t) {
      const auto i = static_cast<std::size_t>(t);
      good[i] = 1;
      if (t == 0) {
        good[i] = rivulet_destroy(sequence) == RIVULET_OK;
        return;
      }
      double numbers[10];
      int status = RIVULET_OK;
      for (int calls = 0; calls < 2000 && status == RIVULET_OK; ++calls) {
        status = rivulet_get_double(sequence, 10, numbers);
      }
      good[i] = status == RIVULET_OK || status == RIVULET_ERROR_DESTROYED;
    });
    for (const char one : good) CHECK(one);
  }
}

std::int64_t words(void* user, std::int64_t count, std::uint32_t* to) {
  auto& state = *static_cast<std::uint32_t*>(user);
  for (std::int64_t i = 0; i < count; ++i) to[i] = state = state * 1664525 + 1013904223;
  return count;
}

/// Any thread may run the battery; its kernels use all of Kokkos' threads.
void battery_in_other_threads() {
  const auto keep = [](void*, const char*, double statistic, double, int) {
    reported_statistics().push_back(statistic);
  };
  const auto run = [&] {
    std::uint32_t state = 1;
    SUCCEEDS(rivulet_battery("small.3 small.2", words, keep, &state));
  };
  run();
  const std::vector<double> expected = std::exchange(reported_statistics(), {});
  CHECK(expected.size() == 2);
  for (int k = 0; k < 2; ++k) {
    std::thread(run).join();
    CHECK(std::exchange(reported_statistics(), {}) == expected);
  }
  run();
  CHECK(reported_statistics() == expected);
}

std::atomic<int> rounds{0};

/// Makes and destroys sequences until rivulet_create returns RIVULET_ERROR_ENDED.
void make_and_destroy(int thread, std::string& failure) {
  rivulet_options options;
  rivulet_options_default(&options);
  options.buffer_numbers = thread % 2 == 0 ? 0 : 1000;
  options.asynchronous = thread % 3 == 0 ? 1 : 0;
  const std::string name = "thread " + std::to_string(thread);
  for (;; ++rounds) {
    rivulet_sequence sequence = 0;
    const int create_status = rivulet_create(name.c_str(), &options, &sequence);
    if (create_status == RIVULET_ERROR_ENDED) return;
    double numbers[100];
    const int draw_status =
        create_status == RIVULET_OK ? rivulet_get_double(sequence, 100, numbers) : create_status;
    const int status = draw_status == RIVULET_OK ? rivulet_destroy(sequence) : draw_status;
    if (status != RIVULET_OK && status != RIVULET_ERROR_DESTROYED) {
      failure = rivulet_message();
      return;
    }
  }
}

/// Finalizes the library while threads make, use and destroy sequences. Their calls return
/// RIVULET_ERROR_DESTROYED or RIVULET_ERROR_ENDED, and the program continues.
void finalize_meanwhile() {
  std::vector<std::string> messages(threads);
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t) {
    running.emplace_back(make_and_destroy, t, std::ref(messages[static_cast<std::size_t>(t)]));
  }
  while (rounds < 10 * threads) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::vector<int> statuses(2, -1);
  std::thread other([&] { statuses[1] = rivulet_finalize(); });
  statuses[0] = rivulet_finalize();
  other.join();
  for (std::thread& one : running) one.join();
  for (const int status : statuses) CHECK(status == RIVULET_OK);
  for (const std::string& message : messages) {
    if (!message.empty()) fprintf(stderr, "%s\n", message.c_str());
    CHECK(message.empty());
  }
}

}  // namespace

int main() {
  SUCCEEDS(rivulet_initialize());
  if (RIVULET_TEST_BATTERY) battery_in_other_threads();
  for (const std::int64_t instances : {1, 3, 20}) {
    sequence_per_thread(0, false, instances);
    sequence_per_thread(2000, false, instances);
    sequence_per_thread(2000, true, instances);
  }
  one_sequence(0, false);
  one_sequence(1000, false);
  one_sequence(1000, true);
  destroyed_in_use();
  finalize_meanwhile();
  return failures == 0 ? 0 : 1;
}
