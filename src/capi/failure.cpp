// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "capi/failure.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <exception>
#include <string_view>
#include <system_error>

#include "io/terminal/messages.hpp"
#include "sequences/sequence_error.hpp"

namespace rivulet::capi {
namespace {

/// Longer messages are truncated, so that keeping a message needs no memory.
thread_local std::array<char, 2048> message{};

void keep_as_it_is(std::string_view text) noexcept {
  const std::size_t size = text.size() < message.size() ? text.size() : message.size() - 1;
  std::memcpy(message.data(), text.data(), size);
  message[size] = '\0';
}

void keep(std::string_view text) noexcept {
  try {
    keep_as_it_is(io::printable(text));
  } catch (...) {  // no memory for a copy
    keep_as_it_is(text);
  }
}

rivulet_status status_of(Fault fault) {
  switch (fault) {
    case Fault::count:
      return RIVULET_ERROR_COUNT;
    case Fault::unknown_name:
      return RIVULET_ERROR_UNKNOWN_NAME;
    case Fault::name_taken:
      return RIVULET_ERROR_NAME_TAKEN;
    case Fault::option:
      return RIVULET_ERROR_OPTION;
    case Fault::seed:
      return RIVULET_ERROR_SEED;
    case Fault::no_such_sequence:
      return RIVULET_ERROR_NO_SUCH_SEQUENCE;
    case Fault::destroyed:
      return RIVULET_ERROR_DESTROYED;
    case Fault::wrong_type:
      return RIVULET_ERROR_WRONG_TYPE;
    case Fault::out_of_memory:
      return RIVULET_ERROR_OUT_OF_MEMORY;
    case Fault::out_of_range:
      return RIVULET_ERROR_OUT_OF_RANGE;
    case Fault::space:
      return RIVULET_ERROR_SPACE;
    case Fault::not_a_state:
      return RIVULET_ERROR_NOT_A_STATE;
    case Fault::wrong_version:
      return RIVULET_ERROR_WRONG_VERSION;
    case Fault::wrong_generator:
      return RIVULET_ERROR_WRONG_GENERATOR;
    case Fault::file:
      return RIVULET_ERROR_FILE;
    case Fault::ended:
      return RIVULET_ERROR_ENDED;
    case Fault::kokkos:
      return RIVULET_ERROR_KOKKOS;
    case Fault::forked:
      return RIVULET_ERROR_FORKED;
    case Fault::null_pointer:
      return RIVULET_ERROR_NULL_POINTER;
  }
  return RIVULET_ERROR_OTHER;
}

constexpr const char* no_thread =
    "no thread can be started (the system allows no more, or has no room for its stack). Raise the "
    "limit on processes and threads (ulimit -u), or leave out asynchronous.";

/// Whether the exception says that std::thread could not start a thread.
bool tells_of_threads(const std::exception& failure) noexcept {
  const auto* const error = dynamic_cast<const std::system_error*>(&failure);
  return error != nullptr && error->code() == std::errc::resource_unavailable_try_again;
}

int keep_out_of_memory() noexcept {
  keep("out of memory (the machine has none left). Ask for less, or destroy sequences.");
  return RIVULET_ERROR_OUT_OF_MEMORY;
}

}  // namespace

int keep_failure(rivulet_status for_errors) noexcept {
  try {
    throw;
  } catch (const SequenceError& error) {
    keep(error.what());
    return status_of(error.fault());
  } catch (const Error& error) {
    keep(error.what());
    return for_errors;
  } catch (const std::exception& error) {
    if (io::tells_of_memory(error)) return keep_out_of_memory();
    keep(tells_of_threads(error) ? no_thread : error.what());
  } catch (...) {
    keep("unknown failure (it gave no reason). Report it to Rivulet's authors.");
  }
  return RIVULET_ERROR_OTHER;
}

const char* kept_message() noexcept { return message.data(); }

void require_not_null(const void* pointer, const char* name) {
  if (pointer != nullptr) return;
  throw SequenceError(Fault::null_pointer, fmt::format("{} is NULL", name),
                      "it must point to something", "Pass the address of a variable or text.");
}

void require_positive(long long count, const char* name) {
  if (count > 0) return;
  throw SequenceError(Fault::count, fmt::format("{}={}", name, count), "it must be positive",
                      "Ask for at least one.");
}

}  // namespace rivulet::capi
