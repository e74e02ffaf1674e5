// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/common/checkpoint_options.hpp"

#include "io/mpi/stop_signals.hpp"

namespace rivulet {

io::SectionSchema CheckpointOptions::schema() {
  return {"checkpoint", "How a run can be left and continued.", [this](io::Binder& binder) {
            binder.file("file", file, io::FileUse::written,
                        "checkpoint, which `rivulet --resume FILE` continues; \"\" for none");
            binder.duration("every", every, {0.01, 30 * 86400.0}, "time between two checkpoints");
            binder.text("signals", signals,
                        "signals on which a run writes its checkpoint and ends with status 75");
            binder.flag("keep", keep,
                        "keeps the last checkpoint of a run that came to its end, from which "
                        "pi.points may grow");
          }};
}

void CheckpointOptions::check() const {
  if (asked()) static_cast<void>(io::signals_from(signals));
}

}  // namespace rivulet
