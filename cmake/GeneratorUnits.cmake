# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# rivulet_generator_units(<variable>): a source of each line of the list of generators, with all its
# kernels, so that they are compiled side by side.
function(rivulet_generator_units variable)
  set(list ${PROJECT_SOURCE_DIR}/src/kernels/generators/list.hpp)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
  file(READ ${list} text)
  string(REGEX MATCHALL "\n  GENERATOR\\([a-z0-9_]+, [^)\n]*\\)" entries "${text}")
  set(units)
  foreach(entry IN LISTS entries)
    string(REGEX REPLACE "^[^(]*\\(([a-z0-9_]+), (.*)\\)$" "\\1" file "${entry}")
    string(REGEX REPLACE "^[^(]*\\(([a-z0-9_]+), (.*)\\)$" "\\2" type "${entry}")
    string(REGEX REPLACE "[^A-Za-z0-9]+" "_" name "${type}")
    string(REGEX REPLACE "_$" "" name "${name}")
    set(unit ${PROJECT_BINARY_DIR}/generated/units/${name}.cpp)
    configure_file(${PROJECT_SOURCE_DIR}/src/kernels/unit.cpp.in ${unit} @ONLY)
    list(APPEND units ${unit})
  endforeach()
  if(NOT units)
    message(FATAL_ERROR "No generators were found in ${list} (lines '  GENERATOR(file, type)').")
  endif()
  set(${variable} ${units} PARENT_SCOPE)
endfunction()
