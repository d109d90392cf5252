! SPDX-License-Identifier: BSD-3-Clause
! MPI calls of Fortran, on 2 ranks, with each of its three ways to know MPI:
! -DUSE_MPIF, -DUSE_MPI or -DUSE_MPI_F08 (where ierror may be left out).  The
! script knows what it does; here it is seen that MPI still does it.
#ifdef USE_MPI_F08
#define IERR
#define STATUS type(MPI_Status)
#define SOURCE(s) s%MPI_SOURCE
#define REQUEST type(MPI_Request)
#define DATATYPE type(MPI_Datatype)
#define INFO type(MPI_Info)
#else
#define IERR , err
#define STATUS integer, dimension(MPI_STATUS_SIZE)
#define SOURCE(s) s(MPI_SOURCE)
#define REQUEST integer
#define DATATYPE integer
#define INFO integer
#endif
program fortran
#ifdef USE_MPI_F08
  use mpi_f08
#endif
#ifdef USE_MPI
  use mpi
#endif
  implicit none
#ifdef USE_MPIF
  include 'mpif.h'
#endif
  integer :: rank, other, err
  double precision :: from(10), to(20)

  call MPI_Init(err)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, err)
  other = 1 - rank
  from = rank + 1
  call messages()
  call requests()
  call persistent()
  call collectives()
  call in_place()
  call bottom()
  call texts()
  call MPI_Finalize(err)
  print '(a)', 'done'

