! SPDX-License-Identifier: BSD-3-Clause
! A job in Fortran, with each of its three ways to know MPI: compiled with
! -DUSE_MPIF, -DUSE_MPI or -DUSE_MPI_F08.  It records what work() of job/kit.h
! does, and more if it is told so.
#ifdef USE_MPI_F08
#define COMM type(MPI_Comm)
#define HANDLE(comm) comm%mpi_val
#else
#define COMM integer
#define HANDLE(comm) comm
#endif
program job
#ifdef USE_MPI_F08
  use mpi_f08
#endif
#ifdef USE_MPI
  use mpi
#endif
  use pdump
  implicit none
#ifdef USE_MPIF
  include 'mpif.h'
#endif
  integer :: rank, err
  character(len=20) :: what

  call get_command_argument(1, what)
  call MPI_Init(err)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, err)
  call work()
  if (what == 'flush') call flush_part()
  if (what == 'levels') call use_levels()
  if (what == 'own_levels') call use_own_levels()
  call MPI_Finalize(err)
  print '(a)', 'done'

contains

  subroutine work()
    integer :: i

    do i = 0, rank
      call pdump_region_begin('solve')
      call visit('inner')
      call visit('inner')
      call pdump_region_end('solve')
    end do
  end subroutine

  subroutine visit(name)
    character(len=*), intent(in) :: name

    call pdump_region_begin(name)
    call pdump_region_end(name)
  end subroutine

  ! Even and odd ranks, each their own file, and all of them another.
  subroutine flush_part()
    COMM :: part

    call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), 0, part, err)
    if (mod(rank, 2) == 0) then
      call pdump_flush_comm(HANDLE(part), 'even  ', err)
    else
      call pdump_flush_comm(HANDLE(part), 'odd', err)
    end if
    if (err /= PDUMP_OK) error stop 'a part'
    call pdump_flush_comm(HANDLE(MPI_COMM_WORLD), ierr=err)
    if (err /= PDUMP_OK) error stop 'the world'
    call MPI_Comm_free(part, err)
  end subroutine

  subroutine use_levels()
    integer :: i

    call MPI_Pcontrol(0)
    call MPI_Pcontrol(0)
    call visit('paused')
    call MPI_Pcontrol(1)
    call visit('resumed')
    do i = 1, 3
      call MPI_Pcontrol(2)
      call visit('in step')
    end do
  end subroutine

  subroutine use_own_levels()
    integer :: i

    call pdump_pcontrol(0)
    call pdump_pcontrol(0)
    call visit('paused')
    call pdump_pcontrol(1)
    call visit('resumed')
    do i = 1, 3
      call pdump_pcontrol(2)
      call visit('in step')
    end do
  end subroutine
end program
