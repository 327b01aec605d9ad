/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Manages the memory of a session; see cpu_session.h.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cpu_session.h"

enum { LINE = 64, PAGE = 4096, HUGE = 2 << 20 };

/* The size of a region, and from which size allocations have one of their own. */
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
enum { SHARED_BYTES = 0, OWN_BYTES = 0 }; /* the ends of each are checked */
#else
#define ASAN_POISON_MEMORY_REGION(ptr, bytes) ((void)(ptr), (void)(bytes))
enum { SHARED_BYTES = 32 << 20, OWN_BYTES = 8 << 20 };
#endif

/*
 * Memory is taken from regions of large pages, because a core reads weights in small pages
 * at two thirds of the speed: its prefetchers stop at the end of a page. Allocations below
 * OWN_BYTES share regions.
 */
struct cpu_region {
	size_t users, used, size;
};

/* Precedes each allocation. */
struct allocation {
	struct cpu_region *region;
	size_t bytes, from; /* from: where its part of the region begins */
};

static size_t whole_lines(size_t bytes)
{
	return (bytes + LINE - 1) / LINE * LINE;
}

static struct cpu_region *region_create(size_t bytes)
{
	size_t align = SHARED_BYTES ? HUGE : LINE;
	size_t size = (bytes + align - 1) / align * align;
	struct cpu_region *r = aligned_alloc(align, size);
	if (!r)
		return NULL;
	*r = (struct cpu_region){ .used = LINE, .size = size };
	if (SHARED_BYTES)
		madvise(r, size, MADV_HUGEPAGE);
	return r;
}

void *cpu_alloc(struct backend_session *s, size_t bytes)
{
	if (bytes > SIZE_MAX / 2)
		return NULL;
	bool own = bytes >= OWN_BYTES;
	/* A core reads two streams at two thirds of the speed if their addresses differ by
	 * a multiple of the size of large pages. */
	size_t gap = bytes >= HUGE / 2 ? (1 + s->large++ % 16) * PAGE : 0;
	size_t need = LINE + gap + whole_lines(bytes);
	struct cpu_region *r = own ? NULL : s->region;
	if (!r || r->size - r->used < need)
		r = region_create(own ? LINE + need : SHARED_BYTES);
	if (!r)
		return NULL;
	if (!own)
		s->region = r;
	char *ptr = (char *)r + r->used + gap + LINE;
	((struct allocation *)(void *)ptr)[-1] =
	    (struct allocation){ .region = r, .bytes = bytes, .from = r->used };
	r->used += need;
	r->users++;
	/* The bytes after the last element are not part of the memory. */
	ASAN_POISON_MEMORY_REGION(ptr + bytes, whole_lines(bytes) - bytes);
	s->bytes += bytes;
	return ptr;
}

void cpu_free(struct backend_session *s, void *ptr)
{
	if (!ptr)
		return;
	struct allocation *a = (struct allocation *)ptr - 1;
	struct cpu_region *r = a->region;
	s->bytes -= a->bytes;
	if ((char *)ptr + whole_lines(a->bytes) == (char *)r + r->used)
		r->used = a->from;
	if (--r->users)
		return;
	if (s->region == r)
		s->region = NULL;
	free(r);
}

int cpu_scratch(struct backend_session *s, size_t bytes, char *why)
{
	if (bytes <= s->scratch_bytes)
		return 0;
	cpu_free(s, s->scratch);
	s->scratch_bytes = 0;
	s->scratch = cpu_alloc(s, bytes);
	if (!s->scratch)
		return hook_fail(why, "cannot allocate %zu bytes of scratch memory", bytes);
	/* Touch its pages before anything is timed. */
	memset(s->scratch, 0, bytes);
	s->scratch_bytes = bytes;
	return 0;
}
