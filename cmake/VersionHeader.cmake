# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# version.hpp is written anew before each build, as the commit may have changed since the last
# configuration; the file is touched only when its text changes.
find_package(Git QUIET)
set(rivulet_version_command
    ${CMAKE_COMMAND}
    -DSOURCE_DIR=${PROJECT_SOURCE_DIR}
    -DOUTPUT=${PROJECT_BINARY_DIR}/generated/version.hpp
    -DGIT_EXECUTABLE=${GIT_EXECUTABLE}
    -DVERSION=${PROJECT_VERSION}
    "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
    -DBUILD_TYPE=${CMAKE_BUILD_TYPE}
    -P
    ${PROJECT_SOURCE_DIR}/cmake/WriteVersionHeader.cmake)
execute_process(COMMAND ${rivulet_version_command} COMMAND_ERROR_IS_FATAL ANY)
add_custom_target(
  rivulet_version_header
  COMMAND ${rivulet_version_command}
  BYPRODUCTS ${PROJECT_BINARY_DIR}/generated/version.hpp
  COMMENT "Writing version.hpp"
  VERBATIM)
