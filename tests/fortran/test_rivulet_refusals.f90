! SPDX-FileCopyrightText: 2026 The Rivulet Authors
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

!> What bad input gets from the module rivulet: a status and a message, and the sequence goes on as if
!> it had not been.
program test_rivulet_refusals
  use, intrinsic :: iso_c_binding, only: c_ptr, c_null_ptr
  use, intrinsic :: iso_fortran_env, only: int64
  use checks
  use rivulet
  implicit none

  interface
    !> As in C, where a length need not be an array's and a pointer may be null.
    integer(c_int) function get_double(sequence, count, numbers) &
        bind(c, name='rivulet_get_double')
      import
      integer(c_int64_t), value :: sequence, count
      type(c_ptr), value :: numbers
    end function
    integer(c_int) function restore(sequence, size, bytes) bind(c, name='rivulet_restore')
      import
      integer(c_int64_t), value :: sequence, size
      type(c_ptr), value :: bytes
    end function
    integer(c_int) function create(name, options, sequence) bind(c, name='rivulet_create')
      import
      type(c_ptr), value :: name, options, sequence
    end function
  end interface

  integer, parameter :: length = 4000
  !> The sequence that every refusal is followed by a number of, and what these must be.
  integer(c_int64_t) :: id
  real(c_double) :: expected(length)
  integer :: drawn = 0

  integer(c_int64_t) :: other
  integer(c_int) :: status

  call rivulet_create('expected', other, seed=99_c_int64_t)
  call rivulet_get(other, expected)
  call rivulet_create('victim', id, seed=99_c_int64_t, buffer_numbers=10_c_int64_t)

  call seeds_and_names()
  call options()
  call sequences_that_are_not()
  call numbers_and_lengths()
  call saved_states()
  call conclude_checks()

