# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Script (cmake -P). Takes BUILD_DIR, CONSUMER_DIR, WORK_DIR, GENERATOR, SHARED, C_COMPILER,
# CXX_COMPILER and FORTRAN_COMPILER, which may be empty.
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
set(prefix ${WORK_DIR}/prefix)
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})

# The installed program starts, and finds its libraries, away from the build.
run(${prefix}/bin/rivulet --list)

set(languages -DCMAKE_CXX_COMPILER=${CXX_COMPILER})
if(FORTRAN_COMPILER)
  list(APPEND languages -DCMAKE_Fortran_COMPILER=${FORTRAN_COMPILER})
endif()
run(${CMAKE_COMMAND} -S ${CONSUMER_DIR} -B ${WORK_DIR}/build -G ${GENERATOR}
    ${languages} -DCMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
run(${CMAKE_CTEST_COMMAND} --test-dir ${WORK_DIR}/build --no-tests=error --output-on-failure)

# A project in C, which looks for nothing but the header and the shared library.
if(SHARED)
  run(${CMAKE_COMMAND} -S ${CONSUMER_DIR}/c -B ${WORK_DIR}/build-c -G ${GENERATOR}
      -DCMAKE_C_COMPILER=${C_COMPILER} -DCMAKE_PREFIX_PATH=${prefix})
  run(${CMAKE_COMMAND} --build ${WORK_DIR}/build-c)
  run(${CMAKE_CTEST_COMMAND} --test-dir ${WORK_DIR}/build-c --no-tests=error --output-on-failure)
endif()

# The same program by pkg-config, and as C++.
find_program(pkg_config pkg-config)
file(GLOB_RECURSE pc_files ${prefix}/rivulet.pc)
if(pkg_config AND SHARED)
  get_filename_component(pc_dir ${pc_files} DIRECTORY)
  get_filename_component(lib_dir ${pc_dir} DIRECTORY)
  foreach(compiler IN ITEMS "${C_COMPILER}" "${CXX_COMPILER};-xc++")
    execute_process(
      COMMAND ${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${pc_dir} ${pkg_config} --cflags --libs rivulet
      OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(flags UNIX_COMMAND "${flags}")
    run(${compiler} ${CONSUMER_DIR}/c/steps.c -xnone ${flags} -Wl,-rpath,${lib_dir} -o
        ${WORK_DIR}/steps)
    run(${WORK_DIR}/steps)
  endforeach()
endif()
