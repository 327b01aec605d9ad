/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Groups rows by run and series. A run without a name is named after the sum of the
 * hashes of its rows, so its name does not depend on the order of rows or columns. Each
 * table without a column run has runs of its own, and rows of one table with different
 * host, env or commit belong to different runs, as bench-run would have written them.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/factors.h"
#include "store/ingest.h"
#include "text/display_text.h"

/* The most rows that are not packed while the input is read, and the most rows of short
 * series after it, which are then packed when they are written. */
enum { OPEN_MAX = 1 << 19, OPEN_AT_END = 1 << 17 };
static const char content_prefix[] = "table-";

/* Distinguishes the halves of bench-run --aa. */
static const char *const twins[] = { COLUMN_AA };
static const struct group_by series = {
	.provenance = true, .also = twins, .alsos = COUNT(twins)
};

struct ingest *ingest_open(void)
{
	return mem_zero(1, sizeof(struct ingest));
}

/*
 * Returns whether a run was named after its rows, here or in a database that it was
 * exported from.
 */
static bool named_by_content(struct text run)
{
	size_t prefix = sizeof(content_prefix) - 1;

	if (run.len != prefix + CHECKSUM_HEX ||
	    memcmp(run.ptr, content_prefix, prefix) != 0)
		return false;
	for (size_t i = prefix; i < run.len; i++)
		if (!memchr("0123456789abcdef", run.ptr[i], 16))
			return false;
	return true;
}

static size_t run_of_key(struct ingest *in, struct text key, struct text name)
{
	size_t number = in->last_run;

	if (in->runs && text_equal(key, intern_text(&in->run_keys, number)))
		return number;
	number = in->last_run = intern_add(&in->run_keys, key);
	if (number == in->runs) {
		struct ingest_run *run = VEC_ADD(in->run, in->runs, in->run_cap);

		*run =
		    (struct ingest_run){ .by_content = !name.len || named_by_content(name),
			    .expected = ROW_NONE };
		if (name.len)
			run->name = mem_text(name.ptr, name.len);
	}
	return number;
}

size_t ingest_run_named(struct ingest *in, struct text name)
{
	return run_of_key(in, name, name);
}

static size_t run_of(struct ingest *in, const struct row *row)
{
	static const enum column origin[] = { COL_HOST, COL_ENV, COL_COMMIT };
	struct text name = row->cell[COL_RUN];
	struct buf *key = &in->scratch;
	size_t number;

	if (name.len)
		return ingest_run_named(in, name);
	/* Names contain no NUL. */
	key->len = 0;
	buf_byte(key, '\0');
	buf_put(key, &row->table, sizeof(row->table));
	for (size_t i = 0; i < COUNT(origin); i++) {
		buf_byte(key, '\0');
		buf_text(key, row->cell[origin[i]]);
	}
	number = run_of_key(in, text_in(key), name);
	in->run[number].table = row->table;
	return number;
}

const struct text *ingest_series_cells(struct ingest *in, const struct ingest_series *s)
{
	const size_t count = groups_schema(in->groups)->count;

	if (in->cells < count) {
		in->cell = mem_resize(in->cell, count, sizeof(*in->cell));
		in->factor = mem_resize(in->factor, count, sizeof(*in->factor));
		in->cells = count;
	}
	groups_cells(in->groups, s->group, in->cell);
	return in->cell;
}

void ingest_series_factors(struct ingest *in, const struct text *cell, struct buf *out)
{
	const struct schema *schema = groups_schema(in->groups);
	size_t count = 0;

	for (size_t id = COL_FACTORS; id < schema->count; id++)
		if (cell[id].len)
			in->factor[count++] =
			    (struct factor){ text_of(schema->name[id]), cell[id] };
	factors_write(out, in->factor, count);
}

/* Returns the hash of a series of a run without a name. */
static struct checksum hash_of(struct ingest *in, const struct ingest_series *s)
{
	const struct text *cell = ingest_series_cells(in, s);

