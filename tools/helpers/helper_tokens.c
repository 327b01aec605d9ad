/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stamps tokens; see helper_tokens.h.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "helper_io.h"
#include "helper_job.h"
#include "helper_tokens.h"

static struct stamps {
	atomic_uint count;
	struct helper_token token[];
} * stamps; /* NULL: no token is generated */

static _Thread_local uint64_t request_now;

void helper_tokens_open(void)
{
	const size_t size =
	    sizeof(*stamps) + (size_t)HELPER_TOKENS_MAX * sizeof(*stamps->token);

	stamps = mmap(NULL, size, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (stamps == MAP_FAILED)
		helper_give_up(HELPER_FAILED, "no memory for the times of tokens: %s",
		    strerror(errno));
}

void helper_tokens_of(uint64_t request)
{
	request_now = request;
}

int64_t helper_token(const struct bench *b, uint64_t iteration, int64_t start_ns)
{
	const int64_t now_ns = clock_monotonic_ns();
	unsigned number;

	if (helper_under_load())
		iteration = request_now;
	else if (b->worker != 0)
		return now_ns;
	number = atomic_fetch_add_explicit(&stamps->count, 1, memory_order_relaxed);
	if (number >= HELPER_TOKENS_MAX)
		helper_give_up(HELPER_FAILED,
		    "a sample has more than %d tokens: use a shorter --sample-time",
		    HELPER_TOKENS_MAX);
	stamps->token[number] = (struct helper_token){ iteration, start_ns, now_ns };
	return now_ns;
}

void helper_tokens_forget(void)
{
	if (stamps)
		atomic_store(&stamps->count, 0);
}

uint32_t helper_tokens_count(void)
{
	return stamps ? atomic_load(&stamps->count) : 0;
}

/* Compares the places of two tokens in the answer. */
static int in_order(const void *a, const void *b)
{
	const struct helper_token *x = a, *y = b;

	if (x->request != y->request)
		return x->request < y->request ? -1 : 1;
	return (x->at_ns > y->at_ns) - (x->at_ns < y->at_ns);
}

void helper_tokens_send(int64_t origin_ns)
{
	const uint32_t count = helper_tokens_count();

	for (uint32_t i = 0; i < count; i++) {
		stamps->token[i].start_ns -= origin_ns;
		stamps->token[i].at_ns -= origin_ns;
	}
	if (count) {
		qsort(stamps->token, count, sizeof(*stamps->token), in_order);
		helper_send(stamps->token, count * sizeof(*stamps->token));
	}
	helper_tokens_forget();
}
