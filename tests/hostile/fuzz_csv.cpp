// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// For libFuzzer: any bytes as a table of weights in a CSV file. Reading ends well, with as many
// numbers as the table's extents say, or with an Error.

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "io/inputs/weights_file.hpp"
#include "rivulet/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string path = "/tmp/rivulet_fuzz_" + std::to_string(getpid()) + ".csv";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  try {
    const auto file = rivulet::io::open_weights(path, "");
    std::uint64_t cells = 1;
    for (const std::uint64_t extent : file->extents()) cells *= extent;
    if (cells > size) std::abort();  // more numbers than bytes
    std::vector<double> values(cells);
    file->read(0, file->extents()[0], values.data());
  } catch (const rivulet::Error&) {
  }
  unlink(path.c_str());
  return 0;
}
