// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Jumps of twisters allocate their memory before threads start, because std::bad_alloc in a
// parallel region would end the host program.

#include <rivulet.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <vector>

#if defined(_OPENMP)
#include <omp.h>
static bool in_threads() { return omp_in_parallel() != 0; }
#else
static bool in_threads() { return false; }
#endif

/// Limit in bytes, above the size of a polynomial (whose failed allocation threads report) and
/// below the memory of a jump.
static constexpr std::size_t most_in_threads = 50000;

static void* allocated(std::size_t size, std::size_t alignment) {
  if (size > most_in_threads && in_threads()) throw std::bad_alloc();
  void* const memory = std::aligned_alloc(alignment, (size + alignment) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void* operator new(std::size_t size) { return allocated(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocated(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

static void require(int status) {
  if (status == RIVULET_OK) return;
  std::printf("%s\n", rivulet_message());
  std::exit(1);
}

int main() {
  rivulet_options options;
  require(rivulet_options_default(&options));
  options.generator = "mt19937";
  options.instances = 64;
  options.type = RIVULET_UINT32;
  rivulet_sequence sequence = 0;
  const int made = rivulet_create("jumping", &options, &sequence);
  if (made == RIVULET_ERROR_UNKNOWN_NAME) return 77;  // this build lacks the generator
  require(made);
  std::vector<std::uint32_t> numbers(100000);
  const auto count = static_cast<std::int64_t>(numbers.size());
  require(rivulet_get_uint32(sequence, count, numbers.data()));
  require(rivulet_skip(sequence, 1000000007));
  require(rivulet_get_uint32(sequence, count, numbers.data()));
  require(rivulet_finalize());
}
