/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Adds views of values: the same elements in other sizes, and parts of them; see
 * model_build.h.
 */
#include "model/model_args.h"
#include "model/model_build.h"

/*
 * Finds the shortest runs of old and new dimensions, from *o and *n on, whose products are
 * equal, and moves both to the ends of the runs. Returns false if there are none.
 */
static bool find_run(const int64_t size[BACKEND_DIMS], uint32_t dims,
    const struct shape *shape, uint32_t *o, uint32_t *n)
{
	int64_t old = size[(*o)++], new = shape->size[(*n)++];

	while (old != new)
		if (old < new &&*o < dims)
			old *= size[(*o)++];
		else if (new < old &&*n < shape->dims)
			new *= shape->size[(*n)++];
		else
			return false;
	return true;
}

/*
 * Stores the strides by which `shape` views the elements of `old` in the same order.
 * Returns false if there are none. It matches runs of dimensions whose products are equal;
 * within a run, the old dimensions must be contiguous.
 */
static bool restride(
    const struct graph_value *old, const struct shape *shape, int64_t stride[BACKEND_DIMS])
{
	uint32_t dims = 0, o = 0, n = 0;
	int64_t size[BACKEND_DIMS], step[BACKEND_DIMS];

	for (uint32_t i = 0; i < old->dims; i++)
		if (old->size[i] != 1) {
			size[dims] = old->size[i];
			step[dims++] = old->stride[i];
		}
	for (uint32_t i = 0; i < BACKEND_DIMS; i++)
		stride[i] = 1;
	while (o < dims && n < shape->dims) {
		uint32_t o_end = o, n_end = n;

		if (!find_run(size, dims, shape, &o_end, &n_end))
			return false;
		for (uint32_t i = o; i + 1 < o_end; i++)
			if (step[i] != size[i + 1] * step[i + 1])
				return false;
		stride[n_end - 1] = step[o_end - 1];
		for (uint32_t i = n_end - 1; i > n; i--)
			stride[i - 1] = stride[i] * shape->size[i];
		o = o_end;
		n = n_end;
	}
	for (; o < dims || n < shape->dims; n++)
		if (o < dims || shape->size[n] != 1)
			return false;
	return true;
}

uint32_t build_reshape(struct builder *b, uint32_t value, struct shape shape)
{
	struct graph_value old = *build_value(b, value);
	int64_t stride[BACKEND_DIMS];
	double elements = 1;

	for (uint32_t i = 0; i < shape.dims; i++)
		elements *= (double)shape.size[i];
	if (elements != (double)graph_elements(&old)) {
		build_fail(b, "%lld elements do not fit sizes of %.0f elements",
		    (long long)graph_elements(&old), elements);
		return value;
	}
	if (!restride(&old, &shape, stride)) {
		build_fail(b, "the operand is not contiguous; use move first");
		return value;
	}
	return build_view(b, value, shape, stride, 0);
}

uint32_t build_rows(struct builder *b, uint32_t value)
{
	struct graph_value *v = build_value(b, value);

	if (v->dims == 2)
		return value;
	int64_t last = build_last(b, value);
	return build_reshape(b, value, SHAPE(graph_elements(v) / last, last));
}

uint32_t build_tokens(struct builder *b, uint32_t value)
{
	const struct graph_value *v = build_value(b, value);

	if (v->dims != 2)
		return value;
	int64_t batch = arg_size(b, "batch"), rows = v->size[0];
	if (rows % batch) {
		build_fail(b, "%lld rows are not a multiple of batch=%lld", (long long)rows,
		    (long long)batch);
		return value;
	}
	return build_reshape(b, value, SHAPE(batch, rows / batch, v->size[1]));
}

uint32_t build_slice(
    struct builder *b, uint32_t value, uint32_t dim, int64_t from, int64_t size)
{
	struct graph_value old = *build_value(b, value);
	struct shape shape = build_shape(b, value);

	if (dim >= old.dims || from < 0 || size < 1 || from > old.size[dim] - size) {
		build_fail(b, "%lld places from %lld are not inside dimension %u",
		    (long long)size, (long long)from, (unsigned)dim);
		return value;
	}
	shape.size[dim] = size;
	return build_view(b, value, shape, old.stride, from * old.stride[dim]);
}
