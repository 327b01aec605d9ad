/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A process that is already running; see running_process.h.
 *
 * /proc/PID/stat has processor times in hundredths of a second. The clocks of a process
 * are finer: that of the scheduler counts nanoseconds, and those that distinguish user mode
 * from the kernel count ticks of the kernel's timer, or nanoseconds on kernels that account
 * for each change of mode. See posix_cpu_clock_get() in the kernel's source. glibc offers
 * only the first of these clocks.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/dir_names.h"
#include "sys/kernel_files.h"
#include "sys/procfs.h"
#include "sys/running_process.h"

enum process_clock { TICKS_OF_BOTH_MODES, TICKS_OF_USER_MODE, TIME_OF_SCHEDULER };

struct running_process {
	pid_t pid;
	int dir;    /* /proc/PID */
	int stat;   /* /proc/PID/stat, which can be read when no file can be opened */
	int end_fd; /* -1: the kernel has none */
	char name[64];
	bool foreign;
};

static clockid_t process_clock_id(pid_t pid, enum process_clock which)
{
	return (clockid_t)(~(unsigned)pid << 3 | which);
}

/* Reads a whole file of the process. Returns 0 or an errno. */
static int read_file(const struct running_process *p, const char *name, struct buf *out)
{
	const int fd = openat(p->dir, name, O_RDONLY | O_CLOEXEC);
	int error;

	out->len = 0;
	if (fd < 0)
		return errno;
	error = kernel_file_reread(fd, out);
	close(fd);
	return error;
}

/* Reads the status of the process. Returns false if it has ended, even if its parent has
 * not waited for it. The first thread may end before the others. */
static bool read_stat(
    const struct running_process *p, struct buf *text, struct procfs_stat *out)
{
	return kernel_file_reread(p->stat, text) == 0 && procfs_stat(text_in(text), out) &&
	       out->state != 'X' && (out->state != 'Z' || out->threads > 1);
}

/* Sets the message that a number is no process. Returns -1. */
static int not_a_process(pid_t pid, struct fault *f)
{
	return errno == ENOENT
	           ? fault_set(f, "there is no process %d that this user can see", (int)pid)
		   : fault_errno(f, "/proc/%d", (int)pid);
}

static int check_process(struct running_process *p, struct fault *f)
{
	struct buf text = { 0 };
	struct procfs_stat stat;
	uint64_t leader = 0;
	int status = 0, pid = (int)p->pid, error = read_file(p, "status", &text);

	p->stat = openat(p->dir, "stat", O_RDONLY | O_CLOEXEC);
	if (!error && p->stat < 0)
		error = errno;
	if (pid == getpid())
		status = fault_set(
		    f, "process %d is bench-run, which only waits while it measures", pid);
	else if (error && error != ENOENT && error != ESRCH)
		status = fault_set(f, "process %d: %s", pid, strerror(error));
	else if (error || !procfs_value(text_in(&text), "Tgid", &leader))
		status = fault_set(f, "process %d ended just now", pid);
	else if ((pid_t)leader != p->pid)
		status = fault_set(f,
		    "%d is a thread of process %llu: give the number of the process", pid,
		    (unsigned long long)leader);
	else if (!read_stat(p, &text, &stat))
		status = fault_set(
		    f, "process %d has ended, and waits for its parent (a zombie)", pid);
	buf_free(&text);
	return status;
}

static void read_name(struct running_process *p)
{
	struct buf text = { 0 };

	if (read_file(p, "comm", &text) == 0 && text.len > 1)
		snprintf(p->name, sizeof(p->name), "%.*s", (int)text.len - 1, text.ptr);
	else
		snprintf(p->name, sizeof(p->name), "%d", (int)p->pid);
	buf_free(&text);
}

struct running_process *running_process_open(pid_t pid, struct fault *f)
{
	struct running_process *p = mem_zero(1, sizeof(*p));
	struct stat owner;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	*p = (struct running_process){ .pid = pid,
		.dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
		.stat = -1,
		.end_fd = -1 };
	if ((p->dir < 0 ? not_a_process(pid, f) : check_process(p, f)) < 0) {
		running_process_close(p);
		return NULL;
	}
	p->end_fd = (int)syscall(SYS_pidfd_open, pid, 0);
	p->foreign = fstat(p->dir, &owner) == 0 && owner.st_uid != geteuid();
	read_name(p);
	return p;
}

void running_process_close(struct running_process *p)
{
	if (!p)
		return;
	if (p->dir >= 0)
		close(p->dir);
	if (p->stat >= 0)
		close(p->stat);
	if (p->end_fd >= 0)
		close(p->end_fd);
	free(p);
}

pid_t running_process_pid(const struct running_process *p)
{
	return p->pid;
}

const char *running_process_name(const struct running_process *p)
{
	return p->name;
}

bool running_process_is_foreign(const struct running_process *p)
{
	return p->foreign;
}

bool running_process_is_stopped(const struct running_process *p)
{
	struct buf text = { 0 };
	struct procfs_stat stat;
	const bool stopped =
	    read_stat(p, &text, &stat) && (stat.state == 'T' || stat.state == 't');

	buf_free(&text);
	return stopped;
}

