/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads runs whose values are lines of known words; see pattern_runs.h. The settings of a
 * run may follow its values, so that rows are added at its end.
 */
#include <math.h>
#include <stdlib.h>

#include "console/console_text.h"
#include "console/pattern_runs.h"
#include "record/sample_counts.h"
#include "text/units.h"

/* A line of the open run. */
struct run_line {
	const struct line_pattern *pattern;
	struct line_match match;
};

struct runs_reading {
	const struct pattern_program *program;
	struct row_builder *out;
	const char *name; /* of the file */
	size_t number;    /* of the line */
	struct arena texts;
	bool open, failed, succeeded; /* of the run */
	struct run_line *line;
	size_t lines, cap;
	struct sample_counts counts;
};

bool pattern_runs_recognize(const struct pattern_program *p, const struct source *s)
{
	const struct line_pattern begins = { .words = p->begins };
	struct arena texts = { 0 };
	struct text rest = s->text, line;
	struct line_match ignored;
	bool found = false;

	while (!found && !s->doc && line_next(&rest, &line))
		found = line_pattern_match(&begins, console_plain(&texts, line), &ignored);
	arena_free(&texts);
	return found;
}

/* Sets the columns of the rows of the run. */
static void set_columns(struct runs_reading *r)
{
	struct row_builder *out = r->out;
	struct text bench = text_of(r->program->bench ? r->program->bench : "");

	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("command"));
	for (size_t i = 0; i < r->lines; i++) {
		const struct line_pattern *p = r->line[i].pattern;

		if (p->unit)
			continue;
		if (strcmp(p->name, "bench") == 0)
			bench = r->line[i].match.text;
		else
			row_builder_factor(out, text_of(p->name), r->line[i].match.text);
	}
	row_builder_set(out, COL_BENCH, bench);
	out->row.sample = sample_counts_next(&r->counts, bench);
}

/* Returns the name of a metric, with the number of the line's text in place of a *. */
static const char *metric_name(struct runs_reading *r, const struct run_line *line)
{
	const char *name = line->pattern->name, *star = strchr(name, '*');
	char number[NUMBER_TEXT_MAX];
	double x;

	if (!star || !number_parse(line->match.text, &x))
		return name;
	return arena_format(&r->out->texts, "%.*s%.*s", (int)(star - name), name,
	    (int)number_print(number, x), number);
}

static int put_line(struct runs_reading *r, const struct run_line *line, struct fault *f)
{
	struct text unit = text_of(line->pattern->unit);
	double value = line->match.value;

	if (value == 0 && text_is(unit, "ns"))
		value = NAN;
	row_builder_set(r->out, COL_STATUS,
	    r->failed      ? TEXT("failed")
	    : isnan(value) ? TEXT("skipped")
	                   : TEXT("ok"));
	return row_builder_put(r->out, text_of(metric_name(r, line)), unit, value, f);
}

/* Adds the rows of the open run. */
static int end_run(struct runs_reading *r, struct fault *f)
{
	bool has_rows = false;

	if (!r->open)
		return 0;
	if (r->program->failed && !r->failed && !r->succeeded)
		return fault_set(f,
		    "%s:%zu: a run does not say whether it succeeded: the file is cut off",
		    r->name, r->number);
	set_columns(r);
	for (size_t i = 0; i < r->lines; i++)
		if (r->line[i].pattern->unit) {
			has_rows = true;
			if (put_line(r, &r->line[i], f) < 0)
				return -1;
		}
	r->lines = 0;
	if (has_rows)
		return 0;
	row_builder_set(r->out, COL_STATUS, TEXT("failed"));
	return row_builder_put(
	    r->out, text_of(r->program->metric), text_of(r->program->unit), NAN, f);
}

static int read_line(struct runs_reading *r, struct text line, struct fault *f)
{
	const struct line_pattern begins = { .words = r->program->begins },
	                          failed = { .words = r->program->failed },
	                          succeeded = { .words = r->program->succeeded };
	struct line_match m;

	if (line_pattern_match(&begins, line, &m)) {
		if (end_run(r, f) < 0)
			return -1;
		r->open = true;
		r->failed = r->succeeded = false;
		return 0;
	}
	if (r->open && failed.words) {
		r->failed |= line_pattern_match(&failed, line, &m);
		r->succeeded |= line_pattern_match(&succeeded, line, &m);
	}
	for (size_t i = 0; r->open && i < r->program->count; i++) {
		const struct line_pattern *p = &r->program->lines[i];

		if (line_pattern_match(p, line, &m))
			*VEC_ADD(r->line, r->lines, r->cap) =
			    (struct run_line){ .pattern = p, .match = m };
		else if (m.damaged.len)
			return line_pattern_fault(&m, r->name, r->number, f);
	}
	return 0;
}

int pattern_runs_read(const struct pattern_program *p, const struct source *s,
    struct row_builder *out, struct fault *f)
{
	struct runs_reading r = { .program = p, .out = out, .name = s->name };
	struct text rest = s->text, line;
	int status = 0;

	while (status == 0 && line_next(&rest, &line)) {
		r.number++;
		status = read_line(&r, console_plain(&r.texts, line), f);
	}
	if (status == 0)
		status = end_run(&r, f);
	free(r.line);
	sample_counts_free(&r.counts);
	arena_free(&r.texts);
	return status;
}
