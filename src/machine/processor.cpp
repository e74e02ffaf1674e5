// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine/processor.hpp"

#include <unistd.h>

#include <cstdio>

#define RIVULET_CHECK(macro, name)                                                        \
  if (*features++ == '1' && !__builtin_cpu_supports(name)) {                              \
    return "Rivulet cannot run on this processor (it was built for " #macro               \
           ", which this processor lacks). Build with RIVULET_NATIVE=OFF or RIVULET_ARCH" \
           "=x86-64.";                                                                    \
  }

const char* rivulet::refusal_of([[maybe_unused]] const char* features) noexcept {
#if defined(__x86_64__)
  __builtin_cpu_init();
  RIVULET_FEATURES(RIVULET_CHECK)
#endif
  return nullptr;
}

void rivulet::require_processor(const char* features) noexcept {
  const char* const why = refusal_of(features);
  if (why == nullptr) return;
  dprintf(STDERR_FILENO, "rivulet: %s\n", why);
  _exit(1);
}
