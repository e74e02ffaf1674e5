# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# This script for cmake -P runs COMMAND, a list separated by bars. It compares the output with PROGRAM's section of
# expected.txt.
string(REPLACE "|" ";" command "${COMMAND}")
execute_process(COMMAND ${command} OUTPUT_VARIABLE printed RESULT_VARIABLE status)
file(READ ${CMAKE_CURRENT_LIST_DIR}/expected.txt sections)
if(NOT "\n${sections}" MATCHES "\n# ${PROGRAM}\n([^#]*)")
  message(FATAL_ERROR "expected.txt has no section '# ${PROGRAM}'")
endif()
set(expected "${CMAKE_MATCH_1}")
if(NOT status EQUAL 0 OR NOT printed STREQUAL expected)
  message(FATAL_ERROR "status ${status}, printed:\n${printed}expected:\n${expected}")
endif()
