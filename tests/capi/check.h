/* SPDX-FileCopyrightText: 2026 The Rivulet Authors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef RIVULET_TESTS_CAPI_CHECK_H
#define RIVULET_TESTS_CAPI_CHECK_H

#include <stdio.h>
#include <string.h>

#include "rivulet.h"

static int failures = 0;

#define CHECK(condition)                                              \
  do {                                                                \
    if (!(condition)) {                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                                     \
    }                                                                 \
  } while (0)

/* Requires that a call succeeds. */
#define SUCCEEDS(call)                                                    \
  do {                                                                    \
    const int status_ = (call);                                           \
    if (status_ != RIVULET_OK) {                                          \
      fprintf(stderr, "%s:%d: %s is %s: %s\n", __FILE__, __LINE__, #call, \
              rivulet_status_name(status_), rivulet_message());           \
      ++failures;                                                         \
    }                                                                     \
  } while (0)

/* Requires that a call fails with this status, and with a message "PROBLEM (WHY). WHAT TO DO." The
 * message must not mention options or decks, which only the program rivulet has. */
#define FAILS(expected, call)                                                       \
  do {                                                                              \
    const int status_ = (call);                                                     \
    if (status_ != (expected)) {                                                    \
      fprintf(stderr, "%s:%d: %s is %s instead of %s\n", __FILE__, __LINE__, #call, \
              rivulet_status_name(status_), #expected);                             \
      ++failures;                                                                   \
    }                                                                               \
    CHECK(strstr(rivulet_message(), " (") != NULL);                                 \
    CHECK(strstr(rivulet_message(), "). ") != NULL);                                \
    CHECK(strstr(rivulet_message(), " (). ") == NULL);                              \
    CHECK(strstr(rivulet_message(), "--") == NULL);                                 \
    CHECK(strstr(rivulet_message(), "deck") == NULL);                               \
  } while (0)

static inline rivulet_options default_options(void) {
  rivulet_options options;
  SUCCEEDS(rivulet_options_default(&options));
  return options;
}

static inline rivulet_sequence created(const char* name, const rivulet_options* options) {
  rivulet_sequence sequence = 0;
  SUCCEEDS(rivulet_create(name, options, &sequence));
  return sequence;
}

#endif
