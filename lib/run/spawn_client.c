/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The client's side of spawn_proto.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/paths.h"
#include "counters/counter_scale.h"
#include "run/spawn_client.h"
#include "sys/process_start.h"

enum { OUTPUT_KEPT = 16 << 20 };

struct spawn_client {
	struct process process;
	int socket, capture;
	size_t counters;
	struct buf texts;
};

static int write_all(int fd, const void *bytes, size_t size)
{
	for (const char *p = bytes; size;) {
		ssize_t put = send(fd, p, size, MSG_NOSIGNAL);

		if (put < 0 && errno != EINTR)
			return -1;
		if (put > 0) {
			p += put;
			size -= (size_t)put;
		}
	}
	return 0;
}

static int read_all(int fd, void *out, size_t size)
{
	for (char *p = out; size;) {
		ssize_t got = recv(fd, p, size, 0);

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

/*
 * Confines a process to processors. The kernel accepts a list of which only some exist;
 * this function requires all.
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

/* Starts the helper with the socket as WIRE_SOCKET and the capture file as WIRE_CAPTURE. */
static int start_helper(
    struct spawn_client *s, int theirs, const cpu_set_t *cpus, struct fault *f)
{
	char *path = libexec_path("bench-spawn");
	char *const argv[] = { "bench-spawn", NULL };
	struct process_fd fd[] = { { theirs, WIRE_SOCKET }, { s->capture, WIRE_CAPTURE } };
	struct process_opts opts = {
		.program = path, .argv = argv, .fd = fd, .fds = s->capture >= 0 ? 2 : 1
	};
	int status;

	if (process_start(&s->process, &opts) < 0)
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

static int open_counters(struct spawn_client *s, struct counter_set *set, struct fault *f)
{
	struct wire_events head = { .count = (uint32_t)set->count };

	if (set->count > WIRE_EVENTS_MAX)
		return fault_set(f, "%zu events are more than the limit of %d", set->count,
		    WIRE_EVENTS_MAX);
	if (write_all(s->socket, &head, sizeof(head)) < 0)
		return fault_errno(f, "bench-spawn");
	for (size_t i = 0; i < set->count; i++) {
		struct wire_event e = counter_wire_event(&set->counter[i]);

		if (write_all(s->socket, &e, sizeof(e)) < 0)
			return fault_errno(f, "bench-spawn");
	}
	for (size_t i = 0; i < set->count; i++) {
		struct wire_opened opened;

		if (read_all(s->socket, &opened, sizeof(opened)) < 0)
			return fault_errno(f, "bench-spawn");
		counter_opened(set, i, opened.error, opened.user_only);
	}
	counter_settle(set);
	s->counters = set->count;
	return 0;
}

struct spawn_client *spawn_client_open(
    const struct spawn_client_opts *config, struct fault *f)
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
	if (config->capture) {
		s->capture = memfd_create("output", MFD_CLOEXEC);
		if (s->capture < 0) {
			fault_errno(f, "memfd_create");
			close(pair[1]);
			goto failed;
		}
		s->capture = moved_up(s->capture);
		if (s->capture < 0) {
			fault_errno(f, "bench-spawn");
			close(pair[1]);
			goto failed;
		}
	}
	int started = start_helper(s, pair[1], config->cpus, f);
	close(pair[1]);
	if (started < 0 || open_counters(s, config->counters, f) < 0)
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

static int died(struct fault *f)
{
	return fault_set(f, "the helper bench-spawn ended unexpectedly");
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
	w.text_size = (uint32_t)(s->texts.len - sizeof(w));
	if (s->texts.len - sizeof(w) > WIRE_ARGS_MAX)
		return fault_set(f, "%s: the arguments are longer than 1 MiB", q->path);
	memcpy(s->texts.ptr, &w, sizeof(w));
	return write_all(s->socket, s->texts.ptr, s->texts.len) < 0 ? died(f) : 0;
}

int spawn_client_receive(struct spawn_client *s, const struct spawn_request *q,
    struct wire_result *r, struct wire_worker *workers, struct wire_count *counts,
    struct fault *f)
{
	if (read_all(s->socket, r, sizeof(*r)) < 0 ||
	    (q->workers > 1 && !r->passed_over &&
	        read_all(s->socket, workers, q->workers * sizeof(*workers)) < 0) ||
	    (q->count && s->counters && !r->passed_over &&
	        read_all(s->socket, counts, s->counters * sizeof(*counts)) < 0))
		return died(f);
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

int spawn_client_fd(const struct spawn_client *s)
{
	return s->socket;
}

pid_t spawn_client_pid(const struct spawn_client *s)
{
	return s->process.pid;
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
		process_wait(&s->process);
	buf_free(&s->texts);
	free(s);
}
