// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// CORSIKA's random numbers under CORSIKA's names, for Fortran programs: RMMARD and RMMAQD as in
// CORSIKA 7, which follow CERN's RMMAR and RMMAQ (CERN Program Library V113). See docs/corsika.md.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <string>
#include <string_view>

#include "capi/corsika_sequence.hpp"
#include "machine/processor.hpp"
#include "rivulet/error.hpp"

namespace {

using rivulet::CorsikaSequence;
using rivulet::Error;

/// A Fortran INTEGER.
using Integer = std::int32_t;

/// Number of sequences. CORSIKA's limit, KSEQ, is between 8 and 16 in the versions seen.
constexpr Integer sequence_count = 64;

/// Unit of ISEED(3), which CORSIKA calls MODCNS.
constexpr std::uint64_t billion = 1000000000;

/// Maximum of ISEED(3), CORSIKA's NTOT2, in billions of numbers.
constexpr std::uint64_t most_billions = std::numeric_limits<Integer>::max();

constinit std::array<CorsikaSequence, sequence_count> sequences;

/// The sequence that was named last. Calls that name no sequence use it.
constinit Integer current = 1;

CorsikaSequence& current_sequence() { return sequences[static_cast<std::size_t>(current - 1)]; }

/// Selects sequence ISEQ. ISEQ <= 0 selects the current one, as in CORSIKA.
CorsikaSequence& choose(Integer iseq) {
  if (iseq > sequence_count) {
    throw Error("There is no sequence ISEQ = " + std::to_string(iseq),
                "this library keeps sequences 1 to " + std::to_string(sequence_count),
                "Pass ISEQ from 1 to " + std::to_string(sequence_count) + ".");
  }
  if (iseq > 0) current = iseq;
  return current_sequence();
}

/// Runs body(). If it throws, prints the error and exits, because Fortran callers cannot catch it.
/// CORSIKA's routines stop, too.
template <class F>
void stop_on_error(const char* routine, F&& body) noexcept {
  rivulet::require_processor(rivulet::compiled_features);
  try {
    body();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", routine, error.what());
    std::exit(EXIT_FAILURE);
  }
}

void draw(double* rvec, Integer lenv, Integer iseq) {
  CorsikaSequence& sequence = choose(iseq);
  if (lenv < 0) {
    throw Error("RVEC cannot take LENV = " + std::to_string(lenv) + " numbers",
                "a length cannot be negative", "Pass the number of elements to fill.");
  }
  if (!sequence.seeded()) {
    throw Error("Sequence " + std::to_string(current) + " has no numbers", "it was never seeded",
                "Call RMMAQD( ISEED," + std::to_string(current) + ",'S' ) first.");
  }
  sequence.draw(rvec, static_cast<std::size_t>(lenv));
}

std::string start_after(const Integer* iseed) {
  return "Sequence " + std::to_string(current) +
         " cannot start after ISEED(2) = " + std::to_string(iseed[1]) +
         " numbers and ISEED(3) = " + std::to_string(iseed[2]) + " billion";
}

void seed(const Integer* iseed, Integer iseq) {
  CorsikaSequence& sequence = choose(iseq);
  if (iseed[0] < 0 || iseed[0] >= rivulet::RanmarSeed::count) {
    throw Error(
        "ISEED(1) = " + std::to_string(iseed[0]) + " is not a seed",
        "RANMAR's sequences are numbered 0 to " + std::to_string(rivulet::RanmarSeed::count - 1),
        "Pass ISEED(1) in this range.");
  }
  if (iseed[1] < 0 || iseed[2] < 0) {
    throw Error(start_after(iseed), "counts cannot be negative",
                "Pass what RMMAQD( ISEED,ISEQ,'R' ) returned, or zeros.");
  }
  const std::uint64_t drawn =
      static_cast<std::uint64_t>(iseed[1]) + billion * static_cast<std::uint64_t>(iseed[2]);
  if (drawn / billion > most_billions) {
    throw Error(start_after(iseed),
                "that is " + std::to_string(drawn / billion) +
                    " billion numbers, and ISEED(3), an INTEGER, counts at most " +
                    std::to_string(most_billions) + " billion",
                "Lower ISEED(3), or begin with another ISEED(1).");
  }
  sequence.seed(iseed[0], drawn);
}

void read_back(Integer* iseed, Integer* iseq) {
  const CorsikaSequence& sequence = choose(*iseq);
  if (*iseq <= 0) *iseq = current;
  if (sequence.drawn() / billion > most_billions) {
    throw Error(
        "Sequence " + std::to_string(current) + " cannot be read back",
        std::to_string(sequence.drawn() / billion) +
            " billion numbers have been drawn, and ISEED(3), an INTEGER, ends at " +
            std::to_string(most_billions),
        "Seed it anew with another ISEED(1): RMMAQD( ISEED," + std::to_string(current) + ",'S' ).");
  }
  iseed[0] = static_cast<Integer>(sequence.ijkl());
  iseed[1] = static_cast<Integer>(sequence.drawn() % billion);
  iseed[2] = static_cast<Integer>(sequence.drawn() / billion);
}

/// Seeds with CERN's default for this generator, the pair (1802, 9373).
void seed_by_default(Integer* iseed, Integer iseq) {
  iseed[0] = 54217137;
  iseed[1] = 0;
  iseed[2] = 0;
  current = 1;
  seed(iseed, iseq);
}

bool contains(std::string_view option, const char* letters) {
  return option.find_first_of(letters) != std::string_view::npos;
}

void set_or_get(Integer* iseed, Integer* iseq, std::string_view option) {
  if (option.find_first_not_of(' ') == std::string_view::npos) {
    seed_by_default(iseed, *iseq);
  } else if (contains(option, "Vv")) {
    throw Error("CHOPT = '" + std::string(option) + "' is not supported",
                "the states of Rivulet's sequences are not CORSIKA's 103 words",
                "Use 'R' and 'S' with three integers: skipping takes well under a millisecond.");
  } else if (contains(option, "Ss")) {
    seed(iseed, *iseq);
  } else if (contains(option, "Rr")) {
    read_back(iseed, iseq);
  } else {
    throw Error("CHOPT = '" + std::string(option) + "' is unknown",
                "'S' sets a sequence, 'R' reads it back, ' ' seeds it by default",
                "Pass CHOPT = 'S', 'R' or ' '.");
  }
}

}  // namespace