	in->factors.len = 0;
	ingest_series_factors(in, cell, &in->factors);
	return checksum_series(cell, text_in(&in->factors), &in->scratch);
}

/* Returns whether a row belongs to the run of a series. run: the number of its run, if that
 * has a name. */
static bool same_run(const struct ingest *in, const struct ingest_series *s,
    const struct row *row, size_t run)
{
	const struct ingest_run *known = &in->run[s->run];

	return row->cell[COL_RUN].len ? s->run == run
	                              : !known->name && known->table == row->table;
}

/* Notes the env of a series of a run, which mostly is that of the previous series. */
static void note_env(struct ingest *in, size_t run, struct text env)
{
	if (!env.len || (in->noted && run == in->noted_run &&
	                    text_equal(env, intern_text(&in->texts, in->noted_env))))
		return;
	in->noted = true;
	in->noted_run = run;
	in->noted_env = intern_add(&in->texts, env);
	ingest_facts_run(&in->facts, run, in->noted_env);
}

static struct ingest_series *add_series(
    struct ingest *in, const struct row *row, size_t group)
{
	struct ingest_series *s;
	size_t run = run_of(in, row);

	s = VEC_ADD(in->series, in->count, in->cap);
	*s = (struct ingest_series){ .run = run, .group = group, .as_kept = true };
	if (!in->run[s->run].name)
		s->hash = hash_of(in, s);
	note_env(in, run, row->cell[COL_ENV]);
	return s;
}

/* Finds the series of a row. Most inputs have one run, so the first series of a group is
 * tried before the others of the group. */
static struct ingest_series *series_of(struct ingest *in, const struct row *row)
{
	/* The group identifies a row without a run completely, except for its table. */
	struct {
		uint64_t run, table, group;
	} key = { UINT64_MAX, row->table, groups_find(in->groups, row) };
	size_t number;

	if (key.group == in->firsts) {
		*VEC_ADD(in->first, in->firsts, in->first_cap) = in->count;
		return add_series(in, row, (size_t)key.group);
	}
	if (row->cell[COL_RUN].len) {
		key.run = run_of(in, row);
		key.table = 0;
	}
	number = in->first[key.group];
	if (same_run(in, &in->series[number], row, (size_t)key.run))
		return &in->series[number];
	number =
	    intern_add(&in->other_keys, (struct text){ (const char *)&key, sizeof(key) });
	if (number < in->others)
		return &in->series[in->other[number]];
	*VEC_ADD(in->other, in->others, in->other_cap) = in->count;
	return add_series(in, row, (size_t)key.group);
}

static void pack_open(struct ingest *in, struct ingest_series *s)
{
	struct buf *bytes = &in->scratch;

	if (!s->open.count)
		return;
	bytes->len = 0;
	pack_encode(s->open.row, s->open.count, &in->texts, bytes);
	*VEC_ADD_ONE(s->chunk, s->chunks, s->cap) =
	    (struct ingest_chunk){ mem_text(bytes->ptr, bytes->len), (uint32_t)bytes->len,
		    (uint32_t)s->open.count };
	in->open_rows -= s->open.count;
	s->open.count = 0;
}

/* Packs the rows of all series, or only of those that have chunks already. */
static void pack_all(struct ingest *in, bool short_too)
{
	for (size_t i = 0; i < in->count; i++) {
		struct ingest_series *s = &in->series[i];

		if (!short_too && !s->chunks)
			continue;
		pack_open(in, s);
		free(s->open.row);
		s->open = (struct pack_rows){ 0 };
	}
}

static void note_time(
    struct ingest_run *run, const struct pack_row *packed, struct text time)
{
	int64_t ns = packed->time;
	int digits;

	if (packed->time_form == PACK_TIME_NONE ||
	    (packed->time_form == PACK_TIME_TEXT && !stamp_parse(time, &ns, &digits)))
		return;
	if (!run->has_time || ns < run->time)
		run->time = ns;
	run->has_time = true;
}

/*
 * Returns whether a row follows the last row of its series; equal rows may, if they have
 * neither sample nor t.
 */
