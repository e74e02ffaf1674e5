/* SPDX-FileCopyrightText: 2026 The Rivulet Authors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Every status has the name that rivulet.h gives it. */

#include "check.h"

#define NAMED(status) \
  { status, #status }

static const struct {
  int status;
  const char* name;
} all[] = {
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

int main(void) {
  const int count = (int)(sizeof(all) / sizeof(all[0]));
  int i;
  for (i = 0; i < count; ++i) {
    CHECK(all[i].status == i);
    CHECK(strcmp(rivulet_status_name(i), all[i].name) == 0);
  }
  CHECK(strcmp(rivulet_status_name(count), "unknown status") == 0);
  CHECK(strcmp(rivulet_status_name(-1), "unknown status") == 0);
  return failures == 0 ? 0 : 1;
}
