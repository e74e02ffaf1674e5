/* SPDX-FileCopyrightText: 2026 The Rivulet Authors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Whatever a program gets wrong, it gets a status and a message, and the sequence goes on. */

#include <stdint.h>
#include <stdlib.h>

#include "check.h"

static rivulet_options ranmar48(void) {
  rivulet_options options;
  SUCCEEDS(rivulet_options_default(&options));
  options.generator = "ranmar48";
  options.seed = 7;
  return options;
}

static rivulet_sequence created(const char* name, const rivulet_options* options) {
  rivulet_sequence sequence = 0;
  SUCCEEDS(rivulet_create(name, options, &sequence));
  return sequence;
}

/* The sequence under test and one that nothing bad happens to. */
static rivulet_sequence tested;
static rivulet_sequence untouched;

static void goes_on(void) {
  double ours[7];
  double theirs[7];
  SUCCEEDS(rivulet_get_double(tested, 7, ours));
  SUCCEEDS(rivulet_get_double(untouched, 7, theirs));
  CHECK(memcmp(ours, theirs, sizeof(ours)) == 0);
}

#define REFUSED(expected, call) \
  do {                          \
    FAILS(expected, call);      \
    goes_on();                  \
  } while (0)

static void refused_options(int expected, const rivulet_options* options) {
  rivulet_sequence sequence = 99;
  REFUSED(expected, rivulet_create("refused", options, &sequence));
  CHECK(sequence == 0);
}

static int is_built(const char* generator) {
  int64_t i;
  for (i = 0; i < rivulet_generator_count(); ++i) {
    if (strcmp(rivulet_generator_name(i), generator) == 0) return 1;
  }
  return 0;
}

static void options_that_cannot_be(void) {
  rivulet_options options = ranmar48();
  options.generator = "ranmar49";
  refused_options(RIVULET_ERROR_UNKNOWN_NAME, &options);
  CHECK(strstr(rivulet_message(), "ranmar48x") != NULL); /* names those there are */

  options = ranmar48();
  options.generator = "dcmt1279";
  if (is_built(options.generator)) {
    refused_options(RIVULET_ERROR_OPTION, &options);
    CHECK(strstr(rivulet_message(), "give its path as `parameters`") != NULL);
  }
  options.generator = "dcmt607";
  options.parameters = "published"; /* which are of 521 bits */
  if (is_built(options.generator)) refused_options(RIVULET_ERROR_OPTION, &options);
  options.generator = "dcmt521";
  options.parameters = "no_such_file.h5";
  refused_options(RIVULET_ERROR_OPTION, &options);

  options = ranmar48();
  for (options.size = 0; options.size < 8; ++options.size) {
    refused_options(RIVULET_ERROR_OPTION, &options);
    CHECK(strstr(rivulet_message(), "knows") != NULL);
  }
  options.size = sizeof(options) - 4;
  refused_options(RIVULET_ERROR_OPTION, &options);
  options.size = sizeof(options) + 8;
  refused_options(RIVULET_ERROR_OPTION, &options);

#define WITH(member, value, expected) \
  options = ranmar48();               \
  options.member = (value);           \
  refused_options(expected, &options)
  WITH(type, 5, RIVULET_ERROR_OPTION);
  WITH(type, -1, RIVULET_ERROR_OPTION);
  WITH(interval, 5, RIVULET_ERROR_OPTION);
  WITH(seeding, 2, RIVULET_ERROR_OPTION);
  WITH(order, 2, RIVULET_ERROR_OPTION);
  WITH(instances, 0, RIVULET_ERROR_OPTION);
  WITH(instances, -1, RIVULET_ERROR_OPTION);
  WITH(instances, INT64_MAX, RIVULET_ERROR_OPTION);
  WITH(first_stream, -1, RIVULET_ERROR_OPTION);
  WITH(first_stream, INT64_MAX, RIVULET_ERROR_OPTION);
  WITH(block_length, -5, RIVULET_ERROR_OPTION);
  WITH(buffer_numbers, -1, RIVULET_ERROR_OPTION);
  WITH(order, RIVULET_ORDER_BLOCKED, RIVULET_ERROR_OPTION); /* without a block length */
  WITH(start_high, UINT64_MAX, RIVULET_ERROR_OUT_OF_RANGE);

  options = ranmar48();
  options.order = RIVULET_ORDER_BLOCKED;
  options.instances = 3;
  options.block_length = 100;
  refused_options(RIVULET_ERROR_OPTION, &options);
}

