! SPDX-License-Identifier: BSD-3-Clause
!> The least: name a part of the program, run, read perf_dump.csv.
program quickstart
  use pdump
  implicit none
  double precision :: total
  integer :: i

  total = 0
  call pdump_region_begin('sum')
  do i = 1, 1000000
    total = total + 1d0/i
  end do
  call pdump_region_end('sum')

  print '(a, f9.6, a)', 'sum ', total, '; now try: pdump report perf_dump.csv'
end program quickstart