static bool in_order(
    const struct ingest_series *s, const struct ingest_run *run, const struct pack_row *row)
{
	struct pack_row last = { .process = s->process, .sample = s->sample, .t = s->t };
	int order = pack_order(&last, row);

	return !s->rows || order < 0 ||
	       (order == 0 && run->by_content && !pack_numbered(row));
}

int ingest_add_row(void *ctx, const struct row *row, struct fault *f)
{
	struct ingest *in = ctx;
	struct pack_row *packed, filled;
	struct ingest_series *s;
	struct ingest_run *run;

	(void)f;
	if (!in->groups)
		in->groups = groups_open(row->schema, &series);
	s = series_of(in, row);
	run = &in->run[s->run];
	filled = (struct pack_row){ .process = row->process,
		.sample = row->sample,
		.t = row->t,
		.iterations = row->iterations,
		.value = row->has_value ? row->value : (double)NAN,
		.running_pct = row->has_running_pct ? row->running_pct : (double)NAN,
		.status = (uint32_t)intern_add(&in->texts, row->cell[COL_STATUS]) };
	pack_time(&filled, row->cell[COL_TIME], &in->texts);
	s->as_kept = s->as_kept && in_order(s, run, &filled);
	if (!run->name)
		checksum_row(&run->hash, &s->hash, &filled, row->cell[COL_TIME],
		    row->cell[COL_STATUS]);
	note_time(run, &filled, row->cell[COL_TIME]);

	packed = VEC_ADD_ONE(s->open.row, s->open.count, s->open.cap);
	*packed = filled;
	s->process = row->process;
	s->sample = row->sample;
	s->t = row->t;
	s->rows++;
	in->rows++;
	if (++in->open_rows >= OPEN_MAX)
		pack_all(in, true);
	else if (s->open.count == PACK_ROWS)
		pack_open(in, s);
	return 0;
}

int ingest_expect(
    struct ingest *in, size_t run, int64_t rows, struct text ended, struct fault *f)
{
	struct ingest_run *r = &in->run[run];
	struct buf name = { 0 };

	if (r->expected == ROW_NONE) {
		r->expected = rows;
		r->ended = intern_add(&in->texts, ended);
		return 0;
	}
	if (r->expected == rows)
		return 0;
	display_text_clean(&name, text_of(r->name));
	fault_set(f,
	    "run %s: one end mark states %" PRId64 " rows, another states %" PRId64
	    "; nothing was added",
	    name.ptr, r->expected, rows);
	buf_free(&name);
	return -1;
}

int ingest_add_end_mark(void *ctx, const struct row *row, struct fault *f)
{
	struct ingest *in = ctx;

	if (!(row->value >= 0 && row->value <= 0x1p53 && row->value == floor(row->value)))
		return fault_set(f,
		    "%s:%" PRIu64
		    ": the value of an end mark (metric rows) is not a number of rows",
		    row->file, row->line);
	return ingest_expect(in, ingest_run_named(in, row->cell[COL_RUN]),
	    (int64_t)row->value, row->cell[COL_TIME], f);
}

static struct ingest_fact fact_of(
    struct ingest *in, struct text env, struct text fact, struct text value)
{
	return (struct ingest_fact){ .env = intern_add(&in->texts, env),
		.fact = intern_add(&in->texts, fact),
		.value = intern_add(&in->texts, value) };
}

void ingest_add_newest_fact(
    struct ingest *in, struct text env, struct text fact, struct text value)
{
	ingest_facts_newest(&in->facts, fact_of(in, env, fact, value));
}

void ingest_add_run_fact(
    struct ingest *in, size_t run, struct text env, struct text fact, struct text value)
{
	ingest_facts_add_to_run(&in->facts, run, fact_of(in, env, fact, value));
}

int ingest_add_fact(
    void *ctx, struct text env, struct text fact, struct text value, struct fault *f)
{
	struct ingest *in = ctx;
	struct ingest_fact added = fact_of(in, env, fact, value);

	(void)f;
	if (!env.len) /* bench-env could not identify the machine */
		return 0;
	in->noted = false;
	ingest_facts_newest(&in->facts, added);
	ingest_facts_add(&in->facts, added);
	return 0;
}

