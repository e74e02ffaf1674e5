// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A Kokkos tool that counts a program's kernel launches. At the end it appends a line "COUNT LABEL"
// for each label to the file that RIVULET_KERNEL_LABELS names. Kokkos loads the tool from the path
// in KOKKOS_TOOLS_LIBS (before 3.7, KOKKOS_PROFILE_LIBRARY). The functions' names and arguments are
// those of Kokkos_Profiling_C_Interface.h, unchanged from Kokkos 3 to 5.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

namespace {

std::mutex one_at_a_time;
std::map<std::string, std::uint64_t>& launches() {
  static std::map<std::string, std::uint64_t> by_label;
  return by_label;
}

void count(const char* label) {
  const std::lock_guard lock(one_at_a_time);
  ++launches()[label];
}

}  // namespace

extern "C" {

void kokkosp_begin_parallel_for(const char* label, std::uint32_t, std::uint64_t*) { count(label); }
void kokkosp_begin_parallel_reduce(const char* label, std::uint32_t, std::uint64_t*) {
  count(label);
}
void kokkosp_begin_parallel_scan(const char* label, std::uint32_t, std::uint64_t*) { count(label); }

void kokkosp_finalize_library() {
  const char* const path = std::getenv("RIVULET_KERNEL_LABELS");
  if (path == nullptr) return;
  std::string text;
  for (const auto& [label, times] : launches()) text += std::to_string(times) + " " + label + "\n";
  std::FILE* const file = std::fopen(path, "a");  // ranks add to the same file
  if (file == nullptr) return;
  std::fwrite(text.data(), 1, text.size(), file);
  std::fclose(file);
}
}