contains

  subroutine check(is_good, what)
    logical, intent(in) :: is_good
    character(len=*), intent(in) :: what

    if (.not. is_good) print '(2a)', 'wrong: ', what
  end subroutine

  subroutine messages()
    STATUS :: s

    if (rank == 0) then
      call MPI_Send(from, 3, MPI_DOUBLE_PRECISION, 1, 1, MPI_COMM_WORLD IERR)
      call MPI_Send(from, 4, MPI_DOUBLE_PRECISION, 1, 2, MPI_COMM_WORLD IERR)
    else
      call MPI_Recv(to, 20, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 1, &
        MPI_COMM_WORLD, s IERR)
      call check(SOURCE(s) == 0, 'source')
      call MPI_Recv(to, 20, MPI_DOUBLE_PRECISION, 0, 2, MPI_COMM_WORLD, &
        MPI_STATUS_IGNORE IERR)
      call check(to(4) == 1, 'message')
    end if
    call MPI_Sendrecv(from, 5, MPI_DOUBLE_PRECISION, other, 3, to, 20, &
      MPI_DOUBLE_PRECISION, other, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE IERR)
    call check(to(5) == other + 1, 'exchange')
  end subroutine

  subroutine start(both, tag)
    REQUEST :: both(2)
    integer, intent(in) :: tag

    call MPI_Irecv(to, 20, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, tag, &
      MPI_COMM_WORLD, both(1) IERR)
    call MPI_Isend(from, 2, MPI_DOUBLE_PRECISION, other, tag, MPI_COMM_WORLD, &
      both(2) IERR)
  end subroutine

  subroutine requests()
    REQUEST :: both(2)
    STATUS :: s
    integer :: i, at, at_before
    logical :: is_done

    call start(both, 10)
    call MPI_Waitall(2, both, MPI_STATUSES_IGNORE IERR)
    call start(both, 11)
    at_before = -1 ! mpi_f08 of MPICH 4.0 counts from 0
    do i = 1, 2
      call MPI_Waitany(2, both, at, s IERR)
      call check(at /= at_before .and. at >= 0 .and. at <= 2, 'index')
      at_before = at
    end do
    call start(both, 12)
    call MPI_Wait(both(2), MPI_STATUS_IGNORE IERR)
    call MPI_Wait(both(1), s IERR)
    call check(SOURCE(s) == other, 'source of a request')
    call start(both, 13)
    is_done = .false.
    do while (.not. is_done)
      call MPI_Testall(2, both, is_done, MPI_STATUSES_IGNORE IERR)
    end do
    call check(both(1) == MPI_REQUEST_NULL, 'request')
  end subroutine

  subroutine persistent()
    REQUEST :: both(2)
    integer :: i, at

    call MPI_Recv_init(to, 20, MPI_DOUBLE_PRECISION, other, 20, &
      MPI_COMM_WORLD, both(1) IERR)
    call MPI_Send_init(from, 6, MPI_DOUBLE_PRECISION, other, 20, &
      MPI_COMM_WORLD, both(2) IERR)
    do i = 1, 2
      call MPI_Startall(2, both IERR)
      call MPI_Waitall(2, both, MPI_STATUSES_IGNORE IERR)
    end do
    call MPI_Startall(2, both IERR)
    do i = 1, 2
      call MPI_Waitany(2, both, at, MPI_STATUS_IGNORE IERR)
    end do
    call MPI_Request_free(both(1) IERR)
    call MPI_Request_free(both(2) IERR)
  end subroutine

  subroutine collectives()
    integer :: counts(2), places(2)

    counts = (/ 1, 2 /)
    places = (/ 0, 1 /)
    call MPI_Barrier(MPI_COMM_WORLD IERR)
    call MPI_Bcast(to, 3, MPI_DOUBLE_PRECISION, 1, MPI_COMM_WORLD IERR)
    call MPI_Allreduce(from, to, 1, MPI_DOUBLE_PRECISION, MPI_SUM, &
      MPI_COMM_WORLD IERR)
    call check(to(1) == 3, 'sum')
    call MPI_Gatherv(from, rank + 1, MPI_DOUBLE_PRECISION, to, counts, &
      places, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD IERR)
    call check(rank == 1 .or. to(3) == 2, 'gathered')
  end subroutine

  subroutine in_place()
    to(1:2) = rank + 1
    call MPI_Allreduce(MPI_IN_PLACE, to, 2, MPI_DOUBLE_PRECISION, MPI_SUM, &
      MPI_COMM_WORLD IERR)
    call check(to(2) == 3, 'sum in place')
    to(2 * rank + 1:2 * rank + 2) = rank + 1
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DOUBLE_PRECISION, to, 2, &
      MPI_DOUBLE_PRECISION, MPI_COMM_WORLD IERR)
    call check(to(1) == 1 .and. to(4) == 2, 'gathered in place')
    call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DOUBLE_PRECISION, to, 1, &
      MPI_DOUBLE_PRECISION, MPI_COMM_WORLD IERR)
    if (rank == 0) then
      call MPI_Gather(MPI_IN_PLACE, 0, MPI_DOUBLE_PRECISION, to, 3, &
        MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD IERR)
    else
      call MPI_Gather(from, 3, MPI_DOUBLE_PRECISION, to, 3, &
        MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD IERR)
    end if
    call check(rank == 1 .or. to(6) == 2, 'gathered at the root')
  end subroutine

  ! A datatype that has the address in itself.
  subroutine bottom()
    integer(kind=MPI_ADDRESS_KIND) :: places(1)
    integer :: lengths(1)
    DATATYPE :: types(1), all

    lengths(1) = 4
    types(1) = MPI_DOUBLE_PRECISION
    call MPI_Get_address(to, places(1) IERR)
    call MPI_Type_create_struct(1, lengths, places, types, all IERR)
    call MPI_Type_commit(all IERR)
    to(1:4) = 5 * rank
    call MPI_Bcast(MPI_BOTTOM, 1, all, 1, MPI_COMM_WORLD IERR)
    call check(to(4) == 5, 'bottom')
    call MPI_Type_free(all IERR)
  end subroutine

  ! Lengths of texts are arguments that nobody sees.
  subroutine texts()
    character(len=MPI_MAX_OBJECT_NAME) :: name
    character(len=8) :: value
    INFO :: set
    integer :: length
    logical :: is_there

    call MPI_Comm_set_name(MPI_COMM_WORLD, 'everybody' IERR)
    call MPI_Comm_get_name(MPI_COMM_WORLD, name, length IERR)
    call check(name == 'everybody' .and. length == 9, 'name')
    call MPI_Info_create(set IERR)
    call MPI_Info_set(set, 'key  ', 'worth' IERR)
    call MPI_Info_get(set, 'key', 8, value, is_there IERR)
    call check(is_there .and. value == 'worth', 'info')
    call MPI_Info_free(set IERR)
  end subroutine
end program
