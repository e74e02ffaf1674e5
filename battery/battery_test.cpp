// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "battery/battery_test.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "io/words/messages.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

using enum TestKind;
using enum StreamOrder;

constexpr std::uint64_t million = 1000000;

constexpr std::string_view sets[] = {"default", "small",   "crush", "big",
                                     "beyond",  "windows", "long"};

/// Consecutive tests that differ only in r, the number of leading bits that they drop.
struct Row {
  std::string_view set;
  std::uint64_t id;  ///< number of the first test
  TestKind kind;
  std::uint64_t N;
  std::uint64_t n;
  std::vector<int> r = {0};
  std::uint64_t d = 0;
  int t = 0;
  int s = 0;
  int L = 0;
  StreamOrder stream_order = StreamOrder::in_turn;
};

// This is a function, because a constant's constructor would run before the processor is checked.
// clang-format off
std::vector<Row> rows() { return {
    {"default", 1, overlaps, 1, 1U << 28},
    {"default", 2, lags, 1, 8, {0}, 0, 0, 0, 1 << 21},
    {"default", 3, lags, 1, 8, {0}, 0, 0, 0, 1 << 21, all_streams},
    {"default", 4, lags, 1, 16, {0}, 0, 0, 0, 1 << 21, sampled},
    {"default", 5, value_gaps, 1, 1U << 28, {0}, 1 << 17, 0, 32, 16},
    {"default", 6, gap, 1, 1U << 23, {0, 28}, 16},
    {"default", 8, gap, 1, 1U << 20, {0}, 16, 0, 0, 0, all_streams},
    {"default", 9, relations, 1, 8, {0}, 0, 24, 0, 11784},
    {"default", 10, relations, 1, 8, {0}, 0, 24, 0, 11784, sampled},
    {"default", 11, relations, 1, 4, {0}, 0, 48, 0, 25248},
    {"default", 12, relations, 1, 4, {0}, 0, 48, 0, 25248, sampled},
    {"default", 13, birthday_spacings, 4096, 4096, {0, 1}, 1U << 31, 1},
    {"default", 15, birthday_spacings, 1024, 4096, {0, 24}, 256, 4},
    {"default", 17, birthday_spacings, 1024, 4096, {0, 28}, 16, 8},
    {"default", 19, hamming_tuples, 1, 1U << 28, {0}, 0, 0, 32, 8},
    {"default", 20, hamming_tuples, 1, 1U << 28, {0}, 0, 0, 32, 32},
    {"default", 21, hamming_tuples, 1, 1U << 28, {0}, 0, 0, 32, 128},
    {"default", 22, hamming_tuples, 1, 1U << 28, {0}, 0, 0, 32, 32, all_streams},
    {"default", 23, hamming_products, 1, 1U << 20, {0}, 0, 0, 32, 32},
    {"default", 24, hamming_products, 1, 1U << 20, {0}, 0, 0, 32, 32, all_streams},
    {"default", 25, hamming_weight2, 1, std::uint64_t{1} << 33, {0}, 0, 0, 32, 1 << 10},
    {"default", 26, hamming_weight2, 1, std::uint64_t{1} << 33, {0}, 0, 0, 32, 1 << 18},
    {"default", 27, matrix_rank, 1, 4096, {0}, 0, 0, 32, 256},
    {"default", 28, matrix_rank, 1, 128, {0}, 0, 0, 32, 2048},
    {"default", 29, matrix_rank, 1, 1024, {31}, 0, 0, 1, 256},
    {"default", 30, matrix_rank, 1, 128, {24}, 0, 0, 8, 1024},
    {"default", 31, complexities, 1, 4096, {0, 31}, 0, 0, 1, 4096},
    {"default", 33, mod3, 1, 1U << 26, {0}, 3, 9},
    {"default", 34, byte_rests, 1, 1U << 26, {0}, 0, 2},
    {"default", 35, word_parts, 256, 1U << 20, {0}, 0, 0, 32, 8},
    {"default", 36, word_parts, 256, 1U << 20, {0}, 0, 0, 32, 16},
    {"default", 37, matrix_rank, 1, 16384, {0}, 0, 0, 32, 128},

    {"small", 1, birthday_spacings, 1, 5 * million, {0}, 1U << 30, 2},
    {"small", 2, collision, 1, 5 * million, {0}, 65536, 2},
    {"small", 3, gap, 1, million / 5, {22}, 256},
    {"small", 4, simp_poker, 1, 2 * million / 5, {24}, 64, 64},
    {"small", 5, coupon_collector, 1, million / 2, {26}, 16},
    {"small", 6, max_oft, 1, 2 * million, {0}, million / 10, 6},
    {"small", 7, weight_distrib, 1, million / 5, {27}, 8, 256},
    {"small", 8, matrix_rank, 1, 20000, {20}, 0, 0, 10, 60},
    {"small", 9, hamming_indep, 1, million / 2, {20}, 0, 0, 10, 300},
    {"small", 10, random_walk, 1, million, {0}, 0, 0, 30, 150},

    {"crush", 1, serial_over, 1, 500 * million, {0}, 4096, 2},
    {"crush", 2, serial_over, 1, 300 * million, {0}, 64, 4},
    {"crush", 3, collision_over, 10, 10 * million, {0, 10}, 1U << 20, 2},
    {"crush", 5, collision_over, 10, 10 * million, {0, 20}, 1024, 4},
    {"crush", 7, collision_over, 10, 10 * million, {0, 25}, 32, 8},
    {"crush", 9, collision_over, 10, 10 * million, {0, 28}, 4, 20},
    {"crush", 11, birthday_spacings, 5, 20 * million, {0}, 1U << 31, 2},
    {"crush", 12, birthday_spacings, 5, 20 * million, {0}, 1U << 21, 3},
    {"crush", 13, birthday_spacings, 5, 20 * million, {0}, 65536, 4},
    {"crush", 14, birthday_spacings, 3, 20 * million, {0, 7}, 512, 7},
    {"crush", 16, birthday_spacings, 3, 20 * million, {14, 22}, 256, 8},
    {"crush", 18, close_pairs, 10, 2 * million, {0}, 0, 2},
    {"crush", 19, close_pairs, 10, 2 * million, {0}, 0, 3},
    {"crush", 20, close_pairs, 5, 2 * million, {0}, 0, 7},
    {"crush", 21, bit_match, 4, 4 * million, {0}, 0, 2},
    {"crush", 22, bit_match, 2, 4 * million, {0}, 0, 4},
    {"crush", 23, simp_poker, 1, 40 * million, {0, 26}, 16, 16},
    {"crush", 25, simp_poker, 1, 10 * million, {0, 24}, 64, 64},
    {"crush", 27, coupon_collector, 1, 40 * million, {0, 28}, 4},
    {"crush", 29, coupon_collector, 1, 10 * million, {0, 26}, 16},
    {"crush", 31, gap, 1, 100 * million, {0, 27}, 8},
    {"crush", 33, gap, 1, 5 * million, {0, 22}, 256},
    {"crush", 35, number_run, 1, 500 * million, {0}, 0, 1},
    {"crush", 36, number_run, 1, 500 * million, {15}},
    {"crush", 37, permutation, 1, 50 * million, {0, 15}, 0, 10},
    {"crush", 39, collision_permut, 5, 10 * million, {0, 15}, 0, 13},
    {"crush", 41, max_oft, 10, 10 * million, {0}, million / 10, 5},
    {"crush", 42, max_oft, 5, 10 * million, {0}, million / 10, 10},
    {"crush", 43, max_oft, 1, 10 * million, {0}, million / 10, 20},
    {"crush", 44, max_oft, 1, 10 * million, {0}, million / 10, 30},
    {"crush", 45, sample_prod, 1, 10 * million, {0}, 0, 10},
    {"crush", 46, sample_prod, 1, 10 * million, {0}, 0, 30},
    {"crush", 47, sample_mean, 1, 10 * million, {0}, 0, 20},
    {"crush", 48, sample_corr, 1, 500 * million, {0}, 0, 1},
    {"crush", 49, appearance_spacings, 1, 400 * million, {0}, 10 * million, 0, 30, 15},
    {"crush", 50, appearance_spacings, 1, 100 * million, {20}, 10 * million, 0, 10, 15},
    {"crush", 51, weight_distrib, 1, 2 * million, {0, 8, 16, 24}, 8, 256},
    {"crush", 55, sum_collector, 1, 20 * million, {0}, 10},
    {"crush", 56, matrix_rank, 1, million, {0}, 0, 0, 30, 60},
    {"crush", 57, matrix_rank, 1, million, {20}, 0, 0, 10, 60},
    {"crush", 58, matrix_rank, 1, 50000, {0}, 0, 0, 30, 300},
    {"crush", 59, matrix_rank, 1, 50000, {20}, 0, 0, 10, 300},
    {"crush", 60, matrix_rank, 1, 2000, {0}, 0, 0, 30, 1200},
    {"crush", 61, matrix_rank, 1, 2000, {20}, 0, 0, 10, 1200},
    {"crush", 62, savir2, 1, 20 * million, {0}, 1U << 20, 30},
    {"crush", 63, gcd, 1, 100 * million, {0}, 0, 0, 30},
    {"crush", 64, gcd, 1, 40 * million, {10}, 0, 0, 20},
    {"crush", 65, random_walk, 1, 50 * million, {0}, 0, 0, 30, 90},
    {"crush", 66, random_walk, 1, 10 * million, {20}, 0, 0, 10, 90},
    {"crush", 67, random_walk, 1, 5 * million, {0}, 0, 0, 30, 1000},
    {"crush", 68, random_walk, 1, million, {20}, 0, 0, 10, 1000},
    {"crush", 69, random_walk, 1, million / 2, {0}, 0, 0, 30, 10000},
    {"crush", 70, random_walk, 1, million / 10, {20}, 0, 0, 10, 10000},
    {"crush", 71, linear_comp, 1, 120000, {0, 29}, 0, 0, 1},
    {"crush", 73, lempel_ziv, 10, 1, {0}, 0, 25, 30},
    {"crush", 74, fourier3, 1, 50000, {0}, 0, 14, 30},
    {"crush", 75, fourier3, 1, 50000, {20}, 0, 14, 10},
    {"crush", 76, longest_head_run, 1, 1000, {0}, 0, 0, 30, 10 * million + 20},
    {"crush", 77, longest_head_run, 1, 300, {20}, 0, 0, 10, 10 * million + 20},
    {"crush", 78, periods_in_strings, 1, 300 * million, {0}, 0, 0, 30},
    {"crush", 79, periods_in_strings, 1, 300 * million, {15}, 0, 0, 15},
    {"crush", 80, hamming_weight2, 100, 100 * million, {0}, 0, 0, 30, million},
    {"crush", 81, hamming_weight2, 30, 100 * million, {20}, 0, 0, 10, million},
    {"crush", 82, hamming_corr, 1, 500 * million, {0}, 0, 0, 30, 30},
    {"crush", 83, hamming_corr, 1, 50 * million, {0}, 0, 0, 30, 300},
    {"crush", 84, hamming_corr, 1, 10 * million, {0}, 0, 0, 30, 1200},
    {"crush", 85, hamming_indep, 1, 300 * million, {0}, 0, 0, 30, 30},
    {"crush", 86, hamming_indep, 1, 100 * million, {20}, 0, 0, 10, 30},
    {"crush", 87, hamming_indep, 1, 30 * million, {0}, 0, 0, 30, 300},
    {"crush", 88, hamming_indep, 1, 10 * million, {20}, 0, 0, 10, 300},
    {"crush", 89, hamming_indep, 1, 10 * million, {0}, 0, 0, 30, 1200},
    {"crush", 90, hamming_indep, 1, million, {20}, 0, 0, 10, 1200},
    {"crush", 91, bit_run, 1, 1000 * million, {0}, 0, 0, 30},
    {"crush", 92, bit_run, 1, 1000 * million, {20}, 0, 0, 10},
    {"crush", 93, autocor, 10, 1000 * million + 30, {0}, 1, 0, 30},
    {"crush", 94, autocor, 5, 1000 * million + 1, {20}, 1, 0, 10},
    {"crush", 95, autocor, 10, 1000 * million + 31, {0}, 30, 0, 30},
    {"crush", 96, autocor, 5, 1000 * million + 11, {20}, 10, 0, 10},

    {"big", 1, serial_over, 1, 1000 * million, {0, 22}, 256, 3},
    {"big", 3, collision_over, 30, 20 * million, {0, 9}, 1U << 21, 2},
    {"big", 5, collision_over, 30, 20 * million, {0, 16}, 16384, 3},
    {"big", 7, collision_over, 30, 20 * million, {0, 24}, 64, 7},
    {"big", 9, collision_over, 30, 20 * million, {0, 27}, 8, 14},
    {"big", 11, collision_over, 30, 20 * million, {0, 28}, 4, 21},
    {"big", 13, birthday_spacings, 100, 10 * million, {0}, 1U << 31, 2},
    {"big", 14, birthday_spacings, 20, 20 * million, {0}, 1U << 21, 3},
    {"big", 15, birthday_spacings, 20, 30 * million, {14}, 65536, 4},
    {"big", 16, birthday_spacings, 20, 20 * million, {0, 7}, 512, 7},
    {"big", 18, birthday_spacings, 20, 30 * million, {14, 22}, 256, 8},
    {"big", 20, birthday_spacings, 20, 30 * million, {0, 26}, 16, 16},
    {"big", 22, close_pairs, 30, 6 * million, {0}, 0, 3},
    {"big", 23, close_pairs, 20, 4 * million, {0}, 0, 5},
    {"big", 24, close_pairs, 10, 3 * million, {0}, 0, 9},
    {"big", 25, close_pairs, 5, 2 * million, {0}, 0, 16},
    {"big", 26, simp_poker, 1, 400 * million, {0, 27}, 8, 8},
    {"big", 28, simp_poker, 1, 100 * million, {0, 25}, 32, 32},
    {"big", 30, coupon_collector, 1, 200 * million, {0, 10, 20, 27}, 8},
    {"big", 34, gap, 1, 500 * million, {0}, 16},
    {"big", 35, gap, 1, 300 * million, {25}, 32},
    {"big", 36, gap, 1, 100 * million, {0}, 128},
    {"big", 37, gap, 1, 10 * million, {20}, 1024},
    {"big", 38, number_run, 5, 1000 * million},
    {"big", 39, number_run, 10, 1000 * million, {15}, 0, 1},
    {"big", 40, permutation, 1, 1000 * million, {5}, 0, 3},
    {"big", 41, permutation, 1, 1000 * million, {5}, 0, 5},
    {"big", 42, permutation, 1, 500 * million, {5}, 0, 7},
    {"big", 43, permutation, 1, 500 * million, {10}, 0, 10},
    {"big", 44, collision_permut, 20, 20 * million, {0, 10}, 0, 14},
    {"big", 46, max_oft, 40, 10 * million, {0}, million / 10, 8},
    {"big", 47, max_oft, 30, 10 * million, {0}, million / 10, 16},
    {"big", 48, max_oft, 20, 10 * million, {0}, million / 10, 24},
    {"big", 49, max_oft, 20, 10 * million, {0}, million / 10, 32},
    {"big", 50, sample_prod, 40, 10 * million, {0}, 0, 8},
    {"big", 51, sample_prod, 20, 10 * million, {0}, 0, 16},
    {"big", 52, sample_prod, 20, 10 * million, {0}, 0, 24},
    {"big", 53, sample_mean, 1, 20 * million, {0, 10}, 0, 30},
    {"big", 55, sample_corr, 1, 2000 * million, {0}, 0, 1},
    {"big", 56, sample_corr, 1, 2000 * million, {0}, 0, 2},
    {"big", 57, appearance_spacings, 1, 1000 * million, {0, 27}, 10 * million, 0, 3, 15},
    {"big", 59, weight_distrib, 1, 20 * million, {0, 20, 28}, 4, 256},
    {"big", 62, weight_distrib, 1, 20 * million, {0, 10, 26}, 16, 256},
    {"big", 65, sum_collector, 1, 500 * million, {0}, 10},
    {"big", 66, matrix_rank, 10, million, {0, 25}, 0, 0, 5, 30},
    {"big", 68, matrix_rank, 1, 5000, {0, 26}, 0, 0, 4, 1000},
    {"big", 70, matrix_rank, 1, 80, {15}, 0, 0, 15, 5000},
    {"big", 71, matrix_rank, 1, 80, {0}, 0, 0, 30, 5000},
    {"big", 72, savir2, 10, 10 * million, {10}, 1U << 20, 30},
    {"big", 73, gcd, 10, 50 * million, {0}, 0, 0, 30},
    {"big", 74, random_walk, 1, 100 * million, {0, 25}, 0, 0, 5, 50},
    {"big", 76, random_walk, 1, 10 * million, {0, 20}, 0, 0, 10, 1000},
    {"big", 78, random_walk, 1, million, {0, 15}, 0, 0, 15, 10000},
    {"big", 80, linear_comp, 1, 400020, {0, 29}, 0, 0, 1},
    {"big", 82, lempel_ziv, 10, 1, {0}, 0, 27, 30},
    {"big", 83, lempel_ziv, 10, 1, {15}, 0, 27, 15},
    {"big", 84, fourier3, 1, million / 10, {0, 27}, 0, 14, 3},
    {"big", 86, longest_head_run, 1, 1000, {0, 27}, 0, 0, 3, 10 * million + 20},
    {"big", 88, periods_in_strings, 10, 500 * million, {0, 20}, 0, 0, 10},
    {"big", 90, hamming_weight2, 10, 1000 * million, {0, 27}, 0, 0, 3, million},
    {"big", 92, hamming_corr, 1, 1000 * million, {10}, 0, 0, 10, 30},
    {"big", 93, hamming_corr, 1, 100 * million, {10}, 0, 0, 10, 300},
    {"big", 94, hamming_corr, 1, 100 * million, {10}, 0, 0, 10, 1200},
    {"big", 95, hamming_indep, 10, 30 * million, {0, 27}, 0, 0, 3, 30},
    {"big", 97, hamming_indep, 1, 30 * million, {0, 26}, 0, 0, 4, 300},
    {"big", 99, hamming_indep, 1, 10 * million, {0, 25}, 0, 0, 5, 1200},
    {"big", 101, bit_run, 1, 2000 * million, {0, 27}, 0, 0, 3},
    {"big", 103, autocor, 10, 1000 * million + 30, {0}, 1, 0, 3},
    {"big", 104, autocor, 10, 1000 * million + 30, {0}, 3, 0, 3},
    {"big", 105, autocor, 10, 1000 * million + 30, {27}, 1, 0, 3},
    {"big", 106, autocor, 10, 1000 * million + 30, {27}, 3, 0, 3},

    {"beyond", 1, hamming_tuples, 1, 1U << 28, {0}, 0, 0, 32, 8},
    {"beyond", 2, hamming_tuples, 1, 1U << 28, {0}, 0, 0, 32, 16},
    {"beyond", 3, hamming_tuples, 1, 1U << 28, {0}, 0, 0, 32, 32},
    {"beyond", 4, hamming_tuples, 1, 1U << 28, {0}, 0, 0, 32, 64},
    {"beyond", 5, hamming_tuples, 1, 1U << 28, {0}, 0, 0, 32, 128},
    {"beyond", 6, hamming_tuples, 1, 1U << 28, {0}, 0, 0, 32, 512},
    {"beyond", 7, hamming_products, 1, 1U << 26, {0}, 0, 0, 32, 32},
    {"beyond", 8, hamming_weight2, 1, std::uint64_t{1} << 33, {0}, 0, 0, 32, 1 << 10},
    {"beyond", 9, hamming_weight2, 1, std::uint64_t{1} << 33, {0}, 0, 0, 32, 1 << 16},
    {"beyond", 10, hamming_weight2, 1, std::uint64_t{1} << 33, {0}, 0, 0, 32, 1 << 22},
    {"beyond", 11, gap, 1, 1U << 24, {0, 28}, 16},
    {"beyond", 13, gap, 1, 1U << 19, {0}, 512},
    {"beyond", 14, gap, 1, 1U << 18, {0}, 1024},
    {"beyond", 47, linear_comp, 1, million, {0, 15, 31}, 0, 0, 1},
    {"beyond", 50, complexities, 16, 2048, {0, 15, 31}, 0, 0, 1, 4096},
    {"beyond", 53, collision_over, 1, 1U << 27, {0}, 65536, 4},
    {"beyond", 54, birthday_spacings, 100, 4096, {0}, 1U << 31, 1},
    {"beyond", 55, birthday_spacings, 100, 4096, {0, 28}, 16, 8},
    {"beyond", 57, birthday_spacings, 100, 4096, {0, 24}, 256, 4},
    {"beyond", 59, mod3, 1, 1U << 28, {0}, 3, 9},
    {"beyond", 60, word_parts, 1024, 1U << 20, {0}, 0, 0, 32, 16},

    {"long", 1, hamming_tuples, 1, 1U << 27, {0}, 0, 0, 32, 8},
    {"long", 2, hamming_tuples, 1, 1U << 30, {0}, 0, 0, 32, 32},
    {"long", 3, hamming_tuples, 1, 1U << 30, {0}, 0, 0, 32, 128},
    {"long", 4, hamming_products, 1, 1U << 20, {0}, 0, 0, 32, 32},
    {"long", 5, hamming_weight2, 1, std::uint64_t{1} << 35, {0}, 0, 0, 32, 1 << 10},
    {"long", 6, hamming_weight2, 1, std::uint64_t{1} << 35, {0}, 0, 0, 32, 1 << 18},
    {"long", 7, gap, 1, 1U << 21, {0, 28}, 16},
    {"long", 9, matrix_rank, 1, 20000, {0}, 0, 0, 32, 64},
    {"long", 10, matrix_rank, 1, 200, {0}, 0, 0, 32, 256},
    {"long", 11, matrix_rank, 1, 200, {24}, 0, 0, 8, 256},
    {"long", 12, matrix_rank, 1, 200, {31}, 0, 0, 1, 256},
};}
// clang-format on

