/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads what HPL prints, and HPCC, which includes it. After a line that names the columns
 * comes a line for each problem, and after that, unless the user switched it off, the check
 * of the solution, which the lines before the columns announce. Other lines are ignored.
 */
#include <math.h>

#include "console/console_text.h"
#include "record/sample_counts.h"
#include "text/units.h"

static const char *const columns[] = { "T/V", "N", "NB", "P", "Q", "Time", "Gflops" };
static const char *const factors[] = { "variant", "N", "NB", "P", "Q" };

struct hpl_reading {
	struct row_builder *out;
	const char *name; /* of the file */
	size_t line;
	bool has_columns, has_checks;
	/* A problem, until the next one or the end. */
	bool open, checked, failed;
	struct text factor[COUNT(factors)];
	double seconds, gflops, residual; /* NAN: none */
	struct sample_counts counts;
	struct arena texts;
};

/* Returns whether a line names the columns. Some versions have further ones. */
static bool is_header(struct text line)
{
	for (size_t i = 0; i < COUNT(columns); i++)
		if (!text_is(line_word(&line), columns[i]))
			return false;
	return true;
}

static bool hpl_recognize(const struct source *s)
{
	struct text rest = s->text, line;

	while (!s->doc && line_next(&rest, &line))
		if (is_header(line))
			return true;
	return false;
}

static int put_number(
    struct hpl_reading *r, const char *metric, const char *unit, double x, struct fault *f)
{
	return row_builder_put(r->out, text_of(metric), text_of(unit), x > 0 ? x : NAN, f);
}

/* Adds the rows of the open problem. */
static int end_problem(struct hpl_reading *r, struct fault *f)
{
	struct buf key = { 0 };

	if (!r->open)
		return 0;
	if (r->has_checks && !r->checked)
		return fault_set(f,
		    "%s:%zu: the check of a problem is missing: the file is cut off",
		    r->name, r->line);
	r->open = false;
	row_builder_clear(r->out);
	row_builder_set(r->out, COL_KIND, TEXT("command"));
	row_builder_set(r->out, COL_BENCH, TEXT("HPL"));
	row_builder_set(r->out, COL_STATUS, r->failed ? TEXT("failed") : TEXT("ok"));
	for (size_t i = 0; i < COUNT(factors); i++) {
		row_builder_factor(r->out, text_of(factors[i]), r->factor[i]);
		buf_text(&key, r->factor[i]);
		buf_byte(&key, ' ');
	}
	r->out->row.sample = sample_counts_next(&r->counts, text_in(&key));
	buf_free(&key);
	if (put_number(r, "wall", "ns", decimal_shift(r->seconds, 9), f) < 0 ||
	    put_number(r, "flop_rate", "flop/s", decimal_shift(r->gflops, 9), f) < 0)
		return -1;
	return isnan(r->residual)
	           ? 0
		   : row_builder_put(r->out, TEXT("residual"), TEXT("1"), r->residual, f);
}

/* Reads a problem: "WR11C2R4 800 64 1 2 0.06 5.8223e+00". */
static int begin_problem(struct hpl_reading *r, struct text line, struct fault *f)
{
	double *const number[] = { &r->seconds, &r->gflops };
	struct text word;
	double x;

	if (end_problem(r, f) < 0)
		return -1;
	for (size_t i = 0; i < COUNT(columns); i++) {
		word = line_word(&line);
		if (i > 0 && !number_parse(word,
		                 i < COUNT(factors) ? &x : number[i - COUNT(factors)]))
			return fault_set(f,
			    "%s:%zu: %s is not a number: '%.*s': the file is damaged",
			    r->name, r->line, columns[i], (int)word.len, word.ptr);
		if (i < COUNT(factors))
			r->factor[i] = word;
	}
	r->open = true;
	r->checked = r->failed = false;
	r->residual = NAN;
	return 0;
}

/* Reads a check: "||Ax-b||_oo/(...)= 4.13094435e-03 ...... PASSED". Old versions have three
 * of them; the residual is that of the last one. */
static void read_check(struct hpl_reading *r, struct text line)
{
	struct text word;

	if (!r->open || !(text_ends(line, " PASSED") || text_ends(line, " FAILED")))
		return;
	r->checked = true;
	r->failed |= text_ends(line, " FAILED");
	text_until(&line, '=');
	word = line_word(&line);
	if (!number_parse(word, &r->residual))
		r->residual = NAN;
}

/* Returns whether a line begins as one of a problem: with W, R or C for the order of the
 * processes, and a digit. */
static bool is_problem(struct text line)
{
	return line.len > 3 && line.ptr[0] == 'W' && strchr("RC", line.ptr[1]) &&
	       line.ptr[2] >= '0' && line.ptr[2] <= '9';
}

/* Begins the output of a run. */
static int begin_output(struct hpl_reading *r, struct fault *f)
{
	const int status = end_problem(r, f);

	r->has_checks = false;
	return status;
}

static int read_line(struct hpl_reading *r, struct text line, struct fault *f)
{
	static const char no_solution[] = "Error code returned by solve is";

	line = text_trim(line);
	if (text_begins(line, "HPLinpack "))
		return begin_output(r, f);
	if (is_header(line))
		r->has_columns = true;
	else if (text_begins(line, "- The following scaled residual check"))
		r->has_checks = true;
	else if (memmem(line.ptr, line.len, no_solution, strlen(no_solution)))
		r->checked = r->failed = true; /* there is no solution to check */
	else if (r->has_columns && is_problem(line))
		return begin_problem(r, line, f);
	else if (text_begins(line, "||Ax-b||_oo"))
		read_check(r, line);
	return 0;
}

static int hpl_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct hpl_reading r = { .out = out, .name = s->name };
	struct text rest = s->text, line;
	int status = 0;

	while (status == 0 && line_next(&rest, &line)) {
		r.line++;
		status = read_line(&r, console_plain(&r.texts, line), f);
	}
	if (status == 0)
		status = end_problem(&r, f);
	sample_counts_free(&r.counts);
	arena_free(&r.texts);
	return status;
}

const struct format format_hpl = { .name = "hpl",
	.meaning = "text of HPL (xhpl, HPL.out) and HPCC",
	.whole_lines = true,
	.may_be_mixed = true,
	.recognize = hpl_recognize,
	.read = hpl_read };
