/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of blocks; see blocks.h. It consists of shards with locks of their own, so that
 * threads seldom wait for each other.
 */
#include "blocks.h"
#include "lock.h"

enum {
	SHARDS = 64,
	BUCKETS = 1 << 14, /* of a shard */
	CHUNK = 4096,      /* the blocks allocated at once */
	CHUNKS = 1 << 14,
};

struct shard {
	struct lock lock;
	uint32_t bucket[BUCKETS]; /* the number of the first block, + 1 */
	uint32_t count, free;
	struct block *chunk[CHUNKS];
};

static struct shard *shards;

bool blocks_open(void)
{
	shards = memory_map(SHARDS * sizeof(*shards));
	return shards != NULL;
}

void blocks_close(void)
{
	for (int i = 0; i < SHARDS; i++)
		for (int k = 0; k < CHUNKS && shards[i].chunk[k]; k++)
			munmap(shards[i].chunk[k], CHUNK * sizeof(struct block));
	munmap(shards, SHARDS * sizeof(*shards));
}

void blocks_hold(void)
{
	for (int i = 0; i < SHARDS; i++)
		lock_take(&shards[i].lock);
}

void blocks_release(void)
{
	for (int i = 0; i < SHARDS; i++)
		lock_give(&shards[i].lock);
}

static uint64_t hash_block(uintptr_t at)
{
	uint64_t h = (at >> 4) * 0x9e3779b97f4a7c15u;

	return h ^ h >> 32;
}

static struct block *block_at(struct shard *s, uint32_t number)
{
	return &s->chunk[(number - 1) / CHUNK][(number - 1) % CHUNK];
}

static uint32_t new_block(struct shard *s)
{
	uint32_t number = s->free;

	if (number) {
		s->free = block_at(s, number)->next;
		return number;
	}
	if (s->count == (uint64_t)CHUNK * CHUNKS)
		return 0;
	if (s->count % CHUNK == 0 &&
	    !(s->chunk[s->count / CHUNK] = memory_map(CHUNK * sizeof(struct block))))
		return 0;
	return ++s->count;
}

bool blocks_add(uintptr_t at, uint64_t bytes, uint32_t stack)
{
	uint64_t hash = hash_block(at);
	struct shard *s = &shards[hash % SHARDS];
	uint32_t *bucket = &s->bucket[hash / SHARDS % BUCKETS], number;

	lock_take(&s->lock);
	number = new_block(s);
	if (number) {
		*block_at(s, number) = (struct block){ at, bytes, stack, *bucket };
		*bucket = number;
	}
	lock_give(&s->lock);
	return number != 0;
}

bool blocks_take(uintptr_t at, struct block *out)
{
	uint64_t hash = hash_block(at);
	struct shard *s = &shards[hash % SHARDS];
	uint32_t *link = &s->bucket[hash / SHARDS % BUCKETS];
	bool found = false;

	lock_take(&s->lock);
	while (*link && block_at(s, *link)->at != at)
		link = &block_at(s, *link)->next;
	if (*link) {
		uint32_t number = *link;
		struct block *b = block_at(s, number);

		*out = *b;
		*link = b->next;
		b->next = s->free;
		s->free = number;
		found = true;
	}
	lock_give(&s->lock);
	return found;
}
