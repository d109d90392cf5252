! SPDX-License-Identifier: BSD-3-Clause
!> Heat flows through a plate: nested regions, a parameter, a user metric.
program heat
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use pdump
  implicit none
  integer, parameter :: sizes(*) = [64, 128, 256]
  integer :: i

  call pdump_metadata('model', 'five-point stencil, explicit Euler')
  call pdump_region_begin('heat')
  do i = 1, size(sizes)
    call simulate(sizes(i))
  end do
  call pdump_region_end('heat')
  call summary()

contains

  subroutine simulate(n)
    integer, intent(in) :: n
    real(real64), allocatable :: old(:, :), new(:, :)
    real(real64) :: change
    integer :: step

    call pdump_region_begin('plate')
    call pdump_parameter('n', n)
    call prepare(n, old, new)
    call pdump_region_begin('march')
    do step = 1, 4000
      call advance(n, old, new)
      call exchange(old, new, change)
    end do
    call pdump_region_end('march')
    call pdump_region_end('plate')
    print '(a, i4, a, f9.4, a, es9.2)', 'n', n, ': mean temperature', &
      sum(old)/size(old), ', last change', change
  end subroutine

  !> Cold, with one hot edge.
  subroutine prepare(n, old, new)
    integer, intent(in) :: n
    real(real64), allocatable, intent(out) :: old(:, :), new(:, :)

    call pdump_region_begin('prepare')
    allocate (old(0:n + 1, 0:n + 1), source=0.0_real64)
    old(:, 0) = 100
    new = old
    call pdump_region_end('prepare')
  end subroutine

  subroutine advance(n, old, new)
    integer, intent(in) :: n
    real(real64), intent(in) :: old(0:, 0:)
    real(real64), intent(inout) :: new(0:, 0:)
    integer :: i, j

    call pdump_region_begin('advance')
    do j = 1, n
      do i = 1, n
        new(i, j) = old(i, j) + 0.2_real64*(old(i - 1, j) + old(i + 1, j) + &
          old(i, j - 1) + old(i, j + 1) - 4*old(i, j))
      end do
    end do
    call pdump_counter_add('cells', int(n, int64)*n)
    call pdump_region_end('advance')
  end subroutine

  subroutine exchange(old, new, change)
    real(real64), intent(inout) :: old(0:, 0:)
    real(real64), intent(in) :: new(0:, 0:)
    real(real64), intent(out) :: change

    call pdump_region_begin('exchange')
    change = maxval(abs(new - old))
    old = new
    call pdump_region_end('exchange')
  end subroutine

  subroutine summary()
    type(pdump_stats) :: time, cells
    integer :: err

    call pdump_query('advance', time, ierr=err)
    if (err == PDUMP_OK) call pdump_query('advance', cells, 'cells', err)
    if (err /= PDUMP_OK) then
      print '(2a)', 'no figures: ', pdump_last_error()
    else
      print '(i0, a, f6.3, a, f7.1, a)', cells%sum, ' cells in', &
        1d-9*real(time%sum, real64), ' s:', &
        1d3*real(cells%sum, real64)/real(time%sum, real64), ' million a second'
    end if
  end subroutine
end program heat