static void seeds_out_of_range(void) {
  rivulet_options options = ranmar48();
  options.seeding = RIVULET_SEEDING_PUBLISHED;
#define PAIR(first, second) \
  options.ij = (first);     \
  options.kl = (second);    \
  refused_options(RIVULET_ERROR_SEED, &options)
  PAIR(-1, 0);
  PAIR(0, -1);
  PAIR(31329, 0);
  PAIR(0, 30082);
  PAIR(INT64_MAX, INT64_MAX);
  options.instances = 2; /* the second would be past the last */
  PAIR(31328, 30081);
}

static void memory_that_is_not_there(void) {
  rivulet_options options = ranmar48();
  options.buffer_numbers = INT64_C(1) << 60;
  refused_options(RIVULET_ERROR_OUT_OF_MEMORY, &options);
  options.asynchronous = 1;
  refused_options(RIVULET_ERROR_OUT_OF_MEMORY, &options);

  options = ranmar48();
  options.buffer_numbers = INT64_MAX;
  refused_options(RIVULET_ERROR_OUT_OF_MEMORY, &options);

  options = ranmar48();
  options.instances = INT64_C(1) << 40;
  refused_options(RIVULET_ERROR_OUT_OF_MEMORY, &options);

  options = ranmar48();
  options.order = RIVULET_ORDER_BLOCKED;
  options.block_length = INT64_C(1) << 60;
  refused_options(RIVULET_ERROR_OUT_OF_MEMORY, &options);
}

static void names(void) {
  rivulet_sequence sequence = 99;
  char longest[257];
  memset(longest, 'x', 256);
  longest[256] = '\0';
  REFUSED(RIVULET_ERROR_NAME_TAKEN, rivulet_create("tested", NULL, &sequence));
  CHECK(sequence == 0);
  REFUSED(RIVULET_ERROR_NULL_POINTER, rivulet_create(NULL, NULL, &sequence));
  REFUSED(RIVULET_ERROR_OPTION, rivulet_create("", NULL, &sequence));
  REFUSED(RIVULET_ERROR_OPTION, rivulet_create("a/b", NULL, &sequence));
  REFUSED(RIVULET_ERROR_OPTION, rivulet_create("..", NULL, &sequence));
  REFUSED(RIVULET_ERROR_OPTION, rivulet_create(longest, NULL, &sequence));
  REFUSED(RIVULET_ERROR_UNKNOWN_NAME, rivulet_find("nobody", &sequence));
  CHECK(sequence == 0);
  SUCCEEDS(rivulet_find("tested", &sequence));
  CHECK(sequence == tested);
  CHECK(rivulet_generator_name(-1) == NULL);
  CHECK(rivulet_generator_description(-1) == NULL);
  CHECK(rivulet_generator_description(rivulet_generator_count()) == NULL);
  CHECK(rivulet_generator_name(rivulet_generator_count()) == NULL);
  CHECK(strcmp(rivulet_status_name(999), "unknown status") == 0);
}

static void null_pointers(void) {
  char byte = 0;
  uint64_t word = 0;
  rivulet_sequence sequence = 0;
  REFUSED(RIVULET_ERROR_NULL_POINTER, rivulet_options_default(NULL));
  REFUSED(RIVULET_ERROR_NULL_POINTER, rivulet_create("other", NULL, NULL));
  REFUSED(RIVULET_ERROR_NULL_POINTER, rivulet_find(NULL, &sequence));
  REFUSED(RIVULET_ERROR_NULL_POINTER, rivulet_find("tested", NULL));
  REFUSED(RIVULET_ERROR_NULL_POINTER, rivulet_warnings(tested, 10, NULL));
  REFUSED(RIVULET_ERROR_NULL_POINTER, rivulet_get_double(tested, 10, NULL));
  REFUSED(RIVULET_ERROR_NULL_POINTER, rivulet_position(tested, NULL, &word));
  REFUSED(RIVULET_ERROR_NULL_POINTER, rivulet_position(tested, &word, NULL));
  REFUSED(RIVULET_ERROR_NULL_POINTER, rivulet_save_size(tested, NULL));
  REFUSED(RIVULET_ERROR_NULL_POINTER, rivulet_save(tested, 10, NULL));
  REFUSED(RIVULET_ERROR_NULL_POINTER, rivulet_restore(tested, 10, NULL));
  REFUSED(RIVULET_ERROR_NULL_POINTER, rivulet_create_from("other", 1, &byte, NULL));
}

