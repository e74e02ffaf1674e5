// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/occlusion/bvh.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace rivulet {
namespace {

/// Nodes of at most this many triangles are split only if the split costs less than testing every
/// triangle.
constexpr std::uint64_t few_triangles = 4;
/// Wald's choice: with 16 bins, the cost is within a few per cent of the best plane's cost.
constexpr int bins = 16;

float coordinate(const Vector3& a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }

/// Returns half the box's surface area, in double precision because products of coordinates could
/// overflow in single precision.
double half_area(const Box& box) {
  if (box.low.x > box.high.x) return 0;  // empty
  const double x = static_cast<double>(box.high.x) - box.low.x;
  const double y = static_cast<double>(box.high.y) - box.low.y;
  const double z = static_cast<double>(box.high.z) - box.low.z;
  return detail::product(x, y) + detail::product(y, z) + detail::product(z, x);
}

/// A triangle during the build, not yet in a leaf.
struct Item {
  std::uint32_t triangle = 0;
  Box box = {};
  Vector3 centroid = {};
};

struct Bin {
  Box box = {};
  std::uint64_t count = 0;
};

/// A partition of a node's items. An item belongs to the first child if its centroid lies in a bin
/// below `upper`.
struct Split {
  int axis = 0;
  int upper = 0;
  double cost = 0;
};

/// Returns the bin of an item's centroid along an axis.
class BinOf {
 public:
  BinOf(const Box& centroid_bounds, int axis)
      : axis_(axis),
        low_(coordinate(centroid_bounds.low, axis)),
        per_length_(bins / (static_cast<double>(coordinate(centroid_bounds.high, axis)) - low_)) {}

  int operator()(const Item& item) const {
    const double at = static_cast<double>(coordinate(item.centroid, axis_)) - low_;
    return std::min(bins - 1, static_cast<int>(detail::product(at, per_length_)));
  }

 private:
  int axis_;
  double low_;
  double per_length_;
};

class Builder {
 public:
  explicit Builder(const std::vector<Corners>& triangles) : corners_(triangles) {
    items_.resize(triangles.size());
    for (std::size_t i = 0; i < items_.size(); ++i) {
      Item& item = items_[i];
      item.triangle = static_cast<std::uint32_t>(i);
      for (const Vector3& corner : triangles[i]) item.box.add(corner);
      item.centroid = scaled(item.box.low, 0.5F) + scaled(item.box.high, 0.5F);
    }
  }

  Bvh build() {
    bvh_.triangles.reserve(items_.size());
    add_node(0, items_.size());
    return std::move(bvh_);
  }

 private:
  void add_node(std::uint64_t begin, std::uint64_t end) {
    Box box;
    for (std::uint64_t i = begin; i < end; ++i) box.add(items_[i].box);
    const std::size_t node = bvh_.nodes.size();
    bvh_.nodes.push_back({padded(box.low, -1), 0, padded(box.high, 1), 0});
    if (const auto middle = split(begin, end, box)) {
      add_node(begin, *middle);
      add_node(*middle, end);
    } else {
      add_leaf(bvh_.nodes[node], begin, end);
    }
    bvh_.nodes[node].skip = static_cast<std::uint32_t>(bvh_.nodes.size());
  }

  /// Moves a corner outwards by some units in the last place, because the intersection tests have
  /// rounding errors.
  static Vector3 padded(const Vector3& a, float sign) {
    constexpr float relative = 1.0F / (1 << 20);
    const auto moved = [sign](float x) {
      return x + sign * (detail::product(absolute(x), relative) + 1e-30F);
    };
    return {moved(a.x), moved(a.y), moved(a.z)};
  }

  void add_leaf(BvhNode& node, std::uint64_t begin, std::uint64_t end) {
    const auto first = static_cast<std::uint32_t>(bvh_.triangles.size());
    node.leaf = first << BvhNode::count_bits | static_cast<std::uint32_t>(end - begin);
    for (std::uint64_t i = begin; i < end; ++i) {
      bvh_.triangles.emplace_back(corners_[items_[i].triangle]);
    }
  }

  /// Partitions the items, and returns the index of the second child's first item. Returns nullopt
  /// if the node becomes a leaf.
  std::optional<std::uint64_t> split(std::uint64_t begin, std::uint64_t end, const Box& box) {
    const std::uint64_t count = end - begin;
    if (count == 1) return {};
    Box centroid_bounds;
    for (std::uint64_t i = begin; i < end; ++i) centroid_bounds.add(items_[i].centroid);
    const auto best = best_split(begin, end, centroid_bounds);
    // Costs are in units of one triangle test. A box test is assumed to cost as much as a triangle
    // test.
    const double as_leaf = static_cast<double>(count);
    const bool is_costly =
        !best || best->cost + half_area(box) >= detail::product(as_leaf, half_area(box));
    if (is_costly && count <= few_triangles) return {};
    // If there is no best split, all centroids coincide. A node with too many items for a leaf is
    // then cut into two halves.
    if (!best)
      return count <= BvhNode::max_leaf_triangles ? std::optional<std::uint64_t>()
                                                  : begin + count / 2;
    const BinOf bin(centroid_bounds, best->axis);
    const auto items_begin = items_.begin();
    const auto middle =
        std::stable_partition(items_begin + static_cast<std::ptrdiff_t>(begin),
                              items_begin + static_cast<std::ptrdiff_t>(end),
                              [&](const Item& item) { return bin(item) < best->upper; });
    return static_cast<std::uint64_t>(middle - items_begin);
  }

  /// Returns the split with the least cost. The cost is the area times the triangle count, summed
  /// over both children. Returns nullopt if all centroids coincide.
  std::optional<Split> best_split(std::uint64_t begin, std::uint64_t end,
                                  const Box& centroid_bounds) const {
    std::optional<Split> best;
    for (int axis = 0; axis < 3; ++axis) {
      if (!(coordinate(centroid_bounds.low, axis) < coordinate(centroid_bounds.high, axis)))
        continue;
      std::array<Bin, bins> all;
      const BinOf bin(centroid_bounds, axis);
      for (std::uint64_t i = begin; i < end; ++i) {
        Bin& item_bin = all[static_cast<std::size_t>(bin(items_[i]))];
        item_bin.box.add(items_[i].box);
        ++item_bin.count;
      }
      try_splits(all, axis, best);
    }
    return best;
  }

  static void try_splits(const std::array<Bin, bins>& all, int axis, std::optional<Split>& best) {
    std::array<double, bins> above{};  // cost of bins k and above
    Bin sum;
    for (std::size_t k = bins - 1; k > 0; --k) {
      add(sum, all[k]);
      above[k] = cost(sum);
    }
    sum = {};
    for (std::size_t k = 1; k < bins; ++k) {
      add(sum, all[k - 1]);
      const double split_cost = cost(sum) + above[k];
      // Neither the first nor the last bin is empty, so both children have items.
      if (!best || split_cost < best->cost) best = Split{axis, static_cast<int>(k), split_cost};
    }
  }
  static void add(Bin& to, const Bin& bin) {
    if (bin.count > 0) to.box.add(bin.box);
    to.count += bin.count;
  }
  static double cost(const Bin& bin) {
    return detail::product(static_cast<double>(bin.count), half_area(bin.box));
  }

  const std::vector<Corners>& corners_;
  std::vector<Item> items_;
  Bvh bvh_;
};

}  // namespace

Bvh make_bvh(const std::vector<Corners>& triangles) { return Builder(triangles).build(); }

}  // namespace rivulet
