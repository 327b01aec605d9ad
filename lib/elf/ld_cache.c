/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the cache of glibc 2.2 and later; see ld_cache.h. The cache consists of a header,
 * entries that refer to strings, and the strings. On older systems it follows a cache in
 * another format.
 */
#include "base/base.h"
#include "elf/ld_cache.h"

static const char magic[] = "glibc-ld.so.cache1.1";

struct head {
	char magic[20];
	uint32_t entries, strings;
	uint32_t unused[5];
};

struct cache_entry {
	int32_t flags;
	uint32_t name, path; /* offsets from the header */
	uint32_t os_version;
	uint64_t capabilities;
};

/* Returns the part of the file that has this format. */
static struct text read_cache(void)
{
	struct buf file = { 0 };
	struct fault ignored;
	const char *begin = NULL;

	if (file_read("/etc/ld.so.cache", &file, &ignored) == 0 && file.len)
		begin = memmem(file.ptr, file.len, magic, sizeof(magic) - 1);
	if (!begin) {
		buf_free(&file);
		return (struct text){ 0 };
	}
	return (struct text){ begin, file.len - (size_t)(begin - file.ptr) };
}

/* struct buf adds a NUL after the file, so that each offset is a string. */
static const char *string_at(struct text cache, uint32_t at)
{
	return at < cache.len ? cache.ptr + at : "";
}

const char *ld_cache_find(const char *name, size_t *from)
{
	static struct text cache;
	static bool read;
	struct head head;

	if (!read) {
		cache = read_cache();
		read = true;
	}
	if (cache.len < sizeof(head))
		return NULL;
	memcpy(&head, cache.ptr, sizeof(head));
	while (*from < head.entries &&
	       sizeof(head) + (*from + 1) * sizeof(struct cache_entry) <= cache.len) {
		struct cache_entry entry;

		memcpy(&entry, cache.ptr + sizeof(head) + *from * sizeof(entry),
		    sizeof(entry));
		++*from;
		if (strcmp(string_at(cache, entry.name), name) == 0)
			return string_at(cache, entry.path);
	}
	return NULL;
}
