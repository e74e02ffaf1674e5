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
 * Every function that can fail returns a rivulet_status as an int; none ends the program (except
 * rivulet_next_...) or lets a C++ exception out. After an error the sequence is as it was and goes
 * on. Functions may be called from any threads: two sequences share no lock while they deliver
 * numbers, and calls for one sequence wait for each other. The library never calls MPI to start or
 * end it, and needs none running. A child that fork() makes after the library has started Kokkos
 * gets RIVULET_ERROR_FORKED from every function, its threads being its parent's; one that executes
 * a program is as any other.
 *
 * The comments list the errors that a function itself adds. All functions that return a status can
 * also return RIVULET_ERROR_OUT_OF_MEMORY, _FORKED and _OTHER, those with pointers _NULL_POINTER,
 * those with a count or a size _COUNT, those of a sequence _NO_SUCH_SEQUENCE and _DESTROYED.
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

/* What functions return. New values may be added at the end. */
typedef enum rivulet_status {
  RIVULET_OK = 0,
  RIVULET_ERROR_NULL_POINTER = 1,     /* an argument that must point somewhere is NULL */
  RIVULET_ERROR_COUNT = 2,            /* a count is zero or negative, or a skip negative */
  RIVULET_ERROR_UNKNOWN_NAME = 3,     /* no generator, sequence or test has this name */
  RIVULET_ERROR_NAME_TAKEN = 4,       /* another sequence has this name */
  RIVULET_ERROR_OPTION = 5,           /* an option has a value that cannot be; also a parameter
                                         file that cannot be read */
  RIVULET_ERROR_SEED = 6,             /* a pair (ij, kl), or too few after it */
  RIVULET_ERROR_NO_SUCH_SEQUENCE = 7, /* the id was never given by rivulet_create */
  RIVULET_ERROR_DESTROYED = 8,        /* the id's sequence has been destroyed */
  RIVULET_ERROR_WRONG_TYPE = 9,       /* the sequence's numbers are of another type */
  RIVULET_ERROR_OUT_OF_MEMORY = 10,   /* what was asked for does not fit in memory */
  RIVULET_ERROR_OUT_OF_RANGE = 11, /* the position would leave the sequence's range, or words end */
  RIVULET_ERROR_SPACE = 12,        /* the caller's memory is too small for the answer */
  RIVULET_ERROR_NOT_A_STATE = 13,  /* the bytes are no saved sequence, cut short, or altered */
  RIVULET_ERROR_WRONG_VERSION = 14,   /* they were saved in another format version */
  RIVULET_ERROR_WRONG_GENERATOR = 15, /* they are of another generator, or of other parameters */
  RIVULET_ERROR_ENDED = 16,           /* Kokkos has been finalized; it cannot start again */
  RIVULET_ERROR_KOKKOS = 17,          /* Kokkos cannot start, or end, where it is asked to */
  RIVULET_ERROR_OTHER = 18,           /* anything else; the message says what */
  RIVULET_ERROR_FORKED = 19           /* the process was forked by one that used the library */
} rivulet_status;

/* What the numbers of a sequence are, for its whole life. */
typedef enum rivulet_type {
  RIVULET_UINT32 = 0,
  RIVULET_UINT64 = 1,
  RIVULET_FLOAT = 2,
  RIVULET_DOUBLE = 3,
  RIVULET_OWN = 4 /* the generator's own numbers, of which rivulet_draw makes others: stored as
                     RIVULET_UINT32, or of 24 or 48 bits (RANMAR, ranluxpp, mixmax17) as
                     RIVULET_DOUBLE */
} rivulet_type;

/* Which ends of the unit interval can occur (floating-point types only). Floats have 24 random
 * bits; doubles have 53, those of RANMAR, ranluxpp and mixmax17 the generator's own 24 or 48. */
typedef enum rivulet_interval {
  RIVULET_CLOSED_OPEN = 0,  /* [0, 1) */
  RIVULET_OPEN = 1,         /* (0, 1); a float then has 23 random bits, a double of 53 has 52 */
  RIVULET_OPEN_CLOSED = 2,  /* (0, 1] */
  RIVULET_CLOSED = 3,       /* [0, 1] */
  RIVULET_ZERO_REPLACED = 4 /* (0, 1): an exact 0 becomes the smallest number, as in CORSIKA */
} rivulet_interval;

