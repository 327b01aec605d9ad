/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functional dependencies by counting: columns determine another one if adding it does not
 * divide the groups further; see derived_columns.h.
 */
#include <stdlib.h>

#include "base/intern.h"
#include "record/derived_columns.h"

/* Returns the number of parts into which the remaining columns divide the groups, with x
 * and column `also`, or without them (SIZE_MAX). */
static size_t count_parts(const struct groups *g, const struct derived_opts *o,
    const bool *left, size_t x, size_t also)
{
	struct intern seen = { 0 };
	struct buf key = { 0 };
	size_t parts;

	for (size_t i = 0; i < o->groups; i++) {
		key.len = 0;
		for (size_t k = 0; k < o->columns + 2; k++) {
			size_t id = k < o->columns    ? o->column[k]
			            : k == o->columns ? x
			                              : also;
			struct text t;

			if (id == SIZE_MAX || (k < o->columns && !left[k]))
				continue;
			t = groups_cell(g, o->group[i], id);
			buf_put(&key, &t.len, sizeof(t.len));
			buf_text(&key, t);
		}
		intern_add(&seen, text_in(&key));
	}
	parts = seen.count;
	intern_free(&seen);
	buf_free(&key);
	return parts;
}

static bool is_constant(const struct groups *g, const struct derived_opts *o, size_t column)
{
	for (size_t i = 1; i < o->groups; i++)
		if (!text_equal(groups_cell(g, o->group[i], column),
		        groups_cell(g, o->group[0], column)))
			return false;
	return true;
}

/* Returns whether each string of a column contains x, as in "sort 1000". */
static bool contains_x(const struct groups *g, const struct derived_opts *o, size_t column)
{
	for (size_t i = 0; i < o->groups; i++) {
		struct text t = groups_cell(g, o->group[i], column),
		            x = groups_cell(g, o->group[i], o->x);

		if (!x.len || !t.len || !memmem(t.ptr, t.len, x.ptr, x.len))
			return false;
	}
	return true;
}

void derived_columns_find(
    const struct groups *g, const struct derived_opts *o, bool *derived)
{
	bool *left = mem_zero(o->columns + 1, sizeof(*left));

	for (size_t k = 0; k < o->columns; k++) {
		derived[k] = false;
		left[k] = o->column[k] != o->x && !is_constant(g, o, o->column[k]);
	}
	for (size_t k = o->columns; k-- > 0;) {
		size_t own = o->column[k];

		if (!left[k])
			continue;
		left[k] = false;
		derived[k] = count_parts(g, o, left, o->x, SIZE_MAX) ==
		                 count_parts(g, o, left, o->x, own) &&
		             count_parts(g, o, left, SIZE_MAX, SIZE_MAX) <
		                 count_parts(g, o, left, SIZE_MAX, own) &&
		             (own != COL_BENCH || contains_x(g, o, own));
		left[k] = !derived[k];
	}
	free(left);
}
