# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# The common functions of the scripts in this folder. Variables: SOURCE_DIR, WORK_DIR, GENERATOR, C_COMPILER,
# CXX_COMPILER, FORTRAN_COMPILER (may be empty), KOKKOS_DIR and PROCESSOR.
set(consumers ${SOURCE_DIR}/tests/install/consumer)
set(prefix ${WORK_DIR}/prefix)

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# refused(<message> <command>...): requires that a command fails and that its output contains the message. Each run of
# blanks and newlines in the output counts as one blank.
function(refused message)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT RESULT_VARIABLE result
                  OUTPUT_VARIABLE output ERROR_VARIABLE output)
  message("${output}")
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  string(FIND "${output}" "${message}" place)
  if(result EQUAL 0 OR place EQUAL -1)
    message(FATAL_ERROR "this should have failed with '${message}'")
  endif()
endfunction()

# Consumers are compiled for any processor of the architecture, but Rivulet usually for this machine's.
set(other_processor)
if(PROCESSOR STREQUAL "x86_64")
  set(other_processor -DCMAKE_CXX_FLAGS=-march=x86-64 -DCMAKE_C_FLAGS=-march=x86-64)
endif()

# hidden(<variable> <package>...): sets the variable to options with which CMake does not find the packages.
function(hidden variable)
  list(TRANSFORM ARGN REPLACE "(.+)" "-DCMAKE_DISABLE_FIND_PACKAGE_\\1=ON")
  set(${variable} ${ARGN} PARENT_SCOPE)
endfunction()
hidden(without_dependencies MPI HDF5 yaml-cpp fmt CLI11 Boost OpenSSL KokkosKernels FFTW3 GTest)

# configured(<variable> <folder>[/<case>] <option>...): sets the variable to the command that configures a project in
# WORK_DIR/<case>.
function(configured variable project)
  set(compilers -DCMAKE_C_COMPILER=${C_COMPILER} -DCMAKE_CXX_COMPILER=${CXX_COMPILER}
      -DCMAKE_Fortran_COMPILER=${FORTRAN_COMPILER} --no-warn-unused-cli)
  get_filename_component(case ${project} NAME)
  string(REGEX MATCH "^[^/]*" folder ${project})
  set(${variable}
      ${CMAKE_COMMAND} -S ${consumers}/${folder} -B ${WORK_DIR}/${case} -G ${GENERATOR} -DCASE=${case}
      ${compilers} ${other_processor}
      -DCMAKE_PREFIX_PATH=${prefix} ${ARGN}
      PARENT_SCOPE)
endfunction()

# consume(<folder>/<case> <option>...): configures, builds and tests a project.
function(consume project)
  configured(command ${project} ${ARGN})
  run(${command})
  get_filename_component(case ${project} NAME)
  run(${CMAKE_COMMAND} --build ${WORK_DIR}/${case})
  run(${CMAKE_CTEST_COMMAND} --test-dir ${WORK_DIR}/${case} --no-tests=error
      --output-on-failure)
endfunction()
