// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

#include "io/deck/schema.hpp"
#include "jobs/common/run_options.hpp"
#include "jobs/common/stream_options.hpp"
#include "jobs/fill/fill_pieces.hpp"
#include "kernels/numbers/number_source.hpp"
#include "streams/generator.hpp"

namespace rivulet {

/// The deck of the fill job and of `rivulet stream`.
struct FillOptions {
  StreamOptions streams;
  std::uint64_t numbers = 1000000000;
  NumberType type = NumberType::float64;
  Interval interval = Interval::closed_open;
  Law::Kind law = Law::Kind::uniform;
  double mean = 0;       ///< log_normal: mean of the logarithm; exponential: 0 stands for 1
  double deviation = 1;  ///< standard deviation; log_normal: that of the logarithm
  Order order = Order::interleaved;
  std::uint64_t block = 0;  ///< numbers per block of the blocked order; 0: the whole array
  FillTarget to = FillTarget::memory;
  std::uint64_t memory = 0;  ///< bytes; 0 for the fastest size
  std::uint64_t iterations = 1;
  CheckpointOptions checkpoint;
  OutputOptions output{"fill.h5"};

  io::Schema schema();

  void check() const;
  void check_law() const;
  bool has_integer_type() const { return type == NumberType::uint32 || type == NumberType::uint64; }
  FillOrder arrangement() const;
  /// Returns how many raw numbers the generator draws for numbers_per_stream numbers of the deck's
  /// type.
  std::uint64_t raw_numbers(std::uint64_t numbers_per_stream) const;
  NumberRequest request() const;
  FillLimits limits(const Space& space, const NumberSource& source) const;
};

std::string name_of(NumberType type);
std::string name_of(Interval interval);
std::string name_of(Law::Kind law);
std::string name_of(Order order);

}  // namespace rivulet
