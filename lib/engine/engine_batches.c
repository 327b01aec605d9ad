/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads inputs from files, and writes them to the device, batch by batch; see engine.h.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/engine_priv.h"
#include "engine/tensor_file.h"
#include "graph/dtype.h"

/* Checks numbers, and stores them in the type of the tensor. Returns 0, or -1 and the
 * message. */
static int convert_batch(const struct engine *e, const struct graph_value *v,
    const char *spec, double *x, char *to, struct fault *f)
{
	const size_t count = (size_t)graph_elements(v);
	/* No table has rows of int8: only what is drawn is not negative. */
	const int low = v->dtype == BACKEND_INT8 ? INT8_MIN : 0;

	for (size_t i = 0; v->fill == FILL_BELOW && i < count; i++)
		if (!(x[i] >= low && x[i] < v->spread))
			return fault_set(f,
			    "%s: %.17g is not a whole number from %d to %.17g", spec, x[i],
			    low, v->spread - 1);
	if (dtype_is_float(v->dtype))
		drawn_round(e->opts.rounding, x, count);
	dtype_store(v->dtype, to, x, count);
	return 0;
}

/* Reads all batches of a source. Returns 0, or -1 and the message. */
static int read_batches(const struct engine *e, const struct tensor_source *s,
    const struct graph_value *v, const char *spec, struct engine_batches *b,
    struct fault *f)
{
	double *x = mem_zero((size_t)graph_elements(v) + 1, sizeof(*x));
	int status = 0;

	for (size_t i = 0; status == 0 && i < b->batches; i++)
		if (tensor_file_read(s, v, i, x, f) < 0 ||
		    convert_batch(e, v, spec, x, b->elements + i * b->size, f) < 0)
			status = -1;
	free(x);
	return status;
}

int engine_load_input(struct engine *e, const struct graph_value *v,
    const struct backend_tensor *t, const char *spec, struct fault *f)
{
	struct tensor_source s;
	struct engine_batches b = { .tensor = t, .size = graph_bytes(v) };
	int status;

	if (tensor_source_open(spec, v, &s, f) < 0)
		return -1;
	b.batches = e->opts.first_batch ? 1 : s.from.batches;
	b.elements = mem_zero(b.batches, b.size + 1);
	status = read_batches(e, &s, v, spec, &b, f);
	if (status == 0)
		status = engine_place(e, t, 0, b.elements, b.size, f);
	if (status == 0 && b.batches > 1)
		*VEC_ADD(e->batched, e->batcheds, e->batched_cap) = b;
	else
		free(b.elements);
	tensor_source_close(&s);
	return status;
}

void engine_batches_free(struct engine *e)
{
	for (size_t i = 0; i < e->batcheds; i++)
		free(e->batched[i].elements);
	free(e->batched);
}

bool engine_has_batches(const struct engine *e)
{
	return e->batcheds;
}

int engine_next_batch(struct engine *e, struct fault *f)
{
	const uint64_t turn = e->turn++;

	for (size_t i = 0; turn && i < e->batcheds; i++) {
		const struct engine_batches *b = &e->batched[i];

		if (engine_place(e, b->tensor, 0, b->elements + turn % b->batches * b->size,
		        b->size, f) < 0)
			return -1;
	}
	return 0;
}
