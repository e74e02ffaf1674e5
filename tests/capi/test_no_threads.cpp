// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A sequence that draws ahead needs a thread. If the system cannot start one, for example because
// of a limit on processes, the sequence reports the failure. Once a thread can start, the sequence
// draws the same numbers.

#include <pthread.h>

#include <array>
#include <cstddef>

#include "check.h"

#ifdef __GLIBC__
namespace {

using Numbers = std::array<double, 300>;

rivulet_sequence created(const char* name, int asynchronous) {
  rivulet_options options = default_options();
  options.buffer_numbers = 100;
  options.asynchronous = asynchronous;
  return created(name, &options);
}

/// Sets the stack size of all threads started from now on.
void set_stack(std::size_t bytes) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  CHECK(pthread_attr_setstacksize(&attributes, bytes) == 0);
  CHECK(pthread_setattr_default_np(&attributes) == 0);
  pthread_attr_destroy(&attributes);
}

}  // namespace

int main() {
  Numbers expected{};
  Numbers numbers{};
  SUCCEEDS(rivulet_get_double(created("plain", 0), expected.size(), expected.data()));
  const rivulet_sequence ahead = created("ahead", 1);
  set_stack(std::size_t{1} << 46);  // 2^46 B, more than any machine has
  FAILS(RIVULET_ERROR_OTHER, rivulet_get_double(ahead, numbers.size(), numbers.data()));
  CHECK(strstr(rivulet_message(), "no thread can be started") == rivulet_message());
  set_stack(std::size_t{1} << 21);
  SUCCEEDS(rivulet_get_double(ahead, numbers.size(), numbers.data()));
  CHECK(numbers == expected);
  return failures == 0 ? 0 : 1;
}
#else
int main() { return 77; }
#endif
