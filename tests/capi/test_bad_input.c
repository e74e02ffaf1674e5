/* SPDX-FileCopyrightText: 2026 The Rivulet Authors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* A wrong call returns a status and a message, and the sequence continues unchanged. The calls are
 * those of refusals.inc, and others that only C can make. */

#include <stdint.h>
#include <stdlib.h>

#include "check.h"

static rivulet_options dcmt521(void) {
  rivulet_options options = default_options();
  options.generator = "dcmt521";
  options.seed = 7;
  return options;
}

/* The sequence under test, and an equal one that gets no wrong calls. */
static rivulet_sequence tested;
static rivulet_sequence reference;
/* A destroyed sequence. */
static rivulet_sequence gone;

static void expect_unchanged(void) {
  double ours[7];
  double theirs[7];
  SUCCEEDS(rivulet_get_double(tested, 7, ours));
  SUCCEEDS(rivulet_get_double(reference, 7, theirs));
  CHECK(memcmp(ours, theirs, sizeof(ours)) == 0);
}

#define REFUSED(expected, call) \
  do {                          \
    FAILS(expected, call);      \
    expect_unchanged();         \
  } while (0)

static int is_built(const char* generator) {
  int64_t i;
  for (i = 0; i < rivulet_generator_count(); ++i) {
    if (strcmp(rivulet_generator_name(i), generator) == 0) return 1;
  }
  return 0;
}

/* Checks the status and a phrase of the message of a call in the table, and that the call created
 * no sequence (`made` is NULL for calls that never create one). */
static void in_table(int expected, int status, const char* phrase, const char* call,
                     const rivulet_sequence* made) {
  const int before = failures;
  FAILS(expected, status);
  CHECK(strstr(rivulet_message(), phrase) != NULL);
  CHECK(made == NULL || *made == 0);
  expect_unchanged();
  if (failures != before) fprintf(stderr, "  that is %s: %s\n", call, rivulet_message());
}

#define LARGEST INT64_MAX
#define LARGE (INT64_C(1) << 60)
#define MANY (INT64_C(1) << 40)
#define YES 1
#define BLOCKED RIVULET_ORDER_BLOCKED

#define WITH3(a, b, c, status, phrase)         \
  SUCCEEDS(rivulet_options_default(&options)); \
  options.a;                                   \
  options.b;                                   \
  options.c;                                   \
  made = 99;                                   \
  in_table(status, rivulet_create("new", &options, &made), phrase, #a ", " #b ", " #c, &made);
#define WITH2(a, b, status, phrase) WITH3(a, a, b, status, phrase)
#define WITH(a, status, phrase) WITH3(a, a, a, status, phrase)
#define SETS(name, source, status, phrase)                       \
  if (is_built(name)) {                                          \
    WITH2(generator = name, parameters = source, status, phrase) \
  }
#define SEEDS(first, second, count, status, phrase)                                           \
  if (is_built("ranmar48")) {                                                                 \
    SUCCEEDS(rivulet_options_default(&options));                                              \
    options.generator = "ranmar48";                                                           \
    options.seeding = RIVULET_SEEDING_PUBLISHED;                                              \
    options.ij = first;                                                                       \
    options.kl = second;                                                                      \
    options.instances = count;                                                                \
    made = 99;                                                                                \
    in_table(status, rivulet_create("new", &options, &made), phrase, "seeds " #first, &made); \
  }
#define NAMED(name, status, phrase) \
  made = 99;                        \
  in_table(status, rivulet_create(name, NULL, &made), phrase, "name " name, &made);
#define FIND(name, status, phrase) \
  made = 99;                       \
  in_table(status, rivulet_find(name, &made), phrase, "find " name, &made);
#define ROW(call, status, phrase) in_table(status, call, phrase, #call, NULL);
#define GET(id, count, status, phrase) ROW(rivulet_get_double(id, count, numbers), status, phrase)
#define GET_FLOAT(id, count, status, phrase) \
  ROW(rivulet_get_float(id, count, floats), status, phrase)
#define GET_UINT32(id, count, status, phrase) \
  ROW(rivulet_get_uint32(id, count, words), status, phrase)
#define GET_UINT64(id, count, status, phrase) \
  ROW(rivulet_get_uint64(id, count, longs), status, phrase)
#define SKIP(id, count, status, phrase) ROW(rivulet_skip(id, count), status, phrase)
#define SKIP_POWER(id, count, power, status, phrase) \
  ROW(rivulet_skip_power(id, count, power), status, phrase)
#define SAVE(id, status, phrase) ROW(rivulet_save_size(id, &size), status, phrase)
#define DESTROY(id, status, phrase) ROW(rivulet_destroy(id), status, phrase)
#define GETS_DOUBLES "Call rivulet_get_double."

static void the_table(void) {
  rivulet_options options;
  rivulet_sequence made = 0;
  int64_t size = 0;
  double numbers[3];
  float floats[3];
  uint32_t words[3];
  uint64_t longs[3];
#include "refusals.inc"
}

/* Calls that only C can make. */

static void options_of_other_sizes(void) {
  rivulet_options options = dcmt521();
  rivulet_sequence sequence = 99;
  const size_t sizes[] = {0, 1, 2, 3, 4, 5, 6, 7, sizeof(options) - 4, sizeof(options) + 8};
  size_t i;
  for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); ++i) {
    options.size = sizes[i];
    REFUSED(RIVULET_ERROR_OPTION, rivulet_create("refused", &options, &sequence));
    CHECK(sequence == 0);
    CHECK(strstr(rivulet_message(), "in multiples of") != NULL);
  }
}

