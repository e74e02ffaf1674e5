// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kokkos_compat.hpp"

namespace rivulet {

// The functions below copy untyped memory, because Kokkos would compile a copy for each type and
// rank of a view. Every function is blocking.

void copy_to_device(void* to, const void* from, std::size_t bytes);
void copy_to_host(void* to, const void* from, std::size_t bytes);
/// `bytes` must be a multiple of 4.
void fill_with_zeros(void* to, std::size_t bytes);

/// Copies the values to device memory and returns the copy. (The view is uninitialised at first,
/// because with Kokkos 3.4 only the thread that started Kokkos can create initialised views.)
template <class T>
Kokkos::View<T*, Space> to_device(const std::string& label, const std::vector<T>& values) {
  const Kokkos::View<T*, Space> view(Kokkos::view_alloc(label, Kokkos::WithoutInitializing),
                                     values.size());
  copy_to_device(view.data(), values.data(), values.size() * sizeof(T));
  return view;
}

/// Copies the view's elements to host memory and returns the copy.
template <class T>
std::vector<T> to_host(const Kokkos::View<T*, Space>& view) {
  std::vector<T> values(view.extent(0));
  copy_to_host(values.data(), view.data(), values.size() * sizeof(T));
  return values;
}

}  // namespace rivulet
