# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Script (cmake -P). Takes BUILD_DIR, SOURCE_DIR, WORK_DIR, GENERATOR, SHARED, C_COMPILER,
# CXX_COMPILER and FORTRAN_COMPILER, which may be empty.
set(consumers ${SOURCE_DIR}/tests/install/consumer)
set(prefix ${WORK_DIR}/prefix)

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# refused(<words of the message, blanks between> <command>...)
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

# configured(<variable> <project> <option>...): the command that configures a project elsewhere.
function(configured variable project)
  set(compilers -DCMAKE_C_COMPILER=${C_COMPILER} -DCMAKE_CXX_COMPILER=${CXX_COMPILER}
      -DCMAKE_Fortran_COMPILER=${FORTRAN_COMPILER} --no-warn-unused-cli)
  set(${variable}
      ${CMAKE_COMMAND} -S ${consumers}/${project} -B ${WORK_DIR}/${project} -G ${GENERATOR}
      ${compilers} -DCMAKE_PREFIX_PATH=${prefix} ${ARGN}
      PARENT_SCOPE)
endfunction()

# Configures, builds and tests a project that knows the installation alone.
function(consume project)
  configured(command ${project} ${ARGN})
  run(${command})
  run(${CMAKE_COMMAND} --build ${WORK_DIR}/${project})
  run(${CMAKE_CTEST_COMMAND} --test-dir ${WORK_DIR}/${project} --no-tests=error
      --output-on-failure)
endfunction()

# finds(<languages> <components> <targets>), each a list with commas
function(finds languages components targets)
  file(REMOVE_RECURSE ${WORK_DIR}/components)
  configured(command components "-DLANGUAGES=${languages}" "-DCOMPONENTS=${components}"
             "-DTARGETS=${targets}")
  run(${command})
endfunction()
function(does_not_find languages components message)
  file(REMOVE_RECURSE ${WORK_DIR}/components)
  configured(command components "-DLANGUAGES=${languages}" "-DCOMPONENTS=${components}")
  refused("${message}" ${command})
endfunction()

# A line of docs/library.md, as a reader would paste it, into a folder.
function(paste folder begin)
  file(READ ${SOURCE_DIR}/docs/library.md page)
  string(REGEX MATCH "```sh\n(${begin}[^`]*)```" block "${page}")
  set(line "${CMAKE_MATCH_1}")
  if(NOT line)
    message(FATAL_ERROR "docs/library.md has no '${begin}'")
  endif()
  while(ARGN)
    list(POP_FRONT ARGN from to)
    string(REPLACE "${from}" "${to}" line "${line}")
  endwhile()
  execute_process(COMMAND sh -c "${line}" WORKING_DIRECTORY ${folder} COMMAND_ECHO STDOUT
                  COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR})

# Where something has not been built, nothing is copied.
file(READ ${BUILD_DIR}/cmake_install.cmake script)
string(REPLACE "librivulet_corsika" "librivulet_unbuilt" script "${script}")
file(WRITE ${WORK_DIR}/unbuilt.cmake "${script}")
refused("--target rivulet_installable" ${CMAKE_COMMAND} -DCMAKE_INSTALL_PREFIX=${WORK_DIR}/unbuilt
        -P ${WORK_DIR}/unbuilt.cmake)
if(EXISTS ${WORK_DIR}/unbuilt)
  message(FATAL_ERROR "half an installation was left")
endif()

run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})

# The installed program starts, and finds its libraries, away from the build.
run(${prefix}/bin/rivulet --list)

# Projects of one language each. What is shared needs nothing but itself.
consume(cxx)
finds("C,CXX" "" "rivulet,capi,corsika")
does_not_find(CXX "alias" "Rivulet has no component 'alias'. Its components are rivulet, capi")
does_not_find(C "rivulet" "Rivulet's component 'rivulet' needs C++.")
if(SHARED)
  consume(c)
  finds(C "" "capi,corsika")
  finds(CXX "corsika" "corsika")
  if(FORTRAN_COMPILER)
    consume(fortran)
    finds(Fortran "" "capi,fortran,corsika")
    finds("CXX,Fortran" "rivulet,fortran" "rivulet,fortran")
  else()
    message("SKIPPED: projects in Fortran: there is no Fortran compiler")
  endif()
else()
  does_not_find(C "" "is a static library, which C++ has to link. Enable C++ in this project")
endif()

# What docs/library.md says without CMake; the first as C++, too.
find_program(pkg_config pkg-config)
file(GLOB_RECURSE pc_files ${prefix}/rivulet.pc)
get_filename_component(pc_dir ${pc_files} DIRECTORY)
get_filename_component(lib_dir ${pc_dir} DIRECTORY)
set(ENV{PKG_CONFIG_PATH} ${pc_dir})
if(pkg_config AND SHARED)
  file(COPY ${consumers}/c/steps.c DESTINATION ${WORK_DIR}/pasted)
  paste(${WORK_DIR}/pasted "cc steps.c" "cc steps.c" "${C_COMPILER} steps.c")
  run(${WORK_DIR}/pasted/steps)
  paste(${WORK_DIR}/pasted "cc steps.c" "cc steps.c" "${CXX_COMPILER} -xc++ steps.c -xnone")
  run(${WORK_DIR}/pasted/steps)
else()
  message("SKIPPED: docs/library.md's commands: the build is static, or there is no pkg-config")
endif()
if(FORTRAN_COMPILER AND SHARED)
  file(GLOB sources ${prefix}/share/rivulet/fortran/*.f90)
  file(COPY ${sources} ${consumers}/fortran/showers.f90 DESTINATION ${WORK_DIR}/pasted)
  paste(${WORK_DIR}/pasted "gfortran rivulet_c" "gfortran rivulet_c"
        "${FORTRAN_COMPILER} rivulet_c" "/path/to/rivulet/lib" "${lib_dir}")
  run(${WORK_DIR}/pasted/showers)
endif()
