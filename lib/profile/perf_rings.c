/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads ring buffers; see perf_rings.h. The oldest record of all rings is read first, in
 * place: only a record that wraps around the end of its ring is copied.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "profile/perf_rings.h"

static int map_ring(struct perf_ring *r, size_t bytes, struct fault *f)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *at = MAP_FAILED;

	for (; bytes >= page; bytes /= 2) {
		at = mmap(NULL, page + bytes, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, 0);
		if (at != MAP_FAILED || (errno != EPERM && errno != ENOMEM))
			break;
	}
	if (at == MAP_FAILED)
		return fault_errno(f,
		    "cannot allocate the ring buffers of the samples (raise "
		    "/proc/sys/kernel/perf_event_mlock_kb or ulimit -l)");
	r->page = at;
	r->data = (const unsigned char *)at + page;
	r->size = bytes;
	return 0;
}

int perf_rings_add(struct perf_rings *s, int fd, size_t bytes, struct fault *f)
{
	struct perf_ring *r = VEC_ADD(s->ring, s->count, s->cap);

	*r = (struct perf_ring){ .fd = fd };
	return map_ring(r, bytes, f);
}

/* Returns size bytes of a ring. Bytes that wrap around its end are copied to scratch. */
static const unsigned char *bytes_at(
    struct perf_rings *s, const struct perf_ring *r, uint64_t place, size_t size)
{
	size_t at = place & (r->size - 1), first = r->size - at;

	if (size <= first)
		return r->data + at;
	memcpy(s->scratch, r->data + at, first);
	memcpy(s->scratch + first, r->data, size - first);
	return s->scratch;
}

static size_t size_at(struct perf_rings *s, const struct perf_ring *r)
{
	struct perf_event_header head;

	memcpy(&head, bytes_at(s, r, r->tail, sizeof(head)), sizeof(head));
	return head.size;
}

static void peek_next(struct perf_rings *s, struct perf_ring *r)
{
	size_t size;

	if (r->tail == r->head) {
		r->next_ns = UINT64_MAX;
		return;
	}
	size = size_at(s, r);
	r->next_ns = perf_time(bytes_at(s, r, r->tail, size), size);
}

static struct perf_ring *oldest_ring(struct perf_rings *s)
{
	struct perf_ring *best = &s->ring[0];

	for (size_t i = 1; i < s->count; i++)
		if (s->ring[i].next_ns < best->next_ns)
			best = &s->ring[i];
	return best;
}

static int pass_record(struct perf_rings *s, const struct perf_layout *layout,
    struct perf_ring *r, perf_rings_sink *sink, void *ctx, struct fault *f)
{
	struct perf_record record;
	size_t size = size_at(s, r);

	if (size < sizeof(struct perf_event_header) ||
	    perf_decode(layout, bytes_at(s, r, r->tail, size), size, &record) < 0)
		return fault_set(f, "the kernel wrote a record that cannot be read");
	if (sink(ctx, &record, f) < 0)
		return -1;
	r->tail += size;
	__atomic_store_n(&r->page->data_tail, r->tail, __ATOMIC_RELEASE);
	peek_next(s, r);
	return 0;
}

int perf_rings_read(struct perf_rings *s, const struct perf_layout *layout,
    uint64_t ripe_ns, perf_rings_sink *sink, void *ctx, struct fault *f)
{
	for (size_t i = 0; i < s->count; i++) {
		struct perf_ring *r = &s->ring[i];

		r->head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
		peek_next(s, r);
	}
	for (struct perf_ring *r; (r = oldest_ring(s))->next_ns <= ripe_ns;)
		if (pass_record(s, layout, r, sink, ctx, f) < 0)
			return -1;
	return 0;
}

void perf_rings_close(struct perf_rings *s)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	for (size_t i = 0; i < s->count; i++) {
		if (s->ring[i].page)
			munmap(s->ring[i].page, page + s->ring[i].size);
		close(s->ring[i].fd);
	}
	free(s->ring);
}
