/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The part of a report about profiles. For each benchmark it has a flame graph by the
 * sampled event and a table of functions. If there are two profiles, of the baseline and
 * the stream or with two values of the commit or a factor, it first has the differences.
 */
#include <stdlib.h>
#include <string.h>

#include "io/csv_reader.h"
#include "record/bench_csv.h"
#include "report/report_items_priv.h"
#include "report/report_profile_words.h"
#include "text/plural.h"

enum { PROFILES = 4 };

/* The column that bench-plot compares when there is a baseline. */
static const char side_column[] = "compared side";

/* A column with its values in the profile of a benchmark. */
struct profile_column {
	char *name;
	struct intern values;
};

/* The profile of a benchmark. */
struct bench_profile {
	char *bench;
	struct intern metrics;
	struct profile_column *column; /* the commit, and factors */
	size_t columns, cap;
	bool in_baseline;
	const char *by;   /* the column that distinguishes the sides; NULL: one side */
	char *new;        /* the value of the new side */
	struct buf rows;  /* of all sides */
	struct buf newer; /* of the new side only */
	size_t schema_columns[2]; /* of the last header in rows and newer */
	uint64_t table[2];
};

struct bench_profiles {
	struct bench_profile *profile;
	size_t count, cap;
	struct intern benches;
	const char *side; /* of the stream that is read; NULL: there is no baseline */
	bool writes;      /* the second pass */
	bool is_baseline;
};

static bool is_stack(const struct row *row)
{
	return inventory_row_kind(row) == ROW_STACK && row_counts(row);
}

static void add_value(struct bench_profile *p, const char *name, struct text value)
{
	size_t i = 0;

	while (i < p->columns && strcmp(p->column[i].name, name) != 0)
		i++;
	if (i == p->columns)
		*VEC_ADD(p->column, p->columns, p->cap) =
		    (struct profile_column){ .name = str_copy(name) };
	intern_add(&p->column[i].values, value);
}

/* Notes the metrics of a profile, and which columns have several values. */
static void survey_row(struct bench_profile *p, const struct row *row)
{
	const struct schema *schema = row->schema;

	intern_add(&p->metrics, row->cell[COL_METRIC]);
	add_value(p, schema->name[COL_COMMIT], row->cell[COL_COMMIT]);
	for (size_t i = COL_FACTORS; i < schema->count; i++)
		if (strcmp(schema->name[i], "stack") != 0 &&
		    strcmp(schema->name[i], "comm") != 0 && row->cell[i].len)
			add_value(p, schema->name[i], row->cell[i]);
}

static void put_header(struct buf *b, const struct schema *schema, bool side)
{
	for (size_t i = 0; i < schema->count; i++) {
		buf_str(b, i ? "," : "");
		csv_reader_put_field(b, text_of(schema->name[i]));
	}
	buf_printf(b, "%s%s\n", side ? "," : "", side ? side_column : "");
}

static void copy_row(
    struct bench_profile *p, int to, const struct row *row, const char *side)
{
	struct buf *b = to ? &p->newer : &p->rows;

	if (p->schema_columns[to] != row->schema->count || p->table[to] != row->table)
		put_header(b, row->schema, side);
	p->schema_columns[to] = row->schema->count;
	p->table[to] = row->table;
	for (size_t i = 0; i < row->schema->count; i++) {
		buf_str(b, i ? "," : "");
		csv_reader_put_field(b, row->cell[i]);
	}
	buf_printf(b, "%s%s\n", side ? "," : "", side ? side : "");
}

static int on_profile_row(void *ctx, const struct row *row, struct fault *f)
{
	struct bench_profiles *all = ctx;
	struct bench_profile *p;
	long number;

	(void)f;
	if (!is_stack(row))
		return 0;
	/* The stream is read first: a profile only of the baseline is not shown. */
	number = all->is_baseline || all->writes
	             ? intern_find(&all->benches, row->cell[COL_BENCH])
	             : (long)intern_add(&all->benches, row->cell[COL_BENCH]);
	if (number < 0)
		return 0;
	if ((size_t)number == all->count)
		*VEC_ADD(all->profile, all->count, all->cap) =
		    (struct bench_profile){ .bench = mem_text(row->cell[COL_BENCH].ptr,
			                        row->cell[COL_BENCH].len) };
	p = &all->profile[number];
	if (!all->writes) {
		p->in_baseline = p->in_baseline || all->is_baseline;
		if (!all->is_baseline)
			survey_row(p, row);
		return 0;
	}
	copy_row(p, 0, row, p->in_baseline ? all->side : NULL);
	long by = p->by ? schema_find(row->schema, text_of(p->by)) : -1;
	if (!all->is_baseline && (!p->new || (by >= 0 && text_is(row->cell[by], p->new))))
		copy_row(p, 1, row, NULL);
	return 0;
}

static int read_profiles(
    struct bench_profiles *all, const char *name, struct text stream, struct fault *f)
{
	static const struct bench_csv_sink sink = { .row = on_profile_row };
	struct bench_csv *reader = bench_csv_open(&sink, all);
	int status = bench_csv_read_text(reader, name, stream, f);