/* How a seed names the streams of a sequence. */
typedef enum rivulet_seeding {
  RIVULET_SEEDING_NATIVE = 0,   /* hashes of (seed, stream id): what to use */
  RIVULET_SEEDING_PUBLISHED = 1 /* as published: of RANMAR by the pair (ij, kl) */
} rivulet_seeding;

/* How the numbers of several instances make one sequence. */
typedef enum rivulet_order {
  RIVULET_ORDER_INTERLEAVED = 0, /* number i comes from instance i mod instances */
  RIVULET_ORDER_BLOCKED = 1      /* of each block_length numbers, instance s makes the s-th share */
} rivulet_order;

/* What a sequence is. Always filled by rivulet_options_default first; then set what differs. New
 * members may be added at the end: `size` tells the library which the caller knows. A comment ends
 * with the default. */
typedef struct rivulet_options {
  size_t size;            /* set by rivulet_options_default */
  const char* generator;  /* "philox4x32" (default), or another of rivulet_generator_name */
  const char* parameters; /* twisters only: "shipped" (default), "published", or the path of a file
                             made by `rivulet create` */
  int32_t type;           /* rivulet_type; RIVULET_DOUBLE */
  int32_t interval;       /* rivulet_interval; RIVULET_CLOSED_OPEN */
  int32_t seeding;        /* rivulet_seeding; RIVULET_SEEDING_NATIVE */
  int32_t order;          /* rivulet_order; RIVULET_ORDER_INTERLEAVED */
  uint64_t seed;          /* native seeding: any; published seeding: of mt19937 below 2^32, of
                             mtgp11213 any, other generators do not use it; 20261120 */
  int64_t first_stream;   /* stream id of instance 0, 0 .. 2^40 (counter-based generators: any
                             >= 0). Sequence k = 0 .. K - 1 of the K of each process:
                             (rank * K + k) * instances; 0 */
  int64_t ij;             /* published RANMAR: 0 .. 31328; 1802 */
  int64_t kl;             /* published RANMAR: 0 .. 30081; 9373 */
  int64_t instances;      /* streams that the sequence is made of, 1 .. 2^40; 1 */
  int64_t block_length;   /* blocked order: > 0, a multiple of instances; 0 */
  int64_t buffer_numbers; /* numbers drawn ahead. With 0 small requests draw about 1000, and large
                             ones go straight into the caller's array. Rounded up: in blocked order
                             to whole blocks, else to what the generator draws at a time (for each
                             instance 17 doubles of dcmt521, 97 of RANMAR); 0 */
  int32_t asynchronous;   /* not 0: the next buffer is drawn while this one is used (two buffers);
                             0 */
  int32_t log2_jump;      /* dcmt generators: streams on one set start at least 2^this apart, 64 ..
                             exponent - 2; 128 */
  uint64_t start_high;    /* the first number delivered is number start_high * 2^64 + start_low */
  uint64_t start_low;     /* of the sequence; 0, 0 */
  const char* generator_options; /* options that are a generator's own (docs/deck.md, section
                             streams, after seed), such as "log2_jump=100 ij=7": each beats the
                             member of that name; NULL for none, the default */
} rivulet_options;

/* An id of a sequence. Ids are never given twice; 0 is never one. */
typedef int64_t rivulet_sequence;

/* --- The library ------------------------------------------------------------------------------ */

/* Starts Kokkos unless the program has. Not needed (rivulet_create does it) and harmless when
 * repeated. A program that uses Kokkos itself initializes it before its first call of this library.
 * Inside an OpenMP parallel region Kokkos cannot start (RIVULET_ERROR_KOKKOS): a program that makes
 * its first sequence there calls this function before the region.
 * To choose Kokkos' threads or device, use its own environment variables or OMP_NUM_THREADS. */
RIVULET_API int rivulet_initialize(void);

/* Destroys every sequence and, if this library started Kokkos, finalizes it: once, near the
 * program's end, and before MPI_Finalize where there is one. Not needed: a program that just ends
 * leaves Kokkos to the operating system. Harmless when repeated. No sequence can be made
 * afterwards if Kokkos was finalized (RIVULET_ERROR_ENDED). Other threads may be in any call: it
 * waits for those that are, and later ones find their sequences destroyed. Not inside an OpenMP
 * parallel region (RIVULET_ERROR_KOKKOS; the sequences then live on). */
RIVULET_API int rivulet_finalize(void);

/* This library's version, such as "0.1.0". */
RIVULET_API const char* rivulet_version(void);

/* How many generators there are. */
RIVULET_API int64_t rivulet_generator_count(void);

