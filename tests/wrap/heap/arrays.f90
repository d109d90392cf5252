! SPDX-License-Identifier: BSD-3-Clause
! allocate and deallocate, in a program that knows nothing of libpdump.
program arrays
  implicit none
  real(8), allocatable :: kept(:)
  real(8), pointer :: lost(:)

  allocate(kept(1000000))
  kept = 1
  deallocate(kept)
  allocate(lost(500000))
  lost(1) = 2
  if (lost(1) < 1) stop 3
end program arrays
