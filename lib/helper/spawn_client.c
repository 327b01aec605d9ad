/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The client's side of spawn_proto.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/paths.h"
#include "counters/counter_scale.h"
#include "helper/helper_stops.h"
#include "helper/spawn_client.h"
#include "sys/interrupt.h"
#include "sys/process_start.h"

enum {
	OUTPUT_KEPT = 16 << 20,
	LOOK_MS = 1000, /* a helper that was stopped is noticed within this time */
	/* How late an answer may be: a killed process may still write a core. */
	LATE_S = 30,
};

struct spawn_client {
	struct process process;
	int socket, capture;
	struct wire_shared *shared; /* NULL: none */
	size_t shared_size;         /* in bytes; it may end after the groups */
	size_t counters;
	struct buf texts;
	double limit_ns;  /* the sum of the limits of the requests of a batch */
	bool unlimited;   /* one of these requests has no limit */
	uint32_t waiting; /* results of the batch that have not been received */
	uint32_t batch;   /* the number of the batch */
	size_t taken;     /* bytes of its results that have been received */
	int64_t begin_ns; /* CLOCK_REALTIME, when the batch was sent */
	int64_t due_ns;   /* CLOCK_MONOTONIC, when an answer is late; 0: never */
	bool stopped;     /* the helper was stopped during the batch */
	bool silent;      /* the helper was killed because its answer was late */
	bool gone;        /* the helper has ended */
};

/* Notes that the helper was stopped, or continued, since the last call, and lets it
 * continue. Returns whether it was. */
static bool resume(struct spawn_client *s)
{
	if (!helper_stops_take(s->process.pid))
		return false;
	s->stopped = true;
	kill(s->process.pid, SIGCONT);
	return true;
}

void spawn_client_tend(struct spawn_client *s)
{
	const int64_t now_ns = clock_monotonic_ns();

	if ((resume(s) && s->due_ns) || (!s->due_ns && interrupt_seen()))
		s->due_ns = now_ns + LATE_S * INT64_C(1000000000);
	if (!s->due_ns || now_ns < s->due_ns || s->silent)
		return;
	s->silent = true;
	kill(s->process.pid, SIGKILL);
}

/* Waits until the helper's socket can be read or written. */
static void wait_for(struct spawn_client *s, short event)
{
	struct pollfd fd = { .fd = s->socket, .events = event };

	while (poll(&fd, 1, LOOK_MS) <= 0)
		spawn_client_tend(s);
}

