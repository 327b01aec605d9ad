/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench-compute: runs a kernel or model on a device for bench-run, or lists the devices of
 * a backend, in a process of its own. Users do not run it. lib/protocol/helper_proto.h and
 * lib/protocol/compute_proto.h define its messages.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/standard_files.h"
#include "compute_backend.h"
#include "compute_run.h"
#include "helper_io.h"
#include "helper_main.h"
#include "protocol/compute_proto.h"
#include "sys/bus_error.h"

/* Returns a descriptor for the answer, and redirects standard output and standard error, to
 * which a driver may print. */
static int answer_fd(void)
{
	int fd = dup(STDOUT_FILENO), null = open("/dev/null", O_WRONLY);

	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	close(null);
	return fd;
}

static bool write_all(int fd, const void *bytes, size_t size)
{
	for (const char *p = bytes; size;) {
		ssize_t written = write(fd, p, size);

		if (written <= 0)
			return false;
		p += written;
		size -= (size_t)written;
	}
	return true;
}

static int probe(const struct backend_file *file)
{
	static struct backend_device device[COMPUTE_DEVICES_MAX];
	struct probe_answer answer = { .count = -1 };
	int fd = answer_fd();
	const struct backend *b;
	struct fault f;
	char why[BACKEND_WHY + 1] = "";

	b = compute_backend_load(file, &f);
	if (!b)
		snprintf(answer.why, sizeof(answer.why), "%s", f.text);
	else {
		answer.count = b->probe(device, COMPUTE_DEVICES_MAX, why);
		if (b->engine)
			snprintf(answer.formats, sizeof(answer.formats), "%s",
			    b->engine->formats);
		snprintf(answer.why, sizeof(answer.why), "%s", why);
	}
	if (answer.count > COMPUTE_DEVICES_MAX) {
		snprintf(answer.why, sizeof(answer.why),
		    "its probe returned %d devices, more than %d", (int)answer.count,
		    COMPUTE_DEVICES_MAX);
		answer.count = -1;
	}
	/* Threads of a driver may still run, so exit without tear-down. */
	_exit(write_all(fd, &answer, sizeof(answer)) &&
	              (answer.count <= 0 ||
	                  write_all(fd, device, (size_t)answer.count * sizeof(*device)))
	          ? 0
	          : 1);
}

/* Ends the helper in a signal handler. */
static void report_shortened(const char *path)
{
	helper_give_up(HELPER_FAILED, "%s: " BUS_ERROR_TEXT, path);
}

int main(int argc, char **argv)
{
	standard_files_open();

	if (argc >= 3 && strcmp(argv[1], "probe") == 0)
		return probe(&(struct backend_file){
		    .name = argv[2], .path = argc > 3 ? argv[3] : NULL });
	bus_errors_handle(report_shortened);
	helper_main(compute_prepare, compute_load);
}
