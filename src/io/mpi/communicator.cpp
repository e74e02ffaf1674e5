// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/mpi/communicator.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "io/mpi/launcher.hpp"
#include "io/mpi/node.hpp"
#include "io/mpi/stop_signals.hpp"
#include "io/mpi/timing.hpp"
#include "io/words/messages.hpp"
#include "io/words/standard_streams.hpp"

namespace rivulet::io {
namespace {

constexpr std::size_t piece_size = std::size_t{4} << 20;

/// Calls action(piece) for consecutive pieces of at most `max_elements` elements.
template <class T, class Action>
void for_each_piece(std::span<T> elements, std::size_t max_elements, const Action& action) {
  while (!elements.empty()) {
    const auto piece = elements.first(std::min(elements.size(), max_elements));
    action(piece);
    elements = elements.subspan(piece.size());
  }
}

#if RIVULET_ENABLE_MPI

constexpr int piece_tag = 1;
constexpr int request_tag = 2;
constexpr double agree_timeout_seconds = 12;  // most steps take milliseconds

/// Replaces MPI's default error handler, which would end the run with the MPI error code as status.
void abort_on_mpi_failure(MPI_Comm*, int*, ...) {
  Communicator::world().abort(
      "MPI failed (it ran out of memory, or the network failed). Run again.");
}

bool mpi_is_running() {
  int started = 0;
  int finished = 0;
  MPI_Initialized(&started);
  MPI_Finalized(&finished);
  return started != 0 && finished == 0;
}

template <class T>
MPI_Datatype datatype() {
  if constexpr (std::same_as<T, double>) return MPI_DOUBLE;
  return sizeof(T) == 8 ? MPI_UINT64_T : MPI_UINT32_T;
}

/// Sends the bytes to root piece by piece, on root's request, until root declines.
void send_to_root(MPI_Comm comm, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    int wants_more = 0;
    MPI_Recv(&wants_more, 1, MPI_INT, 0, request_tag, comm, MPI_STATUS_IGNORE);
    if (wants_more == 0) return;
    const auto piece = bytes.first(std::min(bytes.size(), piece_size));
    MPI_Send(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, 0, piece_tag, comm);
    bytes = bytes.subspan(piece.size());
  }
}

/// Root's side of send_to_root(): passes `size` bytes of one rank to the sink.
void receive_from(MPI_Comm comm, int rank, std::uint64_t size, std::vector<std::byte>& buffer,
                  const std::function<void(std::span<const std::byte>)>& sink,
                  std::exception_ptr& failure) {
  while (size > 0) {
    const int wants_more = failure == nullptr ? 1 : 0;
    MPI_Send(&wants_more, 1, MPI_INT, rank, request_tag, comm);
    if (wants_more == 0) return;
    buffer.resize(piece_size);
    const std::size_t piece = std::min<std::uint64_t>(size, piece_size);
    MPI_Recv(buffer.data(), static_cast<int>(piece), MPI_BYTE, rank, piece_tag, comm,
             MPI_STATUS_IGNORE);
    failure = failure_of([&] { sink(std::span(buffer).first(piece)); });
    size -= piece;
  }
}

#endif

enum class Operation { sum, min, max };

/// Reduces element by element, in place.
template <class T>
void reduce(const Communicator& ranks, [[maybe_unused]] std::span<T> values,
            [[maybe_unused]] Operation operation) {
  if (ranks.size() == 1) return;
#if RIVULET_ENABLE_MPI
  // MPI allocates a buffer of one piece.
  constexpr std::size_t max_elements = piece_size / sizeof(T);
  const MPI_Op mpi_operation = operation == Operation::sum   ? MPI_SUM
                               : operation == Operation::min ? MPI_MIN
                                                             : MPI_MAX;
  for_each_piece(values, max_elements, [&](std::span<T> piece) {
    MPI_Allreduce(MPI_IN_PLACE, piece.data(), static_cast<int>(piece.size()), datatype<T>(),
                  mpi_operation, ranks.handle());
  });
#endif
}
template <class T>
T reduced(const Communicator& ranks, T value, Operation operation) {
  reduce(ranks, std::span(&value, 1), operation);
  return value;
}

}  // namespace

#if RIVULET_ENABLE_MPI