static int write_all(struct spawn_client *s, const void *bytes, size_t size)
{
	for (const char *p = bytes; size;) {
		ssize_t put = send(s->socket, p, size, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (put < 0 && errno == EAGAIN)
			wait_for(s, POLLOUT);
		else if (put < 0 && errno != EINTR)
			return -1;
		if (put > 0) {
			p += put;
			size -= (size_t)put;
		}
	}
	return 0;
}

static int read_all(struct spawn_client *s, void *out, size_t size)
{
	for (char *p = out; size;) {
		wait_for(s, POLLIN);
		ssize_t got = recv(s->socket, p, size, 0);

		if (got == 0)
			errno = EPIPE;
		if (got == 0 || (got < 0 && errno != EINTR))
			return -1;
		if (got > 0) {
			p += got;
			size -= (size_t)got;
		}
	}
	return 0;
}

/* Receives a part of the results of a batch, from the shared memory if the helper has
 * ended. Returns 0, or -1 if they do not have this part. */
static int read_result(struct spawn_client *s, void *out, size_t size)
{
	s->gone = s->gone || read_all(s, out, size) < 0;
	if (s->gone) {
		if (s->shared_size < sizeof(*s->shared) || s->shared->batch != s->batch ||
		    s->taken + size > s->shared->size || s->shared->size > WIRE_RESULTS_MAX)
			return -1;
		memcpy(out, s->shared->results + s->taken, size);
	}
	s->taken += size;
	return 0;
}

/*
 * Confines a process to processors. The kernel accepts a list even if only some of them
 * exist; this function requires all.
 */
static int confine(pid_t pid, const cpu_set_t *cpus, struct fault *f)
{
	cpu_set_t got;

	if (sched_setaffinity(pid, sizeof(*cpus), cpus) < 0 ||
	    sched_getaffinity(pid, sizeof(got), &got) < 0)
		return fault_errno(f, "cannot run commands on the processors of --cpu");
	if (!CPU_EQUAL(&got, cpus))
		return fault_set(
		    f, "some processors of --cpu do not exist or may not be used");
	return 0;
}

/* Starts the helper with the socket as WIRE_SOCKET, the memory as WIRE_SHARED and the
 * capture file as WIRE_CAPTURE. */
static int start_helper(
    struct spawn_client *s, int theirs, int shared, const cpu_set_t *cpus, struct fault *f)
{
	char *path = libexec_path("bench-spawn");
	char *const argv[] = { "bench-spawn", NULL };
	struct process_fd fd[] = { { theirs, WIRE_SOCKET },
		{ shared < 0 ? PROCESS_NULL : shared, WIRE_SHARED },
		{ s->capture, WIRE_CAPTURE } };
	struct process_opts opts = {
		.program = path, .argv = argv, .fd = fd, .fds = s->capture >= 0 ? 3 : 2
	};
	int status;

	if (access("/dev/null", R_OK | W_OK) < 0)
		status = fault_set(f,
		    "/dev/null: %s; commands need it as their standard input and output "
		    "(in a container or chroot, mount /dev)",
		    strerror(errno));
	else if (process_start(&s->process, &opts) < 0)
		status = fault_errno(f, "cannot start %s", path);
	else
		status = cpus ? confine(s->process.pid, cpus, f) : 0;
	free(path);
	return status;
}

/*
 * Returns a duplicate of a descriptor with a number that the helper does not use, and
 * closes the original.
 */
static int moved_up(int fd)
{
	int up = fcntl(fd, F_DUPFD_CLOEXEC, 10);
	int error = errno == EINVAL ? EMFILE : errno; /* the reason if the limit is 10 */

	close(fd);
	errno = error;
	return up;
}

/* Kills what the helper left running, and sets the message. Returns -1. */
static int died(struct spawn_client *s, struct fault *f)
{
	s->gone = true;
	for (size_t i = 0; s->shared && i < WIRE_WORKERS_MAX; i++)
		if (s->shared->group[i] > 1)
			kill(-s->shared->group[i], SIGKILL);
	return s->silent ? fault_set(f,
	                       "the helper bench-spawn was killed, because it did not "
	                       "answer within %d s of --timeout or a signal; a process "
	                       "of the command may still run",
	                       LATE_S)
	                 : fault_set(f, "the helper bench-spawn ended unexpectedly");
}

static int open_counters(struct spawn_client *s, struct counter_set *set, struct fault *f)
{
	struct wire_events head = { .count = (uint32_t)set->count };

	if (set->count > WIRE_EVENTS_MAX)
		return fault_set(f, "%zu events are more than the limit of %d", set->count,
		    WIRE_EVENTS_MAX);
	if (write_all(s, &head, sizeof(head)) < 0)
		return died(s, f);
	for (size_t i = 0; i < set->count; i++) {
		struct wire_event e = counter_wire_event(&set->counter[i]);

		if (write_all(s, &e, sizeof(e)) < 0)
			return died(s, f);
	}
	for (size_t i = 0; i < set->count; i++) {
		struct wire_opened opened;

		if (read_all(s, &opened, sizeof(opened)) < 0)
			return died(s, f);
		counter_opened(set, i, opened.error, opened.user_only);
	}
	counter_settle(set);
	s->counters = set->count;
	return 0;
}

/* Makes a file in memory. Returns a descriptor, or -1 and the message. */
static int make_memory(const char *name, off_t size, struct fault *f)
{
	int fd = memfd_create(name, MFD_CLOEXEC);

	if (fd < 0)
		return fault_errno(f, "memfd_create");
	fd = moved_up(fd);
	if (fd < 0)
		return fault_errno(f, "bench-spawn");
	if (ftruncate(fd, size) == 0)
		return fd;
	fault_errno(f, "memfd_create");
	close(fd);
	return -1;
}

/*
 * Makes the shared memory, or only its process groups if a limit of the size of files
 * forbids more. Returns its descriptor, or -1 if a limit forbids both; the client then does
 * without it.
 */
static int make_shared(struct spawn_client *s)
{
	struct fault ignored;
	int fd;

	s->shared_size = sizeof(*s->shared);
	fd = make_memory("shared", (off_t)s->shared_size, &ignored);
	if (fd < 0) {
		s->shared_size = sizeof(s->shared->group);
		fd = make_memory("shared", (off_t)s->shared_size, &ignored);
	}
	void *memory =
	    fd < 0 ? MAP_FAILED : mmap(NULL, s->shared_size, PROT_READ, MAP_SHARED, fd, 0);

	if (memory != MAP_FAILED) {
		s->shared = memory;
		return fd;
	}
	s->shared_size = 0;
	if (fd >= 0)
		close(fd);
	return -1;
}

struct spawn_client *spawn_client_open(
    const struct spawn_client_opts *opts, struct fault *f)
{
	struct spawn_client *s = mem_zero(1, sizeof(*s));
	int pair[2];

	s->socket = s->capture = -1;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) {
		fault_errno(f, "socketpair");
		goto failed;
	}
	s->socket = moved_up(pair[0]);
	pair[1] = moved_up(pair[1]);
	if (s->socket < 0 || pair[1] < 0) {
		fault_errno(f, "bench-spawn");
		goto failed;
	}
	if (opts->capture && (s->capture = make_memory("output", 0, f)) < 0) {
		close(pair[1]);
		goto failed;
	}
	int shared = make_shared(s);
	int started = start_helper(s, pair[1], shared, opts->cpus, f);
	close(pair[1]);
	if (shared >= 0)
		close(shared);
	if (started < 0 || open_counters(s, opts->counters, f) < 0)
		goto failed;
	return s;
failed:
	spawn_client_close(s);
	return NULL;
}

