! SPDX-License-Identifier: BSD-3-Clause
! An unformatted file, for io.sh.
program unformatted
  implicit none
  double precision :: numbers(1000)
  integer :: i

  numbers = 1
  open (10, file='stream', form='unformatted', access='stream')
  do i = 1, 5
    write (10) numbers
  end do
  close (10)
  print '(a)', 'done'
end program
