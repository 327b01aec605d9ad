/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The growth of a hash table; see hash_map.h.
 */
#include <stdlib.h>

#include "base/base.h"
#include "base/hash_map.h"

void hash_map_grow(struct hash_map *m)
{
	struct hash_map old = *m;

	m->slots = m->slots ? m->slots * 2 : 64;
	m->slot = mem_zero(m->slots, sizeof(*m->slot));
	for (size_t i = 0; i < old.slots; i++) {
		size_t at = old.slot[i].hash & (m->slots - 1);

		if (!old.slot[i].end)
			continue;
		while (m->slot[at].end)
			at = (at + 1) & (m->slots - 1);
		m->slot[at] = old.slot[i];
	}
	free(old.slot);
}

void hash_map_free(struct hash_map *m)
{
	free(m->slot);
	*m = (struct hash_map){ 0 };
}
