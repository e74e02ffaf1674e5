// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parameters/parameter_file.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "io/results/result_tree.hpp"
#include "io/results/results_file.hpp"
#include "parameters/creator.hpp"
#include "parameters/equidistribution.hpp"
#include "rivulet/create.hpp"
#include "rivulet/detail/host_parallel.hpp"
#include "rivulet/detail/rng/shipped_sets.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

constexpr const char* recreate_advice = "Recreate it with `rivulet create`.";

using Column = std::vector<std::uint32_t>;

Column column_of(const DcmtSets& sets, std::uint32_t DcmtSet::*member) {
  Column column;
  for (const DcmtSet& set : sets.sets) column.push_back(set.*member);
  return column;
}

Column k_table_of(std::span<const SetFigures> figures) {
  Column table;
  for (const SetFigures& figures_of_set : figures)
    table.insert(table.end(), figures_of_set.k.begin(), figures_of_set.k.end());
  return table;
}

template <class F>
Column column_of(std::span<const SetFigures> figures, const F& value) {
  Column column;
  for (const SetFigures& figures_of_set : figures)
    column.push_back(value(figures_of_set.relations));
  return column;
}

void require_distinct_ids(const std::string& path, const DcmtSets& sets) {
  Column ids = column_of(sets, &DcmtSet::id);
  std::sort(ids.begin(), ids.end());
  const auto duplicate = std::adjacent_find(ids.begin(), ids.end());
  if (duplicate != ids.end()) {
    throw Error("parameter file '" + path + "' is damaged",
                "id " + std::to_string(*duplicate) + " occurs twice", recreate_advice);
  }
}

/// Reads a file on one rank, with all checks except the proofs.
DcmtSets read_checked(const std::string& path) {
  const io::ReadFile file(path, parameters_kind);
  const auto p = file.attribute<std::uint64_t>("/", "p");
  DcmtSets sets{static_cast<int>(std::min<std::uint64_t>(p, 1u << 30)), path, {}};
  if (std::ranges::find(dcmt_exponents, sets.p) == dcmt_exponents.end()) {
    throw Error("parameter file '" + path + "' has exponent " + std::to_string(p),
                "the exponents are 521, 607, 1279 and 2203", recreate_advice);
  }
  const auto id = file.dataset<std::uint32_t>("/id");
  const auto a = file.dataset<std::uint32_t>("/a");
  const auto b = file.dataset<std::uint32_t>("/b");
  const auto c = file.dataset<std::uint32_t>("/c");
  if (id.empty() || a.size() != id.size() || b.size() != id.size() || c.size() != id.size()) {
    throw Error("parameter file '" + path + "' is damaged",
                "the datasets id, a, b and c are empty or differ in length", recreate_advice);
  }
  for (std::size_t i = 0; i < id.size(); ++i) sets.sets.push_back({id[i], a[i], b[i], c[i]});
  const std::string stated = file.attribute<std::string>("/", "digest");
  if (const std::string found = digest(sets); found != stated) {
    throw Error("parameter file '" + path + "' is damaged",
                "its sets have the digest " + found + ", not " + stated, recreate_advice);
  }
  require_distinct_ids(path, sets);
  return sets;
}

/// Broadcasts root's sets to all ranks.
DcmtSets broadcast(const io::Communicator& communicator, DcmtSets sets) {
  std::array<std::uint64_t, 2> header{static_cast<std::uint64_t>(sets.p), sets.sets.size()};
  communicator.broadcast(std::as_writable_bytes(std::span(header)));
  sets.p = static_cast<int>(header[0]);
  sets.sets.resize(header[1]);
  communicator.broadcast(std::as_writable_bytes(std::span(sets.sets)));
  return sets;
}

bool is_proved(const DcmtShape& shape, const DcmtSet& set) {
  try {
    prove(shape, set);
  } catch (const Error&) {
    return false;
  }
  return true;
}

/// Proves every set. Each rank proves a part of the sets on its threads. Collective. Throws Error
/// on all ranks for the first set that fails.
void prove_all(const io::Communicator& communicator, const std::string& path,
               const DcmtSets& sets) {
  const auto size = static_cast<std::size_t>(communicator.size());
  const auto rank = static_cast<std::size_t>(communicator.rank());
  const std::size_t count = sets.sets.size();
  const std::size_t first = count * rank / size;
  const DcmtShape shape = offered_dcmt_shape(sets.p);
  std::vector<char> proved(count * (rank + 1) / size - first);
  for_each_on_host("rivulet::prove_sets", proved.size(), [&](std::size_t i) {
    proved[i] = static_cast<char>(is_proved(shape, sets.sets[first + i]));
  });
  const auto failed = std::find(proved.begin(), proved.end(), char{0});
  const std::size_t local_first_failed =
      failed == proved.end() ? count : first + static_cast<std::size_t>(failed - proved.begin());
  const std::uint64_t first_failed = communicator.min(std::uint64_t{local_first_failed});
  if (first_failed < count) {
    prove(shape, sets.sets[first_failed], dcmt_id_mask,
          "parameter file '" + path + "' is unusable: ");
  }
}

