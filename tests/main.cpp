// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "io/mpi/communicator.hpp"
#include "skipped_tests.hpp"

namespace {

/// Listing the tests, as the build does to discover them, needs neither a device nor MPI.
bool only_lists(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--gtest_list_tests") return true;
  }
  return false;
}

/// A folder for this process' Open MPI files, as tests/CMakeLists.txt gives whole programs: ctest
/// runs each case in a process of its own, several at a time.
class OwnMpiFolder {
 public:
  OwnMpiFolder() {
    if (std::getenv(variable) != nullptr) return;
    std::string pattern = std::filesystem::temp_directory_path() / "rivulet-mpi-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) return;
    folder_ = pattern;
    setenv(variable, pattern.c_str(), 1);
  }
  ~OwnMpiFolder() {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }
  OwnMpiFolder(const OwnMpiFolder&) = delete;
  OwnMpiFolder& operator=(const OwnMpiFolder&) = delete;

 private:
  static constexpr const char* variable = "OMPI_MCA_orte_tmpdir_base";
  std::filesystem::path folder_;
};

}  // namespace

int main(int argc, char** argv) {
  if (only_lists(argc, argv)) {
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
  }
  const OwnMpiFolder folder;
  const rivulet::io::MpiSession mpi(argc, argv);
  Kokkos::initialize(argc, argv);
  testing::InitGoogleTest(&argc, argv);
  const int status = rivulet::run_tests_and_list_skipped();
  Kokkos::finalize();
  return status;
}
