/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Adds the stacks of a stream of rows to a flame graph; see flame_read_priv.h.
 */
#include <math.h>
#include <stdlib.h>

#include "flame/flame_read_priv.h"

/* Columns that the subtitle shows if they are the same in all rows. */
static const char *const common[FLAME_COMMON] = { "bench", "host", "commit", "comm" };

static void look_up(struct flame_reading *r, const struct schema *schema)
{
	if (r->columns == schema->count)
		return;
	r->columns = schema->count;
	r->stack = schema_find(schema, text_of("stack"));
	r->by = r->opts->by ? schema_find(schema, text_of(r->opts->by)) : -1;
	for (size_t i = 0; i < FLAME_COMMON; i++)
		r->column[i] = schema_find(schema, text_of(common[i]));
}

static void note_common(struct flame_reading *r, const struct row *row)
{
	for (size_t i = 0; i < FLAME_COMMON; i++) {
		if (r->differ[i] || r->column[i] < 0)
			continue;
		struct text t = row->cell[r->column[i]];

		if (!r->text[i])
			r->text[i] = mem_text(t.ptr, t.len);
		else if (!text_is(t, r->text[i]))
			r->differ[i] = true;
	}
}

/* Returns the side of a row by the column of opts->by; -1 and the message for a third
 * value. */
static int side_of(struct flame_reading *r, const struct row *row, struct fault *f)
{
	struct text t = row->cell[r->by];

	for (int side = 0; side < FLAME_SIDES; side++) {
		if (!r->side_name[side])
			r->side_name[side] = mem_text(t.ptr, t.len);
		if (text_is(t, r->side_name[side]))
			return side;
	}
	return fault_set(f,
	    "%s has three values, '%s', '%s' and '%.*s', but a comparison needs two: "
	    "select "
	    "their rows, or draw each value alone",
	    r->opts->by, r->side_name[0], r->side_name[1], (int)t.len, t.ptr);
}

/* Returns whether a row has a stack of the metric that is drawn, which is that of the first
 * stack. */
static bool is_drawn(struct flame_reading *r, const struct row *row)
{
	struct text metric = row->cell[COL_METRIC], unit = row->cell[COL_UNIT];

	look_up(r, row->schema);
	if (r->stack < 0 || !row->cell[r->stack].len || (r->opts->by && r->by < 0) ||
	    (row->ok && !row_counts(row)))
		return false;
	if (!r->metric) {
		r->metric = mem_text(metric.ptr, metric.len);
		r->unit = mem_text(unit.ptr, unit.len);
	}
	return text_is(metric, r->metric);
}

/* Checks that a value can be added to the others of its side. Returns 0, or -1 and the
 * message. */
static int check_value(
    struct flame_reading *r, const struct row *row, int side, struct fault *f)
{
	unsigned long long line = row->line;
	struct text unit = row->cell[COL_UNIT];

	if (row->value < 0)
		return fault_set(f,
		    "%s, line %llu: %s of a stack is %g, but the width of a "
		    "frame cannot be below 0",
		    row->file, line, r->metric, row->value);
	if (!text_is(unit, r->unit))
		return fault_set(f,
		    "%s, line %llu: metric %s has two units, '%s' and '%.*s', and their "
		    "sum has none",
		    row->file, line, r->metric, r->unit, (int)unit.len, unit.ptr);
	r->sum[side] += row->value;
	if (!isfinite(r->sum[side]))
		return fault_set(f, "%s, line %llu: the sum of %s is too large to draw",
		    row->file, line, r->metric);
	return 0;
}

static int on_row(void *ctx, const struct row *row, struct fault *f)
{
	struct flame_reading *r = ctx;
	int side = (int)r->side;

	if (!is_drawn(r, row))
		return 0;
	if (!row->ok) {
		r->failed++;
		return 0;
	}
	if (r->opts->by)
		side = side_of(r, row, f);
	if (side < 0 || check_value(r, row, side, f) < 0)
		return -1;
	note_common(r, row);
	flame_add(r->flame, (enum flame_side)side,
	    (uint32_t)intern_add(&r->runs, row->cell[COL_RUN]), row->cell[r->stack],
	    row->value);
	return 0;
}

/* Returns the name of a side: that of its file, with the directory if the other file has
 * the same name; allocated. Standard input and open descriptors have no names. */
