// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "io/mpi/communicator.hpp"
#include "parameters/linear_relations.hpp"
#include "rivulet/detail/rng/dcmt_set.hpp"

namespace rivulet::io {
class Results;
class ResultsFile;
}  // namespace rivulet::io

namespace rivulet {

inline constexpr const char* parameters_kind = "parameters";

struct SetFigures {
  Equidistribution k;
  LinearRelations relations;
};

/// Returns the equidistribution and the linear relations of a set. The set's characteristic
/// polynomial must be irreducible.
SetFigures figures_of(const DcmtShape& shape, const DcmtSet& set);

/// Declares a parameter file's contents in its root group. Collective, with equal arguments on all
/// ranks.
void declare_sets(io::Results& out, const DcmtSets& sets, std::span<const SetFigures> figures,
                  std::uint64_t seed, const std::string& candidates);

/// Writes sets with their figures (declare_sets()) to `file`, a new HDF5 file of kind
/// parameters_kind, and commits the file. Collective, with equal arguments on all ranks. Throws
/// Error if the file cannot be written.
void write_parameter_file(const io::Communicator& communicator, io::ResultsFile& file,
                          const DcmtSets& sets, std::span<const SetFigures> figures,
                          std::uint64_t seed, const std::string& candidates);

/// Reads a parameter file. Collective. Throws Error on all ranks if the file is not a parameter
/// file, its digest is wrong, or an id occurs twice. Also throws Error, naming the set, if a set's
/// characteristic polynomial is reducible or the set does not match its id.
DcmtSets read_parameter_file(const io::Communicator& communicator, const std::string& path);

/// Returns the sets that a deck's `parameters` names: "shipped", "published" (p = 521 only) or the
/// path of a parameter file, whose exponent must be p. Collective. Throws Error if there are no
/// such sets for p, or if the file cannot be read.
DcmtSets load_dcmt_sets(const io::Communicator& communicator, const std::string& parameters, int p);

}  // namespace rivulet
