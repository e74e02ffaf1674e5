// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "io/results/results_file.hpp"
#include "jobs/common/checkpoint_reader.hpp"
#include "rivulet/detail/uint128.hpp"

// A job's *counts* summarise its draws. A type of counts has
//
//   fields(io)    calls one function of `io` for every field:
//                   io.rows()    one number per stream, pixel or cell. Each rank has its own rows;
//                   io.totals()  values that are summed over all streams;
//                   io.list()    entries whose number depends on the run;
//                   io.sum()     a 128-bit sum over all streams;
//                   io.number()  an integer that is the same on all ranks;
//                   io.text()    a text that is the same on all ranks;
//   operator+=    adds the counts of other streams, or of earlier draws of the same streams;
//   words()       returns the 64-bit words for the digest, which covers the ranks' words in order;
//   is_in_rows    true if each rank has words of its own, false if root has all words;
//   is_gathered   true if root receives the rows of all ranks after operator+=;
//   message_name  the counts' name in messages, such as "hits".
//
// Checkpoints, sums over ranks, results files and merges use these members. Before they are summed
// over the ranks, totals(), list() and sum() fields hold one rank's part of the total.

namespace rivulet {

__extension__ using Int128 = __int128;

/// Numbers with consecutive ids from `first` on.
template <class T>
struct NumbersById {
  std::uint64_t first = 0;
  std::vector<T> values = {};

  NumbersById() = default;
  explicit NumbersById(StreamRange ids) : first(ids.first), values(ids.count) {}
  NumbersById(std::uint64_t first_id, std::vector<T> all)
      : first(first_id), values(std::move(all)) {}

  std::uint64_t total() const {
    return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
  }
  /// Adds numbers with equal ids, and appends numbers with later ids. No id of `other` may be below
  /// `first`.
  NumbersById& operator+=(const NumbersById& other) {
    if (other.values.empty()) return *this;
    const std::uint64_t offset = other.first - first;
    if (values.size() < offset + other.values.size()) values.resize(offset + other.values.size());
    for (std::size_t i = 0; i < other.values.size(); ++i) {
      values[offset + i] = static_cast<T>(values[offset + i] + other.values[i]);
    }
    return *this;
  }
};

/// Counts with one number per stream or cell. `Derived` describes the counts with its
/// static members message_name, name, text and unit.
template <class Derived>
struct CountedRows {
  static constexpr bool is_in_rows = true;
  static constexpr const char* axes = "stream";  ///< default; `Derived` may define other axes

  NumbersById<std::uint64_t> rows;

  template <class Io>
  void fields(Io& io) {
    io.rows(Derived::name, rows, {Derived::text, Derived::unit, Derived::axes});
  }
  CountedRows& operator+=(const CountedRows& other) {
    rows += other.rows;
    return *this;
  }
  const std::vector<std::uint64_t>& words() const { return rows.values; }
};

/// Adds `values` to `sums`, element by element. `sums` must be at least as long as `values`.
template <class T>
void add_each(std::vector<T>& sums, const std::vector<T>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) sums[i] += values[i];
}

// Files cannot store 128-bit integers, so each value is stored as two 64-bit integers: value = 2^64
// upper + lower.
inline std::int64_t upper_of(Int128 value) { return static_cast<std::int64_t>(value >> 64); }
inline std::uint64_t lower_of(Int128 value) { return static_cast<std::uint64_t>(value); }
inline Int128 joined(std::int64_t upper, std::uint64_t lower) {
  const auto bits = static_cast<Uint128>(static_cast<std::uint64_t>(upper)) << 64 | lower;
  return static_cast<Int128>(bits);
}
std::vector<std::int64_t> uppers_of(const std::vector<Int128>& values);
std::vector<std::uint64_t> lowers_of(const std::vector<Int128>& values);
std::vector<Int128> joined(const std::vector<std::int64_t>& uppers,
                           const std::vector<std::uint64_t>& lowers);
inline constexpr const char* of_uppers = ", divided by 2^64, rounded down";
inline constexpr const char* of_lowers = ", modulo 2^64";

/// The indices of a rank's rows among the rows of all ranks. The constructor is collective.
struct RowRange {
  RowRange(const io::Communicator& ranks, std::uint64_t first_id, std::uint64_t rows)
      : own{first_id - ranks.min(rows > 0 ? first_id : UINT64_MAX), rows}, total(ranks.sum(rows)) {
    if (rows == 0) own.first = 0;
  }

  StreamRange own;
  std::uint64_t total;  ///< rows of all ranks
};

/// The description of a field in files.
struct FieldInfo {
  std::string doc;
  std::string unit = {};
  std::string axes = "stream";
  std::uint64_t columns = 1;  ///< columns of a rows() field's dataset in a results file
};

/// Reads counts from a checkpoint. Each rank keeps the rows of its ids. Only root keeps values that
/// are summed over the ranks, so the sum contains each value once.
class SavedCounts {
 public:
  SavedCounts(const CheckpointReader& saved, const io::Communicator& ranks)
      : saved_(saved), ranks_(ranks) {}

