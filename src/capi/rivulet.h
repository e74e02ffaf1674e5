/* SPDX-FileCopyrightText: 2026 The Rivulet Authors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef RIVULET_H
#define RIVULET_H

/* Random numbers for host codes in C, C++ and (through the module rivulet) Fortran.
 *
 *     rivulet_options options;
 *     rivulet_sequence sequence;
 *     double numbers[10];
 *     rivulet_options_default(&options);
 *     options.generator = "philox4x32";
 *     options.seed = 42;
 *     if (rivulet_create("hadrons", &options, &sequence) != RIVULET_OK ||
 *         rivulet_get_double(sequence, 10, numbers) != RIVULET_OK) {
 *       fprintf(stderr, "%s\n", rivulet_message());
 *     }
 *
 * Errors: every function that can fail returns a rivulet_status as an int. No function ends the
 * program (except rivulet_next_...) or lets a C++ exception escape. After an error the sequence is
 * unchanged and can be used.
 *
 * Threads: any thread may call the functions. Two sequences share no lock while they deliver
 * numbers; calls for one sequence wait for each other.
 *
 * Processes: the library never initializes or finalizes MPI, and does not need it. After the
 * library has started Kokkos, a child made by fork() gets RIVULET_ERROR_FORKED from every function,
 * since Kokkos' threads exist only in the parent. A child that then calls exec() may use the
 * library.
 *
 * A function's comment lists its specific errors. Each function that returns a status can
 * also return RIVULET_ERROR_OUT_OF_MEMORY, _FORKED and _OTHER. Functions with pointers add
 * _NULL_POINTER. Functions with a count or a size add _COUNT. Functions with a sequence add
 * _NO_SUCH_SEQUENCE and _DESTROYED.
 */

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define RIVULET_API
#elif defined(__GNUC__) || defined(__clang__)
#define RIVULET_API __attribute__((visibility("default")))
#else
#define RIVULET_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Status codes. New values may be added at the end. */
typedef enum rivulet_status {
  RIVULET_OK = 0,
  RIVULET_ERROR_NULL_POINTER = 1,     /* an argument that must point somewhere is NULL */
  RIVULET_ERROR_COUNT = 2,            /* a count is zero or negative, or a skip negative */
  RIVULET_ERROR_UNKNOWN_NAME = 3,     /* no generator, sequence or test has this name */
  RIVULET_ERROR_NAME_TAKEN = 4,       /* another sequence has this name */
  RIVULET_ERROR_OPTION = 5,           /* an option's value is invalid, or its file unreadable */
  RIVULET_ERROR_SEED = 6,             /* a pair (ij, kl) is invalid, or too few pairs follow it */
  RIVULET_ERROR_NO_SUCH_SEQUENCE = 7, /* rivulet_create never returned this id */
  RIVULET_ERROR_DESTROYED = 8,        /* the id's sequence has been destroyed */
  RIVULET_ERROR_WRONG_TYPE = 9,       /* the sequence's numbers are of another type */
  RIVULET_ERROR_OUT_OF_MEMORY = 10,   /* the request does not fit in memory */
  RIVULET_ERROR_OUT_OF_RANGE = 11,    /* the sequence, or the words of rivulet_battery, would end */
  RIVULET_ERROR_SPACE = 12,           /* the caller's memory is too small for the answer */
  RIVULET_ERROR_NOT_A_STATE = 13,     /* the bytes are not a saved sequence, or are damaged */
  RIVULET_ERROR_WRONG_VERSION = 14,   /* the bytes have another format version */
  RIVULET_ERROR_WRONG_GENERATOR = 15, /* the bytes have another generator or other parameters */
  RIVULET_ERROR_ENDED = 16,           /* Kokkos has been finalized and cannot start again */
  RIVULET_ERROR_KOKKOS = 17,          /* Kokkos cannot start or end at this point */
  RIVULET_ERROR_OTHER = 18,           /* any other error, explained by rivulet_message() */
  RIVULET_ERROR_FORKED = 19           /* the process was forked by one that used the library */
} rivulet_status;

