// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "capi/calls.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <exception>
#include <string_view>
#include <system_error>
#include <utility>

#include "io/words/messages.hpp"
#include "machine/out_of_memory.hpp"
#include "machine/processor.hpp"
#include "sequences/sequence_error.hpp"

namespace rivulet::capi {
namespace {

constexpr std::size_t longest_name = 255;

/// Maps the deck keys that messages of plans name to the corresponding members of rivulet_options.
constexpr std::pair<std::string_view, std::string_view> members_by_key[] = {
    {"streams.generator", "generator"}, {"streams.parameters", "parameters"},
    {"streams.seeding", "seeding"},     {"streams.seed", "seed"},
    {"streams.count", "instances"},     {"streams.first", "first_stream"},
    {"streams.log2_jump", "log2_jump"}};

/// This thread's last message. The buffer is fixed, because storing a message must not allocate;
/// longer messages are truncated.
thread_local std::array<char, 2048> message{};

void copy_message(std::string_view text) noexcept {
  const std::size_t size = text.size() < message.size() ? text.size() : message.size() - 1;
  std::memcpy(message.data(), text.data(), size);
  message[size] = '\0';
}

void store_message(std::string_view text) noexcept {
  try {
    copy_message(io::printable_line(named_as_options(std::string(text))));
  } catch (...) {  // no memory for a copy
    copy_message(text);
  }
}

static_assert(static_cast<int>(Fault::null_pointer) == RIVULET_ERROR_NULL_POINTER &&
              static_cast<int>(Fault::kokkos) == RIVULET_ERROR_KOKKOS &&
              static_cast<int>(Fault::forked) == RIVULET_ERROR_FORKED);

constexpr const char* no_thread =
    "no thread can be started (the system allows no more, or has no room for its stack). Raise the "
    "limit on processes and threads (ulimit -u), or omit asynchronous.";

/// True if the exception says that std::thread could not start a thread.
bool is_thread_shortage(const std::exception& failure) noexcept {
  const auto* const error = dynamic_cast<const std::system_error*>(&failure);
  return error != nullptr && error->code() == std::errc::resource_unavailable_try_again;
}

}  // namespace

std::string named_as_options(std::string text) {
  // Skips matches inside a user's path.
  constexpr std::string_view path_characters =
      "/.-_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const auto in_path = [&](std::size_t at) {
    return at < text.size() && path_characters.find(text[at]) != std::string_view::npos;
  };
  for (const auto& [key, member] : members_by_key) {
    for (auto at = text.find(key); at != std::string::npos; at = text.find(key, at)) {
      const std::size_t end = at + key.size();
      const bool is_key = (at == 0 || !in_path(at - 1)) &&
                          (!in_path(end) || (text[end] == '.' && !in_path(end + 1)));
      if (is_key) text.replace(at, key.size(), member);
      at += is_key ? member.size() : key.size();
    }
  }
  return text;
}

int store_error(rivulet_status for_errors) noexcept {
  try {
    throw;
  } catch (const SequenceError& error) {
    store_message(error.what());
    return static_cast<int>(error.fault());
  } catch (const OutOfMemory& error) {
    store_message(error.what());
    return RIVULET_ERROR_OUT_OF_MEMORY;
  } catch (const Error& error) {
    store_message(error.what());
    return for_errors;
  } catch (const std::exception& error) {
    if (io::is_out_of_memory(error)) {
      store_message(
          "out of memory (the machine has none left). Lower count, instances or buffer_numbers, or "
          "destroy sequences.");
      return RIVULET_ERROR_OUT_OF_MEMORY;
    }
    store_message(is_thread_shortage(error) ? no_thread : error.what());
  } catch (...) {
    store_message("unknown failure (it gave no reason). Report it to Rivulet's authors.");
  }
  return RIVULET_ERROR_OTHER;
}

bool runs_here() noexcept {
  const char* const why = refusal_of(compiled_features);
  if (why != nullptr) copy_message(why);
  return why == nullptr;
}

const char* last_message() noexcept { return message.data(); }

const char* type_word(NumberType type) {
  constexpr std::array names{"uint32", "uint64", "float", "double"};
  return names[static_cast<std::size_t>(type)];
}

void require_not_null(const void* pointer, const char* name) {
  if (pointer != nullptr) return;
  throw SequenceError(Fault::null_pointer, fmt::format("{} is NULL", name),
                      "it must point to something", "Pass the address of a variable or text.");
}

void require_positive(long long count, const char* name) {
  if (count > 0) return;
  throw SequenceError(Fault::count, fmt::format("{}={}", name, count), "it must be positive",
                      fmt::format("Pass 1 or more as {}.", name));
}

void reset(rivulet_sequence* sequence) {
  require_not_null(sequence, "sequence");
  *sequence = 0;
}

std::mutex& file_mutex() {
  static std::mutex mutex;
  return mutex;
}

std::string checked_name(const char* name) {
  require_not_null(name, "name");
  std::string text(name, strnlen(name, longest_name + 1));
  const bool is_link = text == "." || text == "..";
  if (text.empty() || text.size() > longest_name || is_link ||
      text.find('/') != std::string::npos) {
    throw SequenceError(Fault::option, fmt::format("invalid sequence name \"{}\"", text),
                        "names have 1 to 255 characters and no '/', and are not \".\" or \"..\"",
                        "Pass a name such as \"photons\".");
  }
  handle_table().require_free(text);
  return text;
}

}  // namespace rivulet::capi
