/* SPDX-FileCopyrightText: 2026 The Rivulet Authors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* rivulet_options_layout() has every member of rivulet_options, where this compiler has it. */

#include <stddef.h>

#include "check.h"

#define MEMBER(name, type) \
  { #name, #type, offsetof(rivulet_options, name), sizeof(((rivulet_options*)0)->name) }

static const struct {
  const char* name;
  const char* type;
  size_t offset, bytes;
} all[] = {
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

int main(void) {
  const char* line = rivulet_options_layout();
  char name[100];
  char type[100];
  size_t place = 0;
  size_t number = 0;
  size_t i;
  for (i = 0; i < sizeof(all) / sizeof(all[0]); ++i) {
    CHECK(line != NULL && sscanf(line, "%99s %99s %zu\n", name, type, &number) == 3);
    CHECK(strcmp(name, all[i].name) == 0);
    CHECK(strcmp(type, all[i].type) == 0);
    CHECK(number == all[i].offset);
    CHECK(number == place); /* no member is missing between */
    place = number + all[i].bytes;
    line = line == NULL ? NULL : strchr(line, '\n');
    line = line == NULL ? NULL : line + 1;
  }
  CHECK(line != NULL && sscanf(line, "end %zu\n", &number) == 1);
  CHECK(number == sizeof(rivulet_options) && number == place);
  line = line == NULL ? NULL : strchr(line, '\n');
  CHECK(line != NULL && line[1] == '\0');
  return failures == 0 ? 0 : 1;
}
