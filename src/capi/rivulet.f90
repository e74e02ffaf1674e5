! SPDX-FileCopyrightText: 2026 The Rivulet Authors
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

!> Rivulet's random numbers for Fortran: a thin layer over rivulet.h, which describes each
!> procedure.
!>
!>     use rivulet
!>     integer(c_int64_t) :: hadrons
!>     real(c_double) :: numbers(10)
!>     call rivulet_create('hadrons', hadrons, generator='philox4x32', seed=42)
!>     call rivulet_get(hadrons, numbers)
!>
!> Arguments of class(*) accept integers of 4 or 8 bytes; any other type stops the program. Every
!> procedure that can fail has an optional argument `status`. It is the last argument except in
!> rivulet_create, where it must be passed by name. A call sets `status` to rivulet_ok or to an
!> error, which rivulet_message() explains. Without `status`, an error prints the message and stops
!> the program. After an error the sequence is unchanged. C's unsigned integers become Fortran's
!> integers of equal size, bit for bit. Trailing blanks of texts are ignored.
module rivulet
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: error_unit
  use rivulet_c
  implicit none
  private

  ! Kinds for the program's variables.
  public :: c_int, c_int8_t, c_int32_t, c_int64_t, c_float, c_double

  !> Status codes are integer(c_int), options integer(c_int32_t); rivulet.h explains each. The
  !> module also exports the kinds c_int, c_int8_t, c_int32_t, c_int64_t, c_float and c_double.
  integer(c_int), parameter, public :: rivulet_ok = 0, &
    rivulet_error_null_pointer = 1, rivulet_error_count = 2, rivulet_error_unknown_name = 3, &
    rivulet_error_name_taken = 4, rivulet_error_option = 5, rivulet_error_seed = 6, &
    rivulet_error_no_such_sequence = 7, rivulet_error_destroyed = 8, &
    rivulet_error_wrong_type = 9, rivulet_error_out_of_memory = 10, &
    rivulet_error_out_of_range = 11, rivulet_error_space = 12, rivulet_error_not_a_state = 13, &
    rivulet_error_wrong_version = 14, rivulet_error_wrong_generator = 15, &
    rivulet_error_ended = 16, rivulet_error_kokkos = 17, rivulet_error_other = 18, &
    rivulet_error_forked = 19

  ! Types of numbers, ends of the unit interval, seeding, and order of instances.
  integer(c_int32_t), parameter, public :: &
    rivulet_uint32 = 0, rivulet_uint64 = 1, rivulet_float = 2, rivulet_double = 3, &
    rivulet_own = 4, &
    rivulet_closed_open = 0, rivulet_open = 1, rivulet_open_closed = 2, rivulet_closed = 3, &
    rivulet_zero_replaced = 4, rivulet_seeding_native = 0, rivulet_seeding_published = 1, &
    rivulet_order_interleaved = 0, rivulet_order_blocked = 1

  public :: rivulet_initialize, rivulet_finalize, rivulet_version, rivulet_generator_count, &
    rivulet_generator_name, rivulet_generator_description, rivulet_message, &
    rivulet_status_name, rivulet_create, rivulet_destroy, rivulet_find, rivulet_warnings, &
    rivulet_describe, rivulet_get, rivulet_skip, &
    rivulet_skip_power, rivulet_position, rivulet_save, rivulet_restore, rivulet_create_from, &
    rivulet_draw, rivulet_create_child

  !> Gets the next size(numbers) numbers of a sequence: call rivulet_get(sequence, numbers). The
  !> array's type must match the sequence's: c_double, c_float, c_int32_t for uint32, or c_int64_t
  !> for uint64. An empty array is an error (rivulet_error_count). The specific names are private.
  interface rivulet_get
    module procedure get_double, get_float, get_uint32, get_uint64
  end interface

  !> Draws from a distribution with a sequence of type rivulet_own: call rivulet_draw(sequence,
  !> 'normal', [0.0_c_double, 1.0_c_double], numbers). rivulet.h lists the distributions' names and
  !> parameters. `parameters` is a c_double array, which is [real(c_double) ::] if there are none. `numbers` has
  !> size(numbers) elements: c_double or c_float for reals, c_int64_t for counts, c_int32_t or c_int64_t for bits.
  !> Points of unit_vector (3 elements) and on_disk (2) follow one another. Elements after the last whole point are
  !> unchanged. An array without room for one number or point is an error (rivulet_error_count). The specific names are
  !> private.
  interface rivulet_draw
    module procedure draw_double, draw_float, draw_uint32, draw_uint64
  end interface