static void put_string(struct buf *b, const char *s)
{
	buf_put(b, s ? s : "", s ? strlen(s) + 1 : 1);
}

static int explain(
    const struct spawn_request *q, const struct wire_result *r, struct fault *f)
{
	const char *what[] = { [FAILURE_STDIN] = q->stdin_path,
		[FAILURE_STDOUT] = q->stdout_path,
		[FAILURE_FORK] = "cannot start a process",
		[FAILURE_PIN] = "cannot confine a worker to a processor of --cpu",
		[FAILURE_EXEC] = q->path };

	errno = r->error;
	return fault_errno(f, "%s", what[r->failure] ? what[r->failure] : "output");
}

/* Notes a request: when the answer to its batch is late. */
static void expect(struct spawn_client *s, const struct spawn_request *q)
{
	int64_t from_ns = clock_monotonic_ns();

	if (!s->waiting++) {
		s->limit_ns = LATE_S * 1e9;
		s->unlimited = false;
		while (resume(s))
			;
		s->stopped = false;
		s->batch++;
		s->taken = 0;
		s->begin_ns = clock_realtime_ns();
	}
	s->limit_ns += q->timeout_ns;
	s->unlimited = s->unlimited || q->timeout_ns <= 0;
	if (q->start_at_ns > from_ns)
		from_ns = q->start_at_ns;
	s->due_ns = s->unlimited ? 0 : from_ns + (int64_t)s->limit_ns;
}

int spawn_client_send(
    struct spawn_client *s, const struct spawn_request *q, struct fault *f)
{
	struct wire_request w = { .timeout_ns = (uint64_t)q->timeout_ns,
		.start_at_ns = q->start_at_ns,
		.output = q->output,
		.count = q->count,
		.jitter = q->jitter,
		.more = q->more,
		.workers = q->workers,
		.pin = q->pin,
		.sheltered = q->sheltered };

