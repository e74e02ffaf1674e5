// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "rivulet/detail/host_parallel.hpp"
#include "rivulet/detail/slot.hpp"
#include "rivulet/error.hpp"

namespace rivulet::detail {

template <class Exec>
using StreamRange64 = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::uint64_t>>;

template <class Exec>
inline constexpr bool is_host = std::is_same_v<typename Exec::memory_space, Kokkos::HostSpace>;

/// Returns an execution space for the host's part of an operation on `exec`: `exec` itself if it is
/// a host space.
template <class Exec>
auto host_instance([[maybe_unused]] const Exec& exec) {
  if constexpr (is_host<Exec>) {
    return exec;
  } else {
    return Kokkos::DefaultHostExecutionSpace();
  }
}

/// Throws Error unless Kokkos is running. Without Kokkos, creating a view would end the host
/// program.
inline void require_kokkos(std::string_view what) {
  if (Kokkos::is_initialized()) return;
  throw Error(std::string(what) + " cannot be made", "Kokkos is not running",
              "Call Kokkos::initialize() first, or make a Kokkos::ScopeGuard.");
}

[[noreturn]] inline void refuse_size(const std::string& what, const std::string& bytes,
                                     const std::string& memory) {
  throw Error(what + " do not fit in memory", "they take " + bytes + " B of " + memory,
              "Lower StreamsOptions::count, or use a generator with a smaller state.");
}

/// Allocates uninitialised memory, without a kernel launch. Throws Error if there is not enough.
template <class T, class Mem>
Kokkos::View<T*, Mem> allocate(const std::string& label, std::uint64_t size,
                               const std::string& what) {
  try {
    return Kokkos::View<T*, Mem>(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), size);
  } catch (const std::exception&) {
    refuse_size(what, std::to_string(size * sizeof(T)), Mem::name());
  }
}

template <class T>
using HostArray = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// Copies a view. The call is blocking, so the caller may free the source afterwards. The calling
/// thread copies host memory itself, since Kokkos would wake other threads.
template <class Exec, class To, class From>
void copy_now(const Exec& exec, const To& to, const From& from) {
  exec.fence();
  if constexpr (is_host<Exec>) {
    std::copy_n(from.data(), from.extent(0), to.data());
  } else {
    Kokkos::deep_copy(exec, to, from);
    exec.fence();
  }
}

/// Returns a copy of the values, stored in Mem.
template <class Mem, class T, class Exec>
Kokkos::View<T*, Mem> uploaded(const Exec& exec, const std::string& label,
                               const std::vector<T>& values) {
  const auto view = allocate<T, Mem>(label, values.size(), label);
  copy_now(exec, view, HostArray<const T>(values.data(), values.size()));
  return view;
}

/// States of `count` streams of `words` words each. On a device, the words k of all streams are
/// contiguous; on a CPU, all words of a stream are. With tiles of more than one stream, the words k
/// of all streams are contiguous on a CPU, too. Each such row is padded to whole tiles, which
/// vectors load. Copies share the memory.
template <class Word, class Exec, class Mem, int tile = 1>
class StreamStore {
 public:
  using Memory = Kokkos::View<Word*, Mem>;
  static constexpr bool word_by_word =
      tile != 1 || std::is_same_v<typename Exec::array_layout, Kokkos::LayoutLeft>;

  StreamStore() = default;
  StreamStore(const std::string& what, int words, std::uint64_t count)
      : StreamStore(words, count,
                    allocate<Word, Mem>("rivulet::streams", size_of(words, count, what), what)) {}
  /// Uses memory for `words` words of padded(count) streams.
  StreamStore(int words, std::uint64_t count, const Memory& memory)
      : words_(words), count_(count), view_(memory) {}

  /// Rounds a number of streams up to whole tiles.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::uint64_t padded(std::uint64_t count) {
    return (count + tile - 1) / tile * tile;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t count() const { return count_; }
  KOKKOS_FORCEINLINE_FUNCTION int words() const { return words_; }
  KOKKOS_FORCEINLINE_FUNCTION bool is_allocated() const { return view_.data() != nullptr; }
  std::uint64_t bytes() const { return view_.extent(0) * sizeof(Word); }

  KOKKOS_FORCEINLINE_FUNCTION Slot<Word> slot(std::uint64_t stream) const {
    return slot_in(view_.data(), stream);
  }
  KOKKOS_FORCEINLINE_FUNCTION Slot<Word> slot_in(Word* all, std::uint64_t stream) const {
    if constexpr (word_by_word) {
      return {all + stream, static_cast<std::size_t>(padded(count_))};
    } else {
      return {all + stream * static_cast<std::uint64_t>(words_), 1};
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION Word& word(int k, std::uint64_t stream) const {
    return slot(stream)[k];
  }
  KOKKOS_FORCEINLINE_FUNCTION void put_word(int k, std::uint64_t stream, Word word) const {
    slot(stream)[k] = word;
  }

  /// Returns a copy of the words on the host, in their order in memory.
  std::vector<Word> download(const Exec& exec) const {
    std::vector<Word> all(view_.extent(0));
    copy_now(exec, HostArray<Word>(all.data(), all.size()), view_);
    return all;
  }
  void upload(const Exec& exec, std::vector<Word>& all) const {
    copy_now(exec, view_, HostArray<Word>(all.data(), all.size()));
  }

 private:
  /// Returns the size in words. Throws Error for 2^63 bytes or more, because Kokkos computes bytes
  /// modulo 2^64 and might allocate the remainder.
  static std::uint64_t size_of(int words, std::uint64_t count, const std::string& what) {
    const auto each = static_cast<std::uint64_t>(words);
    constexpr std::uint64_t most_bytes = std::numeric_limits<std::int64_t>::max();
    if (count > most_bytes / sizeof(Word) / each) refuse_size(what, "2^63 or more", Mem::name());
    return each * padded(count);
  }

  int words_ = 0;
  std::uint64_t count_ = 0;
  Memory view_;
};

}  // namespace rivulet::detail
