// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine/device_bytes.hpp"

#include <cstdint>
#include <cstring>

#include "rivulet/detail/this_thread.hpp"

namespace rivulet {
namespace {

template <class T, class Where>
using Unmanaged = Kokkos::View<T*, Where, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
using OnDevice = Unmanaged<unsigned char, Space>;
using OnHost = Unmanaged<unsigned char, Kokkos::HostSpace>;

/// Casts const away, because a Kokkos view cannot begin at a const void*.
unsigned char* bytes_at(const void* address) {
  return static_cast<unsigned char*>(const_cast<void*>(address));
}

/// True if the calling thread must copy by itself, because Kokkos would launch its threads for a
/// copy.
bool must_copy_on_this_thread() { return !device_build && ThisThreadOnly::active(); }

template <class To, class From>
void copy(void* to, const void* from, std::size_t bytes) {
  if (must_copy_on_this_thread()) {
    std::memcpy(to, from, bytes);
  } else {
    Kokkos::deep_copy(To(bytes_at(to), bytes), From(bytes_at(from), bytes));
  }
}

}  // namespace

void copy_to_device(void* to, const void* from, std::size_t bytes) {
  copy<OnDevice, OnHost>(to, from, bytes);
}

void copy_to_host(void* to, const void* from, std::size_t bytes) {
  copy<OnHost, OnDevice>(to, from, bytes);
}

void fill_with_zeros(void* to, std::size_t bytes) {
  if (must_copy_on_this_thread()) {
    std::memset(to, 0, bytes);
    return;
  }
  using Words = Unmanaged<std::uint32_t, Space>;
  Kokkos::deep_copy(Words(static_cast<std::uint32_t*>(to), bytes / sizeof(std::uint32_t)), 0U);
}

}  // namespace rivulet
