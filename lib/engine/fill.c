/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws numbers; see fill.h.
 */
#include <math.h>

#include "engine/fill.h"

void fill_begin(struct fill *fill, const struct graph_value *v, uint64_t seed)
{
	*fill = (struct fill){ .value = v };
	rng_seed(&fill->rng, text_hash(text_of(v->name), seed));
}

/* Returns the sum of four uniform numbers of 16 bits, scaled by its mean and standard
 * deviation. */
static double bell(struct rng *rng)
{
	static const double mean = 4 * 65535 / 2.0,
	                    spread = 37837.22658; /* sqrt((2^32-1)/3) */
	uint64_t bits = rng_next(rng);
	uint64_t sum =
	    (bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + (bits >> 48);

	return ((double)sum - mean) / spread;
}

static double draw(struct fill *fill)
{
	const struct graph_value *v = fill->value;
	int64_t last = v->dims ? v->size[v->dims - 1] : 1;

	switch (v->fill) {
	case FILL_NORMAL:
		return v->at + v->spread * bell(&fill->rng);
	case FILL_UNIFORM:
		return v->at + v->spread * rng_uniform(&fill->rng);
	case FILL_BELOW:
		return (double)rng_below(
		    &fill->rng, v->spread < 1 ? 1 : (uint64_t)v->spread);
	case FILL_VALUE:
		return v->at;
	case FILL_COUNT:
		return log((double)(fill->at % (size_t)last) + 1);
	case FILL_NOTHING:
		break;
	}
	return 0;
}

void fill_next(struct fill *fill, double *out, size_t count)
{
	if (fill->value->fill == FILL_VALUE) {
		for (size_t i = 0; i < count; i++)
			out[i] = fill->value->at;
		return;
	}
	for (size_t i = 0; i < count; i++, fill->at++)
		out[i] = draw(fill);
}
