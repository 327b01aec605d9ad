/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A library between benchutils and what runs a model, which observes the passes: it writes
 * a line with the start and end of each pass, in ns, to the file $TOKEN_STAMPS. The macro
 * OBSERVE says where it is:
 *
 *	ONNXRUNTIME	linked to ONNX Runtime, it has its function Run;
 *	OPENVINO	linked to OpenVINO, it has its function ov_infer_request_infer;
 *	BACKEND		it is the backend "observed", with the hooks of the plug-in
 *			$OBSERVED_BACKEND, which runs lists of operations.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ONNXRUNTIME 1
#define OPENVINO 2
#define BACKEND 3

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void write_pass(int64_t start_ns, int64_t end_ns)
{
	static int file = -1;
	char line[64];
	const int length = snprintf(
	    line, sizeof(line), "%lld %lld\n", (long long)start_ns, (long long)end_ns);

	if (file < 0)
		file = open(getenv("TOKEN_STAMPS"), O_WRONLY | O_CREAT | O_APPEND, 0600);
	if (write(file, line, (size_t)length) != length)
		abort();
}

/* Finds a symbol of a library, or with RTLD_NEXT of the real one. */
static void find_real(void *library, void *function, const char *name)
{
	void *symbol = library ? dlsym(library, name) : NULL;

	if (!symbol)
		abort();
	memcpy(function, &symbol, sizeof(symbol));
}

#if OBSERVE == ONNXRUNTIME

/* The place of Run in the table, and the entries of the newest table that is asked for. */
enum { RUN = 9, ENTRIES = 410, NEWEST = 24 };

typedef void *run_pass(void *session, const void *options, const char *const *inputs,
    const void *const *in, size_t ins, const char *const *outputs, size_t outs, void **out);

struct base {
	const void *const *(*table)(uint32_t version);
	const char *(*version)(void);
};

static const struct base *real;
static run_pass *real_run;

static void *observed_run(void *session, const void *options, const char *const *inputs,
    const void *const *in, size_t ins, const char *const *outputs, size_t outs, void **out)
{
	const int64_t start_ns = now_ns();
	void *status = real_run(session, options, inputs, in, ins, outputs, outs, out);

	write_pass(start_ns, now_ns());
	return status;
}

static const void *const *observed_table(uint32_t version)
{
	static const void *copy[ENTRIES];
	const void *const *table = version == NEWEST ? real->table(version) : NULL;
	run_pass *ours = observed_run;

	if (!table)
		return NULL;
	memcpy(copy, table, sizeof(copy));
	memcpy(&real_run, &table[RUN], sizeof(real_run));
	memcpy(&copy[RUN], &ours, sizeof(ours));
	return copy;
}

const struct base *OrtGetApiBase(void);
const struct base *OrtGetApiBase(void)
{
	static struct base base;
	const struct base *(*get)(void);

	find_real(RTLD_NEXT, &get, "OrtGetApiBase");
	real = get();
	base = (struct base){ observed_table, real->version };
	return &base;
}

#elif OBSERVE == OPENVINO

int ov_infer_request_infer(void *request);
int ov_infer_request_infer(void *request)
{
	static int (*infer)(void *request);
	int64_t start_ns;
	int status;

	if (!infer)
		find_real(RTLD_NEXT, &infer, "ov_infer_request_infer");
	start_ns = now_ns();
	status = infer(request);
	write_pass(start_ns, now_ns());
	return status;
}

#elif OBSERVE == BACKEND

#include "bench-backend.h"

struct backend bench_backend;
static const struct backend *real;
static int64_t start_ns; /* of the pass; 0: none has begun */

static int observed_list(
    struct backend_session *s, const struct backend_op *op, size_t count, char *why)
{
	int status = 0;

	start_ns = now_ns();
	for (size_t i = 0; i < count && status == 0; i++)
		status = real->run[op[i].kind](s, &op[i], why);
	return status;
}

static int observed_sync(struct backend_session *s, char *why)
{
	const int status = real->sync(s, why);

	if (start_ns)
		write_pass(start_ns, now_ns());
	start_ns = 0;
	return status;
}

__attribute__((constructor)) static void observe(void)
{
	find_real(dlopen(getenv("OBSERVED_BACKEND"), RTLD_NOW), &real, "bench_backend");
	bench_backend = *real;
	bench_backend.name = "observed";
	bench_backend.run_list = observed_list;
	bench_backend.sync = observed_sync;
}

#endif
