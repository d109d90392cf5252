/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pdump.h - the whole public interface of libpdump.
 *
 * Name the interesting parts of a program (regions); the library measures time
 * and counts hardware or software events in them, per thread and per process,
 * and writes a dump when the program ends.
 *
 *     #include <pdump.h>
 *
 *     pdump_region_begin("solve");
 *     solve();
 *     pdump_region_end("solve");
 *
 * Link with `pkg-config --libs pdump`, run the program, and read the result
 * with `pdump report perf_dump.csv`.  PDUMP_* variables choose what is counted
 * and where it goes: see libpdump(7).
 */
#ifndef PDUMP_H
#define PDUMP_H

#ifndef PDUMP_CFFI
#include <stddef.h>
#include <stdint.h>
#endif

#ifdef PDUMP_CFFI
#define PDUMP_API
#else
#define PDUMP_API __attribute__((visibility("default")))
#endif

#if defined(__cplusplus) && !defined(PDUMP_CFFI)
extern "C" {
#endif

/**
 * \defgroup pdump_errors Error reporting
 *
 * Every function returning \c int returns 0 (or a count) on success and a
 * negative \ref pdump_error on failure.  A failed call leaves the library in
 * the state it had before.  No function exits, aborts or raises a signal, so a
 * program may ignore every return value.  Misuse is reported once per kind on
 * standard error (PDUMP_QUIET=1 silences) and counted in the dump.
 *
 * Every function may be called from any thread unless it says otherwise.
 */
enum pdump_error {
    PDUMP_OK = 0,
    PDUMP_ENOMEM = -1,  /**< out of memory */
    PDUMP_EINVAL = -2,  /**< bad argument or bad configuration value */
    PDUMP_ESTATE = -3,  /**< call not allowed now, e.g. end without begin */
    PDUMP_ESOURCE = -4, /**< the counters cannot be used */
    PDUMP_EIO = -5,     /**< a file cannot be read or written */
    PDUMP_EFORMAT = -6, /**< a file is not what it should be */
    PDUMP_ENOENT = -7,  /**< no such region, metric or setting */
    PDUMP_EPLUGIN = -8, /**< a module is missing or does not fit */
    PDUMP_EPEER = -9,   /**< a rank of the MPI job did not answer in time */
};

/** Returns what the code \p err means, in words.  Static; never NULL. */
PDUMP_API const char *pdump_strerror(int err);

/**
 * Returns why this thread's last failed call failed, in words.  Owned by the
 * library and valid until the thread's next failing call; empty if nothing has
 * failed.  Steps that fail inside of a call that succeeds leave no message.
 */
PDUMP_API const char *pdump_last_error(void);

/** Returns the release, such as "0.1.0".  Static. */
PDUMP_API const char *pdump_version(void);

/** Returns a number that grows when a function or structure of this header
 * changes its meaning. */
PDUMP_API int pdump_abi_version(void);

/**
 * \defgroup pdump_session The session
 *
 * A session is one measurement in one process, from pdump_init() to
 * pdump_finalize().  Both are optional: the first region begun starts a
 * session, a normal exit ends it and writes the dump.
 */

/**
 * Choose a setting from the program, before the session starts.
 *
 * \p name is a variable of libpdump(7), such as "PDUMP_EVENTS".  The value
 * set here is used instead of the environment's, except where libpdump(7)
 * says that the environment wins (PDUMP_DISABLE, PDUMP_DUMP_DIR, PDUMP_QUIET).
 * Both strings are copied; a NULL \p value takes the choice back.
 *
 * \return 0, PDUMP_ENOENT for an unknown name, PDUMP_EINVAL for a value that
 * the setting cannot have, PDUMP_ESTATE during a session.
 */
PDUMP_API int pdump_set(const char *name, const char *value);

/**
 * Start a session: read the settings, open the counters.
 *
 * Does nothing, successfully, if a session is active.  May be called again
 * after pdump_finalize().  With PDUMP_DISABLE=1 it succeeds and nothing is
 * recorded.  After a failure before the first session, the first region starts
 * a session as if this had not been called, and records at least the time.
 *
 * \return 0; PDUMP_ESOURCE if events were asked for and none of them can be
 * counted (pdump_last_error() lists them with the reasons); PDUMP_ENOMEM;
 * PDUMP_ESTATE if another thread has been starting or ending a session for a
 * minute.
 */
PDUMP_API int pdump_init(void);

/**
 * End the session and write the dump.
 *
 * Regions that are still open are marked as open in the dump, with what they
 * had so far.  Later region calls do nothing and return PDUMP_ESTATE until
 * pdump_init() is called again.
 *
 * If another thread has been starting, ending or writing a session for a
 * minute, the session goes on, and ends on exit.
 *
 * \return 0, PDUMP_ESTATE if no session is active or the session goes on,
 * PDUMP_EIO if a file could not be written (pdump_last_error() says which and
 * why).
 */
PDUMP_API int pdump_finalize(void);

/**
 * Write what was recorded so far, and go on.  The next dump of the same session
 * replaces this one.
 *
 * \return as pdump_finalize(); PDUMP_ESTATE also if another thread has been
 * writing a dump for a minute.
 */
PDUMP_API int pdump_flush(void);

/**
 * \defgroup pdump_mpi Ranks of an MPI job
 *
 * A program that uses MPI needs none of these functions: MPI_Finalize() ends
 * the session of every rank and writes one file for all of them.  After
 * pdump_finalize() nothing more is recorded, but the file is still written by
 * MPI_Finalize(), where a missing rank cannot harm the program.  Nothing is
 * sent during the run.  If a rank does not take part within PDUMP_MPI_TIMEOUT
 * seconds, each of the others writes a file of its own.
 */

/**
 * Write what the ranks of a communicator have recorded so far to one file, and
 * go on.  As with every MPI collective, all ranks of the communicator have to
 * call this.  If one does not, the others go on after PDUMP_MPI_TIMEOUT
 * seconds, but MPI is left with an unfinished duplication of the communicator.
 *
 * \p comm points to an MPI_Comm, and is NULL for the whole job; this header
 * does not need mpi.h.  \p name is the name of the file without ending, or NULL
 * for the usual one.  (pdump_flush() writes a file per rank, and needs no other
 * rank.)
 *
 * \return 0, PDUMP_ESTATE outside of MPI or without a session, PDUMP_EIO.
 */
PDUMP_API int pdump_flush_comm(const void *comm, const char *name);
/** The same with a Fortran handle, and a name with a length (0: as NULL). */
PDUMP_API int pdump_flush_comm_f(int comm, const char *name, size_t len);

/**
 * Does what MPI_Pcontrol(level) does with libpdump-pcontrol.so: 0 pauses
 * recording, 1 resumes it, 2 ends the time step that is open and starts the
 * next.  Other levels do nothing.
 */
PDUMP_API int pdump_pcontrol(int level);

/** Returns 1 while a session records in this process, else 0. */
PDUMP_API int pdump_is_active(void);

/**
 * \defgroup pdump_regions Regions
 *
 * Regions nest per thread; the same name under another parent is another
 * node of the tree.  Names are copied on first use: 1 to 65535 bytes, any
 * but NUL.  A pair costs little more than reading the counters twice.
 */

/**
 * Enter region \p name (borrowed) on the calling thread.  The first call in a
 * process starts the session.
 *
 * \return 0; PDUMP_EINVAL for a NULL, empty or overlong name; PDUMP_ESTATE
 * after pdump_finalize(); PDUMP_ESOURCE if the session could not start.
 */
PDUMP_API int pdump_region_begin(const char *name);

/** As pdump_region_begin(), for a name of \p len bytes without final NUL. */
PDUMP_API int pdump_region_begin_n(const char *name, size_t len);

/**
 * Leave region \p name, which must be the innermost open one of this thread.
 * NULL leaves the innermost, whatever its name.
 *
 * \return 0, or PDUMP_ESTATE if that region is not the innermost open one;
 * then nothing changes.
 */
PDUMP_API int pdump_region_end(const char *name);

/** As pdump_region_end(), for a name of \p len bytes without final NUL. */
PDUMP_API int pdump_region_end_n(const char *name, size_t len);

/**
 * Returns the number of region \p name, for pdump_region_enter() in tight
 * loops.
 *
 * \p file (NULL: unknown) and \p line say where it is in the source, for
 * reports; both strings are copied when the name is seen for the first time.
 * The number is valid until pdump_finalize().  Starts the session if necessary.
 *
 * \return a number > 0, 0 while nothing is recorded (PDUMP_DISABLE=1, a forked
 * child), or a pdump_error.
 */
PDUMP_API int pdump_region_id(const char *name, const char *file, int line);

/**
 * Returns whether the filter (PDUMP_FILTER) excludes regions called \p name in
 * \p file (NULL: unknown).  Such regions may be begun and ended as usual, but
 * are not recorded; tools that instrument code automatically can leave the
 * calls out.
 *
 * \return 1, 0, or an error as in pdump_region_begin().
 */
PDUMP_API int pdump_is_excluded(const char *name, const char *file);

/** As pdump_region_begin(), by number.  0 and errors are ignored. */
PDUMP_API int pdump_region_enter(int id);

/** As pdump_region_end(), by number. */
PDUMP_API int pdump_region_leave(int id);

/**
 * \defgroup pdump_profiles Regions with profiles
 *
 * PyPerfDump's model, per thread: a region holds any number of profiles; the
 * metrics count only between start_profile and end_profile.  Every profile
 * becomes a sample of its own and the region has their sum.  A forgotten end is
 * made up for, with a warning.  Other calls out of order return PDUMP_ESTATE
 * and change nothing.
 */

/** Open region \p name; NULL: "region_N", numbered in order.  Ends the region
 * that is open. */
PDUMP_API int pdump_start_region(const char *name);
/** As pdump_start_region(), for a name of \p len bytes; len 0: "region_N". */
PDUMP_API int pdump_start_region_n(const char *name, size_t len);
/** Start counting in the open region. */
PDUMP_API int pdump_start_profile(void);
/** Stop counting and keep the values as one sample. */
PDUMP_API int pdump_end_profile(void);
/** Close the region, and its profile if that is open. */
PDUMP_API int pdump_end_region(void);

/**
 * Start the next time step of this thread (perf-dump's model): a sample of
 * region "step", numbered from 0.  PDUMP_DUMP_STEPS ("0,10-20,100-") chooses
 * the steps to record; in the others nothing is recorded at all.
 *
 * A step that is open ends, with a warning.
 */
PDUMP_API int pdump_start_step(void);
/** End the step.  PDUMP_ESTATE if none is open or a region is open in it. */
PDUMP_API int pdump_end_step(void);

/**
 * \defgroup pdump_control Control and detail
 */

/**
 * Stop recording on the calling thread until the matching enable; nests.
 * Regions begun while recording is off are not recorded, even if they end
 * later.  Regions begun before are recorded, even if they end while it is off.
 */
PDUMP_API int pdump_disable_recording(void);
/** Undo one disable.  PDUMP_ESTATE without one. */
PDUMP_API int pdump_enable_recording(void);
/** As pdump_disable_recording(), for every thread of the process. */
PDUMP_API int pdump_disable_recording_all(void);
/** Undo one pdump_disable_recording_all(). */
PDUMP_API int pdump_enable_recording_all(void);

/**
 * Split the current region by the value of a parameter.  Until the region ends,
 * or the same parameter gets another value, everything is recorded under the
 * node "name=value" below the region.  Several names nest in the order of their
 * calls.  Strings are copied.
 *
 * \return 0, PDUMP_ESTATE if no region is open, PDUMP_EINVAL.
 */
PDUMP_API int pdump_parameter_int(const char *name, int64_t value);
/** As pdump_parameter_int(). */
PDUMP_API int pdump_parameter_uint(const char *name, uint64_t value);
/** As pdump_parameter_int(). */
PDUMP_API int pdump_parameter_double(const char *name, double value);
/** As pdump_parameter_int(). */
PDUMP_API int pdump_parameter_string(const char *name, const char *value);

/**
 * Begin a region that may turn out not to be worth keeping: pdump_rewind_end()
 * with \p discard removes it with everything recorded in it.
 */
PDUMP_API int pdump_rewind_begin(const char *name);
/**
 * End the rewind region \p name (NULL: the innermost).  If \p discard is not 0,
 * nothing recorded since its begin is kept; if it is 0, the region stays as an
 * ordinary region.
 */
PDUMP_API int pdump_rewind_end(const char *name, int discard);

/**
 * Add \p value to the user metric \p name (copied) in the current region.
 * A region's figure includes those of the regions in it.
 *
 * \return 0, PDUMP_ESTATE if no region is open, PDUMP_EINVAL.
 */
PDUMP_API int pdump_counter_add(const char *name, int64_t value);

/**
 * Mark this moment on the calling thread's timeline with \p name (copied).
 * Without PDUMP_RECORD=events there is no timeline, and this does nothing.
 *
 * \return 0, PDUMP_EINVAL for no name, PDUMP_ENOMEM.
 */
PDUMP_API int pdump_marker(const char *name);

/** Add a fact about the run to the dump.  Strings are copied; the last value of
 * a key stays. */
PDUMP_API int pdump_metadata(const char *key, const char *value);

/** Give the calling thread a name (copied) for reports. */
PDUMP_API int pdump_thread_name(const char *name);

/**
 * \defgroup pdump_results Results
 *
 * A dump contains what a run recorded, as immutable tables: rows (one per
 * process, thread and node) times metrics.  It is taken from the running
 * program or read from a file.  Values are integers in the metric's unit.
 * Indexes count from 0.
 */
struct pdump_dump;

/** How the value of a visit is computed. */
enum pdump_metric_kind {
    PDUMP_COUNTER = 0, /**< the value at the end minus that at the begin */
    PDUMP_GAUGE = 1,   /**< a level; the value at the end */
    PDUMP_USER = 2,    /**< pdump_counter_add(); min and max are per call */
};

/** A metric, filled by pdump_dump_metric().  Strings belong to the dump. */
struct pdump_metric_info {
    size_t size; /**< set to sizeof(struct pdump_metric_info) by the caller */
    const char *name;   /**< "time", "PAPI_TOT_INS", ... */
    const char *unit;   /**< "ns", "B", "1", ... */
    const char *source; /**< its source: "clock", "papi", ... */
    const char *about;  /**< a sentence, perhaps empty */
    int kind;           /**< enum pdump_metric_kind */
};

/** A row, filled by pdump_dump_row().  Strings belong to the dump. */
struct pdump_row {
    size_t size; /**< set to sizeof(struct pdump_row) by the caller */
    int rank;    /**< 0 without MPI */
    int thread;  /**< number within the process, 0 is the first */
    int64_t pid;
    const char *thread_name; /**< perhaps empty */
    const char *region;
    const char *group; /**< "user", "parameter", "step", ... */
    const char *file;  /**< perhaps empty */
    int line;          /**< 0 if unknown */
    int node;          /**< the same in every row of one path */
    int64_t parent;    /**< row of the parent node, or -1 */
    int depth;         /**< 0 for outermost regions */
    int is_open;       /**< 1 if the region had not ended yet */
    int64_t visits;    /**< completed visits */
    int process;       /**< number of the process: see pdump_dump_process() */
};

/** A process, filled by pdump_dump_process().  Strings belong to the dump. */
struct pdump_process_info {
    size_t size; /**< set to sizeof(struct pdump_process_info) by the caller */
    int rank;    /**< 0 without MPI */
    int64_t pid;
    int64_t parent;      /**< pid of the process that started it, or 0 */
    const char *host;    /**< perhaps empty, as those below */
    const char *command; /**< with its arguments */
    const char *cpu;     /**< model */
    const char *cores;   /**< cores it may run on: "0-3,8" */
};

/** A sample: a visit that is kept individually.  Filled by pdump_dump_sample().
 * The region's name belongs to the dump. */
struct pdump_sample_info {
    size_t size; /**< set to sizeof(struct pdump_sample_info) by the caller */
    int process; /**< number of the process: see pdump_dump_process() */
    int rank;    /**< 0 without MPI */
    int thread;  /**< number within the process */
    int node;    /**< as in pdump_row */
    const char *region;
    int64_t number; /**< of the step, or of the visit in its node, from 0 */
    int64_t start;  /**< ns since the session's start */
};

/** Kinds of events in a timeline (PDUMP_RECORD=events), and their fields. */
enum pdump_event_kind {
    PDUMP_EVENT_ENTER,      /**< node */
    PDUMP_EVENT_LEAVE,      /**< node */
    PDUMP_EVENT_AT,         /**< node: where the thread is, after a gap */
    PDUMP_EVENT_MARKER,     /**< what: the region that has the marker's name */
    PDUMP_EVENT_COUNTER,    /**< what: metric; value */
    PDUMP_EVENT_SEND,       /**< what: receiving rank; value: bytes; tag */
    PDUMP_EVENT_RECEIVE,    /**< what: sending rank; value: bytes; tag */
    PDUMP_EVENT_COLLECTIVE, /**< what: number of ranks; value: bytes; tag:
                               `group << 24 | number`, the same on all of them
                               and different for every other call; 0: unknown */
    PDUMP_EVENT_LOST,       /**< value: events that are missing here */
    PDUMP_EVENT_IO,    /**< what: the region that has the file's name; value:
                          bytes, or the position after a seek; -1: error */
    PDUMP_EVENT_KINDS, /**< the number of kinds */
};

/** The events of one thread, filled by pdump_dump_lane().  The name belongs to
 *  the dump. */
struct pdump_lane_info {
    size_t size; /**< set to sizeof(struct pdump_lane_info) by the caller */
    int process; /**< number of the process: see pdump_dump_process() */
    int rank;    /**< 0 without MPI */
    int thread;  /**< number within the process */
    const char *thread_name; /**< perhaps empty */
    int64_t n_events;
};

/** An event, filled by pdump_dump_events().  The name belongs to the dump. */
struct pdump_event_info {
    size_t size;  /**< set to sizeof(struct pdump_event_info) by the caller */
    int64_t time; /**< ns since the session's start */
    int64_t what; /**< depends on the kind, as the next two; 0 if unused */
    int64_t value;
    int64_t tag;
    int kind;         /**< a pdump_event_kind */
    int node;         /**< entered, left, or the current one; -1: none */
    const char *name; /**< of the marker or metric, else of the node's region;
                           perhaps empty */
};

/** The position of pdump_dump_events().  All zeroes but the size: the start. */
struct pdump_event_place {
    size_t size; /**< set to sizeof(struct pdump_event_place) by the caller */
    int64_t at;  /**< for pdump_dump_events() only, as those below */
    int64_t time;
    int64_t node;
};

/** How the values of a field of details are combined when rows are. */
enum pdump_field_kind {
    PDUMP_FIELD_SUM,  /**< the sum */
    PDUMP_FIELD_MIN,  /**< the minimum; INT64_MAX: no value */
    PDUMP_FIELD_MAX,  /**< the maximum; INT64_MIN: no value */
    PDUMP_FIELD_REAL, /**< the sum of doubles, stored as their bits */
};

/**
 * A table of details, filled by pdump_dump_detail(): statistics of calls in
 * addition to the region tree.  Strings belong to the dump.
 */
struct pdump_detail_info {
    size_t size; /**< set to sizeof(struct pdump_detail_info) by the caller */
    const char *name;  /**< "mpi", "io", ... */
    const char *about; /**< a sentence, perhaps empty */
    const char *key;   /**< what its labels are: "site", "file", ... */
    int n_fields;
    int n_values; /**< per row: the sum of the widths of all fields */
    int64_t n_rows;
};

/** A field, filled by pdump_dump_detail_field().  Strings belong to the dump.
 */
struct pdump_field_info {
    size_t size; /**< set to sizeof(struct pdump_field_info) by the caller */
    const char *name; /**< "calls", "time", ... */
    const char *unit; /**< "ns", "B", "1", ... */
    int kind;         /**< enum pdump_field_kind */
    int width;        /**< values in a row: 1, or the bins of a histogram */
    int first;        /**< index of the first in the values of a row */
};

/** A row of a table, filled by pdump_dump_detail_row().  Everything that it
 * points to belongs to the dump. */
struct pdump_detail_row_info {
    size_t size; /**< set to sizeof(struct pdump_detail_row_info) */
    int process; /**< or -1: all ranks together; then so are the next two */
    int rank;
    int thread;         /**< number within the process */
    int node;           /**< as in struct pdump_row, or -1: the whole thread */
    const char *region; /**< of the node: the function called, perhaps empty */
    const char *label;  /**< call site, file, peer, ... */
    const int64_t *values; /**< n_values of the table */
};

/** The figures of one metric.  If there is no value, all but visits are 0. */
struct pdump_stats {
    size_t size; /**< set to sizeof(struct pdump_stats) by the caller */
    int has_value;
    int64_t visits;
    int64_t sum;       /**< including the regions inside */
    int64_t exclusive; /**< without them */
    int64_t min;       /**< smallest visit */
    int64_t max;       /**< largest visit */
    double mean;       /**< per visit */
    double stddev;     /**< over visits */
};

/**
 * Take a dump of what was recorded so far.  Given: pdump_dump_free().
 *
 * It is empty if nothing is recorded on purpose (PDUMP_DISABLE).
 */
PDUMP_API int pdump_snapshot(struct pdump_dump **out);

/** Read a file that libpdump wrote.  Given: pdump_dump_free(). */
PDUMP_API int pdump_load(const char *path, struct pdump_dump **out);

/**
 * Merge several dumps (borrowed) into one: their processes side by side, in the
 * order of the dumps, with the union of their metrics and nodes.  Of metadata
 * the first value of a key is kept; equal warnings add their counts.  Given:
 * pdump_dump_free().
 */
PDUMP_API int pdump_dump_merge(struct pdump_dump *const *dumps, int n,
                               struct pdump_dump **out);

PDUMP_API void pdump_dump_free(struct pdump_dump *dump);

PDUMP_API int pdump_dump_n_metrics(const struct pdump_dump *dump);
PDUMP_API int pdump_dump_n_processes(const struct pdump_dump *dump);
PDUMP_API int pdump_dump_n_metadata(const struct pdump_dump *dump);
PDUMP_API int pdump_dump_n_warnings(const struct pdump_dump *dump);
PDUMP_API int64_t pdump_dump_n_rows(const struct pdump_dump *dump);

/** PDUMP_ENOENT if there is no metric \p index. */
PDUMP_API int pdump_dump_metric(const struct pdump_dump *dump, int index,
                                struct pdump_metric_info *out);

/** PDUMP_ENOENT if there is no row \p index. */
PDUMP_API int pdump_dump_row(const struct pdump_dump *dump, int64_t index,
                             struct pdump_row *out);

/** PDUMP_ENOENT if there is no process \p index. */
PDUMP_API int pdump_dump_process(const struct pdump_dump *dump, int index,
                                 struct pdump_process_info *out);

/** Returns a metadata key, owned by the dump; NULL: no such \p index. */
PDUMP_API const char *pdump_dump_metadata_key(const struct pdump_dump *dump,
                                              int index);

/** Returns the value of a key, owned by the dump; NULL if it has none. */
PDUMP_API const char *pdump_dump_metadata(const struct pdump_dump *dump,
                                          const char *key);

/**
 * Returns the text of a warning, which belongs to the dump.  \p count, if it is
 * not NULL, is set to how often it happened.  NULL: no such \p index.
 */
PDUMP_API const char *pdump_dump_warning(const struct pdump_dump *dump,
                                         int index, int64_t *count);

/** Get the figures of one row and metric. */
PDUMP_API int pdump_dump_stats(const struct pdump_dump *dump, int64_t row,
                               int metric, struct pdump_stats *out);

/**
 * Get the path of a row, "main/solve"; a '/' or '\' in a name is preceded by a
 * '\'.  Written to \p buf, cut at \p len with a final NUL.
 *
 * \return the length it has uncut, as snprintf() does.
 */
PDUMP_API int64_t pdump_dump_path(const struct pdump_dump *dump, int64_t row,
                                  char *buf, size_t len);

/** Returns the number of samples. */
PDUMP_API int64_t pdump_dump_n_samples(const struct pdump_dump *dump);

/** PDUMP_ENOENT if there is no sample \p index. */
PDUMP_API int pdump_dump_sample(const struct pdump_dump *dump, int64_t index,
                                struct pdump_sample_info *out);

/** Get the value of a metric in a sample.  PDUMP_ENOENT if there is no sample
 * \p index, no metric \p metric, or no value. */
PDUMP_API int pdump_dump_sample_value(const struct pdump_dump *dump,
                                      int64_t index, int metric, int64_t *out);

/** Returns the number of events of all threads. */
PDUMP_API int64_t pdump_dump_n_events(const struct pdump_dump *dump);

/** Returns the number of threads that have events: each of them is a lane. */
PDUMP_API int pdump_dump_n_lanes(const struct pdump_dump *dump);

/** PDUMP_ENOENT if there is no lane \p index. */
PDUMP_API int pdump_dump_lane(const struct pdump_dump *dump, int index,
                              struct pdump_lane_info *out);

/**
 * Get the next \p n events of a lane, in order, in the array \p out, whose
 * first element has its size set.  \p place advances behind them.
 *
 * \return how many there were, 0 at the end; PDUMP_ENOENT if there is no lane
 * \p lane, PDUMP_EFORMAT if \p place is not valid.
 */
PDUMP_API int64_t pdump_dump_events(const struct pdump_dump *dump, int lane,
                                    struct pdump_event_place *place,
                                    struct pdump_event_info *out, int64_t n);

/** Returns the number of tables of details. */
PDUMP_API int pdump_dump_n_details(const struct pdump_dump *dump);

/** PDUMP_ENOENT if there is no table \p index. */
PDUMP_API int pdump_dump_detail(const struct pdump_dump *dump, int index,
                                struct pdump_detail_info *out);

/** PDUMP_ENOENT if there is no table \p detail, or no field \p index in it. */
PDUMP_API int pdump_dump_detail_field(const struct pdump_dump *dump, int detail,
                                      int index, struct pdump_field_info *out);

/** PDUMP_ENOENT if there is no table \p detail, or no row \p row in it. */
PDUMP_API int pdump_dump_detail_row(const struct pdump_dump *dump, int detail,
                                    int64_t row,
                                    struct pdump_detail_row_info *out);

/** Get the path of a row of details, as pdump_dump_path() writes it; empty if
 * the row belongs to the whole thread. */
PDUMP_API int64_t pdump_dump_detail_path(const struct pdump_dump *dump,
                                         int detail, int64_t row, char *buf,
                                         size_t len);

/**
 * Get the figures of a region of the running program, over all its threads.
 *
 * \p path is "/main/solve" for that node, or "solve" for the region wherever it
 * is: all visits of a recursion are counted, and their sum is that of the
 * outermost ones.  \p metric NULL means "time".
 *
 * \return 0, also if nothing is recorded on purpose (PDUMP_DISABLE): then all
 * figures are 0; PDUMP_ENOENT if there is no such region or metric,
 * PDUMP_ESTATE.
 */
PDUMP_API int pdump_query(const char *path, const char *metric,
                          struct pdump_stats *out);

#ifndef PDUMP_CFFI

/** The state of PDUMP_REGION(); not for direct use. */
struct pdump_scope {
    int id;
    int once;
};
PDUMP_API struct pdump_scope pdump_scope_begin(const char *name);
PDUMP_API void pdump_scope_end(struct pdump_scope *scope);

/**
 * A region as a block, left also by break, return and (in C++) an exception:
 *
 *     PDUMP_REGION("solve") {
 *         ...
 *     }
 *
 * The block is a loop that runs once: break and continue leave the block.
 */
#define PDUMP_REGION(name) PDUMP_SCOPE_(name, __LINE__)
#define PDUMP_SCOPE_(name, line) PDUMP_SCOPE_AT_(name, line)
#define PDUMP_SCOPE_AT_(name, line)                                           \
    for (struct pdump_scope pdump_scope_##line                                \
         __attribute__((cleanup(pdump_scope_end))) = pdump_scope_begin(name); \
         pdump_scope_##line.once; pdump_scope_##line.once = 0)

#endif /* PDUMP_CFFI */

#if defined(__cplusplus) && !defined(PDUMP_CFFI)
} /* extern "C" */

namespace pdump
{
/** A region that lasts as long as the object: pdump::region r("solve"); */
class region
{
  public:
    explicit region(const char *name) : scope_(pdump_scope_begin(name)) {}
    ~region() { pdump_scope_end(&scope_); }
    region(const region &) = delete;
    region &operator=(const region &) = delete;

  private:
    struct pdump_scope scope_;
};
} // namespace pdump
#endif

#endif /* PDUMP_H */
