// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "streams/stream_plan.hpp"

namespace rivulet {

StreamPlan::StreamPlan(const StreamRequest& request) : request_(request) {
  if (request.streams > 0) return;
  throw Error("no streams", "streams.count is 0, and every number comes from a stream",
              "Ask for at least one.");
}

}  // namespace rivulet
