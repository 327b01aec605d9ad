/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Zeros of missing stacks; see implicit_zeros.h.
 */
#include <stdlib.h>

#include "compare/implicit_zeros.h"

static int by_identity(const void *a, const void *b)
{
	return sample_id_order(a, b);
}

static void sort(struct implicit_zeros_family *f)
{
	size_t kept = 0;

	if (f->count)
		qsort(f->id, f->count, sizeof(*f->id), by_identity);
	for (size_t i = 0; i < f->count; i++)
		if (!kept || by_identity(&f->id[kept - 1], &f->id[i]) != 0)
			f->id[kept++] = f->id[i];
	f->count = kept;
	f->sorted = true;
}

static struct implicit_zeros_family *family_of(struct implicit_zeros *a, size_t number)
{
	if (number >= a->families) {
		size_t families = 2 * number + 8;

		a->family = mem_resize(a->family, families, sizeof(*a->family));
		memset(a->family + a->families, 0,
		    (families - a->families) * sizeof(*a->family));
		a->families = families;
	}
	return &a->family[number];
}

void implicit_zeros_add(
    struct implicit_zeros *a, size_t family, const struct collected *values)
{
	struct implicit_zeros_family *f = family_of(a, family);

	for (size_t i = 0; values && i < values->count; i++)
		*VEC_ADD(f->id, f->count, f->cap) = values->identity[i];
	f->sorted = false;
	/* Most stacks have the same few samples. */
	if (f->count > 1000)
		sort(f);
}

size_t implicit_zeros_samples(struct implicit_zeros *a, size_t family)
{
	struct implicit_zeros_family *f = family_of(a, family);

	if (!f->sorted)
		sort(f);
	return f->count;
}

struct collected implicit_zeros_fill(
    struct implicit_zeros *a, size_t family, const struct collected *values)
{
	struct implicit_zeros_family *f = family_of(a, family);
	size_t count = values ? values->count : 0;
	bool *has;
	struct collected out = { .missing = values ? values->missing : &none_missing };

	if (!f->sorted)
		sort(f);
	has = mem_zero(f->count, sizeof(*has));
	out.value = mem_zero(count + f->count, sizeof(*out.value));
	out.identity = mem_zero(count + f->count, sizeof(*out.identity));
	for (; out.count < count; out.count++) {
		const struct sample_id *id = &values->identity[out.count], *found;

		out.value[out.count] = values->value[out.count];
		out.identity[out.count] = *id;
		found = f->count ? bsearch(id, f->id, f->count, sizeof(*id), by_identity)
		                 : NULL;
		if (found)
			has[found - f->id] = true;
	}
	for (size_t i = 0; i < f->count; i++)
		if (!has[i])
			out.identity[out.count++] = f->id[i];
	free(has);
	return out;
}

void implicit_zeros_done(struct collected *filled)
{
	free(filled->value);
	free(filled->identity);
}

void implicit_zeros_free(struct implicit_zeros *a)
{
	for (size_t i = 0; i < a->families; i++)
		free(a->family[i].id);
	free(a->family);
	*a = (struct implicit_zeros){ 0 };
}
