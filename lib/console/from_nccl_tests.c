/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads what nccl-tests and rccl-tests print. A line that begins with # and has the words
 * size, algbw and busbw names the columns: first those of the message, and then the same
 * ones twice, for the operation out of place and in place. Other lines, such as those of
 * NCCL_DEBUG, are ignored. Lines may begin with the label of a process, as srun -l and
 * mpirun --tag-output print it.
 */
#include <math.h>

#include "console/console_text.h"
#include "console/nccl_result.h"
#include "text/units.h"

enum { NCCL_COLUMNS_MAX = 40 };

/* The columns of a result. */
static const struct nccl_column {
	const char *name;
	enum { NCCL_FACTOR, NCCL_TIME, NCCL_RATE, NCCL_WRONG, NCCL_ERROR, NCCL_OTHER } kind;
	const char *metric;
} columns[] = {
	{ "size", NCCL_FACTOR, "size" },
	{ "count", NCCL_OTHER, NULL },
	{ "type", NCCL_FACTOR, "datatype" },
	{ "redop", NCCL_FACTOR, "redop" },
	{ "root", NCCL_FACTOR, "root" },
	{ "time", NCCL_TIME, "latency" },
	{ "cputime", NCCL_TIME, "cpu_time" },
	{ "algbw", NCCL_RATE, "bandwidth" },
	{ "busbw", NCCL_RATE, "bus_bandwidth" },
	{ "#wrong", NCCL_WRONG, NULL },
	{ "error", NCCL_ERROR, NULL }, /* of old versions: the largest deviation */
	{ "i_min", NCCL_TIME, "latency_min" },
	{ "i_max", NCCL_TIME, "latency_max" },
	{ "i_p99", NCCL_TIME, "latency_p99" },
	{ "i_cv%", NCCL_OTHER, NULL },
};

struct nccl_reading {
	struct row_builder *out;
	const char *name; /* of the file */
	size_t line;
	struct arena texts;
	struct nccl_run run;
	bool open; /* a run began */
	bool has_rows;
	bool has_time; /* the last column is a date and a time */
	bool failed;   /* the end of the test says that it found wrong values */
	const struct nccl_column *column[NCCL_COLUMNS_MAX];
	size_t columns, first; /* the first column of the results */
	struct text rest;      /* the lines after the current one */
};

/* Removes the label of a process: "0: " or "[1,0]<stdout>:". */
static struct text without_label(struct text line)
{
	static const char tag[] = ">:";
	const char *end = NULL;
	size_t digits = 0;

	if (text_begins(line, "[1,"))
		end = memmem(line.ptr, line.len, tag, strlen(tag));
	if (end)
		return text_after(line, (size_t)(end - line.ptr) + strlen(tag));
	while (digits < line.len && line.ptr[digits] >= '0' && line.ptr[digits] <= '9')
		digits++;
	if (digits && text_begins(text_after(line, digits), ": "))
		return text_after(line, digits + 2);
	return line;
}

static const struct nccl_column *find_column(struct text name)
{
	for (size_t i = 0; i < COUNT(columns); i++)
		if (text_is(name, columns[i].name))
			return &columns[i];
	return NULL;
}

/* Returns whether a line names the columns, and stores them. */
static bool read_columns(struct nccl_reading *r, struct text line)
{
	const struct nccl_column *column[NCCL_COLUMNS_MAX];
	bool has_rate = false, has_time = false;
	size_t count = 0, first = 0;
	struct text word;

	if (!text_begins(line, "#"))
		return false;
	for (line = text_after(line, 1); (word = line_word(&line)).len;) {
		const struct nccl_column *c = find_column(word);

		has_time = text_is(word, "timestamp");
		if (has_time)
			break;
		if (!c || count == NCCL_COLUMNS_MAX)
			return false;
		if (!first && c->kind == NCCL_TIME)
			first = count;
		has_rate |= c->kind == NCCL_RATE;
		column[count++] = c;
	}
	if (!first || !has_rate || column[0] != columns || (count - first) % 2)
		return false;
	memcpy(r->column, column, count * sizeof(*column));
	r->columns = count;
	r->first = first;
	r->has_time = has_time;
	return true;
}

