/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Copies values between the host and the device, and asks how much memory they use there;
 * see engine.h and engine_priv.h.
 */
#include <string.h>

#include "engine/engine_priv.h"
#include "graph/dtype.h"

int engine_blame(const struct engine *e, const char *what, const char *why, struct fault *f)
{
	return fault_set(f, "%s: %s: %s", e->opts.backend->name, what,
	    *why ? why : "the backend gives no reason");
}

int engine_place(struct engine *e, const struct backend_tensor *t, size_t at,
    const void *from, size_t bytes, struct fault *f)
{
	char why[BACKEND_WHY + 1] = "";

	if (e->opts.backend->write(e->session, t->buffer, at, from, bytes, why) == 0)
		return 0;
	return engine_blame(e, "cannot write to the device", why, f);
}

/* Copies a contiguous value between the host and the device. A value that no operation uses
 * has no memory there: what is written is lost, and zeros are read. */
static int copy_value(struct engine *e, enum model_phase phase, uint32_t value, char *bytes,
    bool write, struct fault *f)
{
	const struct backend *b = e->opts.backend;
	const struct backend_tensor *t = e->phase[phase].tensor[value];
	size_t size = dtype_bytes(t->dtype), at = (size_t)t->offset * size,
	       count = (size_t)graph_elements(&e->phase[phase].graph.value[value]);
	char why[BACKEND_WHY + 1] = "";

	if (!t->buffer) {
		if (!write)
			memset(bytes, 0, count * size);
		return 0;
	}
	if ((write ? b->write(e->session, t->buffer, at, bytes, count * size, why)
	           : b->read(e->session, t->buffer, at, bytes, count * size, why)) == 0)
		return 0;
	return engine_blame(e, "cannot access the device's memory", why, f);
}

/* Returns a buffer for a value. It is allocated the first time only, because tokens are
 * read in the timed loop. */
static char *transfer_room(struct engine *e, const struct graph_value *v)
{
	size_t bytes = graph_bytes(v);

	if (bytes > e->transfer_bytes) {
		e->transfer = mem_resize(e->transfer, bytes, 1);
		e->transfer_bytes = bytes;
	}
	return e->transfer;
}

int engine_read(
    struct engine *e, enum model_phase phase, uint32_t value, double *out, struct fault *f)
{
	const struct graph_value *v = &e->phase[phase].graph.value[value];
	char *bytes = transfer_room(e, v);

	if (copy_value(e, phase, value, bytes, false, f) < 0)
		return -1;
	dtype_load(v->dtype, out, bytes, (size_t)graph_elements(v));
	return 0;
}

int engine_write(struct engine *e, enum model_phase phase, uint32_t value,
    const double *from, struct fault *f)
{
	const struct graph_value *v = &e->phase[phase].graph.value[value];
	char *bytes = transfer_room(e, v);

	dtype_store(v->dtype, bytes, from, (size_t)graph_elements(v));
	return copy_value(e, phase, value, bytes, true, f);
}

uint64_t engine_memory_context(const struct engine *e)
{
	const struct backend *b = e->opts.backend;

	return b->memory_context ? b->memory_context(e->session) : 0;
}

uint64_t engine_memory(const struct engine *e)
{
	return e->opts.backend->memory ? e->opts.backend->memory(e->session) : 0;
}
