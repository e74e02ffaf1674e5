// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/results/results_file.hpp"
#include "io_test_support.hpp"
#include "parameters/creator.hpp"
#include "parameters/equidistribution.hpp"
#include "parameters/parameter_file.hpp"
#include "rivulet/detail/rng/shipped_sets.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class ParameterFile : public testing::Test {
 protected:
  ParameterFile() {
    sets_.sets.resize(9);
    for (const DcmtSet& set : sets_.sets) {
      figures_.push_back(figures_of(dcmt_shape(607), set));
    }
  }

  void write() const {
    io::ResultsFile file(world_, file_, parameters_kind, "1");
    write_parameter_file(world_, file, sets_, figures_, 20261120, "hashed");
  }

  std::string reading_error() const {
    return message_of([this] { read_parameter_file(world_, file_); });
  }

  /// Writes a file as write_parameter_file does, but with the given digest.
  void write_with_digest(const std::string& stated) const {
    io::ResultsFile file(world_, file_, "parameters", "0");
    file.attribute("/", "p", std::uint64_t{607});
    file.attribute("/", "digest", stated);
    const auto column = [&](const std::string& name, std::uint32_t DcmtSet::*member) {
      std::vector<std::uint32_t> values;
      for (const DcmtSet& set : sets_.sets) values.push_back(set.*member);
      file.dataset(name, values, 0, values.size());
    };
    column("/id", &DcmtSet::id);
    column("/a", &DcmtSet::a);
    column("/b", &DcmtSet::b);
    column("/c", &DcmtSet::c);
    file.commit();
  }

  const io::Communicator world_ = io::Communicator::self();
  const test::TemporaryFolder folder_;
  const std::string file_ = folder_ / "sets.h5";
  DcmtSets sets_ = shipped_dcmt(607);
  std::vector<SetFigures> figures_;
};

TEST_F(ParameterFile, ReturnsWhatWasWritten) {
  write();
  const DcmtSets read = read_parameter_file(world_, file_);
  EXPECT_EQ(read.p, 607);
  EXPECT_EQ(read.source, file_);
  EXPECT_EQ(read.sets, sets_.sets);
  EXPECT_EQ(digest(read), digest(sets_));
}

TEST_F(ParameterFile, HoldsFiguresAndOrigin) {
  sets_.sets[8] = {8, 0xf3630000, 0x4cd5bb80, 0xf7558000};  // known to have a relation of 3 bits
  figures_[8] = figures_of(dcmt_shape(607), sets_.sets[8]);
  write();
  const io::ReadFile file(file_, "parameters");
  EXPECT_EQ(file.attribute<std::uint64_t>("/", "p"), 607u);
  EXPECT_EQ(file.attribute<std::uint64_t>("/", "seed"), 20261120u);
  EXPECT_EQ(file.attribute<std::string>("/", "candidates"), "hashed");
  EXPECT_EQ(file.attribute<std::string>("/", "digest"), digest(sets_));
  EXPECT_EQ(file.shape("/k"), (std::vector<std::uint64_t>{9, 32}));
  const auto k = file.dataset<std::uint32_t>("/k");
  EXPECT_EQ(k[0], 607u);
  EXPECT_EQ(k[32 * 8 + 5], figures_[8].k[5]);
  const auto weight = file.dataset<std::uint32_t>("/relation_weight");
  const auto is_short = file.dataset<std::uint32_t>("/short_relation");
  ASSERT_EQ(weight.size(), 9U);
  ASSERT_EQ(is_short.size(), 9U);
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_EQ(weight[i], figures_[i].relations.least_weight);
    EXPECT_EQ(is_short[i], i == 8 ? 1U : 0U);
  }
}

TEST_F(ParameterFile, RefusesAnotherDigest) {
  write_with_digest(digest(sets_));
  EXPECT_EQ(reading_error(), "nothing was thrown");
  write_with_digest(std::string(64, '0'));
  EXPECT_THAT(reading_error(), HasSubstr("digest"));
}

TEST_F(ParameterFile, RefusesAReducibleSet) {
  sets_.sets[7].a ^= 0x10000;
  ASSERT_THROW(prove(dcmt_shape(607), sets_.sets[7]), Error);
  write();
  EXPECT_THAT(reading_error(), AllOf(HasSubstr("id 7"), HasSubstr("reducible")));
}

TEST_F(ParameterFile, RefusesASetOfAnotherId) {
  sets_.sets[2].id = 300;
  write();
  EXPECT_THAT(reading_error(), HasSubstr("id 300"));
}

TEST_F(ParameterFile, RefusesAnIdTwice) {
  sets_.sets[5] = sets_.sets[1];
  write();
  EXPECT_THAT(reading_error(), HasSubstr("id 1 occurs twice"));
}

TEST_F(ParameterFile, RefusesNoSets) {
  sets_.sets.clear();
  figures_.clear();
  write();
  EXPECT_THAT(reading_error(), HasSubstr("empty"));
}

TEST_F(ParameterFile, RefusesOtherFiles) {
  EXPECT_NE(reading_error(), "nothing was thrown");
  {
    io::ResultsFile file(world_, file_, "results", "0");
    file.commit();
  }
  EXPECT_NE(reading_error(), "nothing was thrown");
}

TEST_F(ParameterFile, LoadsByNameOrPath) {
  EXPECT_EQ(load_dcmt_sets(world_, "shipped", 521).sets.size(), 512u);
  EXPECT_EQ(load_dcmt_sets(world_, "published", 521).sets.size(), 32u);
  EXPECT_THROW(load_dcmt_sets(world_, "published", 607), Error);
  EXPECT_THROW(load_dcmt_sets(world_, "shipped", 2203), Error);
  EXPECT_THROW(load_dcmt_sets(world_, "shipped", 520), Error);
  write();
  EXPECT_EQ(load_dcmt_sets(world_, file_, 607).sets, sets_.sets);
  EXPECT_THROW(load_dcmt_sets(world_, file_, 521), Error);
}

}  // namespace
}  // namespace rivulet
