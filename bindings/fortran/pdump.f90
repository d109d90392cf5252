! SPDX-License-Identifier: BSD-3-Clause
!> Fortran 2008 interface to libpdump: pdump.h in Fortran's manner.
!>
!> One file on purpose: it is installed as source too, because .mod files do
!> not fit another compiler than the one that made them.
!>
!> The names are C's, and so is the meaning: see libpdump(7).  Differences:
!> every `ierr` is optional and last; trailing blanks are no part of a name;
!> what may be NULL in C is an optional argument; rows and metrics of a dump
!> count from 1, and a row without parent has parent 0.
module pdump
  use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_double, &
    c_f_pointer, c_int, c_int64_t, c_loc, c_null_char, c_null_ptr, c_ptr, &
    c_size_t, c_sizeof
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  implicit none
  private

  ! enum pdump_error
  integer, parameter, public :: PDUMP_OK = 0
  integer, parameter, public :: PDUMP_ENOMEM = -1
  integer, parameter, public :: PDUMP_EINVAL = -2
  integer, parameter, public :: PDUMP_ESTATE = -3
  integer, parameter, public :: PDUMP_ESOURCE = -4
  integer, parameter, public :: PDUMP_EIO = -5
  integer, parameter, public :: PDUMP_EFORMAT = -6
  integer, parameter, public :: PDUMP_ENOENT = -7
  integer, parameter, public :: PDUMP_EPLUGIN = -8
  integer, parameter, public :: PDUMP_EPEER = -9

  ! enum pdump_metric_kind
  integer, parameter, public :: PDUMP_COUNTER = 0
  integer, parameter, public :: PDUMP_GAUGE = 1
  integer, parameter, public :: PDUMP_USER = 2

  ! enum pdump_field_kind
  integer, parameter, public :: PDUMP_FIELD_SUM = 0
  integer, parameter, public :: PDUMP_FIELD_MIN = 1
  integer, parameter, public :: PDUMP_FIELD_MAX = 2
  integer, parameter, public :: PDUMP_FIELD_REAL = 3

  !> Kinds of events.
  integer, parameter, public :: PDUMP_EVENT_ENTER = 0, PDUMP_EVENT_LEAVE = 1, &
    PDUMP_EVENT_AT = 2, PDUMP_EVENT_MARKER = 3, PDUMP_EVENT_COUNTER = 4, &
    PDUMP_EVENT_SEND = 5, PDUMP_EVENT_RECEIVE = 6, &
    PDUMP_EVENT_COLLECTIVE = 7, PDUMP_EVENT_LOST = 8, PDUMP_EVENT_IO = 9, &
    PDUMP_EVENT_KINDS = 10

  !> What a run recorded.  Copies are the same dump; free one of them.
  type, public :: pdump_dump
    private
    type(c_ptr) :: ptr = c_null_ptr
  end type

  !> A metric of a dump.
  type, public :: pdump_metric_info
    character(len=:), allocatable :: name, unit, source, about
    integer :: kind = PDUMP_COUNTER
  end type

  !> A row of a dump: a node of the region tree on one thread.
  type, public :: pdump_row
    integer :: rank = 0, thread = 0
    integer(int64) :: pid = 0
    character(len=:), allocatable :: thread_name, region, group, file
    integer :: line = 0, node = 0
    integer(int64) :: parent = 0 !< row of the parent node, 0: none
    integer :: depth = 0
    logical :: is_open = .false.
    integer(int64) :: visits = 0
    integer :: process = 0 !< for pdump_dump_process()
  end type

  !> A process of a dump.
  type, public :: pdump_process_info
    integer :: rank = 0
    integer(int64) :: pid = 0, parent = 0
    character(len=:), allocatable :: host, command, cpu, cores
  end type

  !> A visit that was kept on its own.
  type, public :: pdump_sample_info
    integer :: process = 0, rank = 0, thread = 0, node = 0
    character(len=:), allocatable :: region
    integer(int64) :: number = 0, start = 0
  end type

  !> The events of one thread.
  type, public :: pdump_lane_info
    integer :: process = 0, rank = 0, thread = 0
    character(len=:), allocatable :: thread_name
    integer(int64) :: n_events = 0
  end type

  !> What happened; \p what, \p value and \p tag are by its kind.
  type, public :: pdump_event_info
    integer(int64) :: time = 0, what = 0, value = 0, tag = 0
    integer :: kind = PDUMP_EVENT_ENTER, node = -1
    character(len=:), allocatable :: name
  end type

  !> Where pdump_dump_events() goes on; a new one is the first.
  type, public :: pdump_event_place
    private
    integer(int64) :: at = 0, time = 0, node = 0
  end type

  !> A table of details.
  type, public :: pdump_detail_info
    character(len=:), allocatable :: name, about, key
    integer :: n_fields = 0, n_values = 0
    integer(int64) :: n_rows = 0
  end type

  !> A field of a table; its values begin at \p first, from 1.
  type, public :: pdump_field_info
    character(len=:), allocatable :: name, unit
    integer :: kind = PDUMP_FIELD_SUM, width = 0, first = 0
  end type

  !> A row of a table.  \p process is 0 if it is of all ranks together.
  type, public :: pdump_detail_row_info
    integer :: process = 0, rank = 0, thread = 0, node = 0
    character(len=:), allocatable :: region, label
    integer(int64), allocatable :: values(:)
  end type

  !> The figures of one metric, in its unit.
  type, public :: pdump_stats
    logical :: has_value = .false.
    integer(int64) :: visits = 0, sum = 0, exclusive = 0, min = 0, max = 0
    real(real64) :: mean = 0, stddev = 0
  end type

  public :: pdump_strerror, pdump_last_error, pdump_version, pdump_abi_version
  public :: pdump_set, pdump_init, pdump_finalize, pdump_flush, pdump_is_active
  public :: pdump_flush_comm, pdump_pcontrol
  public :: pdump_region_begin, pdump_region_end
  public :: pdump_region_id, pdump_region_enter, pdump_region_leave
  public :: pdump_is_excluded
  public :: pdump_start_region, pdump_end_region
  public :: pdump_start_profile, pdump_end_profile
  public :: pdump_start_step, pdump_end_step
  public :: pdump_disable_recording, pdump_enable_recording
  public :: pdump_disable_recording_all, pdump_enable_recording_all
  public :: pdump_parameter, pdump_parameter_int, pdump_parameter_uint
  public :: pdump_parameter_double, pdump_parameter_string
  public :: pdump_rewind_begin, pdump_rewind_end
  public :: pdump_counter_add, pdump_marker, pdump_metadata
  public :: pdump_thread_name
  public :: pdump_snapshot, pdump_load, pdump_dump_free, pdump_query
  public :: pdump_dump_merge
  public :: pdump_dump_n_metrics, pdump_dump_n_rows
  public :: pdump_dump_n_processes, pdump_dump_process
  public :: pdump_dump_n_metadata, pdump_dump_metadata_key, pdump_dump_metadata
  public :: pdump_dump_n_warnings, pdump_dump_warning
  public :: pdump_dump_metric, pdump_dump_row, pdump_dump_stats, pdump_dump_path
  public :: pdump_dump_n_samples, pdump_dump_sample, pdump_dump_sample_value
  public :: pdump_dump_n_events, pdump_dump_n_lanes, pdump_dump_lane
  public :: pdump_dump_events
  public :: pdump_dump_n_details, pdump_dump_detail, pdump_dump_detail_field
  public :: pdump_dump_detail_row, pdump_dump_detail_path

  !> Split the current region by the value of any type.
  interface pdump_parameter
    module procedure parameter_int32, parameter_int64
    module procedure parameter_real32, parameter_real64
    module procedure pdump_parameter_string
  end interface
  interface pdump_parameter_int
    module procedure parameter_int32, parameter_int64
  end interface
  !> The bits of a Fortran integer, read as an unsigned number.
  interface pdump_parameter_uint
    module procedure parameter_uint32, parameter_uint64
  end interface
  interface pdump_parameter_double
    module procedure parameter_real32, parameter_real64
  end interface
  !> Add to a user metric in the current region.
  interface pdump_counter_add
    module procedure counter_add_int32, counter_add_int64
  end interface

  ! The structures of pdump.h as C lays them out.
  type, bind(c) :: c_metric_info
    integer(c_size_t) :: size
    type(c_ptr) :: name, unit, source, about
    integer(c_int) :: kind
  end type
  type, bind(c) :: c_row
    integer(c_size_t) :: size
    integer(c_int) :: rank, thread
    integer(c_int64_t) :: pid
    type(c_ptr) :: thread_name, region, group, file
    integer(c_int) :: line, node
    integer(c_int64_t) :: parent
    integer(c_int) :: depth, is_open
    integer(c_int64_t) :: visits
    integer(c_int) :: process
  end type
  type, bind(c) :: c_process_info
    integer(c_size_t) :: size
    integer(c_int) :: rank
    integer(c_int64_t) :: pid, parent
    type(c_ptr) :: host, command, cpu, cores
  end type
  type, bind(c) :: c_sample_info
    integer(c_size_t) :: size
    integer(c_int) :: process, rank, thread, node
    type(c_ptr) :: region
    integer(c_int64_t) :: number, start
  end type
  type, bind(c) :: c_lane_info
    integer(c_size_t) :: size
    integer(c_int) :: process, rank, thread
    type(c_ptr) :: thread_name
    integer(c_int64_t) :: n_events
  end type
  type, bind(c) :: c_event_info
    integer(c_size_t) :: size
    integer(c_int64_t) :: time, what, value, tag
    integer(c_int) :: kind, node
    type(c_ptr) :: name
  end type
  type, bind(c) :: c_event_place
    integer(c_size_t) :: size
    integer(c_int64_t) :: at, time, node
  end type
  type, bind(c) :: c_detail_info
    integer(c_size_t) :: size
    type(c_ptr) :: name, about, key
    integer(c_int) :: n_fields, n_values
    integer(c_int64_t) :: n_rows
  end type
  type, bind(c) :: c_field_info
    integer(c_size_t) :: size
    type(c_ptr) :: name, unit
    integer(c_int) :: kind, width, first
  end type
  type, bind(c) :: c_detail_row_info
    integer(c_size_t) :: size
    integer(c_int) :: process, rank, thread, node
    type(c_ptr) :: region, label, values
  end type
  type, bind(c) :: c_stats
    integer(c_size_t) :: size
    integer(c_int) :: has_value
    integer(c_int64_t) :: visits, sum, exclusive, min, max
    real(c_double) :: mean, stddev
  end type

  interface
    integer(c_size_t) function c_strlen(text) bind(c, name='strlen')
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
    end function
    type(c_ptr) function c_strerror(err) bind(c, name='pdump_strerror')
      import :: c_int, c_ptr
      integer(c_int), value :: err
    end function
    type(c_ptr) function c_last_error() bind(c, name='pdump_last_error')
      import :: c_ptr
    end function
    type(c_ptr) function c_version() bind(c, name='pdump_version')
      import :: c_ptr
    end function
    integer(c_int) function c_abi_version() bind(c, name='pdump_abi_version')
      import :: c_int
    end function

    integer(c_int) function c_set(name, value) bind(c, name='pdump_set')
      import :: c_char, c_int, c_ptr
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr), value :: value
    end function
    integer(c_int) function c_init() bind(c, name='pdump_init')
      import :: c_int
    end function
    integer(c_int) function c_finalize() bind(c, name='pdump_finalize')
      import :: c_int
    end function
    integer(c_int) function c_flush_comm(comm, name, len) &
      bind(c, name='pdump_flush_comm_f')
      import :: c_int, c_char, c_size_t
      integer(c_int), value :: comm
      character(kind=c_char), intent(in) :: name(*)
      integer(c_size_t), value :: len
    end function
    integer(c_int) function c_pcontrol(level) bind(c, name='pdump_pcontrol')
      import :: c_int
      integer(c_int), value :: level
    end function
    integer(c_int) function c_flush() bind(c, name='pdump_flush')
      import :: c_int
    end function
    integer(c_int) function c_is_active() bind(c, name='pdump_is_active')
      import :: c_int
    end function

    integer(c_int) function c_region_begin_n(name, n) &
      bind(c, name='pdump_region_begin_n')
      import :: c_char, c_int, c_size_t
      character(kind=c_char), intent(in) :: name(*)
      integer(c_size_t), value :: n
    end function
    integer(c_int) function c_region_end(name) bind(c, name='pdump_region_end')
      import :: c_int, c_ptr
      type(c_ptr), value :: name
    end function
    integer(c_int) function c_region_end_n(name, n) &
      bind(c, name='pdump_region_end_n')
      import :: c_char, c_int, c_size_t
      character(kind=c_char), intent(in) :: name(*)
      integer(c_size_t), value :: n
    end function
    integer(c_int) function c_region_id(name, file, line) &
      bind(c, name='pdump_region_id')
      import :: c_char, c_int, c_ptr
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr), value :: file
      integer(c_int), value :: line
    end function
    integer(c_int) function c_region_enter(id) &
      bind(c, name='pdump_region_enter')
      import :: c_int
      integer(c_int), value :: id
    end function
    integer(c_int) function c_region_leave(id) &
      bind(c, name='pdump_region_leave')
      import :: c_int
      integer(c_int), value :: id
    end function

    integer(c_int) function c_start_region_n(name, n) &
      bind(c, name='pdump_start_region_n')
      import :: c_char, c_int, c_size_t
      character(kind=c_char), intent(in) :: name(*)
      integer(c_size_t), value :: n
    end function
    integer(c_int) function c_start_profile() &
      bind(c, name='pdump_start_profile')
      import :: c_int
    end function
    integer(c_int) function c_end_profile() bind(c, name='pdump_end_profile')
      import :: c_int
    end function
    integer(c_int) function c_end_region() bind(c, name='pdump_end_region')
      import :: c_int
    end function
    integer(c_int) function c_start_step() bind(c, name='pdump_start_step')
      import :: c_int
    end function
    integer(c_int) function c_end_step() bind(c, name='pdump_end_step')
      import :: c_int
    end function

    integer(c_int) function c_disable() bind(c, name='pdump_disable_recording')
      import :: c_int
    end function
    integer(c_int) function c_enable() bind(c, name='pdump_enable_recording')
      import :: c_int
    end function
    integer(c_int) function c_disable_all() &
      bind(c, name='pdump_disable_recording_all')
      import :: c_int
    end function
    integer(c_int) function c_enable_all() &
      bind(c, name='pdump_enable_recording_all')
      import :: c_int
    end function
    integer(c_int) function c_parameter_int(name, value) &
      bind(c, name='pdump_parameter_int')
      import :: c_char, c_int, c_int64_t
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int64_t), value :: value
    end function
    integer(c_int) function c_parameter_uint(name, value) &
      bind(c, name='pdump_parameter_uint')
      import :: c_char, c_int, c_int64_t
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int64_t), value :: value
    end function
    integer(c_int) function c_parameter_double(name, value) &
      bind(c, name='pdump_parameter_double')
      import :: c_char, c_double, c_int
      character(kind=c_char), intent(in) :: name(*)
      real(c_double), value :: value
    end function
    integer(c_int) function c_parameter_string(name, value) &
      bind(c, name='pdump_parameter_string')
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: name(*), value(*)
    end function
    integer(c_int) function c_rewind_begin(name) &
      bind(c, name='pdump_rewind_begin')
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: name(*)
    end function
    integer(c_int) function c_rewind_end(name, discard) &
      bind(c, name='pdump_rewind_end')
      import :: c_int, c_ptr
      type(c_ptr), value :: name
      integer(c_int), value :: discard
    end function
    integer(c_int) function c_counter_add(name, value) &
      bind(c, name='pdump_counter_add')
      import :: c_char, c_int, c_int64_t
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int64_t), value :: value
    end function
    integer(c_int) function c_marker(name) bind(c, name='pdump_marker')
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: name(*)
    end function
    integer(c_int) function c_metadata(key, value) &
      bind(c, name='pdump_metadata')
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: key(*), value(*)
    end function
    integer(c_int) function c_thread_name(name) &
      bind(c, name='pdump_thread_name')
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: name(*)
    end function

    integer(c_int) function c_snapshot(dump) bind(c, name='pdump_snapshot')
      import :: c_int, c_ptr
      type(c_ptr), intent(out) :: dump
    end function
    integer(c_int) function c_load(path, dump) bind(c, name='pdump_load')
      import :: c_char, c_int, c_ptr
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), intent(out) :: dump
    end function
    subroutine c_dump_free(dump) bind(c, name='pdump_dump_free')
      import :: c_ptr
      type(c_ptr), value :: dump
    end subroutine
    integer(c_int) function c_dump_n_metrics(dump) &
      bind(c, name='pdump_dump_n_metrics')
      import :: c_int, c_ptr
      type(c_ptr), value :: dump
    end function
    integer(c_int64_t) function c_dump_n_rows(dump) &
      bind(c, name='pdump_dump_n_rows')
      import :: c_int64_t, c_ptr
      type(c_ptr), value :: dump
    end function
    integer(c_int) function c_dump_merge(dumps, n, dump) &
      bind(c, name='pdump_dump_merge')
      import :: c_int, c_ptr
      type(c_ptr), intent(in) :: dumps(*)
      integer(c_int), value :: n
      type(c_ptr), intent(out) :: dump
    end function
    integer(c_int) function c_dump_n_processes(dump) &
      bind(c, name='pdump_dump_n_processes')
      import :: c_int, c_ptr
      type(c_ptr), value :: dump
    end function
    integer(c_int) function c_dump_process(dump, i, process) &
      bind(c, name='pdump_dump_process')
      import :: c_int, c_process_info, c_ptr
      type(c_ptr), value :: dump
      integer(c_int), value :: i
      type(c_process_info), intent(inout) :: process
    end function
    integer(c_int) function c_dump_n_metadata(dump) &
      bind(c, name='pdump_dump_n_metadata')
      import :: c_int, c_ptr
      type(c_ptr), value :: dump
    end function
    type(c_ptr) function c_dump_metadata_key(dump, i) &
      bind(c, name='pdump_dump_metadata_key')
      import :: c_int, c_ptr
      type(c_ptr), value :: dump
      integer(c_int), value :: i
    end function
    type(c_ptr) function c_dump_metadata(dump, key) &
      bind(c, name='pdump_dump_metadata')
      import :: c_char, c_ptr
      type(c_ptr), value :: dump
      character(kind=c_char), intent(in) :: key(*)
    end function
    integer(c_int) function c_dump_n_warnings(dump) &
      bind(c, name='pdump_dump_n_warnings')
      import :: c_int, c_ptr
      type(c_ptr), value :: dump
    end function
    type(c_ptr) function c_dump_warning(dump, i, n) &
      bind(c, name='pdump_dump_warning')
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: dump
      integer(c_int), value :: i
      integer(c_int64_t), intent(out) :: n
    end function
    integer(c_int) function c_dump_metric(dump, i, metric) &
      bind(c, name='pdump_dump_metric')
      import :: c_int, c_metric_info, c_ptr
      type(c_ptr), value :: dump
      integer(c_int), value :: i
      type(c_metric_info), intent(inout) :: metric
    end function
    integer(c_int) function c_dump_row(dump, i, row) &
      bind(c, name='pdump_dump_row')
      import :: c_int, c_int64_t, c_ptr, c_row
      type(c_ptr), value :: dump
      integer(c_int64_t), value :: i
      type(c_row), intent(inout) :: row
    end function
    integer(c_int) function c_dump_stats(dump, row, metric, stats) &
      bind(c, name='pdump_dump_stats')
      import :: c_int, c_int64_t, c_ptr, c_stats
      type(c_ptr), value :: dump
      integer(c_int64_t), value :: row
      integer(c_int), value :: metric
      type(c_stats), intent(inout) :: stats
    end function
    integer(c_int64_t) function c_dump_path(dump, row, buffer, n) &
      bind(c, name='pdump_dump_path')
      import :: c_char, c_int64_t, c_ptr, c_size_t
      type(c_ptr), value :: dump
      integer(c_int64_t), value :: row
      character(kind=c_char), intent(out) :: buffer(*)
      integer(c_size_t), value :: n
    end function
    integer(c_int) function c_is_excluded(name, file) &
      bind(c, name='pdump_is_excluded')
      import :: c_char, c_int, c_ptr
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr), value :: file
    end function
    integer(c_int64_t) function c_dump_n_samples(dump) &
      bind(c, name='pdump_dump_n_samples')
      import :: c_int64_t, c_ptr
      type(c_ptr), value :: dump
    end function
    integer(c_int) function c_dump_sample(dump, i, sample) &
      bind(c, name='pdump_dump_sample')
      import :: c_int, c_int64_t, c_ptr, c_sample_info
      type(c_ptr), value :: dump
      integer(c_int64_t), value :: i
      type(c_sample_info), intent(inout) :: sample
    end function
    integer(c_int) function c_dump_sample_value(dump, i, metric, value) &
      bind(c, name='pdump_dump_sample_value')
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: dump
      integer(c_int64_t), value :: i
      integer(c_int), value :: metric
      integer(c_int64_t), intent(inout) :: value
    end function
    integer(c_int64_t) function c_dump_n_events(dump) &
      bind(c, name='pdump_dump_n_events')
      import :: c_int64_t, c_ptr
      type(c_ptr), value :: dump
    end function
    integer(c_int) function c_dump_n_lanes(dump) &
      bind(c, name='pdump_dump_n_lanes')
      import :: c_int, c_ptr
      type(c_ptr), value :: dump
    end function
    integer(c_int) function c_dump_lane(dump, i, lane) &
      bind(c, name='pdump_dump_lane')
      import :: c_int, c_lane_info, c_ptr
      type(c_ptr), value :: dump
      integer(c_int), value :: i
      type(c_lane_info), intent(inout) :: lane
    end function
    integer(c_int64_t) function c_dump_events(dump, lane, place, events, n) &
      bind(c, name='pdump_dump_events')
      import :: c_event_info, c_event_place, c_int, c_int64_t, c_ptr
      type(c_ptr), value :: dump
      integer(c_int), value :: lane
      type(c_event_place), intent(inout) :: place
      type(c_event_info), intent(inout) :: events(*)
      integer(c_int64_t), value :: n
    end function
    integer(c_int) function c_dump_n_details(dump) &
      bind(c, name='pdump_dump_n_details')
      import :: c_int, c_ptr
      type(c_ptr), value :: dump
    end function
    integer(c_int) function c_dump_detail(dump, i, detail) &
      bind(c, name='pdump_dump_detail')
      import :: c_detail_info, c_int, c_ptr
      type(c_ptr), value :: dump
      integer(c_int), value :: i
      type(c_detail_info), intent(inout) :: detail
    end function
    integer(c_int) function c_dump_detail_field(dump, detail, i, field) &
      bind(c, name='pdump_dump_detail_field')
      import :: c_field_info, c_int, c_ptr
      type(c_ptr), value :: dump
      integer(c_int), value :: detail, i
      type(c_field_info), intent(inout) :: field
    end function
    integer(c_int) function c_dump_detail_row(dump, detail, i, row) &
      bind(c, name='pdump_dump_detail_row')
      import :: c_detail_row_info, c_int, c_int64_t, c_ptr
      type(c_ptr), value :: dump
      integer(c_int), value :: detail
      integer(c_int64_t), value :: i
      type(c_detail_row_info), intent(inout) :: row
    end function
    integer(c_int64_t) function c_dump_detail_path(dump, detail, i, buffer, &
      n) bind(c, name='pdump_dump_detail_path')
      import :: c_char, c_int, c_int64_t, c_ptr, c_size_t
      type(c_ptr), value :: dump
      integer(c_int), value :: detail
      integer(c_int64_t), value :: i
      character(kind=c_char), intent(out) :: buffer(*)
      integer(c_size_t), value :: n
    end function
    integer(c_int) function c_query(path, metric, stats) &
      bind(c, name='pdump_query')
      import :: c_char, c_int, c_ptr, c_stats
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), value :: metric
      type(c_stats), intent(inout) :: stats
    end function
  end interface

