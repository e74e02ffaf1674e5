// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "kernels/pi/hit_counter.hpp"
#include "kernels/pi/pi_choice.hpp"
#include "kernels/store_words.hpp"

namespace rivulet {

/// Stores random words in memory, then counts the points in a second kernel.
class StoredCounter final : public HitCounter {
 public:
  StoredCounter(const Space& space, std::unique_ptr<StreamSource> source, const PiChoice& choice);

  std::optional<std::uint64_t> buffer_bytes() const override;
  void count_part(const Work& work) override;

 private:
  void reserve_memory(const Work& work) override;
  void make_buffer(std::uint64_t streams);
  void generate_then_count(const Work& work);

  PiChoice choice_;
  std::optional<WordBuffer> buffer_;
  std::uint64_t buffer_streams_ = 0;  ///< streams or segments that the buffer is sized for
};

}  // namespace rivulet
