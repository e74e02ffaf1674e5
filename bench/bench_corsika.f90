! SPDX-FileCopyrightText: 2026 The Rivulet Authors
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

!> Compares RMMARD, called for few numbers at a time as in CORSIKA, with a reference routine. The
!> reference draws the same numbers one by one in double precision, as CORSIKA's own routine does.
!> Runs of the two routines alternate. The table lists the numbers per second of each routine's best run, and the ratio.
!> The last line shows how long it takes to set a sequence to a far position.
program bench_corsika
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use reference_ranmar
  implicit none
  external :: rmmard, rmmaqd

  integer, parameter :: numbers_per_run = 20000000, runs = 9
  integer, parameter :: lengths(*) = [1, 2, 5, 10, 20, 100, 1000]
  type(reference_sequence) :: reference
  real(real64) :: best(2), sums(2)
  integer :: k, run

  call seed(0)
  call reference_seed(reference, 54217137)
  print '(a)', 'numbers a call   RMMARD      one by one  (10^9/s)   ratio'
  do k = 1, size(lengths)
    best = huge(best)
    do run = 1, runs
      best(1) = min(best(1), seconds_of_rmmard(lengths(k), sums(1)))
      best(2) = min(best(2), seconds_of_reference(lengths(k), sums(2)))
      if (abs(sums(1) - sums(2)) > 0) error stop 'the numbers differ'
    end do
    print '(i14,3f11.3)', lengths(k), numbers_per_run / best / 1e9_real64, best(2) / best(1)
  end do
  do k = 1, 9
    best(1) = min(best(1), seconds_of_skip(2000000000 + k))
  end do
  print '(a,f8.1,a)', 'RMMAQD to a position near 2 * 10^18: ', best(1) * 1e6_real64, ' us'

contains

  subroutine seed(billions)
    integer, intent(in) :: billions
    integer :: iseed(3), iseq

    iseed = [54217137, 0, billions]
    iseq = 1
    call rmmaqd(iseed, iseq, 'S')
  end subroutine

  real(real64) function seconds_of_skip(billions)
    integer, intent(in) :: billions
    real(real64) :: start

    start = now()
    call seed(billions)
    seconds_of_skip = now() - start
  end function

  real(real64) function seconds_of_rmmard(length, total)
    integer, intent(in) :: length
    real(real64), intent(out) :: total
    real(real64) :: numbers(length), start
    integer :: i

    total = 0
    start = now()
    do i = 1, numbers_per_run / length
      call rmmard(numbers, length, 1)
      total = total + numbers(1)
    end do
    seconds_of_rmmard = now() - start
  end function

  real(real64) function seconds_of_reference(length, total)
    integer, intent(in) :: length
    real(real64), intent(out) :: total
    real(real64) :: numbers(length), start
    integer :: i

    total = 0
    start = now()
    do i = 1, numbers_per_run / length
      call reference_fill(reference, numbers)
      total = total + numbers(1)
    end do
    seconds_of_reference = now() - start
  end function

  real(real64) function now()
    integer(int64) :: ticks, rate

    call system_clock(ticks, rate)
    now = real(ticks, real64) / real(rate, real64)
  end function
end program
