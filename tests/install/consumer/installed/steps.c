/* SPDX-FileCopyrightText: 2026 The Rivulet Authors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <rivulet.h>
#include <stdio.h>
#include <stdlib.h>

static void require(int status) {
  const char* name = rivulet_status_name(status);
  const char* message = rivulet_message();
  if (status == RIVULET_OK) return;
  fprintf(stderr, "%s: %s\n", name, message);
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

/* Draws from distributions, and draws single numbers without a lock. The sequence returns the
 * generator's own numbers. */
static int decays_are_drawn(void) {
  const double mean = 2.2e-6; /* s */
  double lifetimes[10], coin;
  unsigned channel;
  unsigned long long word, raw;
  rivulet_options options;
  rivulet_sequence sequence;
  void* state;
  require(rivulet_options_default(&options));
  options.generator = "philox4x32";
  options.type = RIVULET_OWN;
  options.first_stream = 2;
  require(rivulet_create("decays", &options, &sequence));
  require(rivulet_draw(sequence, "exponential", 1, &mean, RIVULET_DOUBLE, 10, lifetimes));
  state = (void*)(intptr_t)sequence;
  coin = rivulet_next_double(state);
  channel = rivulet_next_uint32(state) >> 29;
  word = rivulet_next_uint64(state);
  raw = rivulet_next_raw(state);
  printf("lifetime %.2e s, coin %.4f, channel %u of 8, word %016llx, raw %08llx\n", lifetimes[0],
         coin, channel, word, raw);
  return lifetimes[0] > 0 && coin < 1;
}

/* Draws words of 32 and 64 bits. Finds a sequence by name. */
static void words_are_drawn(void) {
  uint32_t words[4];
  uint64_t long_words[4];
  rivulet_options options;
  rivulet_sequence sequence;
  require(rivulet_options_default(&options));
  options.generator = "philox4x32";
  options.type = RIVULET_UINT32;
  options.first_stream = 3;
  require(rivulet_create("words", &options, &sequence));
  options.type = RIVULET_UINT64;
  options.first_stream = 4;
  require(rivulet_create("long words", &options, &sequence));
  require(rivulet_get_uint64(sequence, 4, long_words));
  require(rivulet_find("words", &sequence));
  require(rivulet_get_uint32(sequence, 4, words));
  require(rivulet_destroy(sequence));
  printf("words: %08lx, %016llx\n", (unsigned long)words[0], (unsigned long long)long_words[0]);
}

int main(void) {
  rivulet_options options;
  rivulet_sequence pair[2];
  double before, after;
  int64_t i, size;
  void* saved;
  int drawn;
  const char* version = rivulet_version();
  const int64_t generators = rivulet_generator_count();

  require(rivulet_initialize());
  printf("Rivulet %s\n", version);
  for (i = 0; i < generators; ++i) {
    const char* name = rivulet_generator_name(i);
    const char* description = rivulet_generator_description(i);
    printf("%s: %s\n", name, description);
  }

  /* Two sequences with streams and positions of their own; both draw ahead. */
  require(rivulet_options_default(&options));
  options.generator = "philox4x32";
  options.seed = 42;
  options.buffer_numbers = 100000;
  options.asynchronous = 1;
  options.first_stream = 0;
  require(rivulet_create("hadrons", &options, &pair[0]));
  options.first_stream = 1;
  options.start_low = 1000000; /* begins with number 10^6 */
  require(rivulet_create("electrons", &options, &pair[1]));

  printf("mean of hadrons: %.4f\n", mean_of(pair[0], 100000));

  /* After a restore, the sequence repeats its numbers. */
  require(rivulet_save_size(pair[1], &size));
  saved = malloc((size_t)size);
  require(rivulet_save(pair[1], size, saved));
  before = mean_of(pair[1], 1000);
  require(rivulet_restore(pair[1], size, saved));
  after = mean_of(pair[1], 1000);
  free(saved);
  printf("mean of electrons: %.4f, again %.4f\n", before, after);

  require(rivulet_skip(pair[0], INT64_C(1000000000000000000)));
  drawn = decays_are_drawn();
  words_are_drawn();
  require(rivulet_finalize());
  return before == after && drawn ? 0 : 1;
}
