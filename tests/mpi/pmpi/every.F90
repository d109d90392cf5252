! SPDX-License-Identifier: BSD-3-Clause
! Some of each kind of function, called by Fortran with mpi_f08 on 3 ranks; what
! it did is told as ledger.h tells it.  -DHAS_MPI_4: also what is new there.
module ledger
  implicit none
  integer, parameter :: most = 100
  character(len=40) :: names(most)
  integer :: figures(4, most) = 0, n_names = 0
  integer :: peers(2, 0:2, 2) = 0 ! messages and bytes; from and to

contains

  subroutine did(name, sent, got, completed)
    character(len=*), intent(in) :: name
    integer, intent(in) :: sent, got
    integer, intent(in), optional :: completed
    integer :: i

    do i = 1, n_names
      if (names(i) == name) exit
    end do
    n_names = max(n_names, i)
    names(i) = name
    figures(1:3, i) = figures(1:3, i) + (/ 1, sent, got /)
    if (present(completed)) figures(4, i) = figures(4, i) + completed
  end subroutine

  ! way: 1 from, 2 to
  subroutine met(way, peer, bytes)
    integer, intent(in) :: way, peer, bytes

    peers(:, peer, way) = peers(:, peer, way) + (/ 1, bytes /)
  end subroutine

  subroutine tell(rank)
    integer, intent(in) :: rank
    character(len=4), parameter :: ways(2) = (/ 'from', 'to  ' /)
    character(len=1) :: text
    integer :: i, way

    write (text, '(i1)') rank
    open (10, file='told.'//text)
    do i = 1, n_names
      write (10, '(3a,4(1x,i0))') trim(names(i)), '@', text, figures(:, i)
    end do
    do way = 1, 2
      do i = 0, 2
        if (peers(1, i, way) > 0) write (10, '(a,1x,a,3(1x,i0))') text, &
          trim(ways(way)), i, peers(:, i, way)
      end do
    end do
    close (10)
  end subroutine
end module

program every
  use mpi_f08
  use ledger
  implicit none
  integer, parameter :: address = MPI_ADDRESS_KIND, offset = MPI_OFFSET_KIND
  integer :: rank, left, right
  integer, asynchronous :: from(20), to(20)
  integer, target :: exposed(20)

  call PMPI_Init()
  call PMPI_Comm_rank(MPI_COMM_WORLD, rank)
  left = mod(rank + 2, 3)
  right = mod(rank + 1, 3)
  from = rank
  exposed = 0
  call messages()
  call collectives()
  call neighbours()
  call windows()
  call files()
  call communicators()
#ifdef HAS_MPI_4
  call newer()
#endif
  call tell(rank)
  call MPI_Finalize()

contains

  subroutine finish(request, got)
    type(MPI_Request), intent(inout) :: request
    integer, intent(in) :: got

    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call did('MPI_Wait', 0, got, 1)
  end subroutine

  subroutine messages()
    type(MPI_Message) :: message
    type(MPI_Request) :: request, sending
    logical :: is_there

    call MPI_Isend(from, 2, MPI_INTEGER, right, 1, MPI_COMM_WORLD, sending)
    call did('MPI_Isend', 8, 0)
    call MPI_Mprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, message, &
      MPI_STATUS_IGNORE)
    call did('MPI_Mprobe', 0, 0)
    call MPI_Mrecv(to, 20, MPI_INTEGER, message, MPI_STATUS_IGNORE)
    call did('MPI_Mrecv', 0, 8)
    call finish(sending, 0)
    call met(2, right, 8)
    call met(1, left, 8)
    call MPI_Issend(from, 3, MPI_INTEGER, right, 2, MPI_COMM_WORLD, sending)
    call did('MPI_Issend', 12, 0)
    is_there = .false.
    do while (.not. is_there)
      call MPI_Improbe(left, 2, MPI_COMM_WORLD, is_there, message, &
        MPI_STATUS_IGNORE)
      call did('MPI_Improbe', 0, 0)
    end do
    call MPI_Imrecv(to, 20, MPI_INTEGER, message, request)
    call did('MPI_Imrecv', 0, 0)
    call finish(request, 12)
    call finish(sending, 0)
    call met(2, right, 12)
    call met(1, left, 12)
  end subroutine

  subroutine collectives()
    type(MPI_Request) :: request
    integer :: counts(3), equal(3), places(3), bytes(3), own
    type(MPI_Datatype) :: types(3)

    counts = (/ 1, 2, 3 /)
    equal = rank + 1
    own = 4 * (rank + 1)
    places = (/ 0, 3, 6 /)
    bytes = 4 * places
    types = MPI_INTEGER
    call MPI_Exscan(MPI_IN_PLACE, to, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call did('MPI_Exscan', merge(8, 0, rank < 2), merge(8, 0, rank > 0))
    call MPI_Iscan(from, to, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request)
    call did('MPI_Iscan', merge(8, 0, rank < 2), merge(8, 0, rank > 0))
    call finish(request, 0)
    call MPI_Reduce_scatter(from, to, counts, MPI_INTEGER, MPI_SUM, &
      MPI_COMM_WORLD)
    call did('MPI_Reduce_scatter', 24 - own, 2 * own)
    call MPI_Ireduce_scatter_block(from, to, 2, MPI_INTEGER, MPI_SUM, &
      MPI_COMM_WORLD, request)
    call did('MPI_Ireduce_scatter_block', 16, 16)
    call finish(request, 0)
    call MPI_Alltoallv(from, counts, places, MPI_INTEGER, to, equal, places, &
      MPI_INTEGER, MPI_COMM_WORLD)
    call did('MPI_Alltoallv', 24 - own, 2 * own)
    call MPI_Alltoallw(from, counts, bytes, types, to, equal, bytes, types, &
      MPI_COMM_WORLD)
    call did('MPI_Alltoallw', 24 - own, 2 * own)
    if (rank == 1) then
      call MPI_Scatterv(from, counts, places, MPI_INTEGER, MPI_IN_PLACE, 0, &
        MPI_INTEGER, 1, MPI_COMM_WORLD)
      call did('MPI_Scatterv', 24 - own, 0)
    else
      call MPI_Scatterv(from, counts, places, MPI_INTEGER, to, rank + 1, &
        MPI_INTEGER, 1, MPI_COMM_WORLD)
      call did('MPI_Scatterv', 0, own)
    end if
    call MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_INTEGER, to, counts, places, &
      MPI_INTEGER, MPI_COMM_WORLD, request)
    call did('MPI_Iallgatherv', 2 * own, 24 - own)
    call finish(request, 0)
  end subroutine

  subroutine neighbours()
    type(MPI_Comm) :: ring
    type(MPI_Datatype) :: types(2)
    type(MPI_Request) :: request
    integer(kind=address) :: bytes(2)
    integer :: counts(2), around(2)

    counts = 1
    bytes = (/ 0, 16 /)
    types = MPI_INTEGER
    around = (/ left, right /)
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, around, &
      MPI_UNWEIGHTED, 2, around, MPI_UNWEIGHTED, MPI_INFO_NULL, .false., ring)
    call did('MPI_Dist_graph_create_adjacent', 0, 0)
    call MPI_Neighbor_allgather(from, 2, MPI_INTEGER, to, 2, MPI_INTEGER, ring)
    call did('MPI_Neighbor_allgather', 16, 16)
    call MPI_Neighbor_alltoallw(from, counts, bytes, types, to, counts, &
      bytes, types, ring)
    call did('MPI_Neighbor_alltoallw', 8, 8)
    call MPI_Ineighbor_alltoall(from, 2, MPI_INTEGER, to, 2, MPI_INTEGER, &
      ring, request)
    call did('MPI_Ineighbor_alltoall', 16, 16)
    call finish(request, 0)
    call MPI_Comm_free(ring)
    call did('MPI_Comm_free', 0, 0)
  end subroutine

  subroutine windows()
    type(MPI_Win) :: win
    type(MPI_Request) :: request
    integer(kind=address) :: place

    place = 0
    call MPI_Win_create(exposed, 80_address, 4, MPI_INFO_NULL, &
      MPI_COMM_WORLD, win)
    call did('MPI_Win_create', 0, 0)
    call MPI_Win_lock_all(0, win)
    call did('MPI_Win_lock_all', 0, 0)
    call MPI_Put(from, 3, MPI_INTEGER, right, place, 3, MPI_INTEGER, win)
    call did('MPI_Put', 12, 0)
    call met(2, right, 12)
    call MPI_Get(to, 2, MPI_INTEGER, left, 4_address, 2, MPI_INTEGER, win)
    call did('MPI_Get', 0, 8)
    call met(1, left, 8)
    call MPI_Fetch_and_op(from, to(5), MPI_INTEGER, right, 8_address, &
      MPI_NO_OP, win)
    call did('MPI_Fetch_and_op', 0, 4)
    call met(1, right, 4)
    call MPI_Rput(from, 2, MPI_INTEGER, right, 10_address, 2, MPI_INTEGER, &
      win, request)
    call did('MPI_Rput', 8, 0)
    call met(2, right, 8)
    call finish(request, 0)
    call MPI_Win_unlock_all(win)
    call did('MPI_Win_unlock_all', 0, 0)
    call MPI_Win_free(win)
    call did('MPI_Win_free', 0, 0)
  end subroutine

  subroutine files()
    type(MPI_File) :: file
    type(MPI_Request) :: request
    integer(kind=offset) :: here

    here = 20 * rank
    call MPI_File_open(MPI_COMM_WORLD, 'every.file', &
      ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_INFO_NULL, file)
    call did('MPI_File_open', 0, 0)
    call MPI_File_write_at_all(file, here, from, 5, MPI_INTEGER, &
      MPI_STATUS_IGNORE)
    call did('MPI_File_write_at_all', 20, 0)
    call MPI_File_sync(file)
    call did('MPI_File_sync', 0, 0)
    call PMPI_Barrier(MPI_COMM_WORLD)
    call MPI_File_read_at(file, 52_offset, to, 5, MPI_INTEGER, &
      MPI_STATUS_IGNORE) ! there are 60
    call did('MPI_File_read_at', 0, 8)
    call MPI_File_iread_at(file, here, to, 5, MPI_INTEGER, request)
    call did('MPI_File_iread_at', 0, 0)
    call finish(request, 20)
    call MPI_File_read_at_all_begin(file, here, to, 3, MPI_INTEGER)
    call did('MPI_File_read_at_all_begin', 0, 0)
    call MPI_File_read_at_all_end(file, to, MPI_STATUS_IGNORE)
    call did('MPI_File_read_at_all_end', 0, 12)
    call MPI_File_close(file)
    call did('MPI_File_close', 0, 0)
  end subroutine

  subroutine communicators()
    type(MPI_Comm) :: made, part, both
    type(MPI_Request) :: request
    integer :: root

    call MPI_Comm_idup(MPI_COMM_WORLD, made, request)
    call did('MPI_Comm_idup', 0, 0)
    call finish(request, 0)
    call MPI_Comm_free(made)
    call did('MPI_Comm_free', 0, 0)
    call PMPI_Comm_split(MPI_COMM_WORLD, min(rank, 1), 0, part)
    call MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, merge(1, 0, rank == 0), &
      1, both)
    call did('MPI_Intercomm_create', 0, 0)
    root = 0
    if (rank == 0) root = MPI_ROOT
    call MPI_Bcast(to, 3, MPI_INTEGER, root, both)
    call did('MPI_Bcast', merge(24, 0, rank == 0), merge(0, 12, rank == 0))
  end subroutine

