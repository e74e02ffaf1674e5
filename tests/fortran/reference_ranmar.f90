! SPDX-FileCopyrightText: 2026 The Rivulet Authors
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

!> 48-bit RANMAR, number by number in double precision: the reference for tests and benchmarks.
!> Written from James, "A review of pseudorandom number generators", Comput. Phys. Commun. 60 (1990)
!> 329, with words of 48 bits instead of 24 and CORSIKA's rule that an exact 0 becomes 2**(-48).
module reference_ranmar
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  private
  public :: reference_sequence, reference_seed, reference_skip, reference_fill

  integer, parameter :: lag_long = 97, lag_short = 33
  real(real64), parameter :: unit24 = 2.0_real64**(-24)
  real(real64), parameter :: c_step = 7654321 * unit24
  real(real64), parameter :: c_modulus = 16777213 * unit24

  type :: reference_sequence
    private
    real(real64) :: u(lag_long) = 0, c = 0
    integer :: i = lag_long, j = lag_short
  end type

contains

  !> Moves to the start of sequence ijkl = 30082 ij + kl.
  subroutine reference_seed(sequence, ijkl)
    type(reference_sequence), intent(inout) :: sequence
    integer, intent(in) :: ijkl
    integer :: ij, kl, a, b, c, d, product, word, bit
    real(real64) :: weight

    ij = ijkl / 30082
    kl = modulo(ijkl, 30082)
    a = modulo(ij / 177, 177) + 2
    b = modulo(ij, 177) + 2
    c = modulo(kl / 169, 178) + 1
    d = modulo(kl, 169)
    sequence%u = 0
    do word = 1, lag_long
      weight = 0.5_real64
      do bit = 1, 48
        product = modulo(modulo(a * b, 179) * c, 179)
        a = b
        b = c
        c = product
        d = modulo(53 * d + 1, 169)
        if (modulo(d * product, 64) >= 32) sequence%u(word) = sequence%u(word) + weight
        weight = weight / 2
      end do
    end do
    sequence%c = 362436 * unit24
    sequence%i = lag_long
    sequence%j = lag_short
  end subroutine

  real(real64) function next(sequence)
    type(reference_sequence), intent(inout) :: sequence

    next = sequence%u(sequence%i) - sequence%u(sequence%j)
    if (next < 0) next = next + 1
    sequence%u(sequence%i) = next
    sequence%i = sequence%i - 1
    if (sequence%i == 0) sequence%i = lag_long
    sequence%j = sequence%j - 1
    if (sequence%j == 0) sequence%j = lag_long
    sequence%c = sequence%c - c_step
    if (sequence%c < 0) sequence%c = sequence%c + c_modulus
    next = next - sequence%c
    if (next < 0) next = next + 1
    if (.not. next > 0) next = unit24**2
  end function

  subroutine reference_fill(sequence, numbers)
    type(reference_sequence), intent(inout) :: sequence
    real(real64), contiguous, intent(out) :: numbers(:)
    integer :: k

    do k = 1, size(numbers)
      numbers(k) = next(sequence)
    end do
  end subroutine

  !> Skips numbers by drawing them.
  subroutine reference_skip(sequence, numbers)
    type(reference_sequence), intent(inout) :: sequence
    integer(int64), intent(in) :: numbers
    integer(int64) :: k
    real(real64) :: unused

    do k = 1, numbers
      unused = next(sequence)
    end do
  end subroutine
end module