static void counts_and_types(void) {
  double numbers[3];
  float floats[3];
  uint32_t words[3];
  uint64_t long_words[3];
  char text[1];
  REFUSED(RIVULET_ERROR_COUNT, rivulet_get_double(tested, 0, numbers));
  REFUSED(RIVULET_ERROR_COUNT, rivulet_get_double(tested, -1, numbers));
  REFUSED(RIVULET_ERROR_COUNT, rivulet_get_double(tested, INT64_MIN, numbers));
  REFUSED(RIVULET_ERROR_COUNT, rivulet_skip(tested, -1));
  REFUSED(RIVULET_ERROR_COUNT, rivulet_skip_power(tested, -1, 3));
  REFUSED(RIVULET_ERROR_OPTION, rivulet_skip_power(tested, 1, -1));
  REFUSED(RIVULET_ERROR_OPTION, rivulet_skip_power(tested, 1, 127));
  REFUSED(RIVULET_ERROR_OUT_OF_RANGE, rivulet_skip_power(tested, INT64_MAX, 126));
  REFUSED(RIVULET_ERROR_OUT_OF_RANGE, rivulet_skip_power(tested, 2, 126));
  REFUSED(RIVULET_ERROR_OUT_OF_RANGE, rivulet_skip_power(tested, 4, 126)); /* 2^128 */
  REFUSED(RIVULET_ERROR_WRONG_TYPE, rivulet_get_float(tested, 3, floats));
  REFUSED(RIVULET_ERROR_WRONG_TYPE, rivulet_get_uint32(tested, 3, words));
  REFUSED(RIVULET_ERROR_WRONG_TYPE, rivulet_get_uint64(tested, 3, long_words));
  REFUSED(RIVULET_ERROR_SPACE, rivulet_warnings(tested, 0, text));
}

static void ids(void) {
  double number = 0;
  int64_t size = 0;
  rivulet_options options = ranmar48();
  const rivulet_sequence gone = created("gone", &options);
  rivulet_sequence next;
  const rivulet_sequence never[] = {0, -1, 12345, INT64_MAX, INT64_MIN, gone + (1 << 20)};
  size_t i;
  for (i = 0; i < sizeof(never) / sizeof(never[0]); ++i) {
    REFUSED(RIVULET_ERROR_NO_SUCH_SEQUENCE, rivulet_get_double(never[i], 1, &number));
    REFUSED(RIVULET_ERROR_NO_SUCH_SEQUENCE, rivulet_skip(never[i], 1));
    REFUSED(RIVULET_ERROR_NO_SUCH_SEQUENCE, rivulet_save_size(never[i], &size));
    REFUSED(RIVULET_ERROR_NO_SUCH_SEQUENCE, rivulet_destroy(never[i]));
  }
  SUCCEEDS(rivulet_destroy(gone));
  REFUSED(RIVULET_ERROR_DESTROYED, rivulet_get_double(gone, 1, &number));
  REFUSED(RIVULET_ERROR_DESTROYED, rivulet_destroy(gone));
  next = created("gone", &options); /* takes the place, not the id */
  CHECK(next != gone);
  REFUSED(RIVULET_ERROR_DESTROYED, rivulet_get_double(gone, 1, &number));
  REFUSED(RIVULET_ERROR_DESTROYED, rivulet_restore(gone, 1, &number));
  SUCCEEDS(rivulet_destroy(next));
}

/* Bytes that are not what rivulet_save wrote, into a sequence and into a new one. */
static void refused_bytes(int expected, int64_t size, const unsigned char* bytes) {
  rivulet_sequence sequence = 99;
  REFUSED(expected, rivulet_restore(tested, size, bytes));
  REFUSED(expected, rivulet_create_from("restored", size, bytes, &sequence));
  CHECK(sequence == 0);
}

