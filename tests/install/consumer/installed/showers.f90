! SPDX-FileCopyrightText: 2026 The Rivulet Authors
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
program showers
  use rivulet
  implicit none

  integer(c_int64_t) :: hadrons, photons, drawn
  real(c_double) :: numbers(10), expected(10)
  integer(c_int8_t), allocatable :: checkpoint(:)
  character(:), allocatable :: version, name, description, message
  integer(c_int) :: status
  integer :: generators, i

  version = rivulet_version()
  print '(2a)', 'Rivulet ', version
  generators = rivulet_generator_count()
  do i = 1, generators
    name = rivulet_generator_name(i)
    description = rivulet_generator_description(i)
    print '(3a)', name, ': ', description
  end do

  ! Two sequences with streams of their own, drawn ahead because calls ask for few numbers.
  call rivulet_create('hadrons', hadrons, generator='philox4x32', seed=42, first_stream=0, &
    buffer_numbers=2000)
  call rivulet_create('photons', photons, generator='philox4x32', seed=42, first_stream=1, &
    buffer_numbers=2000)

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

  ! With `status`, the call returns an error; without it, the error would stop the program.
  call rivulet_skip(hadrons, -1, status)
  if (status /= rivulet_ok) then
    message = rivulet_status_name(status) // ': ' // rivulet_message()
    print '(a)', message
  end if

  call rivulet_destroy(hadrons)
  call rivulet_destroy(photons)
  call rivulet_finalize()
end program
