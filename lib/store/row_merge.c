/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows are sorted by identity, then by their fields, then with old rows before new ones,
 * so that rows of one identity, and equal rows among them, are adjacent.
 *
 * Rows with neither sample nor t cannot be distinguished. A run that is named after its
 * rows has either all or none of the rows of its table, so its indistinguishable rows are
 * compared as a set: an equal set is skipped, and a different set is refused. In a run
 * with a name of its own, two such rows are two values for one identity.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "store/row_merge.h"
#include "text/display_text.h"
#include "text/stamp.h"
#include "text/units.h"

enum { NAME_MAX_SHOWN = 60 };

static void put_short_name(struct buf *out, struct text t)
{
	bool cut = t.len > NAME_MAX_SHOWN;

	display_text_clean(out, (struct text){ t.ptr, cut ? NAME_MAX_SHOWN : t.len });
	if (cut)
		buf_str(out, "...");
}

void row_merge_name(struct buf *out, const struct ingest *in, const struct ingest_series *s)
{
	static const struct {
		enum column column;
		const char *name;
	} shown[] = { { COL_BENCH, "bench" }, { COL_METRIC, "metric" } };
	const struct schema *schema = groups_schema(in->groups);
	struct text t;

	buf_str(out, "run ");
	put_short_name(out, text_of(in->run[s->run].name));
	for (size_t i = 0; i < COUNT(shown); i++) {
		t = groups_cell(in->groups, s->group, shown[i].column);
		if (!t.len)
			continue;
		buf_printf(out, ", %s ", shown[i].name);
		put_short_name(out, t);
	}
	for (size_t id = COL_FACTORS; id < schema->count && out->len < 400; id++) {
		t = groups_cell(in->groups, s->group, id);
		if (!t.len)
			continue;
		buf_str(out, ", ");
		put_short_name(out, text_of(schema->name[id]));
		buf_byte(out, ' ');
		put_short_name(out, t);
	}
}

static void put_number(struct buf *out, double x)
{
	char text[NUMBER_TEXT_MAX];

	if (isnan(x))
		buf_str(out, "empty");
	else
		buf_put(out, text, number_print(text, x));
}

static void put_integer(struct buf *out, const char *name, int64_t n)
{
	if (n != ROW_NONE)
		buf_printf(out, ", %s %" PRId64, name, n);
}

static void put_text(struct buf *out, struct text t)
{
	if (t.len)
		put_short_name(out, t);
	else
		buf_str(out, "empty");
}

/* Appends the field in which two rows differ, such as "value 12, not 10". */
static void put_difference(struct buf *out, const struct ingest *in,
    const struct pack_row *a, const struct pack_row *b)
{
	char small[STAMP_MAX];

	if (a->value != b->value && !(isnan(a->value) && isnan(b->value))) {
		buf_str(out, "value ");
		put_number(out, b->value);
		buf_str(out, ", not ");
		put_number(out, a->value);
	} else if (a->status != b->status) {
		buf_str(out, "status ");
		put_text(out, intern_text(&in->texts, b->status));
		buf_str(out, ", not ");
		put_text(out, intern_text(&in->texts, a->status));
	} else if (a->time_form != b->time_form || a->time != b->time) {
		buf_str(out, "time ");
		put_text(out, pack_time_text(b, &in->texts, small));
		buf_str(out, ", not ");
		put_text(out, pack_time_text(a, &in->texts, small));
	} else {
		buf_str(out, a->iterations != b->iterations ? "different iterations"
		                                            : "different running_pct");
	}
}

/* The rows of a series that are merged. */
struct merging {
	const struct ingest *in;
	const struct ingest_series *series;
	const struct pack_row *first_new; /* rows before it are in the database */
	struct pack_rows *merged;
};

/* Sets the message that row b conflicts with row a. Returns -1. */
static int fail_conflict(const struct merging *m, const struct pack_row *a,
    const struct pack_row *b, bool kept, struct fault *f)
{
	struct buf what = { 0 };

	row_merge_name(&what, m->in, m->series);
	put_integer(&what, "process", b->process);
	put_integer(&what, "sample", b->sample);
	put_integer(&what, "t", b->t);
	buf_str(&what, kept ? ": differs from the row in the database: "
	                    : ": occurs twice with different fields: ");
	put_difference(&what, m->in, a, b);
	if (!pack_numbered(b))
		buf_str(&what, " (add a column sample to distinguish rows)");
	buf_str(&what, "; nothing was added");
	fault_set(f, "%s", what.ptr);
	buf_free(&what);
	return -1;
}

