! SPDX-License-Identifier: BSD-3-Clause
!> What is computed on the rows of a rank (plate.h); called by C.
module kernel
  use, intrinsic :: iso_c_binding, only: c_double, c_int
  use, intrinsic :: iso_fortran_env, only: int64
  use pdump
  implicit none
  private
  public :: heat_start, heat_sweep, heat_sum, heat_error
  real(c_double), parameter :: pi = 3.14159265358979323846_c_double

contains

  !> A temperature that keeps its shape while the plate cools: 0 on the edges
  !> of the triangle, above inside.
  pure elemental real(c_double) function mode(n, x, y)
    integer, intent(in) :: n, x, y
    real(c_double) :: u, v

    u = pi*x/n
    v = pi*y/n
    mode = sin(2*u)*sin(v) - sin(u)*sin(2*v)
  end function

  subroutine heat_start(n, first, rows, now) bind(C)
    integer(c_int), value :: n, first, rows
    real(c_double), intent(inout) :: now(0:n, 0:rows + 1)
    integer :: x, y

    call pdump_region_begin('start')
    do y = 1, rows
      do x = 1, first + y - 2
        now(x, y) = mode(n, x, first + y - 1)
      end do
    end do
    call pdump_region_end('start')
  end subroutine

  !> One step in time: each cell and its four neighbours (as Jacobi's
  !> iteration, which has r = 1/4).
  subroutine heat_sweep(n, first, rows, r, old, now) bind(C)
    integer(c_int), value :: n, first, rows
    real(c_double), value :: r
    real(c_double), intent(in) :: old(0:n, 0:rows + 1)
    real(c_double), intent(inout) :: now(0:n, 0:rows + 1)
    integer :: x, y
    integer(int64) :: cells

    call pdump_region_begin('sweep')
    cells = 0
    do y = 1, rows
      do x = 1, first + y - 2
        now(x, y) = old(x, y) + r*(old(x - 1, y) + old(x + 1, y) + &
          old(x, y - 1) + old(x, y + 1) - 4*old(x, y))
      end do
      cells = cells + first + y - 2
    end do
    call pdump_counter_add('cells', cells)
    call pdump_region_end('sweep')
  end subroutine

  !> The heat in these rows.
  real(c_double) function heat_sum(n, first, rows, now) bind(C)
    integer(c_int), value :: n, first, rows
    real(c_double), intent(in) :: now(0:n, 0:rows + 1)
    integer :: y

    call pdump_region_begin('sum')
    heat_sum = 0
    do y = 1, rows
      heat_sum = heat_sum + sum(now(1:first + y - 2, y))
    end do
    call pdump_region_end('sum')
  end function

  !> The largest difference from the exact solution: each step multiplies the
  !> first temperature by the same factor.
  real(c_double) function heat_error(n, first, rows, r, steps, now) bind(C)
    integer(c_int), value :: n, first, rows, steps
    real(c_double), value :: r
    real(c_double), intent(in) :: now(0:n, 0:rows + 1)
    real(c_double) :: factor
    integer :: x, y

    call pdump_region_begin('check')
    factor = (1 - 4*r*(sin(pi/(2*n))**2 + sin(pi/n)**2))**steps
    heat_error = 0
    do y = 1, rows
      do x = 1, first + y - 2
        heat_error = max(heat_error, &
          abs(now(x, y) - factor*mode(n, x, first + y - 1)))
      end do
    end do
    call pdump_region_end('check')
  end function
end module kernel