contains

  !> The last call gave `wanted` and a message; `other` is no sequence if a call was to make it one.
  subroutine refused(wanted, what)
    integer(c_int), intent(in) :: wanted
    character(*), intent(in) :: what
    real(c_double) :: numbers(3)
    character(:), allocatable :: message
    integer(c_int) :: status_of_victim

    message = rivulet_message()
    call check(status == wanted, what // ': ' // rivulet_status_name(status) // ', not ' // &
      rivulet_status_name(wanted))
    call check(index(message, '(') > 1 .and. index(message, ')') > index(message, '('), &
      what // ': a message, not "' // message // '"')
    call rivulet_get(id, numbers, status_of_victim)
    call check(status_of_victim == rivulet_ok .and. &
      all(transfer(numbers, [0_int64]) == transfer(expected(drawn + 1:drawn + 3), [0_int64])), &
      what // ': the sequence goes on')
    drawn = drawn + 3
  end subroutine

  subroutine not_created(wanted, what)
    integer(c_int), intent(in) :: wanted
    character(*), intent(in) :: what
    call refused(wanted, what)
    call check(other == 0, what // ': no sequence')
  end subroutine

  subroutine seeds_and_names()
    integer(c_int64_t), parameter :: ij(4) = [-1, 31329, 0, 0], kl(4) = [0, 0, -1, 30082]
    integer :: i

    do i = 1, size(ij)
      call rivulet_create('bad', other, status=status, generator='ranmar48', &
        seeding=rivulet_seeding_published, ij=ij(i), kl=kl(i))
      call not_created(rivulet_error_seed, 'a seed out of range')
    end do
    call rivulet_create('bad', other, status=status, generator='ranmar99')
    call not_created(rivulet_error_unknown_name, 'an unknown generator')
    call rivulet_find('nobody', other, status)
    call not_created(rivulet_error_unknown_name, 'an unknown sequence')
    call rivulet_create('victim', other, status=status)
    call not_created(rivulet_error_name_taken, 'a name that is taken')
    call rivulet_create('', other, status=status)
    call not_created(rivulet_error_option, 'an empty name')
    call rivulet_create('a/b', other, status=status)
    call not_created(rivulet_error_option, 'a name with a slash')
    status = create(c_null_ptr, c_null_ptr, c_null_ptr)
    call refused(rivulet_error_null_pointer, 'null pointers to create')
  end subroutine

  subroutine options()
    call rivulet_create('bad', other, status=status, instances=0_c_int64_t)
    call not_created(rivulet_error_option, 'no instances')
    ! All by position: `status` is last, as everywhere.
    call rivulet_create('bad', other, 'ranmar48', 'shipped', rivulet_double, rivulet_open, &
      rivulet_seeding_native, rivulet_order_interleaved, 1_c_int64_t, 0_c_int64_t, 1802_c_int64_t, &
      9373_c_int64_t, 0_c_int64_t, 0_c_int64_t, 0_c_int64_t, .false., 200_c_int32_t, 0_c_int64_t, &
      0_c_int64_t, status)
    call not_created(rivulet_error_option, 'no instances, with every option')
    call rivulet_create('bad', other, status=status, instances=-1_c_int64_t)
    call not_created(rivulet_error_option, 'negative instances')
    call rivulet_create('bad', other, status=status, type=5_c_int32_t)
    call not_created(rivulet_error_option, 'an unknown type')
    call rivulet_create('bad', other, status=status, interval=-1_c_int32_t)
    call not_created(rivulet_error_option, 'an unknown interval')
    call rivulet_create('bad', other, status=status, instances=3_c_int64_t, &
      order=rivulet_order_blocked, block_length=4_c_int64_t)
    call not_created(rivulet_error_option, 'a block that does not divide')
    call rivulet_create('bad', other, status=status, buffer_numbers=-1_c_int64_t)
    call not_created(rivulet_error_option, 'a negative buffer')
    call rivulet_create('bad', other, status=status, buffer_numbers=2_c_int64_t**57)
    call not_created(rivulet_error_out_of_memory, 'a buffer that does not fit in memory')
  end subroutine

  subroutine sequences_that_are_not()
    integer(c_int64_t), parameter :: never(3) = [0_c_int64_t, -1_c_int64_t, 123456789_c_int64_t]
    real(c_double) :: numbers(3)
    integer(c_int8_t), allocatable :: bytes(:)
    integer :: i

    do i = 1, size(never)
      call rivulet_get(never(i), numbers, status)
      call refused(rivulet_error_no_such_sequence, 'numbers of no sequence')
      call rivulet_skip(never(i), 1_c_int64_t, status)
      call refused(rivulet_error_no_such_sequence, 'skipping in no sequence')
      call rivulet_save(never(i), bytes, status)
      call refused(rivulet_error_no_such_sequence, 'saving no sequence')
      call rivulet_destroy(never(i), status)
      call refused(rivulet_error_no_such_sequence, 'destroying no sequence')
    end do
    call rivulet_create('short-lived', other)
    call rivulet_destroy(other)
    call rivulet_get(other, numbers, status)
    call refused(rivulet_error_destroyed, 'use after destroy')
    call rivulet_destroy(other, status)
    call refused(rivulet_error_destroyed, 'destroying twice')
  end subroutine

  subroutine numbers_and_lengths()
    real(c_double) :: numbers(3)
    real(c_float) :: floats(3)

    call rivulet_get(id, numbers(1:0), status)
    call refused(rivulet_error_count, 'no numbers')
    status = get_double(id, -1_c_int64_t, c_null_ptr)
    call refused(rivulet_error_count, 'a negative number of numbers')
    status = get_double(id, 3_c_int64_t, c_null_ptr)
    call refused(rivulet_error_null_pointer, 'numbers to a null pointer')
    call rivulet_get(id, floats, status)
    call check(index(rivulet_message(), 'in Fortran give rivulet_get an array') > 0, 'what Fortran has')
    call refused(rivulet_error_wrong_type, 'floats of a sequence of doubles')
    call rivulet_skip(id, -1_c_int64_t, status)
    call refused(rivulet_error_count, 'skipping backwards')
    call rivulet_skip_power(id, 1_c_int64_t, 127_c_int32_t, status)
    call refused(rivulet_error_option, 'skipping 2**127')
    call rivulet_skip_power(id, 2_c_int64_t, 126_c_int32_t, status)
    call refused(rivulet_error_out_of_range, 'skipping out of the sequence')
  end subroutine

  subroutine saved_states()
    integer(c_int8_t), allocatable :: bytes(:), good(:)
    integer :: i

    call rivulet_save(id, good)
    status = restore(id, 100_c_int64_t, c_null_ptr)
    call refused(rivulet_error_null_pointer, 'restoring from a null pointer')
    do i = 0, size(good) - 1, size(good) / 7
      call rivulet_restore(id, good(:i), status)
      call refused(merge(rivulet_error_count, rivulet_error_not_a_state, i == 0), &
        'restoring a truncated state')
      call rivulet_create_from('bad', good(:i), other, status)
      call not_created(merge(rivulet_error_count, rivulet_error_not_a_state, i == 0), &
        'a sequence from a truncated state')
    end do
    bytes = good
    bytes(size(bytes) / 2) = ieor(bytes(size(bytes) / 2), 1_c_int8_t)
    call rivulet_restore(id, bytes, status)
    call refused(rivulet_error_not_a_state, 'restoring an altered state')
    ! The format's version follows the eight letters that a state begins with.
    bytes = good
    bytes(9) = bytes(9) + 1_c_int8_t
    call rivulet_restore(id, bytes, status)
    call refused(rivulet_error_wrong_version, 'restoring a state of another version')
    call rivulet_create('another', other, generator='ranmar24')
    call rivulet_save(other, bytes)
    call rivulet_destroy(other)
    call rivulet_restore(id, bytes, status)
    call refused(rivulet_error_wrong_generator, 'restoring a state of another generator')
  end subroutine
end program