std::vector<BatteryTest> all_tests() {
  std::vector<BatteryTest> all;
  for (const Row& row : rows()) {
    std::uint64_t id = row.id;
    for (const int r : row.r) {
      all.push_back(
          {row.set, id++, row.kind, row.N, row.n, r, row.d, row.t, row.s, row.L, row.stream_order});
    }
  }
  // Adds tests of 64 x 64 to 8192 x 8192 matrices. The matrices use all bits, the high 8 bits, the
  // low 8 bits or the lowest bit.
  std::uint64_t id = 14;
  for (const auto& [r, s] : {std::pair{0, 32}, {0, 8}, {24, 8}, {31, 1}}) {
    int L = 32;
    for (const std::uint64_t n : {100000, 20000, 5000, 2000, 500, 200, 80, 80}) {
      all.push_back({"beyond", ++id, matrix_rank, 1, n, r, 0, 0, s, L *= 2});
    }
  }
  // Adds one test per window of 1 to 4 adjacent bits. The test detects relations between a few bits
  // in this window.
  id = 0;
  for (int s = 1; s <= 4; ++s) {
    for (int r = 0; r + s <= 32; ++r) {
      all.push_back({"windows", ++id, matrix_rank, 1, 4000, r, 0, 0, s, 64});
    }
  }
  std::ranges::sort(all, {}, [](const BatteryTest& test) {
    return std::pair(std::ranges::find(sets, test.set), test.id);
  });
  return all;
}

