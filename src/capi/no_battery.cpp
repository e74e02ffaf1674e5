// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "capi/calls.hpp"
#include "rivulet/battery.hpp"
#include "sequences/sequence_error.hpp"

// The battery's functions in a build without it (RIVULET_BATTERY=OFF). Every call throws or returns
// an error.

namespace rivulet {
namespace {

Error left_out() {
  return {"this build has no battery", "it was configured with RIVULET_BATTERY=OFF",
          "Configure Rivulet with -DRIVULET_BATTERY=ON."};
}

}  // namespace

std::vector<BatteryPValue> detail::run_battery(
    std::uint64_t, const std::function<void(std::uint64_t, std::uint32_t*)>&, const std::string&) {
  throw left_out();
}

}  // namespace rivulet

int rivulet_battery(const char*, rivulet_words*, rivulet_p_value*, void*) {
  using namespace rivulet;
  return capi::guarded([] { throw SequenceError(Fault::unknown_name, left_out()); });
}