/* Names the runs without a name after their rows. Returns how many there are. */
static size_t name_runs(struct ingest *in)
{
	size_t named = 0;

	for (size_t i = 0; i < in->runs; i++) {
		char hex[CHECKSUM_HEX + 1];

		if (in->run[i].name)
			continue;
		checksum_print(hex, &in->run[i].hash);
		in->run[i].name = str_format("%s%s", content_prefix, hex);
		named++;
	}
	return named;
}

static void join_run(struct ingest_run *to, const struct ingest_run *from)
{
	if (from->has_time && (!to->has_time || from->time < to->time)) {
		to->has_time = true;
		to->time = from->time;
	}
	if (to->expected == ROW_NONE) {
		to->expected = from->expected;
		to->ended = from->ended;
	}
}

/* Makes one run of the runs with the same name: tables with the same rows, and a table and
 * rows that were exported from a database that has it. */
static void join_runs(struct ingest *in)
{
	size_t *number = mem_zero(in->runs, sizeof(*number));
	size_t *first = mem_zero(in->runs, sizeof(*first)); /* by name */
	struct intern names = { 0 };

	for (size_t i = 0; i < in->runs; i++) {
		size_t known = names.count,
		       name = intern_add(&names, text_of(in->run[i].name));

		if (name == known)
			first[name] = i;
		else
			join_run(&in->run[first[name]], &in->run[i]);
		number[i] = first[name];
	}
	for (size_t i = 0; i < in->count; i++)
		in->series[i].run = number[in->series[i].run];
	if (names.count < in->runs)
		ingest_facts_join_runs(&in->facts, number);
	in->repeats = names.count < in->runs;
	intern_free(&names);
	free(first);
	free(number);
}

void ingest_finish(struct ingest *in)
{
	pack_all(in, in->open_rows > OPEN_AT_END);
	ingest_facts_finish(&in->facts);
	if (name_runs(in) && in->runs > 1)
		join_runs(in);
}

size_t ingest_series_chunks(const struct ingest_series *s)
{
	return s->chunks + (s->open.count > 0);
}

struct ingest_chunk ingest_series_chunk(
    struct ingest *in, const struct ingest_series *s, size_t number)
{
	struct buf *bytes = &in->scratch;

	if (number < s->chunks)
		return s->chunk[number];
	bytes->len = 0;
	pack_encode(s->open.row, s->open.count, &in->texts, bytes);
	return (struct ingest_chunk){ bytes->ptr, (uint32_t)bytes->len,
		(uint32_t)s->open.count };
}

int ingest_series_rows(struct ingest *in, const struct ingest_series *s, size_t number,
    struct pack_rows *out, struct fault *f)
{
	if (number < s->chunks)
		return pack_decode(
		    (struct text){ s->chunk[number].bytes, s->chunk[number].len },
		    &in->texts, out, f);
	for (size_t i = 0; i < s->open.count; i++)
		*VEC_ADD(out->row, out->count, out->cap) = s->open.row[i];
	return 0;
}

void ingest_close(struct ingest *in)
{
	if (!in)
		return;
	for (size_t i = 0; i < in->count; i++) {
		for (size_t c = 0; c < in->series[i].chunks; c++)
			free(in->series[i].chunk[c].bytes);
		free(in->series[i].chunk);
		free(in->series[i].open.row);
	}
	for (size_t i = 0; i < in->runs; i++)
		free(in->run[i].name);
	ingest_facts_free(&in->facts);
	groups_close(in->groups);
	intern_free(&in->texts);
	intern_free(&in->other_keys);
	intern_free(&in->run_keys);
	buf_free(&in->scratch);
	buf_free(&in->factors);
	free(in->cell);
	free(in->factor);
	free(in->first);
	free(in->other);
	free(in->series);
	free(in->run);
	free(in);
}