/* The type of a sequence's numbers, fixed for its whole life. */
typedef enum rivulet_type {
  RIVULET_UINT32 = 0,
  RIVULET_UINT64 = 1,
  RIVULET_FLOAT = 2,
  RIVULET_DOUBLE = 3,
  RIVULET_OWN = 4 /* the generator's raw numbers, which rivulet_draw needs. Stored as
                     RIVULET_UINT32, or, with 24 or 48 bits (RANMAR, ranluxpp, mixmax17), as
                     RIVULET_DOUBLE */
} rivulet_type;

/* The endpoints that the numbers can equal (floating-point types only). Floats have 24
 * random bits. Doubles have 53; doubles of RANMAR, ranluxpp and mixmax17 have the generator's
 * own 24 or 48. */
typedef enum rivulet_interval {
  RIVULET_CLOSED_OPEN = 0,  /* [0, 1) */
  RIVULET_OPEN = 1,         /* (0, 1); floats then have 23 random bits, 53-bit doubles 52 */
  RIVULET_OPEN_CLOSED = 2,  /* (0, 1] */
  RIVULET_CLOSED = 3,       /* [0, 1] */
  RIVULET_ZERO_REPLACED = 4 /* (0, 1): an exact 0 becomes the smallest number, as in CORSIKA */
} rivulet_interval;

/* How a seed selects the streams of a sequence. */
typedef enum rivulet_seeding {
  RIVULET_SEEDING_NATIVE = 0,   /* hashes of (seed, stream id): recommended */
  RIVULET_SEEDING_PUBLISHED = 1 /* the authors' seeding: RANMAR needs the pair (ij, kl) */
} rivulet_seeding;

/* How the numbers of several instances make one sequence. */
typedef enum rivulet_order {
  RIVULET_ORDER_INTERLEAVED = 0, /* number i comes from instance i mod instances */
  RIVULET_ORDER_BLOCKED = 1      /* instance s fills the s-th share of each block of block_length */
} rivulet_order;

/* Options of a sequence. First call rivulet_options_default, then set the members that differ. New
 * members may be added at the end: `size` tells which members the caller knows. The comment of each
 * member ends with the default. */
typedef struct rivulet_options {
  size_t size;            /* set by rivulet_options_default */
  const char* generator;  /* "philox4x32" (default), or another generator's name */
  const char* parameters; /* twisters only: "shipped" (default), "published", or the path of a file
                             made by `rivulet create` */
  int32_t type;           /* rivulet_type; RIVULET_DOUBLE */
  int32_t interval;       /* rivulet_interval; RIVULET_CLOSED_OPEN */
  int32_t seeding;        /* rivulet_seeding; RIVULET_SEEDING_NATIVE */
  int32_t order;          /* rivulet_order; RIVULET_ORDER_INTERLEAVED */
  uint64_t seed;          /* native seeding: any; published seeding: below 2^32 for mt19937, any
                             for mtgp11213, unused by other generators; 20261120 */
  int64_t first_stream;   /* stream id of instance 0, 0 .. 2^40 (counter-based generators: any
                             >= 0). If each process has K sequences, sequence k = 0 .. K - 1 sets
                             (rank * K + k) * instances; 0 */
  int64_t ij;             /* published RANMAR: 0 .. 31328; 1802 */
  int64_t kl;             /* published RANMAR: 0 .. 30081; 9373 */
  int64_t instances;      /* number of streams in the sequence, 1 .. 2^40; 1 */
  int64_t block_length;   /* blocked order: > 0, a multiple of instances; 0 */
  int64_t buffer_numbers; /* numbers drawn ahead. With 0, small requests draw about 1000, and large
                             requests go straight into the caller's array. Rounded up to whole
                             blocks in blocked order, else to the numbers that the generator draws
                             at a time (dcmt521: 17 doubles per instance; RANMAR: 97); 0 */
  int32_t asynchronous;   /* not 0: the next buffer is drawn while this one is used (two buffers);
                             0 */
  int32_t log2_jump;      /* dcmt generators: streams on one set start at least 2^log2_jump numbers
                             apart, 64 .. exponent - 2; 128 */
  uint64_t start_high;    /* the first number delivered is number start_high * 2^64 + start_low */
  uint64_t start_low;     /* of the sequence; 0, 0 */
  const char* generator_options; /* options of the generator (docs/deck.md, section streams, after
                             seed), such as "log2_jump=100 ij=7". Each overrides the member of that
                             name; NULL for none, the default */
} rivulet_options;

