/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of values; see melt.h. */
#include <stdint.h>
#include <string.h>

#include "record/melt.h"
#include "record/stream_header.h"

size_t melt_find(const struct melt *melt, size_t count, struct text name)
{
	for (size_t i = 0; i < count; i++)
		if (text_equal(melt[i].column, name))
			return i;
	return SIZE_MAX;
}

int melt_parse(struct melt *to, const char *const *specs, size_t count, struct fault *f)
{
	for (size_t i = 0; i < count; i++) {
		const char *colon = strrchr(specs[i], ':');
		size_t len = colon ? (size_t)(colon - specs[i]) : strlen(specs[i]);

		if (!len)
			return fault_set(f, "-m '%s' names no column", specs[i]);
		to[i].column = (struct text){ specs[i], len };
		to[i].unit = colon ? text_of(colon + 1) : (struct text){ 0 };
		if (melt_find(to, i, to[i].column) != SIZE_MAX)
			return fault_set(
			    f, "-m names the column '%.*s' twice", (int)len, specs[i]);
	}
	return 0;
}

void melt_name_factor(struct buf *name, const struct text *header, size_t count, size_t at)
{
	static const char *const taken[] = { "metric", "unit", "value" };
	/* The value of another metric is no parameter. */
	size_t most = COUNT(taken) - stream_header_rows(header, count);

	name->len = 0;
	buf_text(name, header[at]);
	for (size_t i = 0; i < most; i++)
		if (text_is(header[at], taken[i]))
			do
				buf_byte(name, '_');
			while (stream_header_find(header, count,
			           text_in(name)) != SIZE_MAX);
}

bool melt_is_status(struct text t)
{
	static const char *const all[] = { "", "ok", "failed", "timeout", "unsupported",
		"denied", "skipped" };
	static const char reason[] = "failed:";

	for (size_t i = 0; i < COUNT(all); i++)
		if (text_is(t, all[i]))
			return true;
	return t.len >= sizeof(reason) && memcmp(t.ptr, reason, sizeof(reason) - 1) == 0;
}
