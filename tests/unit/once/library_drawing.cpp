// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "library_drawing.hpp"

#include <memory>
#include <stdexcept>

#include "generators/generators.hpp"
#include "parameters/creator.hpp"
#include "rivulet/detail/streams/dcmt_plan.hpp"
#include "scalar_numbers.hpp"

namespace rivulet {
namespace {

std::unique_ptr<StreamPlan> plan_of(const Generator& generator, const StreamsOptions& options) {
  const StreamRequest request{.streams = options.first + options.count, .seed = options.seed};
  if (options.sets.sets.empty()) return generator.plan(request, io::Communicator::self());
  auto plan = std::make_unique<DcmtPlan>(options.sets, request);
  plan->set_generator(generator);
  return plan;
}

}  // namespace

NumberList program_numbers(std::string_view generator, const StreamsOptions& options,
                           std::uint64_t numbers) {
  const Generator* const listed = find_generator(generator);
  if (listed == nullptr) throw std::invalid_argument("not in the list: " + std::string(generator));
  const auto plan = plan_of(*listed, options);
  return scalar_numbers(*plan, {options.first, options.count}, numbers);
}

const DcmtSets& sets_of_exponent(int p) {
  static const DcmtSets of_1279{
      1279, "made here", {create_dcmt_set(1279, 0, 1), create_dcmt_set(1279, 1, 1)}};
  static const DcmtSets of_2203{2203, "made here", {create_dcmt_set(2203, 0, 1)}};
  return p == 1279 ? of_1279 : of_2203;
}

}  // namespace rivulet
