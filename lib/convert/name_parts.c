/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names that consist of parts; see name_parts.h.
 */
#include "convert/from.h"
#include "convert/name_parts.h"
#include "convert/page_rows.h"

const char gbench_settings[] =
    "iterations:|repeats:|min_time:|min_warmup_time:|warmup_time:|real_time|process_time|"
    "manual_time";

/* Returns whether a part of a name is "key:value" with a key that can name a factor. */
static bool split_part(struct text part, struct text *key, struct text *value)
{
	const char *colon = part.len ? memchr(part.ptr, ':', part.len) : NULL;

	if (!colon || colon == part.ptr || colon + 1 == part.ptr + part.len ||
	    colon[1] == ':')
		return false;
	for (const char *p = part.ptr; p < colon; p++)
		if (!(*p == '_' || (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
		        (p > part.ptr && *p >= '0' && *p <= '9')))
			return false;
	*key = (struct text){ part.ptr, (size_t)(colon - part.ptr) };
	*value = (struct text){ colon + 1, part.len - key->len - 1 };
	return true;
}

bool name_parts_set(struct row_builder *out, struct text name, const char *settings)
{
	struct buf bench = { 0 };
	struct text rest = name, key, value;
	bool shorter;

	for (bool first = true; rest.len; first = false) {
		struct text part = text_until(&rest, '/');

		if (!first && split_part(part, &key, &value)) {
			if (!page_rows_lists(
			        settings, (struct text){ key.ptr, key.len + 1 }))
				row_builder_factor(
				    out, key, text_of(arena_text(&out->texts, value)));
		} else if (first || !page_rows_lists(settings, part)) {
			buf_str(&bench, first ? "" : "/");
			buf_text(&bench, part);
		}
	}
	row_builder_set(out, COL_BENCH,
	    text_of(arena_text(&out->texts, text_in(&bench))));
	shorter = bench.len < name.len;
	buf_free(&bench);
	return shorter;
}
