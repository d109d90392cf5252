! SPDX-License-Identifier: BSD-3-Clause
!> A Fortran program of somebody else: module and library as installed.
program consumer
  use pdump
  implicit none
  type(pdump_stats) :: stats
  integer :: err

  call pdump_set('PDUMP_EVENTS', 'none')
  call pdump_region_begin('outer')
  call pdump_region_begin('scope')
  call pdump_region_end('scope')
  call pdump_region_end('outer')
  call pdump_query('/outer/scope', stats, ierr=err)
  if (err /= PDUMP_OK) then
    print '(a)', pdump_last_error()
    stop 1
  end if
  if (stats%visits /= 1) stop 2
end program consumer
