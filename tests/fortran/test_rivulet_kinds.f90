! SPDX-FileCopyrightText: 2026 The Rivulet Authors
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

!> Passes default integers, which -fdefault-integer-8 makes 8 bytes wide, instead of c_int64_t.
program test_rivulet_kinds
  use rivulet
  implicit none

  integer :: seed = 7, child_number = 3
  integer(c_int32_t), parameter :: narrow = 2
  integer(c_int64_t), parameter :: wide = 2
  integer(c_int64_t) :: expected(4, 2), numbers(4)
  integer(c_int64_t) :: long, short, child
  integer(c_int) :: status

  call rivulet_create('long', long, generator='philox4x32', type=rivulet_own, seed=7_c_int64_t, &
    first_stream=2_c_int64_t, buffer_numbers=100_c_int64_t, start_low=6_c_int64_t)
  call rivulet_skip(long, 12_c_int64_t)
  call rivulet_create_child('long child', long, 3_c_int64_t, child)
  call get(long, expected(:, 1))
  call get(child, expected(:, 2))
  call rivulet_create('short', short, generator='philox4x32', type=rivulet_own, seed=seed, &
    first_stream=narrow, instances=1, block_length=1, buffer_numbers=100, start_high=0, start_low=6, &
    ij=0, kl=0, log2_jump=0)
  call rivulet_create_child('short child', short, child_number, child)
  call rivulet_skip(short, 4)
  call rivulet_skip_power(short, wide, 2)
  call get(short, numbers)
  call require(all(numbers == expected(:, 1)), 'a sequence')
  call get(child, numbers)
  call require(all(numbers == expected(:, 2)), 'a child')

  ! Conversions keep signs and lose no bits.
  call rivulet_skip(short, -1, status)
  call require(status == rivulet_error_count, 'a negative count')
  call rivulet_skip_power(short, 1, 2_c_int64_t**32, status)
  call require(status == rivulet_error_option, 'a power of 5 bytes')
  call rivulet_create('cut', child, generator='dcmt521', log2_jump=2_c_int64_t**32, status=status)
  call require(status == rivulet_error_option, 'a jump of 5 bytes')
  call require(rivulet_generator_name(1) == rivulet_generator_name(1_c_int64_t), 'a name')
  call require(rivulet_generator_description(1) /= '', 'a description')
  call rivulet_finalize()

contains

  subroutine get(sequence, bits)
    integer(c_int64_t), intent(in) :: sequence
    integer(c_int64_t), intent(out) :: bits(:)
    call rivulet_draw(sequence, 'bits', [real(c_double) ::], bits)
  end subroutine

  !> A default logical is as wide as a default integer.
  subroutine require(condition, what)
    logical, intent(in) :: condition
    character(*), intent(in) :: what
    if (condition) return
    print '(2a)', 'failed: ', what
    error stop 1
  end subroutine
end program
