# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# A script for cmake -P: tests an installation of all components of this build. Variables: BUILD_DIR, SHARED, ARCH, and
# those of consume.cmake.
include(${CMAKE_CURRENT_LIST_DIR}/consume.cmake)

# finds(<languages> <components> <targets> <option>...): configures consumer/components. The first three arguments are
# comma-separated lists.
function(finds languages components targets)
  file(REMOVE_RECURSE ${WORK_DIR}/components)
  configured(command components "-DLANGUAGES=${languages}" "-DCOMPONENTS=${components}"
             "-DTARGETS=${targets}" ${ARGN})
  run(${command})
endfunction()
function(does_not_find languages components message)
  file(REMOVE_RECURSE ${WORK_DIR}/components)
  configured(command components "-DLANGUAGES=${languages}" "-DCOMPONENTS=${components}"
             ${ARGN})
  refused("${message}" ${command})
endfunction()

# run_docs_block(<folder> <beginning> [<from> <to>]...): runs, in a folder, the shell block of docs/library.md with this
# beginning, in which each <from> is replaced by <to>.
function(run_docs_block folder begin)
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

# If a target has not been built, the installation copies nothing.
file(READ ${BUILD_DIR}/cmake_install.cmake script)
string(REPLACE "librivulet_corsika" "librivulet_unbuilt" script "${script}")
file(WRITE ${WORK_DIR}/unbuilt.cmake "${script}")
refused("--target rivulet_installable" ${CMAKE_COMMAND} -DCMAKE_INSTALL_PREFIX=${WORK_DIR}/unbuilt
        -P ${WORK_DIR}/unbuilt.cmake)
if(EXISTS ${WORK_DIR}/unbuilt)
  message(FATAL_ERROR "half an installation was left")
endif()

run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})

# The installed program starts, and finds its libraries outside the build folder.
run(${prefix}/bin/rivulet --list)

# Scripts find their modules and the installed program.
foreach(script IN ITEMS batch battery benchmark plot scaling)
  run(${CMAKE_COMMAND} -E env PYTHONDONTWRITEBYTECODE=1 ${prefix}/share/rivulet/scripts/${script} --help)
endforeach()
run(${CMAKE_COMMAND} -E env PYTHONDONTWRITEBYTECODE=1 ${prefix}/share/rivulet/scripts/benchmark XS --only pi)
file(STRINGS ${prefix}/share/rivulet/CMakeCache.txt compiler REGEX "^RIVULET_COMPILER:INTERNAL=.+")
if(NOT compiler)
  message(FATAL_ERROR "an installation does not say how it was built")
endif()

