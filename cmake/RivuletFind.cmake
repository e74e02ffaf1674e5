# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# rivulet_find(<package> DEBIAN <package> SPACK <package> [ARGS <find_package arguments>])
# find_package that says what to install when the package is missing.
macro(rivulet_find package)
  cmake_parse_arguments(rivulet_find "" "DEBIAN;SPACK" "ARGS" ${ARGN})
  find_package(${package} ${rivulet_find_ARGS})
  if(NOT ${package}_FOUND)
    message(
      FATAL_ERROR
        "${package} was not found (Rivulet cannot be built without it). Install it (Debian: "
        "${rivulet_find_DEBIAN}; Spack: ${rivulet_find_SPACK}) or point CMake to it with "
        "-D${package}_ROOT=PREFIX.")
  endif()
endmacro()