  bool in_checkpoint() const { return true; }
  template <class T>
  void rows(const std::string& name, NumbersById<T>& rows, const FieldInfo&) {
    const RowRange row_range(ranks_, rows.first, rows.values.size());
    rows.values = saved_.rows<T>(name, row_range.own, row_range.total);
  }
  template <class T>
  void totals(const std::string& name, std::vector<T>& values, const FieldInfo&) {
    if (values.empty() && !saved_.has(name)) return;
    values = saved_.all<T>(name, size_of(values));
    if (!ranks_.is_root()) values.assign(values.size(), 0);
  }
  void totals(const std::string& name, std::vector<Int128>& values, const FieldInfo&) {
    values = joined(saved_.all<std::int64_t>(name + "_upper", size_of(values)),
                    saved_.all(name + "_lower", size_of(values)));
    if (!ranks_.is_root()) values.assign(values.size(), 0);
  }
  void list(const std::string& name, std::vector<std::uint64_t>& entries, const FieldInfo&) {
    entries.clear();
    if (!saved_.has(name)) return;
    entries = saved_.all<std::uint64_t>(name, std::nullopt);
    if (!ranks_.is_root()) entries.clear();
  }
  void number(const std::string& name, std::uint64_t& value, const FieldInfo&) {
    value = saved_.number(name);
  }
  void sum(const std::string& name, Int128& value, const FieldInfo&) {
    const std::uint64_t lower = saved_.number(name + "_lower");
    value = joined(saved_.integer(name + "_upper"), lower);
    if (!ranks_.is_root()) value = 0;
  }
  void text(const std::string& name, std::string& value, const FieldInfo&) {
    value = saved_.text(name);
  }

 private:
  /// Returns the required size of a dataset, or nullopt if the counts have no size yet.
  template <class T>
  static std::optional<std::uint64_t> size_of(const std::vector<T>& values) {
    return values.empty() ? std::nullopt : std::optional<std::uint64_t>(values.size());
  }

  const CheckpointReader& saved_;
  io::Communicator ranks_;
};

/// Thrown if the data of a results file do not match the deck in the file.
struct Mismatch : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads counts from a results file. Throws Mismatch if a dataset's size differs from the size of
/// its field. An empty field accepts any size.
class CountsOfFile {
 public:
  CountsOfFile(const io::ReadFile& file, std::string group)
      : file_(file), group_(std::move(group)) {}

  bool in_checkpoint() const { return false; }
  template <class T>
  void rows(const std::string& name, NumbersById<T>& rows, const FieldInfo&) {
    auto values = file_.dataset<T>(path(name));
    require_size(name, values.size(), rows.values.size());
    rows.values = std::move(values);
  }
  template <class T>
  void totals(const std::string& name, std::vector<T>& values, const FieldInfo&) {
    if (values.empty() && !file_.has(path(name))) return;
    auto read = file_.dataset<T>(path(name));
    require_size(name, read.size(), values.size());
    values = std::move(read);
  }
  void totals(const std::string& name, std::vector<Int128>& values, const FieldInfo& info) {
    auto uppers = uppers_of(values);
    auto lowers = lowers_of(values);
    totals(name + "_upper", uppers, info);
    totals(name + "_lower", lowers, info);
    values = joined(uppers, lowers);
  }
  void list(const std::string& name, std::vector<std::uint64_t>& entries, const FieldInfo&) {
    entries.clear();
    if (file_.has(path(name))) entries = file_.dataset<std::uint64_t>(path(name));
  }
  void number(const std::string&, std::uint64_t&, const FieldInfo&) {}
  void sum(const std::string& name, Int128& value, const FieldInfo&) {
    value = joined(file_.attribute<std::int64_t>(group_, name + "_upper"),
                   file_.attribute<std::uint64_t>(group_, name + "_lower"));
  }
  void text(const std::string&, std::string&, const FieldInfo&) {}

 private:
  std::string path(const std::string& name) const { return group_ + "/" + name; }
  void require_size(const std::string& name, std::uint64_t found, std::uint64_t expected) const {
    if (expected == 0 || found == expected) return;
    throw Mismatch(fmt::format("its '{}' has {} elements, not {}", name, found, expected));
  }

  const io::ReadFile& file_;
  std::string group_;
};

/// Combines the fields of all ranks: adds totals() and sum() fields, and concatenates lists. Rows
/// stay on their ranks. `gathers`: true if root receives the rows of all ranks instead of its own.
class SumOverRanks {
 public:
  SumOverRanks(const io::Communicator& ranks, bool gathers) : ranks_(ranks), gathers_(gathers) {}

  bool in_checkpoint() const { return true; }
  template <class T>
  void rows(const std::string&, NumbersById<T>& rows, const FieldInfo&) {
    if (gathers_) rows.values = ranks_.gather(std::span<const T>(rows.values));
  }
  void totals(const std::string&, std::vector<std::uint64_t>& values, const FieldInfo&) {
    ranks_.sum(std::span(values));
  }
  void totals(const std::string& name, std::vector<std::int64_t>& values, const FieldInfo& info) {
    std::vector<std::uint64_t> bits(values.begin(), values.end());  // two's complement
    totals(name, bits, info);
    values.assign(bits.begin(), bits.end());
  }
  void totals(const std::string&, std::vector<Int128>& values, const FieldInfo&) {
    sum(std::span(values));
  }
  /// Replaces the entries on every rank with the entries of all ranks, in rank order.
  void list(const std::string&, std::vector<std::uint64_t>& entries, const FieldInfo&) {
    const std::uint64_t all = ranks_.sum(static_cast<std::uint64_t>(entries.size()));
    entries = ranks_.gather(std::span<const std::uint64_t>(entries));
    entries.resize(all);
    ranks_.broadcast(std::as_writable_bytes(std::span(entries)));
  }
  void number(const std::string&, std::uint64_t&, const FieldInfo&) {}
  void sum(const std::string&, Int128& value, const FieldInfo&) { sum(std::span(&value, 1)); }
  void text(const std::string&, std::string&, const FieldInfo&) {}

 private:
  void sum(std::span<Int128> values);

  const io::Communicator& ranks_;
  bool gathers_;
};

}  // namespace rivulet
