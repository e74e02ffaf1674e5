// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>

#include "rivulet/detail/rng/counter_based.hpp"
#include "rivulet/detail/saved_formats.hpp"
#include "rivulet/detail/saved_streams.hpp"
#include "rivulet/error.hpp"

namespace rivulet::detail {

/// A stream of a counter-based generator in memory and in files, little-endian, without gaps.
template <CounterBased G>
struct StreamRecord {
  char magic[8] = {};  ///< saved_stream_magic
  std::uint64_t version = 1;
  std::uint64_t generator = 0;              ///< checksum of the name
  typename G::Word key[G::key_words] = {};  ///< the lowest word first
  typename G::Word counter[G::words] = {};  ///< of block 0, the lowest word first
  std::uint64_t last = 0;                   ///< block of the stream
  std::uint64_t block = 0;                  ///< of the next number
  std::uint64_t number = 0;                 ///< of that block
  std::uint64_t checksum = 0;               ///< of all before
};

static_assert(std::endian::native == std::endian::little, "bytes are those of memory");

template <CounterBased G>
using StreamBytes = std::array<std::byte, sizeof(StreamRecord<G>)>;

template <CounterBased G>
std::uint64_t record_checksum(const StreamRecord<G>& record) {
  return checksum_of(
      std::as_bytes(std::span(&record, 1)).first(offsetof(StreamRecord<G>, checksum)));
}
template <CounterBased G>
std::uint64_t name_checksum() {
  return checksum_of(std::as_bytes(std::span(G::name)));
}

template <CounterBased G>
StreamBytes<G> stream_bytes(const CounterEngine<G>& engine) {
  static_assert(std::has_unique_object_representations_v<StreamRecord<G>>, "it has no gaps");
  StreamRecord<G> record;
  saved_stream_magic.copy(record.magic, sizeof record.magic);
  record.generator = name_checksum<G>();
  std::memcpy(record.key, engine.start().key.words, sizeof record.key);
  std::memcpy(record.counter, engine.start().counter, sizeof record.counter);
  record.last = engine.start().last;
  record.block = engine.place().block;
  record.number = engine.place().number;
  record.checksum = record_checksum(record);
  StreamBytes<G> bytes;
  std::memcpy(bytes.data(), &record, sizeof record);
  return bytes;
}

template <CounterBased G>
CounterEngine<G> stream_of_bytes(std::span<const std::byte> bytes) {
  const auto refuse = [](const char* why) {
    throw Error("the bytes are not a stream of " + std::string(G::name), why,
                "Take what to_bytes() gave for a Stream of this generator.");
  };
  StreamRecord<G> record;
  if (bytes.size() < sizeof record.magic ||
      std::memcmp(bytes.data(), saved_stream_magic.data(), sizeof record.magic) != 0) {
    refuse("they do not begin as a saved stream does");
  }
  const std::size_t most = bytes.size() < sizeof record ? bytes.size() : sizeof record;
  std::memcpy(&record, bytes.data(), most);
  if (most >= offsetof(StreamRecord<G>, key)) {
    if (record.version != 1) refuse("they have another format version");
    if (record.generator != name_checksum<G>()) refuse("they are another generator's");
  }
  if (bytes.size() != sizeof record || record.checksum != record_checksum(record)) {
    refuse("they are cut short or altered");
  }
  CounterStart<G> start(0, 0);
  std::memcpy(start.key.words, record.key, sizeof record.key);
  std::memcpy(start.counter, record.counter, sizeof record.counter);
  start.last = record.last;
  std::uint64_t low = 0;  // of the counter, where blocks count
  std::memcpy(&low, record.counter, sizeof low);
  if (record.number >= block_numbers<G> || record.block > record.last ||
      (((record.last + 1) | low) & record.last) != 0) {
    refuse("their place or length is none");
  }
  return CounterEngine<G>(start, CounterPlace{record.block, record.number});
}

}  // namespace rivulet::detail
