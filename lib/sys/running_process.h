/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads what a process that is already running has used. The process is all of its threads,
 * including those that have ended, without its children.
 *
 * The files of the process are opened relative to its directory in /proc, which stays that
 * of this process after its number has been given to another one.
 */
#ifndef SYS_RUNNING_PROCESS_H
#define SYS_RUNNING_PROCESS_H

#include <sys/types.h>

#include "base/base.h"

/* The context switches of a thread. */
struct thread_switches {
	pid_t tid;
	uint64_t count;
};

/* The use of the machine by a process since it began. */
struct process_reading {
	int64_t at_ns; /* CLOCK_MONOTONIC, when the processor time was read */
	double cpu_ns; /* of the scheduler */
	/* Of the clock ticks that found the process running: all, and those in user mode */
	double ticked_ns, ticked_user_ns;
	uint64_t faults;
	uint64_t reaped_faults, reaped_ticks; /* of children that were waited for */
	uint64_t threads;                     /* now */
	int64_t more_at_ns; /* CLOCK_MONOTONIC, when the values below were read */
	double rss_bytes;   /* now; NAN: unknown */
	/* From and to storage, including children that were waited for; NAN: unknown */
	double read_bytes, write_bytes;
	bool io_denied;                 /* these may not be read */
	struct thread_switches *thread; /* of the threads that exist now, by tid */
	size_t listed;
	bool listed_all;
};

struct running_process;
/*
 * Opens a process by its number. Returns NULL and the message if there is no such process,
 * if it has ended and only awaits its parent, or if the number is that of a thread or of
 * this process.
 */
struct running_process *running_process_open(pid_t pid, struct fault *f);
void running_process_close(struct running_process *p);
pid_t running_process_pid(const struct running_process *p);
/* Returns the name of the command, at most 15 bytes. */
const char *running_process_name(const struct running_process *p);
/* Returns whether the process belongs to another user. */
bool running_process_is_foreign(const struct running_process *p);
/* Returns whether the process is stopped by a signal or a debugger. */
bool running_process_is_stopped(const struct running_process *p);
/* Returns a descriptor that becomes readable when the process ends, or -1 if the kernel has
 * none. */
int running_process_fd(const struct running_process *p);
/* Lists the threads of the process. Returns their number, or 0 with errno set if they
 * cannot be listed; *tid is allocated. */
size_t running_process_threads(const struct running_process *p, pid_t **tid);
/*
 * Reads the processor time and page faults of the process, which takes some microseconds.
 * Returns false if the process has ended. A zeroed reading can be used repeatedly.
 */
bool running_process_read(const struct running_process *p, struct process_reading *out);
/* Reads the memory and the bytes of storage, and with switches also the context switches of
 * each thread, which takes some microseconds for each thread. */
void running_process_read_more(
    const struct running_process *p, bool switches, struct process_reading *out);
void process_reading_free(struct process_reading *r);
/*
 * Returns the context switches between two readings; NAN if they are unknown, because a
 * thread ended in between.
 */
double process_reading_switches(
    const struct process_reading *from, const struct process_reading *to);
/* Returns the duration of a clock tick, in which one mode gets all processor time. */
double process_reading_tick_ns(void);

#endif
