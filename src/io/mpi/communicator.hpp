// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "rivulet/error.hpp"

#if RIVULET_ENABLE_MPI
// Rivulet calls MPI's C interface. The retired C++ bindings of Open MPI and MPICH only cause
// warnings.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
#endif

namespace rivulet::io {

/// The exception of agree(): every rank throws the same failure, so one rank can report it for all.
class AgreedError : public Error {
 public:
  AgreedError(std::string message, int ranks)
      : Error(message, "", ""), message_(std::move(message)), ranks_(ranks) {}
  const char* what() const noexcept override { return message_.c_str(); }
  int ranks() const { return ranks_; }  ///< size of the group that agreed

 private:
  std::string message_;  ///< the complete message, as the failed rank sent it
  int ranks_;
};

/// Starts MPI (thread level FUNNELED) and finalises it on destruction. No-op in a build without
/// MPI, or if MPI is already running. Throws Error if MPI does not grant the thread level.
class MpiSession {
 public:
  MpiSession(int& argc, char**& argv);
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

#if RIVULET_ENABLE_MPI
 private:
  bool owner_ = false;
#endif
};

/// Returns the exception that the action throws, or nullptr.
template <std::invocable F>
std::exception_ptr failure_of(F&& action) {
  try {
    std::forward<F>(action)();
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

/// A group of processes. Copies of a Communicator refer to the same group. Without MPI, or before
/// it starts, a group has one process. Every function below is collective (all ranks call it in the
/// same order) unless its comment says otherwise.
class Communicator {
 public:
  static Communicator world();
  static Communicator self();
#if RIVULET_ENABLE_MPI
  /// Wraps a communicator that the caller owns.
  explicit Communicator(MPI_Comm comm);
  MPI_Comm handle() const { return comm_; }
#endif

  int rank() const { return rank_; }           ///< local, 0..size()-1
  int size() const { return size_; }           ///< local
  bool is_root() const { return rank_ == 0; }  ///< local
  /// Local: prints the reason, the rank and its host, and ends the group's processes with status 1.
  /// A group of one process ends all processes of MPI_COMM_WORLD.
  [[noreturn]] void abort(const std::string& why) const;

  void barrier() const;

  /// Returns root's text on every rank.
  std::string broadcast(std::string text) const;
  /// Copies root's bytes to every rank; the sizes must agree.
  void broadcast(std::span<std::byte> bytes) const;

  std::uint64_t sum(std::uint64_t value) const;
  std::uint64_t min(std::uint64_t value) const;
  std::uint64_t max(std::uint64_t value) const;
  double max(double value) const;
  /// Reduces element by element, in place; the sizes must agree. Sums of doubles depend on the
  /// number of ranks: use them for timings, never for results.
  void sum(std::span<std::uint64_t> values) const;
  void sum(std::span<double> values) const;
  void max(std::span<double> values) const;
  /// True if `value` is true on every rank.
  bool all(bool value) const;

  /// On root, returns every rank's text in rank order; elsewhere, returns an empty list.
  std::vector<std::string> gather(const std::string& text) const;
  /// On root, returns every rank's elements in rank order; elsewhere, returns an empty list. Ranks
  /// may pass different numbers of elements.
  template <class T>
  std::vector<T> gather(std::span<const T> local) const;

  /// Passes every rank's bytes, in rank order and in pieces of at most 4 MiB, to root's sink. Root
  /// holds one piece at a time. If the sink throws, every rank throws the same Error.
  void stream_to_root(std::span<const std::byte> local,
                      const std::function<void(std::span<const std::byte>)>& sink) const;

  enum class Prefix { rank_unless_alike, none };
  /// Makes failures symmetric: each rank passes its failure or nullptr. If any rank failed, every
  /// rank throws an AgreedError with the message of the lowest failed rank. The message begins with
  /// "rank N on HOST: " unless all ranks failed alike or `prefix` is none. An AgreedError of this
  /// group is rethrown unchanged. A failed rank aborts the run if the other ranks do not call
  /// agree() within 12 seconds: they are then blocked in a call that waits for the failed rank.
  void agree(const std::exception_ptr& failure, Prefix prefix = Prefix::rank_unless_alike) const;
  /// Runs the action on every rank, and calls agree() with its outcome.
  template <std::invocable F>
  void together(F&& action) const {
    agree(failure_of(std::forward<F>(action)));
  }
  /// Runs the action on root alone. If it fails, every rank throws root's failure.
  template <std::invocable F>
  void on_root(F&& action) const {
    follow_root(is_root() ? failure_of(std::forward<F>(action)) : nullptr);
  }

 private:
  Communicator() = default;

  /// Throws root's failure, if there is one, on every rank. On many ranks, this function is cheaper
  /// than agree(), because root does not wait for the others.
  void follow_root(const std::exception_ptr& failure) const;

#if RIVULET_ENABLE_MPI
  MPI_Comm comm_ = MPI_COMM_NULL;
#endif
  int rank_ = 0;
  int size_ = 1;
};

template <class T>
std::vector<T> Communicator::gather(std::span<const T> local) const {
  static_assert(std::is_trivially_copyable_v<T>);
  const std::uint64_t total = sum(static_cast<std::uint64_t>(local.size()));
  std::vector<T> gathered(is_root() ? total : 0);
  auto remaining = std::as_writable_bytes(std::span<T>(gathered));
  stream_to_root(std::as_bytes(local), [&remaining](std::span<const std::byte> piece) {
    std::copy(piece.begin(), piece.end(), remaining.begin());
    remaining = remaining.subspan(piece.size());
  });
  return gathered;
}

}  // namespace rivulet::io
