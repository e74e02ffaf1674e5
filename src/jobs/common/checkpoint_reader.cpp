// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/common/checkpoint_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rivulet/detail/ceil_divide.hpp"
#include "rivulet/error.hpp"
#include "rivulet/version.hpp"

namespace rivulet {
namespace {

constexpr std::uint64_t elements_per_message = std::uint64_t{1} << 19;  // at most 4 MiB

void require_version(const std::string& path, const std::string& found) {
  if (found == version) return;
  throw Error(fmt::format("checkpoint '{}' is from another version of Rivulet", path),
              fmt::format("Rivulet {} wrote it, and this is {}", found, version),
              fmt::format("Resume it with Rivulet {}, or run its deck again.", found));
}

/// Throws Error if the checkpoint has another format or, like old checkpoints, no format number.
void require_format(const std::string& path, const io::ReadFile& file) {
  if (file.has_attribute(state_group, "format") &&
      file.attribute<std::uint64_t>(state_group, "format") == checkpoint_format) {
    return;
  }
  throw Error(fmt::format("checkpoint '{}' has another format", path),
              fmt::format("this Rivulet reads format {}", checkpoint_format),
              "Resume it with the build that wrote it, or run its deck again.");
}

std::string dataset_of(const std::string& name) { return state_group + "/" + name; }

}  // namespace

CheckpointReader::CheckpointReader(const io::Communicator& ranks, const std::string& path)
    : ranks_(ranks), path_(path) {
  ranks_.on_root([&] {
    file_.emplace(path, checkpoint_kind, io::Seal::required);
    require_version(path, file_->attribute<std::string>("/", "version"));
    require_format(path, *file_);
    deck_ = file_->text("/deck");
  });
  deck_ = ranks_.broadcast(deck_);
}

void CheckpointReader::require(bool fits, const std::string& why) const {
  ranks_.on_root([&] {
    if (fits) return;
    throw Error(fmt::format("checkpoint '{}' does not match its deck", path_), why,
                "Run its deck again.");
  });
}

template <class T>
T CheckpointReader::attribute(const std::string& name) const {
  T value{};
  ranks_.on_root([&] { value = file_->attribute<T>(state_group, name); });
  ranks_.broadcast(std::as_writable_bytes(std::span(&value, 1)));
  return value;
}

std::uint64_t CheckpointReader::number(const std::string& name) const {
  return attribute<std::uint64_t>(name);
}
std::int64_t CheckpointReader::integer(const std::string& name) const {
  return attribute<std::int64_t>(name);
}
double CheckpointReader::real(const std::string& name) const { return attribute<double>(name); }

std::string CheckpointReader::text(const std::string& name) const {
  std::string value;
  ranks_.on_root([&] { value = file_->attribute<std::string>(state_group, name); });
  return ranks_.broadcast(value);
}

bool CheckpointReader::has(const std::string& name) const {
  std::uint64_t found = 0;
  ranks_.on_root([&] { found = file_->has(dataset_of(name)) ? 1 : 0; });
  return ranks_.max(found) == 1;
}

template <class T, class Take>
void CheckpointReader::for_each_piece(const std::string& name, std::optional<std::uint64_t> total,
                                      const Take& take) const {
  std::vector<T> values;
  ranks_.on_root([&] { values = file_->dataset<T>(dataset_of(name)); });
  const std::uint64_t expected = total.value_or(values.size());
  require(values.size() == expected,
          fmt::format("'{}' has {} elements, not {}", name, values.size(), expected));
  const std::uint64_t size = ranks_.max(std::uint64_t{values.size()});
  std::vector<T> piece;
  for (std::uint64_t begin = 0; begin < size; begin += elements_per_message) {
    piece.resize(std::min(elements_per_message, size - begin));
    if (ranks_.is_root()) std::copy_n(values.data() + begin, piece.size(), piece.data());
    ranks_.broadcast(std::as_writable_bytes(std::span(piece)));
    take(begin, piece);
  }
}

template <class T>
std::vector<T> CheckpointReader::all(const std::string& name,
                                     std::optional<std::uint64_t> total) const {
  std::vector<T> values;
  for_each_piece<T>(name, total, [&](std::uint64_t, const std::vector<T>& piece) {
    values.insert(values.end(), piece.begin(), piece.end());
  });
  return values;
}

template <class T>
std::vector<T> CheckpointReader::rows(const std::string& name, StreamRange range,
                                      std::uint64_t total) const {
  std::vector<T> values(range.count);
  for_each_piece<T>(name, total, [&](std::uint64_t begin, const std::vector<T>& piece) {
    const std::uint64_t first_row = std::max(begin, range.first);
    const std::uint64_t end_row = std::min(begin + piece.size(), range.first + range.count);
    for (std::uint64_t i = first_row; i < end_row; ++i) values[i - range.first] = piece[i - begin];
  });
  return values;
}

template std::vector<std::int64_t> CheckpointReader::all(const std::string&,
                                                         std::optional<std::uint64_t>) const;
template std::vector<std::uint64_t> CheckpointReader::all(const std::string&,
                                                          std::optional<std::uint64_t>) const;
template std::vector<std::uint8_t> CheckpointReader::rows(const std::string&, StreamRange,
                                                          std::uint64_t) const;
template std::vector<std::uint32_t> CheckpointReader::rows(const std::string&, StreamRange,
                                                           std::uint64_t) const;
template std::vector<std::uint64_t> CheckpointReader::rows(const std::string&, StreamRange,
                                                           std::uint64_t) const;

void save_output(const io::Communicator& ranks, io::ResultsFile& checkpoint,
                 const io::ResultsFile& output) {
  const io::UnfinishedFile& file = output.unfinished();
  checkpoint.attribute(state_group, "output", file.path);
  checkpoint.attribute(state_group, "output_bytes", file.bytes, "B");
  checkpoint.attribute(state_group, "output_mark_at", file.mark_offset, "B");
  checkpoint.attribute(state_group, "output_head_begin", file.head_extent.begin, "B");
  checkpoint.attribute(state_group, "output_head_bytes", file.head_extent.bytes, "B");
  const std::span head(file.head.data(), ranks.is_root() ? file.head.size() : 0);
  checkpoint.dataset(state_group + "/output_head", head, 0, ranks.sum(std::uint64_t{head.size()}),
                     "first bytes of the unfinished results");
}

io::UnfinishedFile saved_output(const CheckpointReader& saved) {
  const std::uint64_t bytes = saved.number("output_head_bytes");
  return {saved.text("output"),
          saved.number("output_bytes"),
          saved.number("output_mark_at"),
          {saved.number("output_head_begin"), bytes},
          saved.all("output_head", ceil_divide(bytes, sizeof(std::uint64_t)))};
}

}  // namespace rivulet
