/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The backend ref: a device that uses the host's memory and one thread. The other backends
 * are compared with it, so it is simple rather than fast; see ref_priv.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ref.h"
#include "ref_priv.h"

enum { ALIGNMENT = 64 }; /* of buffers; as many bytes in front of each hold its size */

static int device_probe(struct backend_device *list, size_t max, char *why)
{
	long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);

	if (max == 0) {
		snprintf(why, BACKEND_WHY, "no room in the list of devices");
		return -1;
	}
	*list = (struct backend_device){ .name = "reference",
		.type = "cpu",
		.detail = "plain C, double precision, one thread",
		.memory_bytes = pages > 0 ? (uint64_t)pages * (uint64_t)page : 0,
		.units = 1,
		.dtypes = 1u << BACKEND_FLOAT64 | 1u << BACKEND_INT8 };
	return 1;
}

static struct backend_session *session_open(const struct backend_config *config, char *why)
{
	struct backend_session *s;

	if (config->device != 0) {
		snprintf(why, BACKEND_WHY, "there is one device, 0; not %u",
		    (unsigned)config->device);
		return NULL;
	}
	s = calloc(1, sizeof(*s));
	if (!s)
		snprintf(why, BACKEND_WHY, "out of memory");
	return s;
}

static void session_close(struct backend_session *s)
{
	free(s->scratch);
	free(s);
}

static void *buffer_alloc(struct backend_session *s, size_t bytes, char *why)
{
	size_t room = (bytes + 2 * ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	char *block = room > bytes ? aligned_alloc(ALIGNMENT, room) : NULL;

	if (!block) {
		snprintf(why, BACKEND_WHY, "out of memory");
		return NULL;
	}
	memcpy(block, &bytes, sizeof(bytes));
	s->bytes += bytes;
	return block + ALIGNMENT;
}

static void buffer_free(struct backend_session *s, void *buffer)
{
	char *block = (char *)buffer - ALIGNMENT;
	size_t bytes;

	if (!buffer)
		return;
	memcpy(&bytes, block, sizeof(bytes));
	s->bytes -= bytes;
	free(block);
}

static int buffer_write(struct backend_session *s, void *buffer, size_t at,
    const void *from, size_t bytes, char *why)
{
	(void)s;
	(void)why;
	memcpy((char *)buffer + at, from, bytes);
	return 0;
}

static int buffer_read(
    struct backend_session *s, void *buffer, size_t at, void *to, size_t bytes, char *why)
{
	(void)s;
	(void)why;
	memcpy(to, (char *)buffer + at, bytes);
	return 0;
}

static int list_prepare(
    struct backend_session *s, struct backend_op *op, size_t count, char *why)
{
	size_t most = s->scratch_count;
	double *more;

	for (size_t i = 0; i < count; i++)
		if (ref_scratch(&op[i]) > most)
			most = ref_scratch(&op[i]);
	if (most == s->scratch_count)
		return 0;
	more = realloc(s->scratch, most * sizeof(*more));
	if (!more) {
		snprintf(why, BACKEND_WHY, "cannot allocate %zu numbers", most);
		return -1;
	}
	s->scratch = more;
	s->scratch_count = most;
	return 0;
}

/* Does nothing: the scratch memory belongs to the session. */
static void list_release(struct backend_session *s, struct backend_op *op, size_t count)
{
	(void)s;
	(void)op;
	(void)count;
}

static int session_sync(struct backend_session *s, char *why)
{
	(void)s;
	(void)why;
	return 0;
}

static uint64_t session_memory(struct backend_session *s)
{
	return s->bytes + s->scratch_count * sizeof(*s->scratch);
}

const struct backend backend_ref = {
	.abi = BACKEND_ABI,
	.name = "ref",
	.summary = "plain C in double precision, which the others are checked against",
	.probe = device_probe,
	.open = session_open,
	.close = session_close,
	.alloc = buffer_alloc,
	.free = buffer_free,
	.write = buffer_write,
	.read = buffer_read,
	.supports = ref_supports,
	.prepare = list_prepare,
	.release = list_release,
	.sync = session_sync,
	.memory = session_memory,
	.run = {
		[BACKEND_NOP] = ref_nop,
		[BACKEND_COPY] = ref_copy,
		[BACKEND_SCALE] = ref_scale,
		[BACKEND_TRIAD] = ref_triad,
		[BACKEND_AXPY] = ref_axpy,
		[BACKEND_DOT] = ref_dot,
		[BACKEND_FMA] = ref_fma,
		[BACKEND_GEMV] = ref_gemv,
		[BACKEND_GEMM] = ref_gemm,
		[BACKEND_CONV] = ref_conv,
		[BACKEND_ATTENTION] = ref_attention,
		[BACKEND_LAYERNORM] = ref_layernorm,
		[BACKEND_RMSNORM] = ref_rmsnorm,
		[BACKEND_GROUPNORM] = ref_groupnorm,
		[BACKEND_BATCHNORM] = ref_batchnorm,
		[BACKEND_SOFTMAX] = ref_softmax,
		[BACKEND_UNARY] = ref_unary,
		[BACKEND_BINARY] = ref_binary,
		[BACKEND_ROUND] = ref_round,
		[BACKEND_CELL] = ref_cell,
		[BACKEND_GLU] = ref_glu,
		[BACKEND_GATHER] = ref_gather,
		[BACKEND_POOL] = ref_pool,
		[BACKEND_RESIZE] = ref_resize,
		[BACKEND_MOVE] = ref_move,
		[BACKEND_ROPE] = ref_rope,
		[BACKEND_RELATIVE] = ref_relative,
		[BACKEND_SINUSOID] = ref_sinusoid,
		[BACKEND_SCAN] = ref_scan,
		[BACKEND_CAUSAL_CONV] = ref_causal_conv,
		[BACKEND_ROUTE] = ref_route,
		[BACKEND_EXPERTS] = ref_experts,
		[BACKEND_COMBINE] = ref_combine,
		[BACKEND_TOPK] = ref_topk,
		[BACKEND_TREES] = ref_trees,
		[BACKEND_QGEMM] = ref_qgemm,
		[BACKEND_QCONV] = ref_qconv,
		[BACKEND_QEXPERTS] = ref_qexperts,
	},
};
