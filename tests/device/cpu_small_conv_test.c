/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks that the backend cpu computes a small convolution without waking its other
 * threads, which takes longer than the convolution.
 */
#include <dirent.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "bench-backend.h"
#include "tests/device/cpu_plugin.h"
#include "tests/lib/tap.h"

static const struct backend *backend;
static struct backend_session *session;
static char why[BACKEND_WHY];

/* Returns the number of threads of this process. */
static int count_threads(void)
{
	DIR *dir = opendir("/proc/self/task");
	int count = 0;

	for (struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir))
		count += e->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return count;
}

/* Returns a tensor [a,b,c,d] of zeros. */
static struct backend_tensor tensor_make(
    enum backend_role role, int64_t a, int64_t b, int64_t c, int64_t d)
{
	const size_t bytes = (size_t)(a * b * c * d) * sizeof(float);
	struct backend_tensor t = { .dtype = BACKEND_FLOAT32,
		.role = role,
		.dims = 4,
		.size = { a, b, c, d },
		.stride = { b * c * d, c * d, d, 1 },
		.buffer = backend->alloc(session, bytes, why) };
	void *zeros = calloc(1, bytes);

	if (!t.buffer || !zeros ||
	    backend->write(session, t.buffer, 0, zeros, bytes, why) < 0)
		errx(2, "write: %s", why);
	free(zeros);
	return t;
}

/* Runs a convolution with a kernel of 3 x 3. */
static void run_conv(int64_t channels, int64_t size)
{
	struct backend_tensor x = tensor_make(BACKEND_INPUT, 1, channels, size, size),
	                      w = tensor_make(BACKEND_WEIGHT, channels, channels, 3, 3),
	                      y = tensor_make(BACKEND_OUTPUT, 1, channels, size, size);
	struct backend_op op = { .kind = BACKEND_CONV,
		.in = { &x, &w },
		.out = { &y },
		.p.conv = { { 1, 1 }, { 1, 1 }, { 1, 1 }, { 1, 1 }, 1 } };

	if (backend->prepare(session, &op, 1, why) < 0 ||
	    backend->run[BACKEND_CONV](session, &op, why) < 0 ||
	    backend->sync(session, why) < 0)
		errx(2, "conv: %s", why);
	backend->release(session, &op, 1);
	backend->free(session, x.buffer);
	backend->free(session, w.buffer);
	backend->free(session, y.buffer);
}

int main(void)
{
	const struct backend_config config = { .abi = BACKEND_ABI, .threads = 2 };
	int before;

	backend = cpu_plugin_load();
	if (!backend) {
		puts("1..0 # SKIP the backend cpu was not built");
		return 0;
	}
	session = backend->open(&config, why);
	if (!session)
		errx(2, "open: %s", why);
	before = count_threads();
	run_conv(16, 8);
	tap_ok(count_threads() == before,
	    "a small convolution of the backend cpu starts no thread");
	run_conv(64, 32);
	tap_ok(count_threads() > before,
	    "a larger convolution of the backend cpu has all threads");
	backend->close(session);
	return tap_end();
}
