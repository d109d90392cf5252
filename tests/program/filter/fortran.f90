! SPDX-License-Identifier: BSD-3-Clause
! Regions of Fortran, for a filter that excludes "tiny*".
program fortran
  use pdump
  implicit none
  integer :: i, tiny, ierr

  tiny = pdump_region_id('tiny by number')
  do i = 1, 10
    call pdump_region_begin('main')
    call pdump_region_begin('tiny')
    call pdump_region_begin('inner')
    call pdump_region_end('inner')
    call pdump_region_end('tiny')
    call pdump_region_enter(tiny)
    call pdump_region_leave(tiny)
    call pdump_region_end('main', ierr)
    if (ierr /= 0) error stop
  end do
end program