/* The name of generator 0 .. rivulet_generator_count() - 1; NULL beyond. */
RIVULET_API const char* rivulet_generator_name(int64_t index);

/* What generator 0 .. rivulet_generator_count() - 1 is, in a line; NULL beyond. */
RIVULET_API const char* rivulet_generator_description(int64_t index);

/* What went wrong in this thread's last call that failed: "PROBLEM (WHY). WHAT TO DO." Valid until
 * this thread's next failure; empty before the first. Never NULL. */
RIVULET_API const char* rivulet_message(void);

/* The name of a status, such as "RIVULET_ERROR_COUNT"; "unknown status" for other numbers. */
RIVULET_API const char* rivulet_status_name(int status);

/* --- Sequences -------------------------------------------------------------------------------- */

/* Fills in the defaults that rivulet_options gives. */
RIVULET_API int rivulet_options_default(rivulet_options* options);

/* rivulet_options, for languages that cannot read this header: a line "NAME TYPE OFFSET" for each
 * member, in order, with offsets in bytes, TYPE being int32, int64, uint32, uint64 or text (a
 * pointer); the last line is "end SIZE", the size of the struct. NULL where the processor lacks
 * what the library was built for: rivulet_message() says so. */
RIVULET_API const char* rivulet_options_layout(void);

/* Makes a sequence. `name` is any text of 1 to 255 characters without '/', except "." and "..", by
 * which rivulet_find knows it; names are unique among living sequences. Strings are copied.
 * `options` may be NULL for the defaults. On failure *sequence is 0.
 *
 * Errors: RIVULET_ERROR_UNKNOWN_NAME (generator), _NAME_TAKEN, _OPTION (also a name or a parameter
 * file that cannot be used, and RIVULET_OWN with an interval), _SEED, _OUT_OF_RANGE (start),
 * _KOKKOS, _ENDED. */
RIVULET_API int rivulet_create(const char* name, const rivulet_options* options,
                               rivulet_sequence* sequence);

/* Frees a sequence. Waits for a call in another thread that uses it. */
RIVULET_API int rivulet_destroy(rivulet_sequence sequence);

/* The id of the living sequence of this name; RIVULET_ERROR_UNKNOWN_NAME and 0 if there is none. */
RIVULET_API int rivulet_find(const char* name, rivulet_sequence* sequence);

/* What a user of this sequence should be warned of, such as a weak pair of seeds or options without
 * effect, one line each, as a text of at most `capacity` bytes with its final zero; empty if there
 * is nothing. RIVULET_ERROR_SPACE if it does not fit. */
RIVULET_API int rivulet_warnings(rivulet_sequence sequence, int64_t capacity, char* text);

/* The names of the sequence's streams, for logs: the generator, seed and first_stream, and what
 * else names streams where it is not the default, as name=value, such as "philox4x32 seed=42
 * first_stream=7"; neither type and order of numbers nor start. A child has a seed and an id of its
 * own. A text of at most `capacity` bytes with its final zero; RIVULET_ERROR_SPACE if it does not
 * fit. */
RIVULET_API int rivulet_describe(rivulet_sequence sequence, int64_t capacity, char* text);

/* --- Numbers ---------------------------------------------------------------------------------- */

/* Writes the next `count` > 0 numbers into the caller's array. Which numbers they are does not
 * depend on how many are asked for at a time, on buffers, threads or the machine. The function must
 * be the one of the sequence's type, otherwise RIVULET_ERROR_WRONG_TYPE.
 *
 * RIVULET_ERROR_OUT_OF_RANGE at the sequence's end: `instances` times half the distance between its
 * streams, which docs/library.md#streams-with-memory gives, at most 2^127 numbers. Half the
 * distance is 2^66 for ranluxpp and 2^(log2_jump - 1) for dcmt generators. The end is 2^45 for
 * sfc64, and 2^127 for RANMAR and for published seeding of twisters and Tausworthe generators.
 * rivulet_skip, rivulet_draw and the start of rivulet_create end there, too. */
RIVULET_API int rivulet_get_double(rivulet_sequence sequence, int64_t count, double* numbers);

/* As rivulet_get_double, of a sequence of type RIVULET_FLOAT. */
RIVULET_API int rivulet_get_float(rivulet_sequence sequence, int64_t count, float* numbers);

/* As rivulet_get_double, of a sequence of type RIVULET_UINT32. */
RIVULET_API int rivulet_get_uint32(rivulet_sequence sequence, int64_t count, uint32_t* numbers);

