/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the newest rows of each subject; see report_newest.h. */
#include <stdlib.h>

#include "report/report_newest.h"

/* Returns whether a column distinguishes subjects here. A profile and the operations of a
 * model belong to the subject that they divide. */
static bool names_subject(const struct row *row, size_t id)
{
	const char *name = row->schema->name[id];

	return id == COL_HOST ||
	       (column_kind(id) == COLUMN_SUBJECT && id != COL_METRIC && id != COL_UNIT &&
	           strcmp(name, "stack") != 0 && strcmp(name, "operation") != 0);
}

/* Returns the key of the subject of a row, valid until the next call. Columns without a
 * value are not part of it, because later tables may add columns. */
static struct text subject_of(struct newest *n, const struct row *row)
{
	n->key.len = 0;
	for (size_t id = 0; id < row->schema->count; id++) {
		if (!row->cell[id].len || !names_subject(row, id))
			continue;
		buf_put(&n->key, &id, sizeof(id));
		buf_put(&n->key, &row->cell[id].len, sizeof(row->cell[id].len));
		buf_text(&n->key, row->cell[id]);
	}
	return text_in(&n->key);
}

static struct text point_of(const struct row *row)
{
	return row->cell[COL_COMMIT].len ? row->cell[COL_COMMIT] : row->cell[COL_RUN];
}

/* Returns whether a time is not before another. Times of the same form sort as strings. */
static bool is_after(struct text time, const char *other)
{
	size_t len = strlen(other);

	return memcmp(time.ptr, other, time.len < len ? time.len : len) >= 0;
}

void newest_note(struct newest *n, const struct row *row)
{
	struct text time = row->cell[COL_TIME], name = point_of(row);
	size_t i = intern_add(&n->subjects, subject_of(n, row));
	struct newest_point *p;

	if (i == n->count)
		*VEC_ADD(n->point, n->count, n->cap) =
		    (struct newest_point){ .time = str_copy("") };
	p = &n->point[i];
	if (time.len ? !is_after(time, p->time) : *p->time)
		return;
	free(p->time);
	p->time = mem_text(time.ptr, time.len);
	if (text_equal(p->name, name))
		return;
	free((char *)(uintptr_t)p->name.ptr);
	p->name = (struct text){ mem_text(name.ptr, name.len), name.len };
}

bool newest_has(struct newest *n, const struct row *row)
{
	long i = intern_find(&n->subjects, subject_of(n, row));

	return i >= 0 && text_equal(n->point[i].name, point_of(row));
}

void newest_free(struct newest *n)
{
	for (size_t i = 0; i < n->count; i++) {
		free(n->point[i].time);
		free((char *)(uintptr_t)n->point[i].name.ptr);
	}
	free(n->point);
	intern_free(&n->subjects);
	buf_free(&n->key);
	*n = (struct newest){ 0 };
}
