/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws numbers; see fill.h.
 */
#include <math.h>

#include "base/rng.h"
#include "bench-backend.h"
#include "engine/fill.h"
#include "graph/dtype.h"

void fill_begin(struct fill *fill, const struct graph_value *v, uint64_t seed)
{
	*fill = (struct fill){ .value = v,
		.key = text_hash(text_of(v->source ? v->source : v->name), seed) };
}

/* Returns output `at` of SplitMix64. */
static uint64_t bits_at(uint64_t key, uint64_t at)
{
	uint64_t state = key + at * UINT64_C(0x9e3779b97f4a7c15);

	return rng_splitmix(&state);
}

/* Returns the sum of four uniform numbers of 16 bits. */
static uint32_t sum_at(uint64_t key, uint64_t at)
{
	uint64_t bits = bits_at(key, at);

	return (uint32_t)((bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) +
	                  (bits >> 48));
}

/* Returns a sum scaled by its mean and standard deviation, and then to those of a value. */
static double normal_of(const struct graph_value *v, uint32_t sum)
{
	static const double mean = 4 * 65535 / 2.0,
	                    spread = 37837.22658; /* sqrt((2^32-1)/3) */

	return v->at + v->spread * (((double)sum - mean) / spread);
}

static double uniform_of(uint64_t bits)
{
	return (double)(bits >> 11) * 0x1p-53;
}

/* Returns one of 0 .. bound - 1. Their probabilities differ by less than bound 2^-64. */
static uint64_t bits_below(uint64_t bits, uint64_t bound)
{
	return (uint64_t)((unsigned __int128)bits * bound >> 64);
}

static double draw_element(const struct fill *fill, uint64_t at)
{
	const struct graph_value *v = fill->value;
	int64_t last = v->dims ? v->size[v->dims - 1] : 1;

	switch (v->fill) {
	case FILL_NORMAL:
		return normal_of(v, sum_at(fill->key, at));
	case FILL_UNIFORM:
		return v->at + v->spread * uniform_of(bits_at(fill->key, at));
	case FILL_BELOW:
		return (double)bits_below(
		    bits_at(fill->key, at), v->spread < 1 ? 1 : (uint64_t)v->spread);
	case FILL_VALUE:
		return v->at;
	case FILL_COUNT:
		return log((double)(at % (uint64_t)last) + 1);
	case FILL_DATA:
	case FILL_NOTHING:
	case FILL_QUANTIZED:
	case FILL_SCALES:
		break;
	}
	return 0;
}

/* Returns whether elements in memory are adjacent and in order. */
static bool is_packed(const struct graph_value *v)
{
	int64_t step = 1;

	for (uint32_t i = v->dims; i-- > 0; step *= v->size[i])
		if (v->size[i] != 1 && v->data_stride[i] != step)
			return false;
	return true;
}

const void *fill_memory(const struct graph_value *v)
{
	return v->fill == FILL_DATA && is_packed(v) ? v->data : NULL;
}

/* Returns the place in memory of element `at`. */
static int64_t place_of(const struct graph_value *v, int64_t at)
{
	int64_t place = 0;

	for (uint32_t i = v->dims; i-- > 0; at /= v->size[i])
		place += at % v->size[i] * v->data_stride[i];
	return place;
}

/* Copies the next elements from memory, which may be unaligned. */
static void copy_next(const struct fill *fill, uint64_t first, double *out, size_t count)
{
	enum { STEP = 512 };
	const struct graph_value *v = fill->value;
	const size_t size = dtype_bytes(v->data_dtype);
	const char *from = v->data;
	const bool packed = is_packed(v);
	double aligned[STEP];

	for (size_t at = 0; at < count; at += STEP) {
		const size_t n = count - at < STEP ? count - at : STEP;

		if (packed)
			memcpy(aligned, from + (first + at) * size, n * size);
		for (size_t i = 0; i < n && !packed; i++)
			memcpy((char *)aligned + i * size,
			    from + place_of(v, (int64_t)(first + at + i)) * (int64_t)size,
			    size);
		dtype_load(v->data_dtype, out + at, aligned, n);
	}
}

void fill_next(struct fill *fill, double *out, size_t count)
{
	const uint64_t first = fill->at;

	fill->at += count;
	if (fill->value->fill == FILL_NORMAL)
		for (size_t i = 0; i < count; i++)
			out[i] = normal_of(fill->value, sum_at(fill->key, first + i));
	else if (fill->value->fill == FILL_DATA && fill->value->data)
		copy_next(fill, first, out, count);
	else
		for (size_t i = 0; i < count; i++)
			out[i] = draw_element(fill, first + i);
}

void fill_table(const struct graph_value *v, double *out)
{
	for (uint32_t sum = 0; sum < BACKEND_DRAWN; sum++)
		out[sum] = normal_of(v, sum);
}

/* Defines the loop for elements of a type, which is not converted. */
#define FILL_FROM(type)                                                                    \
	for (size_t i = 0; i < count; i++)                                                 \
		((type *)out)[i] = ((const type *)table)[sum_at(fill->key, fill->at + i)]; \
	break

void fill_next_from(
    struct fill *fill, const void *table, size_t size, void *out, size_t count)
{
	switch (size) {
	case 1:
		FILL_FROM(uint8_t);
	case 2:
		FILL_FROM(uint16_t);
	case 4:
		FILL_FROM(uint32_t);
	default:
		FILL_FROM(uint64_t);
	}
	fill->at += count;
}
