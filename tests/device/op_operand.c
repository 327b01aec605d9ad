/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parses and fills the operands of op_check.
 */
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "graph/dtype.h"
#include "op_check.h"

static struct op_operand *operand_find(
    struct op_operand *list, size_t count, const char *name, size_t len)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(list[i].name) == len && strncmp(list[i].name, name, len) == 0)
			return &list[i];
	return NULL;
}

/* Returns whether a word is NAME=VALUE of this name. */
static bool word_sets(const char *word, const char *name)
{
	size_t len = strlen(name);

	return strncmp(word, name, len) == 0 && word[len] == '=';
}

static void tensor_set_strides(struct backend_tensor *t, int64_t pad)
{
	int64_t stride = 1;

	for (uint32_t i = t->dims; i-- > 0;) {
		t->stride[i] = stride;
		stride = stride * t->size[i] + pad;
	}
}

static void operand_read_word(
    struct op_operand *o, struct op_operand *list, size_t count, const char *word)
{
	static const struct {
		const char *word;
		enum backend_role role;
	} roles[] = { { "w", BACKEND_WEIGHT }, { "s", BACKEND_STATE },
		{ "a", BACKEND_ACTIVATION }, { "out", BACKEND_OUTPUT } };
	const char *value = strchr(word, '=');
	size_t len = value ? (size_t)(value++ - word) : strlen(word);
	struct backend_tensor *t = &o->like;

	for (size_t i = 0; i < COUNT(roles); i++)
		if (strcmp(roles[i].word, word) == 0) {
			t->role = roles[i].role;
			return;
		}
	if (dtype_find(word) >= 0) {
		t->dtype = (enum backend_dtype)dtype_find(word);
	} else if (word_sets(word, "pad")) {
		tensor_set_strides(t, atoll(value));
	} else if (word_sets(word, "off")) {
		t->offset = atoll(value);
	} else if (word_sets(word, "room")) {
		o->room = atoll(value);
	} else if (word_sets(word, "of")) {
		o->base = operand_find(list, count, value, strlen(value));
		if (!o->base)
			errx(2, "%s: no such operand", value);
	} else if (word_sets(word, "stride")) {
		for (uint32_t i = 0; i < t->dims; i++, value += *value == ',')
			t->stride[i] = strtoll(value, (char **)&value, 10);
	} else {
		snprintf(o->fill, sizeof(o->fill), "%.*s", (int)len, word);
		o->fill_with = value ? atof(value) : 0;
	}
}

struct op_operand *operand_read(struct op_operand *list, size_t *count, const char *text,
    enum backend_dtype dtype, bool written)
{
	char *copy = str_copy(text), *rest = NULL, *word = strtok_r(copy, " ", &rest);
	char *equals = strchr(word, '=');
	struct op_operand *o = operand_find(list, *count, word, strlen(word));
	struct backend_tensor *t;

	if (o) {
		free(copy);
		return o;
	}
	if (*count == OPERANDS)
		errx(2, "%s: too many operands", text);
	o = &list[(*count)];
	t = &o->like;
	*o = (struct op_operand){ .like = { .dtype = dtype, .whole = true } };
	t->role = written ? BACKEND_OUTPUT : BACKEND_INPUT;
	snprintf(o->fill, sizeof(o->fill), "%s", written ? "nan" : "rand");
	if (equals)
		snprintf(o->name, sizeof(o->name), "%.*s", (int)(equals - word), word);
	for (word = equals ? equals + 1 : word; *word; word += *word == 'x')
		t->size[t->dims++] = strtoll(word, &word, 10);
	tensor_set_strides(t, 0);
	while ((word = strtok_r(NULL, " ", &rest)))
		operand_read_word(o, list, *count, word);
	free(copy);
	(*count)++;
	if (o->base) {
		t->dtype = o->base->like.dtype;
		t->role = o->base->like.role;
		t->whole = o->base->like.whole = false;
		return o;
	}
	t->whole = t->offset == 0 && o->room == 0;
	o->room += t->offset + 1;
	for (uint32_t i = 0; i < t->dims; i++) {
		o->room += (t->size[i] - 1) * t->stride[i];
		t->whole = t->whole &&
		           t->stride[i] ==
		               (i + 1 < t->dims ? t->stride[i + 1] * t->size[i + 1] : 1);
	}
	return o;
}

/* Returns NaN, an infinity, or a small whole number; many are equal. */
static double special_draw(struct rng *r)
{
	static const double specials[] = { (double)NAN, (double)INFINITY,
		-(double)INFINITY };
	uint64_t drawn = rng_below(r, 24);

	return drawn < COUNT(specials) ? specials[drawn] : (double)(drawn % 5) - 2;
}

/*
 * Returns element `place` of the nodes [nodes,2] of trees with two levels of branches, in
 * the order of BACKEND_TREES: seven nodes for a tree, and 0 to 2 of the two entries that
 * each of its four leaves has.
 */
static double node_draw(struct rng *r, int64_t place, int64_t features)
{
	static const struct {
		int other, leaf; /* the branch's other node, and the number of the leaf */
	} tree[] = { { 4, -1 }, { 3, -1 }, { 0, 0 }, { 0, 1 }, { 6, -1 }, { 0, 2 },
		{ 0, 3 } };
	const int64_t row = place / 2, number = row / 7, node = row % 7;
	const bool second = place % 2;

	if (tree[node].leaf >= 0)
		return second ? (double)(8 * number + 2 * tree[node].leaf)
		              : -1 - (double)rng_below(r, 3);
	return second ? (double)(7 * number + tree[node].other)
	              : (double)(8 * rng_below(r, (uint64_t)features) +
	                         4 * rng_below(r, 2) + rng_below(r, 3));
}

