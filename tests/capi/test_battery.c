/* SPDX-FileCopyrightText: 2026 The Rivulet Authors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Tests rivulet_battery() with generators that this program defines. */

#include <stdlib.h>

#include "check.h"

static int failed;

static int64_t draw(void* user, int64_t count, uint32_t* words) {
  uint32_t* const state = user;
  int64_t i;
  for (i = 0; i < count; ++i) words[i] = *state = *state * 1103515245u + 12345u;
  return count;
}

static void tell(void* user, const char* name, double statistic, double p, int fails) {
  (void)user;
  printf("%-30s%12.5g   p = %.3g%s\n", name, statistic, p, fails ? "   fails" : "");
  if (fails) ++failed;
}

/* Draws the upper halves of SplitMix64's numbers. */
static int64_t draw_well(void* user, int64_t count, uint32_t* words) {
  uint64_t* const state = user;
  int64_t i;
  for (i = 0; i < count; ++i) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    words[i] = (uint32_t)((z ^ (z >> 31)) >> 32);
  }
  return count;
}

static int64_t draw_nothing(void* user, int64_t count, uint32_t* words) {
  (void)user;
  (void)count;
  (void)words;
  return -1;
}

#if !RIVULET_TEST_BATTERY

/* The library was built without the battery. */
int main(void) {
  uint32_t state = 1;
  uint64_t wide_state = 42;
  FAILS(RIVULET_ERROR_UNKNOWN_NAME, rivulet_battery("small.8", draw, tell, &state));
  CHECK(strstr(rivulet_message(), "RIVULET_BATTERY=OFF") != NULL);
  FAILS(RIVULET_ERROR_UNKNOWN_NAME, rivulet_battery("small.8", draw_well, tell, &wide_state));
  FAILS(RIVULET_ERROR_UNKNOWN_NAME, rivulet_battery("small.8", draw_nothing, tell, NULL));
  CHECK(failed == 0);
  return failures == 0 ? 0 : 1;
}

#else

int main(void) {
  uint32_t state = 1;
  uint64_t wide_state = 42;
  if (rivulet_battery("small.8 small.3", draw, tell, &state) != RIVULET_OK) {
    fprintf(stderr, "%s\n", rivulet_message());
    return 1;
  }
  CHECK(failed == 2);
  SUCCEEDS(rivulet_battery("small.8 small.3", draw_well, tell, &wide_state));
  CHECK(failed == 2);

  FAILS(RIVULET_ERROR_NULL_POINTER, rivulet_battery(NULL, draw, tell, &state));
  FAILS(RIVULET_ERROR_NULL_POINTER, rivulet_battery("small", NULL, tell, &state));
  FAILS(RIVULET_ERROR_NULL_POINTER, rivulet_battery("small", draw, NULL, &state));
  FAILS(RIVULET_ERROR_UNKNOWN_NAME, rivulet_battery("gap", draw, tell, &state));
  CHECK(strstr(rivulet_message(), "no test 'gap'") != NULL);
  FAILS(RIVULET_ERROR_UNKNOWN_NAME, rivulet_battery("small.3 small", draw, tell, &state));
  FAILS(RIVULET_ERROR_UNKNOWN_NAME, rivulet_battery("", draw, tell, &state));
  FAILS(RIVULET_ERROR_OUT_OF_RANGE, rivulet_battery("small.8", draw_nothing, tell, &state));
  CHECK(strstr(rivulet_message(), "the words ended after 0 (small.8 needs more)") != NULL);
  SUCCEEDS(rivulet_finalize());
  FAILS(RIVULET_ERROR_ENDED, rivulet_battery("small.8", draw, tell, &state));
  return failures == 0 ? 0 : 1;
}

#endif