static void states(void) {
  int64_t size = 0;
  int64_t i;
  unsigned char* bytes;
  rivulet_options options = ranmar48();
  rivulet_sequence other;

  SUCCEEDS(rivulet_save_size(tested, &size));
  bytes = malloc((size_t)size + 1);
  REFUSED(RIVULET_ERROR_SPACE, rivulet_save(tested, size - 1, bytes));
  REFUSED(RIVULET_ERROR_SPACE, rivulet_save(tested, -1, bytes));
  SUCCEEDS(rivulet_save(tested, size, bytes));

  refused_bytes(RIVULET_ERROR_COUNT, 0, bytes);
  refused_bytes(RIVULET_ERROR_COUNT, -1, bytes);
  refused_bytes(RIVULET_ERROR_NOT_A_STATE, size - 1, bytes); /* cut short */
  refused_bytes(RIVULET_ERROR_NOT_A_STATE, 5, bytes);
  refused_bytes(RIVULET_ERROR_NOT_A_STATE, size + 1, bytes);
  for (i = 12; i < size; i += 37) { /* altered anywhere after the version */
    bytes[i] ^= 4;
    FAILS(RIVULET_ERROR_NOT_A_STATE, rivulet_restore(tested, size, bytes));
    bytes[i] ^= 4;
  }
  goes_on();
  bytes[0] ^= 1;
  refused_bytes(RIVULET_ERROR_NOT_A_STATE, size, bytes);
  bytes[0] ^= 1;
  bytes[8] += 1; /* the format version */
  refused_bytes(RIVULET_ERROR_WRONG_VERSION, size, bytes);
  bytes[8] -= 1;
  memcpy(bytes, "RIVULETS\2", 9); /* as sequences and the C++ library's streams began once */
  refused_bytes(RIVULET_ERROR_WRONG_VERSION, size, bytes);
  CHECK(strstr(rivulet_message(), "the sequence was saved in format 2") != NULL);
  memcpy(bytes, "RVLT-STR\3", 9);
  refused_bytes(RIVULET_ERROR_NOT_A_STATE, size, bytes);
  CHECK(strstr(rivulet_message(), "they are saved streams of the C++ library") != NULL);
  memcpy(bytes, "RVLT-SEQ\3", 9);

  options.generator = "ranmar48x";
  other = created("other", &options);
  SUCCEEDS(rivulet_save(other, size + 1, bytes));
  SUCCEEDS(rivulet_save_size(other, &size));
  REFUSED(RIVULET_ERROR_WRONG_GENERATOR, rivulet_restore(tested, size, bytes));
  SUCCEEDS(rivulet_destroy(other));

  options = ranmar48();
  options.type = RIVULET_FLOAT;
  other = created("other", &options);
  SUCCEEDS(rivulet_save_size(other, &size));
  SUCCEEDS(rivulet_save(other, size, bytes));
  REFUSED(RIVULET_ERROR_WRONG_TYPE, rivulet_restore(tested, size, bytes));
  SUCCEEDS(rivulet_destroy(other));
  free(bytes);
}

static void all(const char* how, int64_t buffer_numbers, int asynchronous) {
  rivulet_options options = ranmar48();
  options.buffer_numbers = buffer_numbers;
  options.asynchronous = asynchronous;
  tested = created("tested", &options);
  options = ranmar48();
  untouched = created("untouched", &options);
  goes_on();

  options_that_cannot_be();
  seeds_out_of_range();
  memory_that_is_not_there();
  names();
  null_pointers();
  counts_and_types();
  ids();
  states();

  SUCCEEDS(rivulet_destroy(tested));
  SUCCEEDS(rivulet_destroy(untouched));
  printf("%s: %d failures so far\n", how, failures);
}

int main(void) {
  double number = 0;
  rivulet_sequence sequence = 1;
  FAILS(RIVULET_ERROR_NO_SUCH_SEQUENCE, rivulet_get_double(1, 1, &number)); /* before anything */

  all("unbuffered", 0, 0);
  all("buffered", 1000, 0);
  all("asynchronous", 1000, 1);

  SUCCEEDS(rivulet_create("last", NULL, &sequence));
  SUCCEEDS(rivulet_finalize());
  SUCCEEDS(rivulet_finalize());
  FAILS(RIVULET_ERROR_DESTROYED, rivulet_get_double(sequence, 1, &number));
  FAILS(RIVULET_ERROR_ENDED, rivulet_create("after the end", NULL, &sequence));
  FAILS(RIVULET_ERROR_ENDED, rivulet_initialize());
  return failures == 0 ? 0 : 1;
}
