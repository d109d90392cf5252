! SPDX-License-Identifier: BSD-3-Clause
! Fortran: procedures of a module, contained ones, and external ones.
module solver
    implicit none
contains
    subroutine step(x)
        real, intent(inout) :: x
        x = relax(x) + 1.0
    end subroutine step

    recursive function relax(x) result(y)
        real, intent(in) :: x
        real :: y
        y = x / 2.0
        if (y > 1.0e3) y = relax(y)
    end function relax
end module solver

subroutine outside(x)
    implicit none
    real, intent(inout) :: x
    x = x * 2.0
end subroutine outside

program main
    use solver
    implicit none
    real :: x
    integer :: i
    x = 1.0
    do i = 1, 7
        call step(x)
    end do
    do i = 1, 3
        call outside(x)
    end do
    if (x < 0.0) stop 1
end program main
