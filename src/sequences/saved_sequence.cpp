// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sequences/saved_sequence.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "io/files/sha256.hpp"
#include "rivulet/detail/saved_streams.hpp"
#include "rivulet/version.hpp"
#include "sequences/sequence_error.hpp"

namespace rivulet {
namespace {

static_assert(std::endian::native == std::endian::little, "byte order to be swapped here");

constexpr std::string_view magic = detail::saved_sequence_magic;
/// Since version 2, generator-specific options are stored by name. Since version 3, the magic
/// differs from the magic of saved streams.
constexpr std::uint32_t format_version = 3;
constexpr std::size_t digest_size = 64;
constexpr std::size_t heading_size = magic.size() + sizeof(std::uint32_t) + sizeof(std::uint64_t);

[[noreturn]] void throw_not_a_state(const std::string& why) {
  throw SequenceError(Fault::not_a_state, "these bytes are not a saved sequence", why,
                      "Pass all bytes that were saved, unchanged.");
}

std::string digest_of(std::span<const std::byte> bytes) {
  io::Sha256 sum;
  sum.update(bytes);
  return sum.hex();
}

/// Calls visit(member) for every saved member, in order. Reading and writing share this function.
template <class Saved, class Visit>
void for_each_member(Saved& saved, const Visit& visit) {
  auto& options = saved.options;
  visit(options.generator);
  visit(options.parameters);
  visit(saved.parameters_digest);
  visit(options.type);
  visit(options.interval);
  visit(options.seeding);
  visit(options.order);
  visit(options.seed);
  visit(options.first_stream);
  visit(options.option_values);
  visit(options.instances);
  visit(options.block_length);
  visit(options.buffer_numbers);
  visit(options.asynchronous);
  visit(options.start);
  visit(saved.position);
  visit(saved.states.numbers);
  visit(saved.states.bytes);
}

class Writer {
 public:
  template <class T>
  void operator()(const T& value) {
    if constexpr (std::is_same_v<T, OptionValues>) {
      put(static_cast<std::uint64_t>(value.values().size()));
      for (const auto& [name, number] : value.values()) {
        (*this)(name);
        put(number);
      }
    } else if constexpr (std::is_enum_v<T> || std::is_same_v<T, bool>) {
      put(static_cast<std::uint32_t>(value));
    } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, Uint128>) {
      put(value);
    } else {
      put(static_cast<std::uint64_t>(value.size()));
      append(value.data(), value.size());
    }
  }
  void append(const void* from, std::size_t size) {
    const auto* const begin = static_cast<const std::byte*>(from);
    bytes.insert(bytes.end(), begin, begin + size);
  }

  std::vector<std::byte> bytes;

 private:
  template <class T>
  void put(T value) {
    append(&value, sizeof(value));
  }
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : remaining_(bytes) {}

  template <class T>
  void operator()(T& value) {
    if constexpr (std::is_same_v<T, OptionValues>) {
      for (auto remaining = get<std::uint64_t>(); remaining > 0; --remaining) {
        std::string name;
        (*this)(name);
        value.set(name, get<std::uint64_t>());
      }
    } else if constexpr (std::is_enum_v<T> || std::is_same_v<T, bool>) {
      value = static_cast<T>(get<std::uint32_t>());
    } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, Uint128>) {
      value = get<T>();
    } else {
      const auto size = get<std::uint64_t>();
      const auto* const from = take(size).data();
      value.resize(size);
      if (size > 0) std::memcpy(value.data(), from, size);
    }
  }
  template <class T>
  T get() {
    T value;
    std::memcpy(&value, take(sizeof(value)).data(), sizeof(value));
    return value;
  }

 private:
  std::span<const std::byte> take(std::uint64_t size) {
    if (size > remaining_.size()) throw_not_a_state("the sizes stored in them are inconsistent");
    const auto taken = remaining_.first(size);
    remaining_ = remaining_.subspan(size);
    return taken;
  }

  std::span<const std::byte> remaining_;
};

/// Returns the bytes between heading and digest, after verifying the digest.
std::span<const std::byte> checked_content(std::span<const std::byte> bytes) {
  if (bytes.size() < heading_size + digest_size) {
    throw_not_a_state(fmt::format("{} B are too few", bytes.size()));
  }
  const std::string_view found(reinterpret_cast<const char*>(bytes.data()), magic.size());
  if (found == detail::saved_streams_magic) {
    throw_not_a_state("they are saved streams of the C++ library");
  }
  if (found != magic && found != detail::older_saved_magic) {
    throw_not_a_state("they lack its signature");
  }
  Reader heading(bytes.subspan(magic.size()));
  const auto version_of_bytes = heading.get<std::uint32_t>();
  if (version_of_bytes != format_version) {
    throw SequenceError(Fault::wrong_version,
                        fmt::format("the sequence was saved in format {}", version_of_bytes),
                        fmt::format("Rivulet {} reads format {}", version, format_version),
                        "Restore it with the version of Rivulet that saved it.");
  }
  const auto size = heading.get<std::uint64_t>();
  if (size != bytes.size()) {
    throw_not_a_state(fmt::format("{} B are given and {} B were saved", bytes.size(), size));
  }
  const auto all_but_digest = bytes.first(bytes.size() - digest_size);
  const std::string digest = digest_of(all_but_digest);
  if (std::memcmp(bytes.data() + all_but_digest.size(), digest.data(), digest_size) != 0) {
    throw_not_a_state("their checksum is wrong");
  }
  return all_but_digest.subspan(heading_size);
}

}  // namespace

std::vector<std::byte> to_bytes(const SavedSequence& saved) {
  Writer content;
  for_each_member(saved, [&content](const auto& member) { content(member); });
  Writer all;
  all.append(magic.data(), magic.size());
  all(format_version);
  all(std::uint64_t{heading_size + content.bytes.size() + digest_size});
  all.append(content.bytes.data(), content.bytes.size());
  const std::string digest = digest_of(all.bytes);
  all.append(digest.data(), digest.size());
  return all.bytes;
}

SavedSequence from_bytes(std::span<const std::byte> bytes) {
  Reader content(checked_content(bytes));
  SavedSequence saved;
  for_each_member(saved, [&content](auto& member) { content(member); });
  return saved;
}

}  // namespace rivulet
