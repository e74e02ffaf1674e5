// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Another thread makes the first sequence, which starts Kokkos. Every generator then has the same
// results in the main thread as in that thread, both while that thread runs and after it has ended.

#include <future>
#include <thread>

#include "check.h"
#include "every_generator.hpp"

namespace {

struct Expected {
  Trial trial;
  Life life;
};

std::vector<Expected> lives_of_all() {
  std::vector<Expected> all;
  for (std::int64_t i = 0; i < rivulet_generator_count(); ++i) {
    for (const Trial& trial : trials_of(rivulet_generator_name(i))) {
      all.push_back({trial, life_of("first", trial.options)});
    }
  }
  return all;
}

void compare_in_main(const std::vector<Expected>& all, const char* when) {
  CHECK(static_cast<std::int64_t>(all.size()) >= 6 * rivulet_generator_count());
  for (const Expected& one : all) {
    failures += failures_of(one.life, one.life, one.trial.what + ", first thread");
    failures += failures_of(life_of("main", one.trial.options), one.life,
                            one.trial.what + ", main " + when);
  }
}

}  // namespace

int main() {
  std::promise<std::vector<Expected>> made;
  std::promise<void> compared;
  std::thread first([&made, &compared] {
    made.set_value(lives_of_all());
    compared.get_future().wait();
  });
  const std::vector<Expected> all = made.get_future().get();
  compare_in_main(all, "beside the first thread");
  compared.set_value();
  first.join();
  compare_in_main(all, "after the first thread's end");
  SUCCEEDS(rivulet_finalize());
  return failures == 0 ? 0 : 1;
}
