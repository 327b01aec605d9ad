/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Labels of groups; see group_labels.h.
 */
#include <stdlib.h>
#include <string.h>

#include "figure/group_labels.h"
#include "text/display_text.h"

static struct text group_cell(const struct group_labels *n, size_t i, size_t column)
{
	return groups_cell(n->groups, n->group[i], column);
}

/* Returns whether a column has different strings in two of the groups. */
static bool differs(const struct group_labels *n, size_t column)
{
	for (size_t i = 1; i < n->count; i++)
		if (!text_equal(group_cell(n, i, column), group_cell(n, 0, column)))
			return true;
	return false;
}

/* Returns the first digits of a hash; other strings are returned unchanged. */
static struct text short_hash(struct text t)
{
	enum { DIGITS = 10 };

	for (size_t i = 0; i < t.len; i++)
		if (!strchr("0123456789abcdef", t.ptr[i]))
			return t;
	return (struct text){ t.ptr, t.len < DIGITS ? t.len : DIGITS };
}

void group_labels_put(struct buf *b, const char *column, struct text value, bool utf8)
{
	buf_str(b, b->len ? ", " : "");
	if (strcmp(column, "bench") != 0 && strcmp(column, "kind") != 0 &&
	    strcmp(column, "metric") != 0) {
		display_text_label(b, text_of(column), utf8);
		buf_byte(b, '=');
	}
	if (strcmp(column, "commit") == 0)
		value = short_hash(value);
	if (value.len)
		display_text_label(b, value, utf8);
	else
		buf_str(b, "none");
}

void group_labels_hold(struct figure *fig, const char *column, char *text)
{
	bool origin = strcmp(column, "host") == 0 || strcmp(column, "env") == 0 ||
	              strcmp(column, "commit") == 0;

	lines_add(origin ? &fig->origin : &fig->held, text);
}

static void put_pair(const struct group_labels *n, struct buf *b, size_t i, size_t column)
{
	struct text t = group_cell(n, i, column);

	if (t.len)
		group_labels_put(b, groups_schema(n->groups)->name[column], t, n->utf8);
}

static bool listed(const char *name, const char *const *list)
{
	for (; list && *list; list++)
		if (strcmp(*list, name) == 0)
			return true;
	return false;
}

static bool is_subject(size_t column)
{
	return column != COL_METRIC && column != COL_UNIT;
}

/* Divides parts by a column. Returns whether the column distinguishes any groups. */
static bool refine(const struct group_labels *n, size_t column, size_t *part)
{
	size_t *finer = mem_zero(n->count, sizeof(*finer));
	bool told = false;

	for (size_t i = 0; i < n->count; i++) {
		finer[i] = i;
		for (size_t k = 0; k < i; k++) {
			if (part[k] != part[i])
				continue;
			if (text_equal(
			        group_cell(n, k, column), group_cell(n, i, column))) {
				finer[i] = finer[k];
				break;
			}
			told = true;
		}
	}
	memcpy(part, finer, n->count * sizeof(*part));
	free(finer);
	return told;
}

void group_labels_shorten(struct group_labels *n, const char *const *list)
{
	size_t *id, count = groups_columns(n->groups, &id);
	size_t *part = mem_zero(n->count, sizeof(*part));

	n->needed = mem_zero(groups_schema(n->groups)->count, sizeof(*n->needed));
	for (size_t k = 0; k < count; k++)
		if (listed(groups_schema(n->groups)->name[id[k]], list))
			refine(n, id[k], part);
	for (size_t k = 0; k < count; k++)
		if (is_subject(id[k]) && id[k] != COL_KIND)
			n->needed[id[k]] = refine(n, id[k], part);
	free(part);
	free(id);
}

char *group_labels_text(
    const struct group_labels *n, size_t i, const char *const *list, bool others)
{
	size_t *id, count = groups_columns(n->groups, &id);
	struct buf b = { 0 };

	for (size_t k = 0; k < count; k++)
		if (is_subject(id[k]) && differs(n, id[k]) &&
		    listed(groups_schema(n->groups)->name[id[k]], list) != others &&
		    (!others || !n->needed || n->needed[id[k]]))
			put_pair(n, &b, i, id[k]);
	free(id);
	return buf_detach(&b);
}

void group_labels_held(const struct group_labels *n, struct figure *fig)
{
	size_t *id, count = groups_columns(n->groups, &id);

	for (size_t k = 0; k < count; k++) {
		struct buf b = { 0 };

		if (is_subject(id[k]) && id[k] != COL_KIND && !differs(n, id[k]))
			put_pair(n, &b, 0, id[k]);
		if (b.ptr)
			group_labels_hold(
			    fig, groups_schema(n->groups)->name[id[k]], b.ptr);
	}
	free(id);
}
