# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Writes the public header rivulet/version.hpp and the internal header build.hpp. Before each build of the library, this
# file runs as a script (cmake -P) that rewrites version.hpp, because the commit may have changed since CMake
# configured. A header whose text stays the same is not touched.
if(CMAKE_SCRIPT_MODE_FILE) # arguments: SOURCE_DIR, OUTPUT, GIT_EXECUTABLE, VERSION
  set(GIT_HASH unknown)
  if(GIT_EXECUTABLE AND EXISTS ${SOURCE_DIR}/.git)
    execute_process(
      COMMAND ${GIT_EXECUTABLE} describe --always --dirty --abbrev=12 --exclude *
      WORKING_DIRECTORY ${SOURCE_DIR}
      OUTPUT_VARIABLE described
      RESULT_VARIABLE failed
      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(NOT failed)
      set(GIT_HASH ${described})
    endif()
  endif()
  file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace rivulet {

inline constexpr const char* version = "@VERSION@";
/// Commit that was built, with "-dirty" when files differed from it; "unknown" outside git.
inline constexpr const char* git_hash = "@GIT_HASH@";

}  // namespace rivulet
]])
  return()
endif()

find_package(Git QUIET)
set(rivulet_version_header ${PROJECT_BINARY_DIR}/generated/include/rivulet/version.hpp)
set(rivulet_version_command
    ${CMAKE_COMMAND}
    -DSOURCE_DIR=${PROJECT_SOURCE_DIR}
    -DOUTPUT=${rivulet_version_header}
    -DGIT_EXECUTABLE=${GIT_EXECUTABLE}
    -DVERSION=${PROJECT_VERSION}
    -P
    ${CMAKE_CURRENT_LIST_FILE})
execute_process(COMMAND ${rivulet_version_command} COMMAND_ERROR_IS_FATAL ANY)
if(RIVULET_COMPONENTS STREQUAL "all")
  add_custom_target(
    rivulet_version_header
    COMMAND ${rivulet_version_command}
    BYPRODUCTS ${rivulet_version_header}
    COMMENT "Writing version.hpp"
    VERBATIM)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/build.hpp @ONLY CONTENT [[
// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace rivulet {

inline constexpr const char* compiler = "@CMAKE_CXX_COMPILER_ID@ @CMAKE_CXX_COMPILER_VERSION@";
inline constexpr const char* build_type = "@CMAKE_BUILD_TYPE@";

}  // namespace rivulet
]])
endif()
