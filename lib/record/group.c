/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keys of groups; see group.h. A key is a list of pairs (column id, text) of the selected
 * columns that are not empty, in the order of the ids, packed into bytes: the id and the
 * length, which take a byte each if they are small, then the text. Thus keys of tables with
 * different columns can be compared, and finding a group takes one hash and one memcmp.
 */
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "record/group.h"

enum { NUMBER_BYTES = 10, LOW = 0x7f, MORE = 0x80 };

struct key_part {
	size_t id;
	struct text text;
};

struct groups {
	const struct schema *schema;
	struct group_by by;
	size_t known;
	size_t *key; /* the selected ids */
	size_t keys, key_cap;
	struct buf scratch;
	struct intern keys_seen;
	uint32_t *follower; /* by group: the group that followed it the last time */
	size_t followers, follower_cap;
	size_t last;
};

struct groups *groups_open(const struct schema *schema, const struct group_by *by)
{
	struct groups *g = mem_zero(1, sizeof(*g));

	g->schema = schema;
	g->by = *by;
	return g;
}

static bool is_named(const char *const *names, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static bool column_selected(const struct groups *g, size_t id)
{
	const char *name = g->schema->name[id];

	if (is_named(g->by.except, g->by.excepts, name))
		return false;
	if (is_named(g->by.also, g->by.alsos, name))
		return true;
	if (g->by.names)
		return id == COL_METRIC || id == COL_UNIT ||
		       is_named(g->by.names, g->by.count, name);
	switch (column_kind(id)) {
	case COLUMN_SUBJECT:
		return strcmp(name, COLUMN_AA) != 0;
	case COLUMN_PROVENANCE:
		return g->by.provenance && id != COL_RUN && id != COL_TIME;
	default:
		return false;
	}
}

static void learn_columns(struct groups *g)
{
	for (; g->known < g->schema->count; g->known++)
		if (column_selected(g, g->known))
			*VEC_ADD(g->key, g->keys, g->key_cap) = g->known;
}

/* Writes a number, seven bits in each byte. Returns the place after it. */
static char *put_number(char *p, size_t number)
{
	for (; number > LOW; number >>= 7)
		*p++ = (char)(number | MORE);
	*p++ = (char)number;
	return p;
}

/* Reads a number. Returns the place after it. */
static const char *get_number(const char *p, size_t *number)
{
	unsigned shift = 0;

	for (*number = 0; *p & MORE; shift += 7)
		*number |= (size_t)(*p++ & LOW) << shift;
	*number |= (size_t)*p++ << shift;
	return p;
}

/* Reads a part of a key. Returns the place after it. */
static const char *get_part(const char *p, struct key_part *part)
{
	p = get_number(p, &part->id);
	p = get_number(p, &part->text.len);
	part->text.ptr = p;
	return p + part->text.len;
}

/* Returns whether the key of the row is that of the group, part by part. */
static bool group_matches(const struct groups *g, size_t group, const struct row *row)
{
	struct text key = intern_text(&g->keys_seen, group);
	const char *p = key.ptr, *end = key.ptr + key.len;

	for (size_t i = 0; i < g->keys; i++) {
		struct text t = row->cell[g->key[i]];
		struct key_part part;

		if (!t.len)
			continue;
		if (p == end)
			return false;
		p = get_part(p, &part);
		if (part.id != g->key[i] || !text_equal(part.text, t))
			return false;
	}
	return p == end;
}

static size_t group_of_row(struct groups *g, const struct row *row)
{
	struct buf *b = &g->scratch;

	b->len = 0;
	for (size_t i = 0; i < g->keys; i++) {
		struct text t = row->cell[g->key[i]];
		char *p;

		if (!t.len)
			continue;
		buf_room(b, 2 * NUMBER_BYTES + t.len);
		p = put_number(put_number(b->ptr + b->len, g->key[i]), t.len);
		memcpy(p, t.ptr, t.len);
		b->len = (size_t)(p - b->ptr) + t.len;
	}
	return intern_add(&g->keys_seen, text_in(b));
}

/* Most streams repeat the order of their groups, so the group that followed the last
 * time is tried first. */
size_t groups_find(struct groups *g, const struct row *row)
{
	size_t guess = g->followers ? g->follower[g->last] : 0, found;

	if (g->known < g->schema->count)
		learn_columns(g);
	found = g->followers && group_matches(g, guess, row) ? guess : group_of_row(g, row);
	if (found == g->followers)
		*VEC_ADD(g->follower, g->followers, g->follower_cap) = 0;
	g->follower[g->last] = (uint32_t)found;
	return g->last = found;
}

const struct schema *groups_schema(const struct groups *g)
{
	return g->schema;
}

size_t groups_count(const struct groups *g)
{
	return g->keys_seen.count;
}

int groups_check(const struct groups *g, struct fault *f)
{
	for (size_t i = 0; g->by.names && i < g->by.count; i++)
		if (schema_need(g->schema, g->by.names[i], f) < 0)
			return -1;
	return 0;
}

struct text groups_cell(const struct groups *g, size_t group, size_t column)
{
	struct text key = intern_text(&g->keys_seen, group);
	struct key_part part;

	for (const char *p = key.ptr, *end = p + key.len; p < end;) {
		p = get_part(p, &part);
		if (part.id == column)
			return part.text;
	}
	return (struct text){ "", 0 };
}

void groups_cells(const struct groups *g, size_t group, struct text *cell)
{
	struct text key = intern_text(&g->keys_seen, group);
	struct key_part part;

	for (size_t i = 0; i < g->schema->count; i++)
		cell[i] = (struct text){ "", 0 };
	for (const char *p = key.ptr, *end = p + key.len; p < end;) {
		p = get_part(p, &part);
		cell[part.id] = part.text;
	}
}

static void mark_used(const struct groups *g, bool *used)
{
	struct key_part part;

	for (size_t i = 0; i < groups_count(g); i++) {
		struct text key = intern_text(&g->keys_seen, i);

		for (const char *p = key.ptr, *end = p + key.len; p < end;) {
			p = get_part(p, &part);
			used[part.id] = true;
		}
	}
}

size_t groups_columns(const struct groups *g, size_t **ids)
{
	size_t all = g->schema->count, *order = mem_zero(all, sizeof(*order)), n = 0;
	bool *used = mem_zero(all, sizeof(*used));

	mark_used(g, used);
	for (size_t i = 0; g->by.names && i < g->keys; i++)
		used[g->key[i]] = true;
	used[COL_METRIC] = used[COL_UNIT] = true;
	schema_order(g->schema, order);
	for (size_t i = 0; i < all; i++)
		if (used[order[i]])
			order[n++] = order[i];
	free(used);
	*ids = order;
	return n;
}

/* Removes the first part of a key that is neither metric nor unit, and returns it packed;
 * empty at the end of the key. */
static struct text next_of_subject(struct text *key)
{
	struct key_part part;

	while (key->len) {
		struct text packed = *key;
		const char *end = get_part(key->ptr, &part);

		packed.len = (size_t)(end - key->ptr);
		*key = text_after(*key, packed.len);
		if (part.id != COL_METRIC && part.id != COL_UNIT)
			return packed;
	}
	return TEXT("");
}

bool groups_same_subject(const struct groups *g, size_t a, size_t b)
{
	struct text left = intern_text(&g->keys_seen, a),
	            right = intern_text(&g->keys_seen, b), part;

	do {
		part = next_of_subject(&left);
		if (!text_equal(part, next_of_subject(&right)))
			return false;
	} while (part.len);
	return true;
}

uint64_t groups_subject_hash(const struct groups *g, size_t group)
{
	struct text key = intern_text(&g->keys_seen, group), part;
	uint64_t hash = 0;

	while ((part = next_of_subject(&key)).len)
		hash = text_hash(part, hash);
	return hash;
}

bool groups_constant(const struct groups *g, size_t column)
{
	for (size_t i = 1; i < groups_count(g); i++)
		if (!text_equal(groups_cell(g, 0, column), groups_cell(g, i, column)))
			return false;
	return true;
}

void groups_complete(struct groups *g)
{
	hash_map_free(&g->keys_seen.map);
	free(g->follower);
	g->follower = NULL;
	g->followers = 0;
}

void groups_close(struct groups *g)
{
	if (!g)
		return;
	free(g->key);
	buf_free(&g->scratch);
	intern_free(&g->keys_seen);
	free(g->follower);
	free(g);
}
