/* SPDX-FileCopyrightText: 2026 The Rivulet Authors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Tests the C interface: every type, several sequences at once, skips, and restoring saved bytes.
 * The numbers themselves are checked in tests/unit/once/test_sequence.cpp. */

#include <stdint.h>
#include <stdlib.h>

#include "check.h"

enum { count = 1000 };

static rivulet_options options_of(const char* generator) {
  rivulet_options options = default_options();
  options.generator = generator;
  options.seed = 11;
  return options;
}

static int64_t position_of(rivulet_sequence sequence) {
  uint64_t high = 1;
  uint64_t low = 0;
  SUCCEEDS(rivulet_position(sequence, &high, &low));
  CHECK(high == 0);
  return (int64_t)low;
}

/* Checks that one call returns the same bytes as calls for 1, 2, 3, ... numbers. */
#define BATCHES(function, number, options)                                 \
  do {                                                                     \
    number at_once[count];                                                 \
    number in_batches[count];                                              \
    int64_t batch = 1;                                                     \
    int64_t done = 0;                                                      \
    const rivulet_sequence one = created("one", &(options));               \
    const rivulet_sequence other = created("other", &(options));           \
    SUCCEEDS(function(one, count, at_once));                               \
    for (; done < count; done += batch, ++batch) {                         \
      if (batch > count - done) batch = count - done;                      \
      SUCCEEDS(function(other, batch, in_batches + done));                 \
    }                                                                      \
    CHECK(memcmp(at_once, in_batches, sizeof(at_once)) == 0);              \
    CHECK(memcmp(at_once, at_once + count / 2, sizeof(at_once) / 2) != 0); \
    CHECK(position_of(one) == count && position_of(other) == count);       \
    SUCCEEDS(rivulet_destroy(one));                                        \
    SUCCEEDS(rivulet_destroy(other));                                      \
  } while (0)

static void every_type_of(const char* generator, int seeding) {
  int64_t buffer;
  for (buffer = 0; buffer <= 600; buffer += 300) {
    rivulet_options options = options_of(generator);
    options.buffer_numbers = buffer;
    options.asynchronous = buffer == 600;
    options.instances = buffer == 300 ? 3 : 1;
    options.seeding = seeding;
    options.type = RIVULET_DOUBLE;
    BATCHES(rivulet_get_double, double, options);
    options.type = RIVULET_FLOAT;
    BATCHES(rivulet_get_float, float, options);
    options.type = RIVULET_UINT32;
    BATCHES(rivulet_get_uint32, uint32_t, options);
    options.type = RIVULET_UINT64;
    BATCHES(rivulet_get_uint64, uint64_t, options);
  }
}

/* The defaults are those of decks (docs/deck.md, section streams), except for the generator. It is
 * philox4x32, of which a single stream fails no test. A NULL pointer to options means the defaults,
 * too. */
static void defaults(void) {
  rivulet_options options = default_options();
  rivulet_sequence one = 0;
  rivulet_sequence other;
  double numbers[2][50];
  CHECK(options.size == sizeof(options));
  CHECK(strcmp(options.generator, "philox4x32") == 0);
  CHECK(strcmp(options.parameters, "shipped") == 0);
  CHECK(options.seed == 20261120);
  CHECK(options.ij == 1802 && options.kl == 9373);
  CHECK(options.log2_jump == 128);
  CHECK(options.instances == 1 && options.first_stream == 0);
  CHECK(options.type == RIVULET_DOUBLE && options.interval == RIVULET_CLOSED_OPEN);
  SUCCEEDS(rivulet_create("one", NULL, &one));
  other = created("other", &options);
  SUCCEEDS(rivulet_get_double(one, 50, numbers[0]));
  SUCCEEDS(rivulet_get_double(other, 50, numbers[1]));
  CHECK(memcmp(numbers[0], numbers[1], sizeof(numbers[0])) == 0);
  CHECK(numbers[0][0] == 0x1.af13bc086d2d0p-2 && numbers[0][1] == 0x1.f88ebffcefb40p-6);
  SUCCEEDS(rivulet_destroy(other));
  options.generator = "dcmt521";
  other = created("other", &options);
  SUCCEEDS(rivulet_get_double(other, 50, numbers[1]));
  CHECK(numbers[1][0] == 0x1.3696d1562186ap-2 && numbers[1][1] == 0x1.945669e89b98bp-1);
  SUCCEEDS(rivulet_destroy(other));
  options.generator = NULL; /* means the default generator */
  other = created("other", &options);
  SUCCEEDS(rivulet_get_double(other, 50, numbers[1]));
  CHECK(memcmp(numbers[0], numbers[1], sizeof(numbers[0])) == 0);
  SUCCEEDS(rivulet_destroy(one));
  SUCCEEDS(rivulet_destroy(other));
}

