/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A hash table that numbers keys 0, 1, 2 ... in order of appearance. The caller keeps the
 * keys in an array that is indexed by these numbers; the table stores only their hashes. It
 * uses open addressing with linear probing, and is at most three quarters full. Keys are
 * never removed. The search is inline, so that comparing keys does not cost a call.
 */
#ifndef BASE_HASH_MAP_H
#define BASE_HASH_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HASH_MAP_NONE SIZE_MAX

/* Zero it to begin. */
struct hash_map {
	struct hash_slot {
		uint32_t hash;
		uint32_t end; /* the key's number + 1; 0: the slot is free */
	} * slot;
	size_t slots, count;
};

/* Returns whether the key being looked up, which ctx describes, equals the key with this
 * number. */
typedef bool hash_equal(const void *ctx, size_t number);

/* Doubles the number of slots. */
void hash_map_grow(struct hash_map *m);
void hash_map_free(struct hash_map *m);

/* Returns the slot of a key, or the free one where it would be. */
static inline struct hash_slot *hash_map_slot(
    const struct hash_map *m, uint64_t hash, hash_equal *equal, const void *ctx)
{
	size_t at = (uint32_t)hash & (m->slots - 1);

	for (; m->slot[at].end; at = (at + 1) & (m->slots - 1))
		if (m->slot[at].hash == (uint32_t)hash && equal(ctx, m->slot[at].end - 1))
			break;
	return &m->slot[at];
}

/* Returns the number of a key, or HASH_MAP_NONE. */
static inline size_t hash_map_find(
    const struct hash_map *m, uint64_t hash, hash_equal *equal, const void *ctx)
{
	uint32_t end = m->slots ? hash_map_slot(m, hash, equal, ctx)->end : 0;

	return end ? end - 1 : HASH_MAP_NONE;
}

/* Returns the number of a key, adding the key if it is not there. If the number equals the
 * count before the call, the key is new, and the caller must append it to its array. */
static inline size_t hash_map_add(
    struct hash_map *m, uint64_t hash, hash_equal *equal, const void *ctx)
{
	struct hash_slot *slot;

	if (m->count >= m->slots / 4 * 3)
		hash_map_grow(m);
	slot = hash_map_slot(m, hash, equal, ctx);
	if (!slot->end)
		*slot = (struct hash_slot){ (uint32_t)hash, (uint32_t)++m->count };
	return slot->end - 1;
}

#endif