static int by_content(const void *a, const void *b)
{
	const struct pack_row *x = *(const struct pack_row *const *)a,
	                      *y = *(const struct pack_row *const *)b;
	int order = pack_compare(x, y);

	return order ? order : (x > y) - (x < y);
}

static void append_row(struct pack_rows *merged, const struct pack_row *row)
{
	*VEC_ADD(merged->row, merged->count, merged->cap) = *row;
}

static bool is_old(const struct merging *m, const struct pack_row *row)
{
	return row < m->first_new;
}

/* Compares the old rows of an identity with the new ones, as sets. Returns a row that one
 * side has more often than the other, or NULL if the sets are equal. */
static const struct pack_row *set_difference(
    const struct merging *m, const struct pack_row **row, size_t count)
{
	/* Equal rows are adjacent. */
	for (size_t i = 0, next; i < count; i = next) {
		size_t olds = 0;

		for (next = i; next < count && pack_compare(row[i], row[next]) == 0; next++)
			olds += is_old(m, row[next]);
		if (olds * 2 != next - i)
			return row[i];
	}
	return NULL;
}

/* Merges indistinguishable rows of one identity as sets. Returns 0, or -1 and the message.
 */
static int merge_set(
    const struct merging *m, const struct pack_row **row, size_t count, struct fault *f)
{
	const struct pack_row *odd;
	size_t olds = 0;

	for (size_t i = 0; i < count; i++)
		olds += is_old(m, row[i]);
	if (olds && olds < count && (odd = set_difference(m, row, count)))
		return fail_conflict(
		    m, odd == row[0] ? row[count - 1] : row[0], odd, true, f);
	for (size_t i = 0; i < count; i++)
		if (!olds || is_old(m, row[i]))
			append_row(m->merged, row[i]);
	return 0;
}

/* Removes the time of a row if it is a string that is not a time. */
static void drop_text_time(const struct ingest *in, struct pack_row *row)
{
	int64_t ns;
	int digits;

	if (row->time_form != PACK_TIME_TEXT ||
	    stamp_parse(intern_text(&in->texts, (size_t)row->time), &ns, &digits))
		return;
	row->time_form = PACK_TIME_NONE;
	row->time = 0;
}

/* Returns whether two rows are equal if one has an empty time because an export left out a
 * text that is not a time. */
static bool same_without_text_time(
    const struct ingest *in, const struct pack_row *a, const struct pack_row *b)
{
	struct pack_row x = *a, y = *b;

	if (a->time_form != PACK_TIME_NONE && b->time_form != PACK_TIME_NONE)
		return false;
	drop_text_time(in, &x);
	drop_text_time(in, &y);
	return pack_compare(&x, &y) == 0;
}

/* Merges the rows of one identity, which must be equal, into one. Returns 0, or -1 and the
 * message. */
static int merge_one(
    const struct merging *m, const struct pack_row **row, size_t count, struct fault *f)
{
	const struct pack_row *chosen = row[0];

	for (size_t i = 0; i < count; i++)
		if (is_old(m, row[i]))
			chosen = row[i];
	for (size_t i = 0; i < count; i++)
		if (pack_compare(row[i], chosen) != 0 &&
		    !same_without_text_time(m->in, row[i], chosen))
			return fail_conflict(m, chosen, row[i], is_old(m, chosen), f);
	append_row(m->merged, chosen);
	return 0;
}

int row_merge_series(const struct ingest *in, const struct ingest_series *s,
    const struct pack_rows *rows, size_t old, struct pack_rows *merged, struct fault *f)
{
	const struct merging m = {
		.in = in, .series = s, .first_new = rows->row + old, .merged = merged
	};
	const size_t count = rows->count;
	const struct pack_row **row = mem_zero(count, sizeof(*row));
	const bool sets = in->run[s->run].by_content;
	int status = 0;

	for (size_t i = 0; i < count; i++)
		row[i] = &rows->row[i];
	qsort(row, count, sizeof(*row), by_content);
	for (size_t i = 0, next; i < count && status == 0; i = next) {
		next = i + 1;
		while (next < count && pack_order(row[i], row[next]) == 0)
			next++;
		status = (sets && !pack_numbered(row[i]) ? merge_set : merge_one)(
		    &m, row + i, next - i, f);
	}
	free(row);
	return status;
}
