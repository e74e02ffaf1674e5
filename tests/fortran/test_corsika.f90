! SPDX-FileCopyrightText: 2026 The Rivulet Authors
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

!> Calls RMMARD and RMMAQD as CORSIKA does, and compares the numbers with a reference that draws
!> them one by one.
program test_corsika
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use checks
  use reference_ranmar
  implicit none
  external :: rmmard, rmmaqd

  integer, parameter :: billion = 1000000000
  real(real64), parameter :: two_to_48 = 2.0_real64**48

  call published_numbers()
  call numbers_after_skips()
  call one_shower()
  call counts_carry()
  call read_before_any_seed_is_harmless()
  call default_seed()
  call current_sequence()
  call constants_of_the_common_block()
  call conclude_checks()

contains

  subroutine seed(sequence, ijkl, numbers, billions)
    integer, intent(in) :: sequence, ijkl, numbers, billions
    integer :: iseed(3), iseq

    iseed = [ijkl, numbers, billions]
    iseq = sequence
    call rmmaqd(iseed, iseq, 'S')
  end subroutine

  !> Returns the state of a sequence, as RMMAQD reads it back.
  function state_of(sequence) result(iseed)
    integer, intent(in) :: sequence
    integer :: iseed(3), iseq

    iseq = sequence
    call rmmaqd(iseed, iseq, 'R')
  end function

  function raw(sequence, count) result(integers)
    integer, intent(in) :: sequence, count
    integer(int64) :: integers(count)
    real(real64) :: numbers(count)

    call rmmard(numbers, count, sequence)
    integers = int(numbers * two_to_48, int64)
  end function

  !> Numbers of ranmar48_corsika in tests/data/ranmar.json, which were compared with CORSIKA's own
  !> routines.
  subroutine published_numbers()
    call seed(1, 54217137, 0, 0)
    call check(all(raw(1, 10) == [133543159487477_int64, 225387151215932_int64, &
      145340696027213_int64, 85170398920766_int64, 5352711891437_int64, 85251002491073_int64, &
      255141241147705_int64, 160586206029667_int64, 214579444186967_int64, &
      166087249431661_int64]), 'the first ten numbers of 54217137')
    call seed(2, 1, 0, 0)
    call check(all(raw(2, 3) == [277863780693283_int64, 189671487712201_int64, &
      26473599055693_int64]), 'the first numbers of 1')
    call seed(3, 900000000, 0, 0)
    call check(all(raw(3, 3) == [180059364548293_int64, 20465700546227_int64, &
      130734387281504_int64]), 'the first numbers of 900000000')
    call seed(3, 942438977, 0, 0)
    call check(all(raw(3, 3) == [31445239008931_int64, 43692537993593_int64, &
      156926282589588_int64]), 'the first numbers of the last sequence')
  end subroutine

  !> The numbers after skips of 10^6 and 10^12 are from tests/data/ranmar.json. Those after 10^9 + 5 were drawn one by
  !> one with reference_ranmar.
  subroutine numbers_after_skips()
    call seed(1, 54217137, 1000000, 0)
    call check(all(raw(1, 4) == [261880163310354_int64, 226565007992006_int64, &
      160661921447130_int64, 81330143815575_int64]), '54217137 after 10^6')
    call seed(1, 54217137, 5, 1)
    call check(all(raw(1, 4) == [279964450777042_int64, 92717656647430_int64, &
      140398559073527_int64, 158807936622479_int64]), '54217137 after 10^9 + 5')
    call seed(1, 1, 5, 1)
    call check(all(raw(1, 4) == [178942027585454_int64, 172359077569314_int64, &
      114621438418049_int64, 92622435728299_int64]), '1 after 10^9 + 5')
    call seed(1, 900000000, 5, 1)
    call check(all(raw(1, 4) == [39121654593857_int64, 249164147898914_int64, &
      160031704236789_int64, 75388401320264_int64]), '900000000 after 10^9 + 5')
    call seed(1, 900000000, 0, 1000)
    call check(all(raw(1, 4) == [58267739676742_int64, 133267383141267_int64, &
      255738390758737_int64, 17380760323439_int64]), '900000000 after 10^12')
  end subroutine

  !> Draws about ten numbers per call from randomly chosen sequences, with a restart in the middle.
  subroutine one_shower()
    integer, parameter :: sequences = 8, calls = 20000
    type(reference_sequence) :: reference(sequences)
    real(real64) :: expected(32), numbers(32), choice(2)
    integer :: call_number, sequence, count, drawn(sequences), saved(3, sequences), iseq
    logical :: same

    drawn = 0
    do sequence = 1, sequences
      call seed(sequence, 1000 * sequence, sequence * 37, 0)
      call reference_seed(reference(sequence), 1000 * sequence)
      call reference_skip(reference(sequence), int(sequence * 37, int64))
    end do
    same = .true.
    do call_number = 1, calls
      call random_number(choice)
      sequence = 1 + int(choice(1) * sequences)
      count = 1 + int(choice(2) * 20)
      call rmmard(numbers, count, sequence)
      call reference_fill(reference(sequence), expected(:count))
      drawn(sequence) = drawn(sequence) + count
      same = same .and. identical(numbers(:count), expected(:count))
      if (call_number == calls / 2) then
        do iseq = 1, sequences
          saved(:, iseq) = state_of(iseq)
        end do
        call check(all(saved(1, :) == [(1000 * iseq, iseq = 1, sequences)]), 'seeds read back')
        call check(all(saved(2, :) == drawn + [(37 * iseq, iseq = 1, sequences)]), &
          'counts read back')
        do iseq = 1, sequences
          call seed(iseq, 1, 0, 0)
        end do
        do iseq = 1, sequences
          call seed(iseq, saved(1, iseq), saved(2, iseq), saved(3, iseq))
        end do
      end if
    end do
    call check(same, 'several sequences, ten numbers a call, restarted in the middle')
  end subroutine

  subroutine counts_carry()
    real(real64) :: numbers(10)

    call seed(5, 4711, billion - 5, 2)
    call check(all(state_of(5) == [4711, billion - 5, 2]), 'a state reads back as it was set')
    call rmmard(numbers, 4, 5)
    call check(all(state_of(5) == [4711, billion - 1, 2]), 'numbers are counted')
    call rmmard(numbers, 1, 5)
    call check(all(state_of(5) == [4711, 0, 3]), 'billions are counted')
    call rmmard(numbers, 0, 5)
    call check(all(state_of(5) == [4711, 0, 3]), 'no numbers, no count')
    call seed(5, 4711, 2000000000, 7)
    call check(all(state_of(5) == [4711, 0, 9]), 'two billions carry at once')
    call seed(5, 4711, huge(1), 0)
    call check(all(state_of(5) == [4711, 147483647, 2]), 'the largest ISEED(2)')
    call seed(5, 4711, billion - 2, huge(1))
    call rmmard(numbers, 1, 5)
    call check(all(state_of(5) == [4711, billion - 1, huge(1)]), 'the last count')
    call seed(5, 4711, 1999999999, huge(1) - 1)
    call check(all(state_of(5) == [4711, billion - 1, huge(1)]), 'the last count, carried')
  end subroutine

  !> EPOS reads sequence 0 back before any sequence is seeded.
  subroutine read_before_any_seed_is_harmless()
    call check(all(state_of(64) == 0), 'a sequence never seeded reads back as zeros')
  end subroutine

  subroutine default_seed()
    integer :: iseed(3), iseq

    iseed = -1
    iseq = 1
    call rmmaqd(iseed, iseq, ' ')
    call check(all(iseed == [54217137, 0, 0]), 'the default seed is handed back')
    call check(all(raw(1, 2) == [133543159487477_int64, 225387151215932_int64]), &
      'the default seed')
    ! Blanks seed the named sequence, as 'S' does. Sequence 0 names none, so sequence 1 is seeded.
    iseq = 9
    call rmmaqd(iseed, iseq, '   ')
    call check(all(state_of(9) == [54217137, 0, 0]), 'blanks seed the sequence that is named')
    call check(all(raw(9, 2) == [133543159487477_int64, 225387151215932_int64]), &
      'with the default seed')
    iseq = 0
    call rmmaqd(iseed, iseq, ' ')
    call check(all(state_of(1) == [54217137, 0, 0]), 'and sequence 1 where none is')
    call check(all(state_of(9) == [54217137, 2, 0]), 'and no other')
  end subroutine

  !> Sequence 0 means the sequence that was named last, in any call.
  subroutine current_sequence()
    type(reference_sequence) :: reference
    real(real64) :: expected(4), numbers(4)
    integer :: iseed(3), iseq

    call seed(6, 66, 0, 0)
    call seed(7, 77, 0, 0)
    call reference_seed(reference, 77)
    call reference_fill(reference, expected)
    call rmmard(numbers(1:2), 2, 0)
    call rmmard(numbers(3:4), 2, -1)
    call check(identical(numbers, expected), 'sequence 0 is the current one')
    iseq = 0
    call rmmaqd(iseed, iseq, 'R')
    call check(iseq == 7 .and. all(iseed == [77, 4, 0]), 'RMMAQD tells which one that is')
  end subroutine

  !> Other routines of CORSIKA read the modulus of the counts from this common block.
  subroutine constants_of_the_common_block()
    real(real64) :: cd, cint, cm, twom24, twom48
    integer :: modcns
    common /crranma3/ cd, cint, cm, twom24, twom48, modcns

    call check(modcns == billion, 'MODCNS')
    call check(nint(cd / twom24) == 7654321 .and. nint(cint / twom24) == 362436 .and. &
      nint(cm / twom24) == 16777213, 'CD, CINT and CM')
    call check(nint(twom48 * two_to_48) == 1, 'TWOM48')
  end subroutine

  logical function identical(a, b)
    real(real64), intent(in) :: a(:), b(:)
    identical = all(transfer(a, [0_int64]) == transfer(b, [0_int64]))
  end function
end program
