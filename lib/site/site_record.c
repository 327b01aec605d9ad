/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes and reads the content of records; see site_record_priv.h. */
#include "site/site_cache.h"
#include "site/site_record_priv.h"

enum { PAD = 8 };

size_t site_record_padded(size_t bytes)
{
	return (bytes + PAD - 1) / PAD * PAD;
}

void site_record_pad(struct buf *b)
{
	while (b->len % PAD)
		buf_byte(b, '\0');
}

void site_record_put_length(struct buf *b, size_t n)
{
	uint64_t number = n;

	buf_put(b, &number, sizeof(number));
}

void site_record_put_name(struct buf *b, struct text t)
{
	site_record_put_length(b, t.len);
	buf_text(b, t);
	site_record_pad(b);
}

struct site_record_reader site_record_read(struct text content)
{
	return (struct site_record_reader){ .p = content.ptr,
		.end = content.ptr + content.len };
}

size_t site_record_take_length(struct site_record_reader *r)
{
	uint64_t n = 0;

	if ((size_t)(r->end - r->p) < sizeof(n)) {
		r->damaged = true;
		return 0;
	}
	memcpy(&n, r->p, sizeof(n));
	r->p += sizeof(n);
	return (size_t)n;
}

struct text site_record_take_name(struct site_record_reader *r)
{
	size_t len = site_record_take_length(r), left = (size_t)(r->end - r->p);
	struct text out = { r->p, len };

	if (len > left || site_record_padded(len) > left) {
		r->damaged = true;
		return TEXT("");
	}
	r->p += site_record_padded(len);
	return out;
}

bool site_record_names_series(struct text key)
{
	struct site_record_reader r = site_record_read(key), factors = { 0 };

	for (size_t i = 0; i < SITE_NAMES && !r.damaged; i++) {
		struct text name = site_record_take_name(&r);

		if (i == SITE_FACTORS)
			factors = site_record_read(name);
	}
	while (factors.p < factors.end && !factors.damaged) {
		site_record_take_name(&factors);
		site_record_take_name(&factors);
	}
	return !r.damaged && r.p == r.end && !factors.damaged;
}

bool site_record_has_visits(struct site_record_reader r, size_t series)
{
	for (size_t count = site_record_take_length(&r); count && !r.damaged; count--) {
		size_t entries;

		site_record_take_name(&r);
		site_record_take_name(&r);
		entries = site_record_take_length(&r);
		if (entries > (size_t)(r.end - r.p) / sizeof(struct site_entry))
			return false;
		for (; entries; entries--, r.p += sizeof(struct site_entry)) {
			struct site_entry entry;

			memcpy(&entry, r.p, sizeof(entry));
			if (entry.series >= series)
				return false;
		}
	}
	return !r.damaged && r.p == r.end;
}