#ifdef HAS_MPI_4
  subroutine newer()
    integer, parameter :: large = MPI_COUNT_KIND
    type(MPI_Request) :: in, out
    integer(kind=large) :: counts(3)
    integer(kind=address) :: places(3)
    integer :: i

    counts = 2
    places = (/ 0, 2, 4 /)
    call MPI_Sendrecv(from, 2_large, MPI_INTEGER, right, 1, to, 20_large, &
      MPI_INTEGER, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call did('MPI_Sendrecv_c', 8, 8)
    call met(2, right, 8)
    call met(1, left, 8)
    call MPI_Alltoallv(from, counts, places, MPI_INTEGER, to, counts, places, &
      MPI_INTEGER, MPI_COMM_WORLD)
    call did('MPI_Alltoallv_c', 16, 16)
    call MPI_Allreduce_init(from, to, 2, MPI_INTEGER, MPI_SUM, &
      MPI_COMM_WORLD, MPI_INFO_NULL, in)
    call did('MPI_Allreduce_init', 0, 0)
    do i = 1, 2
      call MPI_Start(in)
      call did('MPI_Start', 8, 8)
      call finish(in, 0)
    end do
    call MPI_Request_free(in)
    call did('MPI_Request_free', 0, 0)
    call MPI_Precv_init(to, 2, 3_large, MPI_INTEGER, left, 1, &
      MPI_COMM_WORLD, MPI_INFO_NULL, in)
    call did('MPI_Precv_init', 0, 0)
    call MPI_Psend_init(from, 2, 3_large, MPI_INTEGER, right, 1, &
      MPI_COMM_WORLD, MPI_INFO_NULL, out)
    call did('MPI_Psend_init', 0, 0)
    call MPI_Start(in)
    call did('MPI_Start', 0, 24)
    call MPI_Start(out)
    call did('MPI_Start', 24, 0)
    call MPI_Pready_range(0, 1, out)
    call did('MPI_Pready_range', 0, 0)
    call finish(out, 0)
    call finish(in, 0)
    call met(2, right, 24)
    call met(1, left, 24)
  end subroutine
#endif
end program