/* Moves on to the next line, without its label. Returns false after the last one. */
static bool next_line(struct nccl_reading *r, struct text *line)
{
	if (!line_next(&r->rest, line))
		return false;
	*line = without_label(text_trim(console_plain(&r->texts, *line)));
	*line = text_trim(*line);
	return true;
}

/* Returns whether a line is the result of the check of a test, and removes the #. */
static bool is_verdict(struct text *line)
{
	if (!text_begins(*line, "#"))
		return false;
	*line = text_trim(text_after(*line, 1));
	return text_begins(*line, "Out of bounds values");
}

/* Returns whether the test has errors in place of numbers of wrong values, so that only its
 * last line says whether they are too large, and that line says so. */
static bool ends_wrong(const struct nccl_reading *r)
{
	struct nccl_reading ahead = *r, other = *r;
	struct text line;
	bool has_errors = false, wrong = false;

	for (size_t i = 0; i < r->columns; i++)
		has_errors |= r->column[i]->kind == NCCL_ERROR;
	ahead.texts = (struct arena){ 0 };
	while (has_errors && next_line(&ahead, &line) && !read_columns(&other, line))
		if (is_verdict(&line)) {
			wrong = text_ends(line, "FAILED");
			break;
		}
	arena_free(&ahead.texts);
	return wrong;
}

static bool nccl_tests_recognize(const struct source *s)
{
	struct nccl_reading r = { .name = s->name, .rest = s->text };
	struct text line;
	bool found = false;

	while (!found && !s->doc && next_line(&r, &line))
		found = read_columns(&r, line);
	arena_free(&r.texts);
	return found;
}

static int end_run(struct nccl_reading *r, struct fault *f)
{
	if (!r->open || r->has_rows)
		return 0;
	return nccl_result_put_none(&r->run, r->out, f);
}

static int begin_run(struct nccl_reading *r, struct text bench, struct fault *f)
{
	if (end_run(r, f) < 0)
		return -1;
	nccl_run_begin(&r->run, bench);
	r->open = true;
	r->has_rows = false;
	return 0;
}

/* Reads "Rank 0 Group 0 Pid 1718 on node1 device 0 [0000:00:04] Tesla T4". */
static void read_rank(struct nccl_reading *r, struct text line)
{
	struct text host = TEXT(""), word;

	while ((word = line_word(&line)).len)
		if (text_is(word, "on"))
			host = line_word(&line);
		else if (text_is(word, "device"))
			break;
	line_word(&line);
	text_until(&line, ']');
	nccl_run_add_rank(&r->run, host, text_trim(line));
}

/* Reads the numbers of "nThread 1 ... iters: 20 agg iters: 1 ... graph: 0". */
static void read_iterations(struct nccl_reading *r, struct text line)
{
	struct text before = TEXT(""), word;
	int64_t iterations = 0, each = 1, graphs = 0;

	while ((word = line_word(&line)).len) {
		if (text_is(word, "iters:")) {
			struct text number = line_word(&line);

			if (text_is(before, "agg"))
				integer_parse(number, &each);
			else if (!text_is(before, "warmup"))
				integer_parse(number, &iterations);
		} else if (text_is(word, "graph:")) {
			integer_parse(line_word(&line), &graphs);
		}
		before = word;
	}
	r->run.iterations = nccl_iterations(iterations, each, graphs);
}

/* Reads a comment, of which the # was removed. */
static int read_comment(struct nccl_reading *r, struct text line, struct fault *f)
{
	static const char start[] = "Collective test starting: ";
	struct text rest = text_trim(line), word;

	if (text_begins(rest, start))
		return begin_run(r, text_trim(text_after(rest, strlen(start))), f);
	word = line_word(&line);
	if (text_is(word, "nThread") || text_is(word, "nThread:")) {
		if ((!r->open || r->has_rows) && begin_run(r, TEXT(""), f) < 0)
			return -1;
		read_iterations(r, line);
	} else if (text_is(word, "Rank")) {
		read_rank(r, line);
	}
	return 0;
}