contains

  subroutine rivulet_initialize(status)
    integer(c_int), intent(out), optional :: status
    call conclude(c_initialize(), status)
  end subroutine

  subroutine rivulet_finalize(status)
    integer(c_int), intent(out), optional :: status
    call conclude(c_finalize(), status)
  end subroutine

  function rivulet_version() result(text)
    character(:), allocatable :: text
    text = fortran_text(c_version())
  end function

  integer function rivulet_generator_count()
    rivulet_generator_count = int(c_generator_count())
  end function

  !> Returns the name of generator `index` (1 to rivulet_generator_count()), or an empty text for other indices.
  function rivulet_generator_name(index) result(text)
    class(*), intent(in) :: index
    character(:), allocatable :: text
    text = fortran_text(c_generator_name(whole(index, 'index') - 1))
  end function

  !> Returns a one-line description of generator `index`, counted as in rivulet_generator_name.
  function rivulet_generator_description(index) result(text)
    class(*), intent(in) :: index
    character(:), allocatable :: text
    text = fortran_text(c_generator_description(whole(index, 'index') - 1))
  end function

  !> Returns the message of this thread's last failed call: the problem and its remedy.
  function rivulet_message() result(text)
    character(:), allocatable :: text
    text = in_fortran(fortran_text(c_message()))
  end function

  !> Replaces remedies for C programs by those for Fortran programs.
  function in_fortran(message) result(text)
    character(*), intent(in) :: message
    character(:), allocatable :: text
    character(*), parameter :: remedies(2, 8) = reshape([character(72) :: &
      'Pass 1 or more as count.', 'Pass an array of one element or more.', &
      'Call rivulet_get_double.', 'Pass rivulet_get an array of real(c_double).', &
      'Call rivulet_get_float.', 'Pass rivulet_get an array of real(c_float).', &
      'Call rivulet_get_uint32.', 'Pass rivulet_get an array of integer(c_int32_t).', &
      'Call rivulet_get_uint64.', 'Pass rivulet_get an array of integer(c_int64_t).', &
      'Draw with type RIVULET_FLOAT or RIVULET_DOUBLE.', &
      'Pass rivulet_draw an array of real(c_float) or real(c_double).', &
      'Draw with type RIVULET_UINT32 or RIVULET_UINT64.', &
      'Pass rivulet_draw an array of integer(c_int32_t) or integer(c_int64_t).', &
      'Draw with type RIVULET_UINT64.', 'Pass rivulet_draw an array of integer(c_int64_t).'], [2, 8])
    integer :: i, begin

    text = message
    do i = 1, size(remedies, 2)
      begin = len(text) - len_trim(remedies(1, i)) + 1
      if (begin < 1) cycle
      if (text(begin:) == trim(remedies(1, i))) text = text(:begin - 1) // trim(remedies(2, i))
    end do
  end function

  function rivulet_status_name(status) result(text)
    integer(c_int), intent(in) :: status
    character(:), allocatable :: text
    text = fortran_text(c_status_name(status))
  end function

  !> Creates a sequence. Omitted options have the defaults of rivulet.h. `status` is not the last
  !> argument: pass it by name.
  subroutine rivulet_create(name, sequence, generator, parameters, type, interval, seeding, &
      order, seed, first_stream, ij, kl, instances, block_length, buffer_numbers, asynchronous, &
      log2_jump, start_high, start_low, status, generator_options)
    character(*), intent(in) :: name
    integer(c_int64_t), intent(out) :: sequence
    character(*), intent(in), optional :: generator, parameters, generator_options
    integer(c_int32_t), intent(in), optional :: type, interval, seeding, order
    class(*), intent(in), optional :: seed, first_stream, ij, kl, instances, block_length, &
      buffer_numbers, log2_jump, start_high, start_low
    logical, intent(in), optional :: asynchronous
    integer(c_int), intent(out), optional :: status
    type(options_t) :: options
    character(kind=c_char), allocatable, target :: generator_text(:), parameters_text(:), &
      options_text(:)
    integer(c_int) :: code

    sequence = 0
    code = c_options_default(options)
    if (code /= rivulet_ok) then
      call conclude(code, status)
      return
    end if
    if (present(generator)) then
      generator_text = c_text(generator)
      options%generator = c_loc(generator_text)
    end if
    if (present(parameters)) then
      parameters_text = c_text(parameters)
      options%parameters = c_loc(parameters_text)
    end if
    if (present(generator_options)) then
      options_text = c_text(generator_options)
      options%generator_options = c_loc(options_text)
    end if
    if (present(type)) options%type = type
    if (present(interval)) options%interval = interval
    if (present(seeding)) options%seeding = seeding
    if (present(order)) options%order = order
    if (present(seed)) options%seed = whole(seed, 'seed')
    if (present(first_stream)) options%first_stream = whole(first_stream, 'first_stream')
    if (present(ij)) options%ij = whole(ij, 'ij')
    if (present(kl)) options%kl = whole(kl, 'kl')
    if (present(instances)) options%instances = whole(instances, 'instances')
    if (present(block_length)) options%block_length = whole(block_length, 'block_length')
    if (present(buffer_numbers)) options%buffer_numbers = whole(buffer_numbers, 'buffer_numbers')
    if (present(asynchronous)) options%asynchronous = merge(1_c_int32_t, 0_c_int32_t, asynchronous)
    if (present(log2_jump)) options%log2_jump = narrow(log2_jump, 'log2_jump')
    if (present(start_high)) options%start_high = whole(start_high, 'start_high')
    if (present(start_low)) options%start_low = whole(start_low, 'start_low')
    call conclude(c_create(c_text(name), options, sequence), status)
  end subroutine

  subroutine rivulet_destroy(sequence, status)
    integer(c_int64_t), intent(in) :: sequence
    integer(c_int), intent(out), optional :: status
    call conclude(c_destroy(sequence), status)
  end subroutine

  subroutine rivulet_find(name, sequence, status)
    character(*), intent(in) :: name
    integer(c_int64_t), intent(out) :: sequence
    integer(c_int), intent(out), optional :: status
    sequence = 0
    call conclude(c_find(c_text(name), sequence), status)
  end subroutine

  !> Returns warnings of weak seeds and the like, one per line, or an empty text if there are none.
  subroutine rivulet_warnings(sequence, text, status)
    integer(c_int64_t), intent(in) :: sequence
    character(:), allocatable, intent(out) :: text
    integer(c_int), intent(out), optional :: status
    call get_text(c_warnings, sequence, text, status)
  end subroutine

  !> Returns the identity of the sequence's streams, for logs: 'philox4x32 seed=42 first_stream=7'.
  subroutine rivulet_describe(sequence, text, status)
    integer(c_int64_t), intent(in) :: sequence
    character(:), allocatable, intent(out) :: text
    integer(c_int), intent(out), optional :: status
    call get_text(c_describe, sequence, text, status)
  end subroutine

  subroutine get_text(source, sequence, text, status)
    procedure(c_warnings) :: source
    integer(c_int64_t), intent(in) :: sequence
    character(:), allocatable, intent(out) :: text
    integer(c_int), intent(out), optional :: status
    character(kind=c_char), allocatable, target :: buffer(:)
    integer(c_int) :: code

    allocate (buffer(1024))
    do
      buffer(1) = c_null_char
      code = source(sequence, size(buffer, kind=c_int64_t), buffer)
      if (code /= rivulet_error_space .or. size(buffer) > 2**24) exit
      buffer = [buffer, buffer]
    end do
    text = fortran_text(c_loc(buffer))
    call conclude(code, status)
  end subroutine

  subroutine get_double(sequence, numbers, status)
    integer(c_int64_t), intent(in) :: sequence
    real(c_double), contiguous, intent(inout) :: numbers(:)
    integer(c_int), intent(out), optional :: status
    call conclude(c_get_double(sequence, size(numbers, kind=c_int64_t), numbers), status)
  end subroutine

  subroutine get_float(sequence, numbers, status)
    integer(c_int64_t), intent(in) :: sequence
    real(c_float), contiguous, intent(inout) :: numbers(:)
    integer(c_int), intent(out), optional :: status
    call conclude(c_get_float(sequence, size(numbers, kind=c_int64_t), numbers), status)
  end subroutine

  subroutine get_uint32(sequence, numbers, status)
    integer(c_int64_t), intent(in) :: sequence
    integer(c_int32_t), contiguous, intent(inout) :: numbers(:)
    integer(c_int), intent(out), optional :: status
    call conclude(c_get_uint32(sequence, size(numbers, kind=c_int64_t), numbers), status)
  end subroutine

  subroutine get_uint64(sequence, numbers, status)
    integer(c_int64_t), intent(in) :: sequence
    integer(c_int64_t), contiguous, intent(inout) :: numbers(:)
    integer(c_int), intent(out), optional :: status
    call conclude(c_get_uint64(sequence, size(numbers, kind=c_int64_t), numbers), status)
  end subroutine

  subroutine draw_double(sequence, distribution, parameters, numbers, status)
    integer(c_int64_t), intent(in) :: sequence
    character(*), intent(in) :: distribution
    real(c_double), contiguous, intent(in) :: parameters(:)
    real(c_double), contiguous, target, intent(inout) :: numbers(:)
    integer(c_int), intent(out), optional :: status
    call conclude(drawn(sequence, distribution, parameters, rivulet_double, &
      size(numbers, kind=c_int64_t), c_loc(numbers)), status)
  end subroutine

  subroutine draw_float(sequence, distribution, parameters, numbers, status)
    integer(c_int64_t), intent(in) :: sequence
    character(*), intent(in) :: distribution
    real(c_double), contiguous, intent(in) :: parameters(:)
    real(c_float), contiguous, target, intent(inout) :: numbers(:)
    integer(c_int), intent(out), optional :: status
    call conclude(drawn(sequence, distribution, parameters, rivulet_float, &
      size(numbers, kind=c_int64_t), c_loc(numbers)), status)
  end subroutine

  subroutine draw_uint32(sequence, distribution, parameters, numbers, status)
    integer(c_int64_t), intent(in) :: sequence
    character(*), intent(in) :: distribution
    real(c_double), contiguous, intent(in) :: parameters(:)
    integer(c_int32_t), contiguous, target, intent(inout) :: numbers(:)
    integer(c_int), intent(out), optional :: status
    call conclude(drawn(sequence, distribution, parameters, rivulet_uint32, &
      size(numbers, kind=c_int64_t), c_loc(numbers)), status)
  end subroutine

  subroutine draw_uint64(sequence, distribution, parameters, numbers, status)
    integer(c_int64_t), intent(in) :: sequence
    character(*), intent(in) :: distribution
    real(c_double), contiguous, intent(in) :: parameters(:)
    integer(c_int64_t), contiguous, target, intent(inout) :: numbers(:)
    integer(c_int), intent(out), optional :: status
    call conclude(drawn(sequence, distribution, parameters, rivulet_uint64, &
      size(numbers, kind=c_int64_t), c_loc(numbers)), status)
  end subroutine

  integer(c_int) function drawn(sequence, distribution, parameters, type, count, numbers)
    integer(c_int64_t), intent(in) :: sequence, count
    character(*), intent(in) :: distribution
    real(c_double), contiguous, intent(in) :: parameters(:)
    integer(c_int32_t), intent(in) :: type
    type(c_ptr), intent(in) :: numbers
    integer(c_int64_t) :: width

    width = 1
    if (distribution == 'unit_vector') width = 3
    if (distribution == 'on_disk') width = 2
    drawn = c_draw(sequence, c_text(distribution), size(parameters, kind=c_int64_t), parameters, &
      type, count / width, numbers)
  end function

  !> Creates a child of a sequence with one stream of a counter-based generator. The 64-bit `number`
  !> selects the child. The child has the parent's type, interval, order and buffer.
  subroutine rivulet_create_child(name, parent, number, child, status)
    character(*), intent(in) :: name
    integer(c_int64_t), intent(in) :: parent
    class(*), intent(in) :: number
    integer(c_int64_t), intent(out) :: child
    integer(c_int), intent(out), optional :: status
    child = 0
    call conclude(c_create_child(c_text(name), parent, whole(number, 'number'), child), status)
  end subroutine

  subroutine rivulet_skip(sequence, count, status)
    integer(c_int64_t), intent(in) :: sequence
    class(*), intent(in) :: count
    integer(c_int), intent(out), optional :: status
    call conclude(c_skip(sequence, whole(count, 'count')), status)
  end subroutine

  !> Skips multiplier * 2**log2 numbers.
  subroutine rivulet_skip_power(sequence, multiplier, log2, status)
    integer(c_int64_t), intent(in) :: sequence
    class(*), intent(in) :: multiplier, log2
    integer(c_int), intent(out), optional :: status
    call conclude(c_skip_power(sequence, whole(multiplier, 'multiplier'), narrow(log2, 'log2')), &
      status)
  end subroutine

  !> Returns the count of numbers delivered or skipped so far: high * 2**64 + low.
  subroutine rivulet_position(sequence, low, high, status)
    integer(c_int64_t), intent(in) :: sequence
    integer(c_int64_t), intent(out) :: low
    integer(c_int64_t), intent(out), optional :: high
    integer(c_int), intent(out), optional :: status
    integer(c_int64_t) :: upper
    integer(c_int) :: code

    low = 0
    upper = 0
    code = c_position(sequence, upper, low)
    if (present(high)) high = upper
    call conclude(code, status)
  end subroutine

  !> Allocates `bytes` and saves the sequence's state there.
  subroutine rivulet_save(sequence, bytes, status)
    integer(c_int64_t), intent(in) :: sequence
    integer(c_int8_t), allocatable, intent(out) :: bytes(:)
    integer(c_int), intent(out), optional :: status
    integer(c_int64_t) :: needed
    integer(c_int) :: code

    needed = 0
    code = c_save_size(sequence, needed)
    allocate (bytes(needed))
    if (code == rivulet_ok) code = c_save(sequence, needed, bytes)
    call conclude(code, status)
  end subroutine

  subroutine rivulet_restore(sequence, bytes, status)
    integer(c_int64_t), intent(in) :: sequence
    integer(c_int8_t), contiguous, intent(in) :: bytes(:)
    integer(c_int), intent(out), optional :: status
    call conclude(c_restore(sequence, size(bytes, kind=c_int64_t), bytes), status)
  end subroutine

  subroutine rivulet_create_from(name, bytes, sequence, status)
    character(*), intent(in) :: name
    integer(c_int8_t), contiguous, intent(in) :: bytes(:)
    integer(c_int64_t), intent(out) :: sequence
    integer(c_int), intent(out), optional :: status
    sequence = 0
    call conclude(c_create_from(c_text(name), size(bytes, kind=c_int64_t), bytes, sequence), status)
  end subroutine

  !> Returns the status to the caller, or stops the program if `status` is absent and the call
  !> failed.
  subroutine conclude(code, status)
    integer(c_int), intent(in) :: code
    integer(c_int), intent(out), optional :: status
    if (present(status)) then
      status = code
    else if (code /= rivulet_ok) then
      write (error_unit, '(a)') 'rivulet: ' // rivulet_message()
      error stop 1
    end if
  end subroutine

  integer(c_int64_t) function whole(value, name)
    class(*), intent(in) :: value
    character(*), intent(in) :: name
    whole = 0
    select type (value)
    type is (integer(c_int64_t))
      whole = value
    type is (integer(c_int32_t))
      whole = value
    class default
      write (error_unit, '(a)') 'rivulet: ' // name // &
        ' cannot be read (it is not an integer of 4 or 8 bytes). Pass one, such as 42.'
      error stop 1
    end select
  end function

  !> Returns the value as a 4-byte argument of C, clamped to -1 .. huge. C rejects both ends.
  integer(c_int32_t) function narrow(value, name)
    class(*), intent(in) :: value
    character(*), intent(in) :: name
    narrow = int(max(-1_c_int64_t, min(whole(value, name), int(huge(narrow), c_int64_t))), c_int32_t)
  end function

  !> Converts to a null-terminated C text without trailing blanks.
  function c_text(text) result(characters)
    character(*), intent(in) :: text
    character(kind=c_char) :: characters(len_trim(text) + 1)
    characters = transfer(trim(text) // c_null_char, characters)
  end function

  function fortran_text(pointer) result(text)
    type(c_ptr), intent(in) :: pointer
    character(:), allocatable :: text
    character(kind=c_char), pointer :: characters(:)

    text = ''
    if (.not. c_associated(pointer)) return
    call c_f_pointer(pointer, characters, [c_strlen(pointer)])
    text = transfer(characters, repeat(' ', size(characters)))
  end function
end module