extern "C" {

/// COMMON /CRRANMA3/ CD,CINT,CM,TWOM24,TWOM48,MODCNS: constants that CORSIKA's models read, too.
/// RMMAQD sets them, as in CORSIKA, because a Fortran object's common block may replace this one.
struct Crranma3 {
  double cd, cint, cm, twom24, twom48;
  Integer modcns;
};
[[gnu::visibility("default")]] Crranma3 crranma3_;

/// RMMARD( RVEC,LENV,ISEQ ) writes the next LENV numbers of sequence ISEQ to RVEC.
[[gnu::visibility("default")]] void rmmard_(double* rvec, const Integer* lenv,
                                            const Integer* iseq) {
  if (*iseq > 0 && *iseq <= sequence_count) current = *iseq;
  CorsikaSequence& sequence = current_sequence();
  // Invalid lengths and sequences go to draw(), which reports them.
  const auto count = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(*lenv));
  if (count <= sequence.ahead() && count > 0 && *iseq <= sequence_count) {
    sequence.take(rvec, count);
  } else {
    stop_on_error("RMMARD", [&] { draw(rvec, *lenv, *iseq); });
  }
}

/// RMMAQD( ISEED,ISEQ,CHOPT ) sets or reads a sequence's position. ISEED(1) is the seed 30082 ij +
/// kl. The count of numbers drawn is ISEED(2) + 10^9 ISEED(3).
[[gnu::visibility("default")]] void rmmaqd_(Integer* iseed, Integer* iseq, const char* chopt,
                                            std::size_t chopt_length) {
  constexpr std::size_t significant = 12;  // characters of CHOPT that CORSIKA reads
  stop_on_error("RMMAQD", [&] {
    crranma3_ = {7654321 * 0x1p-24, 362436 * 0x1p-24, 16777213 * 0x1p-24,
                 0x1p-24,           0x1p-48,          static_cast<Integer>(billion)};
    set_or_get(iseed, iseq, {chopt, std::min(chopt_length, significant)});
  });
}

}  // extern "C"
