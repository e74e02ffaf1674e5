// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/results/plain_attribute.hpp"

#include <cstring>

namespace rivulet::io {
namespace {

std::string pack(const std::vector<std::string>& texts) {
  std::string packed;
  for (const auto& text : texts) {
    const std::uint64_t size = text.size();
    packed.append(reinterpret_cast<const char*>(&size), sizeof size);
    packed += text;
  }
  return packed;
}

std::vector<std::string> unpack(const std::string& packed) {
  std::vector<std::string> texts;
  for (std::size_t at = 0; at < packed.size();) {
    std::uint64_t size = 0;
    std::memcpy(&size, packed.data() + at, sizeof size);
    texts.push_back(packed.substr(at + sizeof size, size));
    at += sizeof size + size;
  }
  return texts;
}

template <class T>
std::string raw(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

PlainAttribute plain(bool value) { return {"bool", true, {raw(std::int8_t{value})}}; }
PlainAttribute plain(std::int64_t value) { return {"i64", true, {raw(value)}}; }
PlainAttribute plain(std::uint64_t value) { return {"u64", true, {raw(value)}}; }
PlainAttribute plain(double value) { return {"f64", true, {raw(value)}}; }
PlainAttribute plain(const std::string& value) { return {"text", true, {value}}; }
PlainAttribute plain(const std::vector<std::string>& values) { return {"text", false, values}; }
template <class T>
PlainAttribute plain(const std::vector<T>& values) {
  PlainAttribute all{plain(T{}).kind, false, {}};
  for (const auto& value : values) all.values.push_back(raw(value));
  return all;
}

}  // namespace

PlainAttribute plain_attribute(const AttributeValue& value) {
  return std::visit([](const auto& one) { return plain(one); }, value);
}

PlainAttribute broadcast(const Communicator& communicator, const PlainAttribute& attribute) {
  auto parts = unpack(communicator.broadcast(
      pack({attribute.kind, attribute.scalar ? "scalar" : "vector", pack(attribute.values)})));
  return {parts[0], parts[1] == "scalar", unpack(parts[2])};
}

}  // namespace rivulet::io