/// Throws Error unless Kokkos is initialised, because its host threads create and prove the sets.
void require_kokkos(const std::string& action) {
  if (Kokkos::is_initialized()) return;
  throw Error("parameter sets cannot be " + action, "Kokkos is not running",
              "Call this between Kokkos::initialize and Kokkos::finalize.");
}

void require_ids(std::uint64_t first_id, std::uint64_t count) {
  if (count == 0) {
    throw Error("no parameter sets to create", "count is 0", "Pass 1 or more as count.");
  }
  if (first_id >= dcmt_id_limit || count > dcmt_id_limit - first_id) {
    throw Error(std::to_string(count) + " parameter sets from id " + std::to_string(first_id) +
                    " on do not exist",
                "an id is 16 bits of the twist coefficient, 0 to 65535",
                "Lower the first id or the count.");
  }
}

}  // namespace

SetFigures figures_of(const DcmtShape& shape, const DcmtSet& set) {
  return {dimensions_of_equidistribution(shape, set), linear_relations(shape, set)};
}

void declare_sets(io::Results& out, const DcmtSets& sets, std::span<const SetFigures> figures,
                  std::uint64_t seed, const std::string& candidates) {
  out.stored("p", static_cast<std::uint64_t>(sets.p), "", "Mersenne exponent: periods are 2^p - 1");
  out.stored("seed", seed, "", "of the search");
  out.stored("candidates", candidates, "", "`hashed` or `dc062`");
  out.stored("digest", digest(sets), "",
             "SHA-256 of p and the number of sets in 64 bits, then id, a, b, c of each in 32 bits");
  const auto put = [&](const std::string& name, Column values, const std::string& doc) {
    out.dataset(name, std::move(values), "set", "", doc);
  };
  put("id", column_of(sets, &DcmtSet::id), "identifier, the low 16 bits of a");
  put("a", column_of(sets, &DcmtSet::a), "twist coefficient");
  put("b", column_of(sets, &DcmtSet::b), "tempering mask of the shift by 7");
  put("c", column_of(sets, &DcmtSet::c), "tempering mask of the shift by 15");
  out.dataset("k", k_table_of(figures), "set,v", "",
              "dimensions of equidistribution k(v) of the v leading bits, v = 1..32", 32);
  put("relation_weight",
      column_of(figures, [](const LinearRelations& one) { return one.least_weight; }),
      "least number of bits in a linear relation");
  put("short_relation",
      column_of(figures, [](const LinearRelations& one) { return one.are_short() ? 1U : 0U; }),
      "1 if a linear relation has three bits, or is among four adjacent ones; else 0");
}

void write_parameter_file(const io::Communicator& communicator, io::ResultsFile& file,
                          const DcmtSets& sets, std::span<const SetFigures> figures,
                          std::uint64_t seed, const std::string& candidates) {
  io::Results out(communicator, "/");
  declare_sets(out, sets, figures, seed, candidates);
  out.write(file);
  file.commit();
}

DcmtSets read_parameter_file(const io::Communicator& communicator, const std::string& path) {
  DcmtSets sets{0, path, {}};
  communicator.on_root([&] { sets = read_checked(path); });
  sets = broadcast(communicator, std::move(sets));
  communicator.together([&] { prove_all(communicator, path, sets); });
  return sets;
}

DcmtSets load_dcmt_sets(const io::Communicator& communicator, const std::string& parameters,
                        int p) {
  static_cast<void>(offered_dcmt_shape(p));
  if (parameters == "shipped") return shipped_dcmt(p);
  if (parameters == "published") {
    if (p != published_dcmt521().p) {
      throw Error("no published sets of exponent " + std::to_string(p),
                  "the published sets have p = 521",
                  "Set streams.generator=dcmt521, or streams.parameters=shipped.");
    }
    return published_dcmt521();
  }
  DcmtSets sets = read_parameter_file(communicator, parameters);
  if (sets.p != p) {
    throw Error("parameter file '" + parameters + "' does not fit",
                "its sets have exponent " + std::to_string(sets.p) + ", not " + std::to_string(p),
                "Set streams.generator=dcmt" + std::to_string(sets.p) +
                    ", or name another file in streams.parameters.");
  }
  return sets;
}

DcmtSets create_dcmt_sets(int p, std::uint64_t first_id, std::uint64_t count, std::uint64_t seed) {
  static_cast<void>(offered_dcmt_shape(p));
  require_ids(first_id, count);
  require_kokkos("made");
  DcmtSets sets{p, "created", std::vector<DcmtSet>(count)};
  for_each_on_host("rivulet::create_sets", count, [&](std::size_t i) {
    sets.sets[i] = create_dcmt_set(p, static_cast<std::uint32_t>(first_id + i), seed);
  });
  return sets;
}

DcmtSets read_dcmt_sets(const std::string& file) {
  require_kokkos("read");
  return read_parameter_file(io::Communicator::self(), file);
}

}  // namespace rivulet
