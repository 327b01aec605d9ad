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
static bool is_after(struct text time, struct text other)
{
	return memcmp(time.ptr, other.ptr, time.len < other.len ? time.len : other.len) >=
	       0;
}

/* Replaces a text if another one is not equal to it. */
static void replace(struct newest *n, uint32_t *number, struct text t)
{
	if (!text_equal(intern_text(&n->texts, *number), t))
		*number = (uint32_t)intern_add(&n->texts, t);
}

void newest_note(struct newest *n, const struct row *row)
{
	struct text time = row->cell[COL_TIME], last;
	size_t i = intern_add(&n->subjects, subject_of(n, row));
	struct newest_point *p;

	if (i == n->count) {
		intern_add(&n->texts, TEXT("")); /* number 0 */
		*VEC_ADD(n->point, n->count, n->cap) = (struct newest_point){ 0 };
	}
	p = &n->point[i];
	last = intern_text(&n->texts, p->time);
	if (time.len ? !is_after(time, last) : last.len > 0)
		return;
	replace(n, &p->time, time);
	replace(n, &p->name, point_of(row));
}

bool newest_has(struct newest *n, const struct row *row)
{
	long i = intern_find(&n->subjects, subject_of(n, row));

	return i >= 0 &&
	       text_equal(intern_text(&n->texts, n->point[i].name), point_of(row));
}

void newest_free(struct newest *n)
{
	free(n->point);
	intern_free(&n->subjects);
	intern_free(&n->texts);
	buf_free(&n->key);
	*n = (struct newest){ 0 };
}