std::vector<BatteryTest> tests_of_name(const std::string& name) {
  std::vector<BatteryTest> found;
  std::ranges::copy_if(battery_tests(), std::back_inserter(found), [&](const BatteryTest& test) {
    return name == test.set || name == test.name();
  });
  if (!found.empty()) return found;
  throw Error(
      fmt::format("battery.tests: no test '{}'", io::printable(name)),
      fmt::format("a name is that of a set ({}), or a set and the number of a test in it, such as "
                  "small.3, crush.31 or big.34",
                  fmt::join(sets, ", ")),
      io::did_you_mean(name, std::vector<std::string>(std::begin(sets), std::end(sets)),
                       "Separate names by blanks, as in battery.tests=\"small crush.31\"."));
}

}  // namespace

std::string BatteryTest::name() const { return fmt::format("{}.{}", set, id); }

const std::vector<BatteryTest>& battery_tests() {
  static const std::vector<BatteryTest> all = all_tests();
  return all;
}

std::vector<BatteryTest> tests_named(const std::string& names) {
  std::vector<BatteryTest> tests;
  std::istringstream words(names);
  for (std::string word; words >> word;) {
    for (const BatteryTest& test : tests_of_name(word)) {
      const auto same = [&](const BatteryTest& other) { return other.name() == test.name(); };
      if (std::ranges::any_of(tests, same)) {
        throw Error(fmt::format("battery.tests names {} twice", test.name()),
                    "the results file has one place for it", "Name each test once.");
      }
      tests.push_back(test);
    }
  }
  if (tests.empty()) {
    throw Error("battery.tests is empty", "there is nothing to do",
                "Name a set, such as small, or tests, such as small.3.");
  }
  return tests;
}

}  // namespace rivulet
