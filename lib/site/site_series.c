/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order, the factors and the last point of a series, and ids; see site_model.h. */
#include <string.h>

#include "site/site_model.h"

void site_id(char out[SITE_ID + 1], struct text t, uint64_t seed)
{
	static const char digit[] = "0123456789abcdefghjkmnpqrstvwxyz";
	uint64_t hash = text_hash(t, seed);

	for (size_t i = 0; i < SITE_ID; i++, hash /= 32)
		out[i] = digit[hash % 32];
	out[SITE_ID] = '\0';
}

const struct site_point *site_last(const struct site_series *s)
{
	return &s->point[s->points - 1];
}

/* Reads the packed factors of a series; see site_cache.c. */
void site_factors(
    const struct site_series *s, void (*each)(void *, struct factor), void *ctx)
{
	const char *p = s->name[SITE_FACTORS].ptr, *end = p + s->name[SITE_FACTORS].len;
	struct factor f;

	while (p < end) {
		p = site_cache_text(p, &f.name);
		p = site_cache_text(p, &f.value);
		each(ctx, f);
	}
}

static int order_of_text(struct text a, struct text b)
{
	int order = memcmp(a.ptr, b.ptr, a.len < b.len ? a.len : b.len);

	return order ? order : (a.len > b.len) - (a.len < b.len);
}

/* Series of a page are adjacent; pages are sorted by benchmark and metric. */
int site_series_order(const void *a, const void *b)
{
	static const enum site_name order[] = { SITE_BENCH, SITE_KIND, SITE_METRIC,
		SITE_UNIT, SITE_FACTORS, SITE_HOST };
	const struct site_series *x = a, *y = b;
	int found = 0;

	for (size_t i = 0; i < COUNT(order) && !found; i++)
		found = order_of_text(x->name[order[i]], y->name[order[i]]);
	return found;
}