/* Reads the value of a column. Returns -1 and the message if it is no number. A star after
 * an error says that it is too large. */
static int read_value(struct nccl_reading *r, const struct nccl_column *c, struct text word,
    struct nccl_result *result, struct fault *f)
{
	double x;

	if ((c->kind == NCCL_WRONG || c->kind == NCCL_ERROR) && text_is(word, "N/A"))
		return 0;
	if (c->kind == NCCL_ERROR && text_ends(word, "*")) {
		result->is_wrong = true;
		word.len--;
	}
	if (!number_parse(word, &x)) {
		if (text_is(word, "nan") || text_is(word, "-nan"))
			x = NAN;
		else
			return fault_set(f,
			    "%s:%zu: %s is not a number: '%.*s': the file is damaged",
			    r->name, r->line, c->name, (int)word.len, word.ptr);
	}
	if (c->kind == NCCL_WRONG)
		result->is_wrong |= x != 0;
	else if (c->kind == NCCL_TIME)
		nccl_result_add(result, c->metric, "ns", decimal_shift(x, 3));
	else if (c->kind == NCCL_RATE)
		nccl_result_add(result, c->metric, "B/s", decimal_shift(x, 9));
	return 0;
}

/* Adds the rows of a line of results. */
static int put_line(struct nccl_reading *r, struct text line, struct fault *f)
{
	const size_t half = (r->columns - r->first) / 2;
	struct nccl_result result = { .is_wrong = r->failed };
	struct text word;

	for (size_t i = 0; i < r->columns; i++) {
		const struct nccl_column *c = r->column[i];

		word = line_word(&line);
		if (!word.len)
			return fault_set(f,
			    "%s:%zu: no value in each column: the file is damaged", r->name,
			    r->line);
		if (i < r->first) {
			if (c->kind == NCCL_FACTOR)
				nccl_result_factor(&result, c->metric, word);
			continue;
		}
		if (read_value(r, c, word, &result, f) < 0)
			return -1;
		if (i + 1 != r->first + half && i + 1 != r->columns)
			continue;
		result.place = i + 1 == r->columns ? "in" : "out";
		if (nccl_result_put(&r->run, &result, r->out, f) < 0)
			return -1;
		result.values = 0;
		result.is_wrong = r->failed;
	}
	if (text_trim(line).len && !r->has_time)
		return fault_set(f, "%s:%zu: more values than columns", r->name, r->line);
	r->has_rows = true;
	return 0;
}

static int read_line(struct nccl_reading *r, struct text line, struct fault *f)
{
	struct text rest = line, word;
	double x;

	if (read_columns(r, line)) {
		r->failed = ends_wrong(r);
		return r->open ? 0 : begin_run(r, TEXT(""), f);
	}
	if (is_verdict(&rest)) /* lines of other programs may follow */
		r->columns = 0;
	if (text_begins(line, "#"))
		return read_comment(r, text_after(line, 1), f);
	word = line_word(&rest);
	return r->columns && number_parse(word, &x) ? put_line(r, line, f) : 0;
}

static int nccl_tests_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct nccl_reading r = { .out = out, .name = s->name, .rest = s->text };
	struct text line;
	int status = 0;

	while (status == 0 && next_line(&r, &line)) {
		r.line++;
		status = read_line(&r, line, f);
	}
	if (status == 0)
		status = end_run(&r, f);
	nccl_run_free(&r.run);
	arena_free(&r.texts);
	return status;
}

const struct format format_nccl_tests_console = { .name = "nccl-tests-console",
	.meaning = "text of nccl-tests and rccl-tests, such as all_reduce_perf",
	.whole_lines = true,
	.may_be_mixed = true,
	.recognize = nccl_tests_recognize,
	.read = nccl_tests_read };
