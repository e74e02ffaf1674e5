! SPDX-FileCopyrightText: 2026 The Rivulet Authors
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

! The calls in the table ../capi/refusals.inc, for Fortran.
#define WITH(A, W, P) call create('new', other, A, status=status); call not_created(W, P)
#define WITH2(A, B, W, P) call create('new', other, A, B, status=status); call not_created(W, P)
#define WITH3(A, B, C, W, P) call create('new', other, A, B, C, status=status); call not_created(W, P)
#define SETS(G, S, W, P) call with_sets(G, S, W, P)
#define SEEDS(I, K, N, W, P) call with_seeds(int(I, int64), int(K, int64), N, W, P)
#define NAMED(N, W, P) call create(N, other, status=status); call not_created(W, P)
#define FIND(N, W, P) call rivulet_find(N, other, status); call not_created(W, P)
#define GET(I, N, W, P) call rivulet_get(int(I, int64), numbers(:N), status); call refused(W, P)
#define GET_FLOAT(I, N, W, P) call rivulet_get(I, floats(:N), status); call refused(W, P)
#define GET_UINT32(I, N, W, P) call rivulet_get(I, words(:N), status); call refused(W, P)
#define GET_UINT64(I, N, W, P) call rivulet_get(I, longs(:N), status); call refused(W, P)
#define SKIP(I, N, W, P) call rivulet_skip(int(I, int64), int(N, int64), status); call refused(W, P)
#define SKIP_POWER(I, N, K, W, P) call rivulet_skip_power(I, int(N, int64), K, status); call refused(W, P)
#define SAVE(I, W, P) call rivulet_save(int(I, int64), bytes, status); call refused(W, P)
#define DESTROY(I, W, P) call rivulet_destroy(int(I, int64), status); call refused(W, P)
#define LARGEST huge(1_int64)
#define LARGE 2_int64**60
#define MANY 2_int64**40
#define YES .true.
#define GETS_DOUBLES "an array of real(c_double)."
#define BLOCKED rivulet_order_blocked

!> The module rivulet refuses bad input with a status and a message, and the sequence continues
!> unchanged.
program test_rivulet_refusals
  use, intrinsic :: iso_fortran_env, only: int32, int64
  use checks
  use rivulet, create => rivulet_create
  implicit none

  integer, parameter :: length = 4000
  !> After every refusal, this sequence draws the next of the expected numbers.
  integer(c_int64_t) :: tested
  real(c_double) :: expected(length)
  integer :: drawn = 0

  !> A destroyed sequence, and the sequence that a refused call would have created.
  integer(c_int64_t) :: gone, other
  integer(c_int) :: status

  call create('expected', other, generator='dcmt521', seed=99)
  call rivulet_get(other, expected)
  call create('tested', tested, generator='dcmt521', seed=99, buffer_numbers=10)
  call create('gone', gone)
  call rivulet_destroy(gone)

  call the_table()
  call all_options_by_position()
  call saved_states()
  call conclude_checks()

contains

  subroutine the_table()
    real(c_double) :: numbers(3)
    real(c_float) :: floats(3)
    integer(int32) :: words(3)
    integer(int64) :: longs(3)
    integer(c_int8_t), allocatable :: bytes(:)
#include "../capi/refusals.inc"
  end subroutine

  !> Checks that the last call returned the status `wanted`, and a message with these words.
  subroutine refused(wanted, words)
    integer(c_int), intent(in) :: wanted
    character(*), intent(in) :: words
    real(c_double) :: numbers(3)
    character(:), allocatable :: message
    integer(c_int) :: status_of_tested

    message = rivulet_message()
    call check(status == wanted, rivulet_status_name(status) // ', not ' // &
      rivulet_status_name(wanted) // ': ' // message)
    call check(index(message, '(') > 1 .and. index(message, ')') > index(message, '('), &
      'no reason in brackets: ' // message)
    call check(index(message, words) > 0, 'no "' // words // '" in ' // message)
    call rivulet_get(tested, numbers, status_of_tested)
    call check(status_of_tested == rivulet_ok .and. &
      all(transfer(numbers, [0_int64]) == transfer(expected(drawn + 1:drawn + 3), [0_int64])), &
      'the sequence goes on after ' // message)
    drawn = drawn + 3
  end subroutine

  subroutine not_created(wanted, words)
    integer(c_int), intent(in) :: wanted
    character(*), intent(in) :: words
    call refused(wanted, words)
    call check(other == 0, 'no sequence after ' // rivulet_message())
  end subroutine

  !> Returns false if the build lacks the generator.
  logical function is_built(generator)
    character(*), intent(in) :: generator
    call create('probe', other, generator=generator, status=status)
    is_built = status /= rivulet_error_unknown_name
    if (status == rivulet_ok) call rivulet_destroy(other)
  end function

  subroutine with_sets(generator, parameters, wanted, words)
    character(*), intent(in) :: generator, parameters, words
    integer(c_int), intent(in) :: wanted
    if (.not. is_built(generator)) return
    call create('new', other, generator=generator, parameters=parameters, status=status)
    call not_created(wanted, words)
  end subroutine

  subroutine with_seeds(ij, kl, instances, wanted, words)
    integer(int64), intent(in) :: ij, kl
    integer, intent(in) :: instances
    integer(c_int), intent(in) :: wanted
    character(*), intent(in) :: words
    if (.not. is_built('ranmar48')) return
    call create('new', other, generator='ranmar48', seeding=rivulet_seeding_published, ij=ij, &
      kl=kl, instances=instances, status=status)
    call not_created(wanted, words)
  end subroutine

  !> Passes all arguments by position; `status` is the last argument of every procedure.
  subroutine all_options_by_position()
    call create('bad', other, 'dcmt521', 'shipped', rivulet_double, rivulet_open, &
      rivulet_seeding_native, rivulet_order_interleaved, 1_c_int64_t, 0_c_int64_t, 1802_c_int64_t, &
      9373_c_int64_t, 0_c_int64_t, 0_c_int64_t, 0_c_int64_t, .false., 200_c_int32_t, 0_c_int64_t, &
      0_c_int64_t, status)
    call not_created(rivulet_error_option, 'instances')
  end subroutine

  subroutine saved_states()
    integer(c_int8_t), allocatable :: good(:)
    integer :: i

    call rivulet_save(tested, good)
    do i = 0, size(good) - 1, size(good) / 7
      call rivulet_restore(tested, good(:i), status)
      call refused(merge(rivulet_error_count, rivulet_error_not_a_state, i == 0), '')
      call rivulet_create_from('bad', good(:i), other, status)
      call not_created(merge(rivulet_error_count, rivulet_error_not_a_state, i == 0), '')
    end do
  end subroutine
end program
