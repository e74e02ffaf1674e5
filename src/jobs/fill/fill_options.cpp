// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/fill/fill_options.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "rivulet/error.hpp"

namespace rivulet {
namespace {

constexpr std::uint64_t max_numbers = 1000000000000000000;  // 10^18

template <class E>
using Choices = io::Binder::Choices<E>;

const Choices<NumberType>& types() {
  static const Choices<NumberType> all{
      {"uint32", NumberType::uint32, "whole numbers 0 .. 2^32 - 1"},
      {"uint64", NumberType::uint64, "whole numbers 0 .. 2^64 - 1"},
      {"float", NumberType::float32, "24 random bits (23 with interval=open)"},
      {"double", NumberType::float64,
       "53 random bits (52 with interval=open), or a generator's 24 or 48"}};
  return all;
}

const Choices<Interval>& intervals() {
  static const Choices<Interval> all{{"closed_open", Interval::closed_open, "[0, 1)"},
                                     {"open", Interval::open, "(0, 1)"},
                                     {"open_closed", Interval::open_closed, "(0, 1]"},
                                     {"closed", Interval::closed, "[0, 1]"},
                                     {"zero_replaced", Interval::zero_replaced,
                                      "(0, 1): 0 becomes the least other number, as in CORSIKA"}};
  return all;
}

const Choices<Law::Kind>& laws() {
  static const Choices<Law::Kind> all{
      {"uniform", Law::Kind::uniform, "between 0 and 1, or all whole numbers"},
      {"normal", Law::Kind::normal, "as rivulet::Normal"},
      {"exponential", Law::Kind::exponential, "-mean log(u)"},
      {"log_normal", Law::Kind::log_normal, "exp of a normal number"}};
  return all;
}

const Choices<Order>& orders() {
  static const Choices<Order> all{
      {"interleaved", Order::interleaved, "number i is number i / S of stream i % S"},
      {"blocked", Order::blocked, "each stream fills a share of every `block`"}};
  return all;
}

template <int bits>
int raw_of(NumberType type) {
  constexpr Interval any = Interval::closed_open;
  constexpr std::array raw{
      NumberFormat<bits, std::uint32_t, any>::raw, NumberFormat<bits, std::uint64_t, any>::raw,
      NumberFormat<bits, float, any>::raw, NumberFormat<bits, double, any>::raw};
  return raw[static_cast<std::size_t>(type)];
}

}  // namespace

std::string name_of(NumberType type) { return io::Binder::name_in(types(), type); }
std::string name_of(Interval interval) { return io::Binder::name_in(intervals(), interval); }
std::string name_of(Law::Kind law) { return io::Binder::name_in(laws(), law); }
std::string name_of(Order order) { return io::Binder::name_in(orders(), order); }

io::Schema FillOptions::schema() {
  const auto bind_fill = [this](io::Binder& binder) {
    binder.integer("numbers", numbers, {1, max_numbers}, "numbers to generate", "numbers");
    binder.choice("type", type, types(), "type of the numbers");
    binder.choice("interval", interval, intervals(), "whether a float or double can be 0 or 1");
    binder.choice("law", law, laws(), "distribution of the numbers");
    binder.real(
        "mean", mean, {-1e100, 1e100},
        "normal: mean; log_normal: mean of the logarithm; exponential: mean, 0 stands for 1");
    binder.real("deviation", deviation, {0, 1e100},
                "normal: standard deviation; log_normal: that of the logarithm");
    binder.choice("order", order, orders(), "how the numbers of the S streams are ordered");
    binder.integer("block", block, {0, max_numbers},
                   "blocked: numbers per block, a multiple of streams.count; auto: all", "numbers",
                   io::Effect::result, io::Zero::means_auto);
    binder.choice<FillTarget>(
        "to", to,
        {{"memory", FillTarget::memory, "memory, for timing"},
         {"file", FillTarget::file, "dataset /results/fill/numbers of output.file"}},
        "where numbers go (`rivulet stream`: to standard output)");
    binder.bytes(
        "memory", memory, {0, std::uint64_t{1} << 50},
        "limit per rank on the buffer of numbers; auto: what stays in cache (CPU) or 8 GiB "
        "(GPU), 64 MiB to a file",
        io::Effect::speed, io::Zero::means_auto);
    binder.integer("iterations", iterations, {1, 1000000}, "repeats, for timing; all must agree",
                   "", io::Effect::speed);
  };
  return {"fill",
          "Random numbers in bulk: to memory (for timing), to an HDF5 dataset, or raw to standard "
          "output.",
          {streams.schema(),
           {"fill", "The numbers.", bind_fill},
           checkpoint.schema(),
           output.schema()}};
}

void FillOptions::check() const {
  if (has_integer_type() && interval != Interval::closed_open) {
    throw Error(fmt::format("fill.interval={} with fill.type={}", name_of(interval), name_of(type)),
                "only real numbers have an interval",
                "Omit fill.interval, or choose fill.type=float or double.");
  }
  check_law();
  if (order == Order::interleaved && block != 0) {
    throw Error(fmt::format("fill.block={} with fill.order=interleaved", block),
                "only the blocked order has blocks",
                "Omit fill.block, or choose fill.order=blocked.");
  }
  if (const std::uint64_t all = streams.family(); block % all != 0) {
    throw Error(fmt::format("fill.block={} for {} streams", block, all),
                "each stream fills an equal share of a block",
                fmt::format("Set fill.block to a multiple of {}.",
                            streams.family_streams == 0 ? "streams.count" : "streams.of"));
  }
}

void FillOptions::check_law() const {
  const std::string given = fmt::format("fill.law={}", name_of(law));
  if (law == Law::Kind::uniform) {
    if (mean == 0 && deviation == 1) return;
    throw Error(fmt::format("fill.mean={} and fill.deviation={} with {}", mean, deviation, given),
                "uniform numbers take their range from fill.interval",
                "Omit both, or choose fill.law=normal, exponential or log_normal.");
  }
  if (has_integer_type()) {
    throw Error(fmt::format("{} with fill.type={}", given, name_of(type)), "laws draw real numbers",
                "Set fill.type=float or fill.type=double.");
  }
  if (interval != Interval::closed_open) {
    throw Error(fmt::format("{} with fill.interval={}", given, name_of(interval)),
                "only uniform numbers have an interval", "Omit fill.interval.");
  }
  const auto fits = [this](double x) {
    const auto single = static_cast<float>(x);
    return type != NumberType::float32 || (std::isfinite(single) && (x == 0 || single != 0));
  };
  if (!fits(mean) || !fits(deviation)) {
    throw Error(
        fmt::format("fill.mean={} and fill.deviation={} with fill.type=float", mean, deviation),
        "a float cannot hold them", "Use values between 1e-37 and 1e38, or set fill.type=double.");
  }
  if (law == Law::Kind::exponential && (mean < 0 || deviation != 1)) {
    throw Error(fmt::format("{} with fill.mean={} and fill.deviation={}", given, mean, deviation),
                "the mean of an exponential law is positive and equals its deviation",
                "Set a positive fill.mean, and omit fill.deviation.");
  }
}

NumberRequest FillOptions::request() const {
  NumberRequest request{type, interval, streams.mapping(), 1, streams.segments};
  if (law == Law::Kind::uniform) return request;
  const bool is_exponential = law == Law::Kind::exponential;
  request.law = {law, is_exponential && mean == 0 ? 1 : mean, deviation};
  request.interval = request.law.interval();
  return request;
}

std::uint64_t FillOptions::raw_numbers(std::uint64_t numbers_per_stream) const {
  const int bits = streams.generator_facts().bits;
  const int raw = bits == 24 ? raw_of<24>(type) : bits == 32 ? raw_of<32>(type) : raw_of<48>(type);
  return static_cast<std::uint64_t>(raw) * numbers_per_stream;
}

FillOrder FillOptions::arrangement() const {
  const std::uint64_t all = streams.family();
  if (order == Order::interleaved) return {numbers, all, 1};
  return {numbers, all, block / all};
}

FillLimits FillOptions::limits(const Space& space, const NumberSource& source) const {
  constexpr auto tile = static_cast<std::uint64_t>(tile_streams);
  const std::uint64_t all = ceil_divide(source.count(), tile);
  const std::uint64_t tiles = device_build ? all : static_cast<std::uint64_t>(space.concurrency());
  return {memory, source.number_bytes(), source.period(), tiles * tile};
}

}  // namespace rivulet
