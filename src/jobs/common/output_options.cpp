// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/common/output_options.hpp"

#include <fmt/format.h>

#include <bit>

#include "io/deck/scalar_text.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

/// HDF5's own limit is 4 GiB less one byte; MPI counts the bytes of a write in an int.
constexpr std::uint64_t largest_chunk = std::uint64_t{1} << 31;

}  // namespace

io::SectionSchema OutputOptions::schema() {
  return {"output", "Where results go.", [this](io::Binder& binder) {
            binder.file("file", file, io::FileUse::written, "results file (HDF5); \"\" for none");
            binder.bytes("chunk", layout.chunk, {io::least_chunk, largest_chunk},
                         "bytes that large datasets are stored in at a time");
            binder.bytes("alignment", layout.alignment, {0, largest_chunk},
                         "places in the file where chunks of large datasets begin are multiples of "
                         "it, such as a parallel file system's stripes: a power of two, "
                         "output.chunk at most; 0: anywhere");
          }};
}

void OutputOptions::check() const {
  const std::string asked = fmt::format("output.alignment={}", io::bytes_text(layout.alignment));
  if (layout.alignment != 0 && !std::has_single_bit(layout.alignment)) {
    throw Error(asked, "alignments of disks and file systems are powers of two",
                fmt::format("Give {} or {}.", io::bytes_text(std::bit_floor(layout.alignment)),
                            io::bytes_text(std::bit_ceil(layout.alignment))));
  }
  if (layout.alignment > layout.chunk) {
    throw Error(fmt::format("{} with output.chunk={}", asked, io::bytes_text(layout.chunk)),
                "each chunk would leave a gap behind it",
                "Give an alignment of one chunk at most, or larger chunks.");
  }
}

}  // namespace rivulet