/* `open` excludes 0 by setting the lowest of a double's 53 bits, or of a float's 24. */
static void open_interval(void) {
  rivulet_options options = options_of("dcmt521");
  rivulet_sequence one;
  double doubles[200];
  float floats[200];
  int i;
  options.interval = RIVULET_OPEN;
  one = created("one", &options);
  SUCCEEDS(rivulet_get_double(one, 200, doubles));
  SUCCEEDS(rivulet_destroy(one));
  options.type = RIVULET_FLOAT;
  one = created("one", &options);
  SUCCEEDS(rivulet_get_float(one, 200, floats));
  SUCCEEDS(rivulet_destroy(one));
  for (i = 0; i < 200; ++i) {
    CHECK((uint64_t)(doubles[i] * 9007199254740992.0) % 2 == 1); /* 2^53 */
    CHECK((uint32_t)(floats[i] * 16777216.0F) % 2 == 1);         /* 2^24 */
  }
}

/* Returns true if the generator supports the seeding with the shipped parameter sets. */
static int supports_seeding(const char* generator, int seeding) {
  rivulet_options options = options_of(generator);
  rivulet_sequence one = 0;
  int status;
  options.seeding = seeding;
  status = rivulet_create("one", &options, &one);
  if (status != RIVULET_ERROR_OPTION) CHECK(status == RIVULET_OK);
  if (status == RIVULET_OK) SUCCEEDS(rivulet_destroy(one));
  return status == RIVULET_OK;
}

static void descriptions(void) {
  rivulet_options options = options_of("philox4x32");
  char text[100];
  rivulet_sequence one;
  rivulet_sequence child;
  options.seed = 42;
  options.first_stream = 7;
  one = created("one", &options);
  SUCCEEDS(rivulet_describe(one, sizeof(text), text));
  CHECK(strcmp(text, "philox4x32 seed=42 first_stream=7") == 0);
  CHECK(rivulet_describe(one, (int64_t)strlen(text), text) == RIVULET_ERROR_SPACE);
  SUCCEEDS(rivulet_create_child("child", one, 3, &child));
  SUCCEEDS(rivulet_describe(child, sizeof(text), text));
  CHECK(strncmp(text, "philox4x32 seed=", 16) == 0 && strncmp(text + 16, "42 ", 3) != 0);
  SUCCEEDS(rivulet_destroy(child));
  SUCCEEDS(rivulet_destroy(one));
  options = options_of("ranmar48");
  options.seeding = RIVULET_SEEDING_PUBLISHED;
  options.generator_options = "ij=5";
  options.instances = 3;
  one = created("one", &options);
  SUCCEEDS(rivulet_describe(one, sizeof(text), text));
  CHECK(strcmp(text, "ranmar48 seed=11 first_stream=0 seeding=published instances=3 ij=5") == 0);
  SUCCEEDS(rivulet_destroy(one));
}

static void every_generator(void) {
  int64_t i;
  for (i = 0; i < rivulet_generator_count(); ++i) {
    const char* name = rivulet_generator_name(i);
    if (supports_seeding(name, RIVULET_SEEDING_NATIVE)) {
      every_type_of(name, RIVULET_SEEDING_NATIVE);
    } else if (supports_seeding(name, RIVULET_SEEDING_PUBLISHED)) {
      every_type_of(name, RIVULET_SEEDING_PUBLISHED);
    } else {
      CHECK(strncmp(name, "dcmt", 4) == 0); /* no parameter sets are shipped */
    }
  }
}

