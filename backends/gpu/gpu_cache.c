/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keeps compiled programs on disk. Each program has a file that is named by a hash of its
 * source, options, device and driver, which the header of the file repeats. A file that has
 * another header, or is truncated or corrupt, is ignored, and the program is built again. A
 * file gets its name when it is complete.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gpu_cache.h"

/* FNV-1a, 64 bits (Fowler, Noll, Vo; RFC 9923). */
static uint64_t hash_text(uint64_t hash, const char *text)
{
	do
		hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
	while (*text++);
	return hash;
}

/* The header of a file; hash covers everything that the program depends on. */
struct cache_header {
	char magic[16];
	uint64_t hash[2];
	uint64_t bytes; /* of the binary, which follows */
	uint64_t check; /* the sum of its bytes, each times its position */
};

static struct cache_header header_make(
    const struct gpu *g, const char *source, const char *options)
{
	struct cache_header h = { .magic = "benchutils gpu1" };

	for (uint64_t i = 0; i < 2; i++) {
		h.hash[i] = hash_text(UINT64_C(14695981039346656037) + i, g->identity);
		h.hash[i] = hash_text(h.hash[i], options);
		h.hash[i] = hash_text(h.hash[i], source);
	}
	return h;
}

static uint64_t binary_checksum(const unsigned char *data, uint64_t bytes)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < bytes; i++)
		sum += (i + 1) * data[i];
	return sum;
}

/* Writes the path of a program; -1 if it is too long. */
static int cache_path(const struct gpu *g, const struct cache_header *h, char path[4096])
{
	const int n =
	    snprintf(path, 4096, "%s/%.16s-%016llx%016llx", g->cache_dir, g->driver->name,
	        (unsigned long long)h->hash[0], (unsigned long long)h->hash[1]);

	return n > 0 && n < 4096 ? 0 : -1;
}

static unsigned char *cache_read(
    const char *path, const struct cache_header *want, size_t *bytes)
{
	FILE *file = fopen(path, "re");
	struct cache_header h;
	struct stat status;
	unsigned char *data = NULL;

	if (!file)
		return NULL;
	if (fread(&h, sizeof(h), 1, file) == 1 && fstat(fileno(file), &status) == 0 &&
	    memcmp(h.magic, want->magic, sizeof(h.magic)) == 0 &&
	    memcmp(h.hash, want->hash, sizeof(h.hash)) == 0 &&
	    (uint64_t)status.st_size - sizeof(h) == h.bytes && h.bytes > 0)
		data = malloc(h.bytes);
	if (data && (fread(data, h.bytes, 1, file) != 1 ||
	                binary_checksum(data, h.bytes) != h.check)) {
		free(data);
		data = NULL;
	}
	fclose(file);
	*bytes = data ? h.bytes : 0;
	return data;
}

void *gpu_cache_get(struct gpu *g, const char *source, const char *options, size_t *bytes)
{
	const struct cache_header heading = header_make(g, source, options);
	char path[4096];

	if (!g->cache_dir || cache_path(g, &heading, path))
		return NULL;
	return cache_read(path, &heading, bytes);
}

/* Creates a directory and its parents. */
static void folders_make(const char *path)
{
	char part[4096];

	snprintf(part, sizeof(part), "%s", path);
	for (char *p = part + 1; *p; p++)
		if (*p == '/') {
			*p = '\0';
			mkdir(part, 0777);
			*p = '/';
		}
	mkdir(part, 0777);
}

static int write_all(int fd, const void *data, size_t bytes)
{
	const char *from = data;

	while (bytes > 0) {
		const ssize_t n = write(fd, from, bytes);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		from += n;
		bytes -= (size_t)n;
	}
	return 0;
}

void gpu_cache_put(struct gpu *g, const char *source, const char *options,
    const void *binary, size_t bytes)
{
	struct cache_header heading = header_make(g, source, options);
	char path[4096], draft[4096 + 16];

	if (!g->cache_dir || cache_path(g, &heading, path))
		return;
	heading.bytes = bytes;
	heading.check = binary_checksum(binary, bytes);
	folders_make(g->cache_dir);
	snprintf(draft, sizeof(draft), "%s.XXXXXX", path);
	const int fd = mkostemp(draft, O_CLOEXEC);
	if (fd < 0)
		return;
	const bool written = write_all(fd, &heading, sizeof(heading)) == 0 &&
	                     write_all(fd, binary, bytes) == 0;
	if (close(fd) || !written || rename(draft, path))
		unlink(draft);
}