int running_process_fd(const struct running_process *p)
{
	return p->end_fd;
}

size_t running_process_threads(const struct running_process *p, pid_t **tid)
{
	char **name;
	const size_t count = dir_names_at(p->dir, "task", &name);

	*tid = mem_zero(count, sizeof(**tid));
	for (size_t i = 0; i < count; i++)
		(*tid)[i] = (pid_t)atol(name[i]);
	dir_names_free(name, count);
	return count;
}

/* Reads the context switches of each thread that exists. */
static void read_switches(
    const struct running_process *p, struct process_reading *out, struct buf *text)
{
	pid_t *tid;
	const size_t count = running_process_threads(p, &tid);

	out->thread = mem_resize(out->thread, count, sizeof(*out->thread));
	out->listed = 0;
	out->listed_all = count > 0;
	for (size_t i = 0; i < count; i++) {
		uint64_t own, forced;
		char name[48];

		snprintf(name, sizeof(name), "task/%d/status", (int)tid[i]);
		if (read_file(p, name, text) != 0 ||
		    !procfs_value(text_in(text), "voluntary_ctxt_switches", &own) ||
		    !procfs_value(text_in(text), "nonvoluntary_ctxt_switches", &forced))
			out->listed_all = false;
		else
			out->thread[out->listed++] =
			    (struct thread_switches){ tid[i], own + forced };
	}
	free(tid);
}

static void read_io(
    const struct running_process *p, struct process_reading *out, struct buf *text)
{
	const int error = read_file(p, "io", text);
	uint64_t read, written;

	out->io_denied = error == EACCES || error == EPERM;
	out->read_bytes = out->write_bytes = NAN;
	if (error || !procfs_value(text_in(text), "read_bytes", &read) ||
	    !procfs_value(text_in(text), "write_bytes", &written))
		return;
	out->read_bytes = (double)read;
	out->write_bytes = (double)written;
}

/* Reads the clocks. Returns false if the process has ended. */
static bool read_clocks(const struct running_process *p, struct process_reading *out)
{
	double *const to[] = { [TICKS_OF_BOTH_MODES] = &out->ticked_ns,
		[TICKS_OF_USER_MODE] = &out->ticked_user_ns,
		[TIME_OF_SCHEDULER] = &out->cpu_ns };
	struct timespec t;

	for (size_t i = COUNT(to); i-- > 0;) {
		out->at_ns = i == TIME_OF_SCHEDULER ? clock_monotonic_ns() : out->at_ns;
		if (clock_gettime(process_clock_id(p->pid, (enum process_clock)i), &t) < 0)
			return false;
		*to[i] = (double)clock_timespec_ns(t);
	}
	return true;
}

bool running_process_read(const struct running_process *p, struct process_reading *out)
{
	struct buf text = { 0 };
	struct procfs_stat stat;
	bool there;

	*out = (struct process_reading){ .thread = out->thread };
	/* The number of the process may have another owner only if read_stat() fails. */
	there = read_clocks(p, out) && read_stat(p, &text, &stat);
	if (there) {
		out->faults = stat.faults;
		out->reaped_faults = stat.reaped_faults;
		out->reaped_ticks = stat.reaped_ticks;
		out->threads = stat.threads;
	}
	buf_free(&text);
	return there;
}

void running_process_read_more(
    const struct running_process *p, bool switches, struct process_reading *out)
{
	const long page_bytes = sysconf(_SC_PAGESIZE);
	struct buf text = { 0 };
	uint64_t pages;

	out->more_at_ns = clock_monotonic_ns();
	if (switches)
		read_switches(p, out, &text);
	read_io(p, out, &text);
	out->rss_bytes = read_file(p, "statm", &text) == 0 &&
	                         procfs_resident_pages(text_in(&text), &pages)
	                     ? (double)pages * (double)page_bytes
	                     : (double)NAN;
	buf_free(&text);
}

void process_reading_free(struct process_reading *r)
{
	free(r->thread);
	*r = (struct process_reading){ 0 };
}

static int by_tid(const void *a, const void *b)
{
	const struct thread_switches *x = a, *y = b;

	return (x->tid > y->tid) - (x->tid < y->tid);
}

double process_reading_switches(
    const struct process_reading *from, const struct process_reading *to)
{
	double sum = 0;
	size_t stayed = 0;

	if (!from->listed_all || !to->listed_all)
		return NAN;
	for (size_t i = 0; i < to->listed; i++) {
		const struct thread_switches *now = &to->thread[i],
		                             *before = bsearch(now, from->thread,
		                                 from->listed, sizeof(*now), by_tid);

		if (before && before->count > now->count)
			return NAN; /* the number has been given to another thread */
		stayed += before != NULL;
		sum += (double)(now->count - (before ? before->count : 0));
	}
	return stayed == from->listed ? sum : NAN;
}

double process_reading_tick_ns(void)
{
	struct timespec t = { 0 };

	clock_getres(process_clock_id(getpid(), TICKS_OF_USER_MODE), &t);
	return (double)clock_timespec_ns(t);
}
