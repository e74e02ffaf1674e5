! SPDX-FileCopyrightText: 2026 The Rivulet Authors
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

!> Passes a real as an integer option, which the compiler cannot refuse.
program test_rivulet_stops
  use rivulet
  implicit none

  integer(c_int64_t) :: id
  integer(c_int) :: status

  print '(a)', 'this text must not be lost'
  call rivulet_create('real seed', id, seed=42.0, status=status)
end program