static void names(void) {
  rivulet_sequence sequence = 99;
  char longest[257];
  memset(longest, 'x', 256);
  longest[256] = '\0';
  REFUSED(RIVULET_ERROR_NULL_POINTER, rivulet_create(NULL, NULL, &sequence));
  REFUSED(RIVULET_ERROR_OPTION, rivulet_create(longest, NULL, &sequence));
  SUCCEEDS(rivulet_find("tested", &sequence));
  CHECK(sequence == tested);
  CHECK(rivulet_generator_name(-1) == NULL);
  CHECK(rivulet_generator_description(-1) == NULL);
  CHECK(rivulet_generator_description(rivulet_generator_count()) == NULL);
  CHECK(rivulet_generator_name(rivulet_generator_count()) == NULL);
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

static void counts_and_ids(void) {
  const rivulet_sequence never[] = {INT64_MIN, gone + (1 << 20)};
  rivulet_options options = dcmt521();
  rivulet_sequence next = 0;
  double number = 0;
  int64_t size = 0;
  char text[1];
  int i;
  REFUSED(RIVULET_ERROR_COUNT, rivulet_get_double(tested, -1, &number));
  REFUSED(RIVULET_ERROR_COUNT, rivulet_get_double(tested, INT64_MIN, &number));
  REFUSED(RIVULET_ERROR_SPACE, rivulet_warnings(tested, 0, text));
  for (i = 0; i < 2; ++i) {
    REFUSED(RIVULET_ERROR_NO_SUCH_SEQUENCE, rivulet_get_double(never[i], 1, &number));
    REFUSED(RIVULET_ERROR_NO_SUCH_SEQUENCE, rivulet_skip(never[i], 1));
    REFUSED(RIVULET_ERROR_NO_SUCH_SEQUENCE, rivulet_save_size(never[i], &size));
    REFUSED(RIVULET_ERROR_NO_SUCH_SEQUENCE, rivulet_destroy(never[i]));
  }
  next = created("gone", &options); /* takes the place of the destroyed sequence, but not its id */
  CHECK(next != gone);
  REFUSED(RIVULET_ERROR_DESTROYED, rivulet_get_double(gone, 1, &number));
  REFUSED(RIVULET_ERROR_DESTROYED, rivulet_restore(gone, 1, &number));
  SUCCEEDS(rivulet_destroy(next));
}

/* Restores invalid bytes into a sequence, and creates a new sequence from them. */
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
  rivulet_options options = dcmt521();
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
  expect_unchanged();
  bytes[0] ^= 1;
  refused_bytes(RIVULET_ERROR_NOT_A_STATE, size, bytes);
  bytes[0] ^= 1;
  bytes[8] += 1; /* the format version */
  refused_bytes(RIVULET_ERROR_WRONG_VERSION, size, bytes);
  bytes[8] -= 1;
  memcpy(bytes, "RIVULETS\2", 9); /* the beginning of older saved sequences and C++ streams */
  refused_bytes(RIVULET_ERROR_WRONG_VERSION, size, bytes);
  CHECK(strstr(rivulet_message(), "the sequence was saved in format 2") != NULL);
  memcpy(bytes, "RVLT-STR\3", 9);
  refused_bytes(RIVULET_ERROR_NOT_A_STATE, size, bytes);
  CHECK(strstr(rivulet_message(), "they are saved streams of the C++ library") != NULL);
  memcpy(bytes, "RVLT-SEQ\3", 9);

  options.generator = "philox4x32";
  other = created("other", &options);
  SUCCEEDS(rivulet_save(other, size + 1, bytes)); /* its state is smaller */
  SUCCEEDS(rivulet_save_size(other, &size));
  REFUSED(RIVULET_ERROR_WRONG_GENERATOR, rivulet_restore(tested, size, bytes));
  SUCCEEDS(rivulet_destroy(other));

  options = dcmt521();
  options.type = RIVULET_FLOAT;
  other = created("other", &options);
  SUCCEEDS(rivulet_save_size(other, &size));
  SUCCEEDS(rivulet_save(other, size, bytes));
  REFUSED(RIVULET_ERROR_WRONG_TYPE, rivulet_restore(tested, size, bytes));
  SUCCEEDS(rivulet_destroy(other));
  free(bytes);
}

static void all(const char* how, int64_t buffer_numbers, int asynchronous) {
  rivulet_options options = dcmt521();
  options.buffer_numbers = buffer_numbers;
  options.asynchronous = asynchronous;
  tested = created("tested", &options);
  options = dcmt521();
  reference = created("untouched", &options);
  gone = created("gone", &options);
  SUCCEEDS(rivulet_destroy(gone));
  expect_unchanged();

  the_table();
  options_of_other_sizes();
  names();
  null_pointers();
  counts_and_ids();
  states();

  SUCCEEDS(rivulet_destroy(tested));
  SUCCEEDS(rivulet_destroy(reference));
  printf("%s: %d failures so far\n", how, failures);
}

int main(void) {
  double number = 0;
  rivulet_sequence sequence = 1;
  FAILS(RIVULET_ERROR_NO_SUCH_SEQUENCE,
        rivulet_get_double(1, 1, &number)); /* before any sequence exists */

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