MpiSession::MpiSession(int& argc, char**& argv) {
  int started = 0;
  MPI_Initialized(&started);
  if (started != 0) return;
  set_singleton_variables();
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  owner_ = true;
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(abort_on_mpi_failure, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  if (provided < MPI_THREAD_FUNNELED) {
    MPI_Finalize();
    throw Error("MPI does not support threads", "MPI_Init_thread granted only MPI_THREAD_SINGLE",
                "Use an MPI built with thread support.");
  }
}

MpiSession::~MpiSession() {
  if (owner_ && mpi_is_running()) MPI_Finalize();
}

Communicator::Communicator(MPI_Comm comm) : comm_(comm) {
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
}

Communicator Communicator::world() {
  return mpi_is_running() ? Communicator(MPI_COMM_WORLD) : Communicator();
}

Communicator Communicator::self() {
  return mpi_is_running() ? Communicator(MPI_COMM_SELF) : Communicator();
}

#else

MpiSession::MpiSession(int&, char**&) {}
MpiSession::~MpiSession() = default;

Communicator Communicator::world() { return {}; }
Communicator Communicator::self() { return {}; }

#endif

void Communicator::abort(const std::string& why) const {
  write_message(fmt::format("rivulet: rank {} on {}: {}\n", rank_, host_name(), printable(why)));
  if (void (*const remove)() = remove_at_abort) remove();
#if RIVULET_ENABLE_MPI
  if (mpi_is_running()) MPI_Abort(size_ > 1 ? comm_ : MPI_COMM_WORLD, 1);
#endif
  std::_Exit(1);
}

void Communicator::barrier() const {
#if RIVULET_ENABLE_MPI
  if (size_ > 1) MPI_Barrier(comm_);
#endif
}

void Communicator::broadcast([[maybe_unused]] std::span<std::byte> bytes) const {
  if (size_ == 1) return;
#if RIVULET_ENABLE_MPI
  constexpr std::size_t max_bytes = std::size_t{1} << 30;  // MPI counts are ints
  for_each_piece(bytes, max_bytes, [this](std::span<std::byte> piece) {
    MPI_Bcast(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, 0, comm_);
  });
#endif
}

std::string Communicator::broadcast(std::string text) const {
  if (size_ == 1) return text;
  std::uint64_t size = text.size();
  broadcast(std::as_writable_bytes(std::span(&size, 1)));
  text.resize(size);
  broadcast(std::as_writable_bytes(std::span(text)));
  return text;
}

std::uint64_t Communicator::sum(std::uint64_t value) const {
  return reduced(*this, value, Operation::sum);
}
std::uint64_t Communicator::min(std::uint64_t value) const {
  return reduced(*this, value, Operation::min);
}
std::uint64_t Communicator::max(std::uint64_t value) const {
  return reduced(*this, value, Operation::max);
}
double Communicator::max(double value) const { return reduced(*this, value, Operation::max); }

void Communicator::sum(std::span<std::uint64_t> values) const {
  reduce(*this, values, Operation::sum);
}
void Communicator::sum(std::span<double> values) const { reduce(*this, values, Operation::sum); }
void Communicator::max(std::span<double> values) const { reduce(*this, values, Operation::max); }

void Communicator::stream_to_root(
    std::span<const std::byte> local,
    const std::function<void(std::span<const std::byte>)>& sink) const {
  if (size_ == 1) return together([&] { for_each_piece(local, piece_size, sink); });
#if RIVULET_ENABLE_MPI
  const std::uint64_t local_size = local.size();
  std::vector<std::uint64_t> sizes(is_root() ? static_cast<std::size_t>(size_) : 0);
  MPI_Gather(&local_size, 1, MPI_UINT64_T, sizes.data(), 1, MPI_UINT64_T, 0, comm_);
  if (!is_root()) {
    send_to_root(comm_, local);
    return agree(nullptr, Prefix::none);
  }
  std::exception_ptr failure = failure_of([&] { for_each_piece(local, piece_size, sink); });
  std::vector<std::byte> buffer;
  for (int rank = 1; rank < size_; ++rank) {
    receive_from(comm_, rank, sizes[static_cast<std::size_t>(rank)], buffer, sink, failure);
  }
  agree(failure, Prefix::none);
#endif
}

bool Communicator::all(bool value) const { return min(std::uint64_t{value}) == 1; }

std::vector<std::string> Communicator::gather(const std::string& text) const {
  const std::uint64_t size = text.size();
  const auto sizes = gather(std::span(&size, 1));
  const auto characters = gather(std::span<const char>(text));
  std::vector<std::string> texts;
  auto next = characters.begin();
  for (const auto text_size : sizes) {
    const auto end = next + static_cast<std::ptrdiff_t>(text_size);
    texts.emplace_back(next, end);
    next = end;
  }
  return texts;
}

void Communicator::follow_root(const std::exception_ptr& failure) const {
  const std::string message = broadcast(failure ? failure_text(failure) : std::string());
  if (!message.empty()) throw AgreedError(message, size_);
}

void Communicator::agree(const std::exception_ptr& failure, Prefix prefix) const {
  try {
    if (failure) std::rethrow_exception(failure);
  } catch (const AgreedError& agreed) {
    if (agreed.ranks() == size_) throw;  // every rank has this failure
  } catch (...) {                        // other ranks may not know of this failure
  }
  auto first = static_cast<std::uint64_t>(failure ? rank_ : size_);
#if RIVULET_ENABLE_MPI
  if (size_ > 1) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(MPI_IN_PLACE, &first, 1, MPI_UINT64_T, MPI_MIN, comm_, &request);
    int done = 0;
    for (const Stopwatch since; failure && done == 0;
         MPI_Test(&request, &done, MPI_STATUS_IGNORE)) {
      if (since.seconds() > agree_timeout_seconds) abort(failure_text(failure));
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
#endif
  if (first == static_cast<std::uint64_t>(size_)) return;

  const std::string local_message = failure ? failure_text(failure) : std::string();
  std::string message = local_message;
  std::string with_rank = fmt::format("rank {} on {}: {}", rank_, host_name(), local_message);
#if RIVULET_ENABLE_MPI
  for (std::string* text : {&message, &with_rank}) {
    if (size_ == 1) break;
    std::uint64_t length = text->size();
    MPI_Bcast(&length, 1, MPI_UINT64_T, static_cast<int>(first), comm_);
    text->resize(length);
    MPI_Bcast(text->data(), static_cast<int>(length), MPI_CHAR, static_cast<int>(first), comm_);
  }
#endif
  const bool is_same_failure = all(failure != nullptr && message == local_message);
  throw AgreedError(is_same_failure || prefix == Prefix::none ? message : with_rank, size_);
}

}  // namespace rivulet::io
