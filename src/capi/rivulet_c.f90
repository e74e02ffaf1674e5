! SPDX-FileCopyrightText: 2026 The Rivulet Authors
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

!> Fortran interfaces of the functions of rivulet.h, for module rivulet.
module rivulet_c
  use, intrinsic :: iso_c_binding
  implicit none
  public

  !> struct rivulet_options
  type, bind(c) :: options_t
    integer(c_size_t) :: size
    type(c_ptr) :: generator, parameters
    integer(c_int32_t) :: type, interval, seeding, order
    integer(c_int64_t) :: seed, first_stream, ij, kl, instances, block_length, buffer_numbers
    integer(c_int32_t) :: asynchronous, log2_jump
    integer(c_int64_t) :: start_high, start_low
    type(c_ptr) :: generator_options
  end type

  interface
    integer(c_int) function c_initialize() bind(c, name='rivulet_initialize')
      import
    end function
    integer(c_int) function c_finalize() bind(c, name='rivulet_finalize')
      import
    end function
    type(c_ptr) function c_version() bind(c, name='rivulet_version')
      import
    end function
    integer(c_int64_t) function c_generator_count() bind(c, name='rivulet_generator_count')
      import
    end function
    type(c_ptr) function c_generator_name(index) bind(c, name='rivulet_generator_name')
      import
      integer(c_int64_t), value :: index
    end function
    type(c_ptr) function c_generator_description(index) &
        bind(c, name='rivulet_generator_description')
      import
      integer(c_int64_t), value :: index
    end function
    type(c_ptr) function c_message() bind(c, name='rivulet_message')
      import
    end function
    type(c_ptr) function c_status_name(status) bind(c, name='rivulet_status_name')
      import
      integer(c_int), value :: status
    end function
    integer(c_int) function c_options_default(options) bind(c, name='rivulet_options_default')
      import
      type(options_t), intent(out) :: options
    end function
    integer(c_int) function c_create(name, options, sequence) bind(c, name='rivulet_create')
      import
      character(kind=c_char), intent(in) :: name(*)
      type(options_t), intent(in) :: options
      integer(c_int64_t), intent(out) :: sequence
    end function
    integer(c_int) function c_destroy(sequence) bind(c, name='rivulet_destroy')
      import
      integer(c_int64_t), value :: sequence
    end function
    integer(c_int) function c_find(name, sequence) bind(c, name='rivulet_find')
      import
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int64_t), intent(out) :: sequence
    end function
    integer(c_int) function c_warnings(sequence, capacity, text) bind(c, name='rivulet_warnings')
      import
      integer(c_int64_t), value :: sequence, capacity
      character(kind=c_char), intent(inout) :: text(*)
    end function
    integer(c_int) function c_describe(sequence, capacity, text) bind(c, name='rivulet_describe')
      import
      integer(c_int64_t), value :: sequence, capacity
      character(kind=c_char), intent(inout) :: text(*)
    end function
    integer(c_int) function c_get_double(sequence, count, numbers) &
        bind(c, name='rivulet_get_double')
      import
      integer(c_int64_t), value :: sequence, count
      real(c_double), intent(inout) :: numbers(*)
    end function
    integer(c_int) function c_get_float(sequence, count, numbers) bind(c, name='rivulet_get_float')
      import
      integer(c_int64_t), value :: sequence, count
      real(c_float), intent(inout) :: numbers(*)
    end function
    integer(c_int) function c_get_uint32(sequence, count, numbers) &
        bind(c, name='rivulet_get_uint32')
      import
      integer(c_int64_t), value :: sequence, count
      integer(c_int32_t), intent(inout) :: numbers(*)
    end function
    integer(c_int) function c_get_uint64(sequence, count, numbers) &
        bind(c, name='rivulet_get_uint64')
      import
      integer(c_int64_t), value :: sequence, count
      integer(c_int64_t), intent(inout) :: numbers(*)
    end function
    integer(c_int) function c_skip(sequence, count) bind(c, name='rivulet_skip')
      import
      integer(c_int64_t), value :: sequence, count
    end function
    integer(c_int) function c_skip_power(sequence, multiplier, log2) &
        bind(c, name='rivulet_skip_power')
      import
      integer(c_int64_t), value :: sequence, multiplier
      integer(c_int32_t), value :: log2
    end function
    integer(c_int) function c_position(sequence, high, low) bind(c, name='rivulet_position')
      import
      integer(c_int64_t), value :: sequence
      integer(c_int64_t), intent(inout) :: high, low
    end function
    integer(c_int) function c_draw(sequence, distribution, parameter_count, parameters, type, &
        count, numbers) bind(c, name='rivulet_draw')
      import
      integer(c_int64_t), value :: sequence, parameter_count, count
      character(kind=c_char), intent(in) :: distribution(*)
      real(c_double), intent(in) :: parameters(*)
      integer(c_int32_t), value :: type
      type(c_ptr), value :: numbers
    end function
    integer(c_int) function c_create_child(name, parent, number, child) &
        bind(c, name='rivulet_create_child')
      import
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int64_t), value :: parent, number
      integer(c_int64_t), intent(out) :: child
    end function
    integer(c_int) function c_save_size(sequence, bytes) bind(c, name='rivulet_save_size')
      import
      integer(c_int64_t), value :: sequence
      integer(c_int64_t), intent(inout) :: bytes
    end function
    integer(c_int) function c_save(sequence, capacity, bytes) bind(c, name='rivulet_save')
      import
      integer(c_int64_t), value :: sequence, capacity
      integer(c_int8_t), intent(inout) :: bytes(*)
    end function
    integer(c_int) function c_restore(sequence, size, bytes) bind(c, name='rivulet_restore')
      import
      integer(c_int64_t), value :: sequence, size
      integer(c_int8_t), intent(in) :: bytes(*)
    end function
    integer(c_int) function c_create_from(name, size, bytes, sequence) &
        bind(c, name='rivulet_create_from')
      import
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int64_t), value :: size
      integer(c_int8_t), intent(in) :: bytes(*)
      integer(c_int64_t), intent(out) :: sequence
    end function
    integer(c_size_t) function c_strlen(text) bind(c, name='strlen')
      import
      type(c_ptr), value :: text
    end function
  end interface
end module
