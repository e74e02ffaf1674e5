! SPDX-FileCopyrightText: 2026 The Rivulet Authors
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

!> Counts and prints failed checks, and ends the program with an error if there are any.
module checks
  use, intrinsic :: iso_fortran_env, only: error_unit
  implicit none
  private
  public :: check, conclude_checks

  integer :: failures = 0, total = 0

contains

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what

    total = total + 1
    if (holds) return
    failures = failures + 1
    write (error_unit, '(2a)') 'FAILED: ', what
  end subroutine

  subroutine conclude_checks()
    print '(i0,a,i0,a)', total - failures, ' of ', total, ' checks hold'
    if (failures > 0) error stop 1
  end subroutine
end module