/* As rivulet_get_double, of a sequence of type RIVULET_UINT64. */
RIVULET_API int rivulet_get_uint64(rivulet_sequence sequence, int64_t count, uint64_t* numbers);

/* Leaves out `count` >= 0 numbers, in time that grows with the logarithm of count (sfc64: with
 * count). RIVULET_ERROR_OUT_OF_RANGE: see rivulet_get_double. */
RIVULET_API int rivulet_skip(rivulet_sequence sequence, int64_t count);

/* Leaves out multiplier * 2^log2 numbers, multiplier >= 0, 0 <= log2 <= 126, as rivulet_skip.
 * RIVULET_ERROR_OPTION for another log2. */
RIVULET_API int rivulet_skip_power(rivulet_sequence sequence, int64_t multiplier, int32_t log2);

/* How many numbers of the sequence have been delivered or left out: high * 2^64 + low. */
RIVULET_API int rivulet_position(rivulet_sequence sequence, uint64_t* high, uint64_t* low);

/* Draws the next `count` > 0 numbers of a distribution, those of the C++ library (docs/library.md),
 * bit for bit. With unit_vector and on_disk `count` is the number of points, and `numbers` needs
 * room for 3 count and 2 count reals. The sequence is of type RIVULET_OWN; it has one position for
 * all distributions, which counts its own numbers. `type` is that of `numbers`: with reals
 * RIVULET_FLOAT or RIVULET_DOUBLE, with counts RIVULET_UINT64. `parameters` are doubles, exactly
 * these, and may be NULL if there are none. Their ranges are those of the C++ classes of these
 * names (docs/reference.md); all are finite, except for bounds of truncated_normal. An n is a whole
 * number, exact as a double.
 *
 *     reals   uniform: low, high, interval (a rivulet_interval)     normal: mean, sigma
 *             exponential: mean      gamma: shape, scale            chi_square: degrees
 *             beta: a, b             student: degrees               log_normal: mu, sigma
 *             cauchy: location, scale                               von_mises: mean, concentration
 *             truncated_normal: mean, sigma, low, high
 *             unit_vector: none, 3 reals each                       on_disk: none, 2 reals each
 *     counts  below: n (< 2^64)      bernoulli: p (draws 0 or 1)    poisson: mean
 *             binomial: n, p         geometric: p
 *     bits    none: RIVULET_UINT32 or RIVULET_UINT64
 *
 * Errors: RIVULET_ERROR_UNKNOWN_NAME, _WRONG_TYPE (of the sequence or of the numbers), _OPTION (a
 * parameter out of its range, or their count), _OUT_OF_RANGE (see rivulet_get_double). */
RIVULET_API int rivulet_draw(rivulet_sequence sequence, const char* distribution,
                             int64_t parameter_count, const double* parameters, int32_t type,
                             int64_t count, void* numbers);

/* Draws as rivulet_draw does, but leaves the sequence where it is: for programs that hand numbers
 * out one by one. The function draws as many numbers as the sequence's buffer holds, at most `most`
 * > 0, and writes their count to `count`. The function writes to `own` how many of the sequence's
 * own numbers make one of them: rivulet_skip(sequence, n * own) goes past n numbers. The
 * distribution is bits, uniform, normal, exponential or log_normal; RIVULET_ERROR_OPTION for
 * others. */
RIVULET_API int rivulet_draw_ahead(rivulet_sequence sequence, const char* distribution,
                                   int64_t parameter_count, const double* parameters, int32_t type,
                                   int64_t most, void* numbers, int64_t* count, int64_t* own);

/* Makes a sequence that is child `number` of a sequence of one stream of a counter-based generator
 * (philox4x32, philox4x32_7, philox4x64, threefry4x64): child(number) of the C++ library, at its
 * first number, with children of its own and with the parent's type, interval, order and buffer.
 * Its numbers depend on the parent's stream and on `number` alone.
 *
 * Errors: RIVULET_ERROR_NAME_TAKEN, _OPTION (other generators, a parent of several streams, or a
 * name that cannot be used), _KOKKOS, _ENDED. */
RIVULET_API int rivulet_create_child(const char* name, rivulet_sequence parent, uint64_t number,
                                     rivulet_sequence* child);

