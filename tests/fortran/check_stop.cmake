# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# A script for cmake -P. Requires that `PROGRAM CASE` exits with status 1, that its standard error matches the regular
# expression MESSAGE, and that no earlier output is lost. Variables: PROGRAM, CASE and MESSAGE.
execute_process(
  COMMAND ${PROGRAM} ${CASE}
  RESULT_VARIABLE result
  OUTPUT_VARIABLE output
  ERROR_VARIABLE error)
message("${output}${error}exit status ${result}")
if(NOT result STREQUAL "1")
  message(FATAL_ERROR "the exit status is not 1")
endif()
if(NOT error MATCHES "${MESSAGE}.*[(].*[)][.] .*")
  message(FATAL_ERROR "the message is not '${MESSAGE}'")
endif()
if(NOT output STREQUAL "this text must not be lost\n")
  message(FATAL_ERROR "the output before is lost, or the call returned")
endif()