contains

  ! Errors

  !> What the code \p err means, in words.
  function pdump_strerror(err) result(text)
    integer, intent(in) :: err
    character(len=:), allocatable :: text

    call from_c(c_strerror(int(err, c_int)), text)
  end function

  !> What went wrong in this thread's last failed call; empty if nothing.
  function pdump_last_error() result(text)
    character(len=:), allocatable :: text

    call from_c(c_last_error(), text)
  end function

  !> The release of the library.
  function pdump_version() result(text)
    character(len=:), allocatable :: text

    call from_c(c_version(), text)
  end function

  integer function pdump_abi_version()
    pdump_abi_version = int(c_abi_version())
  end function

  ! The session

  !> Choose a setting before the session starts; no \p value: take it back.
  subroutine pdump_set(name, value, ierr)
    character(len=*), intent(in) :: name
    character(len=*), intent(in), optional :: value
    integer, intent(out), optional :: ierr
    character(kind=c_char), allocatable, target :: buffer(:)
    type(c_ptr) :: c_value

    call to_c(value, buffer, c_value)
    call give(c_set(terminated(name), c_value), ierr)
  end subroutine

  !> Start a session, unless there is one.
  subroutine pdump_init(ierr)
    integer, intent(out), optional :: ierr

    call give(c_init(), ierr)
  end subroutine

  !> End the session and write the dump.
  subroutine pdump_finalize(ierr)
    integer, intent(out), optional :: ierr

    call give(c_finalize(), ierr)
  end subroutine

  !> Write what is recorded until now, and go on.
  subroutine pdump_flush(ierr)
    integer, intent(out), optional :: ierr

    call give(c_flush(), ierr)
  end subroutine

  !> The same of all ranks of a communicator (mpi_f08: comm%mpi_val), to one
  !> file, called \p name if that is there.  Collective.
  subroutine pdump_flush_comm(comm, name, ierr)
    integer, intent(in) :: comm
    character(len=*), intent(in), optional :: name
    integer, intent(out), optional :: ierr

    if (present(name)) then
      call give(c_flush_comm(int(comm, c_int), name, &
        int(len_trim(name), c_size_t)), ierr)
    else
      call give(c_flush_comm(int(comm, c_int), ' ', 0_c_size_t), ierr)
    end if
  end subroutine

  !> What MPI_Pcontrol means: 0 pause, 1 resume, 2 the next step.
  subroutine pdump_pcontrol(level, ierr)
    integer, intent(in) :: level
    integer, intent(out), optional :: ierr

    call give(c_pcontrol(int(level, c_int)), ierr)
  end subroutine

  logical function pdump_is_active()
    pdump_is_active = c_is_active() /= 0
  end function

  ! Regions

  !> Enter region \p name.
  subroutine pdump_region_begin(name, ierr)
    character(len=*), intent(in) :: name
    integer, intent(out), optional :: ierr

    call give(c_region_begin_n(name, int(len_trim(name), c_size_t)), ierr)
  end subroutine

  !> Leave region \p name; without a name, the innermost one.
  subroutine pdump_region_end(name, ierr)
    character(len=*), intent(in), optional :: name
    integer, intent(out), optional :: ierr

    if (present(name)) then
      call give(c_region_end_n(name, int(len_trim(name), c_size_t)), ierr)
    else
      call give(c_region_end(c_null_ptr), ierr)
    end if
  end subroutine

  !> The number of region \p name, for pdump_region_enter(); negative if that
  !> failed, and then \p ierr has the same value, else 0.
  integer function pdump_region_id(name, file, line, ierr) result(id)
    character(len=*), intent(in) :: name
    character(len=*), intent(in), optional :: file
    integer, intent(in), optional :: line
    integer, intent(out), optional :: ierr
    character(kind=c_char), allocatable, target :: buffer(:)
    type(c_ptr) :: c_file
    integer(c_int) :: c_line

    c_line = 0
    if (present(line)) c_line = int(line, c_int)
    call to_c(file, buffer, c_file)
    id = int(c_region_id(terminated(name), c_file, c_line))
    call give(int(min(id, 0), c_int), ierr)
  end function

  !> Does the filter exclude regions called \p name?
  logical function pdump_is_excluded(name, file, ierr) result(is_so)
    character(len=*), intent(in) :: name
    character(len=*), intent(in), optional :: file
    integer, intent(out), optional :: ierr
    character(kind=c_char), allocatable, target :: buffer(:)
    type(c_ptr) :: c_file
    integer(c_int) :: answer

    call to_c(file, buffer, c_file)
    answer = c_is_excluded(terminated(name), c_file)
    is_so = answer > 0
    call give(min(answer, 0_c_int), ierr)
  end function

  !> As pdump_region_begin(), by number.
  subroutine pdump_region_enter(id, ierr)
    integer, intent(in) :: id
    integer, intent(out), optional :: ierr

    call give(c_region_enter(int(id, c_int)), ierr)
  end subroutine

  !> As pdump_region_end(), by number.
  subroutine pdump_region_leave(id, ierr)
    integer, intent(in) :: id
    integer, intent(out), optional :: ierr

    call give(c_region_leave(int(id, c_int)), ierr)
  end subroutine

  ! Regions with profiles, and steps

  !> Open region \p name; without a name, or a blank one: "region_N".
  subroutine pdump_start_region(name, ierr)
    character(len=*), intent(in), optional :: name
    integer, intent(out), optional :: ierr

    if (present(name)) then
      call give(c_start_region_n(name, int(len_trim(name), c_size_t)), ierr)
    else
      call give(c_start_region_n('', 0_c_size_t), ierr)
    end if
  end subroutine

  !> Start counting in the open region.
  subroutine pdump_start_profile(ierr)
    integer, intent(out), optional :: ierr

    call give(c_start_profile(), ierr)
  end subroutine

  !> Stop counting and keep the values as one sample.
  subroutine pdump_end_profile(ierr)
    integer, intent(out), optional :: ierr

    call give(c_end_profile(), ierr)
  end subroutine

  !> Close the region of pdump_start_region().
  subroutine pdump_end_region(ierr)
    integer, intent(out), optional :: ierr

    call give(c_end_region(), ierr)
  end subroutine

  !> Start the next time step of this thread.
  subroutine pdump_start_step(ierr)
    integer, intent(out), optional :: ierr

    call give(c_start_step(), ierr)
  end subroutine

  !> End the step.
  subroutine pdump_end_step(ierr)
    integer, intent(out), optional :: ierr

    call give(c_end_step(), ierr)
  end subroutine

  ! Control and detail

  !> Stop recording on the calling thread until the matching enable.
  subroutine pdump_disable_recording(ierr)
    integer, intent(out), optional :: ierr

    call give(c_disable(), ierr)
  end subroutine

  !> Undo one disable.
  subroutine pdump_enable_recording(ierr)
    integer, intent(out), optional :: ierr

    call give(c_enable(), ierr)
  end subroutine

  !> As pdump_disable_recording(), for every thread.
  subroutine pdump_disable_recording_all(ierr)
    integer, intent(out), optional :: ierr

    call give(c_disable_all(), ierr)
  end subroutine

  !> Undo one pdump_disable_recording_all().
  subroutine pdump_enable_recording_all(ierr)
    integer, intent(out), optional :: ierr

    call give(c_enable_all(), ierr)
  end subroutine

  subroutine parameter_int64(name, value, ierr)
    character(len=*), intent(in) :: name
    integer(int64), intent(in) :: value
    integer, intent(out), optional :: ierr

    call give(c_parameter_int(terminated(name), value), ierr)
  end subroutine

  subroutine parameter_int32(name, value, ierr)
    character(len=*), intent(in) :: name
    integer(int32), intent(in) :: value
    integer, intent(out), optional :: ierr

    call parameter_int64(name, int(value, int64), ierr)
  end subroutine

  subroutine parameter_uint64(name, value, ierr)
    character(len=*), intent(in) :: name
    integer(int64), intent(in) :: value
    integer, intent(out), optional :: ierr

    call give(c_parameter_uint(terminated(name), value), ierr)
  end subroutine

  subroutine parameter_uint32(name, value, ierr)
    character(len=*), intent(in) :: name
    integer(int32), intent(in) :: value
    integer, intent(out), optional :: ierr

    ! A negative number must not become a longer one by its sign.
    call parameter_uint64(name, ibits(int(value, int64), 0, 32), ierr)
  end subroutine

  subroutine parameter_real64(name, value, ierr)
    character(len=*), intent(in) :: name
    real(real64), intent(in) :: value
    integer, intent(out), optional :: ierr

    call give(c_parameter_double(terminated(name), value), ierr)
  end subroutine

  subroutine parameter_real32(name, value, ierr)
    character(len=*), intent(in) :: name
    real(real32), intent(in) :: value
    integer, intent(out), optional :: ierr

    call parameter_real64(name, real(value, real64), ierr)
  end subroutine

  subroutine pdump_parameter_string(name, value, ierr)
    character(len=*), intent(in) :: name, value
    integer, intent(out), optional :: ierr

    call give(c_parameter_string(terminated(name), terminated(value)), ierr)
  end subroutine

  !> Begin a region whose subtree may be thrown away at its end.
  subroutine pdump_rewind_begin(name, ierr)
    character(len=*), intent(in) :: name
    integer, intent(out), optional :: ierr

    call give(c_rewind_begin(terminated(name)), ierr)
  end subroutine

  !> End the rewind region \p name (absent: the innermost); \p discard it?
  subroutine pdump_rewind_end(name, discard, ierr)
    character(len=*), intent(in), optional :: name
    logical, intent(in) :: discard
    integer, intent(out), optional :: ierr
    character(kind=c_char), allocatable, target :: buffer(:)
    type(c_ptr) :: c_name

    call to_c(name, buffer, c_name)
    call give(c_rewind_end(c_name, merge(1_c_int, 0_c_int, discard)), ierr)
  end subroutine

  subroutine counter_add_int64(name, value, ierr)
    character(len=*), intent(in) :: name
    integer(int64), intent(in) :: value
    integer, intent(out), optional :: ierr

    call give(c_counter_add(terminated(name), value), ierr)
  end subroutine

  subroutine counter_add_int32(name, value, ierr)
    character(len=*), intent(in) :: name
    integer(int32), intent(in) :: value
    integer, intent(out), optional :: ierr

    call counter_add_int64(name, int(value, int64), ierr)
  end subroutine

  !> Mark this moment on the timeline (PDUMP_RECORD=events).
  subroutine pdump_marker(name, ierr)
    character(len=*), intent(in) :: name
    integer, intent(out), optional :: ierr

    call give(c_marker(terminated(name)), ierr)
  end subroutine

  !> Note a fact about the run in the dump.
  subroutine pdump_metadata(key, value, ierr)
    character(len=*), intent(in) :: key, value
    integer, intent(out), optional :: ierr

    call give(c_metadata(terminated(key), terminated(value)), ierr)
  end subroutine

  !> Give the calling thread a name for reports.
  subroutine pdump_thread_name(name, ierr)
    character(len=*), intent(in) :: name
    integer, intent(out), optional :: ierr

    call give(c_thread_name(terminated(name)), ierr)
  end subroutine

  ! Results

  !> What is recorded until now.  A dump that was in \p dump is freed.
  subroutine pdump_snapshot(dump, ierr)
    type(pdump_dump), intent(inout) :: dump
    integer, intent(out), optional :: ierr
    type(c_ptr) :: fresh
    integer(c_int) :: err

    err = c_snapshot(fresh)
    if (err >= 0) call replace(dump, fresh)
    call give(err, ierr)
  end subroutine

  !> Read a file that libpdump wrote.  A dump that was in \p dump is freed.
  subroutine pdump_load(path, dump, ierr)
    character(len=*), intent(in) :: path
    type(pdump_dump), intent(inout) :: dump
    integer, intent(out), optional :: ierr
    type(c_ptr) :: fresh
    integer(c_int) :: err

    err = c_load(terminated(path), fresh)
    if (err >= 0) call replace(dump, fresh)
    call give(err, ierr)
  end subroutine

  !> Several dumps as one.  A dump that was in \p merged is freed.
  subroutine pdump_dump_merge(dumps, merged, ierr)
    type(pdump_dump), intent(in) :: dumps(:)
    type(pdump_dump), intent(inout) :: merged
    integer, intent(out), optional :: ierr
    type(c_ptr) :: ptrs(size(dumps)), fresh
    integer(c_int) :: err
    integer :: i

    do i = 1, size(dumps)
      ptrs(i) = dumps(i)%ptr
    end do
    err = c_dump_merge(ptrs, int(size(dumps), c_int), fresh)
    if (err >= 0) call replace(merged, fresh)
    call give(err, ierr)
  end subroutine

  subroutine pdump_dump_free(dump)
    type(pdump_dump), intent(inout) :: dump

    call replace(dump, c_null_ptr)
  end subroutine

  integer function pdump_dump_n_metrics(dump) result(n)
    type(pdump_dump), intent(in) :: dump

    n = int(c_dump_n_metrics(dump%ptr))
  end function

  integer(int64) function pdump_dump_n_rows(dump) result(n)
    type(pdump_dump), intent(in) :: dump

    n = c_dump_n_rows(dump%ptr)
  end function

  integer function pdump_dump_n_processes(dump) result(n)
    type(pdump_dump), intent(in) :: dump

    n = int(c_dump_n_processes(dump%ptr))
  end function

  !> Process \p i, from 1.  PDUMP_ENOENT if there is none.
  subroutine pdump_dump_process(dump, i, process, ierr)
    type(pdump_dump), intent(in) :: dump
    integer, intent(in) :: i
    type(pdump_process_info), intent(inout) :: process
    integer, intent(out), optional :: ierr
    type(c_process_info) :: c
    integer(c_int) :: err

    c%size = c_sizeof(c)
    err = c_dump_process(dump%ptr, int(i - 1, c_int), c)
    call give(err, ierr)
    if (err < 0) return
    process%rank = int(c%rank)
    process%pid = c%pid
    process%parent = c%parent
    call from_c(c%host, process%host)
    call from_c(c%command, process%command)
    call from_c(c%cpu, process%cpu)
    call from_c(c%cores, process%cores)
  end subroutine

  integer function pdump_dump_n_metadata(dump) result(n)
    type(pdump_dump), intent(in) :: dump

    n = int(c_dump_n_metadata(dump%ptr))
  end function

  !> Key \p i of the metadata, from 1.  PDUMP_ENOENT if there is none.
  subroutine pdump_dump_metadata_key(dump, i, key, ierr)
    type(pdump_dump), intent(in) :: dump
    integer, intent(in) :: i
    character(len=:), allocatable, intent(out) :: key
    integer, intent(out), optional :: ierr

    call found(c_dump_metadata_key(dump%ptr, int(i - 1, c_int)), key, ierr)
  end subroutine

  !> The value of a key of the metadata.  PDUMP_ENOENT if it has none.
  subroutine pdump_dump_metadata(dump, key, value, ierr)
    type(pdump_dump), intent(in) :: dump
    character(len=*), intent(in) :: key
    character(len=:), allocatable, intent(out) :: value
    integer, intent(out), optional :: ierr

    call found(c_dump_metadata(dump%ptr, terminated(key)), value, ierr)
  end subroutine

  integer function pdump_dump_n_warnings(dump) result(n)
    type(pdump_dump), intent(in) :: dump

    n = int(c_dump_n_warnings(dump%ptr))
  end function

  !> Warning \p i, from 1, and how often it came.  PDUMP_ENOENT if there is
  !> none.
  subroutine pdump_dump_warning(dump, i, text, n, ierr)
    type(pdump_dump), intent(in) :: dump
    integer, intent(in) :: i
    character(len=:), allocatable, intent(out) :: text
    integer(int64), intent(out) :: n
    integer, intent(out), optional :: ierr

    n = 0
    call found(c_dump_warning(dump%ptr, int(i - 1, c_int), n), text, ierr)
  end subroutine

  !> Metric \p i, from 1.  PDUMP_ENOENT if there is none.
  subroutine pdump_dump_metric(dump, i, metric, ierr)
    type(pdump_dump), intent(in) :: dump
    integer, intent(in) :: i
    type(pdump_metric_info), intent(inout) :: metric
    integer, intent(out), optional :: ierr
    type(c_metric_info) :: c
    integer(c_int) :: err

    c%size = c_sizeof(c)
    err = c_dump_metric(dump%ptr, int(i - 1, c_int), c)
    call give(err, ierr)
    if (err < 0) return
    call from_c(c%name, metric%name)
    call from_c(c%unit, metric%unit)
    call from_c(c%source, metric%source)
    call from_c(c%about, metric%about)
    metric%kind = int(c%kind)
  end subroutine

  !> Row \p i, from 1.  PDUMP_ENOENT if there is none.
  subroutine pdump_dump_row(dump, i, row, ierr)
    type(pdump_dump), intent(in) :: dump
    integer(int64), intent(in) :: i
    type(pdump_row), intent(inout) :: row
    integer, intent(out), optional :: ierr
    type(c_row) :: c
    integer(c_int) :: err

    c%size = c_sizeof(c)
    err = c_dump_row(dump%ptr, i - 1, c)
    call give(err, ierr)
    if (err < 0) return
    row%rank = int(c%rank)
    row%thread = int(c%thread)
    row%pid = c%pid
    call from_c(c%thread_name, row%thread_name)
    call from_c(c%region, row%region)
    call from_c(c%group, row%group)
    call from_c(c%file, row%file)
    row%line = int(c%line)
    row%node = int(c%node)
    row%parent = c%parent + 1
    row%depth = int(c%depth)
    row%is_open = c%is_open /= 0
    row%visits = c%visits
    row%process = int(c%process) + 1
  end subroutine

  !> The figures of row \p row and metric \p metric, both from 1.
  subroutine pdump_dump_stats(dump, row, metric, stats, ierr)
    type(pdump_dump), intent(in) :: dump
    integer(int64), intent(in) :: row
    integer, intent(in) :: metric
    type(pdump_stats), intent(inout) :: stats
    integer, intent(out), optional :: ierr
    type(c_stats) :: c
    integer(c_int) :: err

    c%size = c_sizeof(c)
    err = c_dump_stats(dump%ptr, row - 1, int(metric - 1, c_int), c)
    if (err >= 0) stats = from_c_stats(c)
    call give(err, ierr)
  end subroutine

  !> The path of row \p row, "main/solve".  Empty if that failed.
  function pdump_dump_path(dump, row, ierr) result(path)
    type(pdump_dump), intent(in) :: dump
    integer(int64), intent(in) :: row
    integer, intent(out), optional :: ierr
    character(len=:), allocatable :: path
    character(kind=c_char), allocatable, target :: buffer(:)
    type(c_ptr) :: start
    integer(c_int64_t) :: n

    allocate (buffer(1))
    n = c_dump_path(dump%ptr, row - 1, buffer, 1_c_size_t)
    call give(int(min(n, 0_c_int64_t), c_int), ierr)
    path = ''
    if (n < 0) return
    deallocate (buffer)
    allocate (buffer(n + 1))
    n = c_dump_path(dump%ptr, row - 1, buffer, int(n + 1, c_size_t))
    ! As an argument, c_loc(buffer) makes gfortran 12 pass a wrong length.
    start = c_loc(buffer)
    call from_c(start, path)
  end function

  integer(int64) function pdump_dump_n_samples(dump) result(n)
    type(pdump_dump), intent(in) :: dump

    n = c_dump_n_samples(dump%ptr)
  end function

  !> Sample \p i, from 1.  PDUMP_ENOENT if there is none.
  subroutine pdump_dump_sample(dump, i, sample, ierr)
    type(pdump_dump), intent(in) :: dump
    integer(int64), intent(in) :: i
    type(pdump_sample_info), intent(inout) :: sample
    integer, intent(out), optional :: ierr
    type(c_sample_info) :: c
    integer(c_int) :: err

    c%size = c_sizeof(c)
    err = c_dump_sample(dump%ptr, i - 1, c)
    call give(err, ierr)
    if (err < 0) return
    sample%process = int(c%process) + 1
    sample%rank = int(c%rank)
    sample%thread = int(c%thread)
    sample%node = int(c%node)
    call from_c(c%region, sample%region)
    sample%number = c%number
    sample%start = c%start
  end subroutine

  !> What sample \p i has of metric \p metric, both from 1.
  subroutine pdump_dump_sample_value(dump, i, metric, value, ierr)
    type(pdump_dump), intent(in) :: dump
    integer(int64), intent(in) :: i
    integer, intent(in) :: metric
    integer(int64), intent(inout) :: value
    integer, intent(out), optional :: ierr

    call give(c_dump_sample_value(dump%ptr, i - 1, int(metric - 1, c_int), &
      value), ierr)
  end subroutine

  integer(int64) function pdump_dump_n_events(dump) result(n)
    type(pdump_dump), intent(in) :: dump

    n = c_dump_n_events(dump%ptr)
  end function

  integer function pdump_dump_n_lanes(dump) result(n)
    type(pdump_dump), intent(in) :: dump

    n = int(c_dump_n_lanes(dump%ptr))
  end function

  !> Lane \p i, from 1: a thread that has events.  PDUMP_ENOENT if there is none.
  subroutine pdump_dump_lane(dump, i, lane, ierr)
    type(pdump_dump), intent(in) :: dump
    integer, intent(in) :: i
    type(pdump_lane_info), intent(inout) :: lane
    integer, intent(out), optional :: ierr
    type(c_lane_info) :: c
    integer(c_int) :: err

    c%size = c_sizeof(c)
    err = c_dump_lane(dump%ptr, int(i - 1, c_int), c)
    call give(err, ierr)
    if (err < 0) return
    lane%process = int(c%process) + 1
    lane%rank = int(c%rank)
    lane%thread = int(c%thread)
    call from_c(c%thread_name, lane%thread_name)
    lane%n_events = c%n_events
  end subroutine

  !> The next events of lane \p lane, from 1: \p n of them, 0 at the end.
  subroutine pdump_dump_events(dump, lane, place, events, n, ierr)
    type(pdump_dump), intent(in) :: dump
    integer, intent(in) :: lane
    type(pdump_event_place), intent(inout) :: place
    type(pdump_event_info), intent(inout) :: events(:)
    integer, intent(out) :: n
    integer, intent(out), optional :: ierr
    type(c_event_place) :: at
    type(c_event_info), allocatable :: c(:)
    integer(c_int64_t) :: got
    integer :: i

    allocate (c(size(events) + 1))
    c(1)%size = c_sizeof(c(1))
    at = c_event_place(c_sizeof(at), place%at, place%time, place%node)
    got = c_dump_events(dump%ptr, int(lane - 1, c_int), at, c, &
      size(events, kind=c_int64_t))
    call give(int(min(got, 0_c_int64_t), c_int), ierr)
    n = int(max(got, 0_c_int64_t))
    if (got < 0) return
    place = pdump_event_place(at%at, at%time, at%node)
    do i = 1, n
      events(i)%time = c(i)%time
      events(i)%what = c(i)%what
      events(i)%value = c(i)%value
      events(i)%tag = c(i)%tag
      events(i)%kind = int(c(i)%kind)
      events(i)%node = int(c(i)%node)
      call from_c(c(i)%name, events(i)%name)
    end do
  end subroutine

  integer function pdump_dump_n_details(dump) result(n)
    type(pdump_dump), intent(in) :: dump

    n = int(c_dump_n_details(dump%ptr))
  end function

  !> Table \p i, from 1.  PDUMP_ENOENT if there is none.
  subroutine pdump_dump_detail(dump, i, detail, ierr)
    type(pdump_dump), intent(in) :: dump
    integer, intent(in) :: i
    type(pdump_detail_info), intent(inout) :: detail
    integer, intent(out), optional :: ierr
    type(c_detail_info) :: c
    integer(c_int) :: err

    c%size = c_sizeof(c)
    err = c_dump_detail(dump%ptr, int(i - 1, c_int), c)
    call give(err, ierr)
    if (err < 0) return
    call from_c(c%name, detail%name)
    call from_c(c%about, detail%about)
    call from_c(c%key, detail%key)
    detail%n_fields = int(c%n_fields)
    detail%n_values = int(c%n_values)
    detail%n_rows = c%n_rows
  end subroutine

  !> Field \p i of table \p detail, both from 1.
  subroutine pdump_dump_detail_field(dump, detail, i, field, ierr)
    type(pdump_dump), intent(in) :: dump
    integer, intent(in) :: detail, i
    type(pdump_field_info), intent(inout) :: field
    integer, intent(out), optional :: ierr
    type(c_field_info) :: c
    integer(c_int) :: err

    c%size = c_sizeof(c)
    err = c_dump_detail_field(dump%ptr, int(detail - 1, c_int), &
      int(i - 1, c_int), c)
    call give(err, ierr)
    if (err < 0) return
    call from_c(c%name, field%name)
    call from_c(c%unit, field%unit)
    field%kind = int(c%kind)
    field%width = int(c%width)
    field%first = int(c%first) + 1
  end subroutine

  !> Row \p i of table \p detail, both from 1.
  subroutine pdump_dump_detail_row(dump, detail, i, row, ierr)
    type(pdump_dump), intent(in) :: dump
    integer, intent(in) :: detail
    integer(int64), intent(in) :: i
    type(pdump_detail_row_info), intent(inout) :: row
    integer, intent(out), optional :: ierr
    type(pdump_detail_info) :: table
    type(c_detail_row_info) :: c
    integer(c_int64_t), pointer :: values(:)
    integer(c_int) :: err

    c%size = c_sizeof(c)
    err = c_dump_detail_row(dump%ptr, int(detail - 1, c_int), i - 1, c)
    call give(err, ierr)
    if (err < 0) return
    row%process = int(c%process) + 1
    row%rank = int(c%rank)
    row%thread = int(c%thread)
    row%node = int(c%node)
    call from_c(c%region, row%region)
    call from_c(c%label, row%label)
    call pdump_dump_detail(dump, detail, table)
    call c_f_pointer(c%values, values, [table%n_values])
    row%values = values
  end subroutine

  !> The path of row \p i of table \p detail.  Empty if that failed.
  function pdump_dump_detail_path(dump, detail, i, ierr) result(path)
    type(pdump_dump), intent(in) :: dump
    integer, intent(in) :: detail
    integer(int64), intent(in) :: i
    integer, intent(out), optional :: ierr
    character(len=:), allocatable :: path
    character(kind=c_char), allocatable, target :: buffer(:)
    type(c_ptr) :: start
    integer(c_int64_t) :: n

    allocate (buffer(1))
    n = c_dump_detail_path(dump%ptr, int(detail - 1, c_int), i - 1, buffer, &
      1_c_size_t)
    call give(int(min(n, 0_c_int64_t), c_int), ierr)
    path = ''
    if (n < 0) return
    deallocate (buffer)
    allocate (buffer(n + 1))
    n = c_dump_detail_path(dump%ptr, int(detail - 1, c_int), i - 1, buffer, &
      int(n + 1, c_size_t))
    start = c_loc(buffer)
    call from_c(start, path)
  end function

  !> The figures of a region of the running program, over all its threads;
  !> \p metric is "time" if absent.
  subroutine pdump_query(path, stats, metric, ierr)
    character(len=*), intent(in) :: path
    type(pdump_stats), intent(inout) :: stats
    character(len=*), intent(in), optional :: metric
    integer, intent(out), optional :: ierr
    character(kind=c_char), allocatable, target :: buffer(:)
    type(c_ptr) :: c_metric
    type(c_stats) :: c
    integer(c_int) :: err

    c%size = c_sizeof(c)
    call to_c(metric, buffer, c_metric)
    err = c_query(terminated(path), c_metric, c)
    if (err >= 0) stats = from_c_stats(c)
    call give(err, ierr)
  end subroutine

  ! Between the languages

  subroutine give(err, ierr)
    integer(c_int), intent(in) :: err
    integer, intent(out), optional :: ierr

    if (present(ierr)) ierr = int(err)
  end subroutine

  !> A text of C that may not be there.
  subroutine found(ptr, text, ierr)
    type(c_ptr), intent(in) :: ptr
    character(len=:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierr

    call from_c(ptr, text)
    call give(merge(int(PDUMP_OK, c_int), int(PDUMP_ENOENT, c_int), &
      c_associated(ptr)), ierr)
  end subroutine

  pure function terminated(text) result(c)
    character(len=*), intent(in) :: text
    character(len=len_trim(text) + 1, kind=c_char) :: c

    c = trim(text)//c_null_char
  end function

  !> The address of \p text as a C string kept in \p buffer; absent: NULL.
  subroutine to_c(text, buffer, ptr)
    character(len=*), intent(in), optional :: text
    character(kind=c_char), allocatable, target, intent(out) :: buffer(:)
    type(c_ptr), intent(out) :: ptr
    integer :: i, n

    ptr = c_null_ptr
    if (.not. present(text)) return
    n = len_trim(text)
    allocate (buffer(n + 1))
    do i = 1, n
      buffer(i) = text(i:i)
    end do
    buffer(n + 1) = c_null_char
    ptr = c_loc(buffer)
  end subroutine

  !> A subroutine, because gfortran keeps the length that a function of
  !> deferred length returns in static memory: threads would share it.
  subroutine from_c(ptr, text)
    type(c_ptr), intent(in) :: ptr
    character(len=:), allocatable, intent(out) :: text
    character(kind=c_char), pointer :: chars(:)
    integer :: i

    if (.not. c_associated(ptr)) then
      text = ''
      return
    end if
    call c_f_pointer(ptr, chars, [c_strlen(ptr)])
    allocate (character(len=size(chars)) :: text)
    do i = 1, size(chars)
      text(i:i) = chars(i)
    end do
  end subroutine

  pure function from_c_stats(c) result(stats)
    type(c_stats), intent(in) :: c
    type(pdump_stats) :: stats

    stats%has_value = c%has_value /= 0
    stats%visits = c%visits
    stats%sum = c%sum
    stats%exclusive = c%exclusive
    stats%min = c%min
    stats%max = c%max
    stats%mean = c%mean
    stats%stddev = c%stddev
  end function

  subroutine replace(dump, ptr)
    type(pdump_dump), intent(inout) :: dump
    type(c_ptr), intent(in) :: ptr

    if (c_associated(dump%ptr)) call c_dump_free(dump%ptr)
    dump%ptr = ptr
  end subroutine
end module pdump
