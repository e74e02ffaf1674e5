// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/pi/pi_pieces.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace rivulet {

PiPieces::PiPieces(const std::vector<std::uint64_t>& ends, std::uint64_t at, std::uint64_t counted,
                   PiRunning ended, std::uint64_t hits)
    : at_(at), ended_(std::move(ended)), hits_before_(hits) {
  std::ranges::copy_if(ends, std::back_inserter(ends_),
                       [counted](std::uint64_t end) { return end > counted; });
  hits_.resize(ends_.size());
}

std::vector<std::vector<std::uint64_t>> PiPieces::marks_to(std::uint64_t end) const {
  const auto first = std::ranges::upper_bound(ends_, at_);
  const auto last = std::upper_bound(first, ends_.end(), end);
  std::vector<std::uint64_t> whole(first, last);
  std::vector<std::vector<std::uint64_t>> groups;
  const bool begins_between = at_ > 0 && (first == ends_.begin() || *std::prev(first) != at_);
  if (begins_between && !whole.empty()) {
    groups.push_back({whole.front()});
    whole.erase(whole.begin());
  }
  const bool ends_between = last == first || *std::prev(last) != end;
  if (!whole.empty()) groups.push_back(std::move(whole));
  if (ends_between) groups.push_back({end});
  return groups;
}

void PiPieces::add(const std::vector<std::uint64_t>& marks,
                   const std::vector<std::uint64_t>& hits) {
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const auto batch = std::ranges::lower_bound(ends_, marks[i]) - ends_.begin();
    hits_[static_cast<std::size_t>(batch)] += hits[i];
    at_ = marks[i];
  }
}

std::vector<std::uint64_t> PiPieces::ends_so_far() const {
  return {ends_.begin(), std::ranges::upper_bound(ends_, at_)};
}

std::vector<std::uint64_t> PiPieces::hits_so_far() const {
  std::vector<std::uint64_t> hits(ends_so_far().size());
  std::partial_sum(hits_.begin(), hits_.begin() + static_cast<std::ptrdiff_t>(hits.size()),
                   hits.begin());
  return hits;
}

std::uint64_t PiPieces::all_hits() const {
  return std::accumulate(hits_.begin(), hits_.end(), std::uint64_t{0});
}

}  // namespace rivulet
