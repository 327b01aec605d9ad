/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds runs without an end; see run_ends.h. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/run_ends.h"
#include "text/display_text.h"
#include "text/plural.h"

enum {
	SAMPLES_ALIKE = 2, /* that show which metric is the last one of a sample */
	CUT_SHOWN = 20,
};

/* Returns the run of a row, which becomes the current one. */
static struct run_end *find_run(struct run_ends *e, struct text name)
{
	if (e->count && text_equal(name, intern_text(&e->names, e->now)))
		return &e->run[e->now];
	e->now = intern_add(&e->names, name);
	if (e->now == e->count)
		*VEC_ADD(e->run, e->count, e->cap) = (struct run_end){ .name = e->now,
			.stated = NAN,
			.process = ROW_NONE,
			.sample = ROW_NONE };
	return &e->run[e->now];
}

/* Returns the position of a metric among those of a run. Most rows have the metric that
 * followed the last one before. */
static size_t find_metric(struct run_ends *e, struct run_end *run, struct text metric)
{
	size_t next = run->at + 1 < run->metrics ? run->at + 1 : 0, number;

	if (run->metrics && text_equal(metric, intern_text(&e->metrics, run->metric[next])))
		return next;
	number = intern_add(&e->metrics, metric);
	for (size_t i = 0; i < run->metrics; i++)
		if (run->metric[i] == number)
			return i;
	*VEC_ADD(run->metric, run->metrics, run->metric_cap) = number;
	return run->metrics - 1;
}

static bool continues_sample(const struct run_end *run, const struct row *row)
{
	return run->process == row->process && run->sample == row->sample &&
	       text_equal(
	           text_in(&run->time), row->cell[COL_TIME]);
}

/* Ends the sample of the last row, which another one follows. */
static void end_sample(struct run_end *run)
{
	run->last_differs = run->last_differs || (run->samples && run->at != run->last);
	run->last = run->at;
	run->samples++;
}

void run_ends_row(struct run_ends *e, const struct row *row, bool selected)
{
	struct run_end *run;
	size_t at;

	if (!row->cell[COL_RUN].len)
		return;
	run = find_run(e, row->cell[COL_RUN]);
	at = find_metric(e, run, row->cell[COL_METRIC]);
	run->file = row->file;
	run->used = run->used || selected;
	if (run->rows++ == 0 || !continues_sample(run, row)) {
		if (run->rows > 1 && run->sample != ROW_NONE) {
			run->by_metric = run->by_metric || at == run->at;
			end_sample(run);
		}
		run->process = row->process;
		run->sample = row->sample;
		run->time.len = 0;
		buf_text(&run->time, row->cell[COL_TIME]);
	}
	run->at = at;
}

void run_ends_mark(struct run_ends *e, const struct row *mark)
{
	struct run_end *run = find_run(e, mark->cell[COL_RUN]);

	run->file = mark->file;
	run->stated = mark->value;
}

/* Returns whether the name of a run is a UUID of version 7. */
static bool is_named_by_time(struct text name)
{
	static const char form[] = "xxxxxxxx-xxxx-7xxx-xxxx-xxxxxxxxxxxx";

	if (name.len != sizeof(form) - 1)
		return false;
	for (size_t i = 0; i < name.len; i++)
		if (form[i] == 'x' ? !isxdigit((unsigned char)name.ptr[i])
		                   : name.ptr[i] != form[i])
			return false;
	return true;
}

static bool has_metric(const struct run_end *run, size_t metric)
{
	for (size_t i = 0; i < run->metrics; i++)
		if (run->metric[i] == metric)
			return true;
	return false;
}

/* Returns whether a run has all metrics of another one. */
static bool has_metrics_of(const struct run_end *run, const struct run_end *other)
{
	for (size_t i = 0; i < other->metrics; i++)
		if (!has_metric(run, other->metric[i]))
			return false;
	return other->metrics > 0;
}

static bool any_is_marked(const struct run_ends *e)
{
	for (size_t i = 0; i < e->count; i++)
		if (!isnan(e->run[i].stated))
			return true;
	return false;
}

/* Returns whether another run has an end mark that this run should also have. An export of
 * bench-store says nothing about the runs of other files. */
