// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/common/saved_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "rivulet/error.hpp"
#include "rivulet/version.hpp"

namespace rivulet {
namespace {

constexpr std::uint64_t piece = std::uint64_t{1} << 19;  // elements, 4 MiB

void require_version(const std::string& path, const std::string& found) {
  if (found == version) return;
  throw Error(fmt::format("checkpoint '{}' is of another version", path),
              fmt::format("Rivulet {} wrote it, and this is {}", found, version),
              "Continue it with that version, or run its deck again.");
}

std::string dataset_of(const std::string& name) { return state_group + "/" + name; }

}  // namespace

SavedRun::SavedRun(const io::Communicator& ranks, const std::string& path)
    : ranks_(ranks), path_(path) {
  ranks_.on_root([&] {
    file_.emplace(path, checkpoint_kind, io::Seal::required);
    require_version(path, file_->attribute<std::string>("/", "version"));
    deck_ = file_->text("/deck");
  });
  deck_ = ranks_.broadcast(deck_);
}

template <class T>
T SavedRun::attribute(const std::string& name) const {
  T value{};
  ranks_.on_root([&] { value = file_->attribute<T>(state_group, name); });
  ranks_.broadcast(std::as_writable_bytes(std::span(&value, 1)));
  return value;
}

std::uint64_t SavedRun::number(const std::string& name) const {
  return attribute<std::uint64_t>(name);
}
double SavedRun::real(const std::string& name) const { return attribute<double>(name); }

std::string SavedRun::text(const std::string& name) const {
  std::string value;
  ranks_.on_root([&] { value = file_->attribute<std::string>(state_group, name); });
  return ranks_.broadcast(value);
}

bool SavedRun::has(const std::string& name) const {
  std::uint64_t found = 0;
  ranks_.on_root([&] { found = file_->has(dataset_of(name)) ? 1 : 0; });
  return ranks_.max(found) == 1;
}

template <class Take>
std::uint64_t SavedRun::deal(const std::string& name, std::optional<std::uint64_t> total,
                             const Take& take) const {
  std::vector<std::uint64_t> values;
  ranks_.on_root([&] {
    values = file_->dataset<std::uint64_t>(dataset_of(name));
    if (!total || values.size() == *total) return;
    throw Error(fmt::format("checkpoint '{}' does not fit its deck", path_),
                fmt::format("'{}' has {} elements, not {}", name, values.size(), *total),
                "Run its deck again.");
  });
  const std::uint64_t size = ranks_.max(std::uint64_t{values.size()});
  std::vector<std::uint64_t> some;
  for (std::uint64_t begin = 0; begin < size; begin += piece) {
    some.resize(std::min(piece, size - begin));
    if (ranks_.is_root()) std::copy_n(values.data() + begin, some.size(), some.data());
    ranks_.broadcast(std::as_writable_bytes(std::span(some)));
    take(begin, some);
  }
  return size;
}

std::vector<std::uint64_t> SavedRun::all(const std::string& name) const {
  std::vector<std::uint64_t> values;
  deal(name, std::nullopt, [&](std::uint64_t, const std::vector<std::uint64_t>& some) {
    values.insert(values.end(), some.begin(), some.end());
  });
  return values;
}

std::vector<std::uint64_t> SavedRun::rows(const std::string& name, StreamRange own,
                                          std::uint64_t total) const {
  std::vector<std::uint64_t> values(own.count);
  deal(name, total, [&](std::uint64_t begin, const std::vector<std::uint64_t>& some) {
    const std::uint64_t from = std::max(begin, own.first);
    const std::uint64_t upto = std::min(begin + some.size(), own.first + own.count);
    for (std::uint64_t i = from; i < upto; ++i) values[i - own.first] = some[i - begin];
  });
  return values;
}

}  // namespace rivulet