static double element_draw(const struct op_operand *o, struct rng *r, int64_t place)
{
	static const struct {
		const char *fill;
		double from, wide;
		bool whole;
	} fills[] = { { "rand", -1, 2, false }, { "pos", 0.5, 1, false },
		{ "time", 0, 50, false }, { "ties", 0, 3, true },
		{ "bytes", -127, 255, true }, { "small", -80, 161, true },
		{ "hole", -1, 2, false } };
	enum backend_dtype dtype = o->like.dtype;

	if (strcmp(o->fill, "nan") == 0)
		return dtype_is_float(dtype) ? (double)NAN : 77;
	if (strcmp(o->fill, "distinct") == 0) {
		int64_t n = o->like.size[o->like.dims - 1];

		return (double)((place + place / n) * 7 % n) / 8 - (double)n / 16;
	}
	if (strcmp(o->fill, "below") == 0)
		return (double)rng_below(r, (uint64_t)o->fill_with);
	if (strcmp(o->fill, "nodes") == 0)
		return node_draw(r, place, (int64_t)o->fill_with);
	if (strcmp(o->fill, "steps") == 0)
		return (double)place * o->fill_with;
	if (strcmp(o->fill, "special") == 0)
		return special_draw(r);
	if (dtype == BACKEND_INT8 && strcmp(o->fill, "rand") == 0)
		return (double)rng_below(r, 256) - 128;
	if (dtype == BACKEND_UINT8)
		return (double)rng_below(r, 256);
	for (size_t i = 0; i < COUNT(fills); i++)
		if (strcmp(fills[i].fill, o->fill) == 0) {
			double x = fills[i].from + fills[i].wide * rng_uniform(r);

			return fills[i].whole ? floor(x) : x;
		}
	errx(2, "%s: no such word of an operand", o->fill);
}

void operand_fill(struct op_operand *o, struct rng *r)
{
	const struct backend_tensor *t = &o->like;
	int64_t elements = 1;
	void *stored;

	if (o->base)
		return;
	o->first = mem_zero((size_t)o->room, sizeof(*o->first));
	o->inside = mem_zero((size_t)o->room, sizeof(*o->inside));
	for (int64_t i = 0; i < o->room; i++)
		o->first[i] = dtype_is_float(t->dtype) ? (double)NAN : 0;
	for (uint32_t i = 0; i < t->dims; i++)
		elements *= t->size[i];
	for (int64_t i = 0; i < elements; i++) {
		int64_t at = t->offset, left = i;

		for (uint32_t dim = t->dims; dim-- > 0; left /= t->size[dim])
			at += left % t->size[dim] * t->stride[dim];
		o->first[at] = element_draw(o, r, i);
		if (i == elements / 2 && strcmp(o->fill, "hole") == 0)
			o->first[at] = o->fill_with;
		o->inside[at] = true;
	}
	stored = mem_zero((size_t)o->room, dtype_bytes(t->dtype));
	dtype_store(t->dtype, stored, o->first, (size_t)o->room);
	dtype_load(t->dtype, o->first, stored, (size_t)o->room);
	free(stored);
}

void operand_free(struct op_operand *o)
{
	free(o->first);
	free(o->inside);
}

enum backend_dtype operand_dtype(const struct op_operand *o, int side)
{
	return side == 1 && dtype_is_float(o->like.dtype) ? BACKEND_FLOAT64 : o->like.dtype;
}

/* The least magnitude to which the errors of a few results are relative. The largest of
 * many results exceeds it; but a few results may all be sums whose terms cancel, and their
 * errors are relative to the terms. */
static const double few_size = 0.1;

double operand_error(const struct op_operand *o, const double *got, const double *want)
{
	enum { FEW = 16 };
	bool exact = !dtype_is_float(o->like.dtype);
	double most = 0, size = 0;
	int64_t results = 0;

	for (int64_t i = 0; i < o->room; i++) {
		results += o->inside[i];
		double right = o->inside[i] ? want[i] : o->first[i];
		bool same = got[i] == right || (isnan(got[i]) && isnan(right));

		if (!same &&
		    (exact || !o->inside[i] || !isfinite(got[i]) || !isfinite(right)))
			return INFINITY;
		if (!same && fabs(got[i] - want[i]) > most)
			most = fabs(got[i] - want[i]);
		if (isfinite(want[i]) && fabs(want[i]) > size)
			size = fabs(want[i]);
	}
	if (results <= FEW && size < few_size)
		size = few_size;
	return most / (size > 1e-30 ? size : 1e-30);
}

void operand_tell(const struct op_operand *o, const double *got, const double *want)
{
	enum { FEW = 6 };
	double size = 0;
	int told = 0;

	for (int64_t i = 0; i < o->room; i++)
		size = isfinite(want[i]) && fabs(want[i]) > size ? fabs(want[i]) : size;
	for (int64_t i = 0; i < o->room && told < FEW; i++) {
		double right = o->inside[i] ? want[i] : o->first[i];

		if (!(fabs(got[i] - right) <= size / 1e4) &&
		    !(isnan(got[i]) && isnan(right)))
			told +=
			    printf("#   [%lld] %.9g, not %.9g%s\n", (long long)i, got[i],
			        right, o->inside[i] ? "" : ": a gap was written") > 0;
	}
}