static char *name_of_side(char *const *file, size_t side)
{
	static const char *const names[FLAME_SIDES] = { "old", "new" };
	const char *slash = strrchr(file[side], '/'), *other = strrchr(file[!side], '/');
	const char *name = slash ? slash + 1 : file[side];

	if (strcmp(file[side], "-") == 0 || strncmp(file[side], "/proc/", 6) == 0 ||
	    strncmp(file[side], "/dev/", 5) == 0)
		return str_copy(names[side]);
	return str_copy(
	    strcmp(name, other ? other + 1 : file[!side]) == 0 ? file[side] : name);
}

static int read_files(struct flame_reading *r, struct fault *f)
{
	char *const *file = r->opts->file;

	if (r->opts->diff && r->opts->files != 2)
		return fault_set(
		    f, "--diff needs two files, old and new, not %zu", r->opts->files);
	if (stream_options_apply(r->opts->rows, r->stream, f) < 0)
		return -1;
	if (!r->opts->diff)
		return bench_csv_read_all(r->stream, file, r->opts->files, f);
	for (size_t i = 0; i < r->opts->files; i++) {
		r->side = (enum flame_side)i;
		r->side_name[i] = name_of_side(file, i);
		if (bench_csv_read(r->stream, file[i], f) < 0)
			return -1;
	}
	return 0;
}

static int blame_sources(const struct flame_reading *r, struct fault *f)
{
	if (!r->metric && r->opts->by && r->by < 0)
		return schema_unknown(bench_csv_schema(r->stream),
		    "-g: no row with a stack has the column", text_of(r->opts->by), f);
	if (!r->metric)
		return fault_set(f,
		    "no row has a stack: draw the output of bench-prof, or folded "
		    "stacks converted with bench-convert");
	if (r->failed && r->sum[FLAME_OLD] == 0 && r->sum[FLAME_NEW] == 0)
		return fault_set(f,
		    "no values to draw: all %zu stacks are of failed runs (their status is "
		    "not ok)",
		    r->failed);
	if (r->opts->by && !r->side_name[FLAME_NEW])
		return fault_set(f, "%s has one value, '%s', but a comparison needs two",
		    r->opts->by, r->side_name[FLAME_OLD]);
	return fault_set(f, "one side has no stack with a value above 0");
}

int flame_read(struct flame_reading *r, const struct flame_opts *opts, struct fault *f)
{
	static const struct bench_csv_sink sink = { .row = on_row };

	*r = (struct flame_reading){ .opts = opts,
		.flame = flame_open(),
		.side = opts->by || opts->diff ? FLAME_OLD : FLAME_NEW };
	r->stream = bench_csv_open(&sink, r);
	if (read_files(r, f) < 0 || stream_options_check(opts->rows, f) < 0)
		return -1;
	if (!r->metric || (opts->by && !r->side_name[FLAME_NEW]) || !flame_finish(r->flame))
		return blame_sources(r, f);
	return 0;
}

void flame_reading_free(struct flame_reading *r)
{
	flame_close(r->flame);
	bench_csv_close(r->stream);
	intern_free(&r->runs);
	for (size_t i = 0; i < FLAME_COMMON; i++)
		free(r->text[i]);
	for (int side = 0; side < FLAME_SIDES; side++)
		free(r->side_name[side]);
	free(r->metric);
	free(r->unit);
}

char *flame_reading_common(const struct flame_reading *r)
{
	struct buf b = { 0 };

	buf_str(&b, "");
	for (size_t i = 0; i < FLAME_COMMON; i++)
		if (r->text[i] && *r->text[i] && !r->differ[i])
			buf_printf(&b, "%s%s %s", b.len ? ", " : "", common[i], r->text[i]);
	return buf_detach(&b);
}

char *flame_reading_title(const struct flame_reading *r)
{
	const char *bench = r->text[0] && *r->text[0] && !r->differ[0] ? r->text[0] : NULL;

	if (r->opts->diff || r->opts->by)
		return str_format("%s by stack: %s against %s", r->metric,
		    r->side_name[FLAME_NEW], r->side_name[FLAME_OLD]);
	return str_format(
	    "%s by stack%s%s", r->metric, bench ? " of " : "", bench ? bench : "");
}
