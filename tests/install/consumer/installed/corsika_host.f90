! SPDX-FileCopyrightText: 2026 The Rivulet Authors
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

!> A program with CORSIKA's calls, linked with the installed Rivulet::corsika.
program corsika_host
  implicit none
  external :: rmmard, rmmaqd
  double precision :: numbers(10)
  integer :: iseed(3), iseq

  iseed = [54217137, 1000000, 0]
  iseq = 1
  call rmmaqd(iseed, iseq, 'S')
  call rmmard(numbers, 10, 1)
  ! tests/data/ranmar.json, ranmar48_corsika, after_skip_1e6
  if (abs(numbers(1) * 2d0**48 - 261880163310354d0) > 0) error stop 'wrong numbers'
  call rmmaqd(iseed, iseq, 'R')
  if (any(iseed /= [54217137, 1000010, 0])) error stop 'wrong counts'
  print '(a)', 'CORSIKA''s numbers'
end program
