# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include(CheckCXXCompilerFlag)
include(CheckCXXSourceCompiles)
include(CMakePushCheckState)

set(rivulet_instruction_flags)
if(RIVULET_NATIVE)
  check_cxx_compiler_flag(-march=native RIVULET_HAVE_MARCH_NATIVE)
  if(RIVULET_HAVE_MARCH_NATIVE)
    list(APPEND rivulet_instruction_flags -march=native)
    cmake_push_check_state(RESET)
    set(CMAKE_REQUIRED_FLAGS -march=native)
    check_cxx_source_compiles(
      "#ifndef __AVX512F__\n#error no AVX-512\n#endif\nint main() {}" RIVULET_HAVE_AVX512)
    cmake_pop_check_state()
  endif()
  check_cxx_compiler_flag(-mprefer-vector-width=512 RIVULET_HAVE_VECTOR_WIDTH)
  if(RIVULET_HAVE_AVX512 AND RIVULET_HAVE_VECTOR_WIDTH)
    # gcc and clang use half of each AVX-512 register in plain loops unless told.
    list(APPEND rivulet_instruction_flags -mprefer-vector-width=512)
  endif()
endif()

# rivulet_instruction_set(<target> PRIVATE|INTERFACE): INTERFACE for targets of this build alone. Words
# of src/rng/word.hpp have as many lanes as these flags give them, so what includes it has the library's;
# installed headers have no such words, and users' flags are theirs.
function(rivulet_instruction_set target scope)
  foreach(flag IN LISTS rivulet_instruction_flags)
    target_compile_options(
      ${target}
      ${scope} $<$<COMPILE_LANGUAGE:CXX>:${flag}> $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${flag}>
             "$<$<COMPILE_LANGUAGE:HIP>:SHELL:-Xarch_host ${flag}>")
  endforeach()
endfunction()

function(rivulet_warnings target)
  set(flags -Wall -Wextra -Wconversion)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    list(APPEND flags -Wno-restrict) # false alarms on std::string's operator+, GCC bug 105651
  endif()
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    list(APPEND flags -Wno-sign-conversion) # which GCC's -Wconversion leaves out in C++
  endif()
  if(RIVULET_WARNINGS_AS_ERRORS)
    list(APPEND flags -Werror)
  endif()
  list(TRANSFORM flags PREPEND -Xcompiler= OUTPUT_VARIABLE nvcc_flags)
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX,HIP>:${flags}>"
                                           "$<$<COMPILE_LANGUAGE:CUDA>:${nvcc_flags}>")
endfunction()