static bool lacks_mark(const struct run_ends *e, const struct run_end *run)
{
	for (size_t i = 0; i < e->count; i++) {
		const struct run_end *other = &e->run[i];

		if (!isnan(other->stated) && has_metrics_of(run, other) &&
		    (!run->by_metric || strcmp(run->file, other->file) == 0))
			return true;
	}
	return false;
}

static enum run_end_state state_of(
    const struct run_ends *e, const struct run_end *run, bool marked)
{
	if (!run->used)
		return RUN_END_UNKNOWN;
	if (!isnan(run->stated))
		return run->rows < run->stated ? RUN_END_SHORT : RUN_END_MARKED;
	if (run->metrics < 2 || !is_named_by_time(intern_text(&e->names, run->name)))
		return RUN_END_UNKNOWN;
	if (!run->by_metric && run->samples >= SAMPLES_ALIKE && !run->last_differs &&
	    run->at != run->last && run->sample != ROW_NONE)
		return RUN_END_INSIDE;
	if (lacks_mark(e, run))
		return RUN_END_UNMARKED;
	return marked || run->by_metric ? RUN_END_UNKNOWN : RUN_END_OPEN;
}

void run_ends_finish(struct run_ends *e)
{
	bool marked = any_is_marked(e);

	for (size_t i = 0; i < e->count; i++)
		e->run[i].state = state_of(e, &e->run[i], marked);
}

bool run_end_is_cut(const struct run_end *run)
{
	return run->state == RUN_END_INSIDE || run->state == RUN_END_UNMARKED;
}

/* Appends the file and name of a run and what its state is. */
static void put_run(const struct run_ends *e, const struct run_end *run, struct buf *b)
{
	static const char *const what[] = {
		[RUN_END_OPEN] =
		    "has no end mark, so it is unknown whether rows are missing",
		[RUN_END_INSIDE] = "ends inside a sample, so rows are missing",
		[RUN_END_UNMARKED] =
		    "has no end mark, but another run has one, so rows may be missing",
		[RUN_END_SHORT] = "has fewer rows than its end mark states",
	};

	display_text_clean(b, text_of(run->file));
	buf_str(b, ": run ");
	display_text_clean(b, intern_text(&e->names, run->name));
	buf_printf(b, " %s", what[run->state]);
}

void run_ends_refuse(const struct run_ends *e, const struct run_end *run, struct buf *b)
{
	put_run(e, run, b);
	buf_str(b, " (use --allow-missing to accept this)");
}

/* Returns whether a run is among those that run_ends_count_cut() counts. */
static bool is_counted(const struct run_end *run, bool open)
{
	return run_end_is_cut(run) || (open && run->state == RUN_END_OPEN);
}

size_t run_ends_count_cut(const struct run_ends *e, bool open)
{
	size_t count = 0;

	for (size_t i = 0; i < e->count; i++)
		count += is_counted(&e->run[i], open);
	return count;
}

void run_ends_put_cut(
    const struct run_ends *e, const char *what, bool open, struct buf *lines)
{
	size_t shown = 0, more = run_ends_count_cut(e, open);

	for (size_t i = 0; i < e->count && shown < CUT_SHOWN; i++) {
		if (!is_counted(&e->run[i], open))
			continue;
		buf_str(lines, what);
		run_ends_refuse(e, &e->run[i], lines);
		buf_byte(lines, '\n');
		shown++;
	}
	more -= shown;
	if (more)
		buf_printf(lines, "%s%zu more run%s\n", what, more, plural_s(more));
}

bool run_ends_cut_run(const struct run_ends *e, struct text name)
{
	long number = e ? intern_find(&e->names, name) : -1;

	return number >= 0 && run_end_is_cut(&e->run[number]);
}

void run_ends_note(const struct run_ends *e, enum run_end_state state, struct buf *lines)
{
	size_t found = 0;

	for (size_t i = 0; i < e->count; i++)
		if (e->run[i].state == state && ++found == 1)
			put_run(e, &e->run[i], lines);
	if (found > 1)
		buf_printf(lines, "; the same holds for %zu more run%s", found - 1,
		    plural_s(found - 1));
	buf_str(lines, found ? "\n" : "");
}

void run_ends_free(struct run_ends *e)
{
	for (size_t i = 0; i < e->count; i++) {
		free(e->run[i].metric);
		buf_free(&e->run[i].time);
	}
	free(e->run);
	intern_free(&e->names);
	intern_free(&e->metrics);
	*e = (struct run_ends){ 0 };
}
