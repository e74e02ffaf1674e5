// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <barrier>
#include <cstddef>
#include <thread>
#include <vector>

namespace rivulet {

/// Emulates a warp with one host thread per lane. The threads wait for each other whenever a value
/// moves between lanes.
template <class Integer>
class Warp {
 public:
  struct Lane {
    Warp& warp;
    int index;

    int lane() const { return index; }
    Integer of_lane(int other, Integer value) const {
      warp.values_[static_cast<std::size_t>(index)] = value;
      warp.barrier_.arrive_and_wait();
      const Integer received = warp.values_[static_cast<std::size_t>(other)];
      warp.barrier_.arrive_and_wait();
      return received;
    }
    void sync() const { warp.barrier_.arrive_and_wait(); }
    template <class F>
    void each(int count, const F& f) const {
      for (int i = index; i < count; i += 32) f(i);
      sync();
    }
    template <class F>
    void once(const F& f) const {
      if (index == 0) f();
      sync();
    }
  };

  /// Calls body(Lane) on 32 threads.
  template <class Body>
  void run(const Body& body) {
    std::vector<std::jthread> threads;
    for (int lane = 0; lane < 32; ++lane)
      threads.emplace_back([&, lane] { body(Lane{*this, lane}); });
  }

 private:
  std::array<Integer, 32> values_ = {};
  std::barrier<> barrier_{32};
};

}  // namespace rivulet
