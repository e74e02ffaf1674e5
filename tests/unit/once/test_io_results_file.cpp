// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/results/results_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <limits>
#include <numeric>

#include "io/results/hdf5_support.hpp"
#include "io_test_support.hpp"

namespace rivulet::io {
namespace {

using test::message_of;
using test::TemporaryFolder;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class InFolder : public testing::Test {
 protected:
  const TemporaryFolder folder;

  /// Fills a file, completes it, and opens it for reading.
  template <class F>
  ReadFile written(F&& fill) {
    ResultsFile file(Communicator::self(), folder / "a.h5", "results", "1.2.3");
    fill(file);
    file.commit();
    return {folder / "a.h5", "results"};
  }
};
class ResultsFiles : public InFolder {};
class ReadFiles : public InFolder {};

TEST_F(ResultsFiles, SaysWhatItIs) {
  const ReadFile file = written([](ResultsFile&) {});
  EXPECT_EQ(file.attribute<std::string>("/", "format"), "rivulet results");
  EXPECT_EQ(file.attribute<std::uint64_t>("/", "format_version"), 1U);
  EXPECT_EQ(file.attribute<std::string>("/", "version"), "1.2.3");
}

TEST_F(ResultsFiles, KeepsAttributesOfEveryType) {
  const std::vector<std::string> texts{"a", "", "\xc3\xa9t\xc3\xa9"};
  const std::vector<std::uint64_t> integers{0, std::numeric_limits<std::uint64_t>::max()};
  const std::vector<double> reals{0.1, -1e300};
  const ReadFile file = written([&](ResultsFile& out) {
    out.group("/results/pi", "What came out.");
    const auto put = [&](const std::string& name, const auto& value) {
      out.attribute("/results/pi", name, value);
    };
    put("flag", true);
    put("signed", std::int64_t{-5});
    put("unsigned", std::numeric_limits<std::uint64_t>::max());
    put("small", std::uint32_t{7});
    put("real", 0.1);
    put("text", "words");
    put("empty", std::string());
    put("texts", texts);
    put("integers", integers);
    put("reals", reals);
    put("nothing", std::vector<double>());
    out.attribute("/results/pi", "time", 1.5, "s");
  });
  const std::string at = "/results/pi";
  EXPECT_EQ(file.attribute<std::string>(at, "description"), "What came out.");
  EXPECT_TRUE(file.attribute<bool>(at, "flag"));
  EXPECT_EQ(file.attribute<std::int64_t>(at, "signed"), -5);
  EXPECT_EQ(file.attribute<std::uint64_t>(at, "unsigned"),
            std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(file.attribute<std::uint64_t>(at, "small"), 7U);
  EXPECT_EQ(file.attribute<std::int64_t>(at, "small"), 7);
  EXPECT_EQ(file.attribute<double>(at, "real"), 0.1);
  EXPECT_EQ(file.attribute<std::string>(at, "text"), "words");
  EXPECT_EQ(file.attribute<std::string>(at, "empty"), "");
  EXPECT_EQ(file.attribute<std::vector<std::string>>(at, "texts"), texts);
  EXPECT_EQ(file.attribute<std::vector<std::uint64_t>>(at, "integers"), integers);
  EXPECT_EQ(file.attribute<std::vector<double>>(at, "reals"), reals);
  EXPECT_TRUE(file.attribute<std::vector<double>>(at, "nothing").empty());
  EXPECT_EQ(file.attribute<std::string>(at, "time_unit"), "s");
  EXPECT_FALSE(file.has_attribute(at, "real_unit"));
}

TEST_F(ResultsFiles, ReplacesAnAttribute) {
  const ReadFile file = written([](ResultsFile& out) {
    out.attribute("/", "digest", "old");
    out.attribute("/", "digest", "new");
  });
  EXPECT_EQ(file.attribute<std::string>("/", "digest"), "new");
}

template <class T>
class DatasetOf : public InFolder {};
using ElementTypes = testing::Types<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t,
                                    std::int64_t, float, double>;
TYPED_TEST_SUITE(DatasetOf, ElementTypes);

TYPED_TEST(DatasetOf, ComesBackBitForBit) {
  const std::vector<TypeParam> values{TypeParam{0}, TypeParam{1},
                                      std::numeric_limits<TypeParam>::max(),
                                      std::numeric_limits<TypeParam>::lowest()};
  const ReadFile file = this->written([&](ResultsFile& out) {
    out.dataset("/deep/down/values", values, 0, values.size(), "some values", "m");
  });
  EXPECT_EQ(file.template dataset<TypeParam>("/deep/down/values"), values);
  EXPECT_THAT(file.shape("/deep/down/values"), ElementsAre(4));
  EXPECT_EQ(file.attribute<std::string>("/deep/down/values", "description"), "some values");
  EXPECT_EQ(file.attribute<std::string>("/deep/down/values", "unit"), "m");
}

TEST_F(ResultsFiles, KeepsNoElementsAtAll) {
  const ReadFile file = written([](ResultsFile& out) {
    out.dataset("/none", std::vector<std::uint64_t>(), 0, 0);
    out.table("/no rows", std::span<const double>(), 5, 0, 0);
  });
  EXPECT_TRUE(file.dataset<std::uint64_t>("/none").empty());
  EXPECT_THAT(file.shape("/no rows"), ElementsAre(0, 5));
}

TEST_F(ResultsFiles, KeepsTables) {
  const std::vector<std::uint16_t> values{1, 2, 3, 4, 5, 6};
  std::vector<std::uint64_t> wide(std::size_t{2} * 300'000);
  std::iota(wide.begin(), wide.end(), std::uint64_t{0});
  const ReadFile file = written([&](ResultsFile& out) {
    out.table("/table", std::span<const std::uint16_t>(values), 3, 0, 2);
    out.table("/wide", std::span<const std::uint64_t>(wide), 300'000, 0, 2);
  });
  EXPECT_THAT(file.shape("/table"), ElementsAre(2, 3));
  EXPECT_EQ(file.dataset<std::uint16_t>("/table"), values);
  EXPECT_EQ(file.dataset<std::uint64_t>("/wide"), wide);
}

TEST_F(ResultsFiles, TakesADatasetInSeveralGoes) {
  const std::vector<std::uint64_t> values{1, 2, 3, 4, 5};
  const std::span all(values);
  const ReadFile file = written([&](ResultsFile& out) {
    out.create("/values", {ElementType::u64, 5});
    out.write("/values", all.subspan(2), 1, 2);
    out.write("/values", all.first(2), 1, 0);
  });
  EXPECT_EQ(file.dataset<std::uint64_t>("/values"), values);
}

TEST_F(ResultsFiles, KeepsTexts) {
  const std::string deck = "job: pi\n" + std::string(100'000, '#') + "\n";
  const std::vector<std::string> hosts{"node-1", "", "n\xc3\xb6"};
  const ReadFile file = written([&](ResultsFile& out) {
    out.text("/config/deck", deck, "The resolved deck.");
    out.text("/config/empty", "");
    out.lines("/config/hosts", hosts);
    out.lines("/config/nobody", {});
  });
  EXPECT_EQ(file.text("/config/deck"), deck);
  EXPECT_EQ(file.text("/config/empty"), "");
  EXPECT_EQ(file.lines("/config/hosts"), hosts);
  EXPECT_TRUE(file.lines("/config/nobody").empty());
  EXPECT_EQ(file.attribute<std::string>("/config/deck", "description"), "The resolved deck.");
  EXPECT_THAT(file.list("/config"), ElementsAre("deck", "empty", "hosts", "nobody"));
  EXPECT_TRUE(file.has("/config"));
  EXPECT_FALSE(file.has("/config/none"));
  EXPECT_FALSE(file.has("/none/at/all"));
}

std::string failure_to_open(const std::string& path) {
  return message_of([&] { ResultsFile(Communicator::self(), path, "results", "1"); });
}

TEST_F(ResultsFiles, RefusesPathsThatCannotBeWritten) {
  EXPECT_EQ(failure_to_open(folder / "none/a.h5"),
            "cannot write '" + folder / "none/a.h5" +
                "' (No such file or directory). Create its directory, or choose another path.");
  EXPECT_THAT(failure_to_open(folder.path()),
              AllOf(HasSubstr("(Is a directory)"), HasSubstr("Name a file")));
  EXPECT_THAT(failure_to_open(folder / std::string(300, 'x')), HasSubstr("File name too long"));
  EXPECT_THAT(failure_to_open(""), HasSubstr("cannot write ''"));
  EXPECT_TRUE(folder.is_empty());
}

TEST_F(ResultsFiles, RefusesAFolderWithoutPermission) {
  ::chmod(folder.path().c_str(), 0555);
  const bool is_root_user = ::geteuid() == 0;
  constexpr uid_t nobody = 65534;
  if (is_root_user && ::seteuid(nobody) != 0) GTEST_SKIP() << "root may write everywhere";
  const std::string message = failure_to_open(folder / "a.h5");
  ASSERT_EQ(::seteuid(is_root_user ? 0 : ::geteuid()), 0);
  EXPECT_THAT(message,
              AllOf(HasSubstr("(Permission denied)"), HasSubstr("Choose a writable path")));
}

TEST_F(ResultsFiles, RefusesWrongUse) {
  const std::vector<double> values(3);
  const auto failure = [&](auto&& use) {
    return message_of([&] {
      ResultsFile file(Communicator::self(), folder / "a.h5", "results", "1");
      use(file);
    });
  };
  EXPECT_THAT(failure([&](ResultsFile& f) { f.dataset("/v", values, 2, 4); }),
              HasSubstr("rows 2 to 4 are not among the 4 of '/v'"));
  EXPECT_THAT(failure([&](ResultsFile& f) {
                f.attribute("/none", "a", 1);
                f.commit();  // attributes are written by the next call
              }),
              HasSubstr("a.h5:/none'"));
  EXPECT_THAT(failure([&](ResultsFile& f) {
                f.dataset("/v", values, 0, 3);
                f.dataset("/v", values, 0, 3);
              }),
              HasSubstr("a.h5:/v'"));
  EXPECT_TRUE(folder.is_empty());
}

std::string failure_to_read(const std::string& path, const std::string& kind = "results") {
  return message_of([&] { ReadFile(path, kind); });
}

TEST_F(ReadFiles, RefusesWhatIsNotThere) {
  EXPECT_EQ(failure_to_read(folder / "a.h5"),
            "cannot read '" + folder / "a.h5" + "' (there is no such file). Check its name.");
  EXPECT_THAT(failure_to_read(folder.path()), HasSubstr("it is a directory"));
}

TEST_F(ReadFiles, RefusesWhatIsNotHdf5) {
  std::ofstream(folder / "a.h5") << "job: pi\n";
  EXPECT_THAT(failure_to_read(folder / "a.h5"), HasSubstr("not an HDF5 file"));
}

TEST_F(ReadFiles, RefusesATruncatedFile) {
  written([](ResultsFile& out) { out.dataset("/v", std::vector<double>(100'000), 0, 100'000); });
  std::filesystem::resize_file(folder / "a.h5", 300'000);
  EXPECT_THAT(failure_to_read(folder / "a.h5"),
              AllOf(HasSubstr("was cut short"), HasSubstr("another copy")));
}

TEST_F(ReadFiles, RefusesOtherKindsAndNewerFormats) {
  ResultsFile file(Communicator::self(), folder / "a.h5", "results", "1");
  file.attribute("/", "format_version", 2);
  file.commit();
  EXPECT_THAT(failure_to_read(folder / "a.h5", "parameters"),
              HasSubstr("(it is 'rivulet results', not 'rivulet parameters')"));
  EXPECT_THAT(failure_to_read(folder / "a.h5"),
              AllOf(HasSubstr("is too new"), HasSubstr("format_version is 2"),
                    HasSubstr("Use a newer Rivulet.")));
}

TEST_F(ReadFiles, RefusesHdf5OfOthers) {
  const std::string path = folder / "foreign.h5";
  Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
  EXPECT_THAT(failure_to_read(path),
              AllOf(HasSubstr("is not a Rivulet file"), HasSubstr("no attribute 'format'")));
}

TEST_F(ReadFiles, TellsWhatIsMissingOrOfAnotherType) {
  const ReadFile file = written([](ResultsFile& out) {
    out.attribute("/", "text", "words");
    out.attribute("/", "negative", -1);
    out.attribute("/", "real", 0.5);
    out.attribute("/", "two", std::vector<double>{1, 2});
    out.dataset("/v", std::vector<std::uint64_t>{1}, 0, 1);
  });
  EXPECT_EQ(message_of([&] { file.attribute<double>("/", "none"); }),
            "cannot read '/@none' of '" + folder / "a.h5" +
                "' (there is no such attribute). Recreate the file with this version of Rivulet.");
  EXPECT_THAT(message_of([&] { file.attribute<double>("/none", "a"); }), HasSubstr("no such"));
  EXPECT_THAT(message_of([&] { file.attribute<double>("/", "text"); }), HasSubstr("real number"));
  EXPECT_THAT(message_of([&] { file.attribute<double>("/", "two"); }), HasSubstr("single value"));
  EXPECT_THAT(message_of([&] { file.attribute<bool>("/", "real"); }), HasSubstr("not a flag"));
  EXPECT_THAT(message_of([&] { file.attribute<std::string>("/", "real"); }), HasSubstr("not text"));
  EXPECT_THAT(message_of([&] { file.attribute<std::uint64_t>("/", "real"); }),
              HasSubstr("not an integer"));
  EXPECT_THAT(message_of([&] { file.attribute<std::uint64_t>("/", "negative"); }),
              HasSubstr("does not fit"));
  EXPECT_THAT(message_of([&] { file.dataset<std::uint64_t>("/none"); }),
              HasSubstr("no such dataset"));
  EXPECT_THAT(message_of([&] { file.dataset<std::uint32_t>("/v"); }),
              HasSubstr("an unexpected type"));
  EXPECT_THAT(message_of([&] { file.dataset<double>("/v"); }), HasSubstr("an unexpected type"));
  EXPECT_THAT(message_of([&] { file.text("/v"); }), HasSubstr("not text"));
}

}  // namespace
}  // namespace rivulet::io