	s->texts.len = 0;
	buf_put(&s->texts, (const char *)&w, sizeof(w));
	put_string(&s->texts, q->stdin_path);
	put_string(&s->texts, q->stdout_path);
	put_string(&s->texts, q->path);
	for (; q->argv[w.argc]; w.argc++)
		put_string(&s->texts, q->argv[w.argc]);
	for (; q->env && q->env[w.variables]; w.variables++)
		put_string(&s->texts, q->env[w.variables]);
	w.text_size = (uint32_t)(s->texts.len - sizeof(w));
	if (s->texts.len - sizeof(w) > WIRE_ARGS_MAX)
		return fault_set(f, "%s: the arguments are longer than 1 MiB", q->path);
	memcpy(s->texts.ptr, &w, sizeof(w));
	expect(s, q);
	return write_all(s, s->texts.ptr, s->texts.len) < 0 ? died(s, f) : 0;
}

/* Makes the result of a request whose answer will not come. Returns -1 and the message. */
static int lose(struct spawn_client *s, const struct spawn_request *q,
    struct wire_result *r, struct wire_worker *workers, struct wire_count *counts,
    struct fault *f)
{
	*r = (struct wire_result){
		.lost = 1, .status = W_EXITCODE(0, SIGKILL), .begin_ns = s->begin_ns
	};
	for (uint32_t k = 0; q->workers > 1 && k < q->workers; k++)
		workers[k] = (struct wire_worker){ .status = r->status };
	for (size_t i = 0; q->count && i < s->counters; i++)
		counts[i] = (struct wire_count){ 0 };
	return died(s, f);
}

int spawn_client_receive(struct spawn_client *s, const struct spawn_request *q,
    struct wire_result *r, struct wire_worker *workers, struct wire_count *counts,
    struct fault *f)
{
	if (read_result(s, r, sizeof(*r)) < 0 ||
	    (q->workers > 1 && !r->passed_over &&
	        read_result(s, workers, q->workers * sizeof(*workers)) < 0) ||
	    (q->count && s->counters && !r->passed_over &&
	        read_result(s, counts, s->counters * sizeof(*counts)) < 0))
		return lose(s, q, r, workers, counts, f);
	if (r->failure > FAILURE_EXEC) {
		lose(s, q, r, workers, counts, f);
		return fault_set(f, "the helper bench-spawn sent an invalid answer; it may "
		                    "belong to another version (install benchutils again)");
	}
	resume(s);
	s->waiting--;
	r->stopped = s->stopped;
	return r->failure == FAILURE_NONE ? 0 : explain(q, r, f);
}

int spawn_client_run(struct spawn_client *s, const struct spawn_request *q,
    struct wire_result *r, struct wire_worker *workers, struct wire_count *counts,
    struct fault *f)
{
	return spawn_client_send(s, q, f) < 0
	           ? -1
	           : spawn_client_receive(s, q, r, workers, counts, f);
}

int spawn_client_output(struct spawn_client *s, struct buf *out, struct fault *f)
{
	off_t size = lseek(s->capture, 0, SEEK_END);

	if (size < 0)
		return fault_errno(f, "captured output");
	if (size > OUTPUT_KEPT)
		size = OUTPUT_KEPT;
	out->len = 0;
	buf_room(out, (size_t)size + 1);
	ssize_t got = pread(s->capture, out->ptr, (size_t)size, 0);
	if (got < 0)
		return fault_errno(f, "captured output");
	out->len = (size_t)got;
	out->ptr[out->len] = '\0';
	return 0;
}

bool spawn_client_gone(const struct spawn_client *s)
{
	return s->gone;
}

int spawn_client_fd(const struct spawn_client *s)
{
	return s->socket;
}

pid_t spawn_client_pid(const struct spawn_client *s)
{
	return s->process.pid;
}

/* Waits for the end of the helper, and lets it continue if it was stopped. */
static void await_end(struct spawn_client *s)
{
	siginfo_t info;

	while (waitid(P_PID, (id_t)s->process.pid, &info, WEXITED | WSTOPPED | WNOWAIT) < 0
	           ? errno == EINTR
	           : info.si_code == CLD_STOPPED)
		resume(s);
	process_wait(&s->process);
}

void spawn_client_close(struct spawn_client *s)
{
	if (!s)
		return;
	if (s->socket >= 0)
		close(s->socket);
	if (s->capture >= 0)
		close(s->capture);
	if (s->process.pid)
		await_end(s);
	if (s->shared)
		munmap(s->shared, s->shared_size);
	buf_free(&s->texts);
	free(s);
}
