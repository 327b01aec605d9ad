/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A backend that computes nothing, but takes the time that a device with known peaks takes.
 * Like a driver, it needs long to open a device for the first time in a process.
 *
 * The peaks are in effect for sizes that fill the device: FMA from 2^20 elements, GEMM from
 * 512 rows. Products of 40 rows take no time.
 *
 * The PCI address of the device is PEAKS_PCI; unknown without it.
 *
 * With PEAKS_COLD, the first triad of a size beyond the cache takes that many more seconds,
 * as one does whose memory is touched for the first time on a busy machine.
 *
 * With PEAKS_LOG, each opening of the device adds a line to that file and starts a thread.
 */
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "whole.h"

static const double flop_rate = 4e12, matrix_rate = 2e13, bandwidth = 1e11,
                    cache_bandwidth = 4e11, cache_bytes = 8 << 20, open_ns = 8e7;
enum { FULL_N = 1 << 20, FULL_ROWS = 512, FAST_ROWS = 40 };

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void pass_ns(double ns)
{
	const double end_ns = now_ns() + ns;

	while (now_ns() < end_ns)
		;
}

static double least(double a, double b)
{
	return a < b ? a : b;
}

static int probe_devices(struct backend_device *list, size_t max, char *why)
{
	(void)max;
	(void)why;
	const char *pci = getenv("PEAKS_PCI");

	list[0] = (struct backend_device){ .name = "peaks",
		.type = "gpu",
		.memory_bytes = UINT64_C(1) << 36,
		.units = 1,
		.dtypes = 1u << BACKEND_FLOAT32 };
	snprintf(list[0].pci, sizeof(list[0].pci), "%s", pci ? pci : "");
	return 1;
}

static void *thread_wait(void *unused)
{
	pause();
	return unused;
}

static void log_opening(const char *path)
{
	FILE *log = fopen(path, "ae");
	pthread_t thread;

	if (!log)
		return;
	fputs("open\n", log);
	fclose(log);
	pthread_create(&thread, NULL, thread_wait, NULL);
}

static struct backend_session *session_open(const struct backend_config *config, char *why)
{
	/* a variable of the environment stays if the plug-in is unloaded, as a driver does
	 */
	static const char opened[] = "PEAKS_OPENED";

	(void)config;
	(void)why;
	if (getenv("PEAKS_LOG"))
		log_opening(getenv("PEAKS_LOG"));
	if (!getenv(opened))
		pass_ns(open_ns);
	setenv(opened, "1", 1);
	return malloc(1);
}

static void session_close(struct backend_session *s)
{
	free(s);
}

static void *memory_alloc(struct backend_session *s, size_t bytes, char *why)
{
	(void)s;
	(void)bytes;
	(void)why;
	return calloc(1, 1);
}

static void memory_release(struct backend_session *s, void *buffer)
{
	(void)s;
	free(buffer);
}

static int memory_write(struct backend_session *s, void *buffer, size_t at,
    const void *from, size_t bytes, char *why)
{
	(void)s;
	(void)buffer;
	(void)at;
	(void)from;
	(void)bytes;
	(void)why;
	return 0;
}

static int fma_run(struct backend_session *s, const struct backend_op *op, char *why)
{
	const double n = (double)op->out[0]->size[0];

	(void)s;
	(void)why;
	pass_ns(2e9 * n * (double)op->p.stream.repeat / flop_rate / least(1, n / FULL_N));
	return 0;
}

static int gemm_run(struct backend_session *s, const struct backend_op *op, char *why)
{
	const double m = (double)op->out[0]->size[0], n = (double)op->out[0]->size[1],
	             k = (double)op->in[0]->size[1];

	(void)s;
	(void)why;
	if (m != FAST_ROWS)
		pass_ns(2e9 * m * n * k / matrix_rate / least(1, m / FULL_ROWS));
	return 0;
}

static int triad_run(struct backend_session *s, const struct backend_op *op, char *why)
{
	const double bytes = 12 * (double)op->out[0]->size[0];
	const char *cold = getenv("PEAKS_COLD");
	static double touched_bytes;

	(void)s;
	(void)why;
	if (cold && bytes > cache_bytes * 2 && bytes != touched_bytes) {
		pass_ns(strtod(cold, NULL) * 1e9);
		touched_bytes = bytes;
	}
	pass_ns(1e9 * bytes / (bytes < cache_bytes ? cache_bandwidth : bandwidth));
	return 0;
}

__attribute__((visibility("default"))) const struct backend bench_backend = {
	.abi = BACKEND_ABI,
	.name = "peaks",
	.summary = "for tests",
	.probe = probe_devices,
	.open = session_open,
	.close = session_close,
	.alloc = memory_alloc,
	.free = memory_release,
	.write = memory_write,
	.read = read_memory,
	.run = { [BACKEND_FMA] = fma_run,
	    [BACKEND_GEMM] = gemm_run,
	    [BACKEND_TRIAD] = triad_run },
	.sync = sync_session,
};
