/* Parts of a stream; see report_filter.h. */
#include <stdlib.h>
#include <string.h>

#include "record/group.h"
#include "report/report_filter.h"
#include "io/csv_reader.h"

/* The rows of a subject as CSV. */
struct lane {
	struct buf rows;
	double sum;
	size_t count;
};

struct cut {
	struct cut_asked asked;
	const struct schema *schema;
	struct groups *groups;
	const char **together;
	struct lane *lane;
	size_t lanes, cap;
};

struct cut *cut_open(
    const struct schema *schema, const struct schema *coming, const struct cut_asked *asked)
{
	struct cut *c = mem_zero(1, sizeof(*c));

	c->asked = *asked;
	c->schema = schema;
	c->together = mem_zero(asked->togethers + 1, sizeof(*c->together));
	for (size_t i = 0; i < asked->togethers; i++)
		c->together[i] = asked->together[i];
	c->groups = groups_open(coming,
	    &(struct group_by){
	        .provenance = true, .except = c->together, .excepts = asked->togethers });
	return c;
}

static void put_row(const struct cut *c, const struct row *row, struct buf *b)
{
	/* What later tables have as well is empty in this one. */
	for (size_t id = 0; id < c->schema->count; id++) {
		if (id)
			buf_byte(b, ',');
		if (id < row->schema->count)
			sheet_field(b, row->cell[id]);
	}
	buf_byte(b, '\n');
}

static bool is_or_any(struct text cell, const char *wanted)
{
	return !wanted || text_is(cell, wanted);
}

static bool wants(const struct cut_asked *asked, const struct row *row)
{
	return (asked->failed || row_counts(row)) && asked->sort[seen_sort(row)] &&
	       is_or_any(row->cell[COL_METRIC], asked->metric) &&
	       is_or_any(row->cell[COL_BENCH], asked->bench) &&
	       is_or_any(row->cell[COL_COMMIT], asked->commit);
}

void cut_row(struct cut *c, const struct row *row)
{
	size_t i;

	if (!wants(&c->asked, row))
		return;
	i = groups_find(c->groups, row);
	if (i == c->lanes)
		*VEC_ADD(c->lane, c->lanes, c->cap) = (struct lane){ 0 };
	if (row_counts(row)) {
		c->lane[i].sum += row->value;
		c->lane[i].count++;
	}
	put_row(c, row, &c->lane[i].rows);
}

static double mean(const struct lane *l)
{
	return l->count ? l->sum / (double)l->count : 0;
}

static int by_place(const void *a, const void *b)
{
	const struct lane *x = *(struct lane *const *)a, *y = *(struct lane *const *)b;

	return x < y ? -1 : x > y;
}

static int by_mean(const void *a, const void *b)
{
	double p = mean(*(struct lane *const *)a), q = mean(*(struct lane *const *)b);

	return p != q ? (p < q ? 1 : -1) : by_place(a, b);
}

void cut_print(struct cut *c, struct buf *b)
{
	struct lane **order = mem_zero(c->lanes + 1, sizeof(struct lane *));
	size_t most = c->lanes < c->asked.most ? c->lanes : c->asked.most;

	for (size_t i = 0; i < c->lanes; i++)
		order[i] = &c->lane[i];
	qsort(order, c->lanes, sizeof(*order), by_mean);
	if (!c->asked.by_size)
		qsort(order, most, sizeof(*order), by_place);
	for (size_t id = 0; id < c->schema->count; id++) {
		if (id)
			buf_byte(b, ',');
		sheet_field(b, text_of(c->schema->name[id]));
	}
	buf_byte(b, '\n');
	for (size_t i = 0; i < most; i++)
		buf_put(b, order[i]->rows.ptr, order[i]->rows.len);
	free(order);
}

size_t cut_subjects(const struct cut *c)
{
	return c->lanes;
}

size_t cut_left_out(const struct cut *c)
{
	return c->lanes > c->asked.most ? c->lanes - c->asked.most : 0;
}

void cut_close(struct cut *c)
{
	for (size_t i = 0; i < c->lanes; i++)
		buf_free(&c->lane[i].rows);
	free(c->lane);
	groups_close(c->groups);
	free(c->together);
	free(c);
}
