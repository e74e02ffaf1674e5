// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/common/saved_output.hpp"

#include <span>
#include <string>

namespace rivulet {

void save_output(const io::Communicator& ranks, io::ResultsFile& checkpoint,
                 const io::ResultsFile& output) {
  const io::UnfinishedFile& file = output.unfinished();
  checkpoint.attribute(state_group, "output", file.path);
  checkpoint.attribute(state_group, "output_bytes", file.bytes, "B");
  checkpoint.attribute(state_group, "output_mark_at", file.mark_at, "B");
  checkpoint.attribute(state_group, "output_head_bytes", file.head_bytes, "B");
  const std::span head(file.head.data(), ranks.is_root() ? file.head.size() : 0);
  checkpoint.dataset(state_group + "/output_head", head, 0, ranks.sum(std::uint64_t{head.size()}),
                     "first bytes of the unfinished results");
}

io::UnfinishedFile saved_output(const SavedRun& saved) {
  return {saved.text("output"), saved.number("output_bytes"), saved.number("output_mark_at"),
          saved.number("output_head_bytes"), saved.all("output_head")};
}

}  // namespace rivulet
