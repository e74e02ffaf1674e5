! SPDX-FileCopyrightText: 2026 The Rivulet Authors
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

!> Checks that each procedure of the module rivulet behaves as rivulet.h documents.
program test_rivulet
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use checks
  use rivulet
  implicit none

  call names()
  call published_numbers()
  call every_type()
  call skips()
  call saved_bytes()
  call finding()
  call generators_own_options()
  call warning_of_weak_seeds()
  call distributions()
  call children()
  call rivulet_finalize()
  call conclude_checks()

contains

  subroutine names()
    integer :: i
    logical :: found

    found = .false.
    do i = 1, rivulet_generator_count()
      if (rivulet_generator_name(i) == 'ranmar48x') found = .true.
      call check(rivulet_generator_name(i) /= '', 'a generator has a name')
      call check(rivulet_generator_description(i) /= '', 'a generator has a description')
    end do
    call check(found, 'ranmar48x is a generator')
    call check(rivulet_generator_name(rivulet_generator_count()) /= '', 'the last generator')
    call check(rivulet_generator_name(rivulet_generator_count() + 1) == '', 'none after the last')
    call check(rivulet_generator_name(0) == '', 'there is no generator 0')
    call check(len(rivulet_version()) >= 5, 'a version')
    call check(rivulet_status_name(rivulet_error_count) == 'RIVULET_ERROR_COUNT', 'status names')
    call check(rivulet_status_name(rivulet_error_other) == 'RIVULET_ERROR_OTHER', 'the last but one')
    call check(rivulet_status_name(rivulet_error_forked) == 'RIVULET_ERROR_FORKED', 'the last of them')
    call check(rivulet_message() == '', 'no message before the first error')
    call rivulet_initialize()
  end subroutine

  !> Numbers 20001 to 20006 of Marsaglia, Zaman & Tsang (1990), times 2^24.
  subroutine published_numbers()
    integer(c_int64_t) :: id
    real(c_double) :: numbers(6)

    call rivulet_create('published', id, generator='ranmar24', &
      seeding=rivulet_seeding_published, ij=1802, kl=9373, start_low=20000)
    call rivulet_get(id, numbers)
    call check(all(nint(numbers * 2**24) == &
      [6533892, 14220222, 7275067, 6172232, 8354498, 10633180]), 'numbers 20001 to 20006')
    call rivulet_destroy(id)
  end subroutine

  subroutine every_type()
    integer(c_int64_t) :: id
    real(c_double) :: doubles(50)
    real(c_float) :: floats(50)
    integer(c_int32_t) :: words(50)
    integer(c_int64_t) :: long_words(50)
    integer(c_int64_t) :: upper(50)

    call rivulet_create('double', id, generator='ranmar48', type=rivulet_double, &
      interval=rivulet_closed_open, seed=7_c_int64_t)
    call rivulet_get(id, doubles)
    call rivulet_create('uint32', id, generator='ranmar48', type=rivulet_uint32, &
      seed=7_c_int64_t)
    call rivulet_get(id, words)
    upper = int(doubles * 2.0_real64**32, c_int64_t)
    call check(all(iand(int(words, c_int64_t), 2_c_int64_t**32 - 1) == upper), &
      'uint32 is the upper 32 of 48 bits')
    call rivulet_create('float', id, generator='ranmar48', type=rivulet_float, &
      seed=7_c_int64_t)
    call rivulet_get(id, floats)
    call check(all(int(floats * 2.0**24, c_int64_t) == upper / 256), &
      'float is the upper 24 of 48 bits')
    call rivulet_create('uint64', id, generator='ranmar48', type=rivulet_uint64, &
      seed=7_c_int64_t)
    call rivulet_get(id, long_words(:25))
    call check(all(long_words(:25) == ior(ishft(upper(1::2), 32), upper(2::2))), &
      'uint64 is the upper halves of two numbers')
    call destroy_all(['double', 'uint32', 'float ', 'uint64'])
  end subroutine

  !> Creates a sequence of the generator's raw numbers (rivulet_own), and returns its id.
  integer(c_int64_t) function own(name, generator)
    character(*), intent(in) :: name, generator
    call rivulet_create(name, own, generator=generator, type=rivulet_own, seed=42_c_int64_t, &
      first_stream=7_c_int64_t)
  end function

  subroutine distributions()
    real(c_double), parameter :: none(0) = [real(c_double) ::]
    integer(c_int64_t) :: id, plain, counts(1000)
    integer(c_int32_t) :: words(4)
    integer(c_int) :: status
    real(c_double) :: doubles(1000), expected(1000), points(30)
    real(c_float) :: floats(1000)

    id = own('own', 'philox4x32')
    call rivulet_create('plain', plain, generator='philox4x32', seed=42_c_int64_t, &
      first_stream=7_c_int64_t)
    call rivulet_draw(id, 'uniform', [0._c_double, 1._c_double, 0._c_double], doubles)
    call rivulet_get(plain, expected)
    call check(identical(doubles, expected), 'a uniform distribution is the plain numbers')
    call rivulet_draw(id, 'exponential', [2._c_double], floats)
    call check(abs(sum(real(floats, c_double)) / 1000 - 2) < 0.3, 'the mean of exponentials')
    call rivulet_draw(id, 'poisson', [4._c_double], counts)
    call check(abs(sum(counts) - 4000) < 300, 'the mean of counts')
    call rivulet_draw(id, 'unit_vector', none, points)
    call check(all(abs(sum(reshape(points, [3, 10])**2, dim=1) - 1) < 1e-14_c_double), &
      'points on the sphere')
    points = -7
    call rivulet_draw(id, 'unit_vector', none, points(:29))
    call check(all(points(:27) >= -1) .and. all(points(28:) <= -7), 'whole points')
    call rivulet_draw(id, 'bits', none, words)
    call check(any(words /= 0), 'bits')
    call rivulet_draw(id, 'gaussian', none, doubles, status)
    call check(status == rivulet_error_unknown_name, 'no such distribution')
    call rivulet_draw(id, 'normal', [0._c_double], doubles, status)
    call check(status == rivulet_error_option, 'a parameter is missing')
    call destroy_all(['own  ', 'plain'])
  end subroutine

  !> The children's first bits are those of the C++ library's Stream(42, 7).child(5).child(-1).
  subroutine children()
    integer :: status
    integer(c_int64_t) :: parent, child

    call check_grandchild('philox4x32', -1560230785942129250_c_int64_t)
    call check_grandchild('philox4x64', -8247367198387752241_c_int64_t)
    call check_grandchild('threefry4x64', 1945795839417639131_c_int64_t)
    call rivulet_create('no children', parent, generator='ranmar48')
    call rivulet_create_child('child', parent, 0_c_int64_t, child, status)
    call check(status == rivulet_error_option .and. child == 0, 'RANMAR has no children')
    call rivulet_destroy(parent)
  end subroutine

  !> Checks a grandchild if this build has the generator; it must have philox4x32.
  subroutine check_grandchild(generator, first)
    character(*), intent(in) :: generator
    integer(c_int64_t), intent(in) :: first
    integer :: status
    integer(c_int64_t) :: parent, child, grandchild, bits(1)

    call rivulet_create('is it there', parent, generator=generator, status=status)
    if (status == rivulet_error_unknown_name .and. generator /= 'philox4x32') return
    call rivulet_destroy(parent)
    parent = own('parent', generator)
    call rivulet_create_child('child', parent, 5_c_int64_t, child)
    call rivulet_create_child('grandchild', child, -1_c_int64_t, grandchild)
    call rivulet_draw(grandchild, 'bits', [real(c_double) ::], bits)
    call check(bits(1) == first, 'of '//generator)
    call destroy_all(['parent    ', 'child     ', 'grandchild'])
  end subroutine

  subroutine skips()
    integer(c_int64_t) :: id, other, low, high
    real(c_double) :: drawn(3000), numbers(10)

    call rivulet_create('drawn', id, generator='dcmt521')
    call rivulet_get(id, drawn)
    call rivulet_create('skipped', other, generator='dcmt521')
    call rivulet_skip(other, 1000_c_int64_t)
    call rivulet_skip(other, 0_c_int64_t)
    call rivulet_get(other, numbers)
    call check(identical(numbers, drawn(1001:1010)), 'skipping is drawing')
    call rivulet_skip_power(other, 3_c_int64_t, 9_c_int32_t)
    call rivulet_get(other, numbers)
    call check(identical(numbers, drawn(2547:2556)), 'skipping 3 * 2**9')
    call rivulet_position(other, low)
    call check(low == 2556, 'the position')
    call rivulet_skip_power(other, 5_c_int64_t, 64_c_int32_t)
    call rivulet_position(other, low, high)
    call check(low == 2556 .and. high == 5, 'the position after 5 * 2**64')
    call destroy_all(['drawn  ', 'skipped'])
  end subroutine

  subroutine saved_bytes()
    integer(c_int64_t) :: id, other
    integer(c_int8_t), allocatable :: bytes(:)
    real(c_double) :: expected(500), numbers(500)

    call rivulet_create('saved', id, instances=3_c_int64_t, buffer_numbers=90_c_int64_t)
    call rivulet_get(id, numbers(:137))
    call rivulet_save(id, bytes)
    call rivulet_get(id, expected)
    call rivulet_restore(id, bytes)
    call rivulet_get(id, numbers)
    call check(identical(numbers, expected), 'a restored sequence continues')
    call rivulet_create_from('copy', bytes, other)
    call rivulet_get(other, numbers)
    call check(identical(numbers, expected), 'a sequence made from a saved one continues')
    call destroy_all(['saved', 'copy '])
  end subroutine

  !> Sets generator-specific options by name (generator_options) and by argument. The name takes
  !> precedence.
  subroutine generators_own_options()
    integer(c_int64_t) :: id
    integer(c_int) :: status
    real(c_double) :: by_name(6), by_argument(6)

    call rivulet_create('named', id, generator='ranmar24', seeding=rivulet_seeding_published, &
      ij=5_c_int64_t, generator_options='ij=17 kl=3')
    call rivulet_get(id, by_name)
    call rivulet_create('given', id, generator='ranmar24', seeding=rivulet_seeding_published, &
      ij=17_c_int64_t, kl=3_c_int64_t)
    call rivulet_get(id, by_argument)
    call check(identical(by_name, by_argument), 'options by name')
    call rivulet_create('wrong', id, generator_options='no_such=1', status=status)
    call check(status == rivulet_error_option, 'an unknown option by name is refused')
    call destroy_all(['named', 'given'])
  end subroutine

  subroutine finding()
    integer(c_int64_t) :: id, found

    call rivulet_create('to be found', id)
    call rivulet_find('to be found', found)
    call check(found == id .and. id > 0, 'found by name')
    call rivulet_destroy(id)
  end subroutine

  subroutine warning_of_weak_seeds()
    integer(c_int64_t) :: id
    character(:), allocatable :: text

    call rivulet_create('weak', id, generator='ranmar48', seeding=rivulet_seeding_published, &
      ij=31328_c_int64_t, kl=0_c_int64_t)
    call rivulet_warnings(id, text)
    call check(len(text) > 20, 'a weak pair of seeds has a warning')
    call rivulet_destroy(id)
    call rivulet_create('not weak', id)
    call rivulet_warnings(id, text)
    call check(len(text) == 0, 'other seeds have none')
    call rivulet_describe(id, text)
    call check(text == 'philox4x32 seed=20261120 first_stream=0', 'what a sequence is')
    call rivulet_destroy(id)
  end subroutine

  subroutine destroy_all(names)
    character(*), intent(in) :: names(:)
    integer(c_int64_t) :: id
    integer :: i

    do i = 1, size(names)
      call rivulet_find(names(i), id)
      call rivulet_destroy(id)
    end do
  end subroutine

  logical function identical(a, b)
    real(c_double), intent(in) :: a(:), b(:)
    identical = all(transfer(a, [0_int64]) == transfer(b, [0_int64]))
  end function
end program
