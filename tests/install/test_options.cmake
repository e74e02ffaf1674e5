# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Script (cmake -P): RIVULET_ARCH and RIVULET_GENERATORS. Takes what consume.cmake takes.
include(${CMAKE_CURRENT_LIST_DIR}/consume.cmake)
set(other_processor)

# says(<words of the output> <option>...)
function(says words)
  configured(command options -DRIVULET_SOURCE_DIR=${SOURCE_DIR} ${ARGN})
  execute_process(COMMAND ${command} COMMAND_ECHO STDOUT OUTPUT_VARIABLE output
                  COMMAND_ERROR_IS_FATAL ANY)
  string(FIND "${output}" "${words}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "${output}\ndoes not say '${words}'")
  endif()
endfunction()
function(does_not_take message)
  configured(command options -DRIVULET_SOURCE_DIR=${SOURCE_DIR} ${ARGN})
  refused("${message}" ${command})
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR})

file(READ ${SOURCE_DIR}/src/kernels/generators/list.hpp list)
string(REGEX MATCHALL "\n  GENERATOR\\(" all "${list}")
list(LENGTH all count)
says("arch= flags= units=dcmt521.cpp;")
file(STRINGS ${WORK_DIR}/options/generated/built_generators.hpp lines REGEX "^  GENERATOR\\(")
string(REGEX MATCHALL "GENERATOR\\(" lines "${lines}")
list(LENGTH lines built)
if(count EQUAL 0 OR NOT built EQUAL count)
  message(FATAL_ERROR "${built} generators of ${count} are built by default")
endif()

# Some, in the list's order; without dcmt521 the first is the default.
says("units=mt19937.cpp;lfsr113.cpp\n" -DNAMES=lfsr113,mt19937)
file(READ ${WORK_DIR}/options/generated/built_generators.hpp header)
if(NOT header MATCHES "  GENERATOR\\(mt19937, [^\n]*\n  GENERATOR\\(lfsr113, [^\\]*\n\n#define RIVULET_DEFAULT_GENERATOR \"mt19937\"")
  message(FATAL_ERROR "${header}")
endif()
says("the default is dcmt521" -DNAMES=lfsr113,dcmt521)
does_not_take("RIVULET_GENERATORS=mt19937;mt19938 cannot be built (the generators are dcmt521, dcmt607"
              -DNAMES=mt19937,mt19938)
does_not_take("RIVULET_GENERATORS= cannot be built" -DNAMES=)

set(all -DNAMES=all)
does_not_take("RIVULET_ARCH=abacus is refused by" -DRIVULET_ARCH=abacus ${all})
if(PROCESSOR STREQUAL "x86_64")
  says("arch=x86-64-v3 flags=-march=x86-64-v3 units" -DRIVULET_ARCH=x86-64-v3 ${all})
  says("arch=x86-64-v4 flags=-march=x86-64-v4;-mprefer-vector-width=512 units" -DRIVULET_ARCH=x86-64-v4
       -DRIVULET_NATIVE=ON ${all})
else()
  message("SKIPPED: names of processors: this is not x86_64")
endif()
