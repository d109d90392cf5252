! SPDX-License-Identifier: BSD-3-Clause
!> Every procedure of module pdump, called as a Fortran program would.
program check_fortran
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  use pdump
  implicit none
  character(len=*), parameter :: file = 'check_fortran_dump'
  integer :: n_failed = 0

  call session_starts_and_ends()
  call errors_have_words()
  call regions_nest()
  call names_lose_trailing_blanks()
  call handles_work()
  call profiles_are_summed()
  call steps_are_counted()
  call recording_can_be_disabled()
  call parameters_split_regions()
  call rewind_discards_or_keeps()
  call user_metrics_add_up()
  call rows_lead_to_their_parents()
  call events_are_read()
  call file_reads_back()
  call nothing_recorded_after_the_end()
  call delete_files()
  if (n_failed > 0) then
    print '(i0, a)', n_failed, ' failed'
    stop 1
  end if

contains

  subroutine expect(is_true, what)
    logical, intent(in) :: is_true
    character(len=*), intent(in) :: what

    if (is_true) then
      print '(2a)', 'ok      ', what
    else
      print '(4a)', 'FAILED  ', what, '; last error: ', pdump_last_error()
      n_failed = n_failed + 1
    end if
  end subroutine

  subroutine expect_code(err, expected, what)
    integer, intent(in) :: err, expected
    character(len=*), intent(in) :: what

    if (err /= expected) print '(a, i0, a, i0)', 'got ', err, ', not ', expected
    call expect(err == expected, what)
  end subroutine

  integer(int64) function visits(path)
    character(len=*), intent(in) :: path
    type(pdump_stats) :: stats
    integer :: err

    call pdump_query(path, stats, ierr=err)
    visits = merge(stats%visits, -1_int64, err == PDUMP_OK)
  end function

  subroutine session_starts_and_ends()
    integer :: err

    call pdump_set('PDUMP_EVENTS', 'none', err)
    call expect_code(err, PDUMP_OK, 'a setting is taken')
    call pdump_set('PDUMP_CLOCK  ', 'sundial', err)
    call expect_code(err, PDUMP_EINVAL, 'a bad value is refused')
    call pdump_set('PDUMP_CLOCK', ierr=err)
    call expect_code(err, PDUMP_OK, 'a setting is taken back')
    call pdump_set('PDUMP_NONSENSE', '1', err)
    call expect_code(err, PDUMP_ENOENT, 'an unknown setting is refused')
    call pdump_set('PDUMP_FILENAME', file)
    call pdump_set('PDUMP_OVERWRITE', '1')
    call pdump_set('PDUMP_QUIET', '1')
    call expect(.not. pdump_is_active(), 'no session before init')
    call pdump_finalize(err)
    call expect_code(err, PDUMP_ESTATE, 'no end without a session')
    call pdump_init(err)
    call expect_code(err, PDUMP_OK, 'init')
    call expect(pdump_is_active(), 'a session after init')
    call pdump_set('PDUMP_EVENTS', 'none', err)
    call expect_code(err, PDUMP_ESTATE, 'no setting during a session')
  end subroutine

  subroutine errors_have_words()
    integer :: err

    call pdump_region_end('never begun', err)
    call expect_code(err, PDUMP_ESTATE, 'no end without begin')
    call expect(len(pdump_last_error()) > 0, 'the failure has a message')
    call expect(len(pdump_strerror(PDUMP_ESTATE)) > 0, 'the code has a text')
    call expect(pdump_strerror(PDUMP_ESTATE) /= pdump_strerror(PDUMP_EIO), &
      'codes have different texts')
    call expect(index(pdump_version(), '.') > 0, 'the version has a dot')
    call expect(pdump_abi_version() >= 1, 'the ABI has a version')
  end subroutine

  subroutine regions_nest()
    integer :: err

    call pdump_region_begin('outer', err)
    call expect_code(err, PDUMP_OK, 'begin')
    call pdump_region_begin('inner')
    call pdump_region_end('outer', err)
    call expect_code(err, PDUMP_ESTATE, 'crossed ends are refused')
    call pdump_region_end('inner', err)
    call expect_code(err, PDUMP_OK, 'and change nothing')
    call pdump_region_end(ierr=err)
    call expect_code(err, PDUMP_OK, 'end without a name')
    call expect(visits('/outer/inner') == 1, 'the inner region has a visit')
    call expect(visits('/inner') == -1, 'under its parent only')
    call pdump_region_begin('   ', err)
    call expect_code(err, PDUMP_EINVAL, 'a blank name is refused')
  end subroutine

  subroutine names_lose_trailing_blanks()
    character(len=40) :: name
    integer :: err

    name = ' two words'
    call pdump_region_begin(name)
    call pdump_region_end(' two words', err)
    call expect_code(err, PDUMP_OK, 'trailing blanks are no part of a name')
    call expect(visits(name) == 1, 'leading and inner ones are')
    call expect(visits('two words') == -1, 'another name is another region')
  end subroutine

  subroutine handles_work()
    integer :: id, same, err, i

    id = pdump_region_id('handle', 'check_fortran.f90', 42, err)
    call expect_code(err, PDUMP_OK, 'a region gets a number')
    call expect(id > 0, 'which is positive')
    same = pdump_region_id('handle ')
    call expect(same == id, 'the same name has the same number')
    do i = 1, 10
      call pdump_region_enter(id)
      call pdump_region_leave(id, err)
    end do
    call expect_code(err, PDUMP_OK, 'leave by number')
    call expect(visits('handle') == 10, 'ten visits by number')
    call pdump_region_leave(id, err)
    call expect_code(err, PDUMP_ESTATE, 'no leave without enter')
    id = pdump_region_id('', ierr=err)
    call expect(id == PDUMP_EINVAL .and. err == PDUMP_EINVAL, &
      'an empty name has no number')
  end subroutine

  subroutine profiles_are_summed()
    integer :: err, i

    call pdump_start_profile(err)
    call expect_code(err, PDUMP_ESTATE, 'no profile outside a region')
    call pdump_start_region('profiles', err)
    call expect_code(err, PDUMP_OK, 'a region for profiles')
    do i = 1, 3
      call pdump_start_profile(err)
      call expect_code(err, PDUMP_OK, 'a profile')
      call pdump_end_profile(err)
      call expect_code(err, PDUMP_OK, 'its end')
    end do
    call pdump_end_profile(err)
    call expect_code(err, PDUMP_ESTATE, 'no end without a profile')
    call pdump_end_region(err)
    call expect_code(err, PDUMP_OK, 'the end of the region')
    call expect(visits('profiles') == 3, 'three profiles')

    call pdump_start_region(ierr=err)
    call expect_code(err, PDUMP_OK, 'a region without a name')
    call pdump_start_profile()
    call pdump_end_profile()
    call pdump_end_region()
    call pdump_end_region(err)
    call expect_code(err, PDUMP_ESTATE, 'a region ends once')
  end subroutine

  subroutine steps_are_counted()
    integer :: err, i

    do i = 1, 4
      call pdump_start_step(err)
      call expect_code(err, PDUMP_OK, 'a step')
      call pdump_end_step()
    end do
    call pdump_end_step(err)
    call expect_code(err, PDUMP_ESTATE, 'no end without a step')
    call expect(visits('step') == 4, 'four steps')
  end subroutine

  subroutine recording_can_be_disabled()
    integer :: err

    call pdump_enable_recording(err)
    call expect_code(err, PDUMP_ESTATE, 'no enable without disable')
    call pdump_disable_recording(err)
    call expect_code(err, PDUMP_OK, 'disable')
    call pdump_disable_recording_all()
    call pdump_region_begin('unseen')
    call pdump_region_end('unseen')
    call pdump_enable_recording_all(err)
    call expect_code(err, PDUMP_OK, 'enable for all')
    call pdump_region_begin('unseen')
    call pdump_region_end('unseen')
    call pdump_enable_recording(err)
    call expect_code(err, PDUMP_OK, 'enable')
    call expect(visits('unseen') <= 0, 'nothing was recorded meanwhile')
  end subroutine

  subroutine parameters_split_regions()
    integer :: err

    call pdump_parameter('n', 1, err)
    call expect_code(err, PDUMP_ESTATE, 'no parameter outside a region')
    call with_region(1)
    call with_region(2)
    call with_region(2)
    call expect(visits('/split/n=1') == 1, 'one visit with n=1')
    call expect(visits('/split/n=2') == 2, 'two visits with n=2')
    call expect(visits('/split/n=2/big=5000000000') == 2, '64-bit values')
    call expect(visits('/split/n=2/big=5000000000/word=yes') == 2, 'words')

    call pdump_region_begin('kinds')
    call pdump_parameter_uint('u', -1)
    call pdump_parameter_uint('v', -1_int64)
    call pdump_parameter('r', 0.5_real32)
    call pdump_parameter_double('d', -0.25_real64, err)
    call expect_code(err, PDUMP_OK, 'a real parameter')
    call pdump_parameter_int('i', -7)
    call pdump_parameter_string('s', 'text  ')
    call pdump_region_end('kinds')
    call expect(visits('/kinds/u=4294967295/v=18446744073709551615/'// &
      'r=0.5/d=-0.25/i=-7/s=text') == 1, 'every kind has its text')
  end subroutine

  subroutine with_region(n)
    integer, intent(in) :: n

    call pdump_region_begin('split')
    call pdump_parameter('n', n)
    call pdump_parameter('big', 5000000000_int64)
    call pdump_parameter('word', 'yes')
    call pdump_region_end('split')
  end subroutine

  subroutine rewind_discards_or_keeps()
    integer :: err

    call pdump_rewind_begin('trial', err)
    call expect_code(err, PDUMP_OK, 'rewind')
    call pdump_region_begin('gone')
    call pdump_region_end('gone')
    call pdump_rewind_end('trial', .true., err)
    call expect_code(err, PDUMP_OK, 'its end')
    call expect(visits('gone') <= 0, 'what was discarded is gone')
    call pdump_rewind_begin('trial')
    call pdump_region_begin('kept')
    call pdump_region_end('kept')
    call pdump_rewind_end(discard=.false., ierr=err)
    call expect_code(err, PDUMP_OK, 'its end without a name')
    call expect(visits('/trial/kept') == 1, 'what was kept is there')
    call pdump_rewind_end('trial', .true., err)
    call expect_code(err, PDUMP_ESTATE, 'no end without rewind')
  end subroutine

  subroutine user_metrics_add_up()
    type(pdump_stats) :: stats
    integer :: err

    call pdump_counter_add('cells', 1, err)
    call expect_code(err, PDUMP_ESTATE, 'no metric outside a region')
    call pdump_region_begin('count')
    call pdump_counter_add('cells', 2)
    call pdump_region_begin('deeper')
    call pdump_counter_add('cells', 5000000000_int64, err)
    call expect_code(err, PDUMP_OK, 'a user metric')
    call pdump_region_end('deeper')
    call pdump_region_end('count')
    call pdump_query('/count', stats, 'cells', err)
    call expect_code(err, PDUMP_OK, 'which can be asked for')
    call expect(stats%has_value, 'it has a value')
    call expect(stats%sum == 5000000002_int64, 'its sum includes the inside')
    call expect(stats%exclusive == 2, 'its own part does not')
    call pdump_query('/count', stats, 'no such metric', err)
    call expect_code(err, PDUMP_ENOENT, 'an unknown metric is an error')
    call expect(stats%sum == 5000000002_int64, 'that changes nothing')
    call pdump_marker('here', err)
    call expect_code(err, PDUMP_OK, 'a marker, whether there are events or not')
    call pdump_marker('', err)
    call expect_code(err, PDUMP_EINVAL, 'a marker needs a name')
  end subroutine

  !> The row of \p path, or 0.
  integer(int64) function row_of(dump, path) result(i)
    type(pdump_dump), intent(in) :: dump
    character(len=*), intent(in) :: path

    do i = pdump_dump_n_rows(dump), 1, -1
      if (pdump_dump_path(dump, i) == path) return
    end do
  end function

  subroutine rows_lead_to_their_parents()
    type(pdump_dump) :: dump
    type(pdump_row) :: row
    type(pdump_metric_info) :: metric
    integer :: err

    call expect(pdump_dump_n_rows(dump) == 0, 'no rows without a dump')
    call expect(pdump_dump_n_metrics(dump) == 0, 'nor metrics')
    call pdump_thread_name('fortran', err)
    call expect_code(err, PDUMP_OK, 'the thread has a name')
    call pdump_snapshot(dump, err)
    call expect_code(err, PDUMP_OK, 'snapshot')
    call pdump_dump_metric(dump, 1, metric, err)
    call expect_code(err, PDUMP_OK, 'the first metric')
    call expect(metric%name == 'time' .and. metric%unit == 'ns', 'is time')
    call expect(metric%kind == PDUMP_COUNTER, 'which counts')
    call pdump_dump_metric(dump, 0, metric, err)
    call expect_code(err, PDUMP_ENOENT, 'no metric 0')

    call pdump_dump_row(dump, row_of(dump, 'outer/inner'), row, err)
    call expect_code(err, PDUMP_OK, 'the row of a path')
    call expect(row%region == 'inner' .and. row%depth == 1, 'has a region')
    call expect(row%visits == 1 .and. .not. row%is_open, 'and a visit')
    call expect(row%thread_name == 'fortran', 'and the thread''s name')
    call expect(row%parent == row_of(dump, 'outer'), 'and its parent')
    call pdump_dump_row(dump, row%parent, row)
    call expect(row%region == 'outer', 'that is the region around it')
    call expect(row%parent == 0, 'which has none')
    call pdump_dump_row(dump, row_of(dump, 'handle'), row)
    call expect(row%file == 'check_fortran.f90' .and. row%line == 42, &
      'a region knows where it is')
    call rows_end(dump)
    call pdump_dump_free(dump)
    call pdump_dump_free(dump)
    call expect(pdump_dump_n_rows(dump) == 0, 'a dump is freed once')
  end subroutine

  subroutine rows_end(dump)
    type(pdump_dump), intent(in) :: dump
    type(pdump_row) :: row
    type(pdump_stats) :: stats
    integer :: err

    call pdump_dump_row(dump, pdump_dump_n_rows(dump) + 1, row, err)
    call expect_code(err, PDUMP_ENOENT, 'no row after the last')
    call pdump_dump_row(dump, 0_int64, row, err)
    call expect_code(err, PDUMP_ENOENT, 'nor before the first')
    call pdump_dump_stats(dump, 1_int64, 1000, stats, err)
    call expect_code(err, PDUMP_ENOENT, 'nor figures of no metric')
    call expect(pdump_dump_path(dump, 0_int64, err) == '', 'nor a path')
    call expect(err < 0, 'which is an error')
    call others_end(dump)
  end subroutine

  subroutine others_end(dump)
    type(pdump_dump), intent(in) :: dump
    type(pdump_sample_info) :: sample
    type(pdump_detail_info) :: detail
    type(pdump_field_info) :: field
    type(pdump_detail_row_info) :: row
    integer(int64) :: value
    integer :: err

    call expect(pdump_dump_n_details(dump) == 1, 'one table of details')
    call pdump_dump_detail(dump, 1, detail, err)
    call expect_code(err, PDUMP_OK, 'of the regions with profiles')
    call expect(detail%name == 'profiles', 'which is its name')
    call pdump_dump_detail(dump, 2, detail, err)
    call expect_code(err, PDUMP_ENOENT, 'no table')
    call pdump_dump_detail_field(dump, 2, 1, field, err)
    call expect_code(err, PDUMP_ENOENT, 'no field')
    call pdump_dump_detail_row(dump, 2, 1_int64, row, err)
    call expect_code(err, PDUMP_ENOENT, 'no row of details')
    call expect(pdump_dump_detail_path(dump, 2, 1_int64, err) == '', 'no path')
    call expect(err < 0, 'which is an error, too')
    call pdump_dump_sample(dump, pdump_dump_n_samples(dump) + 1, sample, err)
    call expect_code(err, PDUMP_ENOENT, 'no sample after the last')
    value = 0
    call pdump_dump_sample_value(dump, 0_int64, 1, value, err)
    call expect_code(err, PDUMP_ENOENT, 'nor a value')
    call expect(.not. pdump_is_excluded('main'), 'there is no filter')
  end subroutine

  !> Of a file that was written by hand.
  subroutine events_are_read()
    type(pdump_dump) :: dump
    type(pdump_lane_info) :: lane
    type(pdump_event_info) :: events(2)
    type(pdump_event_place) :: place
    integer :: err, n

    call write_lines(file//'.csv', [character(80) :: &
      'process,thread,thread_name,node,region,visits', '0,3,worker,0,main,1'])
    call write_lines(file//'.meta.csv', [character(80) :: &
      'table,index,key,value', 'dump,0,format,libpdump', 'dump,0,version,1', &
      'dump,0,rows,1', 'dump,0,events,3', 'process,0,rank,2', &
      'thread,0,process,0', 'thread,0,number,3', 'thread,0,name,worker'])
    call write_lines(file//'.events.csv', [character(80) :: &
      'process,thread,time [ns],kind,node,what,value,tag', &
      '0,3,10,enter,0,,,', '0,3,15,send,0,7,4096,5', '0,3,20,leave,0,,,'])
    call pdump_load(file//'.csv', dump, err)
    call expect_code(err, 0, 'the file is read')
    call expect(pdump_dump_n_events(dump) == 3, 'three events')
    call expect(pdump_dump_n_lanes(dump) == 1, 'of one thread')
    call pdump_dump_lane(dump, 1, lane, err)
    call expect_code(err, 0, 'a lane')
    call expect(lane%process == 1 .and. lane%rank == 2 .and. &
      lane%thread == 3 .and. lane%thread_name == 'worker' .and. &
      lane%n_events == 3, 'that says whose it is')
    call pdump_dump_lane(dump, 2, lane, err)
    call expect_code(err, PDUMP_ENOENT, 'no other lane')
    call pdump_dump_events(dump, 1, place, events, n, err)
    call expect(n == 2 .and. err == 0, 'the first two')
    call expect(events(1)%kind == PDUMP_EVENT_ENTER .and. &
      events(1)%time == 10 .and. events(1)%name == 'main', 'enter main')
    call expect(events(2)%kind == PDUMP_EVENT_SEND .and. &
      events(2)%what == 7 .and. events(2)%value == 4096 .and. &
      events(2)%tag == 5 .and. events(2)%node == 0, 'send')
    call pdump_dump_events(dump, 1, place, events, n, err)
    call expect(n == 1 .and. events(1)%kind == PDUMP_EVENT_LEAVE .and. &
      events(1)%time == 20, 'the last')
    call pdump_dump_events(dump, 1, place, events, n, err)
    call expect(n == 0 .and. err == 0, 'the end')
    call pdump_dump_events(dump, 2, place, events, n, err)
    call expect_code(err, PDUMP_ENOENT, 'no events of another lane')
    call pdump_dump_free(dump)
    call delete_file(file//'.csv')
    call delete_file(file//'.meta.csv')
    call delete_file(file//'.events.csv')
  end subroutine

  subroutine write_lines(path, lines)
    character(len=*), intent(in) :: path, lines(:)
    integer :: unit, i

    open (newunit=unit, file=path, action='write', status='replace')
    do i = 1, size(lines)
      write (unit, '(a)') trim(lines(i))
    end do
    close (unit)
  end subroutine

  subroutine file_reads_back()
    type(pdump_dump) :: dump
    type(pdump_stats) :: live, stored
    integer :: err

    call pdump_query('/outer/inner', live)
    call pdump_metadata('language', 'Fortran', err)
    call expect_code(err, PDUMP_OK, 'metadata')
    call pdump_flush(err)
    call expect_code(err, PDUMP_OK, 'flush')
    call expect(pdump_is_active(), 'after which the session goes on')
    call pdump_finalize(err)
    call expect_code(err, PDUMP_OK, 'finalize')
    call pdump_load('no such file', dump, err)
    call expect(err < 0, 'a missing file is an error')
    call pdump_load(file//'.csv', dump, err)
    call expect_code(err, PDUMP_OK, 'the dump is read back')
    call pdump_dump_stats(dump, row_of(dump, 'outer/inner'), 1, stored, err)
    call expect_code(err, PDUMP_OK, 'with figures')
    call expect(stored%visits == live%visits, 'as many visits')
    call expect(stored%has_value .and. stored%sum >= 0, 'and a time')
    call pdump_load(file//'.csv', dump, err)
    call expect_code(err, PDUMP_OK, 'a dump may be replaced')
    call facts_are_there(dump)
    call pdump_dump_free(dump)
  end subroutine

  subroutine facts_are_there(dump)
    type(pdump_dump), intent(in) :: dump
    type(pdump_process_info) :: process
    type(pdump_row) :: row
    character(len=:), allocatable :: text
    integer(int64) :: n
    integer :: err, i

    call pdump_dump_row(dump, 1_int64, row)
    call expect(row%process == 1, 'the row of the first process')
    call expect(pdump_dump_n_processes(dump) == 1, 'which is the only one')
    call pdump_dump_process(dump, 1, process, err)
    call expect_code(err, PDUMP_OK, 'a process')
    call expect(process%pid == row%pid, 'with its pid')
    call expect(index(process%command, 'fortran') > 0, 'and command')
    call pdump_dump_process(dump, 2, process, err)
    call expect_code(err, PDUMP_ENOENT, 'no second one')
    call pdump_dump_metadata(dump, 'language', text, err)
    call expect_code(err, PDUMP_OK, 'metadata is there')
    call expect(text == 'Fortran', 'with its value')
    call pdump_dump_metadata(dump, 'tongue', text, err)
    call expect_code(err, PDUMP_ENOENT, 'or is not')
    do i = pdump_dump_n_metadata(dump), 1, -1
      call pdump_dump_metadata_key(dump, i, text, err)
      if (text == 'language') exit
    end do
    call expect(i > 0, 'by its key')
    call pdump_dump_metadata_key(dump, 0, text, err)
    call expect_code(err, PDUMP_ENOENT, 'from 1 on')
    call expect(pdump_dump_n_warnings(dump) > 0, 'misuse was warned about')
    call pdump_dump_warning(dump, 1, text, n, err)
    call expect(err == PDUMP_OK .and. n > 0 .and. len(text) > 0, 'in words')
    call pdump_dump_warning(dump, 1000, text, n, err)
    call expect_code(err, PDUMP_ENOENT, 'not so often')
    call dumps_are_merged(dump)
  end subroutine

  subroutine dumps_are_merged(dump)
    type(pdump_dump), intent(in) :: dump
    type(pdump_dump) :: both, none
    integer :: err

    call pdump_dump_merge([dump, dump], both, err)
    call expect_code(err, PDUMP_OK, 'merge')
    call expect(pdump_dump_n_rows(both) == 2*pdump_dump_n_rows(dump), &
      'rows of both')
    call expect(pdump_dump_n_processes(both) == 2, 'processes of both')
    call pdump_dump_merge([dump, none], both, err)
    call expect_code(err, PDUMP_EINVAL, 'not with nothing')
    call pdump_dump_free(both)
  end subroutine

  subroutine nothing_recorded_after_the_end()
    type(pdump_stats) :: stats
    integer :: err

    call pdump_region_begin('late', err)
    call expect_code(err, PDUMP_ESTATE, 'no region after the end')
    call pdump_query('outer', stats, ierr=err)
    call expect_code(err, PDUMP_ESTATE, 'nor figures')
    call pdump_init(err)
    call expect_code(err, PDUMP_OK, 'but a new session')
    call expect(visits('outer') == -1, 'which is empty')
    call pdump_finalize()
  end subroutine

  subroutine delete_files()
    call delete_file(file//'.csv')
    call delete_file(file//'.meta.csv')
    call delete_file(file//'.samples.csv')
  end subroutine

  subroutine delete_file(path)
    character(len=*), intent(in) :: path
    integer :: unit, status

    open (newunit=unit, file=path, status='old', iostat=status)
    if (status == 0) close (unit, status='delete')
  end subroutine
end program check_fortran