/* The id of a sequence. Ids are never reused, and never 0. */
typedef int64_t rivulet_sequence;

/* --- The library ------------------------------------------------------------------------------ */

/* Starts Kokkos unless the caller's program has started it. The call is optional, since
 * rivulet_create also starts Kokkos; repeated calls are harmless. A program that uses Kokkos itself
 * must initialize Kokkos before it first calls this library. Kokkos cannot start inside an OpenMP
 * parallel region (RIVULET_ERROR_KOKKOS): call this function before a region that creates the first
 * sequence. Kokkos' own environment variables, or OMP_NUM_THREADS, choose its threads or device. */
RIVULET_API int rivulet_initialize(void);

/* Destroys every sequence and, if this library started Kokkos, finalizes Kokkos. Call it once near
 * the program's end, before MPI_Finalize. The call is optional: a program that just ends leaves
 * Kokkos to the operating system. Repeated calls are harmless. After Kokkos is finalized, no
 * sequence can be created (RIVULET_ERROR_ENDED). The function waits for calls in other threads;
 * later calls return RIVULET_ERROR_DESTROYED for their sequences. Inside an OpenMP parallel region
 * it returns RIVULET_ERROR_KOKKOS, and destroys no sequence. */
RIVULET_API int rivulet_finalize(void);

/* Returns this library's version, such as "0.1.0". */
RIVULET_API const char* rivulet_version(void);

/* Returns the number of generators. */
RIVULET_API int64_t rivulet_generator_count(void);

/* Returns the name of generator `index`, 0 .. rivulet_generator_count() - 1, or NULL. */
RIVULET_API const char* rivulet_generator_name(int64_t index);

/* Returns a one-line description of generator `index`, or NULL as rivulet_generator_name() does. */
RIVULET_API const char* rivulet_generator_description(int64_t index);

/* Returns the message of this thread's last failed call: "PROBLEM (WHY). WHAT TO DO." It is valid
 * until this thread's next failure, empty before the first, and never NULL. */
RIVULET_API const char* rivulet_message(void);

/* Returns the name of a status, such as "RIVULET_ERROR_COUNT"; "unknown status" for other
 * numbers. */
RIVULET_API const char* rivulet_status_name(int status);

/* --- Sequences -------------------------------------------------------------------------------- */

/* Sets all members to the defaults that rivulet_options lists. */
RIVULET_API int rivulet_options_default(rivulet_options* options);

/* Returns the layout of rivulet_options, for languages that cannot read this header. Each member
 * has a line "NAME TYPE OFFSET", in order. Offsets are in bytes, TYPE is int32, int64, uint32,
 * uint64 or text (a pointer). The last line is "end SIZE", the size of the struct. Returns NULL
 * if the processor lacks instructions that the library was built for; rivulet_message() then
 * says so. */
RIVULET_API const char* rivulet_options_layout(void);

/* Creates a sequence. `name` is any text of 1 to 255 characters without '/', except "." and "..";
 * rivulet_find finds the sequence by it. Names are unique among living sequences. Strings are
 * copied. `options` may be NULL for the defaults. On failure *sequence is 0.
 *
 * Errors: RIVULET_ERROR_UNKNOWN_NAME (generator), _NAME_TAKEN, _OPTION (also a name or a
 * parameter file that cannot be used, and RIVULET_OWN with an interval), _SEED, _OUT_OF_RANGE
 * (start), _KOKKOS, _ENDED. */
