// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Bytes a second of numbers written to memory beyond the caches (far_), and of one stream with 10^7
// numbers a call (call_); to an array of 64000 numbers that stays in the second cache (cache_, up
// to 32 streams); and again and again to the nearest cache, which is the rate of generation alone
// (near_). rows: streams interleaved, columns: each stream's numbers together.

#include <fmt/format.h>

#include "generators/ours.hpp"
#include "generators/parts.hpp"
#include "generators/peers.hpp"
#include "scalar_ranmar.hpp"
#include "standard_peer.hpp"

namespace rivulet::parts {
namespace {

enum class Place { near, cache, call, far };
constexpr std::pair<const char*, Place> places[] = {
    {"near", Place::near}, {"cache", Place::cache}, {"call", Place::call}, {"far", Place::far}};
constexpr std::pair<const char*, NumberType> types[] = {{"uint32", NumberType::uint32},
                                                        {"uint64", NumberType::uint64},
                                                        {"float", NumberType::float32},
                                                        {"double", NumberType::float64}};

struct Fill {
  std::string generator;
  StreamMapping mapping;
  NumberType type;
  std::uint64_t streams;
  bool rows;
  Place place = Place::far;
  Interval interval = Interval::closed_open;
};

/// Numbers of a stream that lie in the nearest cache.
constexpr std::uint64_t near_numbers = 2048;
constexpr std::uint64_t far_bytes = std::uint64_t{1} << 28;

void fill(benchmark::State& state, const Fill& what) {
  const Generator& generator = *find_generator(what.generator);
  const auto plan = ours::plan_of(generator, what.streams);
  const Space space;
  const auto source = make_number_source(space, *plan, {0, what.streams},
                                         {what.type, what.interval, what.mapping, 1});
  source->restart();
  const std::uint64_t period = source->period();
  const bool near = what.place == Place::near;
  const std::uint64_t each = what.place == Place::cache  ? 64000 / what.streams
                             : what.place == Place::call ? 10000000 / what.streams
                                                         : far_bytes / source->number_bytes() /
                                                               what.streams / period * period;
  const auto to = unit_view("numbers", each * what.streams * source->number_bytes());
  // Near: rows over rows, or columns over columns, as many as are far.
  const std::uint64_t count =
      near && !what.rows ? std::min(each, near_numbers / period * period) : each;
  const NumberLayout layout =
      what.rows ? NumberLayout{1, near ? 0 : what.streams} : NumberLayout{near ? 0 : each, 1};
  std::uint64_t begin = 0;
  const auto draw = [&] {
    for (std::uint64_t done = 0; done < each; done += count) {
      const std::uint64_t now = std::min(count, each - done);
      source->draw({0, what.streams, begin, now}, layout, to.data());
      begin += now;
    }
    space.fence();
  };
  draw();  // new pages
  for (auto _ : state) draw();
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(to.extent(0)));
}

void add_places(Ratios& ratios, Fill what, const char* type) {
  const std::string name =
      fmt::format("{}_{}_{}_{}_{}{}", what.generator, type, name_of(what.mapping),
                  what.rows ? "rows" : "columns", what.streams,
                  what.interval == Interval::zero_replaced ? "_zero_replaced" : "");
  for (const auto& [prefix, place] : places) {
    if (what.streams > (place == Place::call ? 1 : place == Place::cache ? 32 : 1024)) continue;
    what.place = place;
    add(fmt::format("{}_{}", prefix, name), [what](benchmark::State& state) { fill(state, what); });
    ratios.emplace_back(fmt::format("{}_{}", prefix, name), "scalar_double");
  }
  ratios.emplace_back("far_" + name, "near_" + name);
  ratios.emplace_back("far_" + name, device_build ? "write_each" : "write_streaming");
  ratios.emplace_back("near_" + name, "near_std_mt19937_uint32");
}

}  // namespace

Ratios memory() {
  Ratios ratios;
  for (const peer::Peer& one : peer::writes()) add(one.name, one.run);
  add("scalar_double", [](benchmark::State& state) { scalar_double(state, sizeof(double)); });
  add("near_std_mt19937_uint32",
      [](benchmark::State& state) { peer::standard_words(state, 1 << 14); });
  for (const std::string& name : ready_names()) {
    const Generator& generator = *find_generator(name);
    for (const auto& [type_name, type] : types) {
      for (const std::uint64_t streams : {1, 32, 1024}) {
        for (const StreamMapping mapping : generator.mappings) {
          if (mapping == StreamMapping::lane) {
            if (streams == 1 && generator.has(StreamMapping::team)) continue;
            add_places(ratios, {name, mapping, type, streams, true}, type_name);
          }
          add_places(ratios, {name, mapping, type, streams, false}, type_name);
        }
      }
    }
  }
  add_places(ratios,
             {"ranmar48", StreamMapping::lane, NumberType::float64, 32, true, Place::far,
              Interval::zero_replaced},
             "double");
  return ratios;
}

}  // namespace rivulet::parts
