// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parameters/creator.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <span>

#include "io/files/sha256.hpp"
#include "parameters/equidistribution.hpp"
#include "parameters/linear_relations.hpp"
#include "parameters/small_factor_sieve.hpp"
#include "rivulet/detail/rng/splitmix64.hpp"
#include "rivulet/detail/rng/twister_polynomial.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

constexpr std::uint32_t top_bit = 0x80000000;

/// Degree up to which the Dynamic Creator sieves by irreducible polynomials. The degree must be the
/// same here, because the Dynamic Creator draws n words for each candidate that survives the sieve.
constexpr int dc062_sieve_degree = 9;
/// Degree of the second sieve, which only saves time.
constexpr int second_sieve_degree = 12;

/// Candidates per id: the Dynamic Creator's MAX_SEARCH.
constexpr int dc062_candidates = 10000;

/// Maximum number of candidates per id. Candidates have 15 free bits; for p = 2203, one in 630 is
/// irreducible.
constexpr int hashed_candidates = 1 << 17;

struct Sieves {
  explicit Sieves(const DcmtShape& shape)
      : first(shape, 1, dc062_sieve_degree),
        second(shape, dc062_sieve_degree + 1, second_sieve_degree) {}

  SmallFactorSieve first;
  SmallFactorSieve second;
};

/// Returns the sieves of a shape. The first call creates them.
const Sieves& sieves_of(const DcmtShape& shape) {
  static std::array<std::once_flag, dcmt_exponents.size()> created;
  static std::array<std::optional<Sieves>, dcmt_exponents.size()> sieves;
  const auto index = static_cast<std::size_t>(
      std::find(dcmt_exponents.begin(), dcmt_exponents.end(), shape.p) - dcmt_exponents.begin());
  std::call_once(created[index], [&] { sieves[index].emplace(shape); });
  return *sieves[index];
}

/// The numbered candidates for one (seed, p, id).
class HashedCandidates {
 public:
  HashedCandidates(std::uint64_t seed, int p, std::uint32_t id)
      : key_(splitmix64_mix(splitmix64_mix(seed + splitmix64_increment) +
                            (static_cast<std::uint64_t>(p) << 32 | id))),
        id_(id) {}

  std::uint32_t operator()(int number) const {
    const std::uint64_t hash =
        splitmix64_mix(key_ + static_cast<std::uint64_t>(number) * splitmix64_increment);
    return top_bit | (static_cast<std::uint32_t>(hash >> 32) & ~dcmt_id_mask) | id_;
  }

 private:
  std::uint64_t key_;
  std::uint32_t id_;
};

void require_id(std::uint32_t id) {
  if (id >= dcmt_id_limit) {
    throw Error("id " + std::to_string(id) + " is out of range", "ids have 16 bits",
                "Choose ids from 0 to 65535.");
  }
}

[[noreturn]] void abandon_search(int p, std::uint32_t id, int candidates, const char* wanted) {
  throw Error("no set found for p = " + std::to_string(p) + ", id " + std::to_string(id),
              "none of " + std::to_string(candidates) + " candidates is " + wanted,
              "Choose another seed (create.seed).");
}

std::string name_of(const DcmtShape& shape, const DcmtSet& set) {
  return "set p = " + std::to_string(shape.p) + ", id " + std::to_string(set.id) +
         ", a = " + std::to_string(set.a);
}

}  // namespace

std::string to_string(Candidates candidates) {
  return candidates == Candidates::hashed ? "hashed" : "dc062";
}

DcmtShape offered_dcmt_shape(int p) {
  if (std::find(dcmt_exponents.begin(), dcmt_exponents.end(), p) == dcmt_exponents.end()) {
    throw Error("exponent p = " + std::to_string(p) + " is not supported",
                "the exponents are 521, 607, 1279 and 2203", "Choose one of them.");
  }
  return dcmt_shape(p);
}

DcmtSet create_dcmt_set(int p, std::uint32_t id, std::uint64_t seed) {
  const DcmtShape shape = offered_dcmt_shape(p);
  require_id(id);
  const Sieves& sieves = sieves_of(shape);
  const HashedCandidates candidates(seed, p, id);
  for (int number = 0; number < hashed_candidates; ++number) {
    DcmtSet set{.id = id, .a = candidates(number)};
    if (sieves.first.has_factor(set.a) || sieves.second.has_factor(set.a)) continue;
    if (!is_irreducible(dcmt_characteristic_polynomial(shape, set.a))) continue;
    const TemperingMasks masks = find_tempering(shape, set.a);
    set.b = masks.b;
    set.c = masks.c;
    if (!linear_relations(shape, set).are_short()) return set;
  }
  abandon_search(p, id, hashed_candidates, "irreducible and without a short relation");
}

Dc062Search::Dc062Search(int p, std::uint32_t first_id, std::uint32_t seed)
    : shape_(offered_dcmt_shape(p)), id_(first_id), source_(seed) {}

DcmtSet Dc062Search::next() {
  require_id(id_);
  const Sieves& sieves = sieves_of(shape_);
  for (int i = 0; i < dc062_candidates; ++i) {
    const auto word = static_cast<std::uint32_t>(source_());
    const DcmtSet set{.id = id_, .a = top_bit | (word & ~dcmt_id_mask) | id_};
    if (sieves.first.has_factor(set.a)) continue;
    source_.discard(static_cast<unsigned long long>(shape_.n));
    if (sieves.second.has_factor(set.a)) continue;
    if (!is_irreducible(dcmt_characteristic_polynomial(shape_, set.a))) continue;
    ++id_;
    return set;
  }
  abandon_search(shape_.p, id_, dc062_candidates, "irreducible");
}

void prove(const DcmtShape& shape, const DcmtSet& set, std::uint32_t id_mask,
           const std::string& place) {
  if ((set.a & id_mask) != set.id) {
    throw Error(place + name_of(shape, set) + " does not match its id",
                "the low bits of a are " + std::to_string(set.a & id_mask),
                "Use sets as made by `rivulet create`.");
  }
  if (!is_irreducible(dcmt_characteristic_polynomial(shape, set.a))) {
    throw Error(place + name_of(shape, set) + " does not have the full period",
                "its characteristic polynomial is reducible",
                "Use sets as made by `rivulet create`.");
  }
}

std::string digest(const DcmtSets& sets) {
  io::Sha256 hash;
  const std::array<std::uint64_t, 2> head{static_cast<std::uint64_t>(sets.p), sets.sets.size()};
  hash.update(std::span<const std::uint64_t>(head));
  for (const DcmtSet& set : sets.sets) {
    const std::array<std::uint32_t, 4> row{set.id, set.a, set.b, set.c};
    hash.update(std::span<const std::uint32_t>(row));
  }
  return hash.hex();
}

}  // namespace rivulet