RIVULET_API int rivulet_create(const char* name, const rivulet_options* options,
                               rivulet_sequence* sequence);

/* Frees a sequence. Waits for a call in another thread that uses the sequence. */
RIVULET_API int rivulet_destroy(rivulet_sequence sequence);

/* Gets the id of the living sequence with this name. If there is none, returns
 * RIVULET_ERROR_UNKNOWN_NAME and sets *sequence to 0. */
RIVULET_API int rivulet_find(const char* name, rivulet_sequence* sequence);

/* Gets the warnings for users of this sequence, such as a weak pair of seeds or options without
 * effect. The text has one line per warning, and is empty if there are none. `text` has room for
 * `capacity` bytes, including the final zero. Returns RIVULET_ERROR_SPACE if the warnings do not
 * fit. */
RIVULET_API int rivulet_warnings(rivulet_sequence sequence, int64_t capacity, char* text);

/* Gets the identity of the sequence's streams, for logs, such as "philox4x32 seed=42
 * first_stream=7". The text has the generator, seed and first_stream. Other options that select
 * streams follow as name=value, unless they have their defaults. The type and order of numbers and
 * the start are left out. A child shows its own seed and id. `text` has room for `capacity` bytes,
 * including the final zero. Returns RIVULET_ERROR_SPACE if the identity does not fit. */
RIVULET_API int rivulet_describe(rivulet_sequence sequence, int64_t capacity, char* text);

/* --- Numbers ---------------------------------------------------------------------------------- */

/* Writes the next `count` > 0 numbers into the caller's array. The numbers do not depend on request
 * sizes, buffers, threads or the machine. Returns RIVULET_ERROR_WRONG_TYPE if the
 * sequence has another type.
 *
 * Returns RIVULET_ERROR_OUT_OF_RANGE at the sequence's end. In general the end is at `instances`
 * times half the distance between the sequence's streams (docs/library.md#streams-with-memory), but
 * never beyond 2^127 numbers. Half the distance is 2^66 for ranluxpp and 2^(log2_jump - 1) for dcmt
 * generators. The end is at 2^45 for sfc64, and at 2^127 for RANMAR and for published seeding of
 * twisters and Tausworthe generators. The end also limits rivulet_skip, rivulet_draw and the start
 * of rivulet_create. */
RIVULET_API int rivulet_get_double(rivulet_sequence sequence, int64_t count, double* numbers);

/* Like rivulet_get_double, for a sequence of type RIVULET_FLOAT. */
RIVULET_API int rivulet_get_float(rivulet_sequence sequence, int64_t count, float* numbers);

/* Like rivulet_get_double, for a sequence of type RIVULET_UINT32. */
RIVULET_API int rivulet_get_uint32(rivulet_sequence sequence, int64_t count, uint32_t* numbers);

/* Like rivulet_get_double, for a sequence of type RIVULET_UINT64. */
RIVULET_API int rivulet_get_uint64(rivulet_sequence sequence, int64_t count, uint64_t* numbers);

/* Skips `count` >= 0 numbers, in time that grows with the logarithm of `count` (sfc64: with
 * `count`). Returns RIVULET_ERROR_OUT_OF_RANGE as rivulet_get_double does. */
RIVULET_API int rivulet_skip(rivulet_sequence sequence, int64_t count);

/* Skips multiplier * 2^log2 numbers, like rivulet_skip, with multiplier >= 0 and 0 <= log2 <= 126.
 * Returns RIVULET_ERROR_OPTION for another `log2`. */
RIVULET_API int rivulet_skip_power(rivulet_sequence sequence, int64_t multiplier, int32_t log2);

/* Gets how many numbers of the sequence were delivered or skipped: high * 2^64 + low. */
RIVULET_API int rivulet_position(rivulet_sequence sequence, uint64_t* high, uint64_t* low);