# `module load rivulet` adds the program to the PATH, and sets the folders of the scripts and, for a shared library, of
# the Python package.
file(GLOB module ${prefix}/share/modulefiles/rivulet/*)
if(NOT module)
  message(FATAL_ERROR "no module file is installed")
endif()
set(python "")
if(SHARED)
  set(python ${prefix}/share/rivulet/python)
endif()
foreach(init IN ITEMS /usr/share/lmod/lmod/init/sh /usr/share/modules/init/sh)
  if(EXISTS ${init})
    run(sh -c "unset PYTHONPATH && . ${init} && module use ${prefix}/share/modulefiles && module load rivulet &&
               test \"$(command -v rivulet)\" = ${prefix}/bin/rivulet && test -f $RIVULET_SHARE/inputs/pi.yaml &&
               test \"$PYTHONPATH\" = \"${python}\" && test -d $PYTHONPATH")
  endif()
endforeach()

# The Spack recipe checks that these files exist. A release's archive has no recipe.
set(recipe ${SOURCE_DIR}/scripts/spack/spack_repo/rivulet/packages/rivulet/package.py)
if(EXISTS ${recipe})
  file(READ ${recipe} recipe)
  string(REGEX MATCH "def sanity_check_is_file.*sanity_check_is_dir = [^\n]*" checked "${recipe}")
  string(REGEX MATCHALL "join_path\\([^)]*\\)" checked "${checked}")
  list(LENGTH checked count)
  if(count LESS 3)
    message(FATAL_ERROR "no sanity checks are in the Spack recipe")
  endif()
  foreach(path IN LISTS checked)
    string(REGEX REPLACE "join_path\\(\"(.*)\"\\)" "\\1" path "${path}")
    string(REPLACE "\", \"" "/" path "${path}")
    if(NOT EXISTS ${prefix}/${path})
      message(FATAL_ERROR "the Spack recipe looks for ${path}, which is not installed")
    endif()
  endforeach()
endif()

# The installed include/rivulet has only public headers, which need no other headers.
run(${SOURCE_DIR}/tests/source/check_public_headers ${prefix}/include)

# Projects in each language. A shared library needs no other package; C++ also needs Kokkos.
set(shared_only -DMAY_LOOK_FOR_MORE=ON)
if(SHARED)
  set(shared_only ${without_dependencies})
endif()
run(${prefix}/bin/rivulet create create.exponent=521 create.first_id=600 create.count=4
    create.seed=7 --output ${WORK_DIR}/sets.h5)
consume(installed/cxx -DPARAMETER_FILE=${WORK_DIR}/sets.h5 ${shared_only})
finds("C,CXX" "" "rng,rivulet,capi,corsika" "-DARCH=${ARCH}" ${shared_only})
finds(CXX rng rng ${without_dependencies})
does_not_find(CXX "alias" "Rivulet has no component 'alias'. Its components are rng, rivulet, capi")
does_not_find(C "rivulet" "Rivulet's component 'rivulet' needs C++.")
does_not_find(C "rng" "Rivulet's component 'rng' needs C++.")
hidden(without_kokkos Kokkos)
foreach(components IN ITEMS "" rng rivulet)
  does_not_find(CXX "${components}" "Rivulet's C++ components need Kokkos 3.4 or newer, which was not"
                ${without_kokkos})
endforeach()
if(SHARED)
  set(alone ${without_dependencies} ${without_kokkos})
  consume(installed/c ${alone})
  finds(C "" "capi,corsika" ${alone})
  finds(CXX "corsika" "corsika" ${alone})
  if(FORTRAN_COMPILER)
    consume(installed/fortran ${alone})
    finds(Fortran "" "capi,fortran,corsika" ${alone})
    finds("CXX,Fortran" "rivulet,fortran" "rng,rivulet,fortran" ${without_dependencies})
  else()
    message("SKIPPED: projects in Fortran: there is no Fortran compiler")
  endif()
else()
  does_not_find(C "" "has no shared library, and all else needs C++. Enable C++ in this project")
endif()

# Runs the commands of docs/library.md for builds without CMake. The C program is compiled as C++ too.
find_program(pkg_config pkg-config)
file(GLOB_RECURSE pc_files ${prefix}/rivulet.pc)
get_filename_component(pc_dir ${pc_files} DIRECTORY)
set(ENV{PKG_CONFIG_PATH} ${pc_dir})
if(pkg_config)
  execute_process(COMMAND ${pkg_config} --variable=arch rivulet OUTPUT_VARIABLE arch
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  if(NOT arch STREQUAL "${ARCH}")
    message(FATAL_ERROR "pkg-config says '${arch}', the build '${ARCH}'")
  endif()
endif()
if(pkg_config AND SHARED)
  file(COPY ${consumers}/installed/steps.c DESTINATION ${WORK_DIR}/pasted)
  set(installed "$HOME/rivulet/lib/pkgconfig" ${pc_dir})
  run_docs_block(${WORK_DIR}/pasted "export PKG_CONFIG_PATH" ${installed} "cc steps.c" "${C_COMPILER} steps.c")
  run(${WORK_DIR}/pasted/steps)
  run_docs_block(${WORK_DIR}/pasted "export PKG_CONFIG_PATH" ${installed}
                 "cc steps.c" "${CXX_COMPILER} -xc++ steps.c -xnone")
  run(${WORK_DIR}/pasted/steps)
else()
  message("SKIPPED: docs/library.md's commands: the build is static, or there is no pkg-config")
endif()
if(FORTRAN_COMPILER AND SHARED AND pkg_config)
  file(COPY ${consumers}/installed/showers.f90 DESTINATION ${WORK_DIR}/pasted)
  run_docs_block(${WORK_DIR}/pasted "gfortran showers" "gfortran showers" "${FORTRAN_COMPILER} showers")
  run(${WORK_DIR}/pasted/showers)
  # The installed Fortran sources compile with another compiler.
  file(GLOB sources ${prefix}/share/rivulet/fortran/*.f90)
  file(COPY ${sources} DESTINATION ${WORK_DIR}/pasted/another)
  file(COPY ${consumers}/installed/showers.f90 DESTINATION ${WORK_DIR}/pasted/another)
  run_docs_block(${WORK_DIR}/pasted/another "gfortran showers"
                 "gfortran showers" "${FORTRAN_COMPILER} rivulet_c.f90 rivulet.f90 showers" rivulet_fortran rivulet)
  run(${WORK_DIR}/pasted/another/showers)
  # Links a program with the command line of docs/corsika.md.
  file(READ ${SOURCE_DIR}/docs/corsika.md page)
  string(REGEX MATCH "gfortran \\.\\.\\. [^\n]*\n[^\n]*" line "${page}")
  string(REPLACE "gfortran ..." "${FORTRAN_COMPILER} ${consumers}/installed/corsika_host.f90 -o corsika_host"
                 line "${line}")
  execute_process(COMMAND sh -c "${line}" WORKING_DIRECTORY ${WORK_DIR}/pasted COMMAND_ECHO STDOUT
                  COMMAND_ERROR_IS_FATAL ANY)
  run(${WORK_DIR}/pasted/corsika_host)
endif()
