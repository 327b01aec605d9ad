/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Versions of the schema; see db_version.h.
 */
#include <stdlib.h>
#include <string.h>

#include "db/db_version.h"

/*
 * Returns the text after "-- version " in the next line with only a number after it, or
 * NULL.
 */
static const char *find_version(const char *p)
{
	static const char mark[] = "\n-- version ";

	while ((p = strstr(p, mark))) {
		size_t digits;

		p += sizeof(mark) - 1;
		digits = strspn(p, "0123456789");
		if (digits && (p[digits] == '\n' || !p[digits]))
			return p;
	}
	return NULL;
}

struct text version_section(struct text schema, int64_t want, int64_t *newest)
{
	struct text found = { "", 0 };
	const char *next;

	*newest = 0;
	for (const char *p = schema.len ? find_version(schema.ptr) : NULL; p; p = next) {
		next = find_version(p);
		*newest = strtol(p, NULL, 10);
		p += strcspn(p, "\n");
		if (*newest == want)
			found = (struct text){ p, next ? (size_t)(next - p) : strlen(p) };
	}
	return found;
}

int version_newer(const char *name, int64_t version, int64_t newest, struct fault *f)
{
	return fault_set(f,
	    "%s: created by a newer version (schema %lld; this version supports %lld): "
	    "update benchutils",
	    name, (long long)version, (long long)newest);
}

int version_older(const char *name, int64_t version, int64_t newest, struct fault *f)
{
	if (!version)
		return fault_set(f, "%s: empty (use bench-store add to fill it)", name);
	return fault_set(f,
	    "%s: created by an older version (schema %lld of %lld); bench-store add "
	    "upgrades "
	    "it",
	    name, (long long)version, (long long)newest);
}