/* Draws the next `count` > 0 numbers of a distribution, bitwise equal to those of the C++ library
 * (docs/library.md). The sequence must be of type RIVULET_OWN; its position counts raw numbers,
 * whatever distributions are drawn.
 *
 *     double parameters[2] = {0.0, 1.0};
 *     rivulet_draw(sequence, "normal", 2, parameters, RIVULET_DOUBLE, 10, numbers);
 *
 * `type` is the type of `numbers`: RIVULET_FLOAT or RIVULET_DOUBLE for reals, RIVULET_UINT64 for
 * counts. For unit_vector and on_disk `count` is the number of points, and `numbers` has room for 3
 * and 2 reals per point. `parameters` holds exactly the doubles listed below, and may be NULL if
 * there are none. The C++ classes of these names define their ranges (docs/reference.md). All
 * parameters are finite, except for bounds of truncated_normal. An n is a whole number, exact as a
 * double.
 *
 *     reals   uniform: low, high, interval (a rivulet_interval)     normal: mean, sigma
 *             exponential: mean      gamma: shape, scale            chi_square: degrees
 *             beta: a, b             student: degrees               log_normal: mu, sigma
 *             cauchy: location, scale                               von_mises: mean, concentration
 *             truncated_normal: mean, sigma, low, high
 *             unit_vector: none                                     on_disk: none
 *     counts  below: n (< 2^64)      bernoulli: p (draws 0 or 1)    poisson: mean
 *             binomial: n, p         geometric: p
 *     bits    none: RIVULET_UINT32 or RIVULET_UINT64
 *
 * Errors: RIVULET_ERROR_UNKNOWN_NAME, _WRONG_TYPE (of the sequence or of the numbers), _OPTION (a
 * parameter out of its range, or a wrong count of parameters), _OUT_OF_RANGE (see
 * rivulet_get_double). */
RIVULET_API int rivulet_draw(rivulet_sequence sequence, const char* distribution,
                             int64_t parameter_count, const double* parameters, int32_t type,
                             int64_t count, void* numbers);

/* Draws like rivulet_draw, but leaves the sequence at its position. Programs that hand out numbers
 * one by one can use it. Draws as many numbers as the sequence's buffer holds, but at least one and
 * at most `most` > 0. Writes the number of drawn numbers to `count`. Writes to `own` how many raw
 * numbers each number consumes: rivulet_skip(sequence, n * own) skips n of the numbers. The
 * distribution is bits, uniform, normal, exponential or log_normal; the function returns
 * RIVULET_ERROR_OPTION for others. */
RIVULET_API int rivulet_draw_ahead(rivulet_sequence sequence, const char* distribution,
                                   int64_t parameter_count, const double* parameters, int32_t type,
                                   int64_t most, void* numbers, int64_t* count, int64_t* own);

/* Creates child `number` of a sequence that has one stream of a counter-based generator
 * (philox4x32, philox4x32_7, philox4x64, threefry4x64), as child(number) of the C++ library does.
 * The child starts at its first number, has the parent's type, interval, order and buffer, and can
 * have children. Its numbers depend on the parent's stream and on `number` alone.
 *
 * Errors: RIVULET_ERROR_NAME_TAKEN, _OPTION (other generators, a parent of several streams, or a
 * name that cannot be used), _KOKKOS, _ENDED. */
RIVULET_API int rivulet_create_child(const char* name, rivulet_sequence parent, uint64_t number,
                                     rivulet_sequence* child);

/* Returns the next 64-bit number of a sequence of type RIVULET_OWN. The argument is the
 * sequence's id as a pointer:
 *
 *     void* state = (void*)(intptr_t)sequence;
 *     uint64_t word = rivulet_next_uint64(state);
 *
 * The four rivulet_next_... functions are the functions of a bitgen_t, NumPy's interface of bit
 * generators. The functions take no lock: no other call may use the sequence at the same time. An
 * error prints its message and ends the program. Errors are a sequence of another type, a sequence
 * at its end, a destroyed sequence, and a forked process. */
RIVULET_API uint64_t rivulet_next_uint64(void* sequence);

/* Returns the next 32-bit number, like rivulet_next_uint64. */
RIVULET_API uint32_t rivulet_next_uint32(void* sequence);

