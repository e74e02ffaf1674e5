# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Builds the libraries for Fortran programs: CORSIKA's routines, which need no Fortran compiler, and the module.
include(CheckLanguage)

option(RIVULET_ENABLE_FORTRAN "Build the Fortran module where there is a Fortran compiler" ON)

# The sources of librivulet_corsika need neither Kokkos nor other libraries at run time, so CORSIKA links only
# librivulet_corsika and the C++ run-time library.
set(rivulet_corsika_sources ${PROJECT_SOURCE_DIR}/src/capi/corsika.cpp)
add_library(rivulet_corsika_objects OBJECT ${rivulet_corsika_sources} src/machine/processor.cpp)
set_target_properties(
  rivulet_corsika_objects PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                                     VISIBILITY_INLINES_HIDDEN ON)
target_include_directories(rivulet_corsika_objects PRIVATE ${PROJECT_SOURCE_DIR}/include
                                                           ${PROJECT_SOURCE_DIR}/src)
target_compile_definitions(
  rivulet_corsika_objects PRIVATE $<TARGET_PROPERTY:rivulet_internals,INTERFACE_COMPILE_DEFINITIONS>)
target_link_libraries(rivulet_corsika_objects PRIVATE Kokkos::kokkos) # for the headers
rivulet_instruction_set(rivulet_corsika_objects PRIVATE)
rivulet_warnings(rivulet_corsika_objects)
rivulet_kokkos_language(${rivulet_corsika_sources})

add_library(rivulet_corsika $<TARGET_OBJECTS:rivulet_corsika_objects>)
add_library(Rivulet::corsika ALIAS rivulet_corsika)
# Objects compiled without optimisation refer to Kokkos. Optimised objects do not, and --as-needed then drops Kokkos.
target_link_libraries(rivulet_corsika PRIVATE Kokkos::kokkos)
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  target_link_options(rivulet_corsika PRIVATE LINKER:--as-needed)
endif()
set_target_properties(
  rivulet_corsika PROPERTIES EXPORT_NAME corsika VERSION ${PROJECT_VERSION}
                             SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

if(RIVULET_ENABLE_FORTRAN)
  check_language(Fortran)
endif()
if(RIVULET_ENABLE_FORTRAN AND CMAKE_Fortran_COMPILER)
  enable_language(Fortran)
  set(rivulet_have_fortran TRUE)
else()
  message(STATUS "No Fortran compiler: the module rivulet is installed as source only")
  set(rivulet_have_fortran FALSE)
endif()

# rivulet_fortran_warnings(<target>): enables compiler warnings (GNU only).
function(rivulet_fortran_warnings target)
  if(CMAKE_Fortran_COMPILER_ID STREQUAL "GNU")
    set(flags -Wall -Wextra)
    if(RIVULET_WARNINGS_AS_ERRORS)
      list(APPEND flags -Werror)
    endif()
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:Fortran>:${flags}>")
  endif()
endfunction()

if(rivulet_have_fortran)
  add_library(rivulet_fortran src/capi/rivulet_c.f90 src/capi/rivulet.f90)
  add_library(Rivulet::fortran ALIAS rivulet_fortran)
  set_target_properties(
    rivulet_fortran
    PROPERTIES EXPORT_NAME fortran
               VERSION ${PROJECT_VERSION}
               SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
               POSITION_INDEPENDENT_CODE ON
               Fortran_MODULE_DIRECTORY ${PROJECT_BINARY_DIR}/fortran)
  target_include_directories(
    rivulet_fortran PUBLIC $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/fortran>
                           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/rivulet/fortran>)
  if(BUILD_SHARED_LIBS)
    target_link_libraries(rivulet_fortran PUBLIC rivulet_capi)
  else()
    target_link_libraries(rivulet_fortran PUBLIC rivulet_library)
  endif()
  rivulet_fortran_warnings(rivulet_fortran)
endif()
