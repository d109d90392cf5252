! SPDX-License-Identifier: BSD-3-Clause
!> The same in Fortran: ranks that have more to do the higher they are.
program ring
  use mpi
  use pdump
  implicit none
  integer, parameter :: steps = 20, n = 20000
  double precision :: cells(n) = 0, total
  integer :: rank, ranks, step, ierr

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  call pdump_region_begin('ring')
  do step = 1, steps
    call compute()
    call pdump_region_begin('reduce')
    call mpi_allreduce(cells(n), total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, &
      MPI_COMM_WORLD, ierr)
    call pdump_region_end('reduce')
  end do
  if (rank == 0) print '(i0, a, f0.6)', ranks, ' ranks, sum ', total
  call pdump_region_end('ring')
  call mpi_finalize(ierr) ! writes one file for all ranks

contains

  subroutine compute()
    integer :: again, i

    call pdump_region_begin('compute')
    do again = 0, rank
      do i = 2, n
        cells(i) = sqrt(cells(i) + cells(i - 1) + 1)
      end do
    end do
    call pdump_region_end('compute')
  end subroutine
end program
