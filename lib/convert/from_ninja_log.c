/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads .ninja_log, to which ninja appends a line for each output of each command: when it
 * began and ended, in ms since ninja was started. Earlier builds of an output are further
 * samples, until ninja compacts the file.
 */
#include <math.h>

#include "convert/from.h"
#include "record/sample_counts.h"
#include "text/units.h"

static const char ninja_mark[] = "# ninja log v";

/* Returns whether there is a log, even after other lines, which are then rejected. */
static bool ninja_log_recognize(const struct source *s)
{
	struct text rest = s->text, line;

	while (!s->doc && line_next(&rest, &line))
		if (text_begins(line, ninja_mark))
			return true;
	return false;
}

/* A line of the log. */
struct ninja_line {
	int64_t begin_ms, end_ms;
	struct text output, hash; /* of the command */
};

static bool ninja_parse(struct text line, struct ninja_line *l)
{
	struct text begin = text_until(&line, '\t'), end = text_until(&line, '\t'),
	            modified = text_until(&line, '\t');
	int64_t ignored;

	l->output = text_until(&line, '\t');
	l->hash = text_until(&line, '\t'); /* a later version may have more fields */
	return integer_parse(begin, &l->begin_ms) && integer_parse(end, &l->end_ms) &&
	       integer_parse(modified, &ignored) && l->begin_ms >= 0 &&
	       l->end_ms >= l->begin_ms && l->output.len && l->hash.len;
}

/* Returns whether two lines are about outputs of one command. */
static bool is_same_command(const struct ninja_line *a, const struct ninja_line *b)
{
	return a->begin_ms == b->begin_ms && a->end_ms == b->end_ms &&
	       text_equal(a->hash, b->hash);
}

/* Adds the row of a command. A time of 0 is only known to be shorter than 1 ms. */
static int put_command(struct row_builder *out, struct sample_counts *counts,
    const struct ninja_line *l, struct fault *f)
{
	double ms = (double)(l->end_ms - l->begin_ms);

	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("command"));
	row_builder_set(out, COL_BENCH, l->output);
	row_builder_set(out, COL_STATUS, ms > 0 ? TEXT("ok") : TEXT("skipped"));
	out->row.sample = sample_counts_next(counts, l->output);
	out->row.iterations = 1;
	return row_builder_put(out, TEXT("wall"), TEXT("ns"), ms > 0 ? ms * 1e6 : NAN, f);
}

static int ninja_log_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct ninja_line now, before = { .hash = TEXT("") };
	struct sample_counts counts = { 0 };
	struct text rest = s->text, line;
	int64_t version = 0;
	int status = 0;

	line_next(&rest, &line);
	if (!text_begins(line, ninja_mark) ||
	    !integer_parse(text_after(line, strlen(ninja_mark)), &version) || version < 5)
		return fault_set(f, "%s:1: no log of ninja of version 5 or later", s->name);
	for (size_t number = 2; status == 0 && line_next(&rest, &line); number++) {
		if (!line.len || !memchr(line.ptr, '\t', line.len))
			continue; /* ninja also ignores such lines */
		if (!ninja_parse(line, &now)) {
			status = fault_set(f,
			    "%s:%zu: no times, output and hash: the file is damaged",
			    s->name, number);
		} else if (!is_same_command(&now, &before)) {
			status = put_command(out, &counts, &now, f);
		}
		before = now;
	}
	sample_counts_free(&counts);
	return status;
}

const struct format format_ninja_log = { .name = "ninja-log",
	.meaning = "the log of builds of ninja (.ninja_log)",
	.whole_lines = true,
	.may_be_mixed = true,
	.recognize = ninja_log_recognize,
	.read = ninja_log_read };
