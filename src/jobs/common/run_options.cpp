// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/common/run_options.hpp"

#include <fmt/format.h>

#include <bit>

#include "io/words/scalar_text.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

/// Upper limit of a chunk in bytes: HDF5 requires chunks below 4 GiB, and MPI counts the bytes of a
/// write in an int.
constexpr std::uint64_t largest_chunk = std::uint64_t{1} << 31;

}  // namespace

void OutputOptions::bind_expect(io::Binder& binder) {
  binder.digest("expect", expect, "digest of a correct run; another one: status 4; \"\" for none");
}

io::SectionSchema OutputOptions::schema() {
  return {"output", "Where results go, and what they must be.", [this](io::Binder& binder) {
            binder.file("file", file, io::FileUse::written, "results file (HDF5); \"\" for none");
            bind_expect(binder);
            binder.bytes("chunk", layout.chunk, {io::min_chunk_bytes, largest_chunk},
                         "size of the pieces of large datasets", io::Effect::speed);
            binder.bytes("alignment", layout.alignment, {0, largest_chunk},
                         "chunks begin at multiples of this power of two, such as a file system's "
                         "stripe; at most output.chunk; 0: anywhere",
                         io::Effect::speed);
          }};
}

void OutputOptions::check() const {
  const std::string setting = fmt::format("output.alignment={}", io::bytes_text(layout.alignment));
  if (layout.alignment != 0 && !std::has_single_bit(layout.alignment)) {
    throw Error(setting, "alignments of disks and file systems are powers of two",
                fmt::format("Set output.alignment to {} or {}.",
                            io::bytes_text(std::bit_floor(layout.alignment)),
                            io::bytes_text(std::bit_ceil(layout.alignment))));
  }
  if (layout.alignment > layout.chunk) {
    throw Error(fmt::format("{} with output.chunk={}", setting, io::bytes_text(layout.chunk)),
                "a gap would follow each chunk",
                "Lower output.alignment to output.chunk, or raise output.chunk.");
  }
}

io::SectionSchema CheckpointOptions::schema() {
  return {"checkpoint", "How a run can be stopped and continued.", [this](io::Binder& binder) {
            binder.file("file", file, io::FileUse::written,
                        "checkpoint, which `rivulet --resume FILE` continues; \"\" for none");
            binder.duration("every", every, {0.01, 30 * 86400.0}, "time between two checkpoints",
                            io::Effect::place);
            binder.text("signals", signals, "signals that stop a run with a checkpoint, status 75",
                        io::Effect::place);
            binder.flag(
                "keep", keep,
                "keeps a finished run's checkpoint, so that pi can continue with more points",
                io::Effect::place);
          }};
}

}  // namespace rivulet