	bench_csv_close(reader);
	for (size_t i = 0; i < all->count; i++)
		memset(all->profile[i].schema_columns, 0,
		    sizeof(all->profile[i].schema_columns));
	return status;
}

/* Decides what distinguishes two sides, if there are two. */
static void choose_sides(struct bench_profile *p)
{
	if (p->in_baseline) {
		p->by = side_column;
		return;
	}
	for (size_t i = 0; i < p->columns && !p->by; i++) {
		struct text last;

		if (p->column[i].values.count != 2)
			continue;
		p->by = p->column[i].name;
		last = intern_text(&p->column[i].values, 1);
		p->new = mem_text(last.ptr, last.len);
	}
}

/* Reads the rows of all profiles, those of the baseline first. */
static int collect(const struct report *r, struct bench_profiles *all, struct fault *f)
{
	struct text stream = r->whole->text;
	const struct report_file *old = r->opts->baseline;
	int status = read_profiles(all, "the stream", stream, f);

	all->is_baseline = true;
	if (status == 0 && old)
		status = read_profiles(all, old->name, old->in.text, f);
	for (size_t i = 0; i < all->count; i++)
		choose_sides(&all->profile[i]);
	all->writes = true;
	all->side = "baseline";
	if (status == 0 && old)
		status = read_profiles(all, old->name, old->in.text, f);
	all->is_baseline = false;
	all->side = "new";
	return status == 0 ? read_profiles(all, "the stream", stream, f) : status;
}

static void free_profiles(struct bench_profiles *all)
{
	for (size_t i = 0; i < all->count; i++) {
		struct bench_profile *p = &all->profile[i];

		for (size_t k = 0; k < p->columns; k++) {
			free(p->column[k].name);
			intern_free(&p->column[k].values);
		}
		free(p->column);
		free(p->bench);
		free(p->new);
		intern_free(&p->metrics);
		buf_free(&p->rows);
		buf_free(&p->newer);
	}
	free(all->profile);
	intern_free(&all->benches);
}

/* Returns the sampled event, or the allocated bytes: the first metric except the number of
 * samples; allocated. */
static char *event_of(const struct bench_profile *p)
{
	size_t i = 0;

	while (i + 1 < p->metrics.count && text_is(intern_text(&p->metrics, i), "samples"))
		i++;
	return mem_text(intern_text(&p->metrics, i).ptr, intern_text(&p->metrics, i).len);
}

static void introduce(const struct item *it, struct buf *page)
{
	buf_str(page, "<div class=\"answer\">\n");
	report_profile_words(page, text_in(&it->out), it->bench);
	buf_str(page, "</div>\n");
}

static bool is_in_unit(struct text column)
{
	return text_is(column, "self") || text_is(column, "total");
}

static void give_rows(struct item *it, const struct buf *rows)
{
	buf_put(&it->text, rows->ptr, rows->len);
}

/* Adds a table of functions with its sentences, and the flame graph. */
static void add_items(struct part *part, const struct bench_profile *p,
    const struct buf *rows, const char *metric, const char *by)
{
	const char *what = by ? "differences of " : "";
	struct item *it =
	    part_add(part, ITEM_TABLE, "functions by %s%s of %s", what, metric, p->bench);

	item_run(it, "bench-plot", "flame", "--functions", "-y", metric, NULL);
	if (by)
		item_option(it, "-g", by);
	give_rows(it, rows);
	it->introduce = introduce;
	it->bench = str_copy(p->bench);
	it->in_unit = is_in_unit;
	it->fold = by ? "All functions and their differences" : "All functions";
	it->keep = 1;
	it = part_add(part, ITEM_FIGURE, "%s%s of %s", what, metric, p->bench);
	/* Its script adapts it to narrow pages, unlike the plots of item_draw(). */
	item_run(it, "bench-plot", "flame", "-F", "svg", "-o", "-", "-y", metric, "--theme",
	    "auto", NULL);
	if (by)
		item_option(it, "-g", by);
	give_rows(it, rows);
	it->wide = true;
}

void report_plan_profiles(struct report *r, struct part *part)
{
	struct bench_profiles all = { 0 };
	struct fault f;

	part_add(part, ITEM_TEXT,
	    "Click a frame or press Enter to zoom in, use the arrow keys to move, press / "
	    "to search and Escape to zoom out.");
	/* Both streams were read before without an error. */
	if (collect(r, &all, &f) < 0)
		part_add(part, ITEM_TEXT, "%s", f.text);
	for (size_t i = 0; i < all.count && i < PROFILES; i++) {
		const struct bench_profile *p = &all.profile[i];
		char *event = event_of(p);
		bool counts = intern_find(&p->metrics, TEXT("samples")) >= 0;

		/* Numbers of samples can be tested. */
		if (p->by)
			add_items(part, p, &p->rows, counts ? "samples" : event, p->by);
		add_items(part, p, &p->newer, event, NULL);
		free(event);
	}
	if (all.count > PROFILES)
		part_add(part, ITEM_TEXT, "%zu more profile%s not drawn.",
		    all.count - PROFILES, plural(all.count - PROFILES, " is", "s are"));
	free_profiles(&all);
}
