# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include(CheckCXXCompilerFlag)
include(CheckCXXSourceCompiles)
include(CMakePushCheckState)

set(RIVULET_ARCH ""
    CACHE STRING "Processor to compile for, as -march= takes it (x86-64-v3); if empty, RIVULET_NATIVE")
set(rivulet_arch "${RIVULET_ARCH}")
if(NOT rivulet_arch AND RIVULET_NATIVE)
  set(rivulet_arch native)
endif()

# rivulet_find_instruction_flags(<variable> <processor>): sets the variable to the compiler flags for the processor, or
# to an empty list if the compiler does not know it.
function(rivulet_find_instruction_flags variable processor)
  set(flags)
  foreach(option IN ITEMS -march -mcpu) # compilers for POWER know only -mcpu
    string(MAKE_C_IDENTIFIER "RIVULET_HAVE${option}_${processor}" known)
    check_cxx_compiler_flag(${option}=${processor} ${known})
    if(${known})
      set(flags ${option}=${processor})
      break()
    endif()
  endforeach()
  if(flags)
    string(MAKE_C_IDENTIFIER "RIVULET_HAVE_AVX512_${processor}" has_avx512)
    cmake_push_check_state(RESET)
    set(CMAKE_REQUIRED_FLAGS ${flags})
    check_cxx_source_compiles("#ifndef __AVX512F__\n#error no AVX-512\n#endif\nint main() {}"
                              ${has_avx512})
    cmake_pop_check_state()
    check_cxx_compiler_flag(-mprefer-vector-width=512 RIVULET_HAVE_VECTOR_WIDTH)
    if(${has_avx512} AND RIVULET_HAVE_VECTOR_WIDTH)
      # By default, plain loops compiled by GCC and clang use only half of each AVX-512 register.
      list(APPEND flags -mprefer-vector-width=512)
    endif()
  endif()
  set(${variable} ${flags} PARENT_SCOPE)
endfunction()

set(rivulet_instruction_flags)
if(rivulet_arch)
  rivulet_find_instruction_flags(rivulet_instruction_flags "${rivulet_arch}")
  if(RIVULET_ARCH AND NOT rivulet_instruction_flags)
    message(
      FATAL_ERROR
        "RIVULET_ARCH=${RIVULET_ARCH} is refused by ${CMAKE_CXX_COMPILER} (neither -march= nor -mcpu= "
        "takes it). Name a processor that it knows, or leave RIVULET_ARCH empty.")
  endif()
endif()

# By default, nvcc only warns of a call of a host function in device code, and drops the call. These options make the
# warning an error.
set(rivulet_device_errors)
foreach(diagnostic IN ITEMS 20011 20015)
  list(APPEND rivulet_device_errors "SHELL:-Xcudafe --diag_error=${diagnostic}")
endforeach()
if(CMAKE_CXX_COMPILER MATCHES "nvcc_wrapper")
  add_compile_options(${rivulet_device_errors})
elseif(CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA")
  add_compile_options("$<$<COMPILE_LANGUAGE:CUDA>:${rivulet_device_errors}>")
endif()

# rivulet_instruction_set(<target> PRIVATE|INTERFACE): compiles for the chosen processor. The flags set the number of
# lanes of the words in src/rng/word.hpp, so each source that includes word.hpp needs the same flags as the library. Use
# INTERFACE only for targets of this build: installed headers have no such words, so users choose their own flags.
function(rivulet_instruction_set target scope)
  foreach(flag IN LISTS rivulet_instruction_flags)
    target_compile_options(
      ${target}
      ${scope} $<$<COMPILE_LANGUAGE:CXX>:${flag}> $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${flag}>
             "$<$<COMPILE_LANGUAGE:HIP>:SHELL:-Xarch_host ${flag}>")
  endforeach()
endfunction()

# rivulet_any_processor(<source>...): compiles sources for every processor of the architecture. Use it for code that
# runs before or while the library checks the processor. Call it in the folder that adds the sources to a target.
function(rivulet_any_processor)
  check_cxx_compiler_flag(-march=x86-64 RIVULET_HAVE_X86_64)
  if(RIVULET_HAVE_X86_64)
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS -march=x86-64)
  endif()
  set_source_files_properties(${ARGN} PROPERTIES SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

function(rivulet_warnings target)
  set(flags -Wall -Wextra -Wconversion)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    list(APPEND flags -Wno-restrict) # false positives for std::string's operator+ (GCC bug 105651)
  endif()
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    list(APPEND flags -Wno-sign-conversion) # for C++, GCC's -Wconversion does not include this warning
  endif()
  # Compilers that were not tested get no -Werror, because their new warnings must not break a user's build.
  if(RIVULET_WARNINGS_AS_ERRORS AND NOT (CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION
                                                                              VERSION_GREATER_EQUAL 15))
    list(APPEND flags -Werror)
  endif()
  list(TRANSFORM flags PREPEND -Xcompiler= OUTPUT_VARIABLE nvcc_flags)
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX,HIP>:${flags}>"
                                           "$<$<COMPILE_LANGUAGE:CUDA>:${nvcc_flags}>")
endfunction()