static void skips(void) {
  rivulet_options options = options_of("ranmar48");
  double stepped[1003];
  double skipped[3];
  const rivulet_sequence one = created("one", &options);
  const rivulet_sequence other = created("other", &options);
  rivulet_sequence third;
  uint64_t high = 0;
  uint64_t low = 0;
  SUCCEEDS(rivulet_get_double(one, 1003, stepped));
  SUCCEEDS(rivulet_skip(other, 0));
  SUCCEEDS(rivulet_skip(other, 400));
  SUCCEEDS(rivulet_skip_power(other, 75, 3));
  SUCCEEDS(rivulet_get_double(other, 3, skipped));
  CHECK(memcmp(stepped + 1000, skipped, sizeof(skipped)) == 0);
  options.start_low = 1000;
  third = created("third", &options);
  SUCCEEDS(rivulet_get_double(third, 3, skipped));
  CHECK(memcmp(stepped + 1000, skipped, sizeof(skipped)) == 0);
  SUCCEEDS(rivulet_skip_power(third, 1, 100));
  SUCCEEDS(rivulet_position(third, &high, &low));
  CHECK(high == UINT64_C(1) << 36 && low == 1003);
  SUCCEEDS(rivulet_destroy(one));
  SUCCEEDS(rivulet_destroy(other));
  SUCCEEDS(rivulet_destroy(third));
}

static void resumes_from_bytes(int64_t buffer, int asynchronous, int64_t used) {
  rivulet_options options = options_of("ranmar48x");
  double numbers[500];
  double again[500];
  int64_t size = 0;
  void* bytes;
  rivulet_sequence copy = 0;
  rivulet_sequence one;
  options.instances = 5;
  options.buffer_numbers = buffer;
  options.asynchronous = asynchronous;
  one = created("one", &options);
  if (used > 0) SUCCEEDS(rivulet_get_double(one, used, numbers));
  SUCCEEDS(rivulet_save_size(one, &size));
  bytes = malloc((size_t)size);
  SUCCEEDS(rivulet_save(one, size, bytes));
  SUCCEEDS(rivulet_get_double(one, 500, numbers));
  SUCCEEDS(rivulet_restore(one, size, bytes));
  SUCCEEDS(rivulet_get_double(one, 500, again));
  CHECK(memcmp(numbers, again, sizeof(numbers)) == 0);
  SUCCEEDS(rivulet_create_from("copy", size, bytes, &copy));
  CHECK(position_of(copy) == used);
  SUCCEEDS(rivulet_get_double(copy, 500, again));
  CHECK(memcmp(numbers, again, sizeof(numbers)) == 0);
  SUCCEEDS(rivulet_destroy(one));
  SUCCEEDS(rivulet_destroy(copy));
  free(bytes);
}

/* With the seeds (1802, 9373), number 20001 is 6533892 / 2^24 (James, Comput. Phys. Commun. 60
 * (1990) 329). Warnings report weak pairs of seeds, and options without effect. */
static void published_seeds(void) {
  rivulet_options options = options_of("ranmar24");
  double number = 0;
  char text[1000] = "x";
  rivulet_sequence one;
  options.seeding = RIVULET_SEEDING_PUBLISHED;
  options.ij = 1802;
  options.kl = 9373;
  options.start_low = 20000;
  one = created("one", &options);
  SUCCEEDS(rivulet_get_double(one, 1, &number));
  CHECK(number == 6533892.0 / 16777216.0);
  SUCCEEDS(rivulet_warnings(one, 1000, text));
  CHECK(strcmp(text,
               "seed=11 has no effect (ranmar24 with published seeding does not use it). Omit "
               "it.\n") == 0);
  SUCCEEDS(rivulet_destroy(one));
  options = default_options();
  options.generator = "ranmar24";
  one = created("one", &options);
  SUCCEEDS(rivulet_warnings(one, 1000, text));
  CHECK(text[0] == '\0');
  SUCCEEDS(rivulet_destroy(one));
  options.seeding = RIVULET_SEEDING_PUBLISHED;
  options.ij = 31328;
  options.kl = 0;
  one = created("one", &options);
  SUCCEEDS(rivulet_warnings(one, 1000, text));
  CHECK(strstr(text, "weak") != NULL);
  SUCCEEDS(rivulet_destroy(one));
}

int main(void) {
  int64_t used;
  SUCCEEDS(rivulet_initialize());
  SUCCEEDS(rivulet_initialize());
  CHECK(rivulet_version()[0] != '\0');
  defaults();
  open_interval();
  descriptions();
  every_generator();
  skips();
  for (used = 0; used < 500; used += 97) {
    resumes_from_bytes(0, 0, used);
    resumes_from_bytes(300, 0, used);
    resumes_from_bytes(300, 1, used);
  }
  published_seeds();
  /* A program may end without destroying its sequences or calling rivulet_finalize(). */
  {
    rivulet_options options = options_of("ranmar48");
    double number = 0;
    options.buffer_numbers = 100000;
    options.asynchronous = 1;
    SUCCEEDS(rivulet_get_double(created("left", &options), 1, &number));
  }
  return failures == 0 ? 0 : 1;
}
