# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# A script for cmake -P: tests Rivulet::rng where only Kokkos can be found. Rivulet has its own build and installation
# (-DRIVULET_COMPONENTS=rng), or is a part of other projects. Variables: those of consume.cmake.
include(${CMAKE_CURRENT_LIST_DIR}/consume.cmake)

set(kokkos_alone ${without_dependencies} -DKokkos_DIR=${KOKKOS_DIR} -DCMAKE_BUILD_TYPE=Release)

# libraries_of(<variable> <program>): sets the variable to the number of shared libraries that a program needs.
function(libraries_of variable program)
  execute_process(COMMAND ${readelf} -d ${program} OUTPUT_VARIABLE output
                  COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "\\(NEEDED\\)[^\n]*" needed "${output}")
  message("${program} needs:\n${needed}")
  list(LENGTH needed count)
  set(${variable} ${count} PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR})

# The build compiles nothing, and needs no language but C++.
set(build ${WORK_DIR}/build)
run(${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${build} -G ${GENERATOR} -DRIVULET_COMPONENTS=rng
    -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_C_COMPILER=none -DCMAKE_Fortran_COMPILER=none
    --no-warn-unused-cli ${kokkos_alone})
run(${CMAKE_COMMAND} --build ${build})
file(GLOB_RECURSE binaries ${build}/*.o ${build}/*.so* ${build}/*.a)
list(FILTER binaries EXCLUDE REGEX "/CMakeFiles/[0-9.]+/|/CMakeScratch/")
if(binaries)
  message(FATAL_ERROR "something was compiled: ${binaries}")
endif()
run(${CMAKE_COMMAND} --install ${build} --prefix ${prefix})
run(${SOURCE_DIR}/tests/source/check_public_headers ${prefix}/include)
foreach(header IN ITEMS battery create)
  if(EXISTS ${prefix}/include/rivulet/${header}.hpp)
    message(FATAL_ERROR "${header}.hpp is installed, and not the library that it needs")
  endif()
endforeach()

# Projects that use the installation find the Kokkos with which it was configured.
consume(installed/rng ${without_dependencies} -DCMAKE_BUILD_TYPE=Release)
file(STRINGS ${WORK_DIR}/rng/CMakeCache.txt found REGEX "^Kokkos_DIR:")
string(REGEX REPLACE "^[^=]*=" "" found "${found}")
file(REAL_PATH "${found}" found)
file(REAL_PATH ${KOKKOS_DIR} expected)
if(NOT found STREQUAL expected)
  message(FATAL_ERROR "the Kokkos in ${found} was found, not that in ${expected}")
endif()
find_program(readelf readelf)
if(readelf)
  libraries_of(count ${WORK_DIR}/rng/tallies)
  libraries_of(pool_count ${WORK_DIR}/rng/tallies_pool)
  math(EXPR most "${pool_count} + 2")
  if(count EQUAL 0 OR count GREATER most)
    message(FATAL_ERROR "streams need ${count} libraries, Kokkos' pool ${pool_count}")
  endif()
else()
  message("SKIPPED: the number of libraries: there is no readelf")
endif()
configured(command components -DLANGUAGES=CXX -DCOMPONENTS=rivulet)
refused("was built without the component 'rivulet'" ${command} ${kokkos_alone})
file(REMOVE_RECURSE ${WORK_DIR}/components)
configured(command components -DLANGUAGES=CXX -DTARGETS=rng)
run(${command} ${kokkos_alone})
file(REMOVE_RECURSE ${WORK_DIR}/components)
configured(command components -DLANGUAGES=C)
refused("all else needs C++" ${command} ${kokkos_alone})

# Rivulet as a part of other projects, with and without their own Kokkos.
consume(enclosing/subdirectory -DRIVULET_SOURCE_DIR=${SOURCE_DIR} ${kokkos_alone})
configured(command enclosing/subdirectory -DPARENT_HAS_KOKKOS=ON)
run(${command})
consume(enclosing/fetched -DRIVULET_SOURCE_DIR=${SOURCE_DIR} ${kokkos_alone})

# A library that installs and exports its own targets, and a project that uses these.
foreach(installs IN ITEMS OFF ON)
  set(folder ${WORK_DIR}/exported_${installs})
  file(REMOVE_RECURSE ${WORK_DIR}/exported)
  configured(command enclosing/exported -DRIVULET_SOURCE_DIR=${SOURCE_DIR}
             -DRIVULET_INSTALL=${installs} ${kokkos_alone})
  run(${command})
  run(${CMAKE_COMMAND} --install ${WORK_DIR}/exported --prefix ${folder})
  file(GLOB_RECURSE files LIST_DIRECTORIES FALSE RELATIVE ${folder} ${folder}/*)
  if(installs)
    set(rivulet ${folder})
  elseif(files MATCHES "[Rr]ivulet")
    message(FATAL_ERROR "Rivulet was installed: ${files}")
  else()
    set(rivulet ${prefix})
  endif()
  foreach(targets IN ITEMS ${folder}/lib/cmake/Exported ${WORK_DIR}/exported)
    file(REMOVE_RECURSE ${WORK_DIR}/of_exported)
    configured(command installed/of_exported
               -DTARGETS=${targets}/ExportedTargets.cmake -DRivulet_ROOT=${rivulet} ${kokkos_alone})
    run(${command})
  endforeach()
endforeach()
configured(command enclosing/fetched -DRIVULET_COMPONENTS=corsika)
refused("RIVULET_COMPONENTS=corsika is not offered" ${command})

# The first program of docs/library.md and its project.
file(COPY ${consumers}/installed/CMakeLists.txt ${SOURCE_DIR}/examples/tour.cpp
     DESTINATION ${WORK_DIR}/pasted/installed)
set(consumers ${WORK_DIR}/pasted)
consume(installed/tour ${kokkos_alone})