/* The next number of 64 bits of a sequence of type RIVULET_OWN. The argument is the sequence's id
 * as a pointer:
 *
 *     void* state = (void*)(intptr_t)sequence;
 *     uint64_t word = rivulet_next_uint64(state);
 *
 * The four rivulet_next_... functions are those of a bitgen_t, NumPy's interface of bit generators.
 * They take no lock: no other call may use the sequence meanwhile. As they cannot return an error,
 * an error ends the program, with its message: a sequence of another type, one that has ended or
 * has been destroyed, or a forked process. */
RIVULET_API uint64_t rivulet_next_uint64(void* sequence);

/* The next number of 32 bits, as rivulet_next_uint64. */
RIVULET_API uint32_t rivulet_next_uint32(void* sequence);

/* The next double in [0, 1), as rivulet_next_uint64. */
RIVULET_API double rivulet_next_double(void* sequence);

/* The next of the generator's own numbers, as rivulet_next_uint64. */
RIVULET_API uint64_t rivulet_next_raw(void* sequence);

/* --- Saving and restoring --------------------------------------------------------------------- */

/* Bytes that rivulet_save needs: the same at any time of a sequence's life. */
RIVULET_API int rivulet_save_size(rivulet_sequence sequence, int64_t* bytes);

/* Writes the sequence (options, position, states, and a checksum of it all) to `bytes`, where
 * there is room for `capacity`. Restored, it continues exactly, on any machine, threads or buffer
 * size. RIVULET_ERROR_SPACE if it does not fit. */
RIVULET_API int rivulet_save(rivulet_sequence sequence, int64_t capacity, void* bytes);

/* Makes the sequence the saved one. Its seeds, instances, order, interval and position become the
 * saved ones'; its name and its buffer stay. Generator and type must be the same.
 *
 * Errors: RIVULET_ERROR_NOT_A_STATE, _WRONG_VERSION, _WRONG_GENERATOR, _WRONG_TYPE, _OPTION (its
 * parameter file cannot be read). */
RIVULET_API int rivulet_restore(rivulet_sequence sequence, int64_t size, const void* bytes);

/* Makes a sequence that continues the saved one, with the saved one's buffer.
 *
 * Errors: RIVULET_ERROR_NOT_A_STATE, _WRONG_VERSION, _WRONG_GENERATOR (other parameter sets),
 * _NAME_TAKEN, _OPTION (a name or a parameter file that cannot be used), _KOKKOS, _ENDED. */
RIVULET_API int rivulet_create_from(const char* name, int64_t size, const void* bytes,
                                    rivulet_sequence* sequence);

/* --- Tests of other generators ---------------------------------------------------------------- */

/* A function of the program's that writes the next `count` words of the sequence under test, and
 * returns how many it wrote: with fewer the sequence ends. Such as
 *
 *     static int64_t draw(void* user, int64_t count, uint32_t* words) {
 *       uint32_t* const state = user;
 *       int64_t i;
 *       for (i = 0; i < count; ++i) words[i] = *state = *state * 1103515245u + 12345u;
 *       return count;
 *     }
 */
typedef int64_t rivulet_words(void* user, int64_t count, uint32_t* words);

/* A function of the program's that gets a p-value, near 0 or near 1 if the test fails, and not 0 in
 * `fails` if that is beyond chance. `name` gives set and number, class and statistic, such as
 * "small.10 RandomWalk1 H". Such as
 *
 *     static void tell(void* user, const char* name, double statistic, double p, int fails) {
 *       printf("%s %g p = %g%s\n", name, statistic, p, fails ? " fails" : "");
 *     }
 */
typedef void rivulet_p_value(void* user, const char* name, double statistic, double p, int fails);

/* Runs tests by their names (docs/battery.md), such as "small" or "crush.31 big.34", one after
 * another on one sequence of words, and tells their p-values when all are done. RIVULET_OK also if
 * tests fail. Some words more are asked for than are tested. The functions get `user`, are called
 * by the calling thread, and may get numbers of sequences, but neither make nor destroy any. Uses
 * all of Kokkos' threads: meanwhile a program that uses Kokkos itself launches no kernels.
 *
 * Errors: RIVULET_ERROR_UNKNOWN_NAME (no such test), _OUT_OF_RANGE (the words end within a test;
 * the p-values of those before it have been told), _KOKKOS (inside an OpenMP parallel region, or
 * Kokkos before 3.7 was started by a thread that has not called this library), _ENDED. */
RIVULET_API int rivulet_battery(const char* tests, rivulet_words* words, rivulet_p_value* p_value,
                                void* user);

#ifdef __cplusplus
}
#endif

#endif
