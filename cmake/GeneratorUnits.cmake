# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set(RIVULET_GENERATORS all
    CACHE STRING "Generators to build: all, or some by name (dcmt521;mt19937), which takes less time")

# rivulet_generator_units(<variable>): writes one source per generator to build, and sets the variable to the list of
# these sources. Each source contains all kernels of a generator, so generators compile in parallel. Also writes
# built_generators.hpp, which lists the generators.
function(rivulet_generator_units variable)
  set(list ${PROJECT_SOURCE_DIR}/src/generators/list.hpp)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
  file(READ ${list} text)
  set(line "\n  GENERATOR\\(([a-z0-9_]+), ([a-z0-9_]+), ([^)\n]*)\\)")
  string(REGEX MATCHALL "${line}" entries "${text}")
  list(TRANSFORM entries REPLACE "${line}" "\\1" OUTPUT_VARIABLE names)
  if(NOT entries)
    message(FATAL_ERROR "No generators were found in ${list} (lines '  GENERATOR(name, file, type)').")
  endif()

  set(wanted ${RIVULET_GENERATORS})
  if(wanted STREQUAL "all")
    set(wanted ${names})
  endif()
  set(unknown ${wanted})
  list(REMOVE_ITEM unknown ${names})
  if(unknown OR NOT wanted)
    list(JOIN names ", " names)
    message(
      FATAL_ERROR
        "RIVULET_GENERATORS=${RIVULET_GENERATORS} cannot be built (the generators are ${names}). Say "
        "all, or some of these names with ; between them.")
  endif()

  set(units)
  set(built)
  set(rivulet_built_lines)
  foreach(entry name IN ZIP_LISTS entries names)
    if(NOT name IN_LIST wanted)
      continue()
    endif()
    string(REGEX REPLACE "${line}" "\\2" file "${entry}")
    string(REGEX REPLACE "${line}" "\\3" type "${entry}")
    set(unit ${PROJECT_BINARY_DIR}/generated/units/${name}.cpp)
    configure_file(${PROJECT_SOURCE_DIR}/src/kernels/unit.cpp.in ${unit} @ONLY)
    list(APPEND units ${unit})
    list(APPEND built ${name})
    list(APPEND rivulet_built_lines "  GENERATOR(${name}, ${file}, ${type})")
  endforeach()

  # These are the default generators of decks, and of sequences in C, Fortran and Python. If RIVULET_GENERATORS omits a
  # default, the first generator that is built replaces it.
  set(rivulet_default_generator dcmt521)
  set(rivulet_default_sequence_generator philox4x32)
  foreach(default rivulet_default_generator rivulet_default_sequence_generator)
    if(NOT ${default} IN_LIST built)
      list(GET built 0 ${default})
    endif()
  endforeach()
  list(JOIN rivulet_built_lines " \\\n" rivulet_built_lines)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/built_generators.hpp @ONLY CONTENT [[
// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Made by CMake: the lines of src/generators/list.hpp that RIVULET_GENERATORS asks for.
#define RIVULET_BUILT_GENERATORS(GENERATOR) \
@rivulet_built_lines@

#define RIVULET_DEFAULT_GENERATOR "@rivulet_default_generator@"
#define RIVULET_DEFAULT_SEQUENCE_GENERATOR "@rivulet_default_sequence_generator@"
]])

  if(NOT built STREQUAL names)
    list(JOIN built ", " built)
    message(STATUS "Generators: ${built}; the default is ${rivulet_default_generator}")
    if(RIVULET_BUILD_TESTS)
      message(STATUS "Tests that need the generators left out will fail (RIVULET_GENERATORS)")
    endif()
  endif()
  set(${variable} ${units} PARENT_SCOPE)
endfunction()
