// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "draw/stream_source.hpp"
#include "kernels/pi/pi_counter.hpp"
#include "kernels/store_words.hpp"

namespace rivulet {

/// Generates words into memory, then counts their points.
class StoredCounter final : public PiCounter {
 public:
  StoredCounter(const Space& space, const StreamPlan& plan, StreamRange range,
                const DrawOptions& options, const PiChoice& choice);

  std::uint64_t round_points() const override { return source_->period(shape()).items; }
  std::uint64_t state_bytes() const override { return source_->state_bytes(); }
  std::uint64_t buffer_bytes() const override;
  Work place(const ItemRange& points) override;
  void count_part(const Work& work) override;

 private:
  ItemShape shape() const { return {words_of(choice_)}; }
  void restart_streams() override { source_->restart(); }
  void resume_streams(std::uint64_t points) override;
  void make_buffer(std::uint64_t streams);
  void generate_then_count(const Work& work);

  PiChoice choice_;
  std::unique_ptr<StreamSource> source_;
  std::optional<WordBuffer> buffer_;
  std::uint64_t buffered_ = 0;  ///< streams or segments that the buffer was made for
};

}  // namespace rivulet
