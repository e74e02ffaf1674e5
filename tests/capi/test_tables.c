/* SPDX-FileCopyrightText: 2026 The Rivulet Authors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* rivulet_options_layout() lists every member of rivulet_options with this compiler's offset, and
 * rivulet_status_name() returns the names in rivulet.h. */

#include <stddef.h>

#include "check.h"

#define MEMBER(name, type) \
  { #name, #type, offsetof(rivulet_options, name), sizeof(((rivulet_options*)0)->name) }

static const struct {
  const char* name;
  const char* type;
  size_t offset, bytes;
} members[] = {
    MEMBER(size, uint64),
    MEMBER(generator, text),
    MEMBER(parameters, text),
    MEMBER(type, int32),
    MEMBER(interval, int32),
    MEMBER(seeding, int32),
    MEMBER(order, int32),
    MEMBER(seed, uint64),
    MEMBER(first_stream, int64),
    MEMBER(ij, int64),
    MEMBER(kl, int64),
    MEMBER(instances, int64),
    MEMBER(block_length, int64),
    MEMBER(buffer_numbers, int64),
    MEMBER(asynchronous, int32),
    MEMBER(log2_jump, int32),
    MEMBER(start_high, uint64),
    MEMBER(start_low, uint64),
    MEMBER(generator_options, text),
};

static void layout(void) {
  const char* line = rivulet_options_layout();
  char name[100];
  char type[100];
  size_t place = 0;
  size_t number = 0;
  size_t i;
  for (i = 0; i < sizeof(members) / sizeof(members[0]); ++i) {
    CHECK(line != NULL && sscanf(line, "%99s %99s %zu\n", name, type, &number) == 3);
    CHECK(strcmp(name, members[i].name) == 0);
    CHECK(strcmp(type, members[i].type) == 0);
    CHECK(number == members[i].offset);
    CHECK(number == place); /* no member is missing in between */
    place = number + members[i].bytes;
    line = line == NULL ? NULL : strchr(line, '\n');
    line = line == NULL ? NULL : line + 1;
  }
  CHECK(line != NULL && sscanf(line, "end %zu\n", &number) == 1);
  CHECK(number == sizeof(rivulet_options) && number == place);
  line = line == NULL ? NULL : strchr(line, '\n');
  CHECK(line != NULL && line[1] == '\0');
}

#define NAMED(status) \
  { status, #status }

static const struct {
  int status;
  const char* name;
} statuses[] = {
    NAMED(RIVULET_OK),
    NAMED(RIVULET_ERROR_NULL_POINTER),
    NAMED(RIVULET_ERROR_COUNT),
    NAMED(RIVULET_ERROR_UNKNOWN_NAME),
    NAMED(RIVULET_ERROR_NAME_TAKEN),
    NAMED(RIVULET_ERROR_OPTION),
    NAMED(RIVULET_ERROR_SEED),
    NAMED(RIVULET_ERROR_NO_SUCH_SEQUENCE),
    NAMED(RIVULET_ERROR_DESTROYED),
    NAMED(RIVULET_ERROR_WRONG_TYPE),
    NAMED(RIVULET_ERROR_OUT_OF_MEMORY),
    NAMED(RIVULET_ERROR_OUT_OF_RANGE),
    NAMED(RIVULET_ERROR_SPACE),
    NAMED(RIVULET_ERROR_NOT_A_STATE),
    NAMED(RIVULET_ERROR_WRONG_VERSION),
    NAMED(RIVULET_ERROR_WRONG_GENERATOR),
    NAMED(RIVULET_ERROR_ENDED),
    NAMED(RIVULET_ERROR_KOKKOS),
    NAMED(RIVULET_ERROR_OTHER),
    NAMED(RIVULET_ERROR_FORKED),
};

static void status_names(void) {
  const int count = (int)(sizeof(statuses) / sizeof(statuses[0]));
  int i;
  for (i = 0; i < count; ++i) {
    CHECK(statuses[i].status == i);
    CHECK(strcmp(rivulet_status_name(i), statuses[i].name) == 0);
  }
  CHECK(strcmp(rivulet_status_name(count), "unknown status") == 0);
  CHECK(strcmp(rivulet_status_name(-1), "unknown status") == 0);
}

int main(void) {
  layout();
  status_names();
  return failures == 0 ? 0 : 1;
}
