/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the lists of versions; see versions.h. Both are chains of records. A record has the
 * offset of the next record and that of its chain of names. Offsets only increase, so that
 * every chain ends within the section. The format is the same for 32 and 64 bits (Linux
 * Standard Base, "Symbol Versioning").
 */
#include <elf.h>

#include "elf/versions.h"

static const char *string_at(struct text strings, uint64_t at)
{
	if (at >= strings.len || !memchr(strings.ptr + at, '\0', strings.len - at))
		return NULL;
	return strings.ptr + at;
}

static bool record_at(struct text section, size_t at, void *out, size_t size)
{
	if (at > section.len || size > section.len - at)
		return false;
	memcpy(out, section.ptr + at, size);
	return true;
}

void versions_wanted(struct text section, struct text strings,
    void (*take)(void *, const char *library, const char *version), void *ctx)
{
	Elf64_Verneed need;
	Elf64_Vernaux name;
	size_t left = section.len / sizeof(name); /* limits chains that overlap */

	for (size_t at = 0; record_at(section, at, &need, sizeof(need));
	     at += need.vn_next) {
		const char *library = string_at(strings, need.vn_file);

		for (size_t k = at + need.vn_aux;
		     library && left && record_at(section, k, &name, sizeof(name));
		     k += name.vna_next, left--) {
			const char *version = string_at(strings, name.vna_name);

			if (version && !(name.vna_flags & VER_FLG_WEAK))
				take(ctx, library, version);
			if (!name.vna_next)
				break;
		}
		if (!need.vn_next)
			break;
	}
}

void versions_defined(struct text section, struct text strings,
    void (*take)(void *, const char *version), void *ctx)
{
	Elf64_Verdef def;
	Elf64_Verdaux name;

	for (size_t at = 0; record_at(section, at, &def, sizeof(def)); at += def.vd_next) {
		/* The first name is the version; the others are its predecessors. */
		const char *version =
		    record_at(section, at + def.vd_aux, &name, sizeof(name))
		        ? string_at(strings, name.vda_name)
		        : NULL;

		if (version)
			take(ctx, version);
		if (!def.vd_next)
			break;
	}
}
