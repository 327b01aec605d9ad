/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Probes backends; see devices.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/paths.h"
#include "device/devices.h"
#include "protocol/compute_proto.h"
#include "sys/exit_status.h"
#include "sys/process_start.h"

enum { PROBE_MS = 15000 }; /* the time limit of a probe */

/* A running probe. */
struct probe {
	struct process process;
	int fd; /* reads its output; -1 if it could not be started */
	struct buf got;
	bool late;
	struct fault failed; /* why it could not be started */
};

/* Starts the probe of a backend. */
static void start_probe(struct probe *p, const struct backend_file *file)
{
	char *path = libexec_path("bench-compute");
	char *argv[] = { path, "probe", file->name, file->path, NULL };
	int ends[2];

	p->fd = -1;
	if (pipe2(ends, O_CLOEXEC) < 0) {
		fault_errno(&p->failed, "bench-compute: pipe");
	} else {
		struct process_fd fd[] = { { PROCESS_NULL, STDIN_FILENO },
			{ ends[1], STDOUT_FILENO } };
		struct process_opts opts = { .program = path,
			.argv = argv,
			.fd = fd,
			.fds = COUNT(fd),
			.group = true,
			.dies_with_us = true };

		if (process_start(&p->process, &opts) == 0) {
			p->fd = ends[0];
		} else {
			fault_errno(&p->failed, "bench-compute");
			close(ends[0]);
		}
		close(ends[1]);
	}
	free(path);
}

/* Reads the output of a probe until it ends or the time limit is reached. */
static void read_probe(struct probe *p, int64_t end_ms)
{
	char bytes[4096];
	struct pollfd fd = { .fd = p->fd, .events = POLLIN };

	while (p->fd >= 0) {
		int64_t left_ms = end_ms - clock_monotonic_ns() / 1000000;
		int ready = poll(&fd, 1, left_ms > 0 ? (int)left_ms : 0);
		ssize_t count;

		if (ready < 0 && errno == EINTR)
			continue;
		if (ready <= 0) {
			p->late = true;
			break;
		}
		count = read(p->fd, bytes, sizeof(bytes));
		if (count <= 0)
			break;
		buf_put(&p->got, bytes, (size_t)count);
	}
}

/* Ends a probe. Returns why it gave no answer, which the caller frees; or NULL. */
static char *end_probe(struct probe *p)
{
	char text[EXIT_STATUS_MAX];
	pid_t group = p->process.pid;
	int status;

	if (p->fd < 0)
		return str_format(
		    "cannot start the search for its devices: %s", p->failed.text);
	close(p->fd);
	if (p->late)
		process_kill(&p->process, SIGKILL);
	status = process_wait(&p->process);
	kill(-group, SIGKILL);
	if (p->late)
		return str_format(
		    "the search for its devices did not end within %d s", PROBE_MS / 1000);
	if (status <= 0 && p->got.len >= sizeof(struct probe_answer))
		return NULL;
	exit_status_print(status < 0 ? 0 : status, false, text, sizeof(text));
	return str_format("the search for its devices ended badly: %s", text);
}

/* Makes a string of a plug-in end, and be one line. */
static void clean_text(char *text, size_t size)
{
	text[size - 1] = '\0';
	for (char *p = text; *p; p++)
		if ((unsigned char)*p < ' ')
			*p = ' ';
}

static void clean_device(struct backend_device *d)
{
	clean_text(d->name, sizeof(d->name));
	clean_text(d->type, sizeof(d->type));
	clean_text(d->word, sizeof(d->word));
	clean_text(d->unusable, sizeof(d->unusable));
	clean_text(d->detail, sizeof(d->detail));
	clean_text(d->version, sizeof(d->version));
	clean_text(d->pci, sizeof(d->pci));
	clean_text(d->warning, sizeof(d->warning));
}

/* Adds the devices in the answer of a probe. */
static void add_devices(struct devices *d, size_t backend, const struct buf *got)
{
	struct device_backend *b = &d->backend[backend];
	struct probe_answer answer;
	size_t room = (got->len - sizeof(answer)) / sizeof(struct backend_device);

	memcpy(&answer, got->ptr, sizeof(answer));
	clean_text(answer.why, sizeof(answer.why));
	clean_text(answer.formats, sizeof(answer.formats));
	memcpy(b->formats, answer.formats, sizeof(b->formats));
	for (int32_t i = 0; i < answer.count && (size_t)i < room; i++) {
		struct device *device = VEC_ADD(d->device, d->count, d->cap);

		*device = (struct device){ .backend = backend, .index = (uint32_t)i };
		memcpy(&device->about,
		    got->ptr + sizeof(answer) + (size_t)i * sizeof(device->about),
		    sizeof(device->about));
		clean_device(&device->about);
		b->count++;
		b->usable += !*device->about.unusable;
	}
	if (!b->count)
		b->why = str_copy(*answer.why ? answer.why : "no devices");
	else if (!b->usable)
		b->why = str_copy(d->device[b->first].about.unusable);
}

void devices_find(
    struct devices *d, bool (*wanted)(const void *ctx, const char *name), const void *ctx)
{
	struct probe *probe;
	int64_t end_ms;

	*d = (struct devices){ 0 };
	d->file = backends_find(NULL, &d->backends);
	d->backend = mem_zero(d->backends + 1, sizeof(*d->backend));
	probe = mem_zero(d->backends + 1, sizeof(*probe));
	for (size_t i = 0; i < d->backends; i++)
		if (!wanted || wanted(ctx, d->file[i].name))
			start_probe(&probe[i], &d->file[i]);
	end_ms = clock_monotonic_ns() / 1000000 + PROBE_MS;
	for (size_t i = 0; i < d->backends; i++) {
		d->backend[i] =
		    (struct device_backend){ .file = &d->file[i], .first = d->count };
		if (wanted && !wanted(ctx, d->file[i].name))
			continue;
		read_probe(&probe[i], end_ms);
		d->backend[i].why = end_probe(&probe[i]);
		if (!d->backend[i].why)
			add_devices(d, i, &probe[i].got);
		buf_free(&probe[i].got);
	}
	free(probe);
}

void devices_free(struct devices *d)
{
	for (size_t i = 0; i < d->backends; i++)
		free(d->backend[i].why);
	free(d->backend);
	backends_free(d->file, d->backends);
	free(d->device);
	*d = (struct devices){ 0 };
}

const struct device_backend *devices_backend(const struct devices *d, const char *name)
{
	for (size_t i = 0; i < d->backends; i++)
		if (strcmp(d->backend[i].file->name, name) == 0)
			return &d->backend[i];
	return NULL;
}
