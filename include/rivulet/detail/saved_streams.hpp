// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rivulet/detail/rng/splitmix64.hpp"
#include "rivulet/detail/stream_store.hpp"
#include "rivulet/detail/text.hpp"
#include "rivulet/error.hpp"
#include "rivulet/streams_options.hpp"

namespace rivulet::detail {

/// The first 8 bytes of saved states distinguish the formats; a 32-bit version number follows.
inline constexpr std::string_view saved_streams_magic = "RVLT-STR";  ///< Streams of the C++ library
inline constexpr std::string_view saved_stream_magic = "RVLT-ONE";   ///< Stream of the C++ library
inline constexpr std::string_view saved_sequence_magic = "RVLT-SEQ";  ///< C and Fortran
/// The magic of Streams and sequences up to version 2.
inline constexpr std::string_view older_saved_magic = "RIVULETS";

/// The header of saved streams. The words of the streams follow, stream by stream. The bytes are
/// little-endian, as on every machine that Kokkos supports.
struct SavedHeader {
  char magic[8] = {};         ///< saved_streams_magic
  std::uint32_t version = 3;  ///< since 3, saved sequences have their own magic
  std::uint32_t word_bytes = 0;
  char generator[24] = {};  ///< the name, truncated, and a 0
  std::uint64_t name = 0;   ///< checksum of the full name
  std::uint64_t words = 0;
  std::uint64_t count = 0;
  std::uint64_t first = 0;
  std::uint64_t seed = 0;
  std::uint64_t parameters = 0;  ///< checksum of the parameter sets, if the generator has any
  std::uint64_t checksum = 0;    ///< checksum of the words: detects truncated or altered files
};
static_assert(sizeof(SavedHeader) == 96);

inline std::uint64_t checksum_of(std::span<const std::byte> bytes) {
  std::uint64_t sum = bytes.size();
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(std::uint64_t)) {
    std::uint64_t part = 0;
    std::memcpy(&part, bytes.data() + i, std::min(sizeof part, bytes.size() - i));
    sum = splitmix64_mix(sum + splitmix64_increment) ^ part;
  }
  return splitmix64_mix(sum);
}

template <class Word>
SavedHeader header_of(std::string_view name, int words, const StreamsOptions& options) {
  SavedHeader header;
  saved_streams_magic.copy(header.magic, sizeof header.magic);
  header.word_bytes = sizeof(Word);
  std::copy_n(name.begin(), std::min(name.size(), sizeof header.generator - 1), header.generator);
  header.name = checksum_of(std::as_bytes(std::span(name)));
  header.words = static_cast<std::uint64_t>(words);
  header.count = options.count;
  header.first = options.first;
  header.seed = options.seed;
  const std::span sets(options.sets.sets);
  if (!sets.empty()) header.parameters = checksum_of(std::as_bytes(sets));
  return header;
}

template <class Exec, class Store>
std::vector<std::byte> saved_streams(const Exec& exec, const Store& store, std::string_view name,
                                     const StreamsOptions& options) {
  auto all = store.download(exec);
  using Word = typename decltype(all)::value_type;
  SavedHeader header = header_of<Word>(name, store.words(), options);
  std::vector<std::byte> saved(sizeof header + all.size() * sizeof(Word));
  std::byte* to = saved.data() + sizeof header;
  for (std::uint64_t stream = 0; stream < store.count(); ++stream) {
    const auto slot = store.slot_in(all.data(), stream);
    for (int k = 0; k < store.words(); ++k, to += sizeof(Word)) {
      std::memcpy(to, &slot[k], sizeof(Word));
    }
  }
  header.checksum = checksum_of(std::span(saved).subspan(sizeof header));
  std::memcpy(saved.data(), &header, sizeof header);
  return saved;
}

template <class... Parts>
[[noreturn]] void refuse_saved(const Parts&... why) {
  throw Error("the saved streams cannot be restored", text_of(why...),
              "Restore bytes that save() returned for the same generator, seed and streams.");
}

inline void require_same_generator(const SavedHeader& saved, const SavedHeader& expected,
                                   std::string_view name) {
  if (saved.name == expected.name) return;
  constexpr std::size_t max_length = sizeof saved.generator - 1;
  std::string other(saved.generator, strnlen(saved.generator, max_length));
  if (other.size() == max_length) other += "...";
  refuse_saved("they are streams of ", other, ", not of ", name);
}

inline void require_same(const SavedHeader& saved, const SavedHeader& expected,
                         std::string_view name) {
  const std::string_view magic(saved.magic, sizeof saved.magic);
  if (magic == saved_sequence_magic) {
    refuse_saved("the bytes are a saved sequence of the C or Fortran interface");
  }
  if (magic != saved_streams_magic && magic != older_saved_magic) {
    refuse_saved("the bytes are not saved streams");
  }
  if (saved.version != expected.version) {
    refuse_saved("they have format version ", saved.version, ", not ", expected.version);
  }
  require_same_generator(saved, expected, name);
  if (saved.seed != expected.seed) {
    refuse_saved("they have seed ", saved.seed, ", not ", expected.seed);
  }
  if (saved.parameters != expected.parameters) refuse_saved("they have different parameter sets");
  if (saved.first != expected.first || saved.count != expected.count) {
    refuse_saved("they are ", saved.count, " streams from number ", saved.first, " on, not ",
                 expected.count, " from number ", expected.first, " on");
  }
  if (saved.words != expected.words || saved.word_bytes != expected.word_bytes) {
    refuse_saved("their states have ", saved.words, " words of ", saved.word_bytes, " B, not ",
                 expected.words, " of ", expected.word_bytes, " B");
  }
}

/// Restores the bytes of saved_streams(). fits(slot) returns true if the words are a valid state.
/// Throws Error, and leaves the store unchanged, for any other bytes.
template <class Exec, class Store, class Fits>
void restore_streams(const Exec& exec, const Store& store, std::string_view name,
                     const StreamsOptions& options, std::span<const std::byte> saved,
                     const Fits& fits) {
  auto all = store.download(exec);
  using Word = typename decltype(all)::value_type;
  SavedHeader header;
  if (saved.size() < sizeof header) refuse_saved("the bytes are not saved streams");
  std::memcpy(&header, saved.data(), sizeof header);
  require_same(header, header_of<Word>(name, store.words(), options), name);
  const auto words = saved.subspan(sizeof header);
  if (words.size() != all.size() * sizeof(Word) || checksum_of(words) != header.checksum) {
    refuse_saved("the bytes are cut short or altered");
  }
  const std::byte* from = words.data();
  for (std::uint64_t stream = 0; stream < store.count(); ++stream) {
    const auto slot = store.slot_in(all.data(), stream);
    for (int k = 0; k < store.words(); ++k, from += sizeof(Word)) {
      std::memcpy(&slot[k], from, sizeof(Word));
    }
    if (!fits(slot)) refuse_saved("the state of stream ", stream, " is invalid");
  }
  store.upload(exec, all);
}

}  // namespace rivulet::detail
