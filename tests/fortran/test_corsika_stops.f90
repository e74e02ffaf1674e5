! SPDX-FileCopyrightText: 2026 The Rivulet Authors
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

!> test_corsika_stops CASE makes a call that the drop-in cannot serve, so the program must stop.
program test_corsika_stops
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  external :: rmmard, rmmaqd

  real(real64) :: numbers(10)
  integer :: iseed(3), iseq
  character(32) :: case

  iseed = [1, 0, 0]
  iseq = 1
  call rmmaqd(iseed, iseq, 'S')
  print '(a)', 'this text must not be lost'
  call get_command_argument(1, case)
  select case (case)
  case ('never_seeded')
    call rmmard(numbers, 10, 2)
  case ('sequence_too_high')
    call rmmard(numbers, 10, 65)
  case ('negative_length')
    call rmmard(numbers, -1, 1)
  case ('seed_too_high')
    iseed(1) = 942438978
    call rmmaqd(iseed, iseq, 'S')
  case ('seed_negative')
    iseed(1) = -1
    call rmmaqd(iseed, iseq, 'S')
  case ('count_negative')
    iseed(2) = -1
    call rmmaqd(iseed, iseq, 'S')
  case ('count_too_high')
    iseed(2:3) = [2000000000, huge(1) - 1]
    call rmmaqd(iseed, iseq, 'S')
  case ('count_past_the_end')
    iseed(2:3) = [1999999999, huge(1) - 1]
    call rmmaqd(iseed, iseq, 'S')
    call rmmard(numbers, 1, iseq)
    call rmmaqd(iseed, iseq, 'R')
  case ('vector_option')
    call rmmaqd(iseed, iseq, 'SV')
  case ('unknown_option')
    call rmmaqd(iseed, iseq, 'X')
  end select
  print '(a)', 'the call returned'
end program
