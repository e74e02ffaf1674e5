# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# rivulet/version.hpp, for users as well, and the build's own build.hpp. The first is written anew before
# each build of the library, as the commit may have changed since the last configuration; a file is
# touched only when its text changes.
find_package(Git QUIET)
set(rivulet_version_header ${PROJECT_BINARY_DIR}/generated/include/rivulet/version.hpp)
set(rivulet_version_command
    ${CMAKE_COMMAND}
    -DSOURCE_DIR=${PROJECT_SOURCE_DIR}
    -DOUTPUT=${rivulet_version_header}
    -DGIT_EXECUTABLE=${GIT_EXECUTABLE}
    -DVERSION=${PROJECT_VERSION}
    -P
    ${PROJECT_SOURCE_DIR}/cmake/WriteVersionHeader.cmake)
execute_process(COMMAND ${rivulet_version_command} COMMAND_ERROR_IS_FATAL ANY)
if(RIVULET_COMPONENTS STREQUAL "all")
  add_custom_target(
    rivulet_version_header
    COMMAND ${rivulet_version_command}
    BYPRODUCTS ${rivulet_version_header}
    COMMENT "Writing version.hpp"
    VERBATIM)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/build.hpp.in ${PROJECT_BINARY_DIR}/generated/build.hpp
                 @ONLY)
endif()
