/* SPDX-FileCopyrightText: 2026 The Rivulet Authors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* restore save FILE: writes a file with a saved sequence. restore FILE...: restores from each, and
 * says "FILE STATUS"; after each failure the sequence must still deliver its own numbers. */

#include <stdio.h>
#include <string.h>

#include "rivulet.h"

static int failed(const char* what) {
  fprintf(stderr, "%s: %s\n", what, rivulet_message());
  return 1;
}

int main(int argc, char** argv) {
  rivulet_sequence sequence = 0;
  rivulet_options options;
  double number = 0;
  int i;
  if (rivulet_options_default(&options) != RIVULET_OK) return failed("options");
  options.generator = "philox4x32";
  if (rivulet_create("kept", &options, &sequence) != RIVULET_OK) return failed("create");
  if (argc == 3 && strcmp(argv[1], "save") == 0) {
    return rivulet_save_hdf5(argv[2], 1, &sequence) == RIVULET_OK ? 0 : failed("save");
  }
  for (i = 1; i < argc; ++i) {
    const int status = rivulet_restore_hdf5(argv[i], sequence);
    if (rivulet_get_double(sequence, 1, &number) != RIVULET_OK) return failed(argv[i]);
    printf("%s %s\n", argv[i], rivulet_status_name(status));
    fflush(stdout);
  }
  return 0;
}