/* Returns the next double in [0, 1), like rivulet_next_uint64. */
RIVULET_API double rivulet_next_double(void* sequence);

/* Returns the next raw number of the generator, like rivulet_next_uint64. */
RIVULET_API uint64_t rivulet_next_raw(void* sequence);

/* --- Saving and restoring --------------------------------------------------------------------- */

/* Gets the number of bytes that rivulet_save needs, which is constant for a sequence's life. */
RIVULET_API int rivulet_save_size(rivulet_sequence sequence, int64_t* bytes);

/* Writes the sequence (options, position, states, and a checksum) to `bytes`, which has room for
 * `capacity` bytes. The restored sequence continues exactly, on any machine, with any number of
 * threads and any buffer size. Returns RIVULET_ERROR_SPACE if the sequence does not fit. */
RIVULET_API int rivulet_save(rivulet_sequence sequence, int64_t capacity, void* bytes);

/* Replaces the sequence's seeds, instances, order, interval and position by the saved sequence's.
 * The name and the buffer stay. Generator and type must be equal.
 *
 * Errors: RIVULET_ERROR_NOT_A_STATE, _WRONG_VERSION, _WRONG_GENERATOR, _WRONG_TYPE, _OPTION (the
 * saved parameter file cannot be read). */
RIVULET_API int rivulet_restore(rivulet_sequence sequence, int64_t size, const void* bytes);

/* Creates a sequence that continues the saved sequence, with the same buffer options.
 *
 * Errors: RIVULET_ERROR_NOT_A_STATE, _WRONG_VERSION, _WRONG_GENERATOR (other parameter sets),
 * _NAME_TAKEN, _OPTION (a name or a parameter file that cannot be used), _KOKKOS, _ENDED. */
RIVULET_API int rivulet_create_from(const char* name, int64_t size, const void* bytes,
                                    rivulet_sequence* sequence);

/* --- Tests of other generators ---------------------------------------------------------------- */

/* The caller's function that writes the next `count` words of the sequence under test. Returns how
 * many words it wrote; a smaller number than `count` ends the sequence. For example
 *
 *     static int64_t draw(void* user, int64_t count, uint32_t* words) {
 *       uint32_t* const state = user;
 *       int64_t i;
 *       for (i = 0; i < count; ++i) words[i] = *state = *state * 1103515245u + 12345u;
 *       return count;
 *     }
 */
typedef int64_t rivulet_words(void* user, int64_t count, uint32_t* words);

/* The caller's function that receives a p-value, which is near 0 or near 1 if the test fails.
 * `fails` is not 0 if p is too extreme for chance (docs/battery.md has the limit). `name` consists
 * of the test's set and number, its class, and the statistic, as in "small.10 RandomWalk1 H". For
 * example
 *
 *     static void tell(void* user, const char* name, double statistic, double p, int fails) {
 *       printf("%s %g p = %g%s\n", name, statistic, p, fails ? " fails" : "");
 *     }
 */
typedef void rivulet_p_value(void* user, const char* name, double statistic, double p, int fails);

/* Runs tests by their names (docs/battery.md), such as "small" or "crush.31 big.34". The tests run
 * one after another on one sequence of words; their p-values are reported when all are done.
 * Returns RIVULET_OK even if tests fail. The tests request more words than they use. The
 * calling thread calls both functions and passes them `user`. Both may get numbers of sequences,
 * but must not create or destroy sequences. The tests use all of Kokkos' threads: a program that
 * uses Kokkos itself must not launch kernels at the same time.
 *
 * Errors: RIVULET_ERROR_UNKNOWN_NAME (no such test), _OUT_OF_RANGE (the words end within a test;
 * the p-values of earlier tests have been reported), _KOKKOS (inside an OpenMP parallel region,
 * or Kokkos before 3.7 was started by a thread that has not called this library), _ENDED. */
RIVULET_API int rivulet_battery(const char* tests, rivulet_words* words, rivulet_p_value* p_value,
                                void* user);

#ifdef __cplusplus
}
#endif

#endif
