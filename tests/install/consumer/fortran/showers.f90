! SPDX-FileCopyrightText: 2026 The Rivulet Authors
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
program showers
  use rivulet
  implicit none

  integer(c_int64_t) :: hadrons, photons, drawn
  real(c_double) :: numbers(10), expected(10)
  integer(c_int8_t), allocatable :: checkpoint(:)
  integer(c_int) :: status
  integer :: i

  ! Two sequences with streams of their own, drawn ahead because calls ask for few numbers.
  call rivulet_create('hadrons', hadrons, generator='dcmt521', seed=42_c_int64_t, &
    first_stream=0_c_int64_t, buffer_numbers=2000_c_int64_t)
  call rivulet_create('photons', photons, generator='dcmt521', seed=42_c_int64_t, &
    first_stream=1_c_int64_t, buffer_numbers=2000_c_int64_t)

  do i = 1, 1000
    call rivulet_get(hadrons, numbers)
    call rivulet_get(photons, numbers(1:3))
  end do
  call rivulet_position(photons, drawn)
  print '(a,i0)', 'numbers of photons: ', drawn

  ! A restart continues exactly.
  call rivulet_save(hadrons, checkpoint)
  call rivulet_get(hadrons, expected)
  call rivulet_restore(hadrons, checkpoint)
  call rivulet_get(hadrons, numbers)
  print '(a,l1)', 'the same after a restart: ', all(abs(numbers - expected) <= 0)

  ! With `status` an error comes back; without, it would stop the program.
  call rivulet_skip(hadrons, -1_c_int64_t, status)
  if (status /= rivulet_ok) print '(3a)', rivulet_status_name(status), ': ', rivulet_message()

  call rivulet_destroy(hadrons)
  call rivulet_destroy(photons)
  call rivulet_finalize()
end program
