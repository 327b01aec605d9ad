/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Manages the memory of a session; see cpu_session.h.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cpu_session.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(ptr, bytes) ((void)(ptr), (void)(bytes))
#endif

enum { PAGE = 4096, HUGE = 2 << 20 };

int cpu_fail(char *why, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(why, BACKEND_WHY, format, args);
	va_end(args);
	return -1;
}

/* The size is kept in the page before the memory that is returned. */
void *cpu_alloc(struct backend_session *s, size_t bytes)
{
	size_t align = bytes >= HUGE ? HUGE : PAGE;
	size_t whole =
	    bytes > SIZE_MAX - 2 * HUGE ? 0 : align + (bytes + align - 1) / align * align;
	char *base = whole ? aligned_alloc(align, whole) : NULL;
	if (!base)
		return NULL;
	/* Large pages cause fewer misses of the TLB. */
	if (bytes >= HUGE)
		madvise(base + HUGE, whole - HUGE, MADV_HUGEPAGE);
	char *ptr = base + align;
	((size_t *)ptr)[-1] = bytes;
	((void **)ptr)[-2] = base;
	/* The bytes after the last element are not part of the memory. */
	ASAN_POISON_MEMORY_REGION(ptr + bytes, whole - align - bytes);
	s->bytes += bytes;
	return ptr;
}

void cpu_free(struct backend_session *s, void *ptr)
{
	if (!ptr)
		return;
	s->bytes -= ((size_t *)ptr)[-1];
	free(((void **)ptr)[-2]);
}

int cpu_scratch(struct backend_session *s, size_t bytes, char *why)
{
	if (bytes <= s->scratch_bytes)
		return 0;
	cpu_free(s, s->scratch);
	s->scratch_bytes = 0;
	s->scratch = cpu_alloc(s, bytes);
	if (!s->scratch)
		return cpu_fail(why, "cannot allocate %zu bytes of scratch memory", bytes);
	/* Touch its pages before anything is timed. */
	memset(s->scratch, 0, bytes);
	s->scratch_bytes = bytes;
	return 0;
}
