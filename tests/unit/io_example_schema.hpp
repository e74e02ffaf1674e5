// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/deck/schema.hpp"

namespace rivulet::io::test {

enum class Kernel { fused, stored };

/// Keys of every kind, and the schema that binds them.
struct Example {
  std::uint64_t points = 10'000'000'000;
  std::uint64_t lanes = 0;
  double tolerance = 0.1;
  bool check = true;
  std::string parameters = "shipped";
  std::uint64_t memory = std::uint64_t{256} << 20;
  std::uint64_t buffer = 0;
  std::vector<std::uint64_t> sizes{10, 200};
  Kernel kernel = Kernel::fused;
  std::string path;

  Schema schema() {
    return {
        "pi",
        "Estimates pi from points in a square.",
        {{"pi", "What is computed.",
          [this](Binder& b) {
            b.integer("points", points, {1, 1'000'000'000'000'000}, "How many points.", "points");
            b.integer("lanes", lanes, {1, 64}, "Streams side by side.", "", Effect::speed,
                      Zero::means_auto);
            b.real("tolerance", tolerance, {0, 1}, "Greatest deviation | allowed.", "radians");
            b.flag("check", check, "Whether the result is checked.");
            b.text("parameters", parameters, "Where the parameter sets come from.");
            b.bytes("memory", memory, {1, std::uint64_t{1} << 40}, "Most memory to use.");
            b.bytes("buffer", buffer, {}, "Size of a buffer.", Effect::speed, Zero::means_auto);
            b.integers("sizes", sizes, {1, 1000}, "Sizes to try.", "words");
            b.choice("kernel", kernel,
                     {{"fused", Kernel::fused, "numbers never leave registers"},
                      {"stored", Kernel::stored, "numbers go through memory"}},
                     "How it is computed.");
          }},
         {"output", "Where results go.",
          [this](Binder& b) { b.text("path", path, "Results file; none if empty."); }}}};
  }
};

}  // namespace rivulet::io::test
