// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <thread>

#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define RIVULET_IN_DEVICE_CODE 1
#else
#define RIVULET_IN_DEVICE_CODE 0
#endif

// Communication through scratch memory between the threads of a team, without barriers. Kokkos'
// atomics are not used, because their scope is a whole device. Their fences flush a
// multiprocessor's cache, and their loads are compare-and-swap loops (Kokkos 4 and 5 for CUDA).
// With the scope of a team, each operation is one instruction. On CUDA, scratch memory is a block's
// shared memory.

namespace rivulet::detail {

#if RIVULET_IN_DEVICE_CODE
/// An acquire-release fence for the threads of a team.
KOKKOS_FORCEINLINE_FUNCTION void team_fence() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  asm volatile("fence.acq_rel.cta;" ::: "memory");  // __threadfence_block() is stronger, and slower
#else
  __threadfence_block();
#endif
}
#endif

#if defined(__CUDA_ARCH__)
template <class T>
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t shared_address(const T* to) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(to));
}
#endif

/// A relaxed load of a word that other threads may write at the same time.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T relaxed_load(const T* from) {
#if RIVULET_IN_DEVICE_CODE
  return *static_cast<const volatile T*>(from);
#else
  return __atomic_load_n(from, __ATOMIC_RELAXED);
#endif
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void relaxed_store(T* to, T value) {
#if RIVULET_IN_DEVICE_CODE
  *static_cast<volatile T*>(to) = value;
#else
  __atomic_store_n(to, value, __ATOMIC_RELAXED);
#endif
}

/// A load with acquire semantics, paired with store_release() or add_release().
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T load_acquire(const T* from) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  T value;
  if constexpr (sizeof(T) == 4) {
    asm volatile("ld.acquire.cta.shared.u32 %0, [%1];"
                 : "=r"(value)
                 : "r"(shared_address(from))
                 : "memory");
  } else {
    asm volatile("ld.acquire.cta.shared.u64 %0, [%1];"
                 : "=l"(value)
                 : "r"(shared_address(from))
                 : "memory");
  }
  return value;
#elif RIVULET_IN_DEVICE_CODE
  const T value = relaxed_load(from);
  team_fence();
  return value;
#else
  return __atomic_load_n(from, __ATOMIC_ACQUIRE);
#endif
}

/// A store with release semantics, paired with load_acquire().
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void store_release(T* to, T value) {
#if RIVULET_IN_DEVICE_CODE
  team_fence();
  relaxed_store(to, value);
#else
  __atomic_store_n(to, value, __ATOMIC_RELEASE);
#endif
}

/// A relaxed atomic addition; returns the previous value.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t add_relaxed(std::uint32_t* to, std::uint32_t value) {
#if RIVULET_IN_DEVICE_CODE
  return atomicAdd(to, value);
#else
  return __atomic_fetch_add(to, value, __ATOMIC_RELAXED);
#endif
}
/// An atomic addition with release semantics.
KOKKOS_FORCEINLINE_FUNCTION void add_release(std::uint32_t* to, std::uint32_t value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  asm volatile("red.release.cta.shared.add.u32 [%0], %1;" ::"r"(shared_address(to)), "r"(value)
               : "memory");
#elif RIVULET_IN_DEVICE_CODE
  team_fence();
  atomicAdd(to, value);
#else
  __atomic_fetch_add(to, value, __ATOMIC_ACQ_REL);
#endif
}

/// Pauses in a polling loop after `polls` polls. On CUDA, the pause is longer after more polls.
/// Warps that poll without a pause slow down the warps that work.
KOKKOS_FORCEINLINE_FUNCTION void pause_polling([[maybe_unused]] int polls) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  __nanosleep(20u << (polls < 4 ? polls : 4));  // 20 ns: about the latency of scratch memory
#elif defined(__HIP_DEVICE_COMPILE__)
  __builtin_amdgcn_s_sleep(1);
#elif !RIVULET_IN_DEVICE_CODE
  std::this_thread::yield();
#endif
}

}  // namespace rivulet::detail
