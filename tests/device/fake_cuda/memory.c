/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The memory of the fake device. Each buffer has pages of its own, and one after them that
 * cannot be accessed, so that a kernel that writes beyond a buffer crashes. New buffers
 * contain NaNs.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "driver.h"

enum { PAGE = 4096 };
/* The device gives memory in units of 2 MiB; small buffers share one. */
static const size_t unit = 2 << 20;
static const size_t total = (size_t)8 << 30;

struct buffer {
	struct buffer *next;
	char *start;
	size_t bytes;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct buffer *buffers;
static size_t small, large; /* bytes in small buffers, and units of large ones */
static int64_t other;

static size_t rounded(size_t bytes, size_t to)
{
	return (bytes + to - 1) / to * to;
}

static size_t in_use(void)
{
	return rounded(small, unit) + large + (size_t)other;
}

void fake_use_memory(int64_t bytes)
{
	pthread_mutex_lock(&lock);
	other += bytes;
	pthread_mutex_unlock(&lock);
}

static void account(size_t bytes, int sign)
{
	if (bytes < unit / 2)
		small += (size_t)sign * rounded(bytes, 512);
	else
		large += (size_t)sign * rounded(bytes, unit);
}

int fake_memory_take(void **address, size_t bytes)
{
	struct buffer *b = calloc(1, sizeof(*b));
	int error = FAKE_OUT_OF_MEMORY;

	if (bytes == 0 || !b) {
		free(b);
		return FAKE_INVALID_VALUE;
	}
	pthread_mutex_lock(&lock);
	if (in_use() + rounded(bytes, unit) <= total) {
		const size_t room = rounded(bytes, PAGE);

		b->bytes = bytes;
		b->start = mmap(NULL, room + PAGE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (b->start != MAP_FAILED) {
			mprotect(b->start + room, PAGE, PROT_NONE);
			if (bytes < (64 << 20))
				memset(b->start, 0xff, bytes);
			account(bytes, 1);
			b->next = buffers;
			buffers = b;
			*address = b->start;
			error = FAKE_OK;
		}
	}
	pthread_mutex_unlock(&lock);
	if (error)
		free(b);
	return error;
}

int fake_memory_give(void *address)
{
	int error = FAKE_INVALID_VALUE;

	pthread_mutex_lock(&lock);
	for (struct buffer **b = &buffers; *b; b = &(*b)->next)
		if ((*b)->start == address) {
			struct buffer *gone = *b;

			*b = gone->next;
			account(gone->bytes, -1);
			munmap(gone->start, rounded(gone->bytes, PAGE) + PAGE);
			free(gone);
			error = FAKE_OK;
			break;
		}
	pthread_mutex_unlock(&lock);
	return error;
}

bool fake_is_device(const void *address, size_t bytes)
{
	const char *at = address;
	bool found = false;

	pthread_mutex_lock(&lock);
	for (const struct buffer *b = buffers; b && !found; b = b->next)
		found = at >= b->start && at <= b->start + b->bytes &&
		        bytes <= (size_t)(b->start + b->bytes - at);
	pthread_mutex_unlock(&lock);
	return found;
}

/* FAKE_CUDA_OTHERS is the memory that other processes use, in bytes. */
void fake_memory_info(size_t *left, size_t *all)
{
	const char *others = getenv("FAKE_CUDA_OTHERS");

	pthread_mutex_lock(&lock);
	*left = total - in_use() - (others ? strtoull(others, NULL, 10) : 0);
	*all = total;
	pthread_mutex_unlock(&lock);
}
