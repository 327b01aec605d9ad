/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads counters in user mode; see counter_rdpmc.h. The kernel keeps a page for each event
 * with its count up to the last time that the event was scheduled. The increase of the
 * counter and the time since then are added here. The kernel writes the page on this
 * thread's processor only, so compiler barriers are enough
 * (include/uapi/linux/perf_event.h).
 */
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "counter_rdpmc.h"

#if defined(__x86_64__)

static uint64_t read_counter(uint32_t counter)
{
	uint32_t low, high;

	__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(counter));
	return (uint64_t)high << 32 | low;
}

static uint64_t read_clock(void)
{
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return (uint64_t)high << 32 | low;
}

struct perf_event_mmap_page *counter_rdpmc_map(int fd)
{
	struct perf_event_mmap_page *page =
	    mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0);

	if (page == MAP_FAILED)
		return NULL;
	if (page->cap_user_rdpmc && page->cap_user_time && page->pmc_width)
		return page;
	munmap(page, (size_t)sysconf(_SC_PAGESIZE));
	return NULL;
}

static void compiler_barrier(void)
{
	__asm__ volatile("" : : : "memory");
}

/* Returns the ns since the times of the page were written, by the processor's clock. */
static uint64_t since_update_ns(const struct perf_event_mmap_page *page)
{
	uint64_t now = read_clock(), whole = now >> page->time_shift,
	         rest = now & (((uint64_t)1 << page->time_shift) - 1);

	return page->time_offset + whole * page->time_mult +
	       ((rest * page->time_mult) >> page->time_shift);
}

struct wire_count counter_rdpmc_read(const struct perf_event_mmap_page *page)
{
	struct wire_count c;
	uint32_t lock;

	do {
		lock = page->lock;
		compiler_barrier();
		c = (struct wire_count){ (uint64_t)page->offset, page->time_enabled,
			page->time_running };
		uint64_t since_ns = since_update_ns(page);

		c.enabled_ns += since_ns;
		if (page->index) {
			unsigned unused = 64u - page->pmc_width;
			int64_t moved =
			    (int64_t)(read_counter(page->index - 1) << unused) >> unused;

			c.value += (uint64_t)moved;
			c.running_ns += since_ns;
		}
		compiler_barrier();
	} while (page->lock != lock);
	return c;
}

#else

struct perf_event_mmap_page *counter_rdpmc_map(int fd)
{
	(void)fd;
	return NULL;
}

struct wire_count counter_rdpmc_read(const struct perf_event_mmap_page *page)
{
	(void)page;
	return (struct wire_count){ 0 };
}

#endif
