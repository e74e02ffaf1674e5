// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace rivulet {

/// A kernel or a fence, and the number that Kokkos Tools gives its execution-space instance.
struct KokkosEvent {
  bool is_kernel;
  std::string label;
  std::uint32_t instance;
};

/// Records Kokkos' kernels and fences during its lifetime. At most one object may exist at a time.
/// Kokkos 3.4 does not report fences.
class KokkosEvents {
 public:
  KokkosEvents() {
    all().clear();
    namespace tools = Kokkos::Tools::Experimental;
    tools::set_begin_parallel_for_callback(kernel);
    tools::set_begin_parallel_reduce_callback(kernel);
    tools::set_begin_parallel_scan_callback(kernel);
    tools::set_begin_fence_callback(fence);
  }
  ~KokkosEvents() {
    namespace tools = Kokkos::Tools::Experimental;
    tools::set_begin_parallel_for_callback(nullptr);
    tools::set_begin_parallel_reduce_callback(nullptr);
    tools::set_begin_parallel_scan_callback(nullptr);
    tools::set_begin_fence_callback(nullptr);
  }
  KokkosEvents(const KokkosEvents&) = delete;
  KokkosEvents& operator=(const KokkosEvents&) = delete;

  static const std::vector<KokkosEvent>& heard() { return all(); }

 private:
  static std::vector<KokkosEvent>& all() {
    static std::vector<KokkosEvent> events;
    return events;
  }
  static void keep(bool is_kernel, const char* label, std::uint32_t instance) {
    static std::mutex one_at_a_time;
    const std::lock_guard lock(one_at_a_time);
    all().push_back({is_kernel, label, instance});
  }
  static void kernel(const char* label, std::uint32_t instance, std::uint64_t*) {
    keep(true, label, instance);
  }
  static void fence(const char* label, std::uint32_t instance, std::uint64_t*) {
    keep(false, label, instance);
  }
};

template <class Exec>
std::uint32_t number_of_instance(const Exec& exec) {
  return Kokkos::Tools::Experimental::device_id(exec);
}

namespace detail {

using namespace Kokkos::Experimental;  // where partition_space() was before Kokkos 5

/// Returns an instance other than `exec`. If the backend, or Kokkos before 3.6, has no other
/// instance, returns `exec`.
template <class Exec>
Exec another_instance(const Exec& exec) {
  if constexpr (requires { partition_space(exec, 1, 1); }) {
    return partition_space(exec, 1, 1)[1];
  } else {
    return exec;
  }
}

}  // namespace detail

using detail::another_instance;

}  // namespace rivulet
