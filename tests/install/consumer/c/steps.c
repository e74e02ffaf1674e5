/* SPDX-FileCopyrightText: 2026 The Rivulet Authors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <rivulet.h>
#include <stdio.h>
#include <stdlib.h>

static void require(int status) {
  if (status == RIVULET_OK) return;
  fprintf(stderr, "%s: %s\n", rivulet_status_name(status), rivulet_message());
  exit(1);
}

static double mean_of(rivulet_sequence sequence, int calls) {
  double sum = 0;
  int call, i;
  for (call = 0; call < calls; ++call) {
    double numbers[10];
    require(rivulet_get_double(sequence, 10, numbers));
    for (i = 0; i < 10; ++i) sum += numbers[i];
  }
  return sum / (10.0 * calls);
}

int main(void) {
  rivulet_options options;
  rivulet_sequence pair[2];
  double before, after;

  /* Two sequences with streams and positions of their own; both draw ahead. */
  require(rivulet_options_default(&options));
  options.seed = 42;
  options.buffer_numbers = 100000;
  options.asynchronous = 1;
  options.first_stream = 0;
  require(rivulet_create("hadrons", &options, &pair[0]));
  options.first_stream = 1;
  options.start_low = 1000000; /* begins with number 10^6 */
  require(rivulet_create("electrons", &options, &pair[1]));

  printf("mean of hadrons: %.4f\n", mean_of(pair[0], 100000));

  /* A checkpoint of both, and on from it: the same numbers again. */
  require(rivulet_save_hdf5("checkpoint.h5", 2, pair));
  before = mean_of(pair[1], 1000);
  require(rivulet_restore_hdf5("checkpoint.h5", pair[1]));
  after = mean_of(pair[1], 1000);
  printf("mean of electrons: %.4f, again %.4f\n", before, after);

  require(rivulet_skip(pair[0], INT64_C(1000000000000000000)));
  require(rivulet_finalize());
  return before == after ? 0 : 1;
}
